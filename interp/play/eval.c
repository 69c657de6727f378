/* The literal evaluator of expressions. One function for each type; every operation of
 * exprs.def is in exactly one of them. */
#include "play/eval.h"

#include <assert.h>
#include <string.h>

#include "play/hooks.h"
#include "play/picture.h"

struct LetCache { /* one entry a let */
  uint64_t stamp;
  int64_t number;
  SiteSet sites;
};

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

static struct LetCache *kept(EvalCtx *ctx, const Expr *e) {
  if (!ctx->cache || (e->deps & ~(uint32_t)DEP_KEPT)) return NULL;
  return &ctx->cache[e->a];
}

/* The expression that a LET or LET_BY stands for, for each seat of the set in turn. */
static const Expr *let_of(const Expr *e, int seat) {
  return ((const Expr *const *)e->data)[seat];
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
        if ((players >> s) & 1 && let_of(e, s)) ways |= eval_ways(ctx, let_of(e, s));
      return ways;
    }
    default: return 0;
  }
}

static const Path *one_path(EvalCtx *ctx, const Expr *e) {
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
    SiteSet s = eval_sites(ctx, e->kid[0]);
    member = sites_first(&s);
  } else {
    member = first_seat(eval_players(ctx, e->kid[0]));
  }
  if (member < 0 || member >= state->cells) return -1;
  return state->cell + member;
}

static int32_t read_cell(EvalCtx *ctx, const Expr *e, bool *found) {
  int cell = cell_of(ctx, e);
  *found = cell >= 0;
  return cell >= 0 ? position_cells(ctx->layout, ctx->pos)[cell] : 0;
}

static uint32_t owners_of(const EvalCtx *ctx, const PieceSet *p) {
  uint32_t players = 0;
  for (uint32_t m = p->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    if (!sites_is_empty(&p->at[plane])) players |= 1u << ctx->rules->plane[plane].owner;
  }
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
      int32_t v = read_cell(ctx, e, &found);
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
      struct LetCache *c = kept(ctx, e);
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
        if ((players >> s) & 1 && let_of(e, s)) all |= eval_players(ctx, let_of(e, s));
      return all;
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_PLAYERS ? 1u << ctx->chosen : 0;
    default: return 0;
  }
}

/* ---- sites ---- */

static SiteSet occupied(const EvalCtx *ctx) {
  const SiteSet *o = position_occupied(ctx->layout, ctx->pos);
  SiteSet all = sites_none();
  for (int i = 0; i < ctx->rules->planes; i++) all = sites_or(all, o[i]);
  return all;
}

static SiteSet point(const EvalCtx *ctx, int64_t n) {
  return n >= 1 && n <= ctx->rules->board.squares ? sites_one((int)n - 1) : sites_none();
}

static SiteSet maybe(int site) { return site >= 0 ? sites_one(site) : sites_none(); }

static SiteSet path_part(EvalCtx *ctx, const Expr *e) {
  SiteSet of = eval_sites(ctx, e->kid[0]), part = sites_none();
  const Path *path = one_path(ctx, e->kid[1]);
  if (!path) return part;
  int low = path->n, high = -1;
  for (int i = 0; i < path->n; i++)
    if (sites_has(&of, path->site[i])) {
      if (i < low) low = i;
      high = i;
    }
  if (e->op == X_REARMOST) return high < 0 ? part : sites_one(path->site[low]);
  bool none = high < 0;
  for (int i = 0; i < path->n; i++)
    if (none || (e->op == X_BEYOND ? i > high : i < low)) sites_add(&part, path->site[i]);
  return part;
}

static SiteSet last_of(EvalCtx *ctx, const Expr *e, const int16_t *last) {
  uint32_t players = eval_players(ctx, e->kid[0]);
  SiteSet s = sites_none();
  for (int i = 0; i < ctx->rules->seats; i++)
    if ((players >> i) & 1 && last[i] >= 0) sites_add(&s, last[i]);
  return s;
}

static SiteSet neighbours(const EvalCtx *ctx, SiteSet of) {
  SiteSet s = sites_none();
  SITES_FOR(i, of) s = sites_or(s, ctx->rules->board.neighbours[i]);
  return s;
}

