/* Captures that do not happen: which capture rule comes nearest to taking a piece, and what
 * it lacks. Pictures are laid over the board so that the piece is among their marked cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/reasons.h"

/* How near a rule comes; the greater the nearer. */
typedef struct Near {
  int score;  /* -1: the rule does not speak of this piece at all */
  int clause; /* TAKE, WHEN or UNLESS */
  int here, each;
} Near;

enum { SCORE_PREY = 100, SCORE_TAKEN = 1000 };

typedef struct Looking {
  Engine *engine;
  EvalCtx *ctx;
  int site;
  Telling *telling; /* NULL: only measure */
} Looking;

/* ---- pictures ---- */

typedef struct Laid {
  int cells;  /* matched in order */
  bool covers; /* the site is in a marked cell, or where the picture breaks off */
  int stop;   /* where it breaks off, or -1: off the board */
  int short_of; /* the cell that fails; n: none */
} Laid;

static int step_on(const Rules *rules, int direction, const Path *path, int site) {
  if (site < 0) return -1;
  if (!path) return rules->board.next[direction][site];
  int i = path->index_of[site];
  if (i < 0) return -1;
  if (i + 1 < path->n) return path->site[i + 1];
  return path->wrap >= 0 ? path->site[path->wrap] : -1;
}

static Laid lay(const Looking *l, const LineShape *shape, const SiteSet *cell, int start,
                int direction, const Path *path) {
  const Rules *rules = l->engine->rules;
  Laid laid = {0, false, -1, shape->n};
  int at = start;
  for (int i = 0; i < shape->n; i++) {
    int length = 0, most = shape->cell[i].run ? rules->board.sites : 1;
    bool marked = shape->cell[i].marked || !shape->any_marked;
    while (at >= 0 && length < most && sites_has(&cell[i], at)) {
      laid.covers |= marked && at == l->site;
      length++;
      at = step_on(rules, direction, path, at);
    }
    if (length >= (shape->cell[i].run ? shape->cell[i].run : 1)) {
      laid.cells++;
      continue;
    }
    laid.short_of = i;
    laid.stop = at;
    laid.covers |= marked && at == l->site;
    return laid;
  }
  return laid;
}

static Laid lay_best(const Looking *l, const Expr *e) {
  const LineShape *shape = e->data;
  const Rules *rules = l->engine->rules;
  SiteSet cell[16];
  for (int i = 0; i < shape->n; i++) {
    const Expr *c = shape->cell[i].expr;
    PieceSet pieces;
    if (c->type == TYPE_PIECES) {
      eval_pieces(l->ctx, c, &pieces);
      cell[i] = pieces_sites(&pieces);
    } else {
      cell[i] = eval_sites(l->ctx, c);
    }
  }
  uint64_t ways = e->kid[0] ? eval_ways(l->ctx, e->kid[0]) : rules->board.adjacent;
  Laid best = {-1, false, -1, 0};
  SITES_FOR(start, cell[0]) {
    for (int d = 0; d < rules->board.dirs && start < rules->board.squares; d++) {
      if (!((ways >> d) & 1)) continue;
      Laid laid = lay(l, shape, cell, start, d, NULL);
      if (laid.covers && laid.cells > best.cells) best = laid;
    }
    for (int i = 0; i < rules->paths; i++) {
      if (!((ways >> (WAY_PATHS + i)) & 1) || rules->path[i].index_of[start] < 0) continue;
      Laid laid = lay(l, shape, cell, start, 0, &rules->path[i]);
      if (laid.covers && laid.cells > best.cells) best = laid;
    }
  }
  return best;
}

