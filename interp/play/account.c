/* What a legal turn does, one line a rule: which rule moved, what took what, what followed,
 * what settled, what ended the game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/reasons.h"

static void account_made(Engine *engine, const Position *before, const Step *step,
                         Reason *reason) {
  char text[160];
  step_write(engine->rules, &engine->layout, before, step, text, sizeof text);
  if (step->die >= 0)
    explain_line(engine, reason, step->rule, "%s with the %d", text, step->die);
  else
    explain_line(engine, reason, step->rule, "%s", text);
}

static void account_captures(Engine *engine, const Captured *captured, int n, Reason *reason) {
  const Rules *rules = engine->rules;
  for (int i = 0; i < n; i++) {
    char piece[96], number[16] = "";
    plane_write(rules, captured[i].plane, piece, sizeof piece);
    if (captured[i].count > 1) snprintf(number, sizeof number, "%d ", captured[i].count);
    explain_line(engine, reason, captured[i].rule, "takes %s%s on %s", number, piece,
                rules->board.name[captured[i].site]);
  }
}

/* Rules of a kind that have fired more often in `after` than in `before` (NULL: never). */
static void account_fired(Engine *engine, const Position *before, const Position *after,
                          RuleKind kind, const char *what, Reason *reason) {
  const Rules *rules = engine->rules;
  const uint16_t *was = before ? position_uses(&engine->layout, before) : NULL;
  const uint16_t *is = position_uses(&engine->layout, after);
  for (int i = 0; i < rules->of_kind_n[kind]; i++) {
    int rule = rules->of_kind[kind][i];
    if (is[rule] > (was ? was[rule] : 0) && rule != after->end_rule)
      explain_line(engine, reason, rule, "%s", what);
  }
}

static void account_end(Engine *engine, const Position *after, Reason *reason) {
  const Rules *rules = engine->rules;
  char text[160];
  int n = snprintf(text, sizeof text, "ends the game:");
  for (int seat = 0; seat < rules->seats && n < (int)sizeof text; seat++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s %s %g", seat ? "," : "",
                  rules->player[seat], after->score[seat]);
  explain_line(engine, reason, after->end_rule, "%s", text);
  account_fired(engine, NULL, after, RULE_SCORE, "sets the score", reason);
}

void account_steps(Engine *engine, const Position *p, const Step *step, int steps, bool whole,
                   Reason *reason) {
  Position *now = engine_position(engine), *next = engine_position(engine);
  position_copy(now, p);
  for (int i = 0; i < steps; i++) {
    Mark mark = engine_mark(engine);
    const Captured *captured;
    int captures;
    engine_make(engine, now, &step[i], next, &captured, &captures);
    account_made(engine, now, &step[i], reason);
    account_captures(engine, captured, captures, reason);
    account_fired(engine, now->steps ? now : NULL, next, RULE_AFTER, "follows", reason);
    account_fired(engine, now->steps ? now : NULL, next, RULE_LOSE, "puts out", reason);
    position_copy(now, next);
    engine_release(engine, mark);
  }
  if (whole) {
    bool ended = now->stage == STAGE_ENDED;
    position_copy(next, now);
    engine_finish(engine, next);
    const Position *before = steps ? now : NULL;
    if (!ended) {
      account_fired(engine, before, next, RULE_SETTLE, "settles", reason);
      account_fired(engine, before, next, RULE_LOSE, "puts out", reason);
    }
    if (next->stage == STAGE_ENDED && next->end_rule >= 0) account_end(engine, next, reason);
  }
  free(now);
  free(next);
}
