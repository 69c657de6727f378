/* Making expressions: every node goes through make_finish, which fills in deps, cost and
 * depth; what is constant is folded at once. Reads nothing but its arguments and the
 * Rules that are being built; produces nodes in the arena of the build. */
#include "front/resolve.h"

#include <string.h>

static const Made *made(const Expr *expr) {
  return (const Made *)(const void *)expr;
}

Expr *make_raw(Build *build, ExprOp op, Type type, Span span, const Expr *a,
               const Expr *b) {
  Made *m = ARENA_NEW(build->arena, Made);
  m->expr.op = (uint8_t)op;
  m->expr.type = (uint8_t)type;
  m->expr.span = span;
  m->expr.kid[0] = a;
  m->expr.kid[1] = b;
  return &m->expr;
}

const Domain *domain_of(const Expr *expr) {
  return made(expr)->domain;
}

/* What the operation itself depends on, kids apart. */
static uint32_t own_deps(ExprOp op) {
  switch (op) {
    case X_SITES_EMPTY:
    case X_GROUP:
    case X_OWNER_AT:
    case X_STATE_SITE:
    case X_STATE_PLAYER:
    case X_STATE_NUMBER:
    case X_STATE_VALUE:
    case X_PIECES_KIND:
    case X_PIECES_CONST:
    case X_MOVER:
    case X_OPPONENT:
    case X_ACTIVE:
    case X_STARTER:
    case X_DOUBLE:
    case X_DICE_USED:
    case X_PIPS_USED:
    case X_CAPTURED:
    case X_USES:
    case X_TURNS:
    case X_TURN_COUNT:
    case X_QUIET:
    case X_PASSES:
    case X_OVERRUNS:
    case X_PHASE_NOW:
    case X_ROUND_OVER:
      return DEP_POSITION;
    case X_HERE:
      return DEP_HERE;
    case X_EACH:
      return DEP_EACH;
    case X_ORIGIN:
      return DEP_ORIGIN;
    case X_TARGET:
    case X_BETWEEN:
      return DEP_TARGET;
    case X_PREVIOUS:
    case X_VICTIMS:
    case X_MOVED:
      return DEP_LAST | DEP_POSITION;
    case X_VICTIM:
      return DEP_VICTIM | DEP_POSITION;
    case X_LAST_ORIGIN:
    case X_LAST_TARGET:
      return DEP_HISTORY | DEP_POSITION;
    case X_REPEATS:
      return DEP_HISTORY | DEP_NEXT | DEP_POSITION;
    case X_NEXT_PLAYER:
      return DEP_NEXT | DEP_POSITION;
    case X_WINNERS:
    case X_OUTCOME:
    case X_POINTS:
      return DEP_OUTCOME | DEP_POSITION;
    case X_ANSWERER:
      return DEP_ANSWERER;
    case X_CHOSEN:
      return DEP_CHOSEN;
    case X_DIE:
      return DEP_DIE;
    case X_HOOK:
      return DEP_SLOW | DEP_POSITION;
    case X_STUCK:
    case X_DEAD:
    case X_LEGAL_TURNS:
      return DEP_SLOW | DEP_MOVES | DEP_POSITION;
    default:
      return 0;
  }
}

/* The work of the operation itself for a board of `sites`, kids apart. */
static double own_cost(const Build *build, const Expr *e) {
  double sites = build->rules->board.sites ? build->rules->board.sites : 1;
  switch (e->op) {
    case X_FLOOD:
    case X_GROUP:
    case X_BRACED:
      return sites * 8;
    case X_NEIGHBOURS:
    case X_REARMOST:
    case X_BEYOND:
    case X_BEHIND:
      return sites;
    case X_LINE_SITES:
    case X_LINE_PIECES: {
      const LineShape *shape = e->data;
      double ways = e->kid[0] ? DIRS_MAX : 4, cost = 0, starts = sites;
      for (int i = 0; i < shape->n; i++) {
        cost += shape->cell[i].expr->cost;
        starts += shape->cell[i].run ? sites : 1;
      }
      return cost + sites + ways * starts;
    }
    case X_HOOK:
      return 1000;
    case X_STUCK:
    case X_DEAD:
    case X_LEGAL_TURNS:
      return 1000;
    default:
      return 1;
  }
}

