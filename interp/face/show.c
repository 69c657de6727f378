/* tavl show: the rules of a game, or a position. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "face/call.h"
#include "face/draw.h"
#include "face/exchange.h"
#include "face/given.h"
#include "face/identify.h"

static const char about[] =
    "Shows a game: its rules after inheritance, each clause with where it comes from. "
    "With\n"
    "--start or --position the position is drawn, with --rules the rules as well; --svg "
    "draws\n"
    "it into a file; --id prints its IDs (gnubg's position and match ID, XGID) if it has "
    "such.\n\n"
    "  tavl show GAME\n"
    "  tavl show GAME --start\n"
    "  tavl show GAME --position @file --svg board.svg";

static void show_rules(const Call *call) {
  printf("%s\n", call_sentence(call, call->rules->title, call->rules->title_ru));
  load_print_rules(call->loading, call->rules, true, stdout);
}

static int write_svg(const Call *call, const Position *p, DrawStyle style) {
  const char *path = call->value[OPT_SVG];
  if (strcmp(path, "-") == 0) {
    draw_svg(stdout, call->engine, p, style);
    return EXIT_FINE;
  }
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  if (!memory) return call_fail(call, EXIT_COULD_NOT, "out of memory");
  draw_svg(memory, call->engine, p, style);
  bool good = fclose(memory) == 0 && file_write(path, text, length);
  int why = errno;
  free(text);
  if (good) return EXIT_FINE;
  return call_fail(call, EXIT_COULD_NOT, "%s cannot be written: %s", path, strerror(why));
}

static int show_position(const Call *call, Exchange *x, const Position *p) {
  DrawStyle style = {
      .colour = call_colour(call), .ascii = call->plain, .russian = call->russian};
  if (call->value[OPT_SVG]) return write_svg(call, p, style);
  json_t *ids = NULL;
  if (call->value[OPT_ID]) {
    char why[256];
    ids = identify_json(x, p, why, sizeof why);
    if (!ids) return call_fail(call, EXIT_COULD_NOT, "%s", why);
  }
  if (call->json) {
    json_t *out = json_pack("{s:s}", "title", call->rules->title);
    json_object_set_new(out, "position", exchange_position(x, p));
    if (ids) json_object_set_new(out, "id", ids);
    call_print(out);
    return EXIT_FINE;
  }
  if (call->value[OPT_RULES]) show_rules(call);
  draw_position(stdout, call->engine, p, style);
  if (ids) identify_print(ids);
  json_decref(ids);
  return EXIT_FINE;
}

static json_t *names(const char *const *list, int n) {
  json_t *array = json_array();
  for (int i = 0; i < n; i++) json_array_append_new(array, json_string(list[i]));
  return array;
}

/* One value of a param: a number, a site's name or a word. */
static json_t *param_value(const Rules *rules, const Param *param, int value) {
  if (param->type == TYPE_NUMBER) return json_integer(value);
  if (param->type == TYPE_SITES) return json_string(rules->board.name[value]);
  return json_string(param->values[value]);
}

/* Every value that `-o` takes: words, the sites of the range, or the whole range of
 * numbers (a long one by its ends only: `low`, `high`). */
static json_t *param_values(const Rules *rules, const Param *param) {
  json_t *array = json_array();
  if (param->type == TYPE_NUMBER) {
    for (int v = param->low; v <= param->high && param->high - param->low < 64; v++)
      json_array_append_new(array, json_integer(v));
    for (int i = 0; i < param->value_n; i++)
      json_array_append_new(array, json_string(param->values[i]));
  } else if (param->type == TYPE_SITES) {
    SITES_FOR(site, param->sites)
    json_array_append_new(array, json_string(rules->board.name[site]));
  } else {
    for (int i = 0; i < param->value_n; i++)
      json_array_append_new(array, json_string(param->values[i]));
  }
  return array;
}

static json_t *param_json(const Call *call, const Param *param) {
  const Rules *rules = call->rules;
  const char *sentence = call_sentence(call, param->doc, param->doc_ru);
  json_t *one = json_object();
  json_object_set_new(one, "name",
                      json_string(param->option ? param->option : param->name));
  json_object_set_new(one, "values", param_values(rules, param));
  if (param->type == TYPE_NUMBER) {
    json_object_set_new(one, "low", json_integer(param->low));
    json_object_set_new(one, "high", json_integer(param->high));
  }
  json_object_set_new(one, "default", param_value(rules, param, param->start));
  json_object_set_new(one, "value", param_value(rules, param, param->value));
  json_object_set_new(one, "sentence", *sentence ? json_string(sentence) : json_null());
  json_object_set_new(one, "see", param->see ? json_string(param->see) : json_null());
  return one;
}

/* What a program wants to know before it plays the game. */
static void print_json(const Call *call) {
  const Rules *rules = call->rules;
  json_t *options = json_object(), *params = json_array(), *list = json_array();
  for (int i = 0; i < rules->params; i++) {
    const Param *param = &rules->param[i];
    json_object_set_new(options, param->option ? param->option : param->name,
                        param_value(rules, param, param->value));
    json_array_append_new(params, param_json(call, param));
  }
  for (int i = 0; i < rules->rules; i++) {
    const Rule *rule = &rules->rule[i];
    if (!rule->exists) continue;
    json_t *one =
        json_pack("{s:s, s:s}", "kind", rule_kind_word(rule->kind), "name", rule->name);
    const char *sentence = call_sentence(call, rule->doc, rule->doc_ru);
    json_object_set_new(one, "sentence", *sentence ? json_string(sentence) : json_null());
    json_object_set_new(one, "see", rule->see ? json_string(rule->see) : json_null());
    json_array_append_new(list, one);
  }
  json_t *out = json_object();
  json_object_set_new(out, "title", json_string(rules->title));
  json_object_set_new(out, "players", names(rules->player, rules->seats));
  json_object_set_new(out, "sites", names(rules->board.name, rules->board.sites));
  json_object_set_new(out, "options", options);
  json_object_set_new(out, "params", params);
  json_object_set_new(out, "rules", list);
  call_print(out);
}

int command_show(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_GAME | OPT_BIT(POSITION) | OPT_BIT(DICE) | OPT_BIT(START) |
                     OPT_BIT(RULES) | OPT_BIT(SVG) | OPT_BIT(ID);
  if (!call_begin(&call, "show", options, about, 1, 1, argc, argv, &status))
    return status;
  if (!call_load(&call, call.operand[0], &status)) return call_end(&call, status);
  bool drawn = call.value[OPT_POSITION] || call.value[OPT_START] || call.value[OPT_SVG] ||
               call.value[OPT_DICE] || call.value[OPT_ID];
  if (!drawn) {
    if (call.json)
      print_json(&call);
    else
      show_rules(&call);
    return call_end(&call, EXIT_FINE);
  }
  Exchange *x = exchange_new(call.engine);
  Position *p = engine_position(call.engine);
  if (given_position(&call, x, p, &status)) status = show_position(&call, x, p);
  free(p);
  exchange_free(x);
  return call_end(&call, status);
}
