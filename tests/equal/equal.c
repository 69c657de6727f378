/* The evaluators agree: seeded random games of every game with every value of every option, and in
 * them (so many TURNS of GAMES, of a game that ends the next is begun), position by position, reference and kernels compared (differ.h).
 *
 *   equal [-n GAMES] [-t TURNS] [-s SEED] [-T SECONDS] [-d] [-k K] [-o] [-B] [-H] [GAME…]   all games by default
 *
 * -d looks at the default options only; -T goes on with new seeds for so long; -k K compares
 * machine code too, for each K-th value (which ones, the seed says); -o nothing but those; -B compiles
 * it as that of a game of many operations, whose seats share what they can. With -H some sections of each game, the
 * seed says which, are left to the reference, as those with scripts are. CC and TAVL_CFLAGS say how machine code is
 * compiled. A disagreement prints the smallest position that shows it and the rules that it hangs on, and the exit
 * status is 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "differ.h"
#include "front/load.h"
#include "mind/chance.h"

enum { TURNS_LOOKED_AT = 3000, LEAP_MOST = 80, LEAP_COST = 4000, USUAL_TURNS = 150, FEW = 40, LATELY = 16 };

typedef struct Run {
  const char *game;
  char options[256];
  uint64_t number;         /* of the value among all */
  const Rules *rules;
  Pair pair;
  Position *p;
  Rng rng;
  uint64_t lately[LATELY]; /* keys of the last positions */
  bool homesick;           /* turns that lead back are preferred */
  int turn;
  int width;               /* turns to choose from, last time */
  int64_t positions, turns;
} Run;

static int games = 2, most_turns = 60, every;
static uint64_t seed = 1;
static bool defaults, only_machine, hosts, bulky;
static double seconds;

static bool report(Run *r, int game, const Difference *d) {
  char when[96];
  snprintf(when, sizeof when, "game %d, turn %d of seed %llu", game, r->turn, (unsigned long long)seed);
  differ_report(&r->pair, r->p, d, r->game, r->options, when);
  free(d->text);
  return false;
}

/* ---- a game ---- */

static void stands(Run *r) {
  pair_push(&r->pair, r->p);
  r->lately[r->turn % LATELY] = position_key(r->rules, engine_layout(r->pair.engine), r->p, r->p->mover);
}

static void start(Run *r) {
  pair_forget(&r->pair);
  engine_start(r->pair.engine, r->p, chance_first(r->pair.engine, &r->rng));
  engine_pop(r->pair.engine);
  memset(r->lately, 0, sizeof r->lately);
  r->turn = 0;
  if (r->p->stage != STAGE_ENDED) stands(r);
}

static bool throw(Run *r) {
  char why[256];
  Position *p = r->p;
  return !engine_needs_dice(r->pair.engine, p) || chance_throw(r->pair.engine, p, &r->rng, NULL, why, sizeof why);
}

/* So many random turns by the interpreted kernel alone, to come into the middle of a game soon. */
static bool leap(Run *r, int turns) {
  const Kernel *k = r->pair.plain ? r->pair.plain : r->pair.kernel;
  void *ctx = r->pair.plain ? r->pair.plainly.ctx : r->pair.player.ctx;
  const Layout *l = engine_layout(r->pair.engine);
  start(r);
  for (int64_t met = 0; r->turn < turns && met < LEAP_COST && r->p->stage != STAGE_ENDED; r->turn++) {
    if (!throw(r)) return false;
    void *position = kernel_load(k, l, r->p);
    int64_t n = position ? k->api->turns(ctx, position, 1) : -1;
    memory_resize(position, 0);
    if (n < 1) return false;
    met += n;
    kernel_store(k, l, k->api->turn(ctx, rng_below(&r->rng, (uint32_t)n)), r->p);
    if (r->p->stage != STAGE_ENDED) stands(r);
  }
  return r->p->stage != STAGE_ENDED;
}

