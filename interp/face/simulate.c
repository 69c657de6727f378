/* tavl simulate: many games by computer players, and what came of them. */
#include "study/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "face/call.h"
#include "face/engine.h"

static const char about[] =
    "Plays games 0 … N-1 of a seed and adds them up. The same seed gives the same games, "
    "on one\n"
    "thread or on several, and in shares (--shard 1/4 … 4/4) whose sums are the "
    "whole.\n\n"
    "  tavl simulate GAME -n 1000 --seed 7\n"
    "  tavl simulate GAME -n 1000 --players greedy,random --jobs 2 --json\n\n"
    "Computer players make no offers. Games that reach --cap turns are counted as "
    "unfinished.\n"
    "--check checks the position after every step, and tells how many pieces the players had.\n"
    "`choices` is the mean number of distinct turns that a player could choose from.\n\n"
    "--engine: with a player who weighs turns (greedy) the games are the same by every engine; "
    "only\n"
    "`rules` may count otherwise where a turn of several steps can be made in several ways, and "
    "for\n"
    "such games auto is the reference. Games of random players alone are the same by kernel and\n"
    "native, and others by the reference.";

static bool read_players(const Call *call, SimulateOrder *order) {
  const char *text = call->value[OPT_PLAYERS];
  const char *names[32];
  int known = 0;
  for (; player_kind(known) && known < 32; known++)
    names[known] = player_kind(known)->name;
  for (int i = 0; i < SEATS_MAX; i++) order->player[i] = player_kind_find("random");
  int n = 0;
  for (const char *at = text; at && *at;) {
    size_t length = strcspn(at, ",");
    char name[64], list[256];
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    const PlayerKind *kind = player_kind_find(name);
    if (!kind || n == call->rules->seats) {
      const char *near = text_nearest(name, names, (size_t)known);
      if (kind)
        call_fail(call, EXIT_COULD_NOT, "--players names more than the %d seats",
                  call->rules->seats);
      else
        call_fail(call, EXIT_COULD_NOT,
                  "nobody plays by the name `%s`; a seat is taken by %s%s%s%s", name,
                  player_list("", list, sizeof list), near ? "; did you mean `" : "", near ? near : "",
                  near ? "`?" : "");
      return false;
    }
    order->player[n++] = kind;
    at += length + (at[length] == ',');
  }
  for (int i = n; n > 0 && i < SEATS_MAX; i++) order->player[i] = order->player[i % n];
  return true;
}

static bool read_shard(const Call *call, SimulateOrder *order) {
  const char *text = call->value[OPT_SHARD];
  order->shard = order->shards = 1;
  if (!text) return true;
  enum { SHARDS_MAX = 1000000 };
  int64_t share, of;
  const char *at = text;
  bool good = text_digits(&at, SHARDS_MAX, &share) && *at == '/' &&
              text_number(at + 1, 1, SHARDS_MAX, &of) && share >= 1 && share <= of;
  if (!good)
    call_fail(call, EXIT_COULD_NOT, "--shard wants I/N, like 1/4, not `%s`", text);
  if (good) order->shard = (int)share, order->shards = (int)of;
  return good;
}

static json_t *number(double value) {
  return value == (double)(json_int_t)value ? json_integer((json_int_t)value)
                                            : json_real(value);
}

