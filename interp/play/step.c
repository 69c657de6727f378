/* Candidate steps: what the move and choice rules allow, minus the forbids that look at the
 * position before the step. Literal: every clause is a set or a condition, asked in turn. */
#include "play/inside.h"

#include <string.h>

/* What may look at the step: a hook may, whatever it is asked for. */
enum { ASKS_STEP = DEP_STEP | DEP_SLOW };

typedef struct Search {
  Engine *engine;
  const Position *p;
  const Rule *rule;
  EvalCtx ctx;
  bool lawful;
  StepFound *found;
  void *with;
  Step step;
  SiteSet between;
  /* clauses that do not depend on the step are evaluated once */
  bool through_kept, to_kept, way_kept;
  SiteSet through, to;
  uint64_t ways;     /* along, or the neighbours */
  int64_t low, high; /* reach */
  bool asks_step; /* when or unless look at origin or target */
  /* forbids that can still match, for the whole generation; -1: not asked for yet */
  const Rule *forbid[RULES_MAX];
  int forbids;
} Search;

static uint32_t clause_deps(const Rule *rule) {
  return (rule->when ? rule->when->deps : 0u) | (rule->unless ? rule->unless->deps : 0u);
}

static bool piece_among(EvalCtx *ctx, const Expr *who, const Step *step) {
  PieceSet set;
  eval_pieces(ctx, who, &set);
  return (set.planes >> step->plane) & 1 && sites_has(&set.at[step->plane], step->origin);
}

static bool site_among(EvalCtx *ctx, const Expr *sites, int site) {
  SiteSet set = eval_sites(ctx, sites);
  return sites_has(&set, site);
}

bool forbid_matches(EvalCtx *ctx, const Rule *forbid, const Step *step) {
  if (step->origin < 0 && (forbid->who || forbid->from || forbid->to)) return false;
  if (forbid->from && !site_among(ctx, forbid->from, step->origin)) return false;
  if (forbid->to && !site_among(ctx, forbid->to, step->target)) return false;
  if (forbid->who && !piece_among(ctx, forbid->who, step)) return false;
  return rule_holds(ctx, forbid);
}

/* Forbids of this phase that are judged before the step and are not ruled out already by what
 * does not depend on the step. */
static void gather_forbids(Search *s) {
  const Rules *rules = s->engine->rules;
  s->forbids = 0;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    if (f->leaves || f->judged != JUDGED_STEP || !rule_open(f, s->p)) continue;
    if (f->when && !(f->when->deps & ASKS_STEP) && !eval_condition(&s->ctx, f->when)) continue;
    if (f->unless && !(f->unless->deps & ASKS_STEP) && eval_condition(&s->ctx, f->unless))
      continue;
    s->forbid[s->forbids++] = f;
  }
}

static bool forbidden(Search *s) {
  if (!s->lawful) return false;
  if (s->forbids < 0) gather_forbids(s);
  for (int i = 0; i < s->forbids; i++)
    if (forbid_matches(&s->ctx, s->forbid[i], &s->step)) return true;
  return false;
}

/* A candidate whose origin, target and between are set in the search. */
static bool offer_step(Search *s) {
  s->ctx.between = &s->between;
  if (s->asks_step && !rule_holds(&s->ctx, s->rule)) return true;
  return forbidden(s) || s->found(s->with, &s->step, &s->between);
}

/* The sites of a clause that is judged before the step has a target. */
static SiteSet sites_on_the_way(Search *s, const Expr *e) {
  int target = s->ctx.target;
  s->ctx.target = -1;
  SiteSet sites = eval_sites(&s->ctx, e);
  s->ctx.target = target;
  return sites;
}

static bool to_allows(Search *s, int site) {
  if (!s->rule->to) return true;
  if (!s->to_kept) {
    s->to = sites_on_the_way(s, s->rule->to);
    s->to_kept = true;
  }
  return sites_has(&s->to, site);
}

static bool through_allows(Search *s, int site) {
  if (!s->rule->through) return true;
  if (!s->through_kept) {
    s->through = sites_on_the_way(s, s->rule->through);
    s->through_kept = true;
  }
  return sites_has(&s->through, site);
}

