/* Positions by their IDs (study/ids.h) on the command line and in answers. */
#ifndef IDENTIFY_H
#define IDENTIFY_H

#include "face/exchange.h"

/* Reads an ID into a position of the game, its dice on the table. What is not in the ID
 * is as in a position without counters; but a position other than the start is taken to
 * be later than the first turn. *left_out: what the ID says and a position cannot hold,
 * or "". */
bool identify_read(Exchange *x, const char *text, Position *p, char *left_out, char *why,
                   size_t room);
/* {"position", "match", "xgid"}; NULL and a sentence if the position has no ID. */
json_t *identify_json(const Exchange *x, const Position *p, char *why, size_t room);
/* Three lines. */
void identify_print(const json_t *ids);

#endif