/* What else may happen before the dice: an offer and its answer, an overrun of the clock, a
 * player who gives up. */
static void happen(Run *r) {
  Engine *engine = r->pair.engine;
  Offer offer[8];
  int n = engine_offers(engine, r->p, offer, 8);
  if (n && rng_below(&r->rng, 4) == 0) {
    const Offer *o = &offer[rng_below(&r->rng, (uint32_t)(n < 8 ? n : 8))];
    int answerer = (r->p->mover + 1) % r->rules->seats;
    engine_offer(engine, r->p, o, rng_below(&r->rng, 8) != 0, answerer);
  }
  if (r->p->stage == STAGE_ENDED) return;
  if (rng_below(&r->rng, 64) == 0) engine_overrun(engine, r->p);
  if (r->p->stage == STAGE_ENDED) return;
  if (rng_below(&r->rng, 256) == 0 && r->rules->seats > 2) engine_resign(engine, r->p, r->p->mover);
}

static bool is_lately(const Run *r, const Position *p) {
  uint64_t key = position_key(r->rules, engine_layout(r->pair.engine), p, p->mover);
  for (int i = 0; i < LATELY; i++)
    if (r->lately[i] == key) return true;
  return false;
}

static const Turn *choose(Run *r, const Turns *turns) {
  int first = (int)rng_below(&r->rng, (uint32_t)turns->n);
  for (int i = 0; r->homesick && i < turns->n; i++) {
    const Turn *turn = &turns->at[(first + i) % turns->n];
    if (turn->after->stage != STAGE_ENDED && is_lately(r, turn->after)) return turn;
  }
  return &turns->at[first];
}

/* Compares, and plays one turn. */
static bool look(Run *r, int game) {
  Engine *engine = r->pair.engine;
  Difference d = {SAME, -1, NULL};
  if (engine_needs_dice(engine, r->p) && r->width < FEW && rng_below(&r->rng, 4) == 0 && pair_throws_differ(&r->pair, r->p, &d))
    return report(r, game, &d);
  if (!throw(r)) {
    fprintf(stderr, "%s%s: every throw is thrown again\n", r->game, r->options);
    return false;
  }
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, r->p);
  bool good = turns.n >= TURNS_LOOKED_AT || turns.n > most_turns * USUAL_TURNS || !pair_differs(&r->pair, r->p, &d);
  if (good && d.kind == ERRS_ALIKE) r->p->stage = STAGE_ENDED;
  else if (good) position_copy(r->p, choose(r, &turns)->after);
  r->positions++;
  r->turns += r->width = turns.n;
  engine_release(engine, mark);
  return good ? true : report(r, game, &d);
}

/* Somewhere in a game that goes on; the shorter the leap the surer. */
static bool begin(Run *r) {
  r->homesick = rng_below(&r->rng, 3) == 0;
  int far = rng_below(&r->rng, 4) ? (int)rng_below(&r->rng, LEAP_MOST) : 0;
  while (!leap(r, far) && far) far = far * 2 / 3;
  return r->p->stage != STAGE_ENDED;
}

/* So many turns, in one game or in several; fewer where there are very many to compare. */
static bool play(Run *r, int game) {
  r->rng = rng_for(seed, r->number * 1000 + (uint64_t)game); /* every value has games of its own */
  r->p->stage = STAGE_ENDED;
  r->width = FEW;
  int64_t enough = r->turns + (int64_t)most_turns * USUAL_TURNS;
  for (int turn = 0; turn < most_turns && r->turns < enough; turn++) {
    if (r->p->stage == STAGE_ENDED && !begin(r)) return true;
    happen(r);
    if (r->p->stage == STAGE_ENDED) continue;
    if (!look(r, game)) return false;
    r->turn++;
    if (r->p->stage != STAGE_ENDED) stands(r);
  }
  return true;
}

typedef enum Followed { GONE_ON, NOT_TO_BE_HAD, NOT_PICKED } Followed;

