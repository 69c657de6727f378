/* Turns of a kernel in the reference's words: its steps, their order, where they lead. What they
 * take is found by making the steps, where something else than their pieces has changed. */
#include "play/lister.h"

#include <stdlib.h>
#include <string.h>

#include "play/inside.h"
#include "play/kernel.h"

enum { STEPS_ROOM = 512 };

struct Lister {
  Engine *engine;
  const Kernel *kernel, *next; /* who lists; who does from the next game on */
  KernelPlayer player;
  void *now;      /* a position of the kernel's */
  char *past;     /* those of the history, if the rules ask for it */
  int64_t pasts, past_room;
  bool lost;      /* the kernel does not know the history: until the next game the reference lists */
  bool by_kernel; /* the last list */
  const char *failed; /* why the kernel could not make it */
  Position *made, *after;
  uint16_t *count; /* pieces as a turn's steps alone would leave them */
};

/* ---- who lists ---- */

static void put_away(Lister *l) {
  if (!l->kernel) return;
  kernel_close(&l->player);
  memory_resize(l->now, 0);
  memory_resize(l->past, 0);
  l->now = NULL;
  l->past = NULL;
  l->pasts = l->past_room = 0;
  l->kernel = NULL;
}

static void take_up(Lister *l, const Kernel *kernel) {
  put_away(l);
  l->kernel = kernel;
  if (!kernel) return;
  kernel_open(kernel, &l->player);
  l->now = memory_resize(NULL, kernel->size);
}

void lister_use(Lister *l, const Kernel *kernel) {
  l->next = kernel;
  if (!kernel) put_away(l);
}

/* ---- the history ---- */

static void push(Lister *l, const Position *p) {
  size_t size = l->kernel->size;
  if (l->pasts == l->past_room) {
    l->past_room = l->past_room ? l->past_room * 2 : 64;
    l->past = memory_resize(l->past, size * (size_t)l->past_room);
  }
  char *at = l->past + size * (size_t)l->pasts;
  l->lost |= !kernel_load_into(l->kernel, engine_layout(l->engine), p, at);
  l->pasts++;
  if (!l->lost) l->kernel->api->push(l->player.ctx, at);
}

static void pop(Lister *l) {
  l->pasts -= l->pasts > 0;
  l->kernel->api->forget(l->player.ctx);
  for (int64_t i = 0; i < l->pasts && !l->lost; i++)
    l->kernel->api->push(l->player.ctx, l->past + l->kernel->size * (size_t)i);
}

static void watch(void *with, HistoryEvent event, const Position *p) {
  Lister *l = with;
  if (event == HISTORY_CLEARED) {
    if (l->next != l->kernel) take_up(l, l->next);
    l->pasts = 0;
    l->lost = false;
    if (l->kernel) l->kernel->api->forget(l->player.ctx);
  }
  if (!l->kernel || !l->kernel->program->repeats) return;
  if (event == HISTORY_PUSHED) push(l, p);
  if (event == HISTORY_POPPED) pop(l);
}

Lister *lister_new(Engine *engine) {
  Lister *l = memory_resize(NULL, sizeof *l);
  memset(l, 0, sizeof *l);
  l->engine = engine;
  l->made = engine_position(engine);
  l->after = engine_position(engine);
  const Rules *rules = engine_rules(engine);
  l->count = memory_resize(NULL, sizeof *l->count * (size_t)(rules->planes * rules->board.sites + 1));
  engine_watch_history(engine, watch, l);
  return l;
}

void lister_free(Lister *l) {
  if (!l) return;
  put_away(l);
  engine_watch_history(l->engine, NULL, NULL);
  memory_resize(l->count, 0);
  free(l->made);
  free(l->after);
  memory_resize(l, 0);
}

/* ---- the order of the reference ---- */

/* How many stops along the way lie between; where there is no way, by number. */
static int distance(const Rules *rules, const MachineStep *m) {
  SiteSet between;
  if (m->way == WAY_ANYWHERE || !kernel_way(rules, m, &between)) return m->target;
  return sites_count(&between);
}

/* A number for a step, in the order in which the reference looks at candidates: rule by rule,
 * the largest die first, from each site, each piece, every way, the nearest first. */
static uint64_t rank(const Rules *rules, const MachineStep *m) {
  const Rule *rule = &rules->rule[m->rule];
  uint64_t place = 0;
  while (rules->of_kind[rule->kind][place] != m->rule) place++;
  uint64_t key = (uint64_t)(rule->kind == RULE_CHOICE) << 62 | place << 52;
  if (m->plane < 0) return key | (uint64_t)(uint16_t)(m->choice + 1);
  key |= (uint64_t)(DIE_MAX - m->die) << 44 | (uint64_t)m->origin << 34 | (uint64_t)m->plane << 28;
  return key | (uint64_t)m->way << 20 | (uint64_t)distance(rules, m);
}

typedef struct Listed {
  Turn turn;
  const uint64_t *rank; /* of its steps */
} Listed;

/* Turns in the order of their steps; one that goes on comes before one that stops there. */
static int compare(const void *a, const void *b) {
  const Listed *x = a, *y = b;
  for (int i = 0; i < x->turn.steps && i < y->turn.steps; i++)
    if (x->rank[i] != y->rank[i]) return x->rank[i] < y->rank[i] ? -1 : 1;
  return (y->turn.steps > x->turn.steps) - (y->turn.steps < x->turn.steps);
}

/* ---- reading ---- */