const Expr *make_finish(Build *build, Expr *e) {
  Made *m = (Made *)(void *)e;
  uint32_t deps = own_deps((ExprOp)e->op);
  double cost = own_cost(build, e);
  int depth = 0;
  for (int i = 0; i < 3 && e->kid[i]; i++) {
    const Expr *kid = e->kid[i];
    uint32_t kid_deps = kid->deps;
    double kid_cost = kid->cost;
    if (e->op == X_WHERE && i == 1) {
      uint32_t bound = e->type == TYPE_PLAYERS ? DEP_EACH : DEP_HERE;
      if (kid_deps & bound)
        kid_cost *= e->type == TYPE_PLAYERS ? SEATS_MAX : build->rules->board.sites + 1;
      kid_deps &= ~bound;
    }
    deps |= kid_deps;
    cost += kid_cost;
    if (made(kid)->depth > depth) depth = made(kid)->depth;
    if (kid->type == TYPE_POISON) e->type = TYPE_POISON;
  }
  if (e->op == X_LINE_SITES || e->op == X_LINE_PIECES) {
    const LineShape *shape = e->data;
    for (int i = 0; i < shape->n; i++) {
      deps |= shape->cell[i].expr->deps;
      if (made(shape->cell[i].expr)->depth > depth)
        depth = made(shape->cell[i].expr)->depth;
    }
  }
  if (e->op == X_LET_BY) {
    const Expr *const *by = e->data;
    for (int s = 0; s < SEATS_MAX; s++) {
      if (!by[s]) continue;
      deps |= by[s]->deps;
      cost += by[s]->cost;
      if (made(by[s])->depth > depth) depth = made(by[s])->depth;
    }
  }
  e->deps = (uint16_t)deps;
  e->cost = cost;
  m->depth = depth + 1;
  if (m->depth > EXPR_DEPTH_MAX && e->type != TYPE_POISON) {
    diag_report(build->diags, DIAG_TOO_DEEP, e->span,
                "this expression is nested more than %d deep, lets counted",
                EXPR_DEPTH_MAX);
    return make_poison(build, e->span);
  }
  return e;
}

const Expr *make_poison(Build *build, Span span) {
  return make_raw(build, X_FALSE, TYPE_POISON, span, NULL, NULL);
}

const Expr *make_sites(Build *build, SiteSet sites, Span span) {
  Expr *e = make_raw(build, X_SITES_CONST, TYPE_SITES, span, NULL, NULL);
  SiteSet *data = ARENA_NEW(build->arena, SiteSet);
  *data = sites;
  e->data = data;
  return make_finish(build, e);
}

const Expr *make_players(Build *build, uint32_t seats, Span span) {
  Expr *e = make_raw(build, X_PLAYERS_CONST, TYPE_PLAYERS, span, NULL, NULL);
  e->a = (int32_t)seats;
  return make_finish(build, e);
}

const Expr *make_values(Build *build, SiteSet atoms, const Domain *domain, Span span) {
  Expr *e = make_raw(build, X_VALUES_CONST, TYPE_VALUES, span, NULL, NULL);
  SiteSet *data = ARENA_NEW(build->arena, SiteSet);
  *data = atoms;
  e->data = data;
  ((Made *)(void *)e)->domain = domain;
  return make_finish(build, e);
}

const Expr *make_number(Build *build, int number, Span span) {
  Expr *e = make_raw(build, X_NUMBER, TYPE_NUMBER, span, NULL, NULL);
  e->a = number;
  return make_finish(build, e);
}

const Expr *make_truth(Build *build, bool truth, Span span) {
  return make_finish(
      build, make_raw(build, truth ? X_TRUE : X_FALSE, TYPE_CONDITION, span, NULL, NULL));
}

const Expr *make_ways(Build *build, uint64_t ways, Span span) {
  Expr *e = make_raw(build, X_WAYS_CONST, TYPE_WAYS, span, NULL, NULL);
  uint64_t *data = ARENA_NEW(build->arena, uint64_t);
  *data = ways;
  e->data = data;
  return make_finish(build, e);
}

