/* The one door of chance: a counter-based generator (Philox 4x32-10). A draw depends only
 * on the seed, the number of the game and the number of the draw, so that the same games
 * come out on one core, on many, and in pieces on several machines. Plain values, nothing
 * to free. */
#ifndef RNG_H
#define RNG_H

#include <stdint.h>

typedef struct Rng {
  uint32_t key[2]; /* the seed */
  uint64_t game;
  uint64_t block; /* the next block of four words */
  uint32_t word[4];
  int left; /* words of the present block not yet drawn */
} Rng;

Rng rng_for(uint64_t seed, uint64_t game);
/* The next 32 bits. */
uint32_t rng_next(Rng *rng);
/* A number below n, all equally likely; 0 for n = 0 (nothing is drawn for n of 0 or 1).
 */
uint32_t rng_below(Rng *rng, uint32_t n);

#endif
