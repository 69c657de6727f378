/* The random player: the yardstick of simulations. */
#include "mind/random.h"

int player_random(Engine *engine, const Position *p, const Turns *turns, Rng *rng) {
  (void)engine, (void)p;
  return (int)rng_below(rng, (uint32_t)turns->n);
}
