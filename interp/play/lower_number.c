/* Numbers, and what a game is worth: the same in twelfths. */
#include "play/lower.h"

#include "play/eval.h"

static Reg count_of(Lower *l, const Expr *of) {
  switch (of->type) {
    case TYPE_SITES: {
      Reg s = lower_sites(l, of);
      const SiteSet *known = set_known(l, s);
      return known ? reg_num(l, sites_count(known)) : MAKE(l, set_count, s);
    }
    case TYPE_PIECES: {
      if (of->op == X_VICTIMS) {
        if (l->taken_known) return l->taken_n;
        return pick(l, num_fold(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), field(l, F_TAKEN_N),
                    reg_num(l, 0));
      }
      Pieces p;
      lower_pieces(l, of, &p);
      return pieces_number(l, &p);
    }
    case TYPE_PLAYERS: {
      Reg y = num_fold(l, O_num_and, lower_players(l, of), reg_num(l, (1 << l->rules->seats) - 1));
      int64_t n;
      return num_known(l, y, &n) ? reg_num(l, __builtin_popcountll((uint64_t)n)) : MAKE(l, num_count, y);
    }
    case TYPE_VALUES: return MAKE(l, num_count, lower_values(l, of));
    default: return reg_num(l, 0);
  }
}

static Reg seat_field(Lower *l, const Expr *of, int row) {
  Reg seat = first_seat(l, lower_players(l, of)), n = reg_num(l, 0);
  for (int s = 0; s < l->rules->seats; s++)
    n = pick(l, num_fold(l, O_num_eq, seat, reg_num(l, s)), field(l, row + s), n);
  return n;
}

Reg lower_number(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_NUMBER: return reg_num(l, e->a);
    case X_FRACTION: return reg_num(l, e->a / (e->b ? e->b : 1));
    case X_ADD: return num_fold(l, O_num_add, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_SUB: return num_fold(l, O_num_sub, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_MUL: return num_fold(l, O_num_mul, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_COUNT: return count_of(l, e->kid[0]);
    case X_STATE_NUMBER: return lower_cell(l, e, 0);
    case X_LABEL_NUMBER: return MAKE(l, label_at, lower_site(l, e->kid[0]), e->a);
    case X_BIT: return lower_condition(l, e->kid[0]);
    case X_DIE:
      if (l->section == SECTION_GEN && l->die >= 0) return l->die; /* one of the dice left */
      return pick(l, num_fold(l, O_num_lt, l->die, reg_num(l, 0)), reg_num(l, 0), l->die);
    case X_DOUBLE: return field(l, F_DOUBLED);
    case X_DICE_USED: return field(l, F_DICE_USED);
    case X_PIPS_USED: return field(l, F_PIPS_USED);
    case X_CAPTURED: return field(l, F_CAPTURED);
    case X_USES:
      return pick(l, num_fold(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), field(l, F_USES + e->a),
                  reg_num(l, 0));
    case X_TURNS: return seat_field(l, e->kid[0], F_TURNS);
    case X_TURN_COUNT: return field(l, F_TURN_COUNT);
    case X_REPEATS: field(l, F_OVER); return MAKE(l, ask_repeats, l->base);
    case X_QUIET: return field(l, F_QUIET);
    case X_PASSES: return field(l, F_PASSES);
    case X_OVERRUNS: return seat_field(l, e->kid[0], F_OVERRUNS);
    case X_WHERE: return pick(l, lower_condition(l, e->kid[1]), lower_number(l, e->kid[0]), reg_num(l, 0));
    case X_LET: return lower_number(l, e->kid[0]);
    case X_LET_BY: {
      Reg seat = first_seat(l, lower_players(l, e->kid[0])), n = reg_num(l, 0);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg is = num_fold(l, O_num_eq, seat, reg_num(l, s));
        if (by && !num_is(l, is, 0)) n = pick(l, is, lower_number(l, by), n);
      }
      return n;
    }
    case X_CHOSEN: return l->choice_type == TYPE_NUMBER ? l->chosen : reg_num(l, 0);
    default: lower_refuse(l, "a number by %s", expr_op_name(e->op));
  }
}

bool lower_is_fractional(const Expr *e) { return mentions_op(e, X_FRACTION); }

Reg lower_worth(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_FRACTION:
      if (e->b == 0 || WORTH_UNIT * e->a % e->b) lower_give_up(l, "a fraction of other parts than twelfths");
      return reg_num(l, WORTH_UNIT * e->a / e->b);
    case X_ADD: return num_fold(l, O_num_add, lower_worth(l, e->kid[0]), lower_worth(l, e->kid[1]));
    case X_SUB: return num_fold(l, O_num_sub, lower_worth(l, e->kid[0]), lower_worth(l, e->kid[1]));
    case X_MUL:
      if (!lower_is_fractional(e->kid[1]))
        return num_fold(l, O_num_mul, lower_worth(l, e->kid[0]), lower_number(l, e->kid[1]));
      if (!lower_is_fractional(e->kid[0]))
        return num_fold(l, O_num_mul, lower_number(l, e->kid[0]), lower_worth(l, e->kid[1]));
      lower_give_up(l, "a product of two fractions");
    case X_LET: return lower_worth(l, e->kid[0]);
    case X_WHERE: return pick(l, lower_condition(l, e->kid[1]), lower_worth(l, e->kid[0]), reg_num(l, 0));
    default: return num_fold(l, O_num_mul, lower_number(l, e), reg_num(l, WORTH_UNIT));
  }
}
