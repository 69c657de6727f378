/* tavl perft: counts the tree of turns. */
#include "study/perft.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "face/call.h"
#include "face/engine.h"
#include "face/exchange.h"
#include "face/game.h"
#include "face/given.h"
#include "play/notation.h"

static const char about[] =
    "Counts the sequences of so many turns, depth by depth: a check of a game's rules "
    "against\n"
    "numbers from elsewhere. A game that ends counts at the depth where it ends and adds "
    "nothing\n"
    "deeper. `captures`: turns of that depth that take something; `ended`: turns that "
    "end the\n"
    "game. In a game with dice every depth sums over all unordered throws, `weighted` "
    "counts\n"
    "each as often as it falls; --dice gives the throw of the first turn. --divide counts "
    "behind\n"
    "every turn by itself; where a turn of several steps can be made in several ways, "
    "kernel and\n"
    "native may name another than the reference.\n\n"
    "  tavl perft GAME --depth 3\n"
    "  tavl perft GAME --depth 2 --divide";

typedef struct Perft {
  Call *call;
  Exchange *x;
  int depth;
  bool bare, dice;
  EngineChoice engine;
  Kernel *kernel; /* NULL: the reference counts */
  PerftLine sum[PERFT_DEPTH_MAX + 1];
  json_t *divided;
} Perft;

static int tell_failure(const Perft *perft) {
  const char *complaint = engine_complaint(perft->call->engine);
  return call_fail(perft->call, EXIT_COULD_NOT, "%s",
                   complaint ? complaint : "a position has too many turns");
}

/* What lies behind a turn: `depth` turns more after it. */
static bool count_on(const Perft *perft, const Position *before, const Position *after, PerftLine *line) {
  Engine *engine = perft->call->engine;
  int depth = perft->depth - 1;
  if (perft->kernel && fast_perft(perft->kernel, perft->engine, engine, before, after, depth, true, line)) return true;
  engine_push(engine, after);
  bool good = perft_count(engine, after, depth, true, line);
  engine_pop(engine);
  return good;
}

/* One line for each turn from a position whose dice lie on the table; `before`: as it was thrown from. */
static int divide_turns(Perft *perft, const Position *before, const Position *p, int64_t ways) {
  Engine *engine = perft->call->engine;
  Mark mark = engine_mark(engine);
  Turns turns;
  char why[256];
  int status = EXIT_FINE;
  if (!given_turns(perft->call, p, LISTER_ALL, &turns, why, sizeof why))
    status = call_fail(perft->call, EXIT_COULD_NOT, "%s", why);
  for (int i = 0; status == EXIT_FINE && i < turns.n; i++) {
    const Position *after = turns.at[i].after;
    PerftLine line[PERFT_DEPTH_MAX + 1] = {{0}};
    double begun = clock_now();
    if (perft->depth > 1 && !count_on(perft, before, after, line)) status = tell_failure(perft);
    if (perft->kernel) fast_hurry(perft->kernel, perft->engine, (clock_now() - begun) * (turns.n - i - 1));
    int64_t leaves = perft->depth > 1 ? line[perft->depth - 1].leaves : 1;
    char dice[64], move[MOVE_TEXT_MAX];
    game_dice_word(p, dice, sizeof dice);
    turn_write(perft->call->rules, engine_layout(engine), p, &turns.at[i], move,
               sizeof move);
    perft->sum[perft->depth].leaves = perft_add(perft->sum[perft->depth].leaves, leaves);
    int64_t weighted =
        perft_multiply(perft->depth > 1 ? line[perft->depth - 1].weighted : 1, ways);
    perft->sum[perft->depth].weighted =
        perft_add(perft->sum[perft->depth].weighted, weighted);
    if (perft->divided) {
      char name[MOVE_TEXT_MAX + 64];
      snprintf(name, sizeof name, "%s%s", dice, move);
      json_array_append_new(perft->divided, json_pack("{s:s, s:I}", "move", name,
                                                      "leaves", (json_int_t)leaves));
    } else if (status == EXIT_FINE) {
      printf("%s%s: %lld\n", dice, move, (long long)leaves);
    }
  }
  engine_release(engine, mark);
  return status;
}

static int divide(Perft *perft, const Position *p) {
  Engine *engine = perft->call->engine;
  if (p->stage == STAGE_ENDED) return EXIT_FINE;
  if (!engine_needs_dice(engine, p)) return divide_turns(perft, p, p, 1);
  int n, status = EXIT_FINE;
  int64_t total;
  const Roll *seen = engine_rolls(engine, p, &n, &total);
  Roll *roll = memory_resize(NULL, sizeof *roll * (size_t)(n + 1));
  if (n) memcpy(roll, seen, sizeof *roll * (size_t)n);
  Position *thrown = engine_position(engine);
  for (int i = 0; i < n && status == EXIT_FINE; i++) {
    char why[256];
    position_copy(thrown, p);
    status = engine_set_dice(engine, thrown, roll[i].face, roll[i].n, why, sizeof why)
                 ? divide_turns(perft, p, thrown, roll[i].ways)
                 : call_fail(perft->call, EXIT_COULD_NOT, "%s", why);
  }
  free(thrown);
  memory_resize(roll, 0);
  return status;
}

