/* Random games by a kernel, in portions: after the first ones it is known whether machine code
 * is worth while. Every thread has a context and sums of its own. */
#include "study/quick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "study/jobs.h"

typedef struct Worker {
  const Kernel *kernel;
  MachineGames games;
  MachineSums sums;
  int32_t trouble;  /* MACHINE_… */
  int64_t at;       /* the game that could not be played */
  char why[640];
} Worker;

/* Which turn of a game fails: the least number of turns after which it does. */
static int failing_turn(const Worker *w, KernelPlayer *player) {
  static _Thread_local MachineSums sums;
  MachineGames one = w->games;
  one.first = w->at;
  one.step = 1;
  one.end = w->at + 1;
  int low = 1, high = w->games.cap;
  while (low < high) {
    one.cap = low + (high - low) / 2;
    if (w->kernel->api->play(player->ctx, &one, &sums)) low = one.cap + 1;
    else high = one.cap;
  }
  return low;
}

static void work(void *argument) {
  Worker *w = argument;
  KernelPlayer player;
  int64_t before = w->sums.games;
  kernel_open(w->kernel, &player);
  if (!w->kernel->api->play(player.ctx, &w->games, &w->sums)) {
    w->at = w->games.first + w->games.step * (w->sums.games - before);
    w->trouble = w->kernel->api->trouble(player.ctx);
    char what[512];
    snprintf(what, sizeof what, "%s", kernel_complaint(&player));
    if (w->trouble != MACHINE_MANY)
      snprintf(w->why, sizeof w->why, "game %lld, turn %d: %s", (long long)w->at, failing_turn(w, &player), what);
  }
  kernel_close(&player);
}

/* The first game of all workers that could not be played, if the game is at fault and not the kernel. */
static const Worker *at_fault(const Worker *worker, int n) {
  const Worker *first = NULL;
  for (int i = 0; i < n; i++)
    if (worker[i].trouble && worker[i].trouble != MACHINE_MANY && (!first || worker[i].at < first->at)) first = &worker[i];
  return first;
}

static void read_sums(const MachineSums *sums, const Rules *rules, SimulateResult *one) {
  *one = (SimulateResult){.games = sums->games,
                          .finished = sums->finished,
                          .unfinished = sums->unfinished,
                          .draws = sums->draws,
                          .turns = sums->turns,
                          .turns_min = sums->turns_min,
                          .turns_max = sums->turns_max,
                          .steps = sums->steps,
                          .choices = sums->choices,
                          .passes = sums->passes,
                          .tally.throws = sums->throws};
  for (int i = 0; i < rules->seats; i++) one->score[i] = (double)sums->score[i] / WORTH_UNIT;
  memcpy(one->wins, sums->wins, sizeof one->wins);
  memcpy(one->ends, sums->ends, sizeof one->ends);
  memcpy(one->fired, sums->fired, sizeof one->fired);
  memcpy(one->tally.face, sums->face, sizeof one->tally.face);
  memcpy(one->tally.pair, sums->pair, sizeof one->tally.pair);
}

/* Games a … b - 1 of this shard. */
static void portion(Worker *worker, const SimulateOrder *order, int64_t a, int64_t b) {
  for (int i = 0; i < order->jobs; i++) {
    MachineGames *g = &worker[i].games;
    g->first = order->shard - 1 + (int64_t)order->shards * (a + i);
    g->step = (int64_t)order->shards * order->jobs;
    g->end = order->shard - 1 + (int64_t)order->shards * b;
    if (g->end > order->games) g->end = order->games;
  }
  jobs_run(worker, sizeof *worker, order->jobs, work);
}

/* The start position for every seat that may begin; false: the kernel cannot hold it. */
static bool set_starts(const Kernel *k, Engine *engine, MachineGames *games) {
  Position *p = engine_position(engine);
  bool good = true;
  for (int s = 0; s < k->rules->seats; s++) {
    memory_resize((void *)(uintptr_t)games->start[s], 0);
    engine_start(engine, p, s);
    games->start[s] = kernel_load(k, engine_layout(engine), p);
    good &= games->start[s] != NULL;
  }
  free(p);
  return good;
}

Quick quick_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result, char *why, size_t room) {
  if (order->check) return QUICK_NOT;
  for (int s = 0; s < rules->seats; s++)
    if (strcmp(order->player[s]->name, "random")) return QUICK_NOT;
  EngineChoice choice = (EngineChoice)order->engine;
  Kernel *kernel = fast_kernel(rules, choice);
  if (!kernel) return QUICK_NOT;
  double begun = clock_now();
  Engine *engine = engine_new(rules);
  Worker *worker = memory_resize(NULL, sizeof *worker * (size_t)order->jobs);
  memset(worker, 0, sizeof *worker * (size_t)order->jobs);
  MachineGames games = {.seed = order->seed, .cap = order->cap, .seat = engine_first(engine)};
  bool good = set_starts(kernel, engine, &games);
  int64_t total = (order->games - order->shard) / order->shards + 1, done = 0;
  if (order->games < order->shard) total = 0;
  for (int64_t size = 16 * (int64_t)order->jobs; good && done < total; size *= 4) {
    double since = clock_now();
    if (size > total - done || kernel->native || choice != ENGINE_AUTO) size = total - done;
    for (int i = 0; i < order->jobs; i++) {
      worker[i].kernel = kernel;
      worker[i].games = games;
    }
    portion(worker, order, done, done + size);
    done += size;
    for (int i = 0; i < order->jobs; i++) good &= !worker[i].trouble;
    double each = (clock_now() - since) / (double)size;
    if (done == total || kernel->native) continue;
    fast_hurry(kernel, choice, each * (double)(total - done));
    if (kernel->native) good &= set_starts(kernel, engine, &games);
  }
  if (good) {
    memset(result, 0, sizeof *result);
    SimulateResult *one = memory_resize(NULL, sizeof *one);
    for (int i = 0; i < order->jobs; i++) {
      read_sums(&worker[i].sums, rules, one);
      simulate_add(rules, result, one);
    }
    memory_resize(one, 0);
    result->seconds = clock_now() - begun;
  }
  const Worker *fault = at_fault(worker, order->jobs);
  if (fault) snprintf(why, room, "%s", fault->why);
  Quick quick = good ? QUICK_DONE : fault ? QUICK_FAILED : QUICK_NOT;
  for (int s = 0; s < rules->seats; s++) memory_resize((void *)(uintptr_t)games.start[s], 0);
  memory_resize(worker, 0);
  engine_free(engine);
  kernel_free(kernel);
  return quick;
}
