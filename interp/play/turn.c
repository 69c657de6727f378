/* Whole turns: every lawful sequence of steps, positions met twice expanded once; then the
 * obligations; then each is finished and turns to the same position become one.
 *
 *   root ── step ── node ── step ── node*        * complete: no further lawful step,
 *     └──── step ── node*                            or the turn may stop here             */
#include "play/inside.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { STEPS_MOST = 400 };

typedef struct TurnNode TurnNode;
struct TurnNode {
  const TurnNode *parent;
  TurnNode *bucket; /* next with the same hash slot */
  uint64_t key;
  uint64_t place; /* the position alone */
  Position *p;
  Step step;
  const Captured *captured;
  int captures;
  bool open;   /* being expanded: an ancestor of what is looked at */
  bool lawful; /* a complete lawful turn is here or below */
};

typedef struct Generation {
  Engine *engine;
  const Position *start;
  TurnNode **slot;
  size_t slots;
  int nodes;
  VEC(TurnNode *) complete;
  uint64_t origin; /* the place where the turn began; 0: not known */
  bool judged_end; /* there are forbids judged end */
  bool counts_steps; /* the turn is bounded by a number of steps */
  bool tells_last;   /* the next turns may ask for the last step of this one */
  bool too_many;
  CapturedList captured; /* of the step in hand */
} Generation;

/* ---- nodes met before ---- */

/* The position in the middle of a turn: pieces, states, dice left. Its start is a place of its own
 * unless steps are counted: a step that changes nothing may be a turn. */
static uint64_t place_key(const Generation *g, const Position *p) {
  const Rules *rules = g->engine->rules;
  const Layout *l = &g->engine->layout;
  struct {
    int32_t phase, active, end_rule, dice, started;
    uint8_t die[DICE_MAX];
  } head;
  memset(&head, 0, sizeof head);
  head.phase = p->phase;
  head.active = p->active;
  head.end_rule = p->end_rule;
  head.dice = p->dice;
  head.started = p->steps > 0 && !g->counts_steps;
  memcpy(head.die, p->die, sizeof head.die);
  uint64_t key = XXH3_64bits(&head, sizeof head);
  key = XXH3_64bits_withSeed(position_count(l, p),
                             (size_t)rules->planes * (size_t)rules->board.sites * 2, key);
  if (rules->all_cells)
    key = XXH3_64bits_withSeed(position_cells(l, p), (size_t)rules->all_cells * 4, key);
  return key;
}

/* What tells two moments of one turn apart in one place: the dice played; what the rules ask of
 * the last step, of all steps, of their number where the turn is bounded by it; and how the last
 * step went and whether something was taken, where the next turn may ask for it. */
static uint64_t node_key(const Generation *g, const Position *p, uint64_t place) {
  const Rules *rules = g->engine->rules;
  int32_t told[12] = {p->dice_used, p->pips_used};
  if (rules->mentions & (MENTION_PREVIOUS | MENTION_MOVED)) {
    told[2] = p->last_target;
    told[3] = p->last_origin;
    told[4] = p->last_plane;
    told[5] = p->taken_n;
    told[6] = p->last_rule;
    told[11] = p->prev_target;
  }
  if (rules->mentions & MENTION_ORDER) told[7] = p->captured;
  if (rules->mentions & MENTION_QUIET) told[10] = p->captured > 0;
  if (g->counts_steps) told[8] = p->steps;
  if (g->tells_last) told[9] = (int32_t)((uint32_t)(uint16_t)p->turn_origin << 16 | (uint16_t)p->turn_target);
  uint64_t key = XXH3_64bits_withSeed(told, sizeof told, place);
  if (rules->mentions & MENTION_ORDER)
    key = XXH3_64bits_withSeed(position_uses(&g->engine->layout, p), (size_t)rules->rules * 2, key);
  return key;
}

static bool node_same(const Generation *g, const Position *a, const Position *b) {
  const Rules *rules = g->engine->rules;
  const Layout *l = &g->engine->layout;
  return !memcmp(position_count(l, a), position_count(l, b),
                 (size_t)rules->planes * (size_t)rules->board.sites * 2) &&
         !memcmp(position_cells(l, a), position_cells(l, b), (size_t)rules->all_cells * 4) &&
         a->dice == b->dice && !memcmp(a->die, b->die, sizeof a->die) &&
         (!g->counts_steps || a->steps == b->steps) &&
         (!g->tells_last ||
          (a->turn_origin == b->turn_origin && a->turn_target == b->turn_target));
}

