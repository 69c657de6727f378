/* Whole turns: every lawful sequence of steps, positions met twice expanded once; then the
 * obligations; then each is finished and turns to the same position become one, that which takes the fewest
 * pieces on its way.
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
  bool lawful; /* a complete lawful turn is here or below */
  bool goes_on, done; /* of a turn that wanders */
  int index;
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
  bool counts_steps; /* the turn has a number of steps */
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

/* What tells two moments of one turn apart in one place: the dice played; how many pieces were taken on
 * the way; what the rules ask of the last step, of all steps, of their number where the turn is bounded by
 * it; and how the last step went, where the next turn may ask for it. */
static uint64_t node_key(const Generation *g, const Position *p, uint64_t place) {
  const Rules *rules = g->engine->rules;
  int32_t told[11] = {p->dice_used, p->pips_used};
  if (rules->mentions & (MENTION_PREVIOUS | MENTION_MOVED)) {
    told[2] = p->last_target;
    told[3] = p->last_origin;
    told[4] = p->last_plane;
    told[5] = p->taken_n;
    told[6] = p->last_rule;
    told[10] = p->prev_target;
  }
  told[7] = p->captured;
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
Candidates turn_candidates(Engine *engine, const Position *p, bool lawful) {
  Candidates c = {engine, NULL, 0, 0};
  step_candidates(engine, p, lawful, keep_candidate, &c);
  return c;
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

static bool may_complete(const Generation *g, const TurnNode *n) {
  if (g->counts_steps && n->place == g->origin) return false;
  return !g->judged_end || !turn_forbidden(g->engine, g->start, n->p);
}
static void complete(Generation *g, TurnNode *n) {
  if (!may_complete(g, n)) return;
  n->lawful = true;
  VEC_PUSH(g->complete, n);
}

static void expand(Generation *g, TurnNode *n);

/* The step made, or NULL if a forbid looks at what it leaves. Its captures are in g->captured. */
static Position *made(Generation *g, const TurnNode *n, const Candidate *c) {
  Position *p = engine_block(g->engine, g->engine->layout.size);
  g->captured.n = 0;
  step_make(g->engine, n->p, &c->step, &c->between, p, &g->captured);
  if (step_leaves(g->engine, n->p, &c->step, &c->between, p)) return NULL;
  outcome_judge(g->engine, p, JUDGED_STEP);
  return p;
}

static TurnNode *add_kid(Generation *g, TurnNode *n, const Candidate *c, Position *p, uint64_t key, uint64_t place) {
  TurnNode *kid = add_node(g, n, p, key, place);
  kid->step = c->step;
  kid->captures = (int)g->captured.n;
  if (kid->captures) {
    Captured *list = engine_alloc(g->engine, g->captured.n * sizeof *list);
    memcpy(list, g->captured.at, g->captured.n * sizeof *list);
    kid->captured = list;
  }
  return kid;
}

/* Makes one candidate; true if it is a lawful step. */
static bool try_candidate(Generation *g, TurnNode *n, const Candidate *c) {
  Engine *engine = g->engine;
  Mark mark = engine_mark(engine);
  Position *p = made(g, n, c);
  uint64_t place = p ? place_key(g, p) : 0, key = p ? node_key(g, p, place) : 0;
  TurnNode *old = p ? find_node(g, p, key) : NULL;
  if (!p || old) {
    engine_release(engine, mark);
    if (old) n->lawful |= old->lawful;
    return old != NULL;
  }
  TurnNode *kid = add_kid(g, n, c, p, key, place);
  expand(g, kid);
  n->lawful |= kid->lawful;
  return true;
}

static void expand(Generation *g, TurnNode *n) {
  Going go = turn_going(g->engine, n->p);
  bool any = false;
  if (go.on && !g->too_many) {
    Candidates c = turn_candidates(g->engine, n->p, true);
    for (int i = 0; i < c.n && !g->too_many; i++) any |= try_candidate(g, n, &c.at[i]);
  }
  if (n->p->steps == 0) return;
  /* if every longer turn is forbidden at its end, this is as far as one may go */
  if (!go.on || !any || go.may_stop || !n->lawful) complete(g, n);
}

/* ---- turns that wander ----
 * Where neither dice nor a number bounds a turn, a step must lead to a position that no fewer steps and not as many
 * as were made so far lead to. So the moments of a turn lie in layers, by the number of steps, and what may follow
 * does not hang on the way by which a moment was reached. */

typedef struct Edge { /* a step from one moment to another */
  int from, to;
} Edge;
typedef struct Layers {
  VEC(TurnNode *) node; /* layer by layer */
  size_t seen;          /* so many of them are in the layers up to the one in hand: their places, to be found; 0: free */
  uint64_t *slot;
  size_t slots;
  VEC(Edge) edge;
} Layers;

/* The slot of a place, or the free one where it belongs. */
static uint64_t *place_slot(const Layers *l, uint64_t place) {
  place |= !place;
  size_t at = place & (l->slots - 1);
  while (l->slot[at] && l->slot[at] != place) at = (at + 1) & (l->slots - 1);
  return &l->slot[at];
}
static bool is_seen(const Layers *l, uint64_t place) { return *place_slot(l, place) != 0; }

/* A new layer begins: all moments that are known lie in it or before it. */
static void see_all(Layers *l) {
  if (l->node.n * 2 > l->slots) {
    l->slots = l->slots ? l->slots * 4 : 64;
    while (l->node.n * 2 > l->slots) l->slots *= 4;
    l->slot = memory_resize(l->slot, l->slots * sizeof *l->slot);
    memset(l->slot, 0, l->slots * sizeof *l->slot);
    l->seen = 0;
  }
  for (; l->seen < l->node.n; l->seen++) {
    uint64_t place = l->node.at[l->seen]->place;
    *place_slot(l, place) = place | !place;
  }
}

/* Makes one candidate of a moment; whether it is a lawful step. */
static bool wander_on(Generation *g, Layers *l, int from, const Candidate *c) {
  Mark mark = engine_mark(g->engine);
  TurnNode *n = l->node.at[from];
  Position *p = made(g, n, c);
  uint64_t place = p ? place_key(g, p) : 0;
  if (!p || is_seen(l, place)) {
    engine_release(g->engine, mark);
    return false;
  }
  uint64_t key = node_key(g, p, place);
  TurnNode *kid = find_node(g, p, key);
  if (kid) {
    engine_release(g->engine, mark);
  } else {
    kid = add_kid(g, n, c, p, key, place);
    kid->index = (int)l->node.n;
    VEC_PUSH(l->node, kid);
  }
  VEC_PUSH(l->edge, ((Edge){from, kid->index}));
  return true;
}

static void wander(Generation *g, TurnNode *root) {
  Layers l = {.slots = 0};
  VEC_PUSH(l.node, root);
  for (size_t i = 0; i < l.node.n && !g->too_many; i++) {
    if (i == l.seen) see_all(&l);
    TurnNode *n = l.node.at[i];
    Going go = turn_going(g->engine, n->p);
    bool any = false;
    if (go.on) {
      Candidates c = turn_candidates(g->engine, n->p, true);
      for (int k = 0; k < c.n && !g->too_many; k++) any |= wander_on(g, &l, (int)i, &c.at[k]);
    }
    n->goes_on = go.on && any && !go.may_stop;
  }
  size_t e = l.edge.n;
  for (size_t i = l.node.n; i-- > 1;) {
    TurnNode *n = l.node.at[i];
    for (; e > 0 && (size_t)l.edge.at[e - 1].from == i; e--) n->lawful |= l.node.at[l.edge.at[e - 1].to]->lawful;
    n->done = !n->goes_on || !n->lawful;
    if (n->done && may_complete(g, n)) n->lawful = true;
    else n->done = false;
  }
  for (size_t i = 1; i < l.node.n; i++)
    if (l.node.at[i]->done) VEC_PUSH(g->complete, l.node.at[i]);
  VEC_FREE(l.node);
  VEC_FREE(l.edge);
  memory_resize(l.slot, 0);
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

bool turns_wander(const Rules *rules) {
  bool spend = rules->of_kind_n[RULE_CHOICE] == 0;
  for (int i = 0; i < rules->of_kind_n[RULE_MOVE]; i++) spend &= rules->rule[rules->of_kind[RULE_MOVE][i]].takes_die;
  for (int i = 0; i < rules->phases; i++) spend &= rules->phase[i].turn.pool >= 0;
  for (int i = 0; i < rules->rules; i++)
    for (int k = 0; rules->rule[i].exists && k < rules->rule[i].do_.n; k++)
      spend &= rules->rule[i].do_.at[k].op != EFFECT_GAIN;
  return !spend;
}

/* ---- results ---- */

uint64_t turn_key(Engine *engine, const Position *p) {
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

/* Turns in the order of the ways that stand for them: `way`, of each its place among the n complete ones. */
static void order_turns(Engine *engine, Turns *turns, const int32_t *way, size_t n) {
  Turn *sorted = engine_alloc(engine, ((size_t)turns->n + 1) * sizeof *sorted);
  int32_t *at = engine_alloc(engine, (n + 1) * sizeof *at); /* index + 1 */
  int k = 0;
  for (int i = 0; i < turns->n; i++) at[way[i]] = i + 1;
  for (size_t i = 0; i < n; i++)
    if (at[i]) sorted[k++] = turns->at[at[i] - 1];
  turns->at = sorted;
}

static Turns finish_all(Generation *g) {
  Engine *engine = g->engine;
  Turns turns = {NULL, 0, g->too_many};
  size_t n = g->complete.n, slots = 16;
  while (slots < n * 2) slots *= 2;
  turns.at = engine_alloc(engine, (n + 1) * sizeof *turns.at);
  uint64_t *keys = engine_alloc(engine, (n + 1) * sizeof *keys);
  int32_t *way = engine_alloc(engine, (n + 1) * sizeof *way); /* which of the complete ones stands for it */
  bool rising = true;
  int32_t *slot = engine_alloc(engine, slots * sizeof *slot); /* index + 1 */
  for (size_t i = 0; i < n; i++) {
    Mark mark = engine_mark(engine);
    Position *after = engine_block(engine, engine->layout.size);
    position_copy(after, g->complete.at[i]->p);
    turn_finish(engine, after);
    uint64_t key = turn_key(engine, after);
    size_t at = key & (slots - 1);
    int same = -1;
    for (; slot[at]; at = (at + 1) & (slots - 1)) {
      same = slot[at] - 1;
      if (keys[same] == key && position_same(engine->rules, &engine->layout, turns.at[same].after, after)) break;
    }
    if (slot[at]) {
      bool fewer = g->complete.at[i]->p->captured < g->complete.at[way[same]]->p->captured;
      if (fewer) position_copy(turns.at[same].after, after); /* with all that the way has done */
      engine_release(engine, mark);
      if (!fewer) continue;
      write_turn(engine, g->complete.at[i], &turns.at[same]);
      way[same] = (int32_t)i;
      rising = false;
      continue;
    }
    slot[at] = turns.n + 1;
    keys[turns.n] = key;
    way[turns.n] = (int32_t)i;
    Turn *turn = &turns.at[turns.n++];
    turn->after = after;
    write_turn(engine, g->complete.at[i], turn);
  }
  if (!rising) order_turns(engine, &turns, way, n);
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
  const TurnShape *shape = turn_shape(engine, p);
  if (!(shape->steps_low && !shape->again) && turns_wander(rules))
    wander(g, n);
  else
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
