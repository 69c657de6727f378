/* Conditions about `here` turned inside out: answered for all sites at once, as a set.
 * Numbers of pieces on every site are rows of binary digits; to compare them with a number is
 * a few operations on whole sets. */
#include "play/lower.h"

#include <string.h>

enum { DIGITS_MOST = SLICES_MAX + 6 }; /* more than all planes together come to */
typedef struct Digits { /* a number for every site, lowest digit first, as far as it is asked for */
  int n;
  Reg at[DIGITS_MOST];
  Reg beyond; /* where it has more digits */
} Digits;

static Reg complement(Lower *l, Reg a) { return set_fold(l, O_set_minus, all_sites(l), a); }

/* Nothing, and room to tell whether it comes to `most`. */
static Digits digits_up_to(Lower *l, int64_t most) {
  Digits d = {.beyond = no_sites(l)};
  while (most > 0 && most >> d.n && d.n < DIGITS_MOST) d.at[d.n++] = no_sites(l);
  return d;
}

static void digits_add(Lower *l, Digits *d, int digit, Reg bits) {
  for (; digit < d->n && !set_is_none(l, bits); digit++) {
    Reg carry = set_fold(l, O_set_and, d->at[digit], bits);
    d->at[digit] = set_fold(l, O_set_xor, d->at[digit], bits);
    bits = carry;
  }
  d->beyond = set_fold(l, O_set_or, d->beyond, bits);
}

/* Where the number is at least n. */
static Reg digits_reach(Lower *l, const Digits *d, int64_t n) {
  if (n <= 0) return all_sites(l);
  if (n >> d->n) return no_sites(l);
  Reg more = d->beyond, same = all_sites(l);
  for (int k = d->n - 1; k >= 0; k--) {
    Reg on = set_fold(l, O_set_and, same, d->at[k]);
    if ((n >> k) & 1) {
      same = on;
    } else {
      more = set_fold(l, O_set_or, more, on);
      same = set_fold(l, O_set_minus, same, d->at[k]);
    }
  }
  return set_fold(l, O_set_or, more, same);
}

/* Pieces of kinds that do not depend on `here`, counted on each site, so that it can be told whether they come to `most`. */
typedef struct Counted {
  uint32_t planes; /* all pieces of several planes, for one operation; else 0, and the digits of the number: */
  Digits digits;
} Counted;

static bool count_here(Lower *l, const Expr *e, int64_t most, Counted *c) {
  while (e->op == X_LET) e = e->kid[0];
  if (e->op != X_COUNT) return false;
  const Expr *p = e->kid[0];
  while (p->op == X_LET) p = p->kid[0];
  if (p->op != X_PIECES_AT || p->kid[1]->op != X_HERE || p->kid[0]->deps & DEP_HERE) return false;
  Pieces set;
  lower_pieces(l, p->kid[0], &set);
  bool whole = true;
  PLANES_FOR(l, i)
    if ((set.planes >> i) & 1) whole &= set.at[i] == plane_occupied(l, i);
  c->planes = whole && l->p->slices > 2 && !l->base && set.planes & (set.planes - 1) ? set.planes : 0;
  c->digits = digits_up_to(l, most);
  PLANES_FOR(l, i) {
    if (c->planes || !((set.planes >> i) & 1)) continue;
    for (int k = 0; k < l->p->slices; k++)
      digits_add(l, &c->digits, k,
                 l->p->slices == 1 ? set.at[i]
                 : whole           ? plane_slice(l, i, k)
                                   : set_fold(l, O_set_and, plane_slice(l, i, k), set.at[i]));
  }
  return true;
}

/* Where there are at least n. */
static Reg count_reaches(Lower *l, const Counted *c, int64_t n) {
  if (!c->planes) return digits_reach(l, &c->digits, n);
  if (n <= 0) return all_sites(l);
  if (n > 255) return no_sites(l);
  return MAKE(l, sites_least, l->base, (int32_t)c->planes, (int32_t)n);
}

static Reg where_number(Lower *l, const Expr *e) {
  const Expr *a = e->kid[0], *b = e->kid[1];
  Counted d;
  int64_t n;
  bool left = (a->deps & DEP_HERE) != 0;
  if (left && b->deps & DEP_HERE) return NO_REG;
  if (!num_known(l, lower_number(l, left ? b : a), &n)) return NO_REG;
  bool next = e->op == X_LT ? !left : e->op == X_LE ? left : true; /* it is asked whether the number comes to n + 1 */
  if (!count_here(l, left ? a : b, n + next, &d)) return NO_REG;
  switch (e->op) {
    case X_LT: return left ? complement(l, count_reaches(l, &d, n)) : count_reaches(l, &d, n + 1);
    case X_LE: return left ? complement(l, count_reaches(l, &d, n + 1)) : count_reaches(l, &d, n);
    default: {
      Reg is = set_fold(l, O_set_minus, count_reaches(l, &d, n), count_reaches(l, &d, n + 1));
      return e->op == X_EQ ? is : complement(l, is);
    }
  }
}

