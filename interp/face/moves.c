/* tavl moves: the legal turns and the position each leads to; one position, or one a
 * line. */
#include <stdlib.h>
#include <string.h>

#include "face/call.h"
#include "face/engine.h"
#include "face/exchange.h"
#include "face/given.h"
#include "face/identify.h"
#include "play/notation.h"

static const char about[] =
    "Lists the legal turns of a position: one for each distinct position they lead to.\n"
    "A player who can do nothing has one turn, `pass`. In a game with dice, --dice gives "
    "the\n"
    "throw; without it the turns are listed for every throw.\n\n"
    "  tavl moves GAME --dice 6,3\n"
    "  tavl moves GAME --position '{\"to_move\": …, \"pieces\": {…}}' --json\n"
    "  tavl moves GAME --batch < positions\n\n"
    "--json prints {\"to_move\", \"turns\": [{\"move\", \"captures\", \"position\", "
    "\"ends\"}], "
    "\"count\"};\n"
    "by throws {\"to_move\", \"rolls\": [{\"dice\", \"ways\", \"turns\", \"count\"}], "
    "\"count\"}.\n"
    "--id adds the IDs of the position to each turn, if the game's positions have such.\n"
    "--batch reads {\"id\": …, \"position\": {…}} a line and answers in one line each:\n"
    "{\"id\", \"to_move\", \"turns\", \"count\"} or {\"id\", \"error\"}. A line that is "
    "refused\n"
    "does not stop the run.\n\n"
    "--engine: the positions reached are the same by every engine, and so are turns of one step "
    "and\n"
    "their order. Where a turn of several steps can be made in several ways, kernel and native may\n"
    "write another one than the reference. auto is the reference: an answer takes longer to write "
    "than\n"
    "its turns to find.";

/* ---- JSON ---- */

static bool turns_into(const Call *call, Exchange *x, const Position *p, json_t *to, int64_t *sum,
                       char *why, size_t room) {
  Mark mark = engine_mark(x->engine);
  Turns turns = {0};
  if (p->stage != STAGE_ENDED && !given_turns(call, p, LISTER_ALL, &turns, why, room)) {
    engine_release(x->engine, mark);
    return false;
  }
  json_t *list = json_array();
  bool good = true;
  for (int i = 0; i < turns.n && good; i++) {
    json_t *turn = exchange_turn(x, p, &turns.at[i]);
    json_t *ids = x->ids ? identify_json(x, turns.at[i].after, why, room) : NULL;
    if (ids) json_object_set_new(turn, "id", ids);
    good = ids || !x->ids;
    json_array_append_new(list, turn);
  }
  json_object_set_new(to, "turns", list);
  json_object_set_new(to, "count", json_integer(turns.n));
  *sum += turns.n;
  engine_release(x->engine, mark);
  return good;
}

static bool rolls_into(const Call *call, Exchange *x, const Position *p, json_t *to, char *why,
                       size_t room) {
  int n;
  int64_t total, sum = 0;
  const Roll *seen = engine_rolls(x->engine, p, &n, &total);
  Roll *roll = memory_resize(NULL, sizeof *roll * (size_t)(n + 1));
  if (n) memcpy(roll, seen, sizeof *roll * (size_t)n);
  Position *thrown = engine_position(x->engine);
  json_t *rolls = json_array();
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    json_t *one = json_object(), *dice = json_array();
    for (int d = 0; d < roll[i].n; d++)
      json_array_append_new(dice, json_integer(roll[i].face[d]));
    json_object_set_new(one, "dice", dice);
    json_object_set_new(one, "ways", json_integer(roll[i].ways));
    position_copy(thrown, p);
    good = engine_set_dice(x->engine, thrown, roll[i].face, roll[i].n, why, room) &&
           turns_into(call, x, thrown, one, &sum, why, room);
    json_array_append_new(rolls, one);
  }
  json_object_set_new(to, "rolls", rolls);
  json_object_set_new(to, "count", json_integer(sum));
  free(thrown);
  memory_resize(roll, 0);
  return good;
}

