/* Lowering of expressions, type by type; the same order of cases as in eval.c. Values of
 * `values` are bits of a number (values are numbered anew), players are bits, conditions 0 or 1. */
#include "play/lower.h"

#include <string.h>

#include "play/eval.h"

/* ---- small helpers that fold ---- */

static Reg number2(Lower *l, int code, Reg a, Reg b) {
  int64_t x, y;
  if (num_known(l, a, &x) && num_known(l, b, &y)) {
    switch (code) {
      case O_num_add: return reg_num(l, x + y);
      case O_num_sub: return reg_num(l, x - y);
      case O_num_mul: return reg_num(l, x * y);
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

static Reg both(Lower *l, Reg a, Reg b) {
  if (num_is(l, a, 1)) return b;
  if (num_is(l, b, 1)) return a;
  return number2(l, O_num_and, a, b);
}
static Reg either(Lower *l, Reg a, Reg b) {
  if (num_is(l, a, 1) || num_is(l, b, 1)) return reg_num(l, 1);
  return number2(l, O_num_or, a, b);
}
static Reg negation(Lower *l, Reg a) {
  int64_t n;
  return num_known(l, a, &n) ? reg_num(l, !n) : MAKE(l, num_not, a);
}
static Reg pick(Lower *l, Reg yes, Reg a, Reg b) {
  int64_t n;
  if (num_known(l, yes, &n)) return n ? a : b;
  return a == b ? a : MAKE(l, num_pick, yes, a, b);
}

static Reg sets2(Lower *l, int code, Reg a, Reg b) {
  const SiteSet *x = set_known(l, a), *y = set_known(l, b);
  if (x && y)
    return reg_set(l, code == O_set_and  ? sites_and(*x, *y)
                      : code == O_set_or ? sites_or(*x, *y)
                                         : sites_minus(*x, *y));
  if (code == O_set_or) {
    if (set_is_none(l, a) || a == b) return b;
    if (set_is_none(l, b)) return a;
  } else if (set_is_none(l, a)) {
    return a;
  }
  if (set_is_none(l, b)) return code == O_set_and ? b : a;
  if (code == O_set_and && a == b) return a;
  return make(l, code, 2, (int32_t[]){a, b});
}
static Reg no_sites(Lower *l) { return reg_set(l, sites_none()); }
static Reg set_when(Lower *l, Reg set, Reg yes) {
  int64_t n;
  if (num_known(l, yes, &n)) return n ? set : no_sites(l);
  return set_is_none(l, set) ? set : MAKE(l, set_if, set, yes);
}
static Reg one_site(Lower *l, Reg site) {
  int64_t n;
  if (num_known(l, site, &n)) return reg_set(l, n < 0 ? sites_none() : sites_one((int)n));
  return MAKE(l, set_one, site);
}
static Reg some_of(Lower *l, Reg set) {
  const SiteSet *s = set_known(l, set);
  return s ? reg_num(l, !sites_is_empty(s)) : MAKE(l, set_some, set);
}
static Reg seat_bit(Lower *l, Reg players, int seat) {
  int64_t n;
  if (num_known(l, players, &n)) return reg_num(l, (n >> seat) & 1);
  return negation(l, MAKE(l, num_eq, MAKE(l, num_and, players, reg_num(l, 1 << seat)), reg_num(l, 0)));
}
static Reg value_bits(Lower *l, const SiteSet *atoms) {
  uint64_t bits = 0;
  SITES_FOR(a, *atoms) bits |= (uint64_t)1 << value_number(l, a);
  return reg_num(l, (int64_t)bits);
}

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

/* ---- ways ---- */

uint64_t lower_ways(Lower *l, const Expr *e) {
  int64_t n;
  switch (e->op) {
    case X_WAYS_CONST: return *(const uint64_t *)e->data;
    case X_WAYS_PATH: {
      if (!num_known(l, lower_players(l, e->kid[0]), &n))
        lower_refuse(l, "whose path it is changes during the game");
      uint64_t ways = 0;
      for (int i = 0; i < l->rules->paths; i++) {
        const Path *path = &l->rules->path[i];
        if (path->name == e->a && (path->owner < 0 || (n >> path->owner) & 1))
          ways |= (uint64_t)1 << (WAY_PATHS + i);
      }
      return ways;
    }
    case X_UNION: return lower_ways(l, e->kid[0]) | lower_ways(l, e->kid[1]);
    case X_MINUS: return lower_ways(l, e->kid[0]) & ~lower_ways(l, e->kid[1]);
    case X_MEET: return lower_ways(l, e->kid[0]) & lower_ways(l, e->kid[1]);
    case X_WHERE:
      if (!num_known(l, lower_condition(l, e->kid[1]), &n))
        lower_refuse(l, "the ways change during the game");
      return n ? lower_ways(l, e->kid[0]) : 0;
    case X_LET: return lower_ways(l, e->kid[0]);
    case X_LET_BY: {
      if (!num_known(l, lower_players(l, e->kid[0]), &n))
        lower_refuse(l, "whose ways these are changes during the game");
      uint64_t ways = 0;
      for (int s = 0; s < l->rules->seats; s++)
        if ((n >> s) & 1 && ((const Expr *const *)e->data)[s])
          ways |= lower_ways(l, ((const Expr *const *)e->data)[s]);
      return ways;
    }
    default: lower_refuse(l, "ways of an unknown kind");
  }
}
static int one_path(Lower *l, const Expr *e) {
  uint64_t ways = lower_ways(l, e) >> WAY_PATHS;
  return ways ? __builtin_ctzll(ways) : -1;
}

/* ---- states ---- */

static Reg first_seat(Lower *l, Reg players) {
  int64_t n;
  if (num_known(l, players, &n)) {
    n &= SEAT_NOBODY - 1;
    return reg_num(l, n ? __builtin_ctz((unsigned)n) : -1);
  }
  return MAKE(l, num_first, number2(l, O_num_and, players, reg_num(l, SEAT_NOBODY - 1)));
}

/* The number in the cell; `none` if its member is nobody. */
static Reg cell(Lower *l, const Expr *e, int none) {
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
  for (int s = 0; s < l->rules->seats; s++) {
    Reg set = no_sites(l);
    for (int i = 0; i < l->rules->planes; i++)
      if ((p->planes >> i) & 1 && l->rules->plane[i].owner == s)
        set = sets2(l, O_set_or, set, p->at[i]);
    Reg some = some_of(l, set);
    int64_t n;
    Reg bit = num_known(l, some, &n) ? reg_num(l, n << s) : MAKE(l, num_shift, some, s);
    all = number2(l, O_num_or, all, bit);
  }
  return all;
}

static Reg where_players(Lower *l, const Expr *e) {
  Reg all = lower_players(l, e->kid[0]), some = reg_num(l, 0);
  if (!(e->kid[1]->deps & DEP_EACH))
    return pick(l, lower_condition(l, e->kid[1]), all, reg_num(l, 0));
  int each = l->each;
  for (int s = 0; s < l->rules->seats; s++) {
    Reg in = seat_bit(l, all, s);
    if (num_is(l, in, 0)) continue;
    l->each = s;
    Reg yes = both(l, in, lower_condition(l, e->kid[1]));
    int64_t n;
    Reg bit = num_known(l, yes, &n) ? reg_num(l, n << s) : MAKE(l, num_shift, yes, s);
    some = number2(l, O_num_or, some, bit);
  }
  l->each = each;
  return some;
}

Reg lower_players(Lower *l, const Expr *e) {
  Reg mover = reg_num(l, 1 << l->seat);
  switch (e->op) {
    case X_PLAYERS_CONST: return reg_num(l, e->a);
    case X_MOVER: return mover;
    case X_OPPONENT: return number2(l, O_num_minus, field(l, F_ACTIVE), mover);
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
      for (int i = 0; i < l->rules->planes; i++) {
        p.planes |= 1u << i;
        p.at[i] = sets2(l, O_set_and, plane_occupied(l, i), at);
      }
      return owners(l, &p);
    }
    case X_STATE_PLAYER: {
      Reg seat = cell(l, e, -2);
      Reg bits = pick(l, number2(l, O_num_eq, seat, reg_num(l, -1)), reg_num(l, SEAT_NOBODY),
                      MAKE(l, num_bit, seat));
      return bits;
    }
    case X_UNION: return number2(l, O_num_or, lower_players(l, e->kid[0]), lower_players(l, e->kid[1]));
    case X_MINUS: return number2(l, O_num_minus, lower_players(l, e->kid[0]), lower_players(l, e->kid[1]));
    case X_MEET: return number2(l, O_num_and, lower_players(l, e->kid[0]), lower_players(l, e->kid[1]));
    case X_WHERE: return where_players(l, e);
    case X_LET: return lower_players(l, e->kid[0]);
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]), all = reg_num(l, 0);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg in = seat_bit(l, players, s);
        if (!by || num_is(l, in, 0)) continue;
        all = number2(l, O_num_or, all, pick(l, in, lower_players(l, by), reg_num(l, 0)));
      }
      return all;
    }
    case X_CHOSEN:
      return l->choice_type == TYPE_PLAYERS ? MAKE(l, num_bit, l->chosen) : reg_num(l, 0);
    default: lower_refuse(l, "players by %s", expr_op_name(e->op));
  }
}