static void grow_slots(Generation *g) {
  size_t slots = g->slots ? g->slots * 4 : 64;
  TurnNode **slot = engine_alloc(g->engine, slots * sizeof *slot);
  for (size_t i = 0; i < g->slots; i++)
    for (TurnNode *n = g->slot[i], *next; n; n = next) {
      next = n->bucket;
      n->bucket = slot[n->key & (slots - 1)];
      slot[n->key & (slots - 1)] = n;
    }
  g->slot = slot;
  g->slots = slots;
}

static TurnNode *find_node(Generation *g, const Position *p, uint64_t key) {
  if (!g->slots) return NULL;
  for (TurnNode *n = g->slot[key & (g->slots - 1)]; n; n = n->bucket)
    if (n->key == key && node_same(g, n->p, p)) return n;
  return NULL;
}

static TurnNode *add_node(Generation *g, const TurnNode *parent, Position *p, uint64_t key,
                          uint64_t place) {
  if ((size_t)g->nodes >= g->slots) grow_slots(g);
  TurnNode *n = engine_alloc(g->engine, sizeof *n);
  n->parent = parent;
  n->p = p;
  n->key = key;
  n->place = place;
  n->bucket = g->slot[key & (g->slots - 1)];
  g->slot[key & (g->slots - 1)] = n;
  if (++g->nodes >= TURNS_MOST) g->too_many = true;
  return n;
}

/* ---- expanding ---- */

typedef struct Candidate {
  Step step;
  SiteSet between;
} Candidate;
typedef struct Candidates {
  Engine *engine;
  Candidate *at;
  int n, room;
} Candidates;

static bool keep_candidate(void *with, const Step *step, const SiteSet *between) {
  Candidates *c = with;
  if (c->n == c->room) {
    int room = c->room ? c->room * 2 : 32;
    Candidate *at = engine_block(c->engine, (size_t)room * sizeof *at);
    if (c->n) memcpy(at, c->at, (size_t)c->n * sizeof *at);
    c->at = at;
    c->room = room;
  }
  c->at[c->n].step = *step;
  c->at[c->n++].between = *between;
  return true;
}

static const Rule *forbidden_by(Engine *engine, const Position *start, const Position *p) {
  const Rules *rules = engine->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    if (f->judged != JUDGED_END || !rule_open(f, start)) continue;
    Step last = {p->last_rule, p->last_plane, p->last_origin, p->last_target, p->last_die, -1, 0};
    SiteSet none = sites_none();
    EvalCtx ctx = p->last_rule >= 0 ? step_context(engine, p, &last, &none)
                                    : eval_context(engine, p);
    ctx.made = true;
    if (!forbid_matches(&ctx, f, &last)) continue;
    if (!f->leaves || eval_condition(&ctx, f->leaves)) return f;
  }
  return NULL;
}

/* A turn that has ended the game is judged as its player's, too. */
const Rule *turn_forbidden(Engine *engine, const Position *start, const Position *p) {
  if (p->mover == p->turn_mover) return forbidden_by(engine, start, p);
  Mark mark = engine_mark(engine);
  Position *copy = engine_block(engine, engine->layout.size);
  position_copy(copy, p);
  copy->mover = copy->turn_mover;
  const Rule *by = forbidden_by(engine, start, copy);
  engine_release(engine, mark);
  return by;
}

Going turn_going(Engine *engine, const Position *p) {
  const TurnShape *shape = turn_shape(engine, p);
  Going go = {true, false};
  if (p->stage == STAGE_ENDED) {
    go.on = false;
    return go;
  }
  if (p->steps == 0) return go;
  if (p->steps >= STEPS_MOST || !((p->active >> p->mover) & 1)) {
    go.on = false;
    return go;
  }
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  bool again = shape->again && eval_condition(&ctx, shape->again);
  if (again) return go;
  if (shape->steps_low) {
    int64_t low = eval_number(&ctx, shape->steps_low);
    int64_t high = shape->steps_high ? eval_number(&ctx, shape->steps_high) : low;
    go.on = p->steps < high;
    go.may_stop = p->steps >= low;
  } else if (shape->pool < 0) {
    go.on = false;
  }
  return go;
}

static void complete(Generation *g, TurnNode *n) {
  if (g->counts_steps && n->place == g->origin) return;
  if (g->judged_end && turn_forbidden(g->engine, g->start, n->p)) return;
  n->lawful = true;
  VEC_PUSH(g->complete, n);
}

static void expand(Generation *g, TurnNode *n);

/* Whether the turn has been in this position before: it may not come back to it. Where its steps are
 * counted it may, for their number bounds it; only it may not end where it began (see complete). */
static bool comes_back(const Generation *g, const TurnNode *n, uint64_t place) {
  for (; n && !g->counts_steps; n = n->parent)
    if (n->place == place) return true;
  return false;
}