/* Site by site, each once: a stack of sites whose neighbours are still to be looked at. */
static SiteSet flood(const EvalCtx *ctx, SiteSet from, SiteSet through) {
  const Board *board = &ctx->rules->board;
  SiteSet all = sites_and(from, through), left = sites_minus(through, all);
  int16_t stack[SITES_MAX];
  int n = 0;
  SITES_FOR(s, all) stack[n++] = (int16_t)s;
  while (n) {
    int site = stack[--n];
    for (int d = 0; d < board->dirs; d++) {
      int next = (board->adjacent >> d) & 1 && site < board->squares ? board->next[d][site] : -1;
      if (next < 0 || !sites_has(&left, next)) continue;
      sites_remove(&left, next);
      sites_add(&all, next);
      stack[n++] = (int16_t)next;
    }
  }
  return all;
}

static SiteSet group(const EvalCtx *ctx, SiteSet of) {
  SiteSet all = sites_none();
  const SiteSet *o = position_occupied(ctx->layout, ctx->pos);
  for (int seat = 0; seat < ctx->rules->seats; seat++) {
    SiteSet own = sites_none();
    for (int i = 0; i < ctx->rules->planes; i++)
      if (ctx->rules->plane[i].owner == seat) own = sites_or(own, o[i]);
    own = sites_and(own, ctx->rules->board.all);
    all = sites_or(all, flood(ctx, of, own));
  }
  return all;
}

static SiteSet where_sites(EvalCtx *ctx, const Expr *e) {
  SiteSet all = eval_sites(ctx, e->kid[0]);
  if (!(e->kid[1]->deps & (DEP_HERE | DEP_SLOW))) return eval_condition(ctx, e->kid[1]) ? all : sites_none();
  SiteSet some = sites_none();
  int here = ctx->here;
  SITES_FOR(s, all) {
    ctx->here = s;
    if (eval_condition(ctx, e->kid[1])) sites_add(&some, s);
  }
  ctx->here = here;
  return some;
}