/* What no turn changes, and the kernel may not keep. */
static void keep(const Kernel *k, const Position *p, Position *after) {
  if (k->program->slot[F_STARTER] < 0) after->starter = p->starter;
  if (k->program->slot[F_OVERRUNS] < 0) memcpy(after->overruns, p->overruns, sizeof after->overruns);
}

static Listed read_turn(Lister *l, const Position *p, int64_t i) {
  MachineStep got[STEPS_ROOM];
  int n = l->kernel->api->steps(l->player.ctx, i, got, STEPS_ROOM);
  if (n > STEPS_ROOM) n = STEPS_ROOM;
  Step *step = engine_block(l->engine, sizeof *step * (size_t)(n + 1));
  uint64_t *ranks = engine_block(l->engine, sizeof *ranks * (size_t)(n + 1));
  for (int k = 0; k < n; k++) {
    step[k] = kernel_step(l->kernel, &got[k]);
    ranks[k] = rank(l->kernel->rules, &got[k]);
  }
  Position *after = engine_block(l->engine, engine_layout(l->engine)->size);
  kernel_store(l->kernel, engine_layout(l->engine), l->kernel->api->turn(l->player.ctx, i), after);
  keep(l->kernel, p, after);
  return (Listed){{.step = step, .steps = n, .after = after}, ranks};
}

/* Whether the pieces stand as the steps alone would leave them: then nothing was taken. */
static bool only_moves(Lister *l, const Position *p, const Turn *turn) {
  const Rules *rules = l->kernel->rules;
  const Layout *layout = engine_layout(l->engine);
  size_t size = sizeof *l->count * (size_t)rules->planes * (size_t)rules->board.sites;
  memcpy(l->count, position_count(layout, p), size);
  for (int i = 0; i < turn->steps; i++) {
    const Step *s = &turn->step[i];
    if (s->plane < 0) continue;
    uint16_t *count = l->count + s->plane * rules->board.sites;
    count[s->origin]--;
    count[s->target]++;
  }
  return !memcmp(l->count, position_count(layout, turn->after), size);
}

/* Makes the steps from p: what they take to the turn, where they lead to l->made. */
static void make_steps(Lister *l, const Position *p, Turn *turn) {
  CapturedList all = {NULL, 0, 0};
  position_copy(l->made, p);
  for (int i = 0; i < turn->steps; i++) {
    Mark mark = engine_mark(l->engine);
    const Captured *captured;
    int n;
    engine_make(l->engine, l->made, &turn->step[i], l->after, &captured, &n);
    for (int k = 0; k < n; k++) VEC_PUSH(all, captured[k]);
    engine_release(l->engine, mark);
    position_copy(l->made, l->after);
  }
  Captured *list = engine_alloc(l->engine, sizeof *list * (all.n + 1));
  if (all.n) memcpy(list, all.at, sizeof *list * all.n);
  turn->captured = list;
  turn->captures = (int)all.n;
  VEC_FREE(all);
}

/* Whether the kernel counts whatever the rules speak of, if only in offers. */
static bool counts_all(const Kernel *k) {
  const int16_t *slot = k->program->slot;
  if (k->rules->mentions & MENTION_TURNS && (slot[F_TURNS] < 0 || slot[F_TURN_COUNT] < 0)) return false;
  if (k->rules->mentions & MENTION_PASSES && slot[F_PASSES] < 0) return false;
  return !(k->rules->mentions & MENTION_QUIET) || slot[F_QUIET] >= 0;
}

/* A turn of several steps may take something that stands again when it is over. */
static void tell(Lister *l, const Position *p, ListerWant want, Turn *turn) {
  bool moves = want != LISTER_PLACES && only_moves(l, p, turn);
  if (want == LISTER_ALL && (!moves || turn->steps > 1 || !counts_all(l->kernel)))
    lister_make(l, p, turn);
  else if (want == LISTER_TAKEN && !moves)
    make_steps(l, p, turn);
}

Turns lister_turns(Lister *l, const Position *p, ListerWant want) {
  l->by_kernel = false;
  l->failed = NULL;
  if (!l->kernel || l->lost || p->stage == STAGE_ENDED) return engine_turns(l->engine, p);
  const MachineApi *api = l->kernel->api;
  if (!kernel_load_into(l->kernel, engine_layout(l->engine), p, l->now)) return engine_turns(l->engine, p);
  int64_t n = api->turns(l->player.ctx, l->now, 1);
  if (n < 1 || n > TURNS_MOST) {
    l->failed = n > TURNS_MOST ? "a position has too many turns" : kernel_complaint(&l->player);
    if (!l->failed) l->failed = "a position has no turns";
    return engine_turns(l->engine, p); /* it says why */
  }
  Turns turns = {engine_block(l->engine, sizeof *turns.at * (size_t)n), (int)n, false};
  Listed *list = engine_block(l->engine, sizeof *list * (size_t)n);
  for (int64_t i = 0; i < n; i++) list[i] = read_turn(l, p, i);
  qsort(list, (size_t)n, sizeof *list, compare);
  l->by_kernel = true;
  for (int64_t i = 0; i < n; i++) {
    turns.at[i] = list[i].turn;
    tell(l, p, want, &turns.at[i]);
  }
  return turns;
}

bool lister_listed(const Lister *l, const char **failed) {
  *failed = l->failed;
  return l->by_kernel;
}

void lister_make(Lister *l, const Position *p, Turn *turn) {
  if (!l->by_kernel) return;
  make_steps(l, p, turn);
  engine_finish(l->engine, l->made);
  position_copy(turn->after, l->made);
}
