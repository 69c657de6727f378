/* Conditions: 0 or 1. */
#include "play/lower.h"

#include "play/eval.h"

bool mentions_op(const Expr *e, int op) {
  if (!e) return false;
  if (e->op == op) return true;
  if (e->op == X_LINE_SITES || e->op == X_LINE_PIECES) {
    const LineShape *shape = e->data;
    for (int i = 0; i < shape->n; i++)
      if (mentions_op(shape->cell[i].expr, op)) return true;
  }
  if (e->op == X_LET_BY)
    for (int s = 0; s < SEATS_MAX; s++)
      if (mentions_op(((const Expr *const *)e->data)[s], op)) return true;
  for (int i = 0; i < 3; i++)
    if (mentions_op(e->kid[i], op)) return true;
  return false;
}
bool rule_mentions(const Rule *r, int op) {
  return mentions_op(r->when, op) || mentions_op(r->unless, op) || mentions_op(r->for_, op);
}

/* Questions that cost much more than a few operations on sets. */
static bool is_heavy(const Expr *e) {
  static const int heavy[] = {X_FLOOD, X_GROUP, X_BRACED, X_STUCK, X_DEAD, X_REPEATS,
                              X_LINE_SITES, X_LINE_PIECES, X_WHERE, X_NEXT_PLAYER};
  for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++)
    if (mentions_op(e, heavy[i])) return true;
  return false;
}

static Reg compare(Lower *l, int code, const Expr *a, const Expr *b) {
  if (lower_is_fractional(a) || lower_is_fractional(b)) return num_fold(l, code, lower_worth(l, a), lower_worth(l, b));
  return num_fold(l, code, lower_number(l, a), lower_number(l, b));
}

static Reg same_sets(Lower *l, Reg a, Reg b) {
  const SiteSet *x = set_known(l, a), *y = set_known(l, b);
  if (x && y) return reg_num(l, sites_equal(x, y));
  return MAKE(l, set_same, a, b);
}

static Reg equal(Lower *l, const Expr *a, const Expr *b) {
  switch (a->type) {
    case TYPE_NUMBER: return compare(l, O_num_eq, a, b);
    case TYPE_SITES: return same_sets(l, lower_sites(l, a), lower_sites(l, b));
    case TYPE_VALUES: return num_fold(l, O_num_eq, lower_values(l, a), lower_values(l, b));
    case TYPE_PLAYERS: return num_fold(l, O_num_eq, lower_players(l, a), lower_players(l, b));
    case TYPE_CONDITION: return num_fold(l, O_num_eq, lower_condition(l, a), lower_condition(l, b));
    case TYPE_WAYS: return lower_same_ways(l, a, b);
    case TYPE_PIECES: {
      Pieces x, y;
      Reg same = reg_num(l, 1);
      lower_pieces(l, a, &x);
      lower_pieces(l, b, &y);
      PLANES_FOR(l, i) {
        Reg p = (x.planes >> i) & 1 ? x.at[i] : no_sites(l);
        Reg q = (y.planes >> i) & 1 ? y.at[i] : no_sites(l);
        same = both(l, same, same_sets(l, p, q));
      }
      return same;
    }
    default: return reg_num(l, 0);
  }
}

static Reg is_some(Lower *l, const Expr *e) {
  switch (e->type) {
    case TYPE_SITES: return some_of(l, lower_sites(l, e));
    case TYPE_PIECES: {
      Pieces p;
      lower_pieces(l, e, &p);
      return some_of(l, pieces_union(l, &p));
    }
    case TYPE_PLAYERS:
      return num_fold(l, O_num_lt, reg_num(l, 0),
                     num_fold(l, O_num_and, lower_players(l, e), reg_num(l, (1 << l->rules->seats) - 1)));
    case TYPE_VALUES:
      return negation(l, num_fold(l, O_num_eq, lower_values(l, e), reg_num(l, 0)));
    default: return reg_num(l, 0);
  }
}

static Reg site_members(Lower *l, const Expr *e) {
  if (e->type == TYPE_SITES) return lower_sites(l, e);
  Pieces p;
  if (e->op == X_MOVED) return lower_moved_sites(l);
  lower_pieces(l, e, &p);
  return pieces_union(l, &p);
}

static Reg quantified(Lower *l, const Expr *e) {
  const Expr *a = e->kid[0], *b = e->kid[1];
  if (a->type == TYPE_SITES || a->type == TYPE_PIECES) {
    Reg x = site_members(l, a), y = site_members(l, b);
    const SiteSet *s = set_known(l, x), *t = set_known(l, y);
    Reg meet = s && t ? reg_num(l, sites_meet(s, t)) : MAKE(l, set_meet, x, y);
    if (e->op == X_SOME_IN) return meet;
    if (e->op == X_NONE_IN) return negation(l, meet);
    Reg within = s && t ? reg_num(l, sites_within(s, t)) : MAKE(l, set_within, x, y);
    return e->op == X_ALL_IN ? within : both(l, some_of(l, x), within);
  }
  if (a->type == TYPE_NUMBER) lower_refuse(l, "a number among numbers");
  Reg x = a->type == TYPE_PLAYERS ? lower_players(l, a) : lower_values(l, a);
  Reg y = b->type == TYPE_PLAYERS ? lower_players(l, b) : lower_values(l, b);
  Reg zero = reg_num(l, 0);
  if (e->op == X_SOME_IN || e->op == X_NONE_IN) {
    Reg apart = num_fold(l, O_num_eq, num_fold(l, O_num_and, x, y), zero);
    return e->op == X_NONE_IN ? apart : negation(l, apart);
  }
  Reg within = num_fold(l, O_num_eq, num_fold(l, O_num_minus, x, y), zero);
  return e->op == X_ALL_IN ? within : both(l, negation(l, num_fold(l, O_num_eq, x, zero)), within);
}

