/* Single steps, for interactive play and explanations: candidates, and which of them begin a legal turn. */
#include "play/inside.h"

typedef struct AnyStep {
  Engine *engine;
  const Position *p;
  bool found;
} AnyStep;

static bool first_lawful(void *with, const Step *step, const SiteSet *between) {
  AnyStep *a = with;
  if (!a->engine->leaves) {
    a->found = true;
    return false;
  }
  Mark mark = engine_mark(a->engine);
  Position *p = engine_block(a->engine, a->engine->layout.size);
  step_make(a->engine, a->p, step, between, p, NULL);
  a->found = !step_leaves(a->engine, a->p, step, between, p);
  engine_release(a->engine, mark);
  return !a->found;
}

bool turn_any_step(Engine *engine, const Position *p) {
  AnyStep a = {engine, p, false};
  RuleWatch *watch = engine->watch;
  engine->watch = NULL; /* these steps are only thought of */
  step_candidates(engine, p, true, first_lawful, &a);
  engine->watch = watch;
  return a.found;
}

Steps engine_candidates(Engine *engine, const Position *p) {
  Steps steps = {NULL, 0};
  if (p->stage == STAGE_ENDED) return steps;
  Candidates c = turn_candidates(engine, p, false);
  steps.at = engine_alloc(engine, (size_t)(c.n + 1) * sizeof *steps.at);
  for (int i = 0; i < c.n; i++) steps.at[steps.n++] = c.at[i].step;
  return steps;
}

/* The results of turns, to be found by position. */
typedef struct Results {
  Engine *engine;
  const Turns *turns;
  uint64_t *key;
  int32_t *slot; /* index + 1 */
  size_t slots;
} Results;

static Results results_of(Engine *engine, const Turns *turns) {
  Results r = {engine, turns, NULL, NULL, 16};
  while (r.slots < (size_t)turns->n * 2) r.slots *= 2;
  r.key = engine_alloc(engine, (size_t)(turns->n + 1) * sizeof *r.key);
  r.slot = engine_alloc(engine, r.slots * sizeof *r.slot);
  for (int t = 0; t < turns->n; t++) {
    r.key[t] = turn_key(engine, turns->at[t].after);
    size_t at = r.key[t] & (r.slots - 1);
    while (r.slot[at]) at = (at + 1) & (r.slots - 1);
    r.slot[at] = t + 1;
  }
  return r;
}

static bool results_have(const Results *r, const Position *after) {
  uint64_t key = turn_key(r->engine, after);
  for (size_t at = key & (r->slots - 1); r->slot[at]; at = (at + 1) & (r->slots - 1)) {
    int t = r->slot[at] - 1;
    if (r->key[t] == key && position_same(r->engine->rules, &r->engine->layout,
                                          r->turns->at[t].after, after))
      return true;
  }
  return false;
}

/* A step begins a legal turn if some legal turn from the position it leads to is one of those
 * from here: the results of its turns are compared with the results from here. */
Steps engine_steps(Engine *engine, const Position *p) {
  Steps steps = {NULL, 0};
  if (p->stage == STAGE_ENDED) return steps;
  Turns all = engine_turns(engine, p);
  if (all.too_many) return steps;
  Results results = results_of(engine, &all);
  Candidates c = turn_candidates(engine, p, true);
  steps.at = engine_alloc(engine, (size_t)(c.n + 1) * sizeof *steps.at);
  for (int i = 0; i < c.n; i++) {
    bool good = false;
    for (int t = 0; !good && t < all.n; t++)
      good = all.at[t].steps && step_same(&all.at[t].step[0], &c.at[i].step);
    if (!good) {
      Mark mark = engine_mark(engine);
      Position *next = engine_block(engine, engine->layout.size);
      step_make(engine, p, &c.at[i].step, &c.at[i].between, next, NULL);
      if (!step_leaves(engine, p, &c.at[i].step, &c.at[i].between, next)) {
        outcome_judge(engine, next, JUDGED_STEP);
        Turns then = {NULL, 0, false};
        Turn over = {NULL, 0, NULL, 0, next};
        if (next->stage == STAGE_ENDED) {
          then.at = &over;
          then.n = 1;
        } else {
          then = engine_turns(engine, next);
        }
        for (int k = 0; !good && k < then.n; k++)
          good = results_have(&results, then.at[k].after);
      }
      engine_release(engine, mark);
    }
    if (good) steps.at[steps.n++] = c.at[i].step;
  }
  return steps;
}

void engine_make(Engine *engine, const Position *from, const Step *step, Position *to,
                 const Captured **captured, int *captures) {
  SiteSet between;
  CapturedList list = {NULL, 0, 0};
  step_between(engine, from, step, &between);
  step_make(engine, from, step, &between, to, &list);
  outcome_judge(engine, to, JUDGED_STEP);
  if (captured) {
    Captured *copy = engine_alloc(engine, (list.n + 1) * sizeof *copy);
    if (list.n) memcpy(copy, list.at, list.n * sizeof *copy);
    *captured = copy;
    *captures = (int)list.n;
  }
  VEC_FREE(list);
}

void engine_finish(Engine *engine, Position *p) { turn_finish(engine, p); }
