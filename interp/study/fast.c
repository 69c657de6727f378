/* Choosing an engine, and counting with it. */
#include "study/fast.h"

#include <string.h>

#include "base/clock.h"
#include "native/native.h"

static const char *const names[] = {"auto", "reference", "kernel", "native"};

/* Seconds of work that are worth a compilation, and a look into the cache. */
static const double worth_compiling = 3, worth_looking = 0.15;

bool engine_choice(const char *name, EngineChoice *choice) {
  *choice = ENGINE_AUTO;
  if (!name) return true;
  for (int i = 0; i < 4; i++)
    if (!strcmp(name, names[i])) {
      *choice = (EngineChoice)i;
      return true;
    }
  return false;
}

const char *const *engine_choices(size_t *n) {
  *n = sizeof names / sizeof *names;
  return names;
}

static void note(const char *text, const char *why) {
  static bool said;
  if (said) return;
  said = true;
  fprintf(stderr, "note: %s: %s\n", text, why);
}

Kernel *fast_kernel(const Rules *rules, EngineChoice choice) {
  char why[512];
  if (choice == ENGINE_REFERENCE) return NULL;
  Kernel *kernel = kernel_new(rules, why, sizeof why);
  if (!kernel && choice != ENGINE_AUTO) note("the reference engine does this game", why);
  if (kernel && choice == ENGINE_NATIVE && !native_use(kernel, false, why, sizeof why))
    note("the interpreted kernel does this game", why);
  return kernel;
}

bool fast_alike(const Kernel *kernel) { return kernel->program->single && !kernel->program->hosted; }

void fast_hurry(Kernel *kernel, EngineChoice choice, double seconds_left) {
  char why[512];
  if (choice != ENGINE_AUTO || kernel->native || seconds_left < worth_looking) return;
  if (kernel->program->hosted) return; /* it is the reference engine that takes the time */
  if (!native_use(kernel, seconds_left < worth_compiling, why, sizeof why) && seconds_left >= worth_compiling)
    note("the interpreted kernel does this game", why);
}

enum { TRIAL_REFERENCE, TRIAL_KERNEL, TRIAL_HURRY, TRIAL_OVER };
/* Seconds by the reference before a kernel is made, and by the kernel before they are compared. */
static const double worth_trying = 0.3, worth_comparing = 0.1;

static void try_kernel(Trial *t) {
  t->each = t->seconds / (double)(t->turns + 1);
  t->kernel = fast_kernel(t->rules, ENGINE_AUTO);
  bool fit = t->kernel && fast_alike(t->kernel);
  if (fit) lister_use(t->lister, t->kernel);
  t->stage = fit ? TRIAL_KERNEL : TRIAL_OVER;
  t->seconds = 0;
  t->turns = 0;
}

static void compare(Trial *t) {
  bool quicker = t->seconds / (double)(t->turns + 1) < t->each;
  if (!quicker) lister_use(t->lister, NULL);
  t->stage = quicker ? TRIAL_HURRY : TRIAL_OVER;
}

/* As much may still be to come as there was. */
static void hurry(Trial *t) {
  lister_use(t->lister, NULL);
  fast_hurry(t->kernel, ENGINE_AUTO, t->all);
  lister_use(t->lister, t->kernel);
  if (t->kernel->native || t->all >= worth_compiling) t->stage = TRIAL_OVER;
}

void trial_game(Trial *t, double seconds, int64_t turns) {
  t->all += seconds;
  t->seconds += seconds;
  t->turns += turns;
  if (t->stage == TRIAL_REFERENCE && t->seconds > worth_trying) try_kernel(t);
  else if (t->stage == TRIAL_KERNEL && t->seconds > worth_comparing) compare(t);
  else if (t->stage == TRIAL_HURRY) hurry(t);
}

void trial_end(Trial *t) {
  if (t->kernel) lister_use(t->lister, NULL);
  kernel_free(t->kernel);
  t->kernel = NULL;
}

static bool count(Kernel *k, Engine *engine, const Position *before, const Position *p, int depth, bool bare,
                  MachineLine *line) {
  void *earlier = before ? kernel_load(k, engine_layout(engine), before) : NULL;
  void *position = kernel_load(k, engine_layout(engine), p);
  KernelPlayer player;
  kernel_open(k, &player);
  if (earlier) k->api->push(player.ctx, earlier);
  if (position) k->api->push(player.ctx, position);
  bool good = position && (earlier || !before) && k->api->perft(player.ctx, position, depth, bare, line);
  kernel_close(&player);
  memory_resize(position, 0);
  memory_resize(earlier, 0);
  return good;
}

bool fast_perft(Kernel *k, EngineChoice choice, Engine *engine, const Position *before, const Position *p, int depth,
                bool bare, PerftLine *line) {
  MachineLine got[PERFT_DEPTH_MAX + 1];
  if (choice == ENGINE_AUTO && depth > 2 && !before) { /* the depth before tells how long this one will take */
    double begun = clock_now();
    if (!count(k, engine, before, p, depth - 1, bare, got)) return false;
    double growth = got[depth - 2].leaves ? (double)got[depth - 1].leaves / (double)got[depth - 2].leaves : 1;
    fast_hurry(k, choice, (clock_now() - begun) * growth);
  }
  if (!count(k, engine, before, p, depth, bare, got)) return false;
  for (int i = 0; i <= depth; i++) {
    line[i].leaves = got[i].leaves;
    line[i].weighted = got[i].weighted;
    line[i].captures = got[i].captures;
    line[i].ended = got[i].ended;
  }
  return true;
}