/* The fields of an answer about p, into `to`. */
static bool answer(const Call *call, Exchange *x, const Position *p, json_t *to, char *why, size_t room) {
  int64_t sum = 0;
  bool ended = p->stage == STAGE_ENDED;
  json_object_set_new(to, "to_move",
                      ended ? json_null() : json_string(x->rules->player[p->mover]));
  bool good = !ended && engine_needs_dice(x->engine, p)
                  ? rolls_into(call, x, p, to, why, room)
                  : turns_into(call, x, p, to, &sum, why, room);
  if (good && ended) json_object_set_new(to, "ends", exchange_ends(x, p));
  return good;
}

/* ---- one line of a batch ---- */

static bool batch_position(Call *call, Exchange *x, const json_t *line, Position *p,
                           char *why, size_t room) {
  if (!json_is_object(line)) {
    snprintf(why, room, "a line is an object like {\"id\": 1, \"position\": {…}}");
    return false;
  }
  const char *name;
  const json_t *value, *position = json_object_get(line, "position");
  json_object_foreach((json_t *)(uintptr_t)line, name, value) {
    if (strcmp(name, "id") == 0 || strcmp(name, "position") == 0 ||
        strcmp(name, "dice") == 0)
      continue;
    snprintf(why, room, "a line has no field `%.60s` (id, position)", name);
    return false;
  }
  if (!position) {
    snprintf(why, room, "`position` is missing");
    return false;
  }
  char left_out[256];
  const char *id = json_string_value(position);
  if (id ? !identify_read(x, id, p, left_out, why, room)
         : !exchange_read(x, position, p, why, room))
    return false;
  const json_t *dice = json_object_get(line, "dice");
  if (dice) { /* also beside the position */
    int faces[DICE_MAX] = {0};
    size_t n = json_array_size(dice);
    bool numbers = json_is_array(dice) && n > 0 && n <= DICE_MAX;
    for (size_t i = 0; i < n && numbers; i++) {
      const json_t *face = json_array_get(dice, i);
      numbers = json_is_integer(face) && json_integer_value(face) >= 0 &&
                json_integer_value(face) <= 1000;
      if (numbers) faces[i] = (int)json_integer_value(face);
    }
    if (!numbers) {
      snprintf(why, room, "`dice` is a list of numbers, like [6, 3]");
      return false;
    }
    return engine_set_dice(x->engine, p, faces, (int)n, why, room);
  }
  int faces[DICE_MAX], n;
  if (!call->value[OPT_DICE] || p->rolled || p->stage == STAGE_ENDED) return true;
  if (!dice_read(call->value[OPT_DICE], faces, &n)) {
    snprintf(why, room, "--dice wants numbers like 6,3");
    return false;
  }
  return engine_set_dice(x->engine, p, faces, n, why, room);
}

static void batch_line(Call *call, Exchange *x, const char *text, size_t length,
                       Position *p) {
  char why[512];
  json_error_t error;
  json_t *line =
      json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  json_t *out = json_object();
  const json_t *id = json_object_get(line, "id");
  json_object_set_new(out, "id", id ? json_deep_copy(id) : json_null());
  bool good = line != NULL;
  if (!line)
    snprintf(why, sizeof why, "not JSON: column %d: %s", error.column, error.text);
  else
    good = batch_position(call, x, line, p, why, sizeof why) &&
           answer(call, x, p, out, why, sizeof why);
  if (!good) {
    json_t *id_again = json_incref(json_object_get(out, "id"));
    json_object_clear(out);
    json_object_set_new(out, "id", id_again);
    json_object_set_new(out, "error", call_text(why));
  }
  json_decref(line);
  call_print(out);
}

static int batch(Call *call, Exchange *x) {
  char *text = NULL;
  size_t room = 0;
  ssize_t length;
  const char *why;
  Position *p = engine_position(call->engine);
  while ((length = file_line(stdin, &text, &room, &why)) >= 0) {
    size_t n = (size_t)length;
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r')) n--;
    if (n == 0) continue;
    batch_line(call, x, text, n, p);
    if (fflush(stdout) != 0) break; /* told by main */
  }
  free(text);
  free(p);
  if (length < 0 && why)
    return call_fail(call, EXIT_COULD_NOT, "standard input cannot be read: %s", why);
  return EXIT_FINE;
}

/* ---- for people ---- */