/* Makes one candidate; true if it is a lawful step. */
static bool try_candidate(Generation *g, TurnNode *n, const Candidate *c) {
  Engine *engine = g->engine;
  Mark mark = engine_mark(engine);
  Position *p = engine_block(engine, engine->layout.size);
  g->captured.n = 0;
  step_make(engine, n->p, &c->step, &c->between, p, &g->captured);
  if (step_leaves(engine, n->p, &c->step, &c->between, p)) {
    engine_release(engine, mark);
    return false;
  }
  outcome_judge(engine, p, JUDGED_STEP);
  uint64_t place = place_key(g, p), key = node_key(g, p, place);
  if (comes_back(g, n, place)) {
    engine_release(engine, mark);
    return false;
  }
  TurnNode *old = find_node(g, p, key);
  if (old) {
    engine_release(engine, mark);
    n->lawful |= old->lawful;
    return !old->open;
  }
  TurnNode *kid = add_node(g, n, p, key, place);
  kid->step = c->step;
  kid->captures = (int)g->captured.n;
  if (kid->captures) {
    Captured *list = engine_alloc(engine, g->captured.n * sizeof *list);
    memcpy(list, g->captured.at, g->captured.n * sizeof *list);
    kid->captured = list;
  }
  expand(g, kid);
  n->lawful |= kid->lawful;
  return true;
}

static void expand(Generation *g, TurnNode *n) {
  Going go = turn_going(g->engine, n->p);
  bool any = false;
  n->open = true;
  if (go.on && !g->too_many) {
    Candidates c = {g->engine, NULL, 0, 0};
    step_candidates(g->engine, n->p, true, keep_candidate, &c);
    for (int i = 0; i < c.n && !g->too_many; i++) any |= try_candidate(g, n, &c.at[i]);
  }
  n->open = false;
  if (n->p->steps == 0) return;
  bool below = n->lawful;
  if (!go.on || !any || go.may_stop)
    complete(g, n);
  else if (!below)
    complete(g, n); /* every longer turn is forbidden at its end: this is as far as one may go */
}

/* ---- obligations ---- */

Duty turn_duty(Engine *engine, const Rule *must, const Position *p) {
  Duty duty = {false, false, 0};
  Mark mark = engine_mark(engine);
  Position *copy = engine_block(engine, engine->layout.size);
  position_copy(copy, p);
  copy->mover = copy->turn_mover;
  EvalCtx ctx = eval_context(engine, copy);
  ctx.made = true;
  duty.concerned = !must->when || eval_condition(&ctx, must->when);
  if (duty.concerned) {
    duty.exempt = must->unless && eval_condition(&ctx, must->unless);
    duty.value = eval_number(&ctx, must->maximize);
  }
  engine_release(engine, mark);
  return duty;
}

static void apply_must(Generation *g, const Rule *must) {
  size_t n = g->complete.n;
  Mark mark = engine_mark(g->engine);
  Duty *duty = engine_alloc(g->engine, n * sizeof *duty);
  int64_t best = INT64_MIN;
  for (size_t i = 0; i < n; i++) {
    duty[i] = turn_duty(g->engine, must, g->complete.at[i]->p);
    if (duty[i].concerned && duty[i].value > best) best = duty[i].value;
  }
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!duty[i].concerned || duty[i].exempt || duty[i].value == best)
      g->complete.at[kept++] = g->complete.at[i];
  g->complete.n = kept;
  engine_release(g->engine, mark);
}

static void apply_musts(Generation *g) {
  const Rules *rules = g->engine->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_MUST]; i++) {
    const Rule *must = &rules->rule[rules->of_kind[RULE_MUST][i]];
    if (rule_open(must, g->start)) apply_must(g, must);
  }
}

/* ---- results ---- */

static uint64_t after_key(Engine *engine, const Position *p) {
  uint64_t key = position_key(engine->rules, &engine->layout, p, p->mover);
  return key ^ ((uint64_t)(p->end_rule + 1) << 48);
}

static void write_turn(Engine *engine, const TurnNode *n, Turn *turn) {
  int steps = 0, captures = 0;
  for (const TurnNode *k = n; k->parent; k = k->parent) {
    steps++;
    captures += k->captures;
  }
  Step *step = engine_alloc(engine, (size_t)(steps + 1) * sizeof *step);
  Captured *captured = engine_alloc(engine, (size_t)(captures + 1) * sizeof *captured);
  turn->steps = steps;
  turn->captures = captures;
  turn->step = step;
  turn->captured = captured;
  for (const TurnNode *k = n; k->parent; k = k->parent) {
    step[--steps] = k->step;
    for (int i = k->captures; i--;) captured[--captures] = k->captured[i];
  }
}

