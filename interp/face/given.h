/* The position that a command speaks of: --position and --dice, else the start. */
#ifndef GIVEN_H
#define GIVEN_H

#include "face/call.h"
#include "face/exchange.h"

/* The position of the call, its dice on the table if any were given. False after telling.
 */
bool given_position(const Call *call, Exchange *x, Position *p, int *status);
/* Puts the throw of --dice on the table, in place of dice that lie there. */
bool given_dice(const Call *call, Exchange *x, Position *p, int *status);

/* All turns of a position, by the lister of the call if it has one; false after a complaint of the engine or too many turns, with a sentence. */
bool given_turns(const Call *call, const Position *p, ListerWant want, Turns *turns, char *why, size_t room);
/* The turn as the reference makes it, whoever has listed it. */
void given_make(const Call *call, const Position *p, Turn *turn);

#endif