/* Planes of those kinds and seats; `b` keeps the kinds if they are everybody's. */
const Expr *make_pieces(Build *build, uint32_t kinds, const Expr *owners, Span span) {
  Expr *e;
  if (owners->op == X_PLAYERS_CONST) {
    uint32_t planes = 0;
    for (int i = 0; i < build->rules->planes; i++) {
      const Plane *plane = &build->rules->plane[i];
      if ((kinds >> plane->kind) & 1 && ((uint32_t)owners->a >> plane->owner) & 1)
        planes |= 1u << i;
    }
    e = make_raw(build, X_PIECES_CONST, TYPE_PIECES, span, NULL, NULL);
    e->a = (int32_t)planes;
    if (((uint32_t)owners->a & build->seated) == build->seated) e->b = (int32_t)kinds;
  } else {
    e = make_raw(build, X_PIECES_KIND, TYPE_PIECES, span, owners, NULL);
    e->a = (int32_t)kinds;
  }
  return make_finish(build, e);
}

bool is_constant(const Expr *e) {
  return e->deps == 0;
}
bool is_true(const Expr *e) {
  return e->op == X_TRUE;
}
bool is_false(const Expr *e) {
  return e->op == X_FALSE && e->type == TYPE_CONDITION;
}
const SiteSet *constant_sites(const Expr *e) {
  return e->op == X_SITES_CONST ? (const SiteSet *)e->data : NULL;
}

bool constant_empty(const Expr *e) {
  switch (e->op) {
    case X_SITES_CONST:
    case X_VALUES_CONST:
      return sites_is_empty(e->data);
    case X_PIECES_CONST:
    case X_PLAYERS_CONST:
      return e->a == 0;
    case X_WAYS_CONST:
      return *(const uint64_t *)e->data == 0;
    default:
      return false;
  }
}

bool constant_nobody(const Expr *e) {
  return e->op == X_PLAYERS_CONST && !((uint32_t)e->a & (SEAT_NOBODY - 1));
}

/* ---- folding ---- */

static bool both(const Expr *a, const Expr *b, ExprOp op) {
  return a->op == op && b->op == op;
}

/* Two constant sets united, met or parted; NULL if they are not both constant. */
static const Expr *fold_sets(Build *build, ExprOp op, Span span, const Expr *a,
                             const Expr *b) {
  if (both(a, b, X_SITES_CONST) || both(a, b, X_VALUES_CONST)) {
    SiteSet x = *(const SiteSet *)a->data, y = *(const SiteSet *)b->data;
    SiteSet r = op == X_UNION  ? sites_or(x, y)
                : op == X_MEET ? sites_and(x, y)
                               : sites_minus(x, y);
    return a->op == X_SITES_CONST ? make_sites(build, r, span)
                                  : make_values(build, r, domain_of(a), span);
  }
  uint32_t x = (uint32_t)a->a, y = (uint32_t)b->a;
  uint32_t r = op == X_UNION ? x | y : op == X_MEET ? x & y : x & ~y;
  if (both(a, b, X_PLAYERS_CONST)) return make_players(build, r, span);
  if (both(a, b, X_PIECES_CONST)) {
    Expr *e = make_raw(build, X_PIECES_CONST, TYPE_PIECES, span, NULL, NULL);
    e->a = (int32_t)r;
    if (op == X_UNION && a->b && b->b) e->b = a->b | b->b;
    if (op != X_UNION && a->b && b->b) e->b = op == X_MEET ? a->b & b->b : a->b & ~b->b;
    return make_finish(build, e);
  }
  if (both(a, b, X_WAYS_CONST)) {
    uint64_t p = *(const uint64_t *)a->data, q = *(const uint64_t *)b->data;
    return make_ways(build, op == X_UNION ? p | q : op == X_MEET ? p & q : p & ~q, span);
  }
  return NULL;
}

static const Expr *fold_set_op(Build *build, ExprOp op, Span span, const Expr *a,
                               const Expr *b) {
  const Expr *folded = fold_sets(build, op, span, a, b);
  if (folded) return folded;
  if (op == X_UNION && constant_empty(b)) return a;
  if (op == X_UNION && constant_empty(a)) return b;
  if (op == X_MINUS && (constant_empty(b) || constant_empty(a))) return a;
  if (op == X_MEET && constant_empty(a)) return a;
  if (op == X_MEET && constant_empty(b)) return b;
  return NULL;
}

