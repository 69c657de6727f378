/* Records of matches in the .mat form of Jellyfish, which other programs read and write:
 *
 *    7 point match
 *
 *    Game 1
 *    Anna : 0                       Boris : 0
 *     1)                             31: 8/5 6/5
 *     2) 52: 13/8 24/22              66:
 *     3)  Doubles => 2                Takes
 *     …
 *         Wins 2 points
 *
 * Every mover counts points from his own end, enters from 25 and leaves to 0; the name of
 * the pocket and `off`, several stops (13/7/5), counts (6/4(2)) and `Cannot Move` are
 * read as well. The left column is the first seat. No description of the form is known;
 * this is what gnubg 1.07 writes and reads (`export match mat`, `import mat`). Games that
 * can be written so are those whose positions have IDs (study/ids.h). */
#ifndef MATCH_H
#define MATCH_H

#include "face/game.h"
#include "face/record.h"

typedef struct Match Match;

/* Whether the first line of a file that is neither empty nor a remark begins a match. */
bool match_begins(const char *line);
/* A match to be replayed; `text` is changed and must stay. NULL and a sentence if the
 * game is of another kind. */
Match *match_new(const Call *call, Exchange *x, char *text, char *why, size_t room);
void match_free(Match *match);

typedef struct MatchGame {
  int number;
  int turns;
  json_t *captures; /* a list a turn; the caller's; NULL if not wanted */
  bool good;
  char word[256];  /* refused: what is written, */
  RecordStep step; /* and why */
} MatchGame;
/* Plays the next game on p; false if there is none. What follows a refusal up to the next
 * game is skipped. */
bool match_next(Match *match, Position *p, bool want_captures, MatchGame *game);

/* A game as such a record, to be freed with memory_resize; NULL and a sentence if it
 * cannot be written so. */
char *match_write(const Game *game, char *why, size_t room);

#endif
