/* Plays many games with computer players and adds up what happened. The result depends on
 * the seed and the numbers of the games only, not on how they are shared out. */
#ifndef SIMULATE_H
#define SIMULATE_H

#include "mind/chance.h"
#include "mind/player.h"

typedef struct SimulateOrder {
  uint64_t seed;
  int64_t games;     /* games 0 .. games - 1 in all shards together */
  int shard, shards; /* 1 .. shards: this one plays every shards-th game */
  int jobs;          /* threads */
  int cap;           /* turns after which a game is left unfinished */
  bool check;        /* check every position, after every step */
  int engine;        /* EngineChoice of study/fast.h */
  const PlayerKind *player[SEATS_MAX];
} SimulateOrder;

typedef struct SimulateResult {
  int64_t games, finished, unfinished, draws;
  int64_t wins[SEATS_MAX];
  double score[SEATS_MAX];             /* sums; halves and whole numbers, so exact */
  int64_t turns, turns_min, turns_max; /* of finished and unfinished games */
  int64_t steps;
  int64_t choices; /* distinct turns to choose from, all turns together */
  int64_t passes;
  int64_t ends[RULES_MAX];  /* games ended by each rule */
  int64_t fired[RULES_MAX]; /* steps made, pieces' captures, ends */
  /* with `check`: the fewest and the most pieces that a player still in the game had */
  int pieces_min[SEATS_MAX], pieces_max[SEATS_MAX];
  Tally tally;
  double seconds;
} SimulateResult;

/* False and a sentence (with the game's number) when a game cannot be played on. */
bool simulate_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result,
                  char *why, size_t room);
/* Adds what came of some games to what came of others. */
void simulate_add(const Rules *rules, SimulateResult *to, const SimulateResult *one);

#endif