/* A label or a state of the site against values that do not depend on it. */
static Reg where_value(Lower *l, const Expr *e) {
  const Expr *a = e->kid[0], *b = e->kid[1];
  if (b->deps & DEP_HERE && e->op != X_IS_IN) {
    const Expr *t = a;
    a = b;
    b = t;
  }
  while (a->op == X_LET) a = a->kid[0];
  if (b->deps & DEP_HERE || !a->kid[0] || a->kid[0]->op != X_HERE) return NO_REG;
  int64_t bits;
  if (!num_known(l, lower_values(l, b), &bits)) return NO_REG;
  if (e->op != X_IS_IN && __builtin_popcountll((uint64_t)bits) != 1) return NO_REG;
  Reg is = no_sites(l);
  if (a->op == X_LABEL_VALUE) {
    SiteSet on = sites_none();
    for (int s = 0; s < l->rules->board.sites; s++) {
      int atom = l->rules->label[a->a].value[s];
      if (atom >= 0 && (uint64_t)bits >> value_number(l, atom) & 1) sites_add(&on, s);
    }
    is = reg_set(l, on);
  } else if (a->op == X_STATE_VALUE && l->rules->state[a->a].scope == SCOPE_SITE) {
    const State *state = &l->rules->state[a->a];
    int32_t args[] = {l->base, F_CELL + state->cell, state->cells, reg_num(l, bits)};
    is = make(l, l->in_old ? O_old_cells_in : O_cells_in, 4, args);
  } else {
    return NO_REG;
  }
  return e->op == X_NE ? complement(l, is) : is;
}

/* `neighbours of here`, less or within sites that do not depend on it: the rest to *rest. */
static bool near_here(Lower *l, const Expr *e, Reg *rest) {
  while (e->op == X_LET) e = e->kid[0];
  if (e->op == X_NEIGHBOURS && e->kid[0]->op == X_HERE) {
    *rest = all_sites(l);
    return true;
  }
  if ((e->op != X_MINUS && e->op != X_MEET) || e->kid[1]->deps & DEP_HERE) return false;
  if (!near_here(l, e->kid[0], rest)) return false;
  Reg other = lower_sites(l, e->kid[1]);
  *rest = set_fold(l, e->op == X_MINUS ? O_set_minus : O_set_and, *rest, other);
  return true;
}

static bool symmetric(const Board *b) {
  for (int s = 0; s < b->squares; s++)
    SITES_FOR(t, b->neighbours[s]) if (!sites_has(&b->neighbours[t], s)) return false;
  return true;
}

static Reg sites_or_pieces(Lower *l, const Expr *e) {
  if (e->type == TYPE_SITES) return lower_sites(l, e);
  Pieces p;
  lower_pieces(l, e, &p);
  return pieces_union(l, &p);
}

static Reg where_quantified(Lower *l, const Expr *e) {
  const Expr *a = e->kid[0], *b = e->kid[1];
  Reg rest;
  if (b->deps & DEP_HERE || (a->type != TYPE_SITES && a->type != TYPE_PIECES)) return NO_REG;
  if (a->op == X_HERE && (e->op == X_IS_IN || e->op == X_SOME_IN || e->op == X_ALL_IN))
    return sites_or_pieces(l, b);
  if (!symmetric(&l->rules->board) || a->type != TYPE_SITES || !near_here(l, a, &rest)) return NO_REG;
  Reg in = sites_or_pieces(l, b);
  switch (e->op) {
    case X_SOME_IN: return MAKE(l, set_near, set_fold(l, O_set_and, rest, in));
    case X_NONE_IN: return complement(l, MAKE(l, set_near, set_fold(l, O_set_and, rest, in)));
    case X_ALL_IN: return complement(l, MAKE(l, set_near, set_fold(l, O_set_minus, rest, in)));
    default: return NO_REG;
  }
}

static Reg where_some(Lower *l, const Expr *e) {
  const Expr *p = e->kid[0];
  while (p->op == X_LET) p = p->kid[0];
  if (p->op != X_PIECES_AT || p->kid[1]->op != X_HERE || p->kid[0]->deps & DEP_HERE) return NO_REG;
  Pieces set;
  lower_pieces(l, p->kid[0], &set);
  Reg at = pieces_union(l, &set);
  return e->op == X_SOME ? at : complement(l, at);
}

Reg lower_where(Lower *l, const Expr *e) {
  if (!(e->deps & DEP_HERE)) return set_when(l, all_sites(l), lower_condition(l, e));
  switch (e->op) {
    case X_LET: return lower_where(l, e->kid[0]);
    case X_NOT: {
      Reg a = lower_where(l, e->kid[0]);
      return a == NO_REG ? NO_REG : complement(l, a);
    }
    case X_AND:
    case X_OR: {
      Reg a = lower_where(l, e->kid[0]);
      Reg b = a == NO_REG ? NO_REG : lower_where(l, e->kid[1]);
      if (b == NO_REG) return NO_REG;
      return set_fold(l, e->op == X_AND ? O_set_and : O_set_or, a, b);
    }
    case X_LT:
    case X_LE: return where_number(l, e);
    case X_EQ:
    case X_NE:
      if (e->kid[0]->type == TYPE_NUMBER) return where_number(l, e);
      return e->kid[0]->type == TYPE_VALUES ? where_value(l, e) : NO_REG;
    case X_SOME:
    case X_NONE: return where_some(l, e);
    case X_IS_IN:
      if (e->kid[0]->type == TYPE_VALUES) return where_value(l, e);
      return where_quantified(l, e);
    case X_ALL_IN:
    case X_SOME_IN:
    case X_NONE_IN: return where_quantified(l, e);
    default: return NO_REG;
  }
}
