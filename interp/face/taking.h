/* Which capture rule is about a piece: for records that claim a capture which is none. */
#ifndef TAKING_H
#define TAKING_H

#include "play/engine.h"

/* The first capture rule that may take pieces of that plane when this player moves, or
 * -1. */
int taking_rule(Engine *engine, const Position *p, int plane);

#endif
