/* The list of computer players. */
#include "mind/player.h"

#include <stdio.h>
#include <string.h>
#include "mind/greedy.h"
#include "mind/random.h"

static const PlayerKind kinds[] = {
#define PLAYER(name, help) {#name, help, player_##name},
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