static Turns finish_all(Generation *g) {
  Engine *engine = g->engine;
  Turns turns = {NULL, 0, g->too_many};
  size_t n = g->complete.n, slots = 16;
  while (slots < n * 2) slots *= 2;
  turns.at = engine_alloc(engine, (n + 1) * sizeof *turns.at);
  uint64_t *keys = engine_alloc(engine, (n + 1) * sizeof *keys);
  int32_t *slot = engine_alloc(engine, slots * sizeof *slot); /* index + 1 */
  for (size_t i = 0; i < n; i++) {
    Mark mark = engine_mark(engine);
    Position *after = engine_block(engine, engine->layout.size);
    position_copy(after, g->complete.at[i]->p);
    turn_finish(engine, after);
    uint64_t key = after_key(engine, after);
    size_t at = key & (slots - 1);
    bool same = false;
    for (; slot[at]; at = (at + 1) & (slots - 1)) {
      int k = slot[at] - 1;
      if (keys[k] == key &&
          position_same(engine->rules, &engine->layout, turns.at[k].after, after)) {
        same = true;
        break;
      }
    }
    if (same) {
      engine_release(engine, mark);
      continue;
    }
    slot[at] = turns.n + 1;
    keys[turns.n] = key;
    Turn *turn = &turns.at[turns.n++];
    turn->after = after;
    write_turn(engine, g->complete.at[i], turn);
  }
  return turns;
}

static Turns pass(Engine *engine, const Position *p) {
  Turns turns = {engine_alloc(engine, sizeof(Turn)), 1, false};
  Position *after = engine_block(engine, engine->layout.size);
  position_copy(after, p);
  turn_finish(engine, after);
  turns.at[0].after = after;
  return turns;
}

/* All complete turns, obligations applied. */
static void generate(Generation *g, Engine *engine, const Position *p) {
  memset(g, 0, sizeof *g);
  g->engine = engine;
  g->start = p;
  const Rules *rules = engine->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++)
    g->judged_end |= rules->rule[rules->of_kind[RULE_FORBID][i]].judged == JUDGED_END;
  Position *root = engine_block(engine, engine->layout.size);
  position_copy(root, p);
  g->counts_steps = turn_shape(engine, p)->steps_low != NULL;
  g->tells_last = (rules->mentions & MENTION_LAST) != 0;
  uint64_t place = place_key(g, root);
  if (p->steps == 0) g->origin = place;
  TurnNode *n = add_node(g, NULL, root, node_key(g, root, place), place);
  expand(g, n);
  apply_musts(g);
}
static void generation_free(Generation *g) {
  VEC_FREE(g->complete);
  VEC_FREE(g->captured);
}

Turns engine_turns(Engine *engine, const Position *p) {
  Turns turns = {NULL, 0, false};
  if (p->stage == STAGE_ENDED) return turns;
  Generation g;
  generate(&g, engine, p);
  turns = g.complete.n ? finish_all(&g) : pass(engine, p);
  turns.too_many = g.too_many;
  generation_free(&g);
  return turns;
}

bool turn_may_end(Engine *engine, const Position *start, const Position *p) {
  if (!turn_shape(engine, start)->steps_low || p->stage == STAGE_ENDED) return true;
  Going go = turn_going(engine, p);
  if (!go.on || go.may_stop) return true;
  Mark mark = engine_mark(engine);
  Generation g;
  generate(&g, engine, start);
  uint64_t key = node_key(&g, p, place_key(&g, p));
  bool may = false;
  for (size_t i = 0; i < g.complete.n && !may; i++)
    may = g.complete.at[i]->key == key && node_same(&g, g.complete.at[i]->p, p);
  generation_free(&g);
  engine_release(engine, mark);
  return may;
}

int64_t engine_count_turns(Engine *engine, const Position *p) {
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, p);
  int n = turns.n;
  engine_release(engine, mark);
  return n;
}

/* ---- single steps ---- */

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
  Candidates c = {engine, NULL, 0, 0};
  Steps steps = {NULL, 0};
  if (p->stage == STAGE_ENDED) return steps;
  step_candidates(engine, p, false, keep_candidate, &c);
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
    r.key[t] = after_key(engine, turns->at[t].after);
    size_t at = r.key[t] & (r.slots - 1);
    while (r.slot[at]) at = (at + 1) & (r.slots - 1);
    r.slot[at] = t + 1;
  }
  return r;
}

static bool results_have(const Results *r, const Position *after) {
  uint64_t key = after_key(r->engine, after);
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
  Candidates c = {engine, NULL, 0, 0};
  step_candidates(engine, p, true, keep_candidate, &c);
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