static double share(int64_t part, int64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

/* ---- dice ---- */

typedef struct DiceTest {
  double faces, faces_chance, pairs, pairs_chance;
  int face_n, pair_n;
} DiceTest;

static void pairs_of(const Tally *tally, int faces, int64_t *count) {
  for (int a = 0; a < faces; a++)
    for (int b = 0; b < faces; b++) count[a * faces + b] = tally->pair[a * FACES_MAX + b];
}

/* Games with several pools share one tally; the test then speaks of the first. */
static DiceTest test_dice(const Rules *rules, const Tally *tally) {
  DiceTest test = {0};
  int faces = rules->pool[0].faces;
  int64_t *pairs = memory_resize(NULL, sizeof *pairs * (size_t)faces * (size_t)faces);
  pairs_of(tally, faces, pairs);
  test.face_n = faces;
  test.faces = chance_chi_square(tally->face, faces, &test.faces_chance);
  test.pair_n = rules->pool[0].dice >= 2 ? faces * faces : 0;
  test.pairs = chance_chi_square(pairs, test.pair_n, &test.pairs_chance);
  memory_resize(pairs, 0);
  return test;
}

static json_t *dice_json(const Rules *rules, const Tally *tally) {
  DiceTest test = test_dice(rules, tally);
  json_t *faces = json_array(), *out = json_object();
  for (int i = 0; i < test.face_n; i++)
    json_array_append_new(faces, json_pack("{s:i, s:I}", "face", rules->pool[0].face[i],
                                           "count", (json_int_t)tally->face[i]));
  json_object_set_new(out, "throws", json_integer(tally->throws));
  json_object_set_new(out, "faces", faces);
  json_object_set_new(out, "chi_square", json_real(test.faces));
  json_object_set_new(out, "degrees", json_integer(test.face_n - 1));
  json_object_set_new(out, "likelihood", json_real(test.faces_chance));
  if (test.pair_n)
    json_object_set_new(out, "pairs",
                        json_pack("{s:f, s:i, s:f}", "chi_square", test.pairs, "degrees",
                                  test.pair_n - 1, "likelihood", test.pairs_chance));
  return out;
}

static void print_dice(const Rules *rules, const Tally *tally) {
  DiceTest test = test_dice(rules, tally);
  printf("dice: %lld throws\n", (long long)tally->throws);
  for (int i = 0; i < test.face_n; i++)
    printf("  face %d: %lld\n", rules->pool[0].face[i], (long long)tally->face[i]);
  printf("  faces: chi-square %.2f, %d degrees, likelihood %.3f\n", test.faces,
         test.face_n - 1, test.faces_chance);
  if (test.pair_n)
    printf("  pairs: chi-square %.2f, %d degrees, likelihood %.3f\n", test.pairs,
           test.pair_n - 1, test.pairs_chance);
}

/* ---- the report ---- */

static json_t *report(const Call *call, const SimulateOrder *order,
                      const SimulateResult *r) {
  const Rules *rules = call->rules;
  json_t *out = json_object(), *wins = json_object(), *scores = json_object(),
         *turns = json_object(), *fired = json_object(), *ends = json_object();
  for (int s = 0; s < rules->seats; s++) {
    json_object_set_new(wins, rules->player[s], json_integer(r->wins[s]));
    json_object_set_new(scores, rules->player[s], number(r->score[s]));
  }
  json_object_set_new(turns, "mean", json_real(share(r->turns, r->games)));
  json_object_set_new(turns, "min", json_integer(r->turns_min));
  json_object_set_new(turns, "max", json_integer(r->turns_max));
  for (int i = 0; i < rules->rules; i++) {
    if (r->fired[i])
      json_object_set_new(fired, rules->rule[i].name, json_integer(r->fired[i]));
    if (r->ends[i])
      json_object_set_new(ends, rules->rule[i].name, json_integer(r->ends[i]));
  }
  json_object_set_new(out, "games", json_integer(r->games));
  json_object_set_new(out, "finished", json_integer(r->finished));
  json_object_set_new(out, "unfinished", json_integer(r->unfinished));
  json_object_set_new(out, "wins", wins);
  json_object_set_new(out, "draws", json_integer(r->draws));
  json_object_set_new(out, "scores", scores);
  json_object_set_new(out, "turns", turns);
  json_object_set_new(out, "steps", json_integer(r->steps));
  json_object_set_new(out, "seconds", json_real(r->seconds));
  json_object_set_new(out, "games_per_second",
                      json_real(r->seconds > 0 ? (double)r->games / r->seconds : 0));
  json_object_set_new(out, "steps_per_second",
                      json_real(r->seconds > 0 ? (double)r->steps / r->seconds : 0));
  json_object_set_new(out, "rules", fired);
  json_object_set_new(out, "ends", ends);
  json_object_set_new(out, "passes", json_integer(r->passes));
  json_object_set_new(out, "choices",
                      json_pack("{s:f}", "mean", share(r->choices, r->turns)));
  json_object_set_new(out, "seed", json_integer((json_int_t)order->seed));
  if (order->check) {
    json_t *pieces = json_object();
    for (int s = 0; s < rules->seats; s++)
      json_object_set_new(
          pieces, rules->player[s],
          json_pack("{s:i, s:i}", "min", r->pieces_min[s], "max", r->pieces_max[s]));
    json_object_set_new(out, "pieces", pieces);
  }
  if (call->value[OPT_DICE_TEST])
    json_object_set_new(out, "dice", dice_json(rules, &r->tally));
  return out;
}

static void print_report(const Call *call, const SimulateOrder *order,
                         const SimulateResult *r) {
  const Rules *rules = call->rules;
  printf("%lld game%s, %lld finished, %lld unfinished\n", (long long)r->games,
         r->games == 1 ? "" : "s",
         (long long)r->finished, (long long)r->unfinished);
  for (int s = 0; s < rules->seats; s++)
    printf("  %s: %lld won (%.1f %%), score %g\n", rules->player[s],
           (long long)r->wins[s], 100 * share(r->wins[s], r->finished), r->score[s]);
  printf("  draws: %lld\n", (long long)r->draws);
  printf("turns a game: %.2f (%lld to %lld); distinct turns to choose from: %.2f\n",
         share(r->turns, r->games), (long long)r->turns_min, (long long)r->turns_max,
         share(r->choices, r->turns));
  printf("ended by:");
  for (int i = 0; i < rules->rules; i++)
    if (r->ends[i]) printf(" %s %lld", rules->rule[i].name, (long long)r->ends[i]);
  printf("\nrules:");
  for (int i = 0; i < rules->rules; i++)
    if (r->fired[i] && !r->ends[i])
      printf(" %s %lld", rules->rule[i].name, (long long)r->fired[i]);
  if (order->check) printf("\npieces of players in the game:");
  for (int s = 0; order->check && s < rules->seats; s++)
    printf(" %s %d to %d", rules->player[s], r->pieces_min[s], r->pieces_max[s]);
  printf("\n%.2f s, %.0f games and %.0f steps a second\n", r->seconds,
         r->seconds > 0 ? (double)r->games / r->seconds : 0,
         r->seconds > 0 ? (double)r->steps / r->seconds : 0);
  if (call->value[OPT_DICE_TEST]) print_dice(rules, &r->tally);
}

static int run(const Call *call, SimulateOrder *order) {
  if (!read_players(call, order)) return EXIT_COULD_NOT;
  if (call->value[OPT_DICE_TEST] && call->rules->pools == 0)
    return call_fail(call, EXIT_COULD_NOT, "%s has no dice to test", call->rules->title);
  SimulateResult *result = memory_resize(NULL, sizeof *result);
  char why[512];
  int status = EXIT_FINE;
  if (!simulate_run(call->rules, order, result, why, sizeof why)) {
    status = call_fail(call, EXIT_COULD_NOT, "%s (seed %llu)", why,
                       (unsigned long long)order->seed);
  } else if (call->json) {
    call_print(report(call, order, result));
  } else {
    print_report(call, order, result);
  }
  memory_resize(result, 0);
  return status;
}

int command_simulate(int argc, char **argv) {
  Call call;
  int status;
  int64_t games, seed, cap, jobs;
  uint64_t options = OPT_GAME | OPT_BIT(GAMES) | OPT_BIT(SEED) | OPT_BIT(PLAYERS) |
                     OPT_BIT(JOBS) | OPT_BIT(SHARD) | OPT_BIT(CAP) | OPT_BIT(DICE_TEST) |
                     OPT_BIT(SELF_CHECK) | OPT_BIT(ENGINE);
  if (!call_begin(&call, "simulate", options, about, 1, 1, argc, argv, &status))
    return status;
  SimulateOrder order = {.check = call.value[OPT_SELF_CHECK] != NULL};
  if (!call.value[OPT_GAMES])
    return call_fail(&call, EXIT_COULD_NOT, "simulate wants -n N, the number of games");
  if (!call_number(&call, OPT_GAMES, 1, 1000000000, 1, &games) ||
      !call_number(&call, OPT_SEED, 0, INT64_MAX, 1, &seed) ||
      !call_number(&call, OPT_CAP, 1, 100000000, 10000, &cap) ||
      !call_number(&call, OPT_JOBS, 1, 256, 1, &jobs) || !read_shard(&call, &order))
    return EXIT_COULD_NOT;
  EngineChoice engine;
  if (!call_engine(&call, &engine, &status)) return status;
  order.engine = (int)engine;
  order.games = games;
  order.seed = (uint64_t)seed;
  order.cap = (int)cap;
  order.jobs = (int)jobs;
  if (!call_load(&call, call.operand[0], &status)) return call_end(&call, status);
  return call_end(&call, run(&call, &order));
}
