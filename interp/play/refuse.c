/* Why one step cannot be made: the clauses of the move, choice and offer rules are asked one
 * after another, as the generator does, and the rule that gets furthest speaks. */
#include <stdio.h>
#include <string.h>

#include "play/reasons.h"

/* One way from origin to target: a direction, a path or a jump. */
typedef struct Route {
  int distance; /* 0: a jump */
  int direction; /* -1: not one */
  const Path *path;
  SiteSet between;
} Route;
enum { ROUTES_MOST = 24 };

typedef struct Attempt {
  Engine *engine;
  const Position *p;
  const Sought *sought;
  const Rule *rule;
  int plane; /* of the piece tried */
  int clause; /* that fails; CLAUSE_COUNT: none */
  Telling *telling;
} Attempt;

static const char *name_of(const Attempt *a, int site) {
  return a->engine->rules->board.name[site];
}

/* ---- routes ---- */

static int after_on_path(const Path *path, int *index) {
  if (++*index >= path->n) {
    if (path->wrap < 0) return -1;
    *index = path->wrap;
  }
  return path->site[*index];
}

static int find_routes(const Attempt *a, uint64_t ways, Route routes[ROUTES_MOST]) {
  const Rules *rules = a->engine->rules;
  int origin = a->sought->origin, target = a->sought->target, n = 0;
  if (origin == target) return 0;
  for (int d = 0; d < rules->board.dirs && origin < rules->board.squares; d++) {
    if (!((ways >> d) & 1) || n == ROUTES_MOST) continue;
    Route r = {0, d, NULL, sites_none()};
    for (int site = rules->board.next[d][origin]; site >= 0; site = rules->board.next[d][site]) {
      if (++r.distance > rules->board.squares) break;
      if (site == target) {
        routes[n++] = r;
        break;
      }
      sites_add(&r.between, site);
    }
  }
  for (int i = 0; i < rules->paths; i++) {
    const Path *path = &rules->path[i];
    if (!((ways >> (WAY_PATHS + i)) & 1) || path->index_of[origin] < 0) continue;
    Route r = {0, -1, path, sites_none()};
    int index = path->index_of[origin];
    for (int site = after_on_path(path, &index); site >= 0; site = after_on_path(path, &index)) {
      if (++r.distance > PATH_MAX * 2) break;
      if (site == target && n < ROUTES_MOST) routes[n++] = r;
      sites_add(&r.between, site);
    }
  }
  if ((ways >> WAY_ANYWHERE) & 1 && n < ROUTES_MOST) {
    Route r = {0, -1, NULL, sites_none()};
    routes[n++] = r;
  }
  return n;
}

/* The first of the sites that the piece comes to. */
static int first_on_route(const Attempt *a, const Route *route, const SiteSet *among) {
  int site = a->sought->origin, index = route->path ? route->path->index_of[site] : -1;
  for (int i = 0; i < route->distance && site >= 0; i++) {
    site = route->path ? after_on_path(route->path, &index)
                       : a->engine->rules->board.next[route->direction][site];
    if (site >= 0 && sites_has(among, site)) return site;
  }
  return sites_first(among);
}

/* ---- one rule, one die ---- */

static bool fails(Attempt *a, int clause) {
  a->clause = clause;
  return false;
}

static void tell_who(Attempt *a) {
  Telling *t = a->telling;
  const Rules *rules = a->engine->rules;
  int origin = a->sought->origin;
  if (a->plane >= 0 && rules->plane[a->plane].owner == a->p->mover) {
    SAY(t, NOT_BY_THIS_RULE, tell_piece(t, a->plane, (char[128]){0}), name_of(a, origin));
    sites_add(&t->witness, origin);
    return;
  }
  if (a->sought->part->kind >= 0) {
    SAY(t, NO_SUCH_PIECE_ON, rules->kind[a->sought->part->kind].name, name_of(a, origin));
  }
  tell_holds(t, origin);
  if (a->p->mover >= 0) SAY(t, TO_MOVE, rules->player[a->p->mover]);
}

