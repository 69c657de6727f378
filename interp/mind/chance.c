/* Throws die by die, so that the odds are those of real dice and not of a list of throws.
 */
#include "mind/chance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "play/machine.h"

const DicePool *chance_pool(const Rules *rules, const Position *p) {
  int phase = p->phase < 0 ? 0 : p->phase;
  int pool = rules->phase[phase].turn.pool;
  return pool < 0 ? NULL : &rules->pool[pool];
}

static int throw_pool(const DicePool *pool, Rng *rng, Tally *tally, int *shown) {
  int face[DICE_MAX];
  int sum = 0;
  for (int i = 0; i < pool->dice; i++) {
    face[i] = (int)rng_below(rng, (uint32_t)pool->faces);
    sum += pool->face[face[i]];
    if (tally) tally->face[face[i]]++;
  }
  if (tally) {
    tally->throws++;
    if (pool->dice >= 2) tally->pair[face[0] * FACES_MAX + face[1]]++;
  }
  if (pool->total) {
    shown[0] = pool->total_value[sum - pool->total_low];
    return 1;
  }
  for (int i = 0; i < pool->dice; i++) shown[i] = pool->face[face[i]];
  return pool->dice;
}

bool chance_throw(Engine *engine, Position *p, Rng *rng, Tally *tally, char *why,
                  size_t room) {
  const Rules *rules = engine_rules(engine);
  const DicePool *pool = chance_pool(rules, p);
  if (!pool) {
    snprintf(why, room, "there are no dice to throw");
    return false;
  }
  bool again = rules->phase[p->phase < 0 ? 0 : p->phase].turn.reroll != NULL;
  for (int i = 0; i < MACHINE_THROWS; i++) {
    int shown[DICE_MAX];
    int n = throw_pool(pool, rng, tally, shown);
    if (again && !engine_stands(engine, p, shown, n)) continue;
    return engine_set_dice(engine, p, shown, n, why, room);
  }
  snprintf(why, room, "every throw is thrown again");
  return false;
}

int chance_first(Engine *engine, Rng *rng) {
  int first = engine_first(engine);
  return first >= 0 ? first : (int)rng_below(rng, (uint32_t)engine_rules(engine)->seats);
}

/* Wilson and Hilferty: the cube root of chi-square over its degrees is nearly normal. */
double chance_chi_square(const int64_t *count, int n, double *likelihood) {
  double total = 0, sum = 0;
  for (int i = 0; i < n; i++) total += (double)count[i];
  *likelihood = 1;
  if (n < 2 || total <= 0) return 0;
  double expected = total / n;
  for (int i = 0; i < n; i++)
    sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
  double degrees = n - 1;
  double z = (cbrt(sum / degrees) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees));
  *likelihood = 0.5 * erfc(z / sqrt(2));
  return sum;
}