static const Expr *fold_compare(Build *build, ExprOp op, Span span, const Expr *a,
                                const Expr *b) {
  if (both(a, b, X_NUMBER)) {
    bool r = op == X_EQ   ? a->a == b->a
             : op == X_NE ? a->a != b->a
             : op == X_LT ? a->a < b->a
                          : a->a <= b->a;
    return make_truth(build, r, span);
  }
  if (op != X_EQ && op != X_NE) return NULL;
  if (both(a, b, X_SITES_CONST) || both(a, b, X_VALUES_CONST))
    return make_truth(build, sites_equal(a->data, b->data) == (op == X_EQ), span);
  if (both(a, b, X_PLAYERS_CONST))
    return make_truth(build, (a->a == b->a) == (op == X_EQ), span);
  return NULL;
}

static const Expr *fold_in(Build *build, ExprOp op, Span span, const Expr *a,
                           const Expr *b) {
  SiteSet x, y;
  if (both(a, b, X_SITES_CONST) || both(a, b, X_VALUES_CONST)) {
    x = *(const SiteSet *)a->data;
    y = *(const SiteSet *)b->data;
  } else if (both(a, b, X_PLAYERS_CONST)) {
    x = y = sites_none();
    x.w[0] = (uint32_t)a->a;
    y.w[0] = (uint32_t)b->a;
  } else {
    return NULL;
  }
  bool r = false;
  switch (op) {
    case X_ALL_IN:
      r = sites_within(&x, &y);
      break;
    case X_SOME_IN:
      r = sites_meet(&x, &y);
      break;
    case X_NONE_IN:
      r = !sites_meet(&x, &y);
      break;
    default:
      r = !sites_is_empty(&x) && sites_has(&y, sites_first(&x));
      break;
  }
  return make_truth(build, r, span);
}

static const Expr *fold_where(Build *build, Span span, const Expr *a, const Expr *c) {
  if (is_true(c)) return a;
  if (is_false(c)) {
    switch (a->type) {
      case TYPE_SITES:
        return make_sites(build, sites_none(), span);
      case TYPE_PLAYERS:
        return make_players(build, 0, span);
      case TYPE_VALUES:
        return make_values(build, sites_none(), domain_of(a), span);
      case TYPE_WAYS:
        return make_ways(build, 0, span);
      case TYPE_PIECES:
        return make_pieces(build, 0, make_players(build, build->seated, span), span);
      default:
        return NULL;
    }
  }
  const SiteSet *sites = constant_sites(a);
  if (!sites || c->deps != DEP_HERE) return NULL;
  double work = c->cost * sites_count(sites);
  if (build->folded + work > FOLD_MOST) return NULL;
  build->folded += work;
  SiteSet kept = sites_none();
  SITES_FOR(s, *sites) {
    const Expr *one = make_here(build, c, s);
    if (!is_true(one) && !is_false(one)) return NULL;
    if (is_true(one)) sites_add(&kept, s);
  }
  return make_sites(build, kept, span);
}

static int saturated(int64_t n) {
  return (int)(n > INT32_MAX ? INT32_MAX : n < -INT32_MAX ? -INT32_MAX : n);
}

static const Expr *fold_truth(Build *build, ExprOp op, Span span, const Expr *a,
                              const Expr *b) {
  (void)span;
  bool and = op == X_AND;
  if (and? is_false(a) : is_true(a)) return a;
  if (and? is_false(b) : is_true(b)) return b;
  if (and? is_true(a) : is_false(a)) return b;
  if (and? is_true(b) : is_false(b)) return a;
  (void)build;
  return NULL;
}

