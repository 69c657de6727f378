/* Counts the tree of turns: how many sequences of exactly so many turns there are. A game
 * that ends counts at the depth where it ends and adds nothing deeper. In dice games
 * every depth sums over the unordered throws. */
#ifndef PERFT_H
#define PERFT_H

#include "play/engine.h"

enum { PERFT_DEPTH_MAX = 64 };

typedef struct PerftLine {
  int64_t leaves;   /* saturating */
  int64_t weighted; /* the same, every throw counted as often as it falls */
  int64_t captures; /* pieces taken by the turns of this depth */
  int64_t
      ended; /* turns of this depth that end the game (by rules not judged at a start) */
} PerftLine;

/* Counts to `depth`; line[1 .. depth] is filled. The last turns' positions are not judged
 * for the player to come. With `bare` the last depth is only counted, captures and ends
 * there are not (faster). Throws already on the table of `p` hold for the first turn.
 * False when the engine complains (engine_complaint) or a position has too many turns. */
bool perft_count(Engine *engine, const Position *p, int depth, bool bare,
                 PerftLine *line);
/* Sums and products that stop at INT64_MAX. */
int64_t perft_add(int64_t a, int64_t b);
int64_t perft_multiply(int64_t a, int64_t b);

#endif
