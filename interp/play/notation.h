/* Moves and positions as text. A move is parts separated by spaces or commas:
 *   e5-e9   24-18-13   queen 7-9   d6-d9xc8xe8   24/22 (slashes as in some records)
 *   place_it = e2   pass
 * Sites may be written by their synonyms. Nothing here decides what is legal. */
#ifndef NOTATION_H
#define NOTATION_H

#include "play/engine.h"

enum { MOVE_PARTS_MAX = 32, MOVE_STOPS_MAX = 64, MOVE_TEXT_MAX = 1024 };
typedef struct MovePart {
  int rule;       /* a pick: the rule (choice or offer); -1: hops */
  int chosen_n;   /* a pick with a value: 1 */
  char chosen[WORD_LENGTH_MAX + 1]; /* as written */
  int kind;       /* of the piece, or -1 */
  int stops;      /* sites of the chain */
  int stop[MOVE_STOPS_MAX];
  int takes;      /* expected captures; -1: none written */
  int take[MOVE_STOPS_MAX];
} MovePart;
typedef struct Move {
  int n;          /* parts; 0: a pass */
  MovePart part[MOVE_PARTS_MAX];
} Move;

/* Reads a move; false and a sentence (with suggestion) if it cannot be one. */
bool move_read(const Rules *rules, bool russian, const char *text, Move *move, char *why,
               size_t room);
/* The same from a scenario's tree (N_MOVE). */
bool move_from_tree(const Rules *rules, const Node *node, Move *move, char *why, size_t room);

/* Writes a turn: "24-18 13-10", chains of one piece joined ("24-18-13"), kinds only where two
 * kinds of the mover stood on the origin. "pass" for no steps. `room` includes the zero. */
void turn_write(const Rules *rules, const Layout *layout, const Position *before, const Turn *turn,
                char *text, size_t room);
void step_write(const Rules *rules, const Layout *layout, const Position *before, const Step *step,
                char *text, size_t room);

/* The value of a choice: a site, a player, a number or a name. */
void chosen_write(const Rules *rules, const Rule *rule, int32_t chosen, char *text, size_t room);

/* "stone of white" */
void plane_write(const Rules *rules, int plane, char *text, size_t room);

/* Whether a step is what a part means next: `stop` is the index of the stop where the piece
 * stands now, `plane` what it is (-1: anything, at the start of a part). A step that ends
 * elsewhere than at the next stop is none. */
bool move_part_takes(const Rules *rules, const MovePart *part, int stop, int plane,
                     const Step *step);
/* Whether a pick means that value of a choose clause. */
bool move_part_picks(const Rules *rules, const MovePart *part, int rule, int32_t chosen);

/* Finds the turn of a list that a move means. Its steps are taken in the order written.
 * Chains may leave out stops when only one position can be meant. Expected captures are not
 * looked at (see move_captures). -1: none; -2: several different ones (say the kind). */
int move_find(Engine *engine, const Position *p, const Turns *turns, const Move *move);

/* Compares the captures that a move expects with those of a turn: sites expected but not taken,
 * and taken but not expected. True if the move names none or exactly those taken. */
bool move_captures(const Move *move, const Turn *turn, SiteSet *missing, SiteSet *surplus);

#endif
