/* Dice: what a throw may be, how it is played, all throws with their odds. */
#include "play/inside.h"

#include <string.h>

#include "play/words.h"

static const DicePool *pool_of(const Engine *engine, const Position *p) {
  int pool = turn_shape(engine, p)->pool;
  return pool < 0 ? NULL : &engine->rules->pool[pool];
}

bool engine_needs_dice(const Engine *engine, const Position *p) {
  return p->stage == STAGE_TURN && !p->rolled && pool_of(engine, p) != NULL;
}

static bool shows(const DicePool *pool, int face) {
  if (pool->total) {
    for (int t = pool->total_low; t <= pool->total_high; t++)
      if (pool->total_value[t - pool->total_low] == face) return true;
    return false;
  }
  for (int i = 0; i < pool->faces; i++)
    if (pool->face[i] == face) return true;
  return false;
}

static void put_dice(const DicePool *pool, Position *p, const int *faces, int n) {
  int face[DICE_MAX];
  memcpy(face, faces, (size_t)n * sizeof *face);
  for (int i = 0; i < n; i++) p->thrown[i] = (uint8_t)faces[i];
  p->thrown_n = (int8_t)n;
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && face[k - 1] < face[k]; k--) {
      int t = face[k];
      face[k] = face[k - 1];
      face[k - 1] = t;
    }
  bool equal = n > 1 && face[0] == face[n - 1];
  p->doubled = (int8_t)(equal ? face[0] : 0);
  p->dice = (int8_t)n;
  for (int i = 0; i < n; i++) p->die[i] = (uint8_t)face[i];
  if (equal)
    for (; p->dice < pool->doubles && p->dice < DICE_MAX; p->dice++)
      p->die[p->dice] = (uint8_t)face[0];
  p->rolled = true;
}

bool engine_set_dice(Engine *engine, Position *p, const int *faces, int n, char *why,
                     size_t room) {
  const DicePool *pool = pool_of(engine, p);
  if (p->stage == STAGE_ENDED) {
    WORDS_WRITE(why, room, engine->russian, NO_DICE_AT_END);
    return false;
  }
  if (!pool) {
    words_write(why, room, engine->rules->pools ? WORDS_NO_DICE_NOW : WORDS_NO_DICE,
                engine->russian, NULL);
    return false;
  }
  int dice = pool->total ? 1 : pool->dice;
  if (n != dice) {
    words_write(why, room, n == 1 ? WORDS_NUMBER_GIVEN : WORDS_NUMBERS_GIVEN, engine->russian,
                (const char *const[]){NULL, WORDS_NUMBER(n), WORDS_NUMBER(dice)});
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!shows(pool, faces[i])) {
      WORDS_WRITE(why, room, engine->russian, NO_SUCH_FACE, pool->name, WORDS_NUMBER(faces[i]));
      return false;
    }
  put_dice(pool, p, faces, n);
  return true;
}

bool turn_rerolls(Engine *engine, const Position *p) {
  const TurnShape *shape = turn_shape(engine, p);
  EvalCtx ctx = eval_context(engine, p);
  return shape->reroll && eval_condition(&ctx, shape->reroll);
}

bool engine_stands(Engine *engine, const Position *p, const int *faces, int n) {
  Mark mark = engine_mark(engine);
  Position *copy = engine_block(engine, engine->layout.size);
  position_copy(copy, p);
  char why[128];
  bool stands = engine_set_dice(engine, copy, faces, n, why, sizeof why);
  if (stands) stands = !turn_rerolls(engine, copy);
  engine_release(engine, mark);
  return stands;
}

static void add_roll(Engine *engine, const Position *p, const Roll *roll, int64_t *total) {
  if (turn_shape(engine, p)->reroll && !engine_stands(engine, p, roll->face, roll->n)) return;
  VEC_PUSH(engine->rolls, *roll);
  *total += roll->ways;
}

/* Multisets of `pool->dice` different values, largest first, each with its number of ways. */
typedef struct Values {
  int value[FACES_MAX];
  int64_t faces[FACES_MAX]; /* how many faces show it */
  int n;
} Values;

static void gather_rolls(Engine *engine, const Position *p, const Values *values, int first,
                         int left, int64_t ways, Roll *roll, int64_t *total) {
  if (left == 0) {
    roll->ways = ways;
    add_roll(engine, p, roll, total);
    return;
  }
  for (int v = first; v < values->n; v++) {
    int64_t w = ways, choose = 1;
    for (int k = 1; k <= left; k++) {
      /* k dice show this value, none of the rest does */
      choose = choose * (left - k + 1) / k;
      w *= values->faces[v];
      roll->face[roll->n++] = values->value[v];
      gather_rolls(engine, p, values, v + 1, left - k, w * choose, roll, total);
    }
    roll->n -= left;
  }
}

static Values pool_values(const DicePool *pool) {
  Values values;
  values.n = 0;
  for (int i = 0; i < pool->faces; i++) {
    int at = 0;
    while (at < values.n && values.value[at] != pool->face[i]) at++;
    if (at == values.n) {
      values.value[values.n] = pool->face[i];
      values.faces[values.n++] = 0;
    }
    values.faces[at]++;
  }
  for (int i = 1; i < values.n; i++)
    for (int k = i; k > 0 && values.value[k - 1] < values.value[k]; k--) {
      int v = values.value[k];
      int64_t f = values.faces[k];
      values.value[k] = values.value[k - 1];
      values.faces[k] = values.faces[k - 1];
      values.value[k - 1] = v;
      values.faces[k - 1] = f;
    }
  return values;
}

/* The odds of every total, by adding one die after the other. */
static void total_rolls(Engine *engine, const Position *p, const DicePool *pool,
                        int64_t *total) {
  enum { MOST = DICE_MAX * DIE_MAX + 1 };
  int span = pool->total_high - pool->total_low + 1;
  int lowest = pool->face[0];
  for (int i = 1; i < pool->faces; i++)
    if (pool->face[i] < lowest) lowest = pool->face[i];
  int64_t ways[MOST] = {0}, more[MOST];
  ways[0] = 1;
  for (int d = 0; d < pool->dice; d++) {
    memset(more, 0, sizeof more);
    for (int t = 0; t < span; t++)
      for (int f = 0; ways[t] && f < pool->faces; f++)
        if (t + pool->face[f] - lowest < span) more[t + pool->face[f] - lowest] += ways[t];
    memcpy(ways, more, sizeof ways);
  }
  for (int t = span - 1; t >= 0; t--) {
    if (!ways[t]) continue;
    bool met = false;
    for (int k = span - 1; k > t; k--) met |= ways[k] && pool->total_value[k] == pool->total_value[t];
    if (met) continue;
    Roll roll = {1, {pool->total_value[t]}, 0};
    for (int k = 0; k <= t; k++)
      if (pool->total_value[k] == pool->total_value[t]) roll.ways += ways[k];
    add_roll(engine, p, &roll, total);
  }
}

const Roll *engine_rolls(Engine *engine, const Position *p, int *n, int64_t *total) {
  const DicePool *pool = pool_of(engine, p);
  engine->rolls.n = 0;
  *total = 0;
  *n = 0;
  if (!pool || p->stage == STAGE_ENDED) return NULL;
  if (pool->total) {
    total_rolls(engine, p, pool, total);
  } else {
    Values values = pool_values(pool);
    Roll roll = {0, {0}, 0};
    gather_rolls(engine, p, &values, 0, pool->dice, 1, &roll, total);
  }
  *n = (int)engine->rolls.n;
  return engine->rolls.at;
}
