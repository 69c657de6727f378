/* A game being played: its position, its record, the way back. */
#ifndef GAME_H
#define GAME_H

#include "base/rng.h"
#include "base/vec.h"
#include "face/call.h"
#include "face/draw.h"
#include "face/exchange.h"
#include "mind/player.h"

typedef struct GameEntry {
  Position *before; /* with the dice on the table */
  char *word;       /* as in a record */
  Rng rng;          /* as it was then: what is taken back falls the same again */
  int turns;        /* turns played before it */
  bool pushed;      /* the position after it is in the engine's history */
} GameEntry;

typedef struct Game {
  Call *call;
  Exchange *x;
  Engine *engine;
  const Rules *rules;
  Position *p;
  DrawStyle style;
  const PlayerKind *player[SEATS_MAX]; /* NULL: a person */
  Rng rng;                             /* dice and lots */
  Rng mind; /* computer players; apart, so that the dice are the seed's alone */
  uint64_t seed;
  bool typed; /* the players type the dice */
  bool talks; /* prompts and boards for a person at a terminal */
  bool lot;   /* who begins was drawn */
  int starter;
  int turns;
  char secret[33]; /* of --commit, or "" */
  VEC(GameEntry) entry;
} Game;

/* Begins anew with `seat`; the record is emptied. */
void game_start(Game *game, int seat);
void game_free(Game *game);
/* Before the position changes: notes the word and the position. */
void game_note(Game *game, const char *word, const Position *before);
/* The position now stands: into the history if the game goes on. */
void game_stands(Game *game);
/* Back to the last position in which a person was to move. False: there is none. */
bool game_undo(Game *game);
/* "6,3:" of the dice on the table, or "". */
void game_dice_word(const Position *p, char *text, size_t room);
/* The record, one line under a header; the caller frees it with memory_resize. */
char *game_record(const Game *game);
/* A path that ends in .mat: as a match (face/match.h). False and a sentence. */
bool game_save(const Game *game, const char *path, char *why, size_t room);
/* Plays a saved game up to its end. False and a sentence; the game is then as before. */
bool game_load(Game *game, const char *path, char *why, size_t room);

#endif
