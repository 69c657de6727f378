/* tavl compile: a game as one C file that needs nothing of ours. And the option --engine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "face/engine.h"
#include "native/native.h"

static const char about[] =
    "Writes the game, with the options given, as one C file that builds alone:\n"
    "  tavl compile GAME -o game.c\n"
    "  cc -std=c11 -O3 -march=native -DTAVL_MAIN -o game game.c && ./game 1000 3\n"
    "Its head says how to use it from another program.";

bool call_engine(const Call *call, EngineChoice *choice, int *status) {
  size_t n;
  const char *name = call->value[OPT_ENGINE];
  if (engine_choice(name, choice)) return true;
  const char *near = text_nearest(name, engine_choices(&n), 4);
  *status = call_fail(call, EXIT_COULD_NOT, "there is no engine `%s`%s%s%s (auto, reference, kernel, native)", name,
                      near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
  return false;
}

bool call_left_to_choose(const Call *call) {
  EngineChoice choice;
  return engine_choice(call->value[OPT_ENGINE], &choice) && choice == ENGINE_AUTO;
}

bool call_open(Call *call, const char *game, int *status) {
  EngineChoice choice;
  if (!call_engine(call, &choice, status) || !call_load(call, game, status)) return false;
  call->lister = lister_new(call->engine);
  if (choice != ENGINE_AUTO) call->kernel = fast_kernel(call->rules, choice);
  lister_use(call->lister, call->kernel);
  return true;
}

int dump_kernel(const Call *call, bool native, FILE *out) {
  char why[512];
  Kernel *kernel = kernel_new(call->rules, why, sizeof why);
  if (!kernel) return call_fail(call, EXIT_NO, "the reference engine plays this game: %s", why);
  if (native)
    native_print(kernel, NULL, -1, out);
  else
    program_print(kernel->program, out);
  kernel_free(kernel);
  return EXIT_FINE;
}

static int write_game(const Call *call, FILE *out) {
  char why[512];
  Kernel *kernel = kernel_new(call->rules, why, sizeof why);
  if (!kernel) return call_fail(call, EXIT_NO, "this game cannot be compiled: %s", why);
  if (kernel->program->slow) {
    const Program *p = kernel->program;
    snprintf(why, sizeof why, "a rule of it is a script");
    for (int s = 0; p->hosted && s < SEATS_MAX * SECTION_MAX; s++) {
      const char *what = p->hosted_why[s / SECTION_MAX][s % SECTION_MAX];
      int rule = p->hosted_rule[s / SECTION_MAX][s % SECTION_MAX];
      if (!what) continue;
      if (rule < 0) snprintf(why, sizeof why, "%s", what);
      else snprintf(why, sizeof why, "%s: %s", call->rules->rule[rule].name, what);
      break;
    }
    kernel_free(kernel);
    return call_fail(call, EXIT_NO, "this game cannot stand alone, a part of it is done by the reference engine: %s", why);
  }
  const void *start[SEATS_MAX] = {NULL};
  Position *p = engine_position(call->engine);
  bool good = true;
  for (int s = 0; s < call->rules->seats; s++) {
    engine_start(call->engine, p, s);
    start[s] = kernel_load(kernel, engine_layout(call->engine), p);
    good &= start[s] != NULL;
  }
  if (good) native_print(kernel, start, engine_first(call->engine), out);
  for (int s = 0; s < call->rules->seats; s++) memory_resize((void *)(uintptr_t)start[s], 0);
  free(p);
  kernel_free(kernel);
  return good ? EXIT_FINE : call_fail(call, EXIT_NO, "the start position has too many pieces");
}

int command_compile(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_BIT(HELP) | OPT_BIT(SET) | OPT_BIT(TO);
  for (int i = 0; i + 1 < argc; i++) /* -o FILE, as compilers have it, beside -o PARAM=VALUE */
    if (!strcmp(argv[i], "-o") && !strchr(argv[i + 1], '=')) argv[i] = (char *)(uintptr_t) "--to";
  if (!call_begin(&call, "compile", options, about, 1, 1, argc, argv, &status)) return status;
  const char *path = call.value[OPT_TO];
  if (!call_load(&call, call.operand[0], &status)) return call_end(&call, status);
  FILE *out = path && strcmp(path, "-") ? fopen(path, "w") : stdout;
  if (!out)
    return call_end(&call, call_fail(&call, EXIT_COULD_NOT, "%s cannot be written: %s", path,
                                     strerror(errno)));
  status = write_game(&call, out);
  if (out != stdout && fclose(out) && status == EXIT_FINE)
    status = call_fail(&call, EXIT_COULD_NOT, "%s cannot be written: %s", path,
                       strerror(errno));
  return call_end(&call, status);
}