/* Follows a game that a kernel plays alone: chance drawn alike, its turns picked one by one, and counted by the
 * reference, which may have none: every throw is thrown again, too many turns. */
static Followed follow(Run *r, Rng *rng, int64_t *choices) {
  const Kernel *k = r->pair.kernel;
  const Layout *l = engine_layout(r->pair.engine);
  char why[256];
  if (engine_needs_dice(r->pair.engine, r->p) && !chance_throw(r->pair.engine, r->p, rng, NULL, why, sizeof why))
    return NOT_TO_BE_HAD;
  Mark mark = engine_mark(r->pair.engine);
  Turns turns = engine_turns(r->pair.engine, r->p);
  int n = turns.too_many || engine_complaint(r->pair.engine) ? 0 : turns.n;
  bool pass = n == 1 && turns.at[0].steps == 0;
  engine_release(r->pair.engine, mark);
  if (!n) return NOT_TO_BE_HAD;
  *choices += n;
  void *position = kernel_load(k, l, r->p);
  int64_t chosen = pass && k->program->direct ? 0 : rng_below(rng, (uint32_t)n); /* nothing is drawn for no step */
  const void *after = position ? k->api->pick(r->pair.player.ctx, position, chosen) : NULL;
  if (after) kernel_store(k, l, after, r->p);
  memory_resize(position, 0);
  return after ? GONE_ON : NOT_PICKED;
}

/* What a kernel keeps from one turn to the next while it plays does not show. */
static bool games_agree(Run *r, int game) {
  static MachineSums sums;
  const Kernel *k = r->pair.kernel;
  int64_t choices = 0;
  r->rng = rng_for(seed, r->number * 1000 + (uint64_t)game);
  start(r);
  if (r->p->stage == STAGE_ENDED) return true;
  MachineGames order = {.seed = seed, .first = game, .step = 1, .end = game + 1, .cap = most_turns, .seat = r->p->mover};
  void *from = kernel_load(k, engine_layout(r->pair.engine), r->p);
  order.start[r->p->mover] = from;
  memset(&sums, 0, sizeof sums);
  bool played = from && k->api->play(r->pair.chancer.ctx, &order, &sums);
  memory_resize(from, 0);
  Rng rng = rng_for(seed, (uint64_t)game);
  Followed followed = GONE_ON;
  while (r->turn < most_turns && r->p->stage != STAGE_ENDED && (followed = follow(r, &rng, &choices)) == GONE_ON) {
    r->turn++;
    if (r->p->stage != STAGE_ENDED) stands(r);
  }
  /* where steps are picked without being made a kernel passes by those that err */
  if (followed == NOT_TO_BE_HAD && (!played || k->program->direct)) return true;
  bool ended = r->p->stage == STAGE_ENDED;
  if (played && followed == GONE_ON && sums.turns == r->turn && sums.choices == choices && sums.finished == ended && (!ended || sums.ends[r->p->end_rule] == 1))
    return true;
  fprintf(stderr, "%s%s: game %d of seed %llu, played by the %s, is another than followed turn by turn: %lld turns, %d; %lld choices, %lld; over %lld, %d%s\n",
          r->game, r->options, game, (unsigned long long)seed, pair_side(&r->pair), (long long)sums.turns, r->turn,
          (long long)sums.choices, (long long)choices, (long long)sums.finished, ended,
          !played ? "; it did not come to its end" : followed != GONE_ON ? "; the next turn could not be picked" : "");
  return false;
}