static bool check_who(Attempt *a, EvalCtx *ctx) {
  if (!a->rule->who) return true;
  PieceSet who;
  eval_pieces(ctx, a->rule->who, &who);
  int origin = a->sought->origin;
  if (a->plane >= 0 && (who.planes >> a->plane) & 1 && sites_has(&who.at[a->plane], origin))
    return true;
  if (a->telling) tell_who(a);
  return fails(a, CLAUSE_WHO);
}

static bool check_from(Attempt *a, EvalCtx *ctx) {
  if (!a->rule->from || tell_contains(ctx, a->rule->from, a->sought->origin)) return true;
  if (a->telling) tell_outside(a->telling, a->rule->from, a->sought->origin);
  return fails(a, CLAUSE_FROM);
}

const char *dice_left(const Position *p, char text[64]) {
  size_t n = 0;
  *text = 0;
  for (int i = 0; i < p->dice && n + 8 < 64; i++)
    n += (size_t)snprintf(text + n, 64 - n, "%s%d", i ? ", " : "", p->die[i]);
  return text;
}

static void tell_reach(Attempt *a, EvalCtx *ctx, const Route *route, int64_t low,
                       int64_t high) {
  Telling *t = a->telling;
  SAY(t, DISTANCE, name_of(a, a->sought->origin), name_of(a, a->sought->target),
      WORDS_NUMBER(route->distance));
  bool exact = a->rule->takes_die && low == high && low == ctx->die;
  if (exact || (a->rule->takes_die && ctx->die < 0)) {
    if (a->p->dice == 0) {
      SAY(t, NO_DIE_LEFT);
      return;
    }
    SAY(t, NO_DIE_SHOWS, WORDS_NUMBER(route->distance), dice_left(a->p, (char[64]){0}));
  } else if (low == high) {
    SAY(t, ALLOWED, WORDS_NUMBER(low));
  } else {
    SAY(t, ALLOWED_FROM, WORDS_NUMBER(low), WORDS_NUMBER(high));
  }
  if (!exact && a->rule->takes_die && ctx->die >= 0)
    SAY(t, WITH_THE_DIE, WORDS_NUMBER(ctx->die));
  sites_add(&t->witness, a->sought->origin);
  sites_add(&t->witness, a->sought->target);
}

static bool check_through(Attempt *a, EvalCtx *ctx, const Route *route) {
  if (!a->rule->through || route->distance == 0) return true;
  SiteSet open = eval_sites(ctx, a->rule->through);
  SiteSet shut = sites_minus(route->between, open);
  if (sites_is_empty(&shut)) return true;
  if (a->telling) {
    SAY(a->telling, WAY_SHUT);
    tell_outside(a->telling, a->rule->through, first_on_route(a, route, &shut));
  }
  return fails(a, CLAUSE_THROUGH);
}

static bool check_conditions(Attempt *a, const Rule *rule, EvalCtx *ctx) {
  if (rule->when && !eval_condition(ctx, rule->when)) {
    if (a->telling) {
      a->telling->ctx = *ctx;
      tell_condition(a->telling, rule->when, false);
    }
    return fails(a, CLAUSE_WHEN);
  }
  if (rule->unless && eval_condition(ctx, rule->unless)) {
    if (a->telling) {
      a->telling->ctx = *ctx;
      tell_condition(a->telling, rule->unless, true);
    }
    return fails(a, CLAUSE_UNLESS);
  }
  return true;
}

static bool check_route(Attempt *a, EvalCtx *ctx, const Route *route) {
  const Rule *rule = a->rule;
  int64_t low = 1, high = 1;
  if (rule->reach_low) low = high = eval_number(ctx, rule->reach_low);
  if (rule->reach_high) high = eval_number(ctx, rule->reach_high);
  if (low < 1) low = 1;
  if (route->distance && (route->distance < low || route->distance > high)) {
    if (a->telling) tell_reach(a, ctx, route, low, high);
    return fails(a, CLAUSE_REACH);
  }
  if (a->telling) a->telling->ctx = *ctx;
  if (!check_through(a, ctx, route)) return false;
  ctx->target = a->sought->target;
  ctx->between = &route->between;
  if (a->telling) a->telling->ctx = *ctx;
  if (rule->to && !tell_contains(ctx, rule->to, a->sought->target)) {
    if (a->telling) tell_outside(a->telling, rule->to, a->sought->target);
    return fails(a, CLAUSE_TO);
  }
  return check_conditions(a, rule, ctx);
}

