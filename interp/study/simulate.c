/* Simulation: one engine and one sum for each thread; the sums are added at the end. */
#include "study/simulate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "play/lister.h"
#include "study/jobs.h"
#include "study/quick.h"

/* How much of the time is the kernel's, beside the players and the counting. */
#define LISTING_SHARE 0.5
/* Seconds of work for which it is worth while to see whether a kernel is quicker. */
#define WORTH_SEEING 0.1

typedef struct Worker {
  const Rules *rules;
  const SimulateOrder *order;
  SimulateResult sum;
  Engine *engine;
  Lister *lister;
  int64_t next, end; /* plays every order->jobs-th game of the shard from there to there */
  Position *now;
  Position *step[2]; /* with `check`: before and after a step */
  bool weighs; /* some player does: then the games are the same whoever lists the turns */
  bool failed;
  char why[512];
} Worker;

static bool fail(Worker *w, int64_t game, int turn, const char *what) {
  snprintf(w->why, sizeof w->why, "game %lld, turn %d: %s", (long long)game, turn, what);
  w->failed = true;
  return false;
}

static void count_turn(Worker *w, const Turns *turns, const Turn *turn) {
  w->sum.choices += turns->n;
  w->sum.steps += turn->steps;
  if (turn->steps == 0) w->sum.passes++;
  for (int i = 0; i < turn->steps; i++)
    if (turn->step[i].rule >= 0) w->sum.fired[turn->step[i].rule]++;
  for (int i = 0; i < turn->captures; i++)
    if (turn->captured[i].rule >= 0) w->sum.fired[turn->captured[i].rule]++;
}

static void count_pieces(Worker *w, const Position *p) {
  const Layout *layout = engine_layout(w->engine);
  const Rules *rules = w->rules;
  for (int seat = 0; seat < rules->seats; seat++) {
    if (!((p->active >> seat) & 1)) continue;
    int n = 0;
    for (int plane = 0; plane < rules->planes; plane++)
      if (rules->plane[plane].owner == seat) n += position_total(rules, layout, p, plane);
    if (n < w->sum.pieces_min[seat]) w->sum.pieces_min[seat] = n;
    if (n > w->sum.pieces_max[seat]) w->sum.pieces_max[seat] = n;
  }
}

static bool check_position(Worker *w, const Position *p, char *why, size_t room) {
  count_pieces(w, p);
  return position_check(w->rules, engine_layout(w->engine), p, why, room);
}

/* The turn once more, one step after the other: every position on the way is checked, and at its
 * end it is where the turn led. */
static bool check_turn(Worker *w, const Turn *turn, char *why, size_t room) {
  Engine *engine = w->engine;
  Position *p = w->step[0], *next = w->step[1];
  position_copy(p, w->now);
  for (int i = 0; i < turn->steps; i++) {
    engine_make(engine, p, &turn->step[i], next, NULL, NULL);
    if (!check_position(w, next, why, room)) return false;
    Position *made = next;
    next = p;
    p = made;
  }
  engine_finish(engine, p);
  if (!check_position(w, p, why, room)) return false;
  if (position_same(w->rules, engine_layout(engine), p, turn->after)) return true;
  snprintf(why, room, "made step by step, the turn leads elsewhere");
  return false;
}

/* Plays one turn of the position in w->now. */
static bool play_turn(Worker *w, int64_t game, int turn, Rng *rng) {
  Engine *engine = w->engine;
  Position *p = w->now;
  char why[256];
  if (engine_needs_dice(engine, p) &&
      !chance_throw(engine, p, rng, &w->sum.tally, why, sizeof why))
    return fail(w, game, turn, why);
  Mark mark = engine_mark(engine);
  const PlayerKind *player = w->order->player[p->mover];
  Turns turns = lister_turns(w->lister, p, player->weighs ? LISTER_TAKEN : LISTER_PLACES);
  bool good = true;
  const char *complaint = engine_complaint(engine);
  if (complaint) {
    good = fail(w, game, turn, complaint);
  } else if (turns.too_many || turns.n < 1) {
    good = fail(w, game, turn,
                turns.n < 1 ? "no turn at all" : "too many turns to choose from");
  } else {
    int pick = w->weighs ? player_pick(player, engine, p, &turns, rng) : player->pick(engine, p, &turns, rng);
    Turn *chosen = &turns.at[pick];
    lister_make(w->lister, p, chosen);
    count_turn(w, &turns, chosen);
    if (w->order->check && !check_turn(w, chosen, why, sizeof why))
      good = fail(w, game, turn, why);
    position_copy(p, chosen->after);
  }
  engine_release(engine, mark);
  return good;
}

