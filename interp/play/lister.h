/* All turns of a position, by the reference or by a kernel: the same turns. The reference keeps
 * the game (its history, its memory), whoever lists.
 *
 * Turns of one step are the same in every way, order included. A turn of several steps may be
 * written otherwise where several ways lead to one position and take equally few: each names the one it met first. */
#ifndef LISTER_H
#define LISTER_H

#include "play/engine.h"

typedef struct Lister Lister;
typedef struct Kernel Kernel; /* play/kernel.h */

/* A lister that goes along with the engine, whose history it watches. */
Lister *lister_new(Engine *engine);
void lister_free(Lister *lister);
/* From the next game or position given on (engine_start, engine_given) the kernel lists; NULL:
 * the reference, at once. The kernel stays as it is until it is given back so. */
void lister_use(Lister *lister, const Kernel *kernel);

typedef enum ListerWant { /* what a kernel's turns are to tell besides their steps and where they lead */
  LISTER_PLACES, /* nothing: what no rule asks for is left out of `after` too; see lister_make */
  LISTER_TAKEN,  /* what they have taken when they are over: not what was taken in passing and stands again */
  LISTER_ALL     /* all that the reference tells */
} ListerWant;
/* engine_turns. What a kernel cannot list, the reference does. */
Turns lister_turns(Lister *lister, const Position *p, ListerWant want);
/* Whether the kernel has listed them; if not, why it failed: NULL if it was not asked or cannot hold the position. */
bool lister_listed(const Lister *lister, const char **failed);
/* A turn of the list made by the reference, if it has not listed it: with all that it takes and
 * all that a position holds. */
void lister_make(Lister *lister, const Position *p, Turn *turn);

#endif
