/* Sections that are the same operations for several seats, so that they are printed once: where they differ, they
 * read their operands from a table of the seat. */
#ifndef SEATS_H
#define SEATS_H

#include "play/program.h"

typedef struct Seats Seats;

/* Compares the sections of all seats. Without `tables` only those count as the same that differ in no operand.
 * Freed with seats_free. */
Seats *seats_compare(const Program *program, bool tables);
void seats_free(Seats *seats);
/* The first seat with the same section; the seat itself if no seat before it has that. */
int seats_of(const Seats *seats, int seat, int kind);
/* Whether some seat that shares the section of this seat differs from it in an operand. */
bool seats_differ(const Seats *seats, int seat, int kind);
/* Of operand k of an operation in a section that is shared: its place among the sets of a seat, if it is a set, or
 * else among the numbers; -1: it is not there. */
int seats_row(const Seats *seats, int op, int k);
/* Or which register it is for each seat, in the names of the section that is printed; NULL: it is not picked so. */
const int64_t *seats_pick(const Seats *seats, int op, int k);
/* The table, `seat_`, as C; nothing if nothing differs. */
void seats_print(const Seats *seats, FILE *out);

#endif
