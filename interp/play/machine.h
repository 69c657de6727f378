/* What a compiled game and its host agree on, whether it is interpreted or printed as C and
 * loaded. This text stands at the head of every printed game, so it needs nothing but
 * <stdint.h>. A position is a flat block: sets of `words` words each, then `nums` numbers. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

enum { MACHINE_VERSION = 4, MACHINE_SEATS = 8, MACHINE_RULES = 512, MACHINE_FACES = 64 };
enum { WALK_ALONE = 1 << 16 }; /* beside the directions of a walk: there is hardly more than one such piece */
enum { MACHINE_THROWS = 10000 }; /* a game that throws so often, and each time again, is broken */

/* Why a call has failed. */
enum {
  MACHINE_FINE,
  MACHINE_MANY,   /* a position has too many turns */
  MACHINE_AGAIN,  /* every throw is thrown again */
  MACHINE_PLACES, /* two effects send one piece to different places */
  MACHINE_HOST    /* the host could not do what it was asked */
};

typedef struct MachineStep {
  int16_t rule, plane, origin, target, die, choice;
  int16_t way; /* 0..15 a direction, 16 anywhere, 32.. a path */
  int32_t chosen;
} MachineStep;

typedef struct MachineLine { /* of perft, a depth */
  int64_t leaves, weighted, captures, ended;
} MachineLine;

typedef struct MachineSums { /* of random games */
  int64_t games, finished, unfinished, draws;
  int64_t turns, turns_min, turns_max, steps, choices, passes;
  int64_t wins[MACHINE_SEATS], score[MACHINE_SEATS]; /* scores in twelfths */
  int64_t ends[MACHINE_RULES], fired[MACHINE_RULES];
  int64_t throws, face[MACHINE_FACES], pair[MACHINE_FACES * MACHINE_FACES];
} MachineSums;

typedef struct MachineGames { /* which random games to play */
  uint64_t seed;
  int64_t first, step, end; /* games first, first + step … below end */
  int32_t cap;              /* turns */
  int32_t seat;             /* who begins; -1: by lot */
  const void *start[MACHINE_SEATS]; /* the start position for each seat */
} MachineGames;

/* What only the host can do: 0 and up: fires a rule; below that a section of the game, ~what; or
 * one of these: for its history of positions, and whether there is any lawful step. */
enum { MACHINE_PUSH = -1000, MACHINE_POP, MACHINE_FORGET, MACHINE_STEPS };
/* Does it on a position in the turn of `seat`; `before` and `step`: of the step in hand. What the
 * section answers, or how often the rule fired, to *answer. 0: it could not. */
typedef int32_t MachineHost(void *host, void *position, const void *before, const MachineStep *step,
                            int32_t seat, int32_t what, int64_t *answer);

typedef struct MachineApi {
  int32_t version, words, sets, nums;
  void *(*open)(const void *game); /* a context for one thread */
  void (*close)(void *ctx);
  /* All turns of a position with its dice thrown; how many, or -1 (see `trouble`). With `judge`
   * the positions have the next turn begun and judged. */
  int64_t (*turns)(void *ctx, const void *position, int32_t judge);
  const void *(*turn)(void *ctx, int64_t i);
  int32_t (*steps)(void *ctx, int64_t i, MachineStep *step, int32_t most);
  /* 0: see `trouble` */
  int32_t (*perft)(void *ctx, const void *position, int32_t depth, int32_t bare,
                   MachineLine *line);
  int32_t (*play)(void *ctx, const MachineGames *games, MachineSums *sums);
  /* The history for repetitions: forget it, remember a position. */
  void (*forget)(void *ctx);
  void (*push)(void *ctx, const void *position);
  void (*host)(void *ctx, MachineHost *ask, void *host);
  void (*candidate)(void *ctx, const MachineStep *step); /* of the host: a step of the section in hand */
  int32_t (*trouble)(void *ctx); /* why the last turns, perft, play or pick failed */
  /* One of the turns alone: the position after the k-th as random games count them, k modulo their number. That order
   * need not be the order of `turns`. The dice have fallen, the game is not over. The next turn is begun and judged.
   * Good until the next call; it may be handed to `pick` itself. NULL: see `trouble`. */
  const void *(*pick)(void *ctx, const void *position, int64_t k);
} MachineApi;

#endif