static void count_end(Worker *w, int turns) {
  SimulateResult *sum = &w->sum;
  const Position *p = w->now;
  sum->games++;
  sum->turns += turns;
  if (sum->games == 1 || turns < sum->turns_min) sum->turns_min = turns;
  if (turns > sum->turns_max) sum->turns_max = turns;
  if (p->stage != STAGE_ENDED) {
    sum->unfinished++;
    return;
  }
  sum->finished++;
  if (p->drawn) sum->draws++;
  for (int seat = 0; seat < w->rules->seats; seat++) {
    if (!p->drawn && (p->winners >> seat) & 1) sum->wins[seat]++;
    sum->score[seat] += p->score[seat];
  }
  if (p->end_rule >= 0) {
    sum->ends[p->end_rule]++;
    sum->fired[p->end_rule]++;
  }
}

static bool play_game(Worker *w, int64_t game) {
  Rng rng = rng_for(w->order->seed, (uint64_t)game);
  engine_start(w->engine, w->now, chance_first(w->engine, &rng));
  int turns = 0;
  while (w->now->stage != STAGE_ENDED && turns < w->order->cap) {
    if (!play_turn(w, game, turns + 1, &rng)) return false;
    turns++;
    if (w->now->stage != STAGE_ENDED) engine_push(w->engine, w->now);
  }
  count_end(w, turns);
  return true;
}

static void work(void *argument) {
  Worker *w = argument;
  const SimulateOrder *order = w->order;
  for (int64_t i = w->next; i < w->end && !w->failed; i += order->jobs)
    play_game(w, order->shard - 1 + order->shards * i);
}

void simulate_add(const Rules *rules, SimulateResult *to, const SimulateResult *one) {
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
    to->score[i] += one->score[i];
    if (one->pieces_min[i] < to->pieces_min[i]) to->pieces_min[i] = one->pieces_min[i];
    if (one->pieces_max[i] > to->pieces_max[i]) to->pieces_max[i] = one->pieces_max[i];
  }
  for (int i = 0; i < rules->rules; i++) {
    to->ends[i] += one->ends[i];
    to->fired[i] += one->fired[i];
  }
  to->tally.throws += one->tally.throws;
  for (int i = 0; i < FACES_MAX; i++) to->tally.face[i] += one->tally.face[i];
  for (int i = 0; i < FACES_MAX * FACES_MAX; i++) to->tally.pair[i] += one->tally.pair[i];
}

/* ---- the whole ---- */

static bool players_weigh(const Rules *rules, const SimulateOrder *order) {
  bool weigh = false;
  for (int seat = 0; seat < rules->seats; seat++) weigh |= order->player[seat]->weighs;
  return weigh;
}

/* All games of a call, portion by portion. */
typedef struct Course {
  Worker *worker;
  Kernel *kernel;     /* lists the turns; NULL: the reference */
  int64_t done, total;
  double each, turn;  /* seconds of a game, and of a turn, in the last portion */
} Course;

static int64_t turns_of(const Worker *worker) {
  int64_t turns = 0;
  for (int i = 0; i < worker->order->jobs; i++) turns += worker[i].sum.turns;
  return turns;
}

