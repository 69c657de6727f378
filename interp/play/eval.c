/* The literal evaluator of expressions. One function for each type; every operation of
 * exprs.def is in exactly one of them. Sites and pieces are in eval_sets.c. */
#include "play/evaluating.h"

#include <string.h>

#include "play/hooks.h"
#include "play/program.h"

static uint32_t seats_here(const EvalCtx *ctx) { return (1u << ctx->rules->seats) - 1; }

EvalCtx eval_context(Engine *engine, const Position *p) {
  EvalCtx ctx;
  memset(&ctx, 0, sizeof ctx);
  ctx.engine = engine;
  ctx.rules = engine_rules(engine);
  ctx.layout = engine_layout(engine);
  ctx.pos = p;
  ctx.cache = engine_let_cache(engine);
  ctx.stamp = engine_stamp(engine);
  ctx.here = ctx.each = ctx.victim_plane = ctx.victim_site = -1;
  ctx.origin = ctx.target = ctx.die = ctx.answerer = -1;
  return ctx;
}

/* ---- lets ---- */

/* What may be kept for as long as the position stays as it is. Not what a hook says: it may
 * look at any word that is bound. */
enum { DEP_KEPT = DEP_POSITION | DEP_LAST | DEP_HISTORY | DEP_OUTCOME };

LetCache *eval_kept(EvalCtx *ctx, const Expr *e) {
  if (!ctx->cache || (e->deps & ~(uint32_t)DEP_KEPT)) return NULL;
  return &ctx->cache[e->a];
}

/* ---- ways ---- */

uint64_t eval_ways(EvalCtx *ctx, const Expr *e) {
  uint64_t ways = 0;
  switch (e->op) {
    case X_WAYS_CONST: return *(const uint64_t *)e->data;
    case X_WAYS_PATH: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      for (int i = 0; i < ctx->rules->paths; i++) {
        const Path *path = &ctx->rules->path[i];
        if (path->name == e->a && (path->owner < 0 || (players >> path->owner) & 1))
          ways |= (uint64_t)1 << (WAY_PATHS + i);
      }
      return ways;
    }
    case X_UNION: return eval_ways(ctx, e->kid[0]) | eval_ways(ctx, e->kid[1]);
    case X_MINUS: return eval_ways(ctx, e->kid[0]) & ~eval_ways(ctx, e->kid[1]);
    case X_MEET: return eval_ways(ctx, e->kid[0]) & eval_ways(ctx, e->kid[1]);
    case X_WHERE: return eval_condition(ctx, e->kid[1]) ? eval_ways(ctx, e->kid[0]) : 0;
    case X_LET: return eval_ways(ctx, e->kid[0]);
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      for (int s = 0; s < ctx->rules->seats; s++)
        if ((players >> s) & 1 && eval_let_of(e, s)) ways |= eval_ways(ctx, eval_let_of(e, s));
      return ways;
    }
    default: return 0;
  }
}

const Path *eval_path(EvalCtx *ctx, const Expr *e) {
  uint64_t ways = eval_ways(ctx, e) >> WAY_PATHS;
  return ways ? &ctx->rules->path[__builtin_ctzll(ways)] : NULL;
}

/* ---- players ---- */

static int first_seat(uint32_t players) {
  players &= SEAT_NOBODY - 1;
  return players ? __builtin_ctz(players) : -1;
}

/* The cell of a state for its owner (a site or a player), or -1 if there is none. */
static int cell_of(EvalCtx *ctx, const Expr *e) {
  const State *state = &ctx->rules->state[e->a];
  if (!e->kid[0]) return state->cell;
  int member;
  if (state->scope == SCOPE_SITE) {
    member = eval_site(ctx, e->kid[0]);
  } else {
    member = first_seat(eval_players(ctx, e->kid[0]));
  }
  if (member < 0 || member >= state->cells) return -1;
  return state->cell + member;
}

int32_t eval_cell(EvalCtx *ctx, const Expr *e, bool *found) {
  int cell = cell_of(ctx, e);
  *found = cell >= 0;
  return cell >= 0 ? position_cells(ctx->layout, ctx->pos)[cell] : 0;
}

static uint32_t owners_of(const EvalCtx *ctx, const PieceSet *p) {
  uint32_t players = 0;
  for (uint32_t m = p->planes; m; m &= m - 1)
    players |= 1u << ctx->rules->plane[__builtin_ctz(m)].owner;
  return players;
}

