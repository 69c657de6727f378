/* Reasons that lie in the whole turn: forbids judged at its end, obligations, the turn's own
 * clauses. What a rule does is found by playing without it: an engine for the same rules with
 * only the first so many obligations, none of the forbids judged at the end, or all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/reasons.h"

typedef struct Variant {
  Rules rules;
  int forbid[RULES_MAX];
  Engine *engine;
} Variant;

/* The game with its first `musts` obligations; forbids judged end only if `ends`. */
static Variant *variant_new(Engine *engine, int musts, bool ends) {
  Variant *v = memory_resize(NULL, sizeof *v);
  v->rules = *engine->rules;
  v->rules.of_kind_n[RULE_MUST] = musts;
  int n = 0;
  for (int i = 0; i < engine->rules->of_kind_n[RULE_FORBID]; i++) {
    int index = engine->rules->of_kind[RULE_FORBID][i];
    if (ends || engine->rules->rule[index].judged != JUDGED_END) v->forbid[n++] = index;
  }
  v->rules.of_kind[RULE_FORBID] = v->forbid;
  v->rules.of_kind_n[RULE_FORBID] = n;
  v->engine = engine_new(&v->rules);
  v->engine->russian = engine->russian;
  engine_judge_next(v->engine, engine->judge_next);
  for (size_t i = 0; i < engine->history.n; i++)
    VEC_PUSH(v->engine->history, engine->history.at[i]);
  return v;
}

static void variant_free(Variant *v) {
  engine_free(v->engine);
  memory_resize(v, 0);
}

static bool begins_turn(Engine *engine, const Position *p, const Step *step) {
  Mark mark = engine_mark(engine);
  Steps steps = engine_steps(engine, p);
  bool found = false;
  for (int i = 0; i < steps.n && !found; i++) found = step_same(&steps.at[i], step);
  engine_release(engine, mark);
  return found;
}

/* Whether the turn may end in q, reached from p. */
static bool ends_turn(Engine *engine, const Position *p, const Position *q) {
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, p);
  Position *end = engine_position(engine);
  position_copy(end, q);
  engine_finish(engine, end);
  bool found = false;
  for (int i = 0; i < turns.n && !found; i++)
    found = turns.at[i].steps && position_same(engine->rules, &engine->layout, end, turns.at[i].after);
  free(end);
  engine_release(engine, mark);
  return found && turn_may_end(engine, p, q);
}

static bool lawful(Engine *engine, const Position *p, const Position *q, const Step *step) {
  return step ? begins_turn(engine, p, step) : ends_turn(engine, p, q);
}

/* ---- what an obligation measures ---- */

/* The measure of a turn that ends like this; false if the rule does not concern it. */
static bool measure(Engine *engine, const Position *end, const Rule *must, int64_t *value) {
  Position *copy = engine_position(engine);
  position_copy(copy, end);
  copy->mover = copy->turn_mover;
  EvalCtx ctx = eval_context(engine, copy);
  ctx.made = true;
  bool concerned = !must->when || eval_condition(&ctx, must->when);
  if (concerned) *value = eval_number(&ctx, must->maximize);
  free(copy);
  return concerned;
}

/* The end of a turn before it is settled. */
static void play_out(Engine *engine, const Position *p, const Turn *turn, Position *end) {
  Position *next = engine_position(engine);
  position_copy(end, p);
  for (int i = 0; i < turn->steps; i++) {
    engine_make(engine, end, &turn->step[i], next, NULL, NULL);
    position_copy(end, next);
  }
  free(next);
}

/* The greatest measure among the turns from p that the rule concerns; such a turn as text. */
static int64_t greatest(Engine *engine, const Position *p, const Rule *must, char *text,
                        size_t room) {
  enum { LOOKED_AT = 2000 };
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, p);
  Position *end = engine_position(engine);
  int64_t greatest = INT64_MIN;
  for (int i = 0; i < turns.n && i < LOOKED_AT; i++) {
    play_out(engine, p, &turns.at[i], end);
    int64_t value;
    if (!measure(engine, end, must, &value) || value <= greatest) continue;
    greatest = value;
    if (text) turn_write(engine->rules, &engine->layout, p, &turns.at[i], text, room);
  }
  free(end);
  engine_release(engine, mark);
  return greatest;
}