/* ---- sites ---- */

Reg plane_slice(Lower *l, int plane, int k) {
  return MAKE(l, load_set, l->base, plane * l->p->slices + k);
}
Reg plane_occupied(Lower *l, int plane) {
  Reg all = plane_slice(l, plane, 0);
  for (int k = 1; k < l->p->slices; k++) all = sets2(l, O_set_or, all, plane_slice(l, plane, k));
  return all;
}

static Reg picture(Lower *l, const Expr *e, Pieces *pieces);

static Reg moved_sites(Lower *l) {
  Pieces p;
  Expr moved = {.op = X_MOVED, .type = TYPE_PIECES};
  if (l->intact) return one_site(l, l->target);
  lower_pieces(l, &moved, &p);
  return pieces_union(l, &p);
}

Reg lower_site(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_HERE: return l->here;
    case X_ORIGIN: return l->origin;
    case X_TARGET: return l->target;
    case X_PREVIOUS: {
      int f = l->made ? F_PREV_TARGET : F_LAST_TARGET;
      return pick(l, number2(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), field(l, f),
                  reg_num(l, -1));
    }
    case X_FIRST_OF: return lower_site(l, e->kid[0]);
    case X_SITES_OF:
      if (e->kid[0]->op == X_VICTIM && l->victim_mode == VICTIM_ONE) return l->victim;
      if (e->kid[0]->op == X_MOVED && l->intact) return l->target;
      break;
    case X_STATE_SITE: return cell(l, e, -1);
    case X_CHOSEN: return l->choice_type == TYPE_SITES ? l->chosen : reg_num(l, -1);
    case X_LET: return lower_site(l, e->kid[0]);
    case X_REARMOST: {
      int path = one_path(l, e->kid[1]);
      return path < 0 ? reg_num(l, -1) : MAKE(l, path_first, lower_sites(l, e->kid[0]), path);
    }
    default: break;
  }
  Reg set = lower_sites(l, e);
  const SiteSet *s = set_known(l, set);
  return s ? reg_num(l, sites_first(s)) : MAKE(l, set_first, set);
}

