/* The flat game, printed. */
#include "front/resolve.h"

void load_print_rules(Loading *loading, const Rules *rules, bool origins, FILE *out) {
  (void)loading;
  (void)origins;
  fprintf(out, "game \"%s\"\n", rules->title);
}

const char *expr_op_name(int op) {
  static const char *const names[] = {
#define EXPR(name, type, meaning) #name,
#include "front/exprs.def"
#undef EXPR
  };
  return op >= 0 && op < X_COUNT_OF_OPS ? names[op] : "?";
}
