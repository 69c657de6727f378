/* Reads the position argument: JSON text, an ID, a file, @file, or standard input. */
#include "face/given.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "face/identify.h"
#include "mind/chance.h"
#include "study/ids.h"

enum { POSITION_MOST = 1 << 20 };

static bool read_id(const Call *call, Exchange *x, const char *text, Position *p,
                    int *status) {
  char left_out[256], why[256];
  if (!identify_read(x, text, p, left_out, why, sizeof why)) {
    *status = call_fail(call, EXIT_COULD_NOT, "%s", why);
    return false;
  }
  if (*left_out)
    fprintf(stderr, "tavl: note: %s is no part of a position and is left out\n", left_out);
  return true;
}

static bool read_position(const Call *call, Exchange *x, const char *text, Position *p,
                          int *status) {
  char why[512];
  const char *at = text;
  while (isspace((unsigned char)*at)) at++;
  if (*at == '{' || *at == '[') {
    if (exchange_read_text(x, text, strlen(text), p, why, sizeof why)) return true;
    *status = call_fail(call, EXIT_COULD_NOT, "%s", why);
    return false;
  }
  if (ids_is_id(at)) return read_id(call, x, at, p, status);
  const char *path = *text == '@' ? text + 1 : text;
  const char *problem;
  size_t length;
  char *content = file_read(path, POSITION_MOST, &length, &problem);
  if (!content) {
    *status = call_fail(call, EXIT_COULD_NOT, "the position `%s` cannot be read: %s",
                        path, problem);
    return false;
  }
  bool good = exchange_read_text(x, content, length, p, why, sizeof why);
  memory_resize(content, 0);
  if (!good) *status = call_fail(call, EXIT_COULD_NOT, "%s", why);
  return good;
}

bool given_dice(const Call *call, Exchange *x, Position *p, int *status) {
  const char *text = call->value[OPT_DICE];
  if (!text) return true;
  int faces[DICE_MAX], n;
  char why[256];
  if (!dice_read(text, faces, &n)) {
    *status =
        call_fail(call, EXIT_COULD_NOT, "--dice wants numbers like 6,3, not `%s`", text);
    return false;
  }
  if (p->stage == STAGE_ENDED) {
    *status = call_fail(call, EXIT_COULD_NOT, "the game is over: no dice are thrown");
    return false;
  }
  if (engine_set_dice(x->engine, p, faces, n, why, sizeof why)) return true;
  *status = call_fail(call, EXIT_COULD_NOT, "%s", why);
  return false;
}

/* The start, whoever begins: by lot it is the first named. */
static void start(Exchange *x, Position *p) {
  int first = engine_first(x->engine);
  engine_start(x->engine, p, first < 0 ? 0 : first);
}

bool given_position(const Call *call, Exchange *x, Position *p, int *status) {
  const char *text = call->value[OPT_POSITION];
  if (!text || strcmp(text, "start") == 0) {
    start(x, p);
  } else if (!read_position(call, x, text, p, status)) {
    return false;
  }
  return given_dice(call, x, p, status);
}

bool given_turns(const Call *call, const Position *p, ListerWant want, Turns *turns, char *why,
                 size_t room) {
  *turns = call->lister ? lister_turns(call->lister, p, want) : engine_turns(call->engine, p);
  const char *complaint = engine_complaint(call->engine);
  if (complaint) {
    snprintf(why, room, "%s", complaint);
    return false;
  }
  if (turns->too_many) {
    snprintf(why, room, "the position has more than %d turns", TURNS_MOST);
    return false;
  }
  return true;
}

void given_make(const Call *call, const Position *p, Turn *turn) {
  if (call->lister) lister_make(call->lister, p, turn);
}