static Reg where_sites(Lower *l, Reg all, const Expr *c) {
  if (!(c->deps & DEP_HERE)) return set_when(l, all, lower_condition(l, c));
  if (set_is_none(l, all)) return all;
  Reg whole = lower_where(l, c);
  if (whole != NO_REG) return sets2(l, O_set_and, all, whole);
  Reg some = var_set_in(l, l->block), here = l->here;
  l->here = loop_sites(l, all);
  Reg yes = lower_condition(l, c);
  var_set_put(l, some, ACT(l, set_or, some, set_when(l, one_site(l, l->here), yes)));
  block_end(l);
  l->here = here;
  return var_set_get(l, some);
}

static Reg last_sites(Lower *l, const Expr *e, int row) {
  Reg players = lower_players(l, e->kid[0]), all = no_sites(l);
  for (int s = 0; s < l->rules->seats; s++) {
    Reg in = seat_bit(l, players, s);
    if (num_is(l, in, 0)) continue;
    all = sets2(l, O_set_or, all, set_when(l, one_site(l, field(l, row + s)), in));
  }
  return all;
}

static Reg group_of(Lower *l, Reg of) {
  Reg all = no_sites(l);
  for (int s = 0; s < l->rules->seats; s++) {
    Reg own = no_sites(l);
    for (int i = 0; i < l->rules->planes; i++)
      if (l->rules->plane[i].owner == s) own = sets2(l, O_set_or, own, plane_occupied(l, i));
    own = sets2(l, O_set_and, own, reg_set(l, l->rules->board.all));
    all = sets2(l, O_set_or, all, MAKE(l, set_flood, of, own));
  }
  return all;
}

