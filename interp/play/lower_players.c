/* Cells of states; players, as bits of a number; values, as bits too (they are numbered anew). */
#include "play/lower.h"

#include "play/eval.h"

/* ---- states ---- */

Reg lower_cell(Lower *l, const Expr *e, int none) {
  const State *state = &l->rules->state[e->a];
  int f = F_CELL + state->cell;
  if (state->scope == SCOPE_TURN && l->section >= SECTION_JUDGE_END &&
      l->section < SECTION_FORBIDDEN && l->section != SECTION_GOING && l->section != SECTION_REROLL)
    l->varying_read = true;
  if (state->scope == SCOPE_TURN && l->section == SECTION_JUDGE_STEP) l->step_varying = true;
  int code = l->in_old ? O_old_cell : O_load_cell;
  if (!e->kid[0])
    return l->in_old ? make(l, code, 5, (int32_t[]){l->base, f, reg_num(l, 0), 1, none})
                     : MAKE(l, load_num, l->base, f);
  Reg member = state->scope == SCOPE_SITE ? lower_site(l, e->kid[0])
                                          : first_seat(l, lower_players(l, e->kid[0]));
  int64_t n;
  if (num_known(l, member, &n)) {
    if (n < 0 || n >= state->cells) return reg_num(l, none);
    if (!l->in_old) return MAKE(l, load_num, l->base, f + (int)n);
  }
  return make(l, code, 5, (int32_t[]){l->base, f, member, state->cells, none});
}

/* ---- players ---- */

static Reg owners(Lower *l, const Pieces *p) {
  Reg all = reg_num(l, 0);
  SEATS_FOR(l, s) {
    Reg set = no_sites(l);
    PLANES_FOR(l, i)
      if ((p->planes >> i) & 1 && l->rules->plane[i].owner == s)
        set = set_fold(l, O_set_or, set, p->at[i]);
    Reg some = some_of(l, set);
    int64_t n;
    Reg bit = num_known(l, some, &n) ? reg_num(l, n << s) : MAKE(l, num_shift, some, s);
    all = num_fold(l, O_num_or, all, bit);
  }
  return all;
}

static Reg where_players(Lower *l, const Expr *e) {
  Reg all = lower_players(l, e->kid[0]), some = reg_num(l, 0);
  if (!(e->kid[1]->deps & DEP_EACH))
    return pick(l, lower_condition(l, e->kid[1]), all, reg_num(l, 0));
  int each = l->each;
  SEATS_FOR(l, s) {
    Reg in = seat_in(l, all, s);
    if (num_is(l, in, 0)) continue;
    l->each = s;
    Reg yes = both(l, in, lower_condition(l, e->kid[1]));
    int64_t n;
    Reg bit = num_known(l, yes, &n) ? reg_num(l, n << s) : MAKE(l, num_shift, yes, s);
    some = num_fold(l, O_num_or, some, bit);
  }
  l->each = each;
  return some;
}

/* Of several players what is each one's own, together. */
static Reg bits_by_player(Lower *l, const Expr *e, Reg (*lower)(Lower *, const Expr *)) {
  Reg players = lower_players(l, e->kid[0]), all = reg_num(l, 0);
  SEATS_FOR(l, s) {
    const Expr *by = ((const Expr *const *)e->data)[s];
    Reg in = seat_in(l, players, s);
    if (!by || num_is(l, in, 0)) continue;
    all = num_fold(l, O_num_or, all, pick(l, in, lower(l, by), reg_num(l, 0)));
  }
  return all;
}

