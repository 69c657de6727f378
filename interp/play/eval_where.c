/* `where` over sites: which of them meet a condition. What a condition says of each site alone is
 * told for all of them at once where that is plain: a value that each has, the pieces on each.
 * Everything else is asked site by site. */
#include "play/evaluating.h"

static SiteSet ask_each(EvalCtx *ctx, const SiteSet *all, const Expr *e) {
  SiteSet some = sites_none();
  int here = ctx->here;
  SITES_FOR(s, *all) {
    ctx->here = s;
    if (eval_condition(ctx, e)) sites_add(&some, s);
  }
  ctx->here = here;
  return some;
}

/* ---- `STATE of here = VALUE`, `in VALUES`; labels likewise ---- */

static bool is_of_value(const EvalCtx *ctx, const Expr *e) {
  if ((e->op != X_EQ && e->op != X_IS_IN) || e->kid[1]->op != X_VALUES_CONST) return false;
  const Expr *of = e->kid[0];
  bool state = of->op == X_STATE_VALUE && ctx->rules->state[of->a].scope == SCOPE_SITE;
  return (state || of->op == X_LABEL_VALUE) && of->kid[0]->op == X_HERE;
}

static SiteSet with_value(const EvalCtx *ctx, const SiteSet *all, const Expr *e) {
  const Expr *of = e->kid[0];
  const SiteSet *values = e->kid[1]->data;
  const State *state = of->op == X_STATE_VALUE ? &ctx->rules->state[of->a] : NULL;
  const int32_t *value = state ? position_cells(ctx->layout, ctx->pos) + state->cell
                               : ctx->rules->label[of->a].value;
  int n = state ? state->cells : ctx->rules->board.sites;
  SiteSet some = sites_none();
  if (e->op == X_EQ && sites_count(values) != 1) return some;
  SITES_FOR(s, *all)
    if (s < n && value[s] >= 0 && sites_has(values, value[s])) sites_add(&some, s);
  return some;
}

/* ---- `some PIECES at here`, `no …`, `count PIECES at here >= NUMBER` ---- */

/* The `PIECES at here` that the condition counts, or NULL. */
static const Expr *counted(const Expr *e) {
  const Expr *a = e->kid[0], *b = e->kid[1], *of = NULL;
  switch (e->op) {
    case X_SOME:
    case X_NONE: of = a; break;
    case X_EQ:
    case X_NE:
    case X_LT:
    case X_LE:
      if (a->op == X_COUNT && b->op == X_NUMBER) of = a->kid[0];
      if (b->op == X_COUNT && a->op == X_NUMBER) of = b->kid[0];
      break;
    default: break;
  }
  bool at_here = of && of->op == X_PIECES_AT && of->kid[1]->op == X_HERE;
  return at_here && !(of->kid[0]->deps & (DEP_HERE | DEP_SLOW)) ? of : NULL;
}

static int count_at(const EvalCtx *ctx, const PieceSet *p, int site) {
  const uint16_t *count = position_count(ctx->layout, ctx->pos);
  int n = 0;
  for (uint32_t m = p->planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    if (!sites_has(&p->at[plane], site)) continue;
    n += ctx->rules->stacks ? count[plane * ctx->rules->board.sites + site] : 1;
  }
  return n;
}

static bool compares(const Expr *e, int n) {
  int a = e->kid[0]->op == X_COUNT ? n : e->kid[0]->a;
  int b = e->kid[1]->op == X_COUNT ? n : e->kid[1]->a;
  switch (e->op) {
    case X_EQ: return a == b;
    case X_NE: return a != b;
    case X_LT: return a < b;
    default: return a <= b;
  }
}

static SiteSet with_pieces(EvalCtx *ctx, const SiteSet *all, const Expr *e) {
  PieceSet pieces;
  eval_pieces(ctx, counted(e)->kid[0], &pieces);
  SiteSet at = pieces_sites(&pieces), some = sites_none();
  if (e->op == X_SOME) return sites_and(*all, at);
  if (e->op == X_NONE) return sites_minus(*all, at);
  SITES_FOR(s, *all)
    if (compares(e, count_at(ctx, &pieces, s))) sites_add(&some, s);
  return some;
}

SiteSet eval_where(EvalCtx *ctx, SiteSet all, const Expr *e) {
  if (sites_is_empty(&all)) return all;
  if (!(e->deps & (DEP_HERE | DEP_SLOW))) return eval_condition(ctx, e) ? all : sites_none();
  if (e->op == X_AND) return eval_where(ctx, eval_where(ctx, all, e->kid[0]), e->kid[1]);
  if (is_of_value(ctx, e)) return with_value(ctx, &all, e);
  if (counted(e)) return with_pieces(ctx, &all, e);
  return ask_each(ctx, &all, e);
}
