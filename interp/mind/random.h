/* Plays any legal turn, all equally likely. */
#ifndef RANDOM_H
#define RANDOM_H

#include "mind/player.h"

int player_random(Engine *engine, const Position *p, const Turns *turns, Rng *rng);

#endif
