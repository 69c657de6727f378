/* Random games by each engine, and perft, measured in CPU seconds of this process: rounds alternate
 * between the engines, the middle one of three counts. Prints the rows of RESULTS.md.
 *
 *   bench [-s SECONDS A MEASUREMENT] [-c] GAME…   GAME may carry options: nordy-loki:seats=3; -c: compiles it three times
 *   bench -m COMMAND WORD…                        runs it, prints the most memory it has held */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "front/load.h"
#include "native/native.h"
#include "study/quick.h"

enum { ROUNDS = 3 };
static double slice = 0.3;
static int compiles = 1;

static double cpu(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec * 1e-6;
}
static double middle_of(double *v, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
      double t = v[k];
      v[k] = v[k - 1];
      v[k - 1] = t;
    }
  return v[n / 2];
}
static double middle(double *v) { return middle_of(v, ROUNDS); }

typedef struct Player { /* a kernel and its start positions */
  KernelPlayer player;
  MachineGames games;
  MachineSums *sums;
} Player;

static Player player_new(const Kernel *k, Engine *engine) {
  Player p = {.games = {.seed = 1, .step = 1, .cap = 10000, .seat = engine_first(engine)}};
  Position *start = engine_position(engine);
  for (int s = 0; s < k->rules->seats; s++) {
    engine_start(engine, start, s);
    p.games.start[s] = kernel_load(k, engine_layout(engine), start);
  }
  memory_resize(start, 0);
  kernel_open(k, &p.player);
  p.sums = memory_resize(NULL, sizeof *p.sums);
  memset(p.sums, 0, sizeof *p.sums);
  return p;
}

static double kernel_speed(Player *p) {
  double begun = cpu(), used = 0;
  int64_t games = 0, size = 4;
  while (used < slice) {
    p->games.first = p->games.end;
    p->games.end += size;
    p->player.kernel->api->play(p->player.ctx, &p->games, p->sums);
    games += size;
    used = cpu() - begun;
    if (used < slice / 8) size *= 2;
  }
  return (double)games / used;
}

static double reference_speed(const Rules *rules) {
  static SimulateResult result;
  static int64_t seed = 1;
  char why[256];
  SimulateOrder order = {.games = 1, .shard = 1, .shards = 1, .jobs = 1, .cap = 300, .engine = ENGINE_REFERENCE};
  for (int s = 0; s < SEATS_MAX; s++) order.player[s] = player_kind_find("random");
  double begun = cpu(), used = 0, turns = 0;
  while (used < slice) {
    order.seed = (uint64_t)seed++;
    simulate_run(rules, &order, &result, why, sizeof why);
    turns += (double)result.turns;
    used = cpu() - begun;
  }
  return turns / used; /* turns, since games may be long */
}

/* Machine code for the kernel, each round with a cache of its own, the first with that of the environment: seconds, or
 * less than none. */
static double compile(Kernel *kernel, int round) {
  static char base[512];
  char folder[600], why[512];
  const char *cache = getenv("XDG_CACHE_HOME");
  if (!*base) snprintf(base, sizeof base, "%s", cache ? cache : "/tmp");
  snprintf(folder, sizeof folder, round ? "%s/%d" : "%s", base, round);
  setenv("XDG_CACHE_HOME", folder, 1);
  double t = clock_now();
  return native_use(kernel, false, why, sizeof why) ? clock_now() - t : -1;
}

static void bench(const char *name) {
  char game[128], option[64] = "";
  snprintf(game, sizeof game, "%s", name);
  char *colon = strchr(game, ':'), *equals = NULL;
  if (colon) {
    *colon = 0;
    snprintf(option, sizeof option, "%s", colon + 1);
    if ((equals = strchr(option, '='))) *equals++ = 0;
  }
  OptionSetting setting = {option, equals};
  Loading *loading = loading_new(NULL);
  const Rules *rules;
  double t = clock_now();
  if (load_game(loading, game, &setting, equals != NULL, false, &rules) != LOAD_OK) return;
  double load = clock_now() - t;
  char why[512];
  Kernel *kernel = kernel_new(rules, why, sizeof why), *native = NULL;
  if (!kernel) {
    printf("| %s | | | | | | %s |\n", name, why);
    return;
  }
  double cold[ROUNDS], cached[ROUNDS];
  bool compiled = true;
  for (int i = 0; i < compiles && compiled; i++) {
    kernel_free(native);
    native = kernel_new(rules, why, sizeof why);
    cold[i] = compile(native, i);
    compiled = cold[i] >= 0;
  }
  for (int i = 0; i < ROUNDS && compiled; i++) { /* lowered, and what is there found and loaded */
    kernel_free(native);
    t = clock_now();
    native = kernel_new(rules, why, sizeof why);
    native_use(native, true, why, sizeof why);
    cached[i] = clock_now() - t;
  }
  Engine *engine = engine_new(rules);
  Player slow = player_new(kernel, engine), fast = player_new(native, engine);
  double r[ROUNDS], k[ROUNDS], n[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    r[i] = reference_speed(rules);
    k[i] = kernel_speed(&slow);
    n[i] = compiled ? kernel_speed(&fast) : 0;
  }
  double length = (double)slow.sums->turns / (double)slow.sums->games;
  double reference = middle(r) / length, interpreted = middle(k), machine = middle(n);
  printf("| %s | %.1f | %.0f | %.0f | %.1f | %.0f | %.1f | %.1f | %.1f | %.0f | %.2f | %.1f |\n", name, reference,
         interpreted, machine, machine / interpreted, machine / reference, length,
         (double)slow.sums->choices / (double)slow.sums->turns, 1e9 / (machine * length) / 1000, load * 1e3,
         compiled ? middle_of(cold, compiles) : 0, compiled ? middle(cached) * 1e3 : 0);
  fflush(stdout);
  loading_free(loading);
}

/* What the command prints goes to standard error. */
static int memory_of(char **command) {
  int status;
  struct rusage used;
  pid_t child = fork();
  if (child == 0) {
    dup2(2, 1);
    execvp(command[0], command);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &used) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) return 1;
  printf("%.1f\n", (double)used.ru_maxrss / 1024);
  return 0;
}

int main(int argc, char **argv) {
  int first = 1;
  if (argc > 2 && !strcmp(argv[1], "-m")) return memory_of(argv + 2);
  if (argc > 2 && !strcmp(argv[1], "-s")) {
    slice = atof(argv[2]);
    first = 3;
  }
  if (argc > first && !strcmp(argv[first], "-c")) {
    compiles = ROUNDS;
    first++;
  }
  printf("| game | reference | kernel | native | native / kernel | native / reference | turns a game | choices a turn | "
         "native us a turn | load ms | cold compile s | cached ms |\n|---|");
  for (int i = 0; i < 11; i++) printf("--:|");
  printf("\n");
  for (; first < argc; first++) bench(argv[first]);
  return 0;
}