Reg lower_sites(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_SITES_CONST: return reg_set(l, *(const SiteSet *)e->data);
    case X_SITES_EMPTY: {
      Reg all = no_sites(l);
      for (int i = 0; i < l->rules->planes; i++) all = sets2(l, O_set_or, all, plane_occupied(l, i));
      return sets2(l, O_set_minus, reg_set(l, l->rules->board.all), all);
    }
    case X_SITES_OF: {
      Pieces p;
      if (e->kid[0]->op == X_MOVED) return moved_sites(l);
      lower_pieces(l, e->kid[0], &p);
      return pieces_union(l, &p);
    }
    case X_POINT: {
      Reg n = lower_number(l, e->kid[0]);
      int64_t v;
      if (num_known(l, n, &v))
        return v >= 1 && v <= l->rules->board.squares ? reg_set(l, sites_one((int)v - 1)) : no_sites(l);
      return MAKE(l, set_point, n);
    }
    case X_POINT_RANGE: return MAKE(l, set_range, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_SITES_BY: {
      Reg players = lower_players(l, e->kid[0]), all = no_sites(l);
      for (int s = 0; s < l->rules->seats; s++)
        all = sets2(l, O_set_or, all,
                    set_when(l, reg_set(l, ((const SiteSet *)e->data)[s]), seat_bit(l, players, s)));
      return all;
    }
    case X_HERE:
    case X_ORIGIN:
    case X_TARGET:
    case X_PREVIOUS:
    case X_FIRST_OF:
    case X_REARMOST:
    case X_STATE_SITE: return one_site(l, lower_site(l, e));
    case X_BETWEEN:
      if (l->place != NO_REG) return ACT(l, bundle_between, l->place, l->target);
      return l->step_known ? MAKE(l, step_between) : no_sites(l);
    case X_NEIGHBOURS: {
      const Expr *k = e->kid[0];
      bool single = k->op == X_HERE || k->op == X_ORIGIN || k->op == X_TARGET ||
                    (k->op == X_SITES_OF && ((k->kid[0]->op == X_VICTIM && l->victim_mode == VICTIM_ONE) ||
                                             (k->kid[0]->op == X_MOVED && l->intact)));
      if (single) return MAKE(l, site_near, lower_site(l, k));
      Reg of = lower_sites(l, k);
      const SiteSet *s = set_known(l, of);
      if (!s) return MAKE(l, set_near, of);
      SiteSet near = sites_none();
      SITES_FOR(i, *s) near = sites_or(near, l->rules->board.neighbours[i]);
      return reg_set(l, near);
    }
    case X_GROUP: return group_of(l, lower_sites(l, e->kid[0]));
    case X_FLOOD: return MAKE(l, set_flood, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_BEYOND:
    case X_BEHIND: {
      int path = one_path(l, e->kid[1]);
      if (path < 0) return no_sites(l);
      return make(l, e->op == X_BEYOND ? O_path_beyond : O_path_behind, 2,
                  (int32_t[]){lower_sites(l, e->kid[0]), path});
    }
    case X_LINE_SITES: return picture(l, e, NULL);
    case X_LAST_ORIGIN: return last_sites(l, e, F_LAST_ORIGIN_OF);
    case X_LAST_TARGET: return last_sites(l, e, F_LAST_TARGET_OF);
    case X_UNION: return sets2(l, O_set_or, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_MINUS: return sets2(l, O_set_minus, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_MEET: return sets2(l, O_set_and, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_WHERE: return where_sites(l, lower_sites(l, e->kid[0]), e->kid[1]);
    case X_LET: return lower_sites(l, e->kid[0]);
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]), all = no_sites(l);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg in = seat_bit(l, players, s);
        if (!by || num_is(l, in, 0)) continue;
        all = sets2(l, O_set_or, all, set_when(l, lower_sites(l, by), in));
      }
      return all;
    }
    case X_CHOSEN: return one_site(l, lower_site(l, e));
    default: lower_refuse(l, "sites by %s", expr_op_name(e->op));
  }
}

/* ---- pictures ---- */

/* The cells matched against shifted copies of each other, direction by direction. */
static Reg shifted(Lower *l, Reg set, int dir, int by) {
  const Board *b = &l->rules->board;
  int back = -1;
  for (int d = 0; d < b->dirs && back < 0; d++) {
    bool inverse = true;
    for (int s = 0; s < b->squares && inverse; s++) {
      if (b->next[dir][s] >= 0) inverse = b->next[d][b->next[dir][s]] == s;
      if (inverse && b->next[d][s] >= 0) inverse = b->next[dir][b->next[d][s]] == s;
    }
    if (inverse) back = d;
  }
  if (back < 0) lower_refuse(l, "a picture along a way that cannot be followed back");
  for (int i = 0; i < (by < 0 ? -by : by); i++) set = MAKE(l, set_dir, set, by > 0 ? dir : back);
  return set;
}
static Reg shifted_path(Lower *l, Reg set, int path, int by) {
  for (int i = 0; i < (by < 0 ? -by : by); i++) set = MAKE(l, set_way, set, path, by > 0 ? 1 : -1);
  return set;
}