/* Follows one way from the origin; `next` gives the site after a site, or -1. */
static bool walk(Search *s, const int16_t *next, const Path *path) {
  int site = s->step.origin, index = path ? path->index_of[site] : -1;
  int most = path ? PATH_MAX * 2 : s->engine->rules->board.squares;
  s->between = sites_none();
  for (int64_t distance = 1; distance <= s->high && distance <= most; distance++) {
    if (path) {
      if (index < 0) return true;
      if (++index >= path->n) {
        if (path->wrap < 0) return true;
        index = path->wrap;
      }
      site = path->site[index];
    } else {
      site = next[site];
      if (site < 0) return true;
    }
    if (distance >= s->low && site != s->step.origin && to_allows(s, site)) {
      s->step.target = (int16_t)site;
      s->ctx.target = site;
      if (!offer_step(s)) return false;
    }
    if (distance < s->high) {
      if (!through_allows(s, site)) return true;
      sites_add(&s->between, site);
    }
  }
  return true;
}

static bool jump_anywhere(Search *s) {
  const Board *board = &s->engine->rules->board;
  s->between = sites_none();
  for (int site = 0; site < board->sites; site++) {
    if (site == s->step.origin || !to_allows(s, site)) continue;
    s->step.target = (int16_t)site;
    s->ctx.target = site;
    if (!offer_step(s)) return false;
  }
  return true;
}

/* Whether the value of a clause may change with these words, or is what a hook says. */
static bool asks(const Expr *e, uint32_t words) {
  return e && e->deps & (words | DEP_SLOW);
}

/* The ways from the origin and how far they are followed. */
static void find_way(Search *s) {
  const Rule *rule = s->rule;
  if (s->way_kept) return;
  s->low = s->high = 1;
  if (rule->reach_low) s->low = s->high = eval_number(&s->ctx, rule->reach_low);
  if (rule->reach_high) s->high = eval_number(&s->ctx, rule->reach_high);
  if (s->low < 1) s->low = 1;
  s->ways = rule->along ? eval_ways(&s->ctx, rule->along) : s->engine->rules->board.adjacent;
  s->way_kept = true;
}

static bool walk_from(Search *s, int origin) {
  const Rule *rule = s->rule;
  const Rules *rules = s->engine->rules;
  s->step.origin = (int16_t)origin;
  s->ctx.origin = origin;
  s->ctx.target = -1;
  s->ctx.between = NULL;
  if (asks(rule->to, ASKS_STEP)) s->to_kept = false;
  if (asks(rule->through, ASKS_STEP)) s->through_kept = false;
  if (asks(rule->along, DEP_ORIGIN) || asks(rule->reach_low, DEP_ORIGIN) ||
      asks(rule->reach_high, DEP_ORIGIN))
    s->way_kept = false;
  find_way(s);
  for (int d = 0; d < rules->board.dirs; d++)
    if ((s->ways >> d) & 1 && origin < rules->board.squares &&
        !walk(s, rules->board.next[d], NULL))
      return false;
  for (int i = 0; i < rules->paths; i++)
    if ((s->ways >> (WAY_PATHS + i)) & 1 && rules->path[i].index_of[origin] >= 0 &&
        !walk(s, NULL, &rules->path[i]))
      return false;
  return !((s->ways >> WAY_ANYWHERE) & 1) || jump_anywhere(s);
}

/* All steps of the rule in hand, with one die or none. */
static bool move_steps(Search *s) {
  const Rule *rule = s->rule;
  s->ctx.origin = s->ctx.target = -1;
  s->ctx.between = NULL;
  s->asks_step = (clause_deps(rule) & ASKS_STEP) != 0;
  if (!s->asks_step && !rule_holds(&s->ctx, rule)) return true;
  s->to_kept = s->through_kept = s->way_kept = false;
  PieceSet who;
  eval_pieces(&s->ctx, rule->who, &who);
  SiteSet origins = pieces_sites(&who);
  bool from_each = asks(rule->from, DEP_ORIGIN);
  if (rule->from && !from_each) origins = sites_and(origins, eval_sites(&s->ctx, rule->from));
  SITES_FOR(origin, origins) {
    s->ctx.origin = origin;
    if (from_each && !site_among(&s->ctx, rule->from, origin)) continue;
    for (uint32_t m = who.planes; m; m &= m - 1) {
      int plane = __builtin_ctz(m);
      if (!sites_has(&who.at[plane], origin)) continue;
      s->step.plane = (int16_t)plane;
      if (!walk_from(s, origin)) return false;
    }
  }
  return true;
}

static bool choose_one(Search *s, int index, int type, int32_t chosen) {
  s->step.choice = (int16_t)index;
  s->step.chosen = chosen;
  s->ctx.choice_type = type;
  s->ctx.chosen = chosen;
  s->ctx.between = NULL;
  if (!rule_holds(&s->ctx, s->rule)) return true;
  return forbidden(s) || s->found(s->with, &s->step, &s->between);
}