/* Whole games by machine code and by the interpreter have the same sums. */
static bool sums_agree(Run *r) {
  static MachineSums sums[2];
  MachineGames order = {.seed = seed, .step = 1, .end = games, .cap = most_turns, .seat = engine_first(r->pair.engine)};
  for (int i = 0; i < 2; i++) {
    const Kernel *k = i ? r->pair.plain : r->pair.kernel;
    void *from[MACHINE_SEATS] = {NULL};
    for (int s = 0; s < r->rules->seats; s++) {
      engine_start(r->pair.engine, r->p, s);
      engine_pop(r->pair.engine);
      order.start[s] = from[s] = kernel_load(k, engine_layout(r->pair.engine), r->p);
    }
    memset(&sums[i], 0, sizeof sums[i]);
    k->api->play(i ? r->pair.plainly.ctx : r->pair.chancer.ctx, &order, &sums[i]);
    for (int s = 0; s < r->rules->seats; s++) memory_resize(from[s], 0);
  }
  if (!memcmp(&sums[0], &sums[1], sizeof sums[0])) return true;
  fprintf(stderr, "%s%s: %d random games of %d turns differ between kernel and machine code, seed %llu\n", r->game,
          r->options, games, most_turns, (unsigned long long)seed);
  return false;
}

/* ---- games and options ---- */

/* Both kernels, or false after telling. */
static bool compare(Run *r, bool by_machine_code) {
  char why[256];
  Rng rng = rng_for(seed, r->number);
  uint64_t hosted = hosts ? (uint64_t)rng_below(&rng, 1u << 31) & rng_below(&rng, 1u << 31) : 0;
  Side side = !by_machine_code ? SIDE_KERNEL : bulky ? SIDE_BULKY : SIDE_NATIVE;
  if (!pair_open(&r->pair, r->rules, side, hosted, why, sizeof why)) {
    printf("%s: %s%s: %s\n", by_machine_code ? "not ok: no machine code" : "reference only", r->game, r->options, why);
    return !by_machine_code;
  }
  r->p = engine_position(r->pair.engine);
  bool good = true;
  for (int g = 0; g < games && good; g++) good = play(r, g) && games_agree(r, g);
  if (good && by_machine_code) good = sums_agree(r);
  free(r->p);
  pair_close(&r->pair);
  return good;
}

static bool try_rules(const char *game, const char *options, const Rules *rules) {
  static uint64_t number;
  Run r = {.game = game, .rules = rules, .number = number++};
  char why[256];
  snprintf(r.options, sizeof r.options, "%s", options);
  bool machine = every && (r.number + seed) % (uint64_t)every == 0;
  if (only_machine && !machine) return true;
  Kernel *kernel = kernel_new(rules, why, sizeof why);
  bool lowered = kernel != NULL;
  kernel_free(kernel);
  bool good = (only_machine || compare(&r, false)) && (!machine || !lowered || compare(&r, true));
  if (lowered)
    printf("%s %s%s: %lld positions, %lld turns%s\n", good ? "ok" : "not ok", game, options, (long long)r.positions,
           (long long)r.turns, machine ? ", machine code" : "");
  fflush(stdout);
  return good;
}

/* The game with every value of every param, one at a time. */
static bool try_game(const char *game) {
  Loading *loading = loading_new(NULL);
  const Rules *rules;
  if (load_game(loading, game, NULL, 0, false, &rules) != LOAD_OK) {
    fprintf(stderr, "%s: does not load\n", game);
    loading_free(loading);
    return false;
  }
  bool good = try_rules(game, "", rules);
  for (int i = 0; i < rules->params && !defaults; i++) {
    const Param *param = &rules->param[i];
    int n = param->type == TYPE_VALUES ? param->value_n
            : param->type == TYPE_NUMBER ? param->high - param->low + 1 : 0;
    for (int v = 0; v < n && (v < 12 || param->type == TYPE_VALUES); v++) {
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
    if (letter == 'd') defaults = true;
    else if (letter == 'o') only_machine = true;
    else if (letter == 'H') hosts = true;
    else if (letter == 'B') bulky = true;
    else if (first + 1 < argc && letter == 'n') games = atoi(argv[++first]);
    else if (first + 1 < argc && letter == 'k') every = atoi(argv[++first]);
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