static void picture_found(Lower *l, const LineShape *shape, const Reg *cell, uint64_t ways, Reg *found) {
  for (int i = 0; i < shape->n; i++) found[i] = no_sites(l);
  int runs = 0, run_at = 0;
  for (int i = 0; i < shape->n; i++)
    if (shape->cell[i].run) {
      runs++;
      run_at = i;
    }
  if (runs) {
    if (runs > 1 || run_at > 1 || shape->n - run_at > 2)
      lower_refuse(l, "a picture with more than a run between two cells");
    if (l->rules->paths > 15) lower_refuse(l, "a picture with a run, and more than 15 paths");
    int word = (int)(ways & 0xffff) | (int)(ways >> WAY_PATHS) << 16;
    int cells = (run_at == 1) | (run_at + 1 < shape->n) << 1;
    Reg first = run_at == 1 ? cell[0] : no_sites(l);
    Reg last = cells & 2 ? cell[run_at + 1] : no_sites(l);
    for (int i = 0; i < shape->n; i++) {
      if (shape->any_marked && !shape->cell[i].marked) continue;
      int want = i < run_at ? 1 : i == run_at ? 2 : 4;
      found[i] = make(l, O_line_run, 7, (int32_t[]){first, cell[run_at], last, word, want,
                                                    shape->cell[run_at].run, cells});
    }
    return;
  }
  for (int way = 0; way < 64; way++) {
    bool dir = way < l->rules->board.dirs;
    if (!((ways >> way) & 1) || (!dir && way < WAY_PATHS)) continue;
    for (int i = 0; i < shape->n; i++) {
      if (shape->any_marked && !shape->cell[i].marked) continue;
      Reg match = cell[i];
      for (int k = 0; k < shape->n; k++) {
        if (k == i) continue;
        Reg other = dir ? shifted(l, cell[k], way, i - k) : shifted_path(l, cell[k], way - WAY_PATHS, i - k);
        match = sets2(l, O_set_and, match, other);
      }
      found[i] = sets2(l, O_set_or, found[i], match);
    }
  }
}

static Reg picture(Lower *l, const Expr *e, Pieces *pieces) {
  const LineShape *shape = e->data;
  Pieces marked[16];
  Reg cell[16], found[16], all = no_sites(l);
  uint64_t ways = e->kid[0] ? lower_ways(l, e->kid[0]) : l->rules->board.adjacent;
  if (pieces) pieces->planes = 0;
  for (int i = 0; i < shape->n; i++) {
    const Expr *c = shape->cell[i].expr;
    if (c->type == TYPE_PIECES) {
      lower_pieces(l, c, &marked[i]);
      cell[i] = c->op == X_MOVED ? moved_sites(l) : pieces_union(l, &marked[i]);
    } else {
      cell[i] = lower_sites(l, c);
    }
    if (set_is_none(l, cell[i])) return all;
  }
  picture_found(l, shape, cell, ways, found);
  for (int i = 0; i < shape->n; i++) {
    if (shape->any_marked && !shape->cell[i].marked) continue;
    all = sets2(l, O_set_or, all, found[i]);
    if (!pieces || !shape->cell[i].marked) continue;
    for (int k = 0; k < l->rules->planes; k++) {
      if (!((marked[i].planes >> k) & 1)) continue;
      Reg hit = sets2(l, O_set_and, marked[i].at[k], found[i]);
      pieces->at[k] = (pieces->planes >> k) & 1 ? sets2(l, O_set_or, pieces->at[k], hit) : hit;
      pieces->planes |= 1u << k;
    }
  }
  return all;
}

/* ---- pieces ---- */

Reg pieces_union(Lower *l, const Pieces *p) {
  Reg all = no_sites(l);
  for (int i = 0; i < l->rules->planes; i++)
    if ((p->planes >> i) & 1) all = sets2(l, O_set_or, all, p->at[i]);
  return all;
}

Reg pieces_number(Lower *l, const Pieces *p) {
  Reg n = reg_num(l, 0);
  for (int i = 0; i < l->rules->planes; i++) {
    if (!((p->planes >> i) & 1) || set_is_none(l, p->at[i])) continue;
    for (int k = 0; k < l->p->slices; k++) {
      Reg slice = l->p->slices == 1 ? p->at[i] : sets2(l, O_set_and, plane_slice(l, i, k), p->at[i]);
      Reg part = MAKE(l, set_count, slice);
      if (k) part = MAKE(l, num_shift, part, k);
      n = number2(l, O_num_add, n, part);
    }
  }
  return n;
}