static void list_turns(const Call *call, const Position *p, const Turns *turns,
                       const char *margin) {
  const Rules *rules = call->rules;
  for (int i = 0; i < turns->n; i++) {
    const Turn *turn = &turns->at[i];
    char text[MOVE_TEXT_MAX];
    turn_write(rules, engine_layout(call->engine), p, turn, text, sizeof text);
    printf("%s%s", margin, text);
    for (int c = 0; c < turn->captures; c++) {
      char piece[128];
      plane_write(rules, turn->captured[c].plane, piece, sizeof piece);
      printf("%s%s on %s", c ? ", " : "  takes ", piece,
             rules->board.name[turn->captured[c].site]);
    }
    if (turn->after->stage == STAGE_ENDED && turn->after->end_rule >= 0) {
      const Rule *rule = &rules->rule[turn->after->end_rule];
      printf("  ends: %s %s", rule->name, call_sentence(call, rule->doc, rule->doc_ru));
    }
    printf("\n");
  }
}

static int print_turns(const Call *call, const Position *p, const char *margin,
                       int64_t *sum) {
  Mark mark = engine_mark(call->engine);
  Turns turns;
  char why[512];
  int status = EXIT_FINE;
  if (given_turns(call, p, LISTER_ALL, &turns, why, sizeof why)) {
    list_turns(call, p, &turns, margin);
    *sum += turns.n;
  } else {
    status = call_fail(call, EXIT_COULD_NOT, "%s", why);
  }
  engine_release(call->engine, mark);
  return status;
}

static int print_rolls(const Call *call, const Position *p, int64_t *sum) {
  int n, status = EXIT_FINE;
  int64_t total;
  const Roll *seen = engine_rolls(call->engine, p, &n, &total);
  Roll *roll = memory_resize(NULL, sizeof *roll * (size_t)(n + 1));
  if (n) memcpy(roll, seen, sizeof *roll * (size_t)n);
  Position *thrown = engine_position(call->engine);
  for (int i = 0; i < n && status == EXIT_FINE; i++) {
    char why[256];
    for (int d = 0; d < roll[i].n; d++) printf("%s%d", d ? "," : "", roll[i].face[d]);
    printf("  (%lld of %lld)\n", (long long)roll[i].ways, (long long)total);
    position_copy(thrown, p);
    status =
        engine_set_dice(call->engine, thrown, roll[i].face, roll[i].n, why, sizeof why)
            ? print_turns(call, thrown, "  ", sum)
            : call_fail(call, EXIT_COULD_NOT, "%s", why);
  }
  free(thrown);
  memory_resize(roll, 0);
  return status;
}

static int one(Call *call, Exchange *x, const Position *p) {
  if (call->json) {
    char why[512];
    json_t *out = json_object();
    if (answer(call, x, p, out, why, sizeof why)) {
      call_print(out);
      return EXIT_FINE;
    }
    json_decref(out);
    return call_fail(call, EXIT_COULD_NOT, "%s", why);
  }
  if (p->stage == STAGE_ENDED) {
    printf("the game is over\n");
    return EXIT_FINE;
  }
  int64_t sum = 0;
  int status = engine_needs_dice(call->engine, p) ? print_rolls(call, p, &sum)
                                                  : print_turns(call, p, "", &sum);
  if (status == EXIT_FINE)
    printf("%lld turn%s of %s\n", (long long)sum, sum == 1 ? "" : "s",
           call->rules->player[p->mover]);
  return status;
}

int command_moves(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options =
      OPT_GAME | OPT_BIT(POSITION) | OPT_BIT(DICE) | OPT_BIT(BATCH) | OPT_BIT(ID) |
      OPT_BIT(ENGINE);
  if (!call_begin(&call, "moves", options, about, 1, 1, argc, argv, &status))
    return status;
  bool is_batch = call.value[OPT_BATCH] != NULL;
  if (is_batch && call.value[OPT_POSITION])
    return call_fail(&call, EXIT_COULD_NOT,
                     "--batch reads its positions from standard input");
  if (call.value[OPT_ID] && !is_batch && !call.json)
    return call_fail(&call, EXIT_COULD_NOT, "--id goes with --json or --batch");
  if (!call_open(&call, call.operand[0], &status)) return call_end(&call, status);
  Exchange *x = exchange_new(call.engine);
  x->ids = call.value[OPT_ID] != NULL;
  if (is_batch) {
    status = batch(&call, x);
  } else {
    Position *p = engine_position(call.engine);
    if (given_position(&call, x, p, &status)) status = one(&call, x, p);
    free(p);
  }
  exchange_free(x);
  return call_end(&call, status);
}