uint32_t eval_players(EvalCtx *ctx, const Expr *e) {
  const Position *p = ctx->pos;
  switch (e->op) {
    case X_PLAYERS_CONST: return (uint32_t)e->a;
    case X_MOVER: return p->mover >= 0 ? 1u << p->mover : 0;
    case X_OPPONENT: return p->active & ~(p->mover >= 0 ? 1u << p->mover : 0u);
    case X_ACTIVE: return p->active;
    case X_STARTER: return p->starter >= 0 ? 1u << p->starter : 0;
    case X_NEXT_PLAYER: {
      int seat = engine_next_seat(ctx->engine, p);
      return seat >= 0 ? 1u << seat : 0;
    }
    case X_WINNERS: return p->winners;
    case X_ANSWERER: return ctx->answerer >= 0 ? 1u << ctx->answerer : 0;
    case X_EACH: return ctx->each >= 0 ? 1u << ctx->each : 0;
    case X_OWNER: {
      PieceSet set;
      eval_pieces(ctx, e->kid[0], &set);
      return owners_of(ctx, &set);
    }
    case X_OWNER_AT: {
      SiteSet sites = eval_sites(ctx, e->kid[0]);
      uint32_t players = 0;
      for (int i = 0; i < ctx->rules->planes; i++)
        if (sites_meet(&position_occupied(ctx->layout, p)[i], &sites))
          players |= 1u << ctx->rules->plane[i].owner;
      return players;
    }
    case X_STATE_PLAYER: {
      bool found;
      int32_t v = eval_cell(ctx, e, &found);
      return !found ? 0 : v < 0 ? SEAT_NOBODY : 1u << v;
    }
    case X_UNION: return eval_players(ctx, e->kid[0]) | eval_players(ctx, e->kid[1]);
    case X_MINUS: return eval_players(ctx, e->kid[0]) & ~eval_players(ctx, e->kid[1]);
    case X_MEET: return eval_players(ctx, e->kid[0]) & eval_players(ctx, e->kid[1]);
    case X_WHERE: {
      uint32_t all = eval_players(ctx, e->kid[0]), some = 0;
      if (!(e->kid[1]->deps & (DEP_EACH | DEP_SLOW))) return eval_condition(ctx, e->kid[1]) ? all : 0;
      int each = ctx->each;
      for (int s = 0; s < ctx->rules->seats; s++) {
        ctx->each = s;
        if ((all >> s) & 1 && eval_condition(ctx, e->kid[1])) some |= 1u << s;
      }
      ctx->each = each;
      return some;
    }
    case X_LET: {
      LetCache *c = eval_kept(ctx, e);
      if (!c) return eval_players(ctx, e->kid[0]);
      if (c->stamp != ctx->stamp) {
        uint32_t v = eval_players(ctx, e->kid[0]);
        c->number = v;
        c->stamp = ctx->stamp;
      }
      return (uint32_t)c->number;
    }
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]), all = 0;
      for (int s = 0; s < ctx->rules->seats; s++)
        if ((players >> s) & 1 && eval_let_of(e, s)) all |= eval_players(ctx, eval_let_of(e, s));
      return all;
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_PLAYERS ? 1u << ctx->chosen : 0;
    default: return 0;
  }
}

/* ---- values ---- */

SiteSet eval_values(EvalCtx *ctx, const Expr *e) {
  switch (e->op) {
    case X_VALUES_CONST: return *(const SiteSet *)e->data;
    case X_STATE_VALUE: {
      bool found;
      int32_t v = eval_cell(ctx, e, &found);
      return found ? eval_maybe(v) : sites_none();
    }
    case X_LABEL_VALUE: {
      int site = eval_site(ctx, e->kid[0]);
      return site < 0 ? sites_none() : eval_maybe(ctx->rules->label[e->a].value[site]);
    }
    case X_OUTCOME:
      return sites_one(ctx->pos->end_rule < 0 ? ctx->rules->atom_nothing
                                              : ctx->rules->rule[ctx->pos->end_rule].atom);
    case X_PHASE_NOW: return eval_maybe(ctx->rules->phase[ctx->pos->phase].atom);
    case X_UNION: return sites_or(eval_values(ctx, e->kid[0]), eval_values(ctx, e->kid[1]));
    case X_MINUS: return sites_minus(eval_values(ctx, e->kid[0]), eval_values(ctx, e->kid[1]));
    case X_MEET: return sites_and(eval_values(ctx, e->kid[0]), eval_values(ctx, e->kid[1]));
    case X_WHERE:
      return eval_condition(ctx, e->kid[1]) ? eval_values(ctx, e->kid[0]) : sites_none();
    case X_LET: return eval_values(ctx, e->kid[0]);
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      SiteSet s = sites_none();
      for (int i = 0; i < ctx->rules->seats; i++)
        if ((players >> i) & 1 && eval_let_of(e, i)) s = sites_or(s, eval_values(ctx, eval_let_of(e, i)));
      return s;
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_VALUES ? eval_maybe(ctx->chosen) : sites_none();
    default: return sites_none();
  }
}

