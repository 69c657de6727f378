/* Records of games: turns as words separated by blanks.
 *   d6-d9xc8xe8   6,3:24-18,13-10   6,3:pass   white=6,3:24-18 (who begins, by lot)
 *   6,3:kind,7-9   name=6 (a comma for the blank after a kind of piece)
 *   double:accept   double:decline   offer=value:accept
 *   resign   white:resign   overrun (of the clock)
 * Every word is checked against the rules before it changes the position. */
#ifndef RECORD_H
#define RECORD_H

#include "face/call.h"
#include "face/exchange.h"

typedef enum RecordKind {
  RECORD_TURN,
  RECORD_OFFER,
  RECORD_RESIGNATION,
  RECORD_OVERRUN
} RecordKind;

typedef struct RecordStep {
  RecordKind kind;
  json_t *captures; /* of a turn; the caller's; NULL otherwise or if not wanted */
  char why[1024];   /* of a refusal */
  char rule[128];   /* the rule that refuses, or "" */
  char clause[32];
  bool faulty; /* the rules themselves erred, or a position has too many turns */
} RecordStep;

/* A new game: p at the start, to be begun by the first named if a lot decides. */
void record_start(Engine *engine, Position *p);
/* Plays one word on p; `first`: no turn has been played yet. False: refused, p unchanged unless the rules erred,
 * the reasons in *step. History is pushed. */
bool record_play(const Call *call, Exchange *x, Position *p, const char *word, bool first,
                 bool want_captures, RecordStep *step);

#endif
