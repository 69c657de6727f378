/* Looks one turn ahead: a win, then captures, then the way covered. */
#ifndef GREEDY_H
#define GREEDY_H

#include "mind/player.h"

int player_greedy(Engine *engine, const Position *p, const Turns *turns, Rng *rng);

#endif