/* The next games of the shard; false: one cannot be played on. */
static bool play_portion(Course *c, int64_t games) {
  Worker *worker = c->worker;
  int jobs = worker->order->jobs;
  double since = clock_now();
  int64_t turns = turns_of(worker);
  bool good = true;
  if (games > c->total - c->done) games = c->total - c->done;
  for (int i = 0; i < jobs; i++) {
    worker[i].next = c->done + i;
    worker[i].end = c->done + games;
    lister_use(worker[i].lister, c->kernel);
  }
  jobs_run(worker, sizeof *worker, jobs, work);
  for (int i = 0; i < jobs; i++) {
    lister_use(worker[i].lister, NULL);
    good &= !worker[i].failed;
  }
  c->done += games;
  c->each = games ? (clock_now() - since) / (double)games : 0;
  c->turn = (clock_now() - since) / (double)(turns_of(worker) - turns + 1);
  return good;
}

static double seconds_left(const Course *c) { return c->each * (double)(c->total - c->done); }

/* Some games by the reference, some by the kernel if there is enough to do, and the rest by the
 * quicker: players who weigh what comes of every turn may take longer than finding the turns. */
static void play_and_see(Course *c, const Rules *rules) {
  int64_t size = 4 * (int64_t)c->worker->order->jobs;
  bool good = play_portion(c, size);
  double by_reference = c->turn;
  if (good && seconds_left(c) > WORTH_SEEING) c->kernel = fast_kernel(rules, ENGINE_AUTO);
  bool quicker = c->kernel && fast_alike(c->kernel);
  if (quicker) good = play_portion(c, size);
  quicker = quicker && c->turn < by_reference;
  for (; good && quicker && c->done < c->total; size *= 4) {
    fast_hurry(c->kernel, ENGINE_AUTO, seconds_left(c) * LISTING_SHARE);
    good = play_portion(c, c->kernel->native ? c->total : size);
  }
  if (!quicker) {
    kernel_free(c->kernel);
    c->kernel = NULL;
  }
  if (good) play_portion(c, c->total);
}

static void play_all(Worker *worker, const Rules *rules) {
  const SimulateOrder *order = worker->order;
  EngineChoice choice = (EngineChoice)order->engine;
  Course c = {.worker = worker};
  if (order->games >= order->shard) c.total = (order->games - order->shard) / order->shards + 1;
  if (choice == ENGINE_AUTO && worker->weighs && !order->check) {
    play_and_see(&c, rules);
  } else {
    c.kernel = choice == ENGINE_AUTO ? NULL : fast_kernel(rules, choice);
    play_portion(&c, c.total);
  }
  kernel_free(c.kernel);
}

static void open_worker(Worker *w, const Rules *rules, const SimulateOrder *order) {
  memset(w, 0, sizeof *w);
  w->rules = rules;
  w->order = order;
  w->weighs = players_weigh(rules, order);
  w->engine = engine_new(rules);
  w->lister = lister_new(w->engine);
  w->now = engine_position(w->engine);
  for (int k = 0; k < 2; k++) w->step[k] = engine_position(w->engine);
  for (int seat = 0; seat < SEATS_MAX; seat++) w->sum.pieces_min[seat] = INT_MAX;
}

static void close_worker(Worker *w) {
  free(w->now);
  for (int k = 0; k < 2; k++) free(w->step[k]);
  lister_free(w->lister);
  engine_free(w->engine);
}

bool simulate_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result,
                  char *why, size_t room) {
  Quick quick = quick_run(rules, order, result, why, room);
  if (quick != QUICK_NOT) return quick == QUICK_DONE;
  double begun = clock_now();
  memset(result, 0, sizeof *result);
  for (int seat = 0; seat < SEATS_MAX; seat++) result->pieces_min[seat] = INT_MAX;
  Worker *worker = memory_resize(NULL, sizeof *worker * (size_t)order->jobs);
  for (int i = 0; i < order->jobs; i++) open_worker(&worker[i], rules, order);
  play_all(worker, rules);
  bool good = true;
  for (int i = 0; i < order->jobs; i++) {
    if (worker[i].failed && good) {
      snprintf(why, room, "%s", worker[i].why);
      good = false;
    }
    simulate_add(rules, result, &worker[i].sum);
    close_worker(&worker[i]);
  }
  memory_resize(worker, 0);
  result->seconds = clock_now() - begun;
  return good;
}
