/* Why a move is legal or is not: rule, clause, sentence, witness, caret. Everything is
 * computed with the reference engine from the rules as they are written. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "play/notation.h"

/* A rule and clause that refuse the move; rule -1: the turn's own clause. */
typedef struct Refusal {
  int16_t rule, clause;
} Refusal;
enum { REASON_LINES = 24, REASON_REFUSALS = 48 };

typedef struct Reason {
  bool legal;
  bool beginning;   /* legal so far, but the turn is not over with it */
  int rule;         /* index, or -1 (turn, or nothing) */
  const char *rule_name; /* "walk", "turn", or NULL */
  int clause;       /* ClauseId, or -1 */
  Span where;       /* the clause in the rules file */
  const char *sentence, *sentence_ru; /* the rule's own, or NULL */
  char detail[768]; /* in words: "e5 to e9 is 4, allowed 1 to 3" */
  SiteSet witness;  /* sites that show it */
  char better[256]; /* for a must: the better turn; else "" */
  /* every rule that refuses the step, with each clause that does; the reason is among them */
  int refusals;
  Refusal refusal[REASON_REFUSALS];
  /* for legal moves, one line each: what was moved by which rule, taken by which, what ended;
   * the rule's sentence may follow it (line_rule) */
  int lines;
  char line[REASON_LINES][400];
  int16_t line_rule[REASON_LINES]; /* the rule that a line speaks of, or -1 */
} Reason;

/* The language in which an engine tells reasons: English at first. */
void explain_speak(Engine *engine, bool russian);

/* Explains; the move may be a whole turn or the beginning of one. `complete` demands a whole
 * turn (a legal beginning is then refused with turn.again, turn.roll or turn.steps). */
void explain_move(Engine *engine, const Position *p, const Move *move, bool complete,
                  Reason *reason);

/* Whether that rule and clause (CLAUSE_COUNT: any clause) refuse the move. `rule` as written:
 * a rule's name or "turn". */
bool explain_says(const Rules *rules, const Reason *reason, const char *rule, int clause);

/* Why the turn, played from p, takes what stands on the site (legal: the rule that takes it),
 * or does not: the capture rule that comes nearest and its first failing clause. */
void explain_capture(Engine *engine, const Position *p, const Turn *turn, int site,
                     Reason *reason);

/* One line of words without a final stop: "walk.reach: Up to three squares.
 * e5 to e9 is 4, allowed 1 to 3". `russian` picks the sentence. */
void explain_write(const Reason *reason, bool russian, char *text, size_t room);

#endif
