/* The reference engine: the rules taken literally, turn by turn. Slow and sure; the kernels
 * are compared with it, and all reasons come from it.
 *
 * Life of a game:
 *   engine_start → [offers] → engine_set_dice (games with dice) → engine_turns → take one's
 *   `after` → … until position->stage == STAGE_ENDED.
 * A position handed out has its turn begun: counters advanced, end rules judged `start`
 * already judged. */
#ifndef ENGINE_H
#define ENGINE_H

#include "play/position.h"

typedef struct Engine Engine;

/* An engine for a game; one per thread. Lua states of hooks are made on first use. */
Engine *engine_new(const Rules *rules);
void engine_free(Engine *engine);
const Rules *engine_rules(const Engine *engine);
const Layout *engine_layout(const Engine *engine);
Position *engine_position(const Engine *engine); /* position_new for this game */

/* -- starting -- */
/* The seat that begins by the rules, or -1: by lot (every active seat equally likely). */
int engine_first(Engine *engine);
/* The start position with `seat` to begin. History is cleared. */
void engine_start(Engine *engine, Position *p, int seat);
/* Makes p from counts [planes][sites], effects, and a seat to move: what a scenario or a JSON
 * position gives. Turn counters as on a first turn unless effects set them. History is
 * cleared. False and a sentence in `why` if an effect is out of range. End rules judged start
 * are judged only if `judge`. */
bool engine_given(Engine *engine, Position *p, const uint16_t *count, Effects effects, int seat,
                  bool judge, char *why, size_t room);

/* One effect of a scenario (`set …`) on a position in play, counters included. */
void engine_set(Engine *engine, Position *p, const Effect *effect);

/* -- chance -- */
/* Whether the position waits for dice. */
bool engine_needs_dice(const Engine *engine, const Position *p);
/* Puts a throw on the table (any order). False and a sentence if the number of dice or a face
 * is not possible in this game, or there are no dice. A pool that `gives` one number takes
 * that one number. */
bool engine_set_dice(Engine *engine, Position *p, const int *faces, int n, char *why, size_t room);
/* Whether a throw (any order) is possible and stands, that is, is not thrown again. */
bool engine_stands(Engine *engine, const Position *p, const int *faces, int n);
typedef struct Roll {
  int n;
  int face[DICE_MAX];
  int64_t ways; /* of `engine_roll_ways` */
} Roll;
/* All unordered throws (largest first inside a throw), those rolled again left out; count to
 * *n; valid until the next call. The sum of ways is the total. */
const Roll *engine_rolls(Engine *engine, const Position *p, int *n, int64_t *total);

/* -- turns -- */
typedef struct Step {
  int16_t rule;
  int16_t plane;  /* of the piece before the step; -1 for a choice */
  int16_t origin, target; /* -1 for a choice */
  int16_t die;    /* the number spent, or -1 */
  int16_t choice; /* index in the choose list, or -1 */
  int32_t chosen; /* site, seat, number or atom */
} Step;
/* Whether both are the same step from one position. */
bool step_same(const Step *a, const Step *b);
typedef struct Captured {
  int16_t site, plane, count, rule;
  int16_t step; /* which step of the turn took it */
} Captured;
typedef struct Turn {
  const Step *step;
  int steps;    /* 0: a pass */
  const Captured *captured;
  int captures;
  Position *after; /* settled, next seat to move or ended */
} Turn;
typedef struct Turns {
  Turn *at;
  int n;
  bool too_many; /* more than TURNS_MOST: the list is cut (never silently: callers say so) */
} Turns;
enum { TURNS_MOST = 1 << 18 }; /* different positions within the turns from one position */

/* All legal turns of the position, one for each distinct resulting position, in a fixed
 * order; of several ways there one that takes the fewest pieces. An ended position has none. A
 * player who can do nothing has one: a pass. Memory belongs to the engine and lives until
 * engine_release (mark/release nest like a stack). */
typedef struct Mark { void *block; size_t used; } Mark;
Mark engine_mark(Engine *engine);
void engine_release(Engine *engine, Mark mark);
Turns engine_turns(Engine *engine, const Position *p);
/* Only how many there are: no lists kept. */
int64_t engine_count_turns(Engine *engine, const Position *p);
/* With `false` the positions in engine_turns are left before end rules judged start (perft:
 * a leaf needs no answer whether the next player is stuck). Default true. */
void engine_judge_next(Engine *engine, bool judge);

/* -- single steps (interactive play, explanations) -- */
typedef struct Steps {
  Step *at;
  int n;
} Steps;
/* Steps that begin a legal turn from here (p may stand in the middle of a turn). */
Steps engine_steps(Engine *engine, const Position *p);
/* Candidate steps of the move and choice rules before any forbid. */
Steps engine_candidates(Engine *engine, const Position *p);
/* Makes a step: move, captures, after, end rules judged step. `to` and `from` differ. */
void engine_make(Engine *engine, const Position *from, const Step *step, Position *to,
                 const Captured **captured, int *captures);
/* Ends the turn: settle, ends, next seat, turn begun. */
void engine_finish(Engine *engine, Position *p);
/* The same player's turn is void (an overrun of the clock): p as before, next seat. */
void engine_overrun(Engine *engine, Position *p);

/* -- offers -- */
typedef struct Offer {
  int16_t rule, choice;
  int32_t chosen;
} Offer;
/* Offers that the mover may make now (before the dice). */
int engine_offers(Engine *engine, const Position *p, Offer *list, int most);
/* Makes an offer with the others' answer; end rules judged step are judged. `answerer` is the
 * seat that declined, or any of those who accepted. */
void engine_offer(Engine *engine, Position *p, const Offer *offer, bool accepted, int answerer);
/* Puts a player out of the game by resignation: p goes on without him, or ends with the one
 * who is left as winner; that is worth the least that a win would be now, scores aside. */
void engine_resign(Engine *engine, Position *p, int seat);

/* -- history (repetition) -- */
/* Remembers p (its turn begun) as having occurred; callers push every position of the game
 * they play, engine_start and engine_given push the first. */
void engine_push(Engine *engine, const Position *p);
void engine_pop(Engine *engine);
/* Told of whatever happens to the history: to who keeps one of his own beside it. `p`: what is
 * pushed, else NULL. One at a time; NULL: nobody. */
typedef enum HistoryEvent { HISTORY_CLEARED, HISTORY_PUSHED, HISTORY_POPPED } HistoryEvent;
typedef void HistoryWatch(void *with, HistoryEvent event, const Position *p);
void engine_watch_history(Engine *engine, HistoryWatch *watch, void *with);

/* -- errors of hooks, contradictory effects, … -- */
/* The last run-time complaint, or NULL; cleared by the call. After a complaint the position
 * involved is as before and the caller stops. */
const char *engine_complaint(Engine *engine);
bool engine_complains(const Engine *engine); /* whether there is one; it stays */
typedef struct Trouble {
  bool set;
  char text[512];
} Trouble;

#endif
