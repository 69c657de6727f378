/* The evaluators agree: plays seeded random games by the reference and compares, position by
 * position, the set of turns and where each leads with those of the kernels.
 *
 *   equal [-n GAMES] [-t TURNS] [-s SEED] [-T SECONDS] [-d] [-N] [GAME…]   all games and options by default
 *
 * -d looks at the default options only; -T goes on with new seeds for so long;
 * -N compares machine code too (slow: every option is compiled). A disagreement prints the
 * position, the turns that only one side has, and exits 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "front/load.h"
#include "mind/chance.h"
#include "native/native.h"
#include "play/kernel.h"
#include "play/notation.h"

typedef struct Run {
  const char *game;
  char options[256];
  const Rules *rules;
  Engine *engine;
  Kernel *kernel;
  Position *p, *back;
  KernelPlayer player;
  int64_t positions, turns;
} Run;

static int games = 2, most_turns = 60;
static uint64_t seed = 1;
static bool native, defaults;
static double seconds;

static void say_position(const Run *r, const Position *p) {
  char plane[64];
  for (int i = 0; i < r->rules->planes; i++) {
    plane_write(r->rules, i, plane, sizeof plane);
    fprintf(stderr, "  %s:", plane);
    for (int s = 0; s < r->rules->board.sites; s++) {
      int n = position_count(engine_layout(r->engine), p)[i * r->rules->board.sites + s];
      if (n) fprintf(stderr, " %s", r->rules->board.name[s]);
      if (n > 1) fprintf(stderr, "*%d", n);
    }
  }
  fprintf(stderr, "\n  mover %d phase %d active %d stage %d end %d winners %d scores", p->mover, p->phase, p->active,
          p->stage, p->end_rule, p->winners);
  for (int s = 0; s < r->rules->seats; s++) fprintf(stderr, " %g", p->score[s]);
  fprintf(stderr, " cells");
  for (int i = 0; i < r->rules->cells; i++) fprintf(stderr, " %d", position_cells(engine_layout(r->engine), p)[i]);
  fprintf(stderr, "\n");
}

/* Whether some turn of the reference leads to p. */
static int find(const Run *r, const Turns *turns, const Position *p, const bool *used) {
  for (int i = 0; i < turns->n; i++)
    if (!used[i] && position_same(r->rules, engine_layout(r->engine), turns->at[i].after, p)) return i;
  return -1;
}

static void say_steps(const Run *r, const MachineStep *step, int n) {
  for (int i = 0; i < n; i++)
    fprintf(stderr, " %s:%s-%s", r->rules->rule[step[i].rule].name,
            step[i].origin < 0 ? "" : r->rules->board.name[step[i].origin],
            step[i].target < 0 ? "" : r->rules->board.name[step[i].target]);
  fprintf(stderr, "\n");
}

static bool disagree(const Run *r, const char *what) {
  fprintf(stderr, "%s%s (%s): %s\n", r->game, r->options, r->kernel->native ? "native" : "kernel", what);
  say_position(r, r->p);
  fprintf(stderr, "  dice");
  for (int i = 0; i < r->p->dice; i++) fprintf(stderr, " %d", r->p->die[i]);
  fprintf(stderr, ", turn %d\n", (int)r->p->turn_count);
  return false;
}

static bool compare(Run *r, const Turns *turns) {
  const Layout *layout = engine_layout(r->engine);
  const MachineApi *api = r->kernel->api;
  void *position = kernel_load(r->kernel, layout, r->p);
  if (!position) return disagree(r, "the position cannot be loaded");
  int64_t n = api->turns(r->player.ctx, position, 1);
  memory_resize(position, 0);
  bool *used = calloc((size_t)turns->n + 1, sizeof *used);
  bool good = true;
  for (int64_t i = 0; i < n; i++) {
    MachineStep step[64];
    kernel_store(r->kernel, layout, api->turn(r->player.ctx, i), r->back);
    int found = find(r, turns, r->back, used);
    if (found >= 0) {
      used[found] = true;
      continue;
    }
    if (good) disagree(r, "turns that the reference does not know:");
    good = false;
    say_steps(r, step, (int)api->steps(r->player.ctx, i, step, 64));
    say_position(r, r->back);
  }
  for (int i = 0; i < turns->n; i++) {
    if (used[i]) continue;
    if (good) disagree(r, "turns that the kernel does not know:");
    good = false;
    for (int k = 0; k < turns->at[i].steps; k++) {
      const Step *s = &turns->at[i].step[k];
      fprintf(stderr, " %s:%s-%s", r->rules->rule[s->rule].name,
              s->origin < 0 ? "" : r->rules->board.name[s->origin],
              s->target < 0 ? "" : r->rules->board.name[s->target]);
    }
    fprintf(stderr, "\n");
    say_position(r, turns->at[i].after);
  }
  free(used);
  r->positions++;
  r->turns += n;
  return good;
}