static void moved_pieces(Lower *l, Pieces *out) {
  uint32_t planes = l->movable[l->seat];
  Reg plane = l->step_known ? MAKE(l, step_plane) : field(l, F_LAST_PLANE);
  Reg target = l->step_known ? l->target : field(l, F_LAST_TARGET);
  out->planes = 0;
  if (!planes) return;
  if (!l->step_known)
    target = pick(l, number2(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), target, reg_num(l, -1));
  Reg at = one_site(l, target);
  bool one = (planes & (planes - 1)) == 0;
  Reg stays = reg_num(l, 0); /* the piece that moved is still what it was */
  for (int i = 0; i < l->rules->planes; i++) {
    if (!((planes >> i) & 1)) continue;
    Reg is = one && l->step_known ? reg_num(l, 1) : number2(l, O_num_eq, plane, reg_num(l, i));
    if (l->intact) {
      out->planes |= 1u << i;
      out->at[i] = set_when(l, at, is);
      continue;
    }
    stays = either(l, stays, both(l, is, MAKE(l, set_has, plane_occupied(l, i), target)));
  }
  if (l->intact) return;
  for (int i = 0; i < l->rules->planes; i++) {
    Reg kin = reg_num(l, 0); /* the piece that moved belonged to this one's owner */
    for (int k = 0; k < l->rules->planes; k++)
      if ((planes >> k) & 1 && l->rules->plane[k].owner == l->rules->plane[i].owner)
        kin = either(l, kin, number2(l, O_num_eq, plane, reg_num(l, k)));
    Reg is = (planes >> i) & 1 ? number2(l, O_num_eq, plane, reg_num(l, i)) : reg_num(l, 0);
    Reg yes = pick(l, stays, is, kin);
    if (num_is(l, yes, 0)) continue;
    out->planes |= 1u << i;
    out->at[i] = set_when(l, sets2(l, O_set_and, plane_occupied(l, i), at), yes);
  }
}

static void keep(Lower *l, Pieces *p, Reg sites, int code) {
  for (int i = 0; i < l->rules->planes; i++) {
    if (!((p->planes >> i) & 1)) continue;
    p->at[i] = sets2(l, code, p->at[i], sites);
    if (set_is_none(l, p->at[i])) p->planes &= ~(1u << i);
  }
}

static void victims_of_step(Lower *l, Pieces *out) {
  if (l->taken_known) {
    *out = l->taken;
    return;
  }
  for (int i = 0; i < l->rules->planes; i++) {
    out->planes |= 1u << i;
    out->at[i] = MAKE(l, load_set, l->base, l->p->plane_sets + i);
    if (l->section != SECTION_LEAVES)
      out->at[i] = set_when(l, out->at[i], number2(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)));
  }
}

static void unite(Lower *l, Pieces *out, const Pieces *b) {
  for (int i = 0; i < l->rules->planes; i++) {
    if (!((b->planes >> i) & 1)) continue;
    out->at[i] = (out->planes >> i) & 1 ? sets2(l, O_set_or, out->at[i], b->at[i]) : b->at[i];
    out->planes |= 1u << i;
  }
}

void lower_pieces(Lower *l, const Expr *e, Pieces *out) {
  out->planes = 0;
  Pieces b = {0, {0}};
  switch (e->op) {
    case X_PIECES_KIND: {
      Reg players = lower_players(l, e->kid[0]);
      for (int i = 0; i < l->rules->planes; i++) {
        if (!(((uint32_t)e->a >> l->rules->plane[i].kind) & 1)) continue;
        Reg in = seat_bit(l, players, l->rules->plane[i].owner);
        if (num_is(l, in, 0)) continue;
        out->planes |= 1u << i;
        out->at[i] = set_when(l, plane_occupied(l, i), in);
      }
      return;
    }
    case X_PIECES_CONST:
      out->planes = (uint32_t)e->a;
      for (int i = 0; i < l->rules->planes; i++)
        if ((out->planes >> i) & 1) out->at[i] = plane_occupied(l, i);
      return;
    case X_MOVED: moved_pieces(l, out); return;
    case X_VICTIM:
      if (l->victim_mode == VICTIM_ALL) *out = l->victims;
      if (l->victim_mode == VICTIM_ONE) {
        out->planes = 1u << l->victim_plane;
        out->at[l->victim_plane] = one_site(l, l->victim);
      }
      return;
    case X_VICTIMS: victims_of_step(l, out); return;
    case X_BRACED: {
      lower_pieces(l, e->kid[0], out);
      Reg safe = lower_sites(l, e->kid[1]);
      keep(l, out, MAKE(l, set_braced, pieces_union(l, out), safe), O_set_and);
      return;
    }
    case X_LINE_PIECES: picture(l, e, out); return;
    case X_PIECES_AT:
    case X_PIECES_OFF: {
      Reg sites = lower_sites(l, e->kid[1]);
      lower_pieces(l, e->kid[0], out);
      keep(l, out, sites, e->op == X_PIECES_AT ? O_set_and : O_set_minus);
      return;
    }
    case X_UNION:
      lower_pieces(l, e->kid[0], out);
      lower_pieces(l, e->kid[1], &b);
      unite(l, out, &b);
      return;
    case X_MINUS:
    case X_MEET:
      lower_pieces(l, e->kid[0], out);
      lower_pieces(l, e->kid[1], &b);
      if (e->op == X_MEET) out->planes &= b.planes;
      for (int i = 0; i < l->rules->planes; i++)
        if ((out->planes & b.planes) >> i & 1)
          out->at[i] = sets2(l, e->op == X_MEET ? O_set_and : O_set_minus, out->at[i], b.at[i]);
      return;
    case X_WHERE: {
      lower_pieces(l, e->kid[0], out);
      Reg all = pieces_union(l, out);
      if (e->kid[1]->deps & DEP_HERE) {
        keep(l, out, where_sites(l, all, e->kid[1]), O_set_and);
        return;
      }
      Reg yes = lower_condition(l, e->kid[1]);
      for (int i = 0; i < l->rules->planes; i++)
        if ((out->planes >> i) & 1) out->at[i] = set_when(l, out->at[i], yes);
      return;
    }
    case X_LET: lower_pieces(l, e->kid[0], out); return;
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg in = seat_bit(l, players, s);
        if (!by || num_is(l, in, 0)) continue;
        lower_pieces(l, by, &b);
        for (int i = 0; i < l->rules->planes; i++)
          if ((b.planes >> i) & 1) b.at[i] = set_when(l, b.at[i], in);
        unite(l, out, &b);
      }
      return;
    }
    default: lower_refuse(l, "pieces by %s", expr_op_name(e->op));
  }
}

