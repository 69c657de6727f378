/* Which engine does the work: the reference, the interpreted kernel, or machine code. Left to
 * choose, a long job gets machine code and a quick one never waits for a compiler. Kernel and
 * machine code play the same games for a seed. */
#ifndef FAST_H
#define FAST_H

#include "play/kernel.h"
#include "play/lister.h"
#include "study/perft.h"

typedef enum EngineChoice { ENGINE_AUTO, ENGINE_REFERENCE, ENGINE_KERNEL, ENGINE_NATIVE } EngineChoice;

/* The choice by its name (NULL: auto); false: there is none of that name. */
bool engine_choice(const char *name, EngineChoice *choice);
/* The names, for suggestions; *n of them. */
const char *const *engine_choices(size_t *n);

/* A kernel for the game, with machine code at once if that is the choice. NULL: the reference
 * is to do it, by choice or because the game says something that the kernel cannot; then, unless
 * left to choose, a note on standard error says what. */
Kernel *fast_kernel(const Rules *rules, EngineChoice choice);
/* Whether a kernel lists turns to the letter as the reference does, and not by asking it: where turns
 * have several steps the ways that are named may differ, and what is left to choose does not decide
 * what is printed. */
bool fast_alike(const Kernel *kernel);
/* For a kernel left to choose: machine code if so many more seconds of work are ahead. */
void fast_hurry(Kernel *kernel, EngineChoice choice, double seconds_left);

/* Work of unknown length, left to choose: the reference lists the turns until it has taken some
 * time, then a kernel is tried if it lists alike, and the quicker of the two goes on; machine code when as much time
 * has passed as is worth it. Begins with lister, rules and nothing else set. */
typedef struct Trial {
  Lister *lister;
  const Rules *rules;
  Kernel *kernel; /* the trial's: trial_end */
  int stage;
  double all, seconds, each; /* since the beginning; in this stage; a turn by the reference */
  int64_t turns;             /* in this stage */
} Trial;
/* A game of so many turns has been gone through in so many seconds. */
void trial_game(Trial *trial, double seconds, int64_t turns);
void trial_end(Trial *trial);

/* perft_count by a kernel; false: the kernel cannot (too many turns, too many pieces). `before`: the position that
 * the turn to p was made from, for repetitions; NULL: p is the first. With one, machine code is not thought of. */
bool fast_perft(Kernel *kernel, EngineChoice choice, Engine *engine, const Position *before, const Position *p, int depth,
                bool bare, PerftLine *line);

#endif
