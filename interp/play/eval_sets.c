/* The literal evaluator: sets of sites and of pieces. */
#include "play/evaluating.h"

#include "play/hooks.h"
#include "play/picture.h"

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

static SiteSet path_part(EvalCtx *ctx, const Expr *e) {
  SiteSet of = eval_sites(ctx, e->kid[0]), part = sites_none();
  const Path *path = eval_path(ctx, e->kid[1]);
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
    for (uint32_t m = site < board->squares ? board->adjacent : 0; m; m &= m - 1) {
      int next = board->next[__builtin_ctz(m)][site];
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

int eval_site(EvalCtx *ctx, const Expr *e) {
  switch (e->op) {
    case X_HERE: return ctx->here;
    case X_ORIGIN: return ctx->origin;
    case X_TARGET: return ctx->target;
    default: {
      SiteSet s = eval_sites(ctx, e);
      return sites_first(&s);
    }
  }
}

/* Of PIECES_KIND: those kinds of those players. */
static uint32_t planes_of_kind(EvalCtx *ctx, const Expr *e) {
  uint32_t players = eval_players(ctx, e->kid[0]) & (SEAT_NOBODY - 1), planes = 0;
  for (; players; players &= players - 1)
    planes |= ctx->rules->planes_of[__builtin_ctz(players)];
  if ((uint32_t)e->a + 1 == 1u << ctx->rules->kinds) return planes; /* of every kind */
  for (uint32_t m = planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    if (!(((uint32_t)e->a >> ctx->rules->plane[plane].kind) & 1)) planes &= ~(1u << plane);
  }
  return planes;
}

/* Everything of some planes. */
static bool is_whole_planes(const Expr *e) {
  return e->op == X_PIECES_KIND || e->op == X_PIECES_CONST;
}
static uint32_t whole_planes(EvalCtx *ctx, const Expr *e) {
  return e->op == X_PIECES_CONST ? (uint32_t)e->a : planes_of_kind(ctx, e);
}

SiteSet eval_sites(EvalCtx *ctx, const Expr *e) {
  const Position *p = ctx->pos;
  switch (e->op) {
    case X_SITES_CONST: return *(const SiteSet *)e->data;
    case X_SITES_EMPTY: return sites_minus(ctx->rules->board.all, occupied(ctx));
    case X_SITES_OF: {
      const Expr *k = e->kid[0];
      if (is_whole_planes(k)) { /* the common case without a piece set in between */
        SiteSet s = sites_none();
        for (uint32_t m = whole_planes(ctx, k); m; m &= m - 1)
          s = sites_or(s, position_occupied(ctx->layout, p)[__builtin_ctz(m)]);
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
    case X_HERE: return eval_maybe(ctx->here);
    case X_ORIGIN: return eval_maybe(ctx->origin);
    case X_TARGET: return eval_maybe(ctx->target);
    case X_BETWEEN: return ctx->between ? *ctx->between : sites_none();
    case X_PREVIOUS:
      return eval_maybe(p->steps == 0 ? -1 : ctx->made ? p->prev_target : p->last_target);
    case X_NEIGHBOURS: return neighbours(ctx, eval_sites(ctx, e->kid[0]));
    case X_GROUP: return group(ctx, eval_sites(ctx, e->kid[0]));
    case X_FLOOD: return flood(ctx, eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_REARMOST:
    case X_BEYOND:
    case X_BEHIND: return path_part(ctx, e);
    case X_FIRST_OF: return eval_maybe(eval_site(ctx, e->kid[0]));
    case X_LINE_SITES: return picture_sites(ctx, e);
    case X_LAST_ORIGIN: return last_of(ctx, e, p->last_origin_of);
    case X_LAST_TARGET: return last_of(ctx, e, p->last_target_of);
    case X_STATE_SITE: {
      bool found;
      int32_t v = eval_cell(ctx, e, &found);
      return found ? eval_maybe(v) : sites_none();
    }
    case X_UNION: return sites_or(eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_MINUS: return sites_minus(eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_MEET: return sites_and(eval_sites(ctx, e->kid[0]), eval_sites(ctx, e->kid[1]));
    case X_WHERE: return eval_where(ctx, eval_sites(ctx, e->kid[0]), e->kid[1]);
    case X_LET: {
      LetCache *c = eval_kept(ctx, e);
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
        if ((players >> i) & 1 && eval_let_of(e, i)) s = sites_or(s, eval_sites(ctx, eval_let_of(e, i)));
      return s;
    }
    case X_CHOSEN: return ctx->choice_type == TYPE_SITES ? eval_maybe(ctx->chosen) : sites_none();
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

static void put_plane(PieceSet *p, int plane, SiteSet sites) {
  if (sites_is_empty(&sites)) {
    p->planes &= ~(1u << plane);
  } else {
    p->planes |= 1u << plane;
    p->at[plane] = sites;
  }
}

/* What stands of those planes, on `at` or anywhere. */
static void planes_in(const EvalCtx *ctx, uint32_t planes, const SiteSet *at, PieceSet *out) {
  const SiteSet *occupied_by = position_occupied(ctx->layout, ctx->pos);
  out->planes = 0;
  for (uint32_t m = planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    put_plane(out, plane, at ? sites_and(occupied_by[plane], *at) : occupied_by[plane]);
  }
}

static void add_pieces(PieceSet *to, const PieceSet *more) {
  for (uint32_t m = more->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    to->at[plane] = (to->planes >> plane) & 1 ? sites_or(to->at[plane], more->at[plane])
                                              : more->at[plane];
  }
  to->planes |= more->planes;
}

static void keep_sites(PieceSet *p, SiteSet sites, bool in) {
  for (uint32_t m = p->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    put_plane(p, plane, in ? sites_and(p->at[plane], sites) : sites_minus(p->at[plane], sites));
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
  keep_sites(out, eval_where(ctx, pieces_sites(out), e->kid[1]), true);
}

static void copy_pieces(PieceSet *to, const PieceSet *from) {
  to->planes = from->planes;
  for (uint32_t m = from->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    to->at[plane] = from->at[plane];
  }
}

static void pieces_at(EvalCtx *ctx, const Expr *e, SiteSet at, PieceSet *out) {
  if (is_whole_planes(e)) { /* the common case without all of them in between */
    planes_in(ctx, whole_planes(ctx, e), &at, out);
  } else {
    eval_pieces(ctx, e, out);
    keep_sites(out, at, true);
  }
}

void eval_pieces(EvalCtx *ctx, const Expr *e, PieceSet *out) {
  switch (e->op) {
    case X_PIECES_KIND:
    case X_PIECES_CONST: planes_in(ctx, whole_planes(ctx, e), NULL, out); return;
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
      for (int i = 0; i < ctx->rules->planes; i++)
        put_plane(out, i, position_taken(ctx->layout, ctx->pos)[i]);
      return;
    case X_BRACED: {
      SiteSet safe;
      eval_pieces(ctx, e->kid[0], out);
      safe = eval_sites(ctx, e->kid[1]);
      keep_sites(out, picture_braced(ctx->rules, pieces_sites(out), safe), true);
      return;
    }
    case X_LINE_PIECES: picture_pieces(ctx, e, out); return;
    case X_PIECES_AT: pieces_at(ctx, e->kid[0], eval_sites(ctx, e->kid[1]), out); return;
    case X_PIECES_OFF: {
      SiteSet sites = eval_sites(ctx, e->kid[1]);
      eval_pieces(ctx, e->kid[0], out);
      keep_sites(out, sites, false);
      return;
    }
    case X_UNION: {
      PieceSet b;
      eval_pieces(ctx, e->kid[0], out);
      eval_pieces(ctx, e->kid[1], &b);
      add_pieces(out, &b);
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
        put_plane(out, plane, e->op == X_MEET ? sites_and(out->at[plane], b.at[plane])
                                              : sites_minus(out->at[plane], b.at[plane]));
      }
      return;
    }
    case X_WHERE: where_pieces(ctx, e, out); return;
    case X_LET: {
      LetCache *c = eval_kept(ctx, e);
      if (!c) {
        eval_pieces(ctx, e->kid[0], out);
      } else if (c->stamp == ctx->stamp) {
        copy_pieces(out, c->pieces);
      } else {
        eval_pieces(ctx, e->kid[0], out);
        copy_pieces(c->pieces, out);
        c->stamp = ctx->stamp;
      }
      return;
    }
    case X_LET_BY: {
      uint32_t players = eval_players(ctx, e->kid[0]);
      out->planes = 0;
      for (int s = 0; s < ctx->rules->seats; s++) {
        if (!((players >> s) & 1) || !eval_let_of(e, s)) continue;
        PieceSet b;
        eval_pieces(ctx, eval_let_of(e, s), &b);
        add_pieces(out, &b);
      }
      return;
    }
    default: out->planes = 0; return;
  }
}
