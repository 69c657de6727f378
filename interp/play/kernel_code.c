/* Makes the interpreter's list out of the program's. */
#include "play/kernel_code.h"

#include <string.h>

#include "base/arena.h"

/* Which operand says where to go, or -1. */
static int jump_operand(const Op *o) {
  const char *form = op_form(o->code);
  size_t n = strlen(form);
  return form[n - 1] == 'J' ? (int)n - 3 : -1;
}

/* Ends of blocks do nothing, nor does a question whose answer is known to be yes. */
static bool is_idle(const Program *p, const Op *o) {
  if (o->code == O_if_) return o->a[0] < p->const_nums && p->const_num[o->a[0]];
  return o->code == O_end_if || o->code == O_nothing;
}

/* Registers become places; immediates, positions and jumps stay. */
static void place_operands(Op *o, size_t set_size) {
  const char *form = op_form(o->code);
  for (int i = 0; form[i]; i++) {
    int operand = i == 0 ? 0 : form[0] == '_' ? i - 2 : i - 1;
    if (form[i] == 'S') o->a[operand] *= (int32_t)set_size;
    if (form[i] == 'N') o->a[operand] *= (int32_t)sizeof(int64_t);
  }
}

static int pair_of(int a, int b) {
  static const struct {
    int a, b, code;
  } pairs[] = {
#define PAIR(a, form_a, b, form_b) {O_##a, O_##b, C_##a##_##b},
#define TEST(a, form_a) {O_##a, O_if_, C_##a##_if_},
#include "play/kernel_pairs.def"
#undef PAIR
#undef TEST
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].a == a && pairs[i].b == b) return pairs[i].code;
  return -1;
}

Code code_make(const Program *p, size_t set_size, Arena *arena) {
  Code code;
  code.op = ARENA_ARRAY(arena, Op, p->ops + 1);
  int *at = ARENA_ARRAY(arena, int, p->ops + 1), n = 0;
  for (int i = 0; i < p->ops; i++) {
    at[i] = n;
    if (!is_idle(p, &p->op[i])) code.op[n++] = p->op[i];
  }
  at[p->ops] = n;
  for (int i = 0; i < n; i++) {
    Op *o = &code.op[i];
    int jump = jump_operand(o);
    if (jump >= 0) o->a[jump] = at[o->a[jump]];
    place_operands(o, set_size);
  }
  for (int i = 0; i + 1 < n; i++) {
    int pair = pair_of(code.op[i].code, code.op[i + 1].code);
    if (pair >= 0) code.op[i++].code = (uint16_t)pair;
  }
  for (int s = 0; s < p->rules->seats; s++)
    for (int k = 0; k < SECTION_MAX; k++) code.section[s][k] = p->section[s][k] < 0 ? -1 : at[p->section[s][k]];
  return code;
}