/* ---- values ---- */

Reg lower_values(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_VALUES_CONST: return value_bits(l, e->data);
    case X_STATE_VALUE: return MAKE(l, num_bit, cell(l, e, -1));
    case X_LABEL_VALUE: {
      Reg site = lower_site(l, e->kid[0]);
      return MAKE(l, num_bit, MAKE(l, label_at, site, e->a));
    }
    case X_OUTCOME: {
      Reg bits = reg_num(l, (int64_t)1 << value_number(l, l->rules->atom_nothing));
      for (int i = 0; i < l->rules->rules; i++) {
        const Rule *r = &l->rules->rule[i];
        if (!r->exists || r->kind < RULE_WIN || r->kind > RULE_DRAW) continue;
        bits = pick(l, number2(l, O_num_eq, field(l, F_END_RULE), reg_num(l, i)),
                    reg_num(l, (int64_t)((uint64_t)1 << value_number(l, r->atom))), bits);
      }
      return bits;
    }
    case X_PHASE_NOW: {
      Reg bits = reg_num(l, 0);
      for (int i = 0; i < l->rules->phases; i++)
        bits = pick(l, number2(l, O_num_eq, field(l, F_PHASE), reg_num(l, i)),
                    reg_num(l, (int64_t)((uint64_t)1 << value_number(l, l->rules->phase[i].atom))), bits);
      return bits;
    }
    case X_UNION: return number2(l, O_num_or, lower_values(l, e->kid[0]), lower_values(l, e->kid[1]));
    case X_MINUS: return number2(l, O_num_minus, lower_values(l, e->kid[0]), lower_values(l, e->kid[1]));
    case X_MEET: return number2(l, O_num_and, lower_values(l, e->kid[0]), lower_values(l, e->kid[1]));
    case X_WHERE: return pick(l, lower_condition(l, e->kid[1]), lower_values(l, e->kid[0]), reg_num(l, 0));
    case X_LET: return lower_values(l, e->kid[0]);
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]), all = reg_num(l, 0);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg in = seat_bit(l, players, s);
        if (!by || num_is(l, in, 0)) continue;
        all = number2(l, O_num_or, all, pick(l, in, lower_values(l, by), reg_num(l, 0)));
      }
      return all;
    }
    case X_CHOSEN: return l->choice_type == TYPE_VALUES ? MAKE(l, num_bit, l->chosen) : reg_num(l, 0);
    default: lower_refuse(l, "values by %s", expr_op_name(e->op));
  }
}

/* ---- numbers ---- */

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
        return pick(l, number2(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), field(l, F_TAKEN_N),
                    reg_num(l, 0));
      }
      Pieces p;
      lower_pieces(l, of, &p);
      return pieces_number(l, &p);
    }
    case TYPE_PLAYERS: {
      Reg y = number2(l, O_num_and, lower_players(l, of), reg_num(l, (1 << l->rules->seats) - 1));
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
    n = pick(l, number2(l, O_num_eq, seat, reg_num(l, s)), field(l, row + s), n);
  return n;
}