static int near_line(const Looking *l, const Expr *e) {
  const LineShape *shape = e->data;
  Laid laid = lay_best(l, e);
  char words[96];
  if (!l->telling) {
    if (laid.cells >= 0) return SCORE_PREY + 1 + laid.cells;
    for (int i = 0; i < shape->n; i++)
      if ((shape->cell[i].marked || !shape->any_marked) &&
          tell_contains(l->ctx, shape->cell[i].expr, l->site))
        return SCORE_PREY;
    return -1;
  }
  Telling *t = l->telling;
  if (laid.cells < 0) {
    tell_quote(t, e, words);
    SAY(t, IN_NO_PICTURE, l->engine->rules->board.name[l->site], words);
    sites_add(&t->witness, l->site);
    return 0;
  }
  const Expr *missing = shape->cell[laid.short_of].expr;
  tell_quote(t, missing, words);
  if (laid.stop < 0) {
    SAY(t, LINE_LEAVES, words);
  } else {
    SAY(t, IS_MISSING, words);
    tell_outside(t, missing, laid.stop);
  }
  return 0;
}

/* ---- other sets ---- */

/* Goes down to the picture or the set that decides. */
static int near_take(const Looking *l, const Expr *e) {
  switch (e->op) {
    case X_LINE_PIECES:
    case X_LINE_SITES: return near_line(l, e);
    case X_SITES_OF:
    case X_LET: return near_take(l, e->kid[0]);
    case X_UNION: {
      Looking quiet = *l;
      quiet.telling = NULL;
      int a = near_take(&quiet, e->kid[0]), b = near_take(&quiet, e->kid[1]);
      return near_take(l, e->kid[a >= b ? 0 : 1]);
    }
    case X_PIECES_AT:
    case X_MEET:
      if (!tell_contains(l->ctx, e->kid[0], l->site)) {
        int score = near_take(l, e->kid[0]);
        return score;
      }
      return near_take(l, e->kid[1]) + 1;
    default: break;
  }
  if (l->telling) {
    tell_outside(l->telling, e, l->site);
    return 0;
  }
  bool prey = tell_contains(l->ctx, e, l->site);
  for (const Expr *k = e; !prey && (k->op == X_WHERE || k->op == X_MINUS || k->op == X_PIECES_OFF);) {
    k = k->kid[0];
    prey = tell_contains(l->ctx, k, l->site);
  }
  return prey ? SCORE_PREY : -1;
}

/* ---- a rule ---- */

static Near near_member(Engine *engine, EvalCtx *ctx, const Rule *rule, int plane, int site,
                        Telling *telling) {
  Looking l = {engine, ctx, site, telling};
  Near near = {-1, CLAUSE_TAKE, ctx->here, ctx->each};
  PieceSet take;
  if (telling) telling->ctx = *ctx;
  eval_pieces(ctx, rule->take, &take);
  if (!((take.planes >> plane) & 1) || !sites_has(&take.at[plane], site)) {
    near.score = near_take(&l, rule->take);
    return near;
  }
  EvalCtx victim = *ctx;
  victim.victim_plane = plane;
  victim.victim_site = site;
  near.score = SCORE_TAKEN;
  if (telling) telling->ctx = victim;
  if (rule->when && !eval_condition(&victim, rule->when)) {
    near.clause = CLAUSE_WHEN;
    if (telling) tell_condition(telling, rule->when, false);
  } else if (rule->unless && eval_condition(&victim, rule->unless)) {
    near.clause = CLAUSE_UNLESS;
    near.score++;
    if (telling) tell_condition(telling, rule->unless, true);
  }
  return near;
}

/* The member of the rule's `for` that comes nearest; bound in the context afterwards. */
static Near near_rule(Engine *engine, EvalCtx *ctx, const Rule *rule, int plane, int site) {
  if (!rule->for_) return near_member(engine, ctx, rule, plane, site, NULL);
  Near best = {-1, CLAUSE_TAKE, -1, -1};
  bool players = rule->for_->type == TYPE_PLAYERS;
  SiteSet members = sites_none();
  if (players)
    members.w[0] = eval_players(ctx, rule->for_) & (SEAT_NOBODY - 1);
  else
    members = eval_sites(ctx, rule->for_);
  SITES_FOR(m, members) {
    *(players ? &ctx->each : &ctx->here) = m;
    Near near = near_member(engine, ctx, rule, plane, site, NULL);
    if (near.score > best.score) best = near;
  }
  ctx->here = best.here;
  ctx->each = best.each;
  return best;
}

