/* What a legal turn does, one line a rule: which rule moved, what took what, what
 * followed, what settled, what ended the game. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/reasons.h"

static void account_made(Engine *engine, const Position *before, const Step *step,
                         Reason *reason) {
  char text[160];
  step_write(engine->rules, &engine->layout, before, step, text, sizeof text);
  if (step->die >= 0)
    LINE(engine, reason, step->rule, STEP_BY_DIE, text, WORDS_NUMBER(step->die));
  else
    explain_line(engine, reason, step->rule, text);
}

/* "4 token of red" */
static const char *pieces_of(const Engine *engine, int plane, int count, char text[128]) {
  const Rules *rules = engine->rules;
  size_t n = count > 1 ? (size_t)snprintf(text, 128, "%d ", count) : 0;
  WORDS_WRITE(text + n, 128 - n, engine->russian, PIECE,
              rules->kind[rules->plane[plane].kind].name,
              rules->player[rules->plane[plane].owner]);
  return text;
}

static void account_captures(Engine *engine, const Captured *captured, int n,
                             Reason *reason) {
  for (int i = 0; i < n; i++) {
    char pieces[128];
    pieces_of(engine, captured[i].plane, captured[i].count, pieces);
    LINE(engine, reason, captured[i].rule, TAKES, pieces,
         engine->rules->board.name[captured[i].site]);
  }
}

/* ---- what an after or settle rule has changed ---- */

typedef struct Account {
  Engine *engine;
  Reason *reason;
  char text[360];
  size_t used;
} Account;

static void account_say(Account *a, const char *format, ...) {
  size_t left = sizeof a->text - a->used;
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(a->text + a->used, left, format, arguments);
  va_end(arguments);
  if (n > 0) a->used += (size_t)n < left ? (size_t)n : left - 1;
}

static void account_start(Account *a) {
  account_say(a, a->used ? ", " : "");
}

