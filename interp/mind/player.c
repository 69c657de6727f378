/* The list of computer players. */
#include "mind/player.h"

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