Reg lower_players(Lower *l, const Expr *e) {
  Reg mover = reg_num(l, 1 << l->seat);
  switch (e->op) {
    case X_PLAYERS_CONST: return reg_num(l, e->a);
    case X_MOVER: return mover;
    case X_OPPONENT: return num_fold(l, O_num_minus, field(l, F_ACTIVE), mover);
    case X_ACTIVE: return field(l, F_ACTIVE);
    case X_STARTER: return MAKE(l, num_bit, field(l, F_STARTER));
    case X_NEXT_PLAYER: return MAKE(l, num_bit, MAKE(l, ask_next, l->base));
    case X_WINNERS: return field(l, F_WINNERS);
    case X_EACH: return reg_num(l, l->each >= 0 ? 1 << l->each : 0);
    case X_OWNER: {
      Pieces p;
      lower_pieces(l, e->kid[0], &p);
      return owners(l, &p);
    }
    case X_OWNER_AT: {
      Reg at = lower_sites(l, e->kid[0]);
      Pieces p = {0, {0}};
      PLANES_FOR(l, i) {
        p.planes |= 1u << i;
        p.at[i] = set_fold(l, O_set_and, plane_occupied(l, i), at);
      }
      return owners(l, &p);
    }
    case X_STATE_PLAYER: {
      Reg seat = lower_cell(l, e, -2);
      Reg bits = pick(l, num_fold(l, O_num_eq, seat, reg_num(l, -1)), reg_num(l, SEAT_NOBODY),
                      MAKE(l, num_bit, seat));
      return bits;
    }
    case X_UNION: return num_fold(l, O_num_or, lower_players(l, e->kid[0]), lower_players(l, e->kid[1]));
    case X_MINUS: return num_fold(l, O_num_minus, lower_players(l, e->kid[0]), lower_players(l, e->kid[1]));
    case X_MEET: return num_fold(l, O_num_and, lower_players(l, e->kid[0]), lower_players(l, e->kid[1]));
    case X_WHERE: return where_players(l, e);
    case X_LET: return lower_players(l, e->kid[0]);
    case X_LET_BY: return bits_by_player(l, e, lower_players);
    case X_CHOSEN:
      return l->choice_type == TYPE_PLAYERS ? MAKE(l, num_bit, l->chosen) : reg_num(l, 0);
    default: lower_refuse(l, "players by %s", expr_op_name(e->op));
  }
}

/* ---- values ---- */

static Reg value_bits(Lower *l, const SiteSet *atoms) {
  uint64_t bits = 0;
  SITES_FOR(a, *atoms) bits |= (uint64_t)1 << value_number(l, a);
  return reg_num(l, (int64_t)bits);
}

Reg lower_values(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_VALUES_CONST: return value_bits(l, e->data);
    case X_STATE_VALUE: return MAKE(l, num_bit, lower_cell(l, e, -1));
    case X_LABEL_VALUE: {
      Reg site = lower_site(l, e->kid[0]);
      return MAKE(l, num_bit, MAKE(l, label_at, site, e->a));
    }
    case X_OUTCOME: {
      Reg bits = reg_num(l, (int64_t)1 << value_number(l, l->rules->atom_nothing));
      for (int i = 0; i < l->rules->rules; i++) {
        const Rule *r = &l->rules->rule[i];
        if (!r->exists || r->kind < RULE_WIN || r->kind > RULE_DRAW) continue;
        bits = pick(l, num_fold(l, O_num_eq, field(l, F_END_RULE), reg_num(l, i)),
                    reg_num(l, (int64_t)((uint64_t)1 << value_number(l, r->atom))), bits);
      }
      return bits;
    }
    case X_PHASE_NOW: {
      Reg bits = reg_num(l, 0);
      for (int i = 0; i < l->rules->phases; i++)
        bits = pick(l, num_fold(l, O_num_eq, field(l, F_PHASE), reg_num(l, i)),
                    reg_num(l, (int64_t)((uint64_t)1 << value_number(l, l->rules->phase[i].atom))), bits);
      return bits;
    }
    case X_UNION: return num_fold(l, O_num_or, lower_values(l, e->kid[0]), lower_values(l, e->kid[1]));
    case X_MINUS: return num_fold(l, O_num_minus, lower_values(l, e->kid[0]), lower_values(l, e->kid[1]));
    case X_MEET: return num_fold(l, O_num_and, lower_values(l, e->kid[0]), lower_values(l, e->kid[1]));
    case X_WHERE: return pick(l, lower_condition(l, e->kid[1]), lower_values(l, e->kid[0]), reg_num(l, 0));
    case X_LET: return lower_values(l, e->kid[0]);
    case X_LET_BY: return bits_by_player(l, e, lower_values);
    case X_CHOSEN: return l->choice_type == TYPE_VALUES ? MAKE(l, num_bit, l->chosen) : reg_num(l, 0);
    default: lower_refuse(l, "values by %s", expr_op_name(e->op));
  }
}
