/* Dice and lots: every throw of the program is made here, from the generator it is given.
 */
#ifndef CHANCE_H
#define CHANCE_H

#include "base/rng.h"
#include "play/engine.h"

/* How often every face fell, for a test of the dice; counts throws as they fall, those
 * thrown again included. */
typedef struct Tally {
  int64_t face[FACES_MAX];             /* by number of the face, all dice together */
  int64_t pair[FACES_MAX * FACES_MAX]; /* of the first two dice of a throw, in order */
  int64_t throws;
} Tally;

/* The pool that the position's turn rolls, or NULL. */
const DicePool *chance_pool(const Rules *rules, const Position *p);
/* Throws the dice that the position waits for, again while the game says so, and puts
 * them on the table. `tally` may be NULL. False and a sentence if the engine refuses. */
bool chance_throw(Engine *engine, Position *p, Rng *rng, Tally *tally, char *why,
                  size_t room);
/* Who begins: by the rules, or by lot. */
int chance_first(Engine *engine, Rng *rng);

/* Chi-square of counts that should be equal; the chance of one at least as great. */
double chance_chi_square(const int64_t *count, int n, double *likelihood);

#endif