int choice_list(EvalCtx *ctx, const Rule *rule, int *type, int32_t *list, int most) {
  int n = 0;
  *type = TYPE_VALUES;
  for (int i = 0; i < rule->choose_n; i++) {
    const Expr *e = rule->choose[i];
    *type = e->type;
    if (e->type == TYPE_NUMBER) {
      if (n < most) list[n++] = (int32_t)eval_number(ctx, e);
      continue;
    }
    SiteSet set = sites_none();
    if (e->type == TYPE_SITES) set = eval_sites(ctx, e);
    if (e->type == TYPE_VALUES) set = eval_values(ctx, e);
    if (e->type == TYPE_PLAYERS) set.w[0] = eval_players(ctx, e) & (SEAT_NOBODY - 1);
    SITES_FOR(member, set) if (n < most) list[n++] = member;
  }
  return n;
}

static bool choice_steps(Search *s) {
  s->step.plane = s->step.origin = s->step.target = s->step.die = -1;
  s->ctx.origin = s->ctx.target = s->ctx.die = -1;
  s->between = sites_none();
  if (!s->rule->choose_n) return choose_one(s, -1, 0, 0);
  int32_t list[CHOICES_MAX];
  int type, n = choice_list(&s->ctx, s->rule, &type, list, CHOICES_MAX);
  bool on = true;
  for (int i = 0; on && i < n; i++) on = choose_one(s, i, type, list[i]);
  s->ctx.choice_type = 0;
  return on;
}

/* The move rule in hand once for each different die that is left, or once without. */
static bool with_each_die(Search *s) {
  s->step.choice = -1;
  s->step.chosen = 0;
  s->step.die = -1;
  s->ctx.die = -1;
  if (!s->rule->takes_die) return move_steps(s);
  for (int i = 0; i < s->p->dice; i++) {
    if (s->p->die[i] == 0 || (i && s->p->die[i] == s->p->die[i - 1])) continue;
    s->step.die = s->p->die[i];
    s->ctx.die = s->p->die[i];
    if (!move_steps(s)) return false;
  }
  return true;
}

bool step_candidates(Engine *engine, const Position *p, bool lawful, StepFound *found,
                     void *with) {
  Search s;
  s.engine = engine;
  s.p = p;
  s.lawful = lawful;
  s.found = found;
  s.with = with;
  s.ctx = eval_context(engine, p);
  memset(&s.step, 0, sizeof s.step);
  s.forbids = -1;
  const Rules *rules = engine->rules;
  for (int k = RULE_MOVE; k <= RULE_CHOICE; k++)
    for (int i = 0; i < rules->of_kind_n[k]; i++) {
      s.rule = &rules->rule[rules->of_kind[k][i]];
      if (!rule_open(s.rule, p)) continue;
      s.step.rule = (int16_t)s.rule->index;
      if (!(k == RULE_MOVE ? with_each_die(&s) : choice_steps(&s))) return false;
      s.ctx.die = -1;
    }
  return true;
}

EvalCtx step_context(Engine *engine, const Position *p, const Step *step,
                     const SiteSet *between) {
  EvalCtx ctx = eval_context(engine, p);
  ctx.origin = step->origin;
  ctx.target = step->target;
  ctx.die = step->die;
  ctx.between = between;
  const Rule *rule = &engine->rules->rule[step->rule];
  if (step->choice >= 0 && rule->choose_n) {
    ctx.choice_type = rule->choose[0]->type;
    ctx.chosen = step->chosen;
  }
  return ctx;
}

bool step_same(const Step *a, const Step *b) {
  return a->rule == b->rule && a->plane == b->plane && a->origin == b->origin &&
         a->target == b->target && a->die == b->die && a->choice == b->choice;
}

/* ---- the way of one step, found again ---- */

typedef struct Sought {
  const Step *step;
  SiteSet between;
  bool found;
} Sought;

static bool is_sought(void *with, const Step *step, const SiteSet *between) {
  Sought *s = with;
  if (!step_same(step, s->step)) return true;
  s->between = *between;
  s->found = true;
  return false;
}

bool step_between(Engine *engine, const Position *p, const Step *step, SiteSet *between) {
  Sought s;
  s.step = step;
  s.between = sites_none();
  s.found = false;
  step_candidates(engine, p, false, is_sought, &s);
  *between = s.between;
  return s.found;
}