SiteSet eval_sites(EvalCtx *ctx, const Expr *e) {
  const Position *p = ctx->pos;
  switch (e->op) {
    case X_SITES_CONST: return *(const SiteSet *)e->data;
    case X_SITES_EMPTY: return sites_minus(ctx->rules->board.all, occupied(ctx));
    case X_SITES_OF: {
      const Expr *k = e->kid[0];
      if (k->op == X_PIECES_KIND) { /* the common case without a piece set in between */
        uint32_t players = eval_players(ctx, k->kid[0]);
        SiteSet s = sites_none();
        for (int i = 0; i < ctx->rules->planes; i++)
          if (((uint32_t)k->a >> ctx->rules->plane[i].kind) & 1 &&
              (players >> ctx->rules->plane[i].owner) & 1)
            s = sites_or(s, position_occupied(ctx->layout, p)[i]);
        return s;
      }
      PieceSet set;
      eval_pieces(ctx, k, &set);
      return pieces_sites(&set);
    }
    case X_POINT: return point(ctx, eval_number(ctx, e->kid[0]));
    case X_POINT_RANGE: {
      int64_t a = eval_number(ctx, e->kid[0]), b = eval_number(ctx, e->kid[1]);
      SiteSet s = sites_none();
      if (a > b) {
        int64_t t = a;
        a = b;
        b = t;
      }
      if (a < 1) a = 1;
      if (b > ctx->rules->board.squares) b = ctx->rules->board.squares;
      for (int64_t i = a; i <= b; i++) sites_add(&s, (int)i - 1);
      return s;
    }
    case X_SITES_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      SiteSet s = sites_none();
      for (int i = 0; i < ctx->rules->seats; i++)
        if ((players >> i) & 1) s = sites_or(s, ((const SiteSet *)e->data)[i]);
      return s;
    }
    case X_HERE: return maybe(ctx->here);
    case X_ORIGIN: return maybe(ctx->origin);
    case X_TARGET: return maybe(ctx->target);
    case X_BETWEEN: return ctx->between ? *ctx->between : sites_none();
    case X_PREVIOUS:
      return maybe(p->steps == 0 ? -1 : ctx->made ? p->prev_target : p->last_target);
    case X_NEIGHBOURS: return neighbours(ctx, eval_sites(ctx, e->kid[0]));
    case X_GROUP: return group(ctx, eval_sites(ctx, e->kid[0]));
    case X_FLOOD: return flood(ctx, eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_REARMOST:
    case X_BEYOND:
    case X_BEHIND: return path_part(ctx, e);
    case X_FIRST_OF: {
      SiteSet s = eval_sites(ctx, e->kid[0]);
      return maybe(sites_first(&s));
    }
    case X_LINE_SITES: return picture_sites(ctx, e);
    case X_LAST_ORIGIN: return last_of(ctx, e, p->last_origin_of);
    case X_LAST_TARGET: return last_of(ctx, e, p->last_target_of);
    case X_STATE_SITE: {
      bool found;
      int32_t v = read_cell(ctx, e, &found);
      return found ? maybe(v) : sites_none();
    }
    case X_UNION: return sites_or(eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_MINUS: return sites_minus(eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_MEET: return sites_and(eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_WHERE: return where_sites(ctx, e);
    case X_LET: {
      struct LetCache *c = kept(ctx, e);
      if (!c) return eval_sites(ctx, e->kid[0]);
      if (c->stamp != ctx->stamp) {
        SiteSet v = eval_sites(ctx, e->kid[0]);
        c->sites = v;
        c->stamp = ctx->stamp;
      }
      return c->sites;
    }
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      SiteSet s = sites_none();
      for (int i = 0; i < ctx->rules->seats; i++)
        if ((players >> i) & 1 && let_of(e, i)) s = sites_or(s, eval_sites(ctx, let_of(e, i)));
      return s;
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_SITES ? maybe(ctx->chosen) : sites_none();
    case X_HOOK: {
      SiteSet s = sites_none();
      if (!hooks_sites(engine_hooks(ctx->engine), e->a, ctx, &s)) return sites_none();
      return s;
    }
    default: return sites_none();
  }
}

/* ---- pieces ---- */

SiteSet pieces_sites(const PieceSet *p) {
  SiteSet s = sites_none();
  for (uint32_t m = p->planes; m; m &= m - 1) s = sites_or(s, p->at[__builtin_ctz(m)]);
  return s;
}

int pieces_count(const EvalCtx *ctx, const PieceSet *p) {
  const uint16_t *count = position_count(ctx->layout, ctx->pos);
  int sites = ctx->rules->board.sites, n = 0;
  for (uint32_t m = p->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    if (!ctx->rules->stacks)
      n += sites_count(&p->at[plane]);
    else
      SITES_FOR(s, p->at[plane]) n += count[plane * sites + s];
  }
  return n;
}

static void planes_in(const EvalCtx *ctx, uint32_t planes, PieceSet *out) {
  out->planes = planes;
  for (uint32_t m = planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    out->at[plane] = position_occupied(ctx->layout, ctx->pos)[plane];
  }
}

static void keep_sites(PieceSet *p, SiteSet sites, bool in) {
  for (uint32_t m = p->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    p->at[plane] = in ? sites_and(p->at[plane], sites) : sites_minus(p->at[plane], sites);
    if (sites_is_empty(&p->at[plane])) p->planes &= ~(1u << plane);
  }
}

/* The piece that moved, where it is now; if it has turned into another kind, what its owner
 * has there. */
static void moved(const EvalCtx *ctx, PieceSet *out) {
  const Position *p = ctx->pos;
  out->planes = 0;
  if (p->last_target < 0 || p->last_plane < 0) return;
  if (p->steps == 0 && !ctx->scenario) return;
  const SiteSet *o = position_occupied(ctx->layout, p);
  if (sites_has(&o[p->last_plane], p->last_target)) {
    out->planes = 1u << p->last_plane;
    out->at[p->last_plane] = sites_one(p->last_target);
    return;
  }
  int owner = ctx->rules->plane[p->last_plane].owner;
  for (int i = 0; i < ctx->rules->planes; i++)
    if (ctx->rules->plane[i].owner == owner && sites_has(&o[i], p->last_target)) {
      out->planes |= 1u << i;
      out->at[i] = sites_one(p->last_target);
    }
}

static void where_pieces(EvalCtx *ctx, const Expr *e, PieceSet *out) {
  eval_pieces(ctx, e->kid[0], out);
  if (!(e->kid[1]->deps & (DEP_HERE | DEP_SLOW))) {
    if (!eval_condition(ctx, e->kid[1])) out->planes = 0;
    return;
  }
  SiteSet all = pieces_sites(out), some = sites_none();
  int here = ctx->here;
  SITES_FOR(s, all) {
    ctx->here = s;
    if (eval_condition(ctx, e->kid[1])) sites_add(&some, s);
  }
  ctx->here = here;
  keep_sites(out, some, true);
}

void eval_pieces(EvalCtx *ctx, const Expr *e, PieceSet *out) {
  switch (e->op) {
    case X_PIECES_KIND: {
      uint32_t players = eval_players(ctx, e->kid[0]), planes = 0;
      for (int i = 0; i < ctx->rules->planes; i++)
        if (((uint32_t)e->a >> ctx->rules->plane[i].kind) & 1 &&
            (players >> ctx->rules->plane[i].owner) & 1)
          planes |= 1u << i;
      planes_in(ctx, planes, out);
      return;
    }
    case X_PIECES_CONST: planes_in(ctx, (uint32_t)e->a, out); return;
    case X_MOVED: moved(ctx, out); return;
    case X_VICTIM:
      out->planes = 0;
      if (ctx->victim_plane < 0) return;
      out->planes = 1u << ctx->victim_plane;
      out->at[ctx->victim_plane] = sites_one(ctx->victim_site);
      return;
    case X_VICTIMS:
      out->planes = 0;
      if (ctx->pos->steps == 0 && !ctx->scenario) return;
      for (int i = 0; i < ctx->rules->planes; i++) {
        out->at[i] = position_taken(ctx->layout, ctx->pos)[i];
        if (!sites_is_empty(&out->at[i])) out->planes |= 1u << i;
      }
      return;
    case X_BRACED: {
      SiteSet safe;
      eval_pieces(ctx, e->kid[0], out);
      safe = eval_sites(ctx, e->kid[1]);
      keep_sites(out, picture_braced(ctx->rules, pieces_sites(out), safe), true);
      return;
    }
    case X_LINE_PIECES: picture_pieces(ctx, e, out); return;
    case X_PIECES_AT:
    case X_PIECES_OFF: {
      SiteSet sites = eval_sites(ctx, e->kid[1]);
      eval_pieces(ctx, e->kid[0], out);
      keep_sites(out, sites, e->op == X_PIECES_AT);
      return;
    }
    case X_UNION: {
      PieceSet b;
      eval_pieces(ctx, e->kid[0], out);
      eval_pieces(ctx, e->kid[1], &b);
      for (uint32_t m = b.planes; m; m &= m - 1) {
        int plane = __builtin_ctz(m);
        out->at[plane] = (out->planes >> plane) & 1 ? sites_or(out->at[plane], b.at[plane])
                                                     : b.at[plane];
      }
      out->planes |= b.planes;
      return;
    }
    case X_MINUS:
    case X_MEET: {
      PieceSet b;
      eval_pieces(ctx, e->kid[0], out);
      eval_pieces(ctx, e->kid[1], &b);
      if (e->op == X_MEET) out->planes &= b.planes;
      for (uint32_t m = out->planes & b.planes; m; m &= m - 1) {
        int plane = __builtin_ctz(m);
        out->at[plane] = e->op == X_MEET ? sites_and(out->at[plane], b.at[plane])
                                         : sites_minus(out->at[plane], b.at[plane]);
      }
      return;
    }
    case X_WHERE: where_pieces(ctx, e, out); return;
    case X_LET: eval_pieces(ctx, e->kid[0], out); return;
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      out->planes = 0;
      for (int s = 0; s < ctx->rules->seats; s++) {
        if (!((players >> s) & 1) || !let_of(e, s)) continue;
        PieceSet b;
        eval_pieces(ctx, let_of(e, s), &b);
        for (uint32_t m = b.planes; m; m &= m - 1) {
          int plane = __builtin_ctz(m);
          out->at[plane] = (out->planes >> plane) & 1 ? sites_or(out->at[plane], b.at[plane])
                                                       : b.at[plane];
        }
        out->planes |= b.planes;
      }
      return;
    }
    default: out->planes = 0; return;
  }
}

/* ---- values ---- */

SiteSet eval_values(EvalCtx *ctx, const Expr *e) {
  switch (e->op) {
    case X_VALUES_CONST: return *(const SiteSet *)e->data;
    case X_STATE_VALUE: {
      bool found;
      int32_t v = read_cell(ctx, e, &found);
      return found ? maybe(v) : sites_none();
    }
    case X_LABEL_VALUE: {
      SiteSet s = eval_sites(ctx, e->kid[0]);
      int site = sites_first(&s);
      return site < 0 ? sites_none() : maybe(ctx->rules->label[e->a].value[site]);
    }
    case X_OUTCOME:
      return sites_one(ctx->pos->end_rule < 0 ? ctx->rules->atom_nothing
                                              : ctx->rules->rule[ctx->pos->end_rule].atom);
    case X_PHASE_NOW: return maybe(ctx->rules->phase[ctx->pos->phase].atom);
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
        if ((players >> i) & 1 && let_of(e, i)) s = sites_or(s, eval_values(ctx, let_of(e, i)));
      return s;
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_VALUES ? maybe(ctx->chosen) : sites_none();
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
      return read_cell(ctx, e, &found);
    }
    case X_LABEL_NUMBER: {
      SiteSet s = eval_sites(ctx, e->kid[0]);
      int site = sites_first(&s);
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
      struct LetCache *c = kept(ctx, e);
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
      return seat < 0 || !let_of(e, seat) ? 0 : eval_number(ctx, let_of(e, seat));
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_NUMBER ? ctx->chosen : 0;
    case X_HOOK: {
      int64_t n = 0;
      return hooks_number(engine_hooks(ctx->engine), e->a, ctx, &n) ? saturate(n) : 0;
    }
    default: return 0;
  }
}

double eval_worth(EvalCtx *ctx, const Expr *e) {
  switch (e->op) {
    case X_FRACTION: return (double)e->a / (e->b ? e->b : 1);
    case X_ADD: return eval_worth(ctx, e->kid[0]) + eval_worth(ctx, e->kid[1]);
    case X_SUB: return eval_worth(ctx, e->kid[0]) - eval_worth(ctx, e->kid[1]);
    case X_MUL: return eval_worth(ctx, e->kid[0]) * eval_worth(ctx, e->kid[1]);
    case X_POINTS: {
      int seat = first_seat(eval_players(ctx, e->kid[0]));
      return seat < 0 ? 0 : ctx->pos->score[seat];
    }
    case X_LET: return eval_worth(ctx, e->kid[0]);
    case X_WHERE: return eval_condition(ctx, e->kid[1]) ? eval_worth(ctx, e->kid[0]) : 0;
    default: return (double)eval_number(ctx, e);
  }
}

/* ---- conditions ---- */

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
  for (int i = 0; i < PLANES_MAX; i++) {
    SiteSet x = (a->planes >> i) & 1 ? a->at[i] : sites_none();
    SiteSet y = (b->planes >> i) & 1 ? b->at[i] : sites_none();
    if (!sites_equal(&x, &y)) return false;
  }
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
      SiteSet s = pieces_sites(&p);
      return !sites_is_empty(&s);
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
      struct LetCache *c = kept(ctx, e);
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
        if ((players >> s) & 1 && let_of(e, s) && eval_condition(ctx, let_of(e, s))) return true;
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

LetCache *eval_cache_new(int lets) {
  size_t size = sizeof(LetCache) * (size_t)(lets ? lets : 1);
  LetCache *cache = memory_resize(NULL, size);
  memset(cache, 0, size);
  return cache;
}