/* Asks the rule with one die (-1: none); tries all ways and keeps the one that gets furthest. */
static bool check_with_die(Attempt *a, int die, int *furthest, int *best_route) {
  EvalCtx ctx = eval_context(a->engine, a->p);
  ctx.die = die;
  if (a->telling) a->telling->ctx = ctx;
  if (!check_who(a, &ctx)) return false;
  ctx.origin = a->sought->origin;
  if (a->telling) a->telling->ctx = ctx;
  if (!check_from(a, &ctx)) return false;
  Route routes[ROUTES_MOST];
  uint64_t ways = a->rule->along ? eval_ways(&ctx, a->rule->along)
                                 : a->engine->rules->board.adjacent;
  int n = find_routes(a, ways, routes);
  if (n == 0) {
    if (a->telling) {
      SAY(a->telling, NO_WAY, name_of(a, a->sought->origin), name_of(a, a->sought->target));
      sites_add(&a->telling->witness, a->sought->origin);
      sites_add(&a->telling->witness, a->sought->target);
    }
    return fails(a, CLAUSE_ALONG);
  }
  if (a->rule->takes_die && die < 0 && a->p->dice == 0) {
    if (a->telling) tell_reach(a, &ctx, &routes[0], -1, -1);
    return fails(a, CLAUSE_REACH);
  }
  Telling *telling = a->telling;
  if (telling) { /* once more along the way that got furthest */
    ctx.target = -1;
    return check_route(a, &ctx, &routes[*best_route]);
  }
  int best = -1;
  for (int i = 0; i < n; i++) {
    EvalCtx copy = ctx;
    if (check_route(a, &copy, &routes[i])) return true;
    if (a->clause <= best) continue;
    best = a->clause;
    *best_route = i;
  }
  *furthest = best;
  a->clause = best;
  return false;
}

typedef struct Failure {
  int clause; /* CLAUSE_COUNT: the rule would make the step */
  int die, route, plane;
} Failure;

/* How far a rule got. One that fails at a fixed `to` was not meant for this step. */
static int rank_of(const Rule *rule, int clause) {
  return clause == CLAUSE_TO && rule->to && rule->to->deps == 0 ? CLAUSE_ALONG : clause;
}

/* The first failing clause of the rule in hand, over all dice and ways. */
static Failure check_rule(Attempt *a) {
  Failure best = {-1, -1, 0, a->plane};
  bool dice = a->rule->takes_die && a->p->dice > 0;
  for (int i = 0; i < (dice ? a->p->dice : 1); i++) {
    int die = dice ? a->p->die[i] : -1, furthest = -1, route = 0;
    if (dice && (die == 0 || (i && die == a->p->die[i - 1]))) continue;
    a->clause = CLAUSE_COUNT;
    if (check_with_die(a, die, &furthest, &route)) {
      best.clause = CLAUSE_COUNT;
      return best;
    }
    if (a->clause <= best.clause) continue;
    best = (Failure){a->clause, die, route, a->plane};
  }
  return best;
}

/* What may be meant at the origin: the planes there, the mover's first, or -1. */
static int planes_meant(const Attempt *a, int list[PLANES_MAX]) {
  const Rules *rules = a->engine->rules;
  const uint16_t *count = position_count(&a->engine->layout, a->p);
  int n = 0;
  for (int own = 1; own >= 0; own--)
    for (int plane = 0; plane < rules->planes; plane++) {
      if (!count[plane * rules->board.sites + a->sought->origin]) continue;
      if ((rules->plane[plane].owner == a->p->mover) != own) continue;
      if (a->sought->plane >= 0 ? plane != a->sought->plane
                                : a->sought->part->kind >= 0 &&
                                      rules->plane[plane].kind != a->sought->part->kind)
        continue;
      list[n++] = plane;
    }
  if (n == 0) list[n++] = -1;
  return n;
}

