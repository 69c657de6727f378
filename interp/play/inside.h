/* What the files of the reference engine share and nobody else needs. */
#ifndef INSIDE_H
#define INSIDE_H

#include "base/vec.h"
#include "play/eval.h"

typedef struct Chunk Chunk; /* a block of the engine's stack memory */
struct Chunk {
  Chunk *before;
  size_t room, used;
  max_align_t data[];
};

/* Told of each after and settle rule that has fired, with the position before and after. */
typedef void RuleWatch(void *with, const Rule *rule, const Position *before,
                       const Position *after);

struct Engine {
  const Rules *rules;
  Layout layout;
  LetCache *cache;
  uint64_t stamps;
  struct Hooks *hooks;
  Trouble trouble;
  bool judge_next;
  bool leaves; /* some forbid looks at what a step leaves */
  bool russian; /* reasons are told in Russian */
  VEC(uint64_t) history;
  HistoryWatch *history_watch; /* or NULL */
  void *history_with;
  Chunk *chunk, *spare;
  VEC(Roll) rolls;
  RuleWatch *watch; /* NULL but while a turn is explained */
  void *watch_with;
};

/* Stack memory: zeroed, until engine_release of an earlier mark. */
void *engine_alloc(Engine *engine, size_t size);
/* The same, not zeroed. */
void *engine_block(Engine *engine, size_t size);

/* Whether a rule of the game holds in this turn: a turn belongs to the phase in which it began,
 * and `set phase` counts from the next turn on. */
static inline bool rule_open(const Rule *rule, const Position *p) {
  return rule->phase < 0 || rule->phase == p->turn_phase;
}
static inline const TurnShape *turn_shape(const Engine *engine, const Position *p) {
  return &engine->rules->phase[p->turn_phase].turn;
}

/* -- rule.c -- */
/* Whether `when` holds and `unless` does not. */
bool rule_holds(EvalCtx *ctx, const Rule *rule);
/* Calls `member` for every member of the rule's `for`, bound in the context, or once. */
typedef void RuleMember(EvalCtx *ctx, const Rule *rule, void *with);
void rule_each(EvalCtx *ctx, const Rule *rule, RuleMember *member, void *with);

/* -- step.c -- */
/* Calls `found` with every candidate; stops when it returns false. Forbids that look at the
 * position before the step are applied if `lawful`. Returns false if stopped. */
typedef bool StepFound(void *with, const Step *step, const SiteSet *between);
bool step_candidates(Engine *engine, const Position *p, bool lawful, StepFound *found, void *with);
/* The context in which a step is judged before it is made. `between` must outlive it. */
EvalCtx step_context(Engine *engine, const Position *p, const Step *step, const SiteSet *between);
/* Sites strictly between origin and target along the way that the step's rule takes; false
 * if the rule does not lead there. */
bool step_between(Engine *engine, const Position *p, const Step *step, SiteSet *between);
/* The members of the choose clause of a rule; their type to *type. */
int choice_list(EvalCtx *ctx, const Rule *rule, int *type, int32_t *list, int most);
/* Whether all clauses of a forbid but `leaves` hold for the step. */
bool forbid_matches(EvalCtx *ctx, const Rule *forbid, const Step *step);

/* -- make.c -- */
/* Everything of a step but the judgement of forbids with `leaves` and of ends: the piece moves,
 * its do, captures, after. Captures are appended to `list` if it is not NULL. */
typedef VEC(Captured) CapturedList;
void step_make(Engine *engine, const Position *from, const Step *step, const SiteSet *between,
               Position *to, CapturedList *list);
/* Of that what comes when the piece has moved and the die is spent. */
void step_effects(Engine *engine, const Step *step, const SiteSet *between, Position *p,
                  CapturedList *list);
/* Judges forbids with `leaves` (judged step) for a step from `from` that led to `to`. The
 * forbidding rule, or NULL. */
const Rule *step_leaves(Engine *engine, const Position *from, const Step *step,
                        const SiteSet *between, const Position *to);
/* One settle or after rule; how often it fired. The context is one on p; its stamp is renewed
 * if p has changed, so that lets are evaluated again then and only then. */
int rule_fire_in(EvalCtx *ctx, const Rule *rule, Position *p);
/* The same in a context of its own. */
int rule_fire(Engine *engine, const Rule *rule, Position *p, bool made);
/* Effects of an offer, of setup; all on the position as it is, then together. */
void effects_apply(Engine *engine, const Effects *effects, EvalCtx *ctx, Position *p);

/* -- outcome.c -- */
/* Judges the end rules of that time; true if the game is over (p is then an ended position) */
bool outcome_judge(Engine *engine, Position *p, Judged judged);
/* The rules judged as a turn begins, of a position that is not in the history yet and counts there all the same. */
bool outcome_judge_start(Engine *engine, Position *p);
/* The scores of a game that is over, which stand at the worth of its end, raised by score rules. */
void outcome_score(Engine *engine, Position *p);
/* The settle rules, and ends judged after each that fires; true if the game is over. */
bool outcome_settle(Engine *engine, Position *p);
/* For a position that is given: players whom a `lose` rule would have put out long ago are out,
 * as far as that does not end the game. */
void outcome_put_out(Engine *engine, Position *p);
/* Begins the turn of `seat`: counters, turn states; judges start if the engine is to. */
void turn_begin(Engine *engine, Position *p, int seat);
/* Settle, ends, next. */
void turn_finish(Engine *engine, Position *p);
/* Whether the throw on the table is thrown again. */
bool turn_rerolls(Engine *engine, const Position *p);
/* The seat after `seat` among the active ones, or -1. */
int seat_after(const Rules *rules, const Position *p, int seat);

/* -- turn.c -- */
typedef struct Candidate {
  Step step;
  SiteSet between;
} Candidate;
typedef struct Candidates { /* memory of the engine's stack */
  Engine *engine;
  Candidate *at;
  int n, room;
} Candidates;
/* Those of step_candidates. */
Candidates turn_candidates(Engine *engine, const Position *p, bool lawful);
/* A key of where a turn leads. */
uint64_t turn_key(Engine *engine, const Position *p);
/* Whether turns may go on without spending dice: then the positions in which a turn has been are all that bounds it,
 * unless its steps are counted. */
bool turns_wander(const Rules *rules);
/* A legal first step exists (forbids with leaves included). */
bool turn_any_step(Engine *engine, const Position *p);
typedef struct Going {
  bool on;       /* further steps are looked for */
  bool may_stop; /* the turn may end here though steps exist */
} Going;
Going turn_going(Engine *engine, const Position *p);
/* Whether an obligation concerns a complete turn, and what it is worth to it. */
typedef struct Duty {
  bool concerned, exempt;
  int64_t value;
} Duty;
Duty turn_duty(Engine *engine, const Rule *must, const Position *p);
/* Whether a turn from `start` that is known to lead where a legal one does may end in this moment of
 * it: where steps are counted a shorter way to the same position is no turn. */
bool turn_may_end(Engine *engine, const Position *start, const Position *p);
/* For forbids judged end on a complete turn: the forbidding rule, or NULL. */
const Rule *turn_forbidden(Engine *engine, const Position *start, const Position *p);

#endif
