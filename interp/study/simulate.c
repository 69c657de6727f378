/* Simulation: one engine and one sum for each thread; the sums are added at the end. */
#include "study/simulate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "study/jobs.h"
#include "study/quick.h"

typedef struct Worker {
  const Rules *rules;
  const SimulateOrder *order;
  int number; /* plays every order->jobs-th game of the shard */
  SimulateResult sum;
  Engine *engine;
  Position *now;
  Position *step[2]; /* with `check`: before and after a step */
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
  Turns turns = engine_turns(engine, p);
  bool good = true;
  const char *complaint = engine_complaint(engine);
  if (complaint) {
    good = fail(w, game, turn, complaint);
  } else if (turns.too_many || turns.n < 1) {
    good = fail(w, game, turn,
                turns.n < 1 ? "no turn at all" : "too many turns to choose from");
  } else {
    int pick = w->order->player[p->mover]->pick(engine, p, &turns, rng);
    const Turn *chosen = &turns.at[pick];
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
  int64_t step = (int64_t)order->shards * order->jobs;
  int64_t game = order->shard - 1 + (int64_t)order->shards * w->number;
  for (; game < order->games; game += step)
    if (!play_game(w, game)) break;
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

bool simulate_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result,
                  char *why, size_t room) {
  Quick quick = quick_run(rules, order, result, why, room);
  if (quick != QUICK_NOT) return quick == QUICK_DONE;
  double begun = clock_now();
  memset(result, 0, sizeof *result);
  for (int seat = 0; seat < SEATS_MAX; seat++) result->pieces_min[seat] = INT_MAX;
  Worker *worker = memory_resize(NULL, sizeof *worker * (size_t)order->jobs);
  memset(worker, 0, sizeof *worker * (size_t)order->jobs);
  for (int i = 0; i < order->jobs; i++) {
    worker[i] = (Worker){.rules = rules, .order = order, .number = i};
    worker[i].engine = engine_new(rules);
    worker[i].now = engine_position(worker[i].engine);
    for (int k = 0; k < 2; k++) worker[i].step[k] = engine_position(worker[i].engine);
    for (int seat = 0; seat < SEATS_MAX; seat++) worker[i].sum.pieces_min[seat] = INT_MAX;
  }
  jobs_run(worker, sizeof *worker, order->jobs, work);
  bool good = true;
  for (int i = 0; i < order->jobs; i++) {
    if (worker[i].failed && good) {
      snprintf(why, room, "%s", worker[i].why);
      good = false;
    }
    simulate_add(rules, result, &worker[i].sum);
    free(worker[i].now);
    for (int k = 0; k < 2; k++) free(worker[i].step[k]);
    engine_free(worker[i].engine);
  }
  memory_resize(worker, 0);
  result->seconds = clock_now() - begun;
  return good;
}
