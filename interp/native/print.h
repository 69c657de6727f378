/* The parts of a printed game, shared by the files of the printer. */
#ifndef PRINT_H
#define PRINT_H

#include "play/kernel.h"

/* Constants and tables of the board, the dice, the position. */
void print_constants(const Program *program, FILE *out);
void print_tables(const Program *program, FILE *out);
/* The sections as functions, and the functions that choose between seats. */
void print_sections(const Program *program, FILE *out);

#endif