static const Expr *fold2(Build *build, ExprOp op, Span span, const Expr *a,
                         const Expr *b) {
  switch (op) {
    case X_UNION:
    case X_MINUS:
    case X_MEET:
      return fold_set_op(build, op, span, a, b);
    case X_AND:
    case X_OR:
      return fold_truth(build, op, span, a, b);
    case X_EQ:
    case X_NE:
    case X_LT:
    case X_LE:
      return fold_compare(build, op, span, a, b);
    case X_ALL_IN:
    case X_SOME_IN:
    case X_NONE_IN:
    case X_IS_IN:
      return fold_in(build, op, span, a, b);
    case X_WHERE:
      return fold_where(build, span, a, b);
    case X_ADD:
      return both(a, b, X_NUMBER)
                 ? make_number(build, saturated((int64_t)a->a + b->a), span)
                 : NULL;
    case X_SUB:
      return both(a, b, X_NUMBER)
                 ? make_number(build, saturated((int64_t)a->a - b->a), span)
                 : NULL;
    case X_MUL:
      return both(a, b, X_NUMBER)
                 ? make_number(build, saturated((int64_t)a->a * b->a), span)
                 : NULL;
    case X_POINT_RANGE: {
      if (!both(a, b, X_NUMBER)) return NULL;
      SiteSet r = sites_none();
      int low = a->a < b->a ? a->a : b->a, high = a->a < b->a ? b->a : a->a;
      if (low < 1) low = 1;
      for (int i = low; i <= high && i <= build->rules->board.squares; i++)
        sites_add(&r, i - 1);
      return make_sites(build, r, span);
    }
    default:
      return NULL;
  }
}

const Expr *make2(Build *build, ExprOp op, Type type, Span span, const Expr *a,
                  const Expr *b) {
  if (a->type != TYPE_POISON && b->type != TYPE_POISON) {
    const Expr *folded = fold2(build, op, span, a, b);
    if (folded) return folded;
  }
  Expr *e = make_raw(build, op, type, span, a, b);
  if (op == X_UNION || op == X_MINUS || op == X_MEET || op == X_WHERE) {
    const Domain *domain = domain_of(a) ? domain_of(a) : domain_of(b);
    ((Made *)(void *)e)->domain = domain;
  }
  return make_finish(build, e);
}

static int count_constant(const Expr *a) {
  switch (a->op) {
    case X_SITES_CONST:
    case X_VALUES_CONST:
      return sites_count(a->data);
    case X_PLAYERS_CONST:
      return __builtin_popcount((uint32_t)a->a & (SEAT_NOBODY - 1));
    default:
      return -1;
  }
}

const Expr *make1(Build *build, ExprOp op, Type type, Span span, const Expr *a) {
  const SiteSet *sites = constant_sites(a);
  switch (op) {
    case X_NOT:
      if (is_true(a) || is_false(a)) return make_truth(build, is_false(a), span);
      break;
    case X_SOME:
    case X_NONE: {
      int n = count_constant(a);
      if (a->op == X_PIECES_CONST && a->a == 0) n = 0;
      if (n >= 0) return make_truth(build, (n > 0) == (op == X_SOME), span);
      break;
    }
    case X_COUNT: {
      int n = count_constant(a);
      if (a->op == X_PIECES_CONST && a->a == 0) n = 0;
      if (n >= 0) return make_number(build, n, span);
      break;
    }
    case X_BIT:
      if (is_true(a) || is_false(a)) return make_number(build, is_true(a), span);
      break;
    case X_POINT:
      if (a->op == X_NUMBER) {
        int n = a->a;
        return make_sites(
            build,
            n >= 1 && n <= build->rules->board.squares ? sites_one(n - 1) : sites_none(),
            span);
      }
      break;
    case X_SITES_OF:
      if (constant_empty(a)) return make_sites(build, sites_none(), span);
      break;
    case X_NEIGHBOURS:
      if (sites && build->rules->board.neighbours) {
        SiteSet r = sites_none();
        SITES_FOR(s, *sites) r = sites_or(r, build->rules->board.neighbours[s]);
        return make_sites(build, r, span);
      }
      break;
    case X_FIRST_OF:
      if (sites) {
        int s = sites_first(sites);
        return make_sites(build, s < 0 ? sites_none() : sites_one(s), span);
      }
      break;
    default:
      break;
  }
  return make_finish(build, make_raw(build, op, type, span, a, NULL));
}

const Expr *make0(Build *build, ExprOp op, Type type, Span span) {
  return make_finish(build, make_raw(build, op, type, span, NULL, NULL));
}