static json_t *line_json(const Perft *perft, int depth, const PerftLine *line) {
  bool bare = perft->bare && depth == perft->depth;
  json_t *json =
      json_pack("{s:i, s:I}", "depth", depth, "leaves", (json_int_t)line->leaves);
  if (perft->dice) json_object_set_new(json, "weighted", json_integer(line->weighted));
  json_object_set_new(json, "captures",
                      bare ? json_null() : json_integer(line->captures));
  json_object_set_new(json, "ended", bare ? json_null() : json_integer(line->ended));
  return json;
}

static void print_line(const Perft *perft, int depth, const PerftLine *line) {
  printf("depth %d: %lld", depth, (long long)line->leaves);
  if (perft->dice) printf(" weighted %lld", (long long)line->weighted);
  if (!perft->bare || depth < perft->depth)
    printf(" captures %lld ended %lld", (long long)line->captures,
           (long long)line->ended);
  printf("\n");
}

static int count(Perft *perft, const Position *p) {
  Kernel *kernel = fast_kernel(perft->call->rules, perft->engine);
  bool counted = kernel && fast_perft(kernel, perft->engine, perft->call->engine, NULL, p, perft->depth,
                                      perft->bare, perft->sum);
  kernel_free(kernel);
  if (counted) return EXIT_FINE;
  if (!perft_count(perft->call->engine, p, perft->depth, perft->bare, perft->sum))
    return tell_failure(perft);
  return EXIT_FINE;
}

static void print_all(const Perft *perft, double seconds) {
  const PerftLine *last = &perft->sum[perft->depth];
  double rate = seconds > 0 ? (double)last->leaves / seconds : 0;
  if (!perft->call->json) {
    for (int d = 1; d <= perft->depth && !perft->call->value[OPT_DIVIDE]; d++)
      print_line(perft, d, &perft->sum[d]);
    if (perft->call->value[OPT_DIVIDE])
      printf("depth %d: %lld\n", perft->depth, (long long)last->leaves);
    printf("%.3f s, %.0f leaves a second\n", seconds, rate);
    return;
  }
  json_t *out =
      json_pack("{s:i, s:I}", "depth", perft->depth, "leaves", (json_int_t)last->leaves);
  if (perft->dice) json_object_set_new(out, "weighted", json_integer(last->weighted));
  if (perft->divided) {
    json_object_set(out, "divide", perft->divided);
  } else {
    json_t *depths = json_array();
    for (int d = 1; d <= perft->depth; d++)
      json_array_append_new(depths, line_json(perft, d, &perft->sum[d]));
    json_object_set_new(out, "depths", depths);
  }
  json_object_set_new(out, "seconds", json_real(seconds));
  json_object_set_new(out, "leaves_per_second", json_real(rate));
  call_print(out);
}

int command_perft(int argc, char **argv) {
  Call call;
  int status;
  int64_t depth;
  uint64_t options = OPT_GAME | OPT_BIT(POSITION) | OPT_BIT(DICE) | OPT_BIT(DEPTH) |
                     OPT_BIT(ENGINE) | OPT_BIT(DIVIDE) | OPT_BIT(BARE);
  if (!call_begin(&call, "perft", options, about, 1, 1, argc, argv, &status))
    return status;
  if (!call.value[OPT_DEPTH])
    return call_fail(&call, EXIT_COULD_NOT, "perft wants --depth N");
  if (!call_number(&call, OPT_DEPTH, 1, PERFT_DEPTH_MAX, 1, &depth))
    return EXIT_COULD_NOT;
  EngineChoice choice;
  if (!call_engine(&call, &choice, &status)) return status;
  bool divided = call.value[OPT_DIVIDE] != NULL;
  if (!(divided ? call_open : call_load)(&call, call.operand[0], &status)) return call_end(&call, status);
  Perft perft = {.call = &call,
                 .x = exchange_new(call.engine),
                 .depth = (int)depth,
                 .bare = call.value[OPT_BARE] != NULL,
                 .dice = call.rules->pools > 0,
                 .engine = choice};
  Position *p = engine_position(call.engine);
  if (given_position(&call, perft.x, p, &status)) {
    double begun = clock_now();
    Kernel *own = divided && depth > 2 && choice == ENGINE_AUTO ? fast_kernel(call.rules, choice) : NULL;
    perft.kernel = own ? own : call.kernel;
    if (divided && call.json) perft.divided = json_array();
    status = divided ? divide(&perft, p) : count(&perft, p);
    if (status == EXIT_FINE) print_all(&perft, clock_now() - begun);
    json_decref(perft.divided);
    kernel_free(own);
  }
  free(p);
  exchange_free(perft.x);
  return call_end(&call, status);
}