/* ---- reasons ---- */

/* `better` is known already. */
static void tell_short(Engine *engine, const Position *p, const Rule *must, bool at_most,
                       int64_t here, int64_t best, Reason *reason) {
  EvalCtx ctx = eval_context(engine, p);
  Telling t = telling(&ctx, reason->detail, sizeof reason->detail);
  char what[96];
  const Expr *e = must->maximize;
  tell_quote(&t, e->op == X_BIT ? e->kid[0] : e, what);
  if (e->op == X_BIT)
    SAY(&t, NOT_SO, what, reason->better);
  else if (at_most)
    SAY(&t, SO_MUCH_AT_MOST, what, WORDS_NUMBER(here), reason->better, WORDS_NUMBER(best));
  else
    SAY(&t, SO_MUCH, what, WORDS_NUMBER(here), reason->better, WORDS_NUMBER(best));
  explain_name(engine, p, reason, must->index, CLAUSE_MAXIMIZE);
}

static void refuse_by_must(Engine *engine, Engine *without, const Position *p,
                           const Position *q, bool stopped, const Rule *must,
                           Reason *reason) {
  int64_t best = greatest(engine, p, must, reason->better, sizeof reason->better);
  int64_t here = INT64_MIN;
  if (stopped)
    measure(without, q, must, &here);
  else
    here = greatest(without, q, must, NULL, 0);
  tell_short(engine, p, must, !stopped, here, best, reason);
  explain_refusal(reason, must->index, CLAUSE_MAXIMIZE);
}

/* The forbid judged end that refuses every turn through q. */
static bool refuse_at_end(Engine *engine, Engine *without, const Position *p,
                          const Position *q, bool stopped, Reason *reason) {
  Mark mark = engine_mark(without);
  Position *end = engine_position(engine);
  position_copy(end, q);
  if (!stopped) {
    Turns turns = engine_turns(without, q);
    if (turns.n) play_out(without, q, &turns.at[0], end);
  }
  const Rule *forbid = turn_forbidden(engine, p, end);
  if (forbid) {
    Step last = {end->last_rule, end->last_plane, end->last_origin, end->last_target,
                 end->last_die, -1, 0};
    refuse_by_forbid(engine, NULL, end, &last, forbid, reason);
  }
  free(end);
  engine_release(without, mark);
  return forbid != NULL;
}

/* Finds the rule without which the step (or, NULL, the end in q) would be lawful; false if
 * there is none. */
static bool refuse_by_whole(Engine *engine, const Position *p, const Position *q,
                            const Step *step, Reason *reason) {
  const Rules *rules = engine->rules;
  Variant *without = variant_new(engine, 0, false);
  bool told = false;
  if (lawful(without->engine, p, q, step)) {
    int musts = rules->of_kind_n[RULE_MUST];
    for (int k = 0; k <= musts && !told; k++) {
      Variant *with = variant_new(engine, k, true);
      if (!lawful(with->engine, p, q, step)) {
        if (k == 0)
          told = refuse_at_end(engine, without->engine, p, q, step == NULL, reason);
        else
          refuse_by_must(engine, without->engine, p, q, step == NULL,
                         &rules->rule[rules->of_kind[RULE_MUST][k - 1]], reason);
        told |= k > 0;
      } else {
        variant_free(without); /* the longest that still allows it measures what it reaches */
        without = with;
        continue;
      }
      variant_free(with);
    }
  }
  variant_free(without);
  return told;
}

void oblige_step(Engine *engine, const Position *p, const Step *step, Reason *reason) {
  Position *q = engine_position(engine);
  engine_make(engine, p, step, q, NULL, NULL);
  if (!refuse_by_whole(engine, p, q, step, reason)) {
    DETAIL(engine, reason, LEADS_NOWHERE);
    explain_name(engine, p, reason, -1, CLAUSE_AGAIN);
    explain_refusal(reason, -1, CLAUSE_AGAIN);
  }
  free(q);
}

