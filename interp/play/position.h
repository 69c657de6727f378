/* A position: plain bytes of a size fixed by the game, copied with position_copy. The header
 * below is followed by the game's cells and counts:
 *
 *   Position | SiteSet occupied[planes] | SiteSet taken[planes] | int32 cells[all_cells]
 *            | uint16 uses[rules] | uint16 count[planes * sites] | padding to 8
 *
 * `occupied[p]` is derived from count[p] and kept with it (position_check recomputes it).
 * `taken` is what the last step took. Between turns `stage` says what is awaited. */
#ifndef POSITION_H
#define POSITION_H

#include "front/rules.h"

typedef enum Stage {
  STAGE_TURN,  /* a turn has begun: offers, then the dice (if any), then steps */
  STAGE_ENDED  /* the game is over: outcome and scores below */
} Stage;

typedef struct Position {
  uint32_t size;       /* bytes of the whole block */
  int8_t stage;        /* Stage */
  int8_t mover;        /* seat to move; -1 in an ended position */
  int8_t phase;
  int8_t turn_phase;   /* in which the turn began: its shape holds to the end */
  int8_t turn_mover;   /* whose turn it is or was, also when the game has ended in it */
  bool over;           /* the turn's last step is made: settling, ends */
  int8_t starter;
  uint8_t active;      /* seats still in the game */
  uint8_t winners;     /* seats that won or share the draw */
  int16_t end_rule;    /* index of the rule that ended the game, or -1 */
  bool drawn;
  double score[SEATS_MAX];
  /* dice: what is left to play, largest first */
  bool rolled;
  int8_t dice;         /* how many are left */
  uint8_t die[DICE_MAX];
  uint8_t thrown[DICE_MAX]; /* the throw as it fell */
  int8_t thrown_n;
  int8_t doubled;      /* the number of an equal throw, else 0 */
  /* this turn */
  int16_t steps, dice_used, pips_used;
  int16_t last_rule, last_plane, last_origin, last_target, last_die; /* of the last step, or -1 */
  int16_t prev_target; /* of the step before the last, or -1 */
  int32_t captured;    /* pieces taken by its steps, one taken twice counts twice */
  int32_t taken_n;     /* pieces taken by the last step */
  uint32_t offered;    /* offer rules made this turn (bit: place among the offers) */
  /* the game so far */
  int32_t turn_count, quiet, passes;
  int32_t turns[SEATS_MAX], overruns[SEATS_MAX];
  int16_t last_origin_of[SEATS_MAX], last_target_of[SEATS_MAX];
  int16_t turn_origin, turn_target; /* of the last step of the turn in progress, or -1 */
} Position;

typedef struct Layout { /* offsets in the block, computed once per game */
  size_t occupied, taken, cells, uses, count, size;
} Layout;
Layout position_layout(const Rules *rules);

static inline SiteSet *position_occupied(const Layout *l, const Position *p) {
  return (SiteSet *)((char *)(uintptr_t)p + l->occupied);
}
static inline SiteSet *position_taken(const Layout *l, const Position *p) {
  return (SiteSet *)((char *)(uintptr_t)p + l->taken);
}
static inline int32_t *position_cells(const Layout *l, const Position *p) {
  return (int32_t *)((char *)(uintptr_t)p + l->cells);
}
static inline uint16_t *position_uses(const Layout *l, const Position *p) {
  return (uint16_t *)((char *)(uintptr_t)p + l->uses);
}
/* count[plane * sites + site] */
static inline uint16_t *position_count(const Layout *l, const Position *p) {
  return (uint16_t *)((char *)(uintptr_t)p + l->count);
}

/* A block for a position of the game; the caller frees it with free(). */
Position *position_new(const Layout *layout);
void position_copy(Position *to, const Position *from);
/* Adds (or with a negative number removes) pieces; keeps `occupied`. */
void position_add(const Rules *rules, const Layout *layout, Position *p, int plane, int site,
                  int number);
/* Recomputes everything derived and compares; false and a sentence in `why` if something is
 * wrong (negative or overflowing counts, derived sets, ranges of cells, seats, dice). */
bool position_check(const Rules *rules, const Layout *layout, const Position *p, char *why,
                    size_t room);
/* Total pieces of a plane, everywhere. */
int position_total(const Rules *rules, const Layout *layout, const Position *p, int plane);
/* A 64-bit key of what makes a position of the game: pieces, game cells, phase, who is in,
 * and the seat given. Equal positions have equal keys; use position_same to be sure. */
uint64_t position_key(const Rules *rules, const Layout *layout, const Position *p, int seat);
/* The same position of the game (as above, the movers compared), the same end and scores; and
 * the same last steps and quiet turns, if rules of the game ask for them. */
bool position_same(const Rules *rules, const Layout *layout, const Position *a,
                   const Position *b);
/* A 64-bit key of all that position_same compares. */
uint64_t position_same_key(const Rules *rules, const Layout *layout, const Position *p);

#endif
