/* Computer players. A player picks one of the legal turns; which, is its own affair.
 * Every kind is a line of players.def and a function with the signature of PlayerPick. */
#ifndef PLAYER_H
#define PLAYER_H

#include "base/rng.h"
#include "play/engine.h"

/* The index of the chosen turn; `turns` holds at least one. Chance only from `rng`. */
typedef int (*PlayerPick)(Engine *engine, const Position *p, const Turns *turns,
                          Rng *rng);

/* A line of players.def is PLAYER(name, weighs, help). */
typedef struct PlayerKind {
  const char *name;
  const char *help;
  PlayerPick pick;
  bool weighs; /* looks at what turns take and where they lead */
} PlayerKind;

/* The index of the turn that the player picks: the same turn in whatever order they are listed. */
int player_pick(const PlayerKind *kind, Engine *engine, const Position *p, const Turns *turns, Rng *rng);
/* The kind of that name, or NULL; the i-th, or NULL at the end. */
const PlayerKind *player_kind_find(const char *name);
const PlayerKind *player_kind(int i);
/* All of them in words, after `first` if that is not empty; written into list. */
const char *player_list(const char *first, char *list, size_t room);

#endif
