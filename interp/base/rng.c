/* Chance by Philox 4x32-10 of Random123: counter {draw, draw, game, game}, key = seed. */
#include "base/rng.h"

#include <Random123/philox.h>

Rng rng_for(uint64_t seed, uint64_t game) {
  Rng rng = {.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}, .game = game};
  return rng;
}

static void refill(Rng *rng) {
  philox4x32_ctr_t counter = {{(uint32_t)rng->block, (uint32_t)(rng->block >> 32),
                               (uint32_t)rng->game, (uint32_t)(rng->game >> 32)}};
  philox4x32_key_t key = {{rng->key[0], rng->key[1]}};
  philox4x32_ctr_t out = philox4x32(counter, key);
  for (int i = 0; i < 4; i++) rng->word[i] = out.v[i];
  rng->block++;
  rng->left = 4;
}

uint32_t rng_next(Rng *rng) {
  if (rng->left == 0) refill(rng);
  return rng->word[4 - rng->left--];
}

/* The high half of a product with n is below n; products whose low half falls into the
 * first 2^32 mod n values would come once too often and are drawn anew. */
uint32_t rng_below(Rng *rng, uint32_t n) {
  if (n < 2) return 0;
  uint32_t surplus = (uint32_t)(-n) % n;
  for (;;) {
    uint64_t product = (uint64_t)rng_next(rng) * n;
    if ((uint32_t)product >= surplus) return (uint32_t)(product >> 32);
  }
}