/* A turn that could go on misses an obligation too: the first such rule, or NULL. */
static const Rule *falls_short(Engine *engine, const Position *p, const Position *q,
                               Reason *reason) {
  const Rules *rules = engine->rules;
  const Rule *first = NULL;
  for (int i = 0; i < rules->of_kind_n[RULE_MUST]; i++) {
    const Rule *must = &rules->rule[rules->of_kind[RULE_MUST][i]];
    int64_t here;
    if (!rule_open(must, p) || !measure(engine, q, must, &here) ||
        here >= greatest(engine, p, must, NULL, 0))
      continue;
    explain_refusal(reason, must->index, CLAUSE_MAXIMIZE);
    if (!first) first = must;
  }
  return first;
}

/* The turn that begins with the steps taken and goes on from q as it may, as text. */
static void write_whole(Engine *engine, const Position *p, const Step *step, int steps,
                        const Position *q, char *text, size_t room) {
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, q);
  if (turns.n && turns.at[0].steps) {
    Turn whole = turns.at[0];
    Step *all = engine_alloc(engine, (size_t)(steps + whole.steps) * sizeof *all);
    if (steps) memcpy(all, step, (size_t)steps * sizeof *all);
    memcpy(all + steps, whole.step, (size_t)whole.steps * sizeof *all);
    whole.step = all;
    whole.steps += steps;
    turn_write(engine->rules, &engine->layout, p, &whole, text, room);
  }
  engine_release(engine, mark);
}

void oblige_stop(Engine *engine, const Position *p, const Step *step, int steps,
                 const Position *q, Reason *reason) {
  if (refuse_by_whole(engine, p, q, NULL, reason)) return;
  const Rule *must = falls_short(engine, p, q, reason);
  const TurnShape *shape = turn_shape(engine, q);
  EvalCtx ctx = eval_context(engine, q);
  ctx.made = true;
  Telling t = telling(&ctx, reason->detail, sizeof reason->detail);
  write_whole(engine, p, step, steps, q, reason->better, sizeof reason->better);
  int clause = CLAUSE_STEPS;
  if (q->steps)
    SAY(&t, TURN_NOT_OVER);
  else
    SAY(&t, WHO_PASSES);
  if (shape->again && q->steps && eval_condition(&ctx, shape->again)) {
    clause = CLAUSE_AGAIN;
    tell_condition(&t, shape->again, true);
  } else if (q->steps == 0) {
    clause = shape->pool >= 0 ? CLAUSE_ROLL : CLAUSE_STEPS;
    SAY(&t, CAN_BE_PLAYED, reason->better);
  } else if (shape->steps_low) {
    SAY(&t, STEPS_WANTED, WORDS_NUMBER(eval_number(&ctx, shape->steps_low)),
        WORDS_NUMBER(q->steps));
  } else if (shape->pool >= 0) {
    clause = CLAUSE_ROLL;
    if (q->dice == 1)
      SAY(&t, DIE_LEFT, dice_left(q, (char[64]){0}));
    else
      SAY(&t, DICE_LEFT, dice_left(q, (char[64]){0}));
  } else {
    SAY(&t, MORE_TO_PLAY);
  }
  if (*reason->better && q->steps) SAY(&t, DOES_IT, reason->better);
  reason->witness = t.witness;
  explain_refusal(reason, -1, clause);
  explain_name(engine, q, reason, -1, clause);
  if (must && q->steps && clause == CLAUSE_ROLL) { /* the obligation says more */
    int64_t here = INT64_MIN;
    measure(engine, q, must, &here);
    tell_short(engine, q, must, false, here, greatest(engine, q, must, NULL, 0), reason);
  }
}

void oblige_over(Engine *engine, const Position *q, Reason *reason) {
  const TurnShape *shape = turn_shape(engine, q);
  int clause = shape->again ? CLAUSE_AGAIN : shape->pool >= 0 && !shape->steps_low ? CLAUSE_ROLL
                                                                                : CLAUSE_STEPS;
  if (q->steps == 1)
    DETAIL(engine, reason, OVER_AFTER_STEP, WORDS_NUMBER(q->steps));
  else
    DETAIL(engine, reason, OVER_AFTER_STEPS, WORDS_NUMBER(q->steps));
  explain_name(engine, q, reason, -1, clause);
  explain_refusal(reason, -1, clause);
}