/* Words of the list, after a comma if something stands before them. */
static void account_words(Account *a, WordsId id, const char *const *put_in) {
  account_start(a);
  a->used += words_write(a->text + a->used, sizeof a->text - a->used, id,
                         a->engine->russian, put_in);
}
#define ADD(a, id, ...) \
  account_words((a), WORDS_##id, (const char *const[]){NULL, __VA_ARGS__})

/* "4 token of red from 3 to hand", "2 token of red on 3 into scout of red", "takes …" */
static void account_pieces(Account *a, const Position *before, const Position *after) {
  const Rules *rules = a->engine->rules;
  const Layout *l = &a->engine->layout;
  size_t n = (size_t)rules->planes * (size_t)rules->board.sites;
  const uint16_t *was = position_count(l, before), *is = position_count(l, after);
  int *change = engine_alloc(a->engine, n * sizeof *change);
  for (size_t i = 0; i < n; i++) change[i] = (int)is[i] - (int)was[i];
  for (int pass = 0; pass < 3; pass++) /* the same piece elsewhere; another here; gone */
    for (size_t i = 0; i < n; i++) {
      int plane = (int)i / rules->board.sites, site = (int)i % rules->board.sites;
      for (size_t k = 0; k < n && change[i] < 0; k++) {
        int plane_to = (int)k / rules->board.sites, site_to = (int)k % rules->board.sites;
        if (pass < 2 &&
            (change[k] <= 0 || (pass == 0 ? plane_to != plane : site_to != site)))
          continue;
        int count = pass == 2 || -change[i] < change[k] ? -change[i] : change[k];
        char pieces[128], other[128];
        const char *where = rules->board.name[site];
        pieces_of(a->engine, plane, count, pieces);
        if (pass == 0)
          ADD(a, GOES, pieces, where, rules->board.name[site_to]);
        else if (pass == 1)
          ADD(a, BECOMES, pieces, where, pieces_of(a->engine, plane_to, 1, other));
        else
          ADD(a, TAKES, pieces, where);
        change[i] += count;
        if (pass < 2) change[k] -= count;
      }
    }
}

static void account_value(Account *a, const State *state, int32_t value) {
  const Rules *rules = a->engine->rules;
  if (state->type == TYPE_NUMBER)
    account_say(a, "%d", (int)value);
  else if (value < 0)
    account_say(a, state->type == TYPE_PLAYERS ? "nobody" : "none");
  else
    account_say(a, "%s",
                state->type == TYPE_PLAYERS ? rules->player[value]
                : state->type == TYPE_SITES ? rules->board.name[value]
                                            : rules->atom[value]);
}

/* "ship of 3: ghost", "lives of red: 6" */
static void account_states(Account *a, const Position *before, const Position *after) {
  const Rules *rules = a->engine->rules;
  const int32_t *was = position_cells(&a->engine->layout, before);
  const int32_t *is = position_cells(&a->engine->layout, after);
  for (int s = 0; s < rules->states; s++)
    for (int i = 0; i < rules->state[s].cells; i++) {
      const State *state = &rules->state[s];
      if (was[state->cell + i] == is[state->cell + i]) continue;
      account_start(a);
      account_say(a, "%s", state->name);
      if (state->scope == SCOPE_SITE) account_say(a, " of %s", rules->board.name[i]);
      if (state->scope == SCOPE_PLAYER) account_say(a, " of %s", rules->player[i]);
      account_say(a, ": ");
      account_value(a, state, is[state->cell + i]);
    }
}

/* A rule that fires and changes nothing is not worth a line. */
static void account_rule(void *with, const Rule *rule, const Position *before,
                         const Position *after) {
  Account *a = with;
  const Rules *rules = a->engine->rules;
  a->used = 0;
  a->text[0] = 0;
  account_pieces(a, before, after);
  account_states(a, before, after);
  if (after->phase != before->phase)
    ADD(a, PHASE_NOW, rules->phase[after->phase].name);
  for (int i = before->dice; i < after->dice; i++) ADD(a, GAINS_DIE);
  if (a->used) explain_line(a->engine, a->reason, rule->index, a->text);
}

/* Rules of a kind that have fired more often in `after` than in `before` (NULL: never).
 */
static void account_fired(Engine *engine, const Position *before, const Position *after,
                          RuleKind kind, WordsId what, Reason *reason) {
  const Rules *rules = engine->rules;
  const uint16_t *was = before ? position_uses(&engine->layout, before) : NULL;
  const uint16_t *is = position_uses(&engine->layout, after);
  for (int i = 0; i < rules->of_kind_n[kind]; i++) {
    int rule = rules->of_kind[kind][i];
    if (is[rule] > (was ? was[rule] : 0) && rule != after->end_rule)
      explain_line_words(engine, reason, rule, what, NULL);
  }
}

static void account_end(Engine *engine, const Position *after, Reason *reason) {
  const Rules *rules = engine->rules;
  char scores[160] = "";
  int n = 0;
  for (int seat = 0; seat < rules->seats && n < (int)sizeof scores; seat++)
    n += snprintf(scores + n, sizeof scores - (size_t)n, "%s%s %g", seat ? ", " : "",
                  rules->player[seat], after->score[seat]);
  LINE(engine, reason, after->end_rule, ENDS_GAME, scores);
  account_fired(engine, NULL, after, RULE_SCORE, WORDS_SETS_SCORE, reason);
}

static void account_watch(Engine *engine, Account *account) {
  engine->watch = account_rule;
  engine->watch_with = account;
}

void account_steps(Engine *engine, const Position *p, const Step *step, int steps,
                   bool whole, Reason *reason) {
  Position *now = engine_position(engine), *next = engine_position(engine);
  Account account = {.engine = engine, .reason = reason};
  position_copy(now, p);
  for (int i = 0; i < steps; i++) {
    Mark mark = engine_mark(engine);
    const Captured *captured;
    int captures;
    engine_make(engine, now, &step[i], next, &captured, &captures);
    account_made(engine, now, &step[i], reason);
    account_captures(engine, captured, captures, reason);
    account_watch(engine,
                  &account); /* once more, now that what comes first has been said */
    engine_make(engine, now, &step[i], next, NULL, NULL);
    engine->watch = NULL;
    account_fired(engine, now->steps ? now : NULL, next, RULE_LOSE, WORDS_PUTS_OUT, reason);
    position_copy(now, next);
    engine_release(engine, mark);
  }
  if (whole) {
    bool ended = now->stage == STAGE_ENDED;
    position_copy(next, now);
    if (!ended) account_watch(engine, &account);
    engine_finish(engine, next);
    engine->watch = NULL;
    const Position *before = steps ? now : NULL;
    if (!ended) account_fired(engine, before, next, RULE_LOSE, WORDS_PUTS_OUT, reason);
    if (next->stage == STAGE_ENDED && next->end_rule >= 0)
      account_end(engine, next, reason);
  }
  free(now);
  free(next);
}
