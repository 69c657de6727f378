/* Operations whose value is known, or is one of the operands, before the game begins: constants
 * are computed here, and what changes nothing is left out. */
#include "play/lower.h"

/* As the operations do it. */
static int64_t saturate(int64_t n) { return n > INT32_MAX ? INT32_MAX : n < -INT32_MAX ? -INT32_MAX : n; }

Reg num_fold(Lower *l, int code, Reg a, Reg b) {
  int64_t x, y;
  if (num_known(l, a, &x) && num_known(l, b, &y)) {
    switch (code) {
      case O_num_add: return reg_num(l, saturate(x + y));
      case O_num_sub: return reg_num(l, saturate(x - y));
      case O_num_mul: return reg_num(l, saturate(x * y));
      case O_num_and: return reg_num(l, x & y);
      case O_num_or: return reg_num(l, x | y);
      case O_num_minus: return reg_num(l, x & ~y);
      case O_num_eq: return reg_num(l, x == y);
      case O_num_lt: return reg_num(l, x < y);
      case O_num_le: return reg_num(l, x <= y);
      default: break;
    }
  }
  if (code == O_num_or || code == O_num_add) {
    if (num_is(l, a, 0)) return b;
    if (num_is(l, b, 0)) return a;
  }
  if (code == O_num_and && (num_is(l, a, 0) || num_is(l, b, 0))) return reg_num(l, 0);
  if (code == O_num_minus && num_is(l, b, 0)) return a;
  if (code == O_num_mul && num_is(l, a, 1)) return b;
  if (code == O_num_mul && num_is(l, b, 1)) return a;
  return make(l, code, 2, (int32_t[]){a, b});
}

Reg both(Lower *l, Reg a, Reg b) {
  if (num_is(l, a, 1)) return b;
  if (num_is(l, b, 1)) return a;
  return num_fold(l, O_num_and, a, b);
}
Reg either(Lower *l, Reg a, Reg b) {
  if (num_is(l, a, 1) || num_is(l, b, 1)) return reg_num(l, 1);
  return num_fold(l, O_num_or, a, b);
}
Reg negation(Lower *l, Reg a) {
  int64_t n;
  return num_known(l, a, &n) ? reg_num(l, !n) : MAKE(l, num_not, a);
}
Reg pick(Lower *l, Reg yes, Reg a, Reg b) {
  int64_t n;
  if (num_known(l, yes, &n)) return n ? a : b;
  return a == b ? a : MAKE(l, num_pick, yes, a, b);
}

static SiteSet everywhere(const Lower *l) {
  SiteSet s = sites_none();
  for (int i = 0; i < l->rules->board.sites; i++) sites_add(&s, i);
  return s;
}
static bool set_is_all(const Lower *l, Reg set) {
  if (!set_known(l, set)) return false;
  SiteSet all = everywhere(l);
  return sites_equal(set_known(l, set), &all);
}

static SiteSet sets_of(int code, SiteSet a, SiteSet b) {
  switch (code) {
    case O_set_and: return sites_and(a, b);
    case O_set_or: return sites_or(a, b);
    case O_set_xor: return sites_minus(sites_or(a, b), sites_and(a, b));
    default: return sites_minus(a, b);
  }
}

Reg set_fold(Lower *l, int code, Reg a, Reg b) {
  const SiteSet *x = set_known(l, a), *y = set_known(l, b);
  if (x && y) return reg_set(l, sets_of(code, *x, *y));
  if (set_is_none(l, a)) return code == O_set_or || code == O_set_xor ? b : a;
  if (set_is_none(l, b)) return code == O_set_and ? b : a;
  if (a == b && (code == O_set_and || code == O_set_or)) return a;
  if (code == O_set_and && set_is_all(l, a)) return b;
  if (code == O_set_and && set_is_all(l, b)) return a;
  return make(l, code, 2, (int32_t[]){a, b});
}
Reg all_sites(Lower *l) { return reg_set(l, everywhere(l)); }
Reg no_sites(Lower *l) { return reg_set(l, sites_none()); }
Reg set_when(Lower *l, Reg set, Reg yes) {
  int64_t n;
  if (num_known(l, yes, &n)) return n ? set : no_sites(l);
  return set_is_none(l, set) ? set : MAKE(l, set_if, set, yes);
}
Reg one_site(Lower *l, Reg site) {
  int64_t n;
  if (num_known(l, site, &n)) return reg_set(l, n < 0 ? sites_none() : sites_one((int)n));
  return MAKE(l, set_one, site);
}
Reg some_of(Lower *l, Reg set) {
  const SiteSet *s = set_known(l, set);
  return s ? reg_num(l, !sites_is_empty(s)) : MAKE(l, set_some, set);
}
Reg seat_in(Lower *l, Reg players, int seat) {
  int64_t n;
  if (num_known(l, players, &n)) return reg_num(l, (n >> seat) & 1);
  return MAKE(l, num_lt, reg_num(l, 0), MAKE(l, num_and, players, reg_num(l, 1 << seat)));
}
Reg first_seat(Lower *l, Reg players) {
  int64_t n;
  if (num_known(l, players, &n)) {
    n &= SEAT_NOBODY - 1;
    return reg_num(l, n ? __builtin_ctz((unsigned)n) : -1);
  }
  return MAKE(l, num_first, num_fold(l, O_num_and, players, reg_num(l, SEAT_NOBODY - 1)));
}