static bool play(Run *r, int game) {
  Rng rng = rng_for(seed, (uint64_t)game);
  engine_start(r->engine, r->p, chance_first(r->engine, &rng));
  r->kernel->api->forget(r->player.ctx);
  void *start = kernel_load(r->kernel, engine_layout(r->engine), r->p);
  if (start) r->kernel->api->push(r->player.ctx, start);
  memory_resize(start, 0);
  for (int turn = 0; turn < most_turns && r->p->stage != STAGE_ENDED; turn++) {
    char why[256];
    if (engine_needs_dice(r->engine, r->p) && !chance_throw(r->engine, r->p, &rng, NULL, why, sizeof why))
      return disagree(r, why);
    Mark mark = engine_mark(r->engine);
    Turns turns = engine_turns(r->engine, r->p);
    bool good = turns.n < 3000 ? compare(r, &turns) : true;
    if (good) position_copy(r->p, turns.at[rng_below(&rng, (uint32_t)turns.n)].after);
    engine_release(r->engine, mark);
    if (!good) return false;
    if (r->p->stage == STAGE_ENDED) break;
    engine_push(r->engine, r->p);
    void *now = kernel_load(r->kernel, engine_layout(r->engine), r->p);
    if (now) r->kernel->api->push(r->player.ctx, now);
    memory_resize(now, 0);
  }
  return true;
}

static bool games_of(Run *r) {
  bool good = true;
  kernel_open(r->kernel, &r->player);
  for (int g = 0; g < games && good; g++) good = play(r, g);
  kernel_close(&r->player);
  return good;
}

static bool try_rules(const char *game, const char *options, const Rules *rules) {
  Run r = {.game = game, .rules = rules};
  char why[256];
  snprintf(r.options, sizeof r.options, "%s", options);
  r.kernel = kernel_new(rules, why, sizeof why);
  if (!r.kernel) {
    printf("reference only: %s%s: %s\n", game, options, why);
    return true;
  }
  r.engine = engine_new(rules);
  r.p = engine_position(r.engine);
  r.back = engine_position(r.engine);
  bool good = games_of(&r);
  if (good && native && native_use(r.kernel, false, why, sizeof why)) good = games_of(&r);
  printf("%s %s%s: %lld positions, %lld turns\n", good ? "ok" : "not ok", game, options, (long long)r.positions,
         (long long)r.turns);
  fflush(stdout);
  free(r.p);
  free(r.back);
  engine_free(r.engine);
  kernel_free(r.kernel);
  return good;
}

/* The game with every value of every param, one at a time. */
static bool try_game(const char *game) {
  Loading *loading = loading_new(NULL);
  const Rules *rules;
  if (load_game(loading, game, NULL, 0, false, &rules) != LOAD_OK) {
    printf("%s: does not load\n", game);
    loading_free(loading);
    return true;
  }
  bool good = try_rules(game, "", rules);
  for (int i = 0; i < rules->params && !defaults; i++) {
    const Param *param = &rules->param[i];
    int n = param->type == TYPE_VALUES ? param->value_n
            : param->type == TYPE_NUMBER ? param->high - param->low + 1 : 0;
    for (int v = 0; v < n && v < 12; v++) {
      char value[64], options[128];
      if (v == (param->type == TYPE_VALUES ? param->value : param->value - param->low)) continue;
      if (param->type == TYPE_VALUES) snprintf(value, sizeof value, "%s", param->values[v]);
      else snprintf(value, sizeof value, "%d", param->low + v);
      OptionSetting setting = {param->option, value};
      const Rules *other;
      if (load_again(loading, rules, &setting, 1, &other) != LOAD_OK) continue;
      snprintf(options, sizeof options, " -o %s=%s", param->option, value);
      good &= try_rules(game, options, other);
    }
  }
  loading_free(loading);
  return good;
}

int main(int argc, char **argv) {
  int first = 1;
  for (; first < argc && argv[first][0] == '-'; first++) {
    char letter = argv[first][1];
    if (letter == 'N') native = true;
    else if (letter == 'd') defaults = true;
    else if (first + 1 < argc && letter == 'n') games = atoi(argv[++first]);
    else if (first + 1 < argc && letter == 't') most_turns = atoi(argv[++first]);
    else if (first + 1 < argc && letter == 'T') seconds = atof(argv[++first]);
    else if (first + 1 < argc && letter == 's') seed = strtoull(argv[++first], NULL, 10);
  }
  bool good = true;
  Loading *loading = loading_new(NULL);
  int n = argc - first;
  const char *const *names = n > 0 ? (const char *const *)argv + first : loading_games(loading, &n);
  time_t begun = time(NULL);
  do {
    for (int i = 0; i < n && good; i++) good &= try_game(names[i]);
    seed++;
  } while (good && difftime(time(NULL), begun) < seconds);
  loading_free(loading);
  return good ? 0 : 1;
}
