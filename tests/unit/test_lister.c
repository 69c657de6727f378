/* Turns listed by a kernel are those of the reference: in every game, at the start and in positions
 * of random games, with a history that is taken back in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "face/exchange.h"
#include "front/load.h"
#include "mind/chance.h"
#include "play/kernel.h"
#include "play/lister.h"

enum { TURNS = 14, MANY = 2000 };

typedef struct Table {
  const char *name;
  const Rules *rules;
  Engine *engine;
  Lister *lister;
  Kernel *kernel;
  Exchange *x;
  Position *now;
  Rng rng;
} Table;

static int by_key(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The keys of where turns lead, and of what is written of it, sorted. */
static uint64_t *keys_of(Table *t, const Turns *turns) {
  uint64_t *key = calloc((size_t)turns->n + 1, sizeof *key);
  for (int i = 0; i < turns->n; i++) {
    const Position *after = turns->at[i].after;
    json_t *json = json_pack("[o, o]", exchange_position(t->x, after), exchange_ends(t->x, after));
    char *text = json_dumps(json, JSON_SORT_KEYS);
    key[i] = position_same_key(t->rules, engine_layout(t->engine), after);
    for (const char *at = text; *at; at++) key[i] = (key[i] ^ (uint8_t)*at) * 0x100000001B3u;
    free(text);
    json_decref(json);
  }
  qsort(key, (size_t)turns->n, sizeof *key, by_key);
  return key;
}

/* Where all turns are one step they are the same turn by turn. */
static void same_turns(Table *t, const Turns *a, const Turns *b) {
  for (int i = 0; i < a->n; i++) {
    json_t *x = exchange_turn(t->x, t->now, &a->at[i]), *y = exchange_turn(t->x, t->now, &b->at[i]);
    if (!json_equal(x, y))
      fail_msg("%s, turn %d: %s by the reference, %s by the kernel", t->name, i, json_dumps(x, 0), json_dumps(y, 0));
    json_decref(x);
    json_decref(y);
  }
}

static void compare(Table *t, const Turns *turns) {
  if (turns->n > MANY) return;
  Turns listed = lister_turns(t->lister, t->now, LISTER_ALL);
  if (listed.n != turns->n) fail_msg("%s: %d turns by the reference, %d by the kernel", t->name, turns->n, listed.n);
  uint64_t *a = keys_of(t, turns), *b = keys_of(t, &listed);
  if (memcmp(a, b, sizeof *a * (size_t)turns->n)) fail_msg("%s: turns lead elsewhere", t->name);
  free(a);
  free(b);
  if (t->kernel->program->single) same_turns(t, turns, &listed);
}

/* Pushes the positions that some turns lead to, and takes them back. */
static void there_and_back(Table *t, const Turns *turns) {
  for (int i = 0; i < turns->n && i < 3; i++)
    if (turns->at[i].after->stage != STAGE_ENDED) {
      engine_push(t->engine, turns->at[i].after);
      engine_pop(t->engine);
    }
}

static void play(Table *t) {
  char why[256];
  engine_start(t->engine, t->now, chance_first(t->engine, &t->rng));
  for (int turn = 0; turn < TURNS && t->now->stage != STAGE_ENDED; turn++) {
    if (engine_needs_dice(t->engine, t->now))
      assert_true(chance_throw(t->engine, t->now, &t->rng, NULL, why, sizeof why));
    Mark mark = engine_mark(t->engine);
    Turns turns = engine_turns(t->engine, t->now);
    there_and_back(t, &turns);
    compare(t, &turns);
    position_copy(t->now, turns.at[rng_below(&t->rng, (uint32_t)turns.n)].after);
    engine_release(t->engine, mark);
    if (t->now->stage != STAGE_ENDED) engine_push(t->engine, t->now);
  }
}

static void kernels_list_the_turns_of_every_game(void **state) {
  (void)state;
  Loading *names = loading_new(".");
  int n;
  const char *const *games = loading_games(names, &n);
  assert_true(n > 15);
  for (int g = 0; g < n; g++) {
    Table t = {.name = games[g], .rng = rng_for(3, (uint64_t)g)};
    Loading *loading = loading_new(".");
    char why[512];
    assert_int_equal(load_game(loading, games[g], NULL, 0, false, &t.rules), LOAD_OK);
    t.engine = engine_new(t.rules);
    t.lister = lister_new(t.engine);
    t.kernel = kernel_new(t.rules, why, sizeof why);
    assert_non_null(t.kernel);
    t.x = exchange_new(t.engine);
    lister_use(t.lister, t.kernel);
    t.now = engine_position(t.engine);
    play(&t);
    free(t.now);
    exchange_free(t.x);
    lister_free(t.lister);
    kernel_free(t.kernel);
    engine_free(t.engine);
    loading_free(loading);
  }
  loading_free(names);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_list_the_turns_of_every_game)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