/* The position that capture rules look at: the piece has moved, nothing is taken yet. */
static void move_only(Engine *engine, const Position *before, const Position *after,
                      const Step *step, Position *mid) {
  position_copy(mid, before);
  position_add(engine->rules, &engine->layout, mid, step->plane, step->origin, -1);
  position_add(engine->rules, &engine->layout, mid, step->plane, step->target, 1);
  mid->steps = after->steps;
  mid->last_rule = step->rule;
  mid->last_plane = step->plane;
  mid->last_origin = step->origin;
  mid->last_target = step->target;
  mid->last_die = step->die;
  mid->prev_target = after->prev_target;
}

/* Over the capture rules of one step; fills the reason if one comes nearer than *best. */
static void nearest_in_step(Engine *engine, const Position *before, const Position *after,
                            const Step *step, int site, int *best, Reason *reason) {
  const Rules *rules = engine->rules;
  SiteSet between = sites_none();
  step_between(engine, before, step, &between);
  Position *mid = engine_position(engine);
  move_only(engine, before, after, step, mid);
  const uint16_t *count = position_count(&engine->layout, mid);
  for (int plane = 0; plane < rules->planes; plane++) {
    if (!count[plane * rules->board.sites + site]) continue;
    for (int i = 0; i < rules->of_kind_n[RULE_CAPTURE]; i++) {
      const Rule *rule = &rules->rule[rules->of_kind[RULE_CAPTURE][i]];
      if (!rule_open(rule, mid)) continue;
      EvalCtx ctx = step_context(engine, mid, step, &between);
      ctx.made = true;
      Near near = near_rule(engine, &ctx, rule, plane, site);
      if (near.score < 0) continue;
      explain_refusal(reason, rule->index, near.clause);
      if (near.score <= *best) continue;
      *best = near.score;
      Telling t = telling(&ctx, reason->detail, sizeof reason->detail);
      near_member(engine, &ctx, rule, plane, site, &t);
      reason->witness = t.witness;
      explain_name(engine, before, reason, rule->index, near.clause);
    }
  }
  free(mid);
}

void explain_capture(Engine *engine, const Position *p, const Turn *turn, int site,
                     Reason *reason) {
  const Rules *rules = engine->rules;
  explain_clear(reason);
  for (int i = 0; i < turn->captures; i++) {
    const Captured *c = &turn->captured[i];
    if (c->site != site) continue;
    EvalCtx ctx = eval_context(engine, p);
    Telling t = telling(&ctx, NULL, 0);
    reason->legal = true;
    explain_name(engine, p, reason, c->rule, CLAUSE_TAKE);
    LINE(engine, reason, c->rule, TAKES, tell_piece(&t, c->plane, (char[128]){0}),
         rules->board.name[site]);
    return;
  }
  Position *before = engine_position(engine), *after = engine_position(engine);
  position_copy(before, p);
  int best = -1;
  for (int i = 0; i < turn->steps; i++) {
    engine_make(engine, before, &turn->step[i], after, NULL, NULL);
    if (turn->step[i].origin >= 0)
      nearest_in_step(engine, before, after, &turn->step[i], site, &best, reason);
    position_copy(before, after);
  }
  if (best < 0) {
    EvalCtx ctx = eval_context(engine, p);
    Telling t = telling(&ctx, reason->detail, sizeof reason->detail);
    SAY(&t, NOBODY_TAKES);
    tell_holds(&t, site);
    reason->witness = t.witness;
  }
  free(before);
  free(after);
}
