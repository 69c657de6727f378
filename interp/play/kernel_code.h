/* The lowered list as the interpreter reads it: without what only the printer needs, operands as
 * places in memory, and frequent pairs of operations under one code. */
#ifndef KERNEL_CODE_H
#define KERNEL_CODE_H

#include "play/program.h"

/* An operation of a pair keeps its place and its operands, but the first says what both are. */
enum {
  CODE_LAST_OP = O_COUNT - 1,
#define PAIR(a, form_a, b, form_b) C_##a##_##b,
#define TEST(a, form_a) C_##a##_if_,
#include "play/kernel_pairs.def"
#undef PAIR
#undef TEST
  CODE_COUNT
};

typedef struct Code {
  Op *op; /* registers in bytes from the first of their kind; jumps in operations from here */
  int section[SEATS_MAX][SECTION_MAX]; /* first operation, or -1 */
} Code;

/* In the memory of `arena`. */
Code code_make(const Program *program, size_t set_size, Arena *arena);

#endif
