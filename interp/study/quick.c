/* Random games by a kernel, in portions: after the first ones it is known whether machine code
 * is worth while. Every thread has a context and sums of its own. */
#include "study/quick.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Worker {
  pthread_t thread;
  const Kernel *kernel;
  MachineGames games;
  MachineSums sums;
  bool failed;
} Worker;

static void *work(void *argument) {
  Worker *w = argument;
  KernelPlayer player;
  kernel_open(w->kernel, &player);
  w->failed |= !w->kernel->api->play(player.ctx, &w->games, &w->sums);
  kernel_close(&player);
  return NULL;
}

static void add(SimulateResult *to, const MachineSums *one, const Rules *rules) {
  if (one->games == 0) return;
  if (to->games == 0 || one->turns_min < to->turns_min) to->turns_min = one->turns_min;
  if (one->turns_max > to->turns_max) to->turns_max = one->turns_max;
  to->games += one->games;
  to->finished += one->finished;
  to->unfinished += one->unfinished;
  to->draws += one->draws;
  to->turns += one->turns;
  to->steps += one->steps;
  to->choices += one->choices;
  to->passes += one->passes;
  for (int i = 0; i < rules->seats; i++) {
    to->wins[i] += one->wins[i];
    to->score[i] += (double)one->score[i] / WORTH_UNIT;
  }
  for (int i = 0; i < rules->rules; i++) {
    to->ends[i] += one->ends[i];
    to->fired[i] += one->fired[i];
  }
  to->tally.throws += one->throws;
  for (int i = 0; i < FACES_MAX; i++) to->tally.face[i] += one->face[i];
  for (int i = 0; i < FACES_MAX * FACES_MAX; i++) to->tally.pair[i] += one->pair[i];
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Games a … b - 1 of this shard. */
static void portion(Worker *worker, const SimulateOrder *order, int64_t a, int64_t b) {
  int started = 1;
  for (int i = 0; i < order->jobs; i++) {
    MachineGames *g = &worker[i].games;
    g->first = order->shard - 1 + (int64_t)order->shards * (a + i);
    g->step = (int64_t)order->shards * order->jobs;
    g->end = order->shard - 1 + (int64_t)order->shards * b;
    if (g->end > order->games) g->end = order->games;
  }
  while (started < order->jobs && pthread_create(&worker[started].thread, NULL, work, &worker[started]) == 0)
    started++;
  work(&worker[0]);
  for (int i = 1; i < started; i++) pthread_join(worker[i].thread, NULL);
  for (int i = started; i < order->jobs; i++) work(&worker[i]);
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

bool quick_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result) {
  if (order->check) return false;
  for (int s = 0; s < rules->seats; s++)
    if (strcmp(order->player[s]->name, "random")) return false;
  EngineChoice choice = (EngineChoice)order->engine;
  Kernel *kernel = fast_kernel(rules, choice);
  if (!kernel) return false;
  double begun = now();
  Engine *engine = engine_new(rules);
  Worker *worker = memory_resize(NULL, sizeof *worker * (size_t)order->jobs);
  memset(worker, 0, sizeof *worker * (size_t)order->jobs);
  MachineGames games = {.seed = order->seed, .cap = order->cap, .seat = engine_first(engine)};
  bool good = set_starts(kernel, engine, &games);
  int64_t total = (order->games - order->shard) / order->shards + 1, done = 0;
  if (order->games < order->shard) total = 0;
  for (int64_t size = 16 * (int64_t)order->jobs; good && done < total; size *= 4) {
    double since = now();
    if (size > total - done || kernel->native || choice != ENGINE_AUTO) size = total - done;
    for (int i = 0; i < order->jobs; i++) {
      worker[i].kernel = kernel;
      worker[i].games = games;
    }
    portion(worker, order, done, done + size);
    done += size;
    for (int i = 0; i < order->jobs; i++) good &= !worker[i].failed;
    double each = (now() - since) / (double)size;
    if (done == total || kernel->native) continue;
    fast_hurry(kernel, choice, each * (double)(total - done));
    if (kernel->native) good &= set_starts(kernel, engine, &games);
  }
  if (good) {
    memset(result, 0, sizeof *result);
    for (int i = 0; i < order->jobs; i++) add(result, &worker[i].sums, rules);
    result->seconds = now() - begun;
  }
  for (int s = 0; s < rules->seats; s++) memory_resize((void *)(uintptr_t)games.start[s], 0);
  memory_resize(worker, 0);
  engine_free(engine);
  kernel_free(kernel);
  return good;
}
