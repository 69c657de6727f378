/* Why a move is legal or is not: rule, clause, sentence, witness, caret. Everything is
 * computed with the reference engine from the rules as they are written. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "play/notation.h"

typedef struct Reason {
  bool legal;
  int rule;         /* index, or -1 (turn, or nothing) */
  const char *rule_name; /* "king_walk", "turn", or NULL */
  int clause;       /* ClauseId, or -1 */
  Span where;       /* the clause in the rules file */
  const char *sentence, *sentence_ru; /* the rule's own, or NULL */
  char detail[512]; /* in words: "e5 to e9 is 4, allowed 1 to 3" */
  SiteSet witness;  /* sites that show it */
  char better[256]; /* for a must: the better turn; else "" */
  /* for legal moves, one line each: what was moved by which rule, taken by which, what ended */
  int lines;
  char line[24][256];
} Reason;

/* Explains; the move may be a whole turn or the beginning of one. `complete` demands a whole
 * turn (a legal beginning is then refused with turn.again, turn.roll or turn.steps). */
void explain_move(Engine *engine, const Position *p, const Move *move, bool complete,
                  Reason *reason);

#endif