/* ---- numbers ---- */

static int64_t saturate(int64_t n) {
  const int64_t most = INT32_MAX;
  return n > most ? most : n < -most ? -most : n;
}

static int64_t count_members(EvalCtx *ctx, const Expr *of) {
  switch (of->type) {
    case TYPE_SITES: {
      SiteSet s = eval_sites(ctx, of);
      return sites_count(&s);
    }
    case TYPE_PIECES: {
      if (of->op == X_VICTIMS)
        return ctx->pos->steps || ctx->scenario ? ctx->pos->taken_n : 0;
      PieceSet p;
      eval_pieces(ctx, of, &p);
      return pieces_count(ctx, &p);
    }
    case TYPE_PLAYERS:
      return __builtin_popcount(eval_players(ctx, of) & seats_here(ctx));
    case TYPE_VALUES: {
      SiteSet s = eval_values(ctx, of);
      return sites_count(&s);
    }
    default: return 0;
  }
}

int64_t eval_number(EvalCtx *ctx, const Expr *e) {
  const Position *p = ctx->pos;
  switch (e->op) {
    case X_NUMBER: return e->a;
    case X_FRACTION: return e->a / (e->b ? e->b : 1);
    case X_ADD: return saturate(eval_number(ctx, e->kid[0]) + eval_number(ctx, e->kid[1]));
    case X_SUB: return saturate(eval_number(ctx, e->kid[0]) - eval_number(ctx, e->kid[1]));
    case X_MUL: return saturate(eval_number(ctx, e->kid[0]) * eval_number(ctx, e->kid[1]));
    case X_COUNT: return count_members(ctx, e->kid[0]);
    case X_STATE_NUMBER: {
      bool found;
      return eval_cell(ctx, e, &found);
    }
    case X_LABEL_NUMBER: {
      int site = eval_site(ctx, e->kid[0]);
      return site < 0 ? 0 : ctx->rules->label[e->a].value[site];
    }
    case X_BIT: return eval_condition(ctx, e->kid[0]) ? 1 : 0;
    case X_DIE: return ctx->die < 0 ? 0 : ctx->die;
    case X_DOUBLE: return p->doubled;
    case X_DICE_USED: return p->dice_used;
    case X_PIPS_USED: return p->pips_used;
    case X_CAPTURED: return p->captured;
    case X_USES: return p->steps || ctx->scenario ? position_uses(ctx->layout, p)[e->a] : 0;
    case X_TURNS: {
      int seat = first_seat(eval_players(ctx, e->kid[0]));
      return seat < 0 ? 0 : p->turns[seat];
    }
    case X_TURN_COUNT: return p->turn_count;
    case X_REPEATS: return engine_repeats(ctx->engine, p);
    case X_QUIET: return p->quiet;
    case X_PASSES: return p->passes;
    case X_OVERRUNS: {
      int seat = first_seat(eval_players(ctx, e->kid[0]));
      return seat < 0 ? 0 : p->overruns[seat];
    }
    case X_POINTS: return (int64_t)eval_worth(ctx, e);
    case X_LEGAL_TURNS: return engine_legal_turns(ctx->engine, p);
    case X_WHERE: return eval_condition(ctx, e->kid[1]) ? eval_number(ctx, e->kid[0]) : 0;
    case X_LET: {
      LetCache *c = eval_kept(ctx, e);
      if (!c) return eval_number(ctx, e->kid[0]);
      if (c->stamp != ctx->stamp) {
        int64_t v = eval_number(ctx, e->kid[0]);
        c->number = v;
        c->stamp = ctx->stamp;
      }
      return c->number;
    }
    case X_LET_BY: {
      int seat = first_seat(eval_players(ctx, e->kid[0]));
      return seat < 0 || !eval_let_of(e, seat) ? 0 : eval_number(ctx, eval_let_of(e, seat));
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_NUMBER ? ctx->chosen : 0;
    case X_HOOK: {
      int64_t n = 0;
      return hooks_number(engine_hooks(ctx->engine), e->a, ctx, &n) ? saturate(n) : 0;
    }
    default: return 0;
  }
}

static bool is_fractional(const Expr *e) {
  switch (e->op) {
    case X_FRACTION:
    case X_POINTS: return true;
    case X_ADD:
    case X_SUB:
    case X_MUL: return is_fractional(e->kid[0]) || is_fractional(e->kid[1]);
    case X_LET:
    case X_WHERE: return is_fractional(e->kid[0]);
    default: return false;
  }
}

/* A worth stops where the twelfths in which the kernels keep it no longer fit into a number. */
static double bounded(double worth) {
  const double most = (double)INT32_MAX / WORTH_UNIT;
  return worth > most ? most : worth < -most ? -most : worth;
}

double eval_worth(EvalCtx *ctx, const Expr *e) {
  switch (e->op) {
    case X_FRACTION: return (double)e->a / (e->b ? e->b : 1);
    case X_ADD: return bounded(eval_worth(ctx, e->kid[0]) + eval_worth(ctx, e->kid[1]));
    case X_SUB: return bounded(eval_worth(ctx, e->kid[0]) - eval_worth(ctx, e->kid[1]));
    case X_MUL:
      if (!is_fractional(e->kid[1])) return bounded(eval_worth(ctx, e->kid[0]) * (double)eval_number(ctx, e->kid[1]));
      if (!is_fractional(e->kid[0])) return bounded((double)eval_number(ctx, e->kid[0]) * eval_worth(ctx, e->kid[1]));
      return bounded(eval_worth(ctx, e->kid[0]) * eval_worth(ctx, e->kid[1]));
    case X_POINTS: {
      int seat = first_seat(eval_players(ctx, e->kid[0]));
      return seat < 0 ? 0 : ctx->pos->score[seat];
    }
    case X_LET: return eval_worth(ctx, e->kid[0]);
    case X_WHERE: return eval_condition(ctx, e->kid[1]) ? eval_worth(ctx, e->kid[0]) : 0;
    default: return bounded((double)eval_number(ctx, e));
  }
}

/* ---- conditions ---- */

/* -1, 0, 1 */
static int compare_numbers(EvalCtx *ctx, const Expr *a, const Expr *b) {
  if (is_fractional(a) || is_fractional(b)) {
    double x = eval_worth(ctx, a), y = eval_worth(ctx, b);
    return x < y ? -1 : x > y;
  }
  int64_t x = eval_number(ctx, a), y = eval_number(ctx, b);
  return x < y ? -1 : x > y;
}

static bool pieces_equal(const PieceSet *a, const PieceSet *b) {
  if (a->planes != b->planes) return false;
  for (uint32_t m = a->planes; m; m &= m - 1)
    if (!sites_equal(&a->at[__builtin_ctz(m)], &b->at[__builtin_ctz(m)])) return false;
  return true;
}

static bool equal(EvalCtx *ctx, const Expr *a, const Expr *b) {
  switch (a->type) {
    case TYPE_NUMBER: return compare_numbers(ctx, a, b) == 0;
    case TYPE_SITES: {
      SiteSet x = eval_sites(ctx, a), y = eval_sites(ctx, b);
      return sites_equal(&x, &y);
    }
    case TYPE_VALUES: {
      SiteSet x = eval_values(ctx, a), y = eval_values(ctx, b);
      return sites_equal(&x, &y);
    }
    case TYPE_PLAYERS: return eval_players(ctx, a) == eval_players(ctx, b);
    case TYPE_PIECES: {
      PieceSet x, y;
      eval_pieces(ctx, a, &x);
      eval_pieces(ctx, b, &y);
      return pieces_equal(&x, &y);
    }
    case TYPE_CONDITION: return eval_condition(ctx, a) == eval_condition(ctx, b);
    case TYPE_WAYS: return eval_ways(ctx, a) == eval_ways(ctx, b);
    default: return false;
  }
}

static bool is_some(EvalCtx *ctx, const Expr *e) {
  switch (e->type) {
    case TYPE_SITES: {
      SiteSet s = eval_sites(ctx, e);
      return !sites_is_empty(&s);
    }
    case TYPE_PIECES: {
      PieceSet p;
      eval_pieces(ctx, e, &p);
      return p.planes != 0;
    }
    case TYPE_PLAYERS: return (eval_players(ctx, e) & seats_here(ctx)) != 0;
    case TYPE_VALUES: {
      SiteSet s = eval_values(ctx, e);
      return !sites_is_empty(&s);
    }
    default: return false;
  }
}

/* The members of a set as bits, so that subset and meeting are the same for every type.
 * Pieces count as their sites (pieces against pieces are compared by the caller). */
static SiteSet members(EvalCtx *ctx, const Expr *e) {
  switch (e->type) {
    case TYPE_SITES: return eval_sites(ctx, e);
    case TYPE_PIECES: {
      PieceSet p;
      eval_pieces(ctx, e, &p);
      return pieces_sites(&p);
    }
    case TYPE_PLAYERS: {
      SiteSet s = sites_none();
      s.w[0] = eval_players(ctx, e);
      return s;
    }
    case TYPE_VALUES: return eval_values(ctx, e);
    case TYPE_NUMBER: { /* a number among numbers cannot be; kept harmless */
      int64_t n = eval_number(ctx, e);
      return n >= 0 && n < SITES_MAX ? sites_one((int)n) : sites_none();
    }
    default: return sites_none();
  }
}

static bool quantified(EvalCtx *ctx, const Expr *e) {
  SiteSet a = members(ctx, e->kid[0]), b = members(ctx, e->kid[1]);
  switch (e->op) {
    case X_ALL_IN: return sites_within(&a, &b);
    case X_SOME_IN: return sites_meet(&a, &b);
    case X_NONE_IN: return !sites_meet(&a, &b);
    default: return !sites_is_empty(&a) && sites_within(&a, &b);
  }
}

bool eval_condition(EvalCtx *ctx, const Expr *e) {
  switch (e->op) {
    case X_TRUE: return true;
    case X_FALSE: return false;
    case X_NOT: return !eval_condition(ctx, e->kid[0]);
    case X_AND: return eval_condition(ctx, e->kid[0]) && eval_condition(ctx, e->kid[1]);
    case X_OR: return eval_condition(ctx, e->kid[0]) || eval_condition(ctx, e->kid[1]);
    case X_EQ: return equal(ctx, e->kid[0], e->kid[1]);
    case X_NE: return !equal(ctx, e->kid[0], e->kid[1]);
    case X_LT: return compare_numbers(ctx, e->kid[0], e->kid[1]) < 0;
    case X_LE: return compare_numbers(ctx, e->kid[0], e->kid[1]) <= 0;
    case X_SOME: return is_some(ctx, e->kid[0]);
    case X_NONE: return !is_some(ctx, e->kid[0]);
    case X_ALL_IN:
    case X_SOME_IN:
    case X_NONE_IN:
    case X_IS_IN: return quantified(ctx, e);
    case X_STUCK: return engine_stuck(ctx->engine, ctx->pos);
    case X_DEAD: return engine_dead(ctx->engine, ctx->pos);
    case X_ROUND_OVER: return engine_round_over(ctx->engine, ctx->pos);
    case X_LET: {
      LetCache *c = eval_kept(ctx, e);
      if (!c) return eval_condition(ctx, e->kid[0]);
      if (c->stamp != ctx->stamp) {
        bool v = eval_condition(ctx, e->kid[0]);
        c->number = v;
        c->stamp = ctx->stamp;
      }
      return c->number != 0;
    }
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      for (int s = 0; s < ctx->rules->seats; s++)
        if ((players >> s) & 1 && eval_let_of(e, s) && eval_condition(ctx, eval_let_of(e, s))) return true;
      return false;
    }
    case X_HOOK: {
      bool yes = false;
      return hooks_condition(engine_hooks(ctx->engine), e->a, ctx, &yes) && yes;
    }
    default: return false;
  }
}

/* ---- the cache ---- */

static bool is_of_pieces(const Let *let) {
  return let->expr && let->expr->type == TYPE_PIECES;
}

LetCache *eval_cache_new(const Rules *rules) {
  size_t size = sizeof(LetCache) * (size_t)(rules->lets ? rules->lets : 1);
  LetCache *cache = memory_resize(NULL, size);
  memset(cache, 0, size);
  for (int i = 0; i < rules->lets; i++)
    if (is_of_pieces(&rules->let[i])) cache[i].pieces = memory_resize(NULL, sizeof(PieceSet));
  return cache;
}

void eval_cache_free(LetCache *cache, const Rules *rules) {
  for (int i = 0; i < rules->lets; i++)
    if (cache[i].pieces) memory_resize(cache[i].pieces, 0);
  memory_resize(cache, 0);
}
