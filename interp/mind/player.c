/* The list of computer players. */
#include "mind/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mind/greedy.h"
#include "mind/random.h"

static const PlayerKind kinds[] = {
#define PLAYER(name, weighs, help) {#name, help, player_##name, weighs},
#include "mind/players.def"
#undef PLAYER
};

const PlayerKind *player_kind(int i) {
  return i >= 0 && i < (int)(sizeof kinds / sizeof *kinds) ? &kinds[i] : NULL;
}

const PlayerKind *player_kind_find(const char *name) {
  for (int i = 0; player_kind(i); i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

typedef struct Ranked { /* a turn by the position that it leads to */
  uint64_t key;
  int index;
} Ranked;

static int compare(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->index - y->index;
}

int player_pick(const PlayerKind *kind, Engine *engine, const Position *p, const Turns *turns, Rng *rng) {
  size_t n = (size_t)turns->n;
  Ranked *ranked = memory_resize(NULL, sizeof *ranked * n);
  Turns sorted = {memory_resize(NULL, sizeof *sorted.at * n), turns->n, turns->too_many};
  for (size_t i = 0; i < n; i++)
    ranked[i] = (Ranked){position_same_key(engine_rules(engine), engine_layout(engine), turns->at[i].after), (int)i};
  qsort(ranked, n, sizeof *ranked, compare);
  for (size_t i = 0; i < n; i++) sorted.at[i] = turns->at[ranked[i].index];
  int pick = ranked[kind->pick(engine, p, &sorted, rng)].index;
  memory_resize(sorted.at, 0);
  memory_resize(ranked, 0);
  return pick;
}

const char *player_list(const char *first, char *list, size_t room) {
  int n = snprintf(list, room, "%s", first);
  for (int i = 0; player_kind(i) && n >= 0 && n < (int)room; i++)
    n += snprintf(list + n, room - (size_t)n, "%s%s",
                  n == 0                ? ""
                  : player_kind(i + 1) ? ", "
                                        : " or ",
                  player_kind(i)->name);
  return list;
}