/* `and`, `or`: the second is asked only if it must be, when it is dear. */
static Reg joined(Lower *l, const Expr *e) {
  bool all = e->op == X_AND;
  Reg a = lower_condition(l, e->kid[0]);
  if (num_is(l, a, !all)) return a;
  if (num_is(l, a, all) || !is_heavy(e->kid[1]))
    return all ? both(l, a, lower_condition(l, e->kid[1])) : either(l, a, lower_condition(l, e->kid[1]));
  Reg answer = var_num_in(l, l->block, !all);
  block_if(l, all ? a : negation(l, a));
  var_num_put(l, answer, lower_condition(l, e->kid[1]));
  block_end(l);
  return var_num_get(l, answer);
}

Reg lower_condition(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_TRUE: return reg_num(l, 1);
    case X_FALSE: return reg_num(l, 0);
    case X_NOT: return negation(l, lower_condition(l, e->kid[0]));
    case X_AND:
    case X_OR: return joined(l, e);
    case X_EQ: return equal(l, e->kid[0], e->kid[1]);
    case X_NE: return negation(l, equal(l, e->kid[0], e->kid[1]));
    case X_LT: return compare(l, O_num_lt, e->kid[0], e->kid[1]);
    case X_LE: return compare(l, O_num_le, e->kid[0], e->kid[1]);
    case X_SOME: return is_some(l, e->kid[0]);
    case X_NONE: return negation(l, is_some(l, e->kid[0]));
    case X_ALL_IN:
    case X_SOME_IN:
    case X_NONE_IN:
    case X_IS_IN: return quantified(l, e);
    case X_STUCK: return MAKE(l, ask_stuck, l->base);
    case X_DEAD: return MAKE(l, ask_dead, l->base);
    case X_ROUND_OVER: {
      Reg over = reg_num(l, 1), active = field(l, F_ACTIVE);
      for (int a = 0; a < l->rules->seats; a++)
        for (int b = a + 1; b < l->rules->seats; b++) {
          Reg same = num_fold(l, O_num_eq, field(l, F_TURNS + a), field(l, F_TURNS + b));
          Reg in = both(l, seat_in(l, active, a), seat_in(l, active, b));
          over = both(l, over, either(l, same, negation(l, in)));
        }
      return over;
    }
    case X_LET: return lower_condition(l, e->kid[0]);
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]), any = reg_num(l, 0);
      SEATS_FOR(l, s) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg in = seat_in(l, players, s);
        if (by && !num_is(l, in, 0)) any = either(l, any, both(l, in, lower_condition(l, by)));
      }
      return any;
    }
    case X_HOOK: lower_refuse(l, "a hook");
    default: lower_refuse(l, "a condition by %s", expr_op_name(e->op));
  }
}

Reg lower_holds(Lower *l, const Rule *rule) {
  Reg yes = reg_num(l, 1);
  int clause = l->clause;
  if (rule->when) {
    l->clause = CLAUSE_WHEN;
    yes = lower_condition(l, rule->when);
  }
  if (rule->unless && !num_is(l, yes, 0)) {
    l->clause = CLAUSE_UNLESS;
    yes = both(l, yes, negation(l, lower_condition(l, rule->unless)));
  }
  l->clause = clause;
  return yes;
}

/* Opens blocks where the condition holds, or with `no` does not, one for each part of it: later parts are asked
 * only where the earlier ones have held. */
static int open_parts(Lower *l, const Expr *e, bool no) {
  while (e->op == X_LET) e = e->kid[0];
  if (e->op == X_NOT) return open_parts(l, e->kid[0], !no);
  if (e->op == (no ? X_OR : X_AND)) {
    int n = open_parts(l, e->kid[0], no);
    if (n < 0) return n;
    int m = open_parts(l, e->kid[1], no);
    if (m < 0) block_ends(l, n);
    return m < 0 ? m : n + m;
  }
  Reg yes = lower_condition(l, e);
  if (no) yes = negation(l, yes);
  if (num_is(l, yes, 0)) return -1;
  if (num_is(l, yes, 1)) return 0;
  block_if(l, yes);
  return 1;
}

int lower_open_holds(Lower *l, const Rule *rule) {
  int clause = l->clause, n = 0, m = 0;
  l->clause = CLAUSE_WHEN;
  if (rule->when) n = open_parts(l, rule->when, false);
  l->clause = CLAUSE_UNLESS;
  if (rule->unless && n >= 0) m = open_parts(l, rule->unless, true);
  l->clause = clause;
  if (n >= 0 && m < 0) block_ends(l, n);
  return n < 0 || m < 0 ? -1 : n + m;
}

void block_ends(Lower *l, int n) {
  while (n-- > 0) block_end(l);
}