Reg lower_number(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_NUMBER: return reg_num(l, e->a);
    case X_FRACTION: return reg_num(l, e->a / (e->b ? e->b : 1));
    case X_ADD: return number2(l, O_num_add, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_SUB: return number2(l, O_num_sub, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_MUL: return number2(l, O_num_mul, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_COUNT: return count_of(l, e->kid[0]);
    case X_STATE_NUMBER: return cell(l, e, 0);
    case X_LABEL_NUMBER: return MAKE(l, label_at, lower_site(l, e->kid[0]), e->a);
    case X_BIT: return lower_condition(l, e->kid[0]);
    case X_DIE:
      if (l->section == SECTION_GEN && l->die >= 0) return l->die; /* one of the dice left */
      return pick(l, number2(l, O_num_lt, l->die, reg_num(l, 0)), reg_num(l, 0), l->die);
    case X_DOUBLE: return field(l, F_DOUBLED);
    case X_DICE_USED: return field(l, F_DICE_USED);
    case X_PIPS_USED: return field(l, F_PIPS_USED);
    case X_CAPTURED: return field(l, F_CAPTURED);
    case X_USES:
      return pick(l, number2(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), field(l, F_USES + e->a),
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
        Reg is = number2(l, O_num_eq, seat, reg_num(l, s));
        if (by && !num_is(l, is, 0)) n = pick(l, is, lower_number(l, by), n);
      }
      return n;
    }
    case X_CHOSEN: return l->choice_type == TYPE_NUMBER ? l->chosen : reg_num(l, 0);
    default: lower_refuse(l, "a number by %s", expr_op_name(e->op));
  }
}

static bool is_fractional(const Expr *e) { return mentions_op(e, X_FRACTION); }

Reg lower_worth(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_FRACTION:
      if (e->b == 0 || WORTH_UNIT * e->a % e->b) lower_refuse(l, "a fraction of other parts than twelfths");
      return reg_num(l, WORTH_UNIT * e->a / e->b);
    case X_ADD: return number2(l, O_num_add, lower_worth(l, e->kid[0]), lower_worth(l, e->kid[1]));
    case X_SUB: return number2(l, O_num_sub, lower_worth(l, e->kid[0]), lower_worth(l, e->kid[1]));
    case X_MUL:
      if (!is_fractional(e->kid[1]))
        return number2(l, O_num_mul, lower_worth(l, e->kid[0]), lower_number(l, e->kid[1]));
      if (!is_fractional(e->kid[0]))
        return number2(l, O_num_mul, lower_number(l, e->kid[0]), lower_worth(l, e->kid[1]));
      lower_refuse(l, "a product of two fractions");
    case X_LET: return lower_worth(l, e->kid[0]);
    case X_WHERE: return pick(l, lower_condition(l, e->kid[1]), lower_worth(l, e->kid[0]), reg_num(l, 0));
    default: return number2(l, O_num_mul, lower_number(l, e), reg_num(l, WORTH_UNIT));
  }
}

/* ---- conditions ---- */

static Reg compare(Lower *l, int code, const Expr *a, const Expr *b) {
  if (is_fractional(a) || is_fractional(b)) return number2(l, code, lower_worth(l, a), lower_worth(l, b));
  return number2(l, code, lower_number(l, a), lower_number(l, b));
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
    case TYPE_VALUES: return number2(l, O_num_eq, lower_values(l, a), lower_values(l, b));
    case TYPE_PLAYERS: return number2(l, O_num_eq, lower_players(l, a), lower_players(l, b));
    case TYPE_CONDITION: return number2(l, O_num_eq, lower_condition(l, a), lower_condition(l, b));
    case TYPE_WAYS: return reg_num(l, lower_ways(l, a) == lower_ways(l, b));
    case TYPE_PIECES: {
      Pieces x, y;
      Reg same = reg_num(l, 1);
      lower_pieces(l, a, &x);
      lower_pieces(l, b, &y);
      for (int i = 0; i < l->rules->planes; i++) {
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
      return number2(l, O_num_lt, reg_num(l, 0),
                     number2(l, O_num_and, lower_players(l, e), reg_num(l, (1 << l->rules->seats) - 1)));
    case TYPE_VALUES:
      return negation(l, number2(l, O_num_eq, lower_values(l, e), reg_num(l, 0)));
    default: return reg_num(l, 0);
  }
}

static Reg site_members(Lower *l, const Expr *e) {
  if (e->type == TYPE_SITES) return lower_sites(l, e);
  Pieces p;
  if (e->op == X_MOVED) return moved_sites(l);
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
    Reg apart = number2(l, O_num_eq, number2(l, O_num_and, x, y), zero);
    return e->op == X_NONE_IN ? apart : negation(l, apart);
  }
  Reg within = number2(l, O_num_eq, number2(l, O_num_minus, x, y), zero);
  return e->op == X_ALL_IN ? within : both(l, negation(l, number2(l, O_num_eq, x, zero)), within);
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
          Reg same = number2(l, O_num_eq, field(l, F_TURNS + a), field(l, F_TURNS + b));
          Reg in = both(l, seat_bit(l, active, a), seat_bit(l, active, b));
          over = both(l, over, either(l, same, negation(l, in)));
        }
      return over;
    }
    case X_LET: return lower_condition(l, e->kid[0]);
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]), any = reg_num(l, 0);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        Reg in = seat_bit(l, players, s);
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