void refuse_hop(Engine *engine, const Position *p, const Sought *sought, Reason *reason) {
  const Rules *rules = engine->rules;
  Attempt a = {engine, p, sought, NULL, -1, 0, NULL};
  int planes[PLANES_MAX], n = planes_meant(&a, planes);
  Failure best = {-1, -1, 0, -1};
  int rank = -1;
  const Rule *rule = NULL;
  for (int i = 0; i < rules->of_kind_n[RULE_MOVE]; i++) {
    a.rule = &rules->rule[rules->of_kind[RULE_MOVE][i]];
    if (!rule_open(a.rule, p)) continue;
    Failure of_rule = {-1, -1, 0, -1};
    for (int k = 0; k < n; k++) {
      a.plane = planes[k];
      Failure f = check_rule(&a);
      if (f.clause > of_rule.clause) of_rule = f;
    }
    explain_refusal(reason, a.rule->index, of_rule.clause);
    if (rank_of(a.rule, of_rule.clause) <= rank) continue;
    rank = rank_of(a.rule, of_rule.clause);
    best = of_rule;
    rule = a.rule;
  }
  Telling t;
  EvalCtx ctx = eval_context(engine, p);
  t = telling(&ctx, reason->detail, sizeof reason->detail);
  if (!rule || best.clause < 0) {
    SAY(&t, NOTHING_MOVES);
    return;
  }
  if (best.clause == CLAUSE_COUNT) { /* never: the caller has looked at the candidates */
    SAY(&t, NO_SUCH_STEP);
    return;
  }
  a.rule = rule;
  a.plane = best.plane;
  a.telling = &t;
  int furthest = -1;
  check_with_die(&a, best.die, &furthest, &best.route);
  reason->witness = t.witness;
  /* nothing of the mover's to move: no single rule is to blame */
  bool own = best.plane >= 0 && rules->plane[best.plane].owner == p->mover;
  explain_name(engine, p, reason, rule->index, best.clause);
  if (best.clause == CLAUSE_WHO && !own) {
    reason->sentence = reason->sentence_ru = NULL;
  }
}

/* ---- picks ---- */

static void tell_choices(Telling *t, const Rule *rule, const MovePart *part,
                         const int32_t *list, int n) {
  if (part->chosen_n)
    SAY(t, NOT_A_CHOICE, part->chosen);
  else
    SAY(t, CHOOSE_ONE, rule->name);
  for (int i = 0; i < n && i < 8; i++) {
    char value[64];
    chosen_write(t->ctx.rules, rule, list[i], value, sizeof value);
    tell(t, "%s%s", i ? ", " : ": ", value);
  }
  if (n > 8) SAY(t, AND_MORE, WORDS_NUMBER(n - 8));
  if (n == 0) SAY(t, NO_CHOICES);
}

void refuse_pick(Engine *engine, const Position *p, const Sought *sought, Reason *reason) {
  const Rules *rules = engine->rules;
  const Rule *rule = &rules->rule[sought->part->rule];
  EvalCtx ctx = eval_context(engine, p);
  Telling t = telling(&ctx, reason->detail, sizeof reason->detail);
  int clause = CLAUSE_IF;
  if (!rule->exists) {
    SAY(&t, NOT_IN_FORCE, rule->name);
  } else if (!rule_open(rule, p)) {
    SAY(&t, OF_PHASE, rule->name, rules->phase[rule->phase].name);
  } else if (rule->kind == RULE_OFFER && (p->rolled || p->steps)) {
    if (p->rolled)
      SAY(&t, OFFER_BEFORE_THROW);
    else
      SAY(&t, OFFER_BEFORE_STEP);
  } else {
    int32_t list[CHOICES_MAX];
    int type = 0, n = choice_list(&ctx, rule, &type, list, CHOICES_MAX), at = -1;
    for (int i = 0; i < n; i++)
      if (move_part_picks(rules, sought->part, rule->index, list[i])) at = i;
    Attempt a = {engine, p, sought, rule, -1, CLAUSE_COUNT, &t};
    if (rule->choose_n && at < 0) {
      clause = CLAUSE_CHOOSE;
      tell_choices(&t, rule, sought->part, list, n);
    } else if (!rule->choose_n && sought->part->chosen_n) {
      clause = CLAUSE_CHOOSE;
      SAY(&t, NOTHING_TO_CHOOSE, rule->name);
    } else {
      if (at >= 0) {
        ctx.choice_type = type;
        ctx.chosen = list[at];
      }
      clause = check_conditions(&a, rule, &ctx) ? CLAUSE_COUNT : a.clause;
      if (clause == CLAUSE_COUNT) SAY(&t, MADE_ALREADY);
    }
  }
  reason->witness = t.witness;
  explain_name(engine, p, reason, rule->index, clause == CLAUSE_COUNT ? -1 : clause);
  explain_refusal(reason, rule->index, clause == CLAUSE_COUNT ? CLAUSE_IF : clause);
}

