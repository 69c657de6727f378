/* What the files that explain share. */
#ifndef REASONS_H
#define REASONS_H

#include "play/explain.h"
#include "play/inside.h"
#include "play/tell.h"

/* -- explain.c -- */
void explain_clear(Reason *reason);
/* Names the rule (-1: the turn of p's phase) and clause, with place and sentence. */
void explain_name(Engine *engine, const Position *p, Reason *reason, int rule, int clause);
void explain_refusal(Reason *reason, int rule, int clause);
/* A line about a rule. */
void explain_line(Engine *engine, Reason *reason, int rule, const char *text);
/* The same in words of the list: LINE(engine, reason, rule, TAKES, pieces, site). */
#define LINE(engine, reason, rule, id, ...)                  \
  explain_line_words((engine), (reason), (rule), WORDS_##id, \
                     (const char *const[]){NULL, __VA_ARGS__})
void explain_line_words(Engine *engine, Reason *reason, int rule, WordsId id,
                        const char *const *put_in);
/* The whole detail in words of the list. */
#define DETAIL(engine, reason, id, ...) \
  WORDS_WRITE((reason)->detail, sizeof (reason)->detail, (engine)->russian, id, __VA_ARGS__)

/* A hop or pick that no legal step makes, on the position before it. */
typedef struct Sought {
  const MovePart *part;
  int origin, target; /* of the hop; -1 for a pick */
  int plane;          /* what the piece must be, or -1 */
} Sought;

/* -- refuse.c -- */
/* The dice that are left: "6, 5". */
const char *dice_left(const Position *p, char text[64]);
/* No move rule makes the hop: the rule that gets furthest. */
void refuse_hop(Engine *engine, const Position *p, const Sought *sought, Reason *reason);
/* No choice or offer rule makes the pick. */
void refuse_pick(Engine *engine, const Position *p, const Sought *sought, Reason *reason);
/* A forbid judged before or after the step refuses the candidate; false if none does. */
bool refuse_forbidden(Engine *engine, const Position *p, const Step *step, Reason *reason);
/* All clauses of a forbid in words, on the position before and after the step. */
void refuse_by_forbid(Engine *engine, const Position *before, const Position *after,
                      const Step *step, const Rule *forbid, Reason *reason);

/* -- oblige.c -- */
/* A forbid judged at the end, or a must, refuses the candidate `step` on p (p reached from the
 * start of the turn by legal steps). */
void oblige_step(Engine *engine, const Position *p, const Step *step, Reason *reason);
/* A must, or the turn's own clause, refuses to stop in q, reached from p by these legal steps. */
void oblige_stop(Engine *engine, const Position *p, const Step *step, int steps,
                 const Position *q, Reason *reason);
/* The turn is over before the move is. */
void oblige_over(Engine *engine, const Position *q, Reason *reason);

/* -- account.c -- */
/* Lines for a legal sequence of steps from p; the turn is finished if `whole`. */
void account_steps(Engine *engine, const Position *p, const Step *step, int steps, bool whole,
                   Reason *reason);

#endif
