/* tavl why: why a turn is legal, or is not. */
#include <stdlib.h>
#include <string.h>

#include "face/call.h"
#include "face/exchange.h"
#include "face/given.h"
#include "face/reason.h"

static const char about[] =
    "Says why a turn is legal (exit 0) or is not (exit 1): the rule and the clause, the "
    "rule's\n"
    "sentence, the sites that show it, and the better turn where a rule demands one.\n\n"
    "  tavl why GAME e5-e9\n"
    "  tavl why GAME --position @file --dice 6,3 '24-18 13-10'\n"
    "  tavl why GAME --source MOVE           shows the place in the rules file\n\n"
    "A move is written as the game writes it: sites joined by hyphens, parts by blanks "
    "or\n"
    "commas, `pass` for a turn without a step.";

static int explain(Call *call, Exchange *x, const Position *p, const char *text) {
  char why[512];
  Move move;
  if (p->stage == STAGE_ENDED)
    return call_fail(call, EXIT_NO, "the game is over: nobody moves");
  if (!move_read(call->rules, call->russian, text, &move, why, sizeof why))
    return call_fail(call, EXIT_COULD_NOT, "%s", why);
  bool offers = move.n && move.part[0].rule >= 0 &&
                call->rules->rule[move.part[0].rule].kind == RULE_OFFER;
  if (!offers && engine_needs_dice(call->engine, p))
    return call_fail(call, EXIT_COULD_NOT, "the dice are missing: --dice 6,3");
  Reason *reason = memory_resize(NULL, sizeof *reason);
  explain_move(call->engine, p, &move, true, reason);
  const char *complaint = engine_complaint(call->engine);
  int status = reason->legal ? EXIT_FINE : EXIT_NO;
  if (complaint) {
    status = call_fail(call, EXIT_COULD_NOT, "%s", complaint);
  } else if (call->json) {
    call_print(reason_json(call, x, text, reason));
  } else {
    reason_print(call, text, reason, call->value[OPT_SOURCE] != NULL, stdout);
  }
  memory_resize(reason, 0);
  return status;
}

/* MOVE may be one word or several. */
static char *join(char **word, int n) {
  size_t length = 1;
  for (int i = 0; i < n; i++) length += strlen(word[i]) + 1;
  char *text = memory_resize(NULL, length);
  *text = 0;
  for (int i = 0; i < n; i++) {
    if (i) strcat(text, " ");
    strcat(text, word[i]);
  }
  return text;
}

int command_why(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_GAME | OPT_BIT(POSITION) | OPT_BIT(DICE) | OPT_BIT(SOURCE);
  if (!call_begin(&call, "why", options, about, 2, -1, argc, argv, &status))
    return status;
  if (!call_load(&call, call.operand[0], &status)) return call_end(&call, status);
  Exchange *x = exchange_new(call.engine);
  Position *p = engine_position(call.engine);
  char *text = join(call.operand + 1, call.n - 1);
  if (given_position(&call, x, p, &status)) status = explain(&call, x, p, text);
  memory_resize(text, 0);
  free(p);
  exchange_free(x);
  return call_end(&call, status);
}