/* ---- forbids ---- */

static void separate(Telling *t) {
  if (t->used) tell(t, "; ");
}

void refuse_by_forbid(Engine *engine, const Position *before, const Position *after,
                      const Step *step, const Rule *forbid, Reason *reason) {
  SiteSet between = sites_none();
  EvalCtx ctx;
  if (step) {
    if (step->origin >= 0 && before) step_between(engine, before, step, &between);
    ctx = step_context(engine, before ? before : after, step, &between);
  } else {
    ctx = eval_context(engine, before ? before : after);
  }
  Telling t = telling(&ctx, reason->detail, sizeof reason->detail);
  int first = -1;
  for (int clause = 0; clause < CLAUSE_COUNT; clause++) {
    const Expr *e = clause == CLAUSE_WHO      ? forbid->who
                    : clause == CLAUSE_FROM   ? forbid->from
                    : clause == CLAUSE_TO     ? forbid->to
                    : clause == CLAUSE_WHEN   ? forbid->when
                    : clause == CLAUSE_UNLESS ? forbid->unless
                    : clause == CLAUSE_LEAVES ? forbid->leaves
                                              : NULL;
    if (!e) continue;
    if (first < 0) first = clause;
    explain_refusal(reason, forbid->index, clause);
    separate(&t);
    if (clause == CLAUSE_WHO) {
      SAY(&t, STANDS_THERE, tell_piece(&t, step->plane, (char[128]){0}),
          engine->rules->board.name[step->origin]);
      sites_add(&t.witness, step->origin);
    } else if (clause == CLAUSE_FROM) {
      tell_inside(&t, e, step->origin);
    } else if (clause == CLAUSE_TO) {
      tell_inside(&t, e, step->target);
    } else if (clause == CLAUSE_LEAVES) {
      EvalCtx then = step ? step_context(engine, after, step, &between)
                          : eval_context(engine, after);
      then.made = true;
      t.ctx = then;
      SAY(&t, AFTERWARDS);
      tell_condition(&t, e, true);
    } else {
      tell_condition(&t, e, clause == CLAUSE_WHEN);
    }
  }
  reason->witness = t.witness;
  explain_name(engine, before ? before : after, reason, forbid->index, first);
}

bool refuse_forbidden(Engine *engine, const Position *p, const Step *step, Reason *reason) {
  const Rules *rules = engine->rules;
  bool told = false;
  SiteSet between = sites_none();
  step_between(engine, p, step, &between);
  Mark mark = engine_mark(engine);
  Position *after = engine_alloc(engine, engine->layout.size);
  step_make(engine, p, step, &between, after, NULL);
  for (int pass = 0; pass < 2; pass++) /* those before the step come first */
    for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
      const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
      if (f->judged != JUDGED_STEP || !rule_open(f, p) || (f->leaves != NULL) != (pass == 1))
        continue;
      EvalCtx ctx = step_context(engine, p, step, &between);
      if (!forbid_matches(&ctx, f, step)) continue;
      if (f->leaves) {
        EvalCtx then = step_context(engine, after, step, &between);
        then.made = true;
        if (!eval_condition(&then, f->leaves)) continue;
      }
      if (told) {
        Reason more;
        explain_clear(&more);
        refuse_by_forbid(engine, p, after, step, f, &more);
        for (int k = 0; k < more.refusals; k++)
          explain_refusal(reason, more.refusal[k].rule, more.refusal[k].clause);
      } else {
        refuse_by_forbid(engine, p, after, step, f, reason);
      }
      told = true;
    }
  engine_release(engine, mark);
  return told;
}
