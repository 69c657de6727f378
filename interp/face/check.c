/* tavl check: all mistakes of rules files in one run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "face/call.h"
#include "play/program.h"

static const char about[] =
    "Reads rules files (games, houses, libraries), and tells all their mistakes in one "
    "run:\n"
    "place, code, what is wrong and what would be right. Exit 1 if there are errors; "
    "warnings\n"
    "alone are exit 0, with --strict exit 1.";

typedef struct Found {
  int errors, warnings;
  bool missing;
} Found;

/* A file is a library if the loader says that there is no game in it. */
static LoadStatus load(Call *call, Loading *loading, const char *path,
                       const Rules **rules) {
  *rules = NULL;
  return load_game(loading, path, call->setting, call->settings, true, rules);
}

/* ---- what the kernels leave to the reference engine ---- */

static void left(json_t *list, const Rules *rules, int rule, const char *section, const char *why) {
  json_t *one = json_pack("{s:o, s:s, s:o}", "rule", rule < 0 ? json_null() : json_string(rules->rule[rule].name),
                          "section", section, "why", json_string(why));
  size_t i;
  json_t *other;
  json_array_foreach(list, i, other) if (json_equal(one, other)) {
    json_decref(one);
    return;
  }
  json_array_append_new(list, one);
}

/* Every rule that keeps a section of the game out of the kernels, and why. */
static json_t *left_to_reference(const Rules *rules) {
  json_t *list = json_array();
  Program *p = program_lower(rules, 0);
  if (p->refused) left(list, rules, p->refused_rule, "the whole game", p->refused);
  for (int seat = 0; seat < rules->seats; seat++)
    for (int k = 0; k < SECTION_MAX; k++)
      if (p->hosted_why[seat][k])
        left(list, rules, p->hosted_rule[seat][k], program_section_name(k), p->hosted_why[seat][k]);
  for (int i = 0; i < p->ops; i++)
    if (p->op[i].code == O_host_fire) left(list, rules, p->op[i].a[2], "the rule alone", "a hook");
  program_free(p);
  return list;
}

static void say_left(const json_t *list) {
  size_t i;
  const json_t *one;
  json_array_foreach(list, i, one) {
    const char *rule = json_string_value(json_object_get(one, "rule"));
    call_say(stdout, "  slow, by the reference engine (%s): %s%s%s", json_string_value(json_object_get(one, "section")),
             rule ? rule : "", rule ? ": " : "", json_string_value(json_object_get(one, "why")));
  }
  if (json_array_size(list) == 0) call_say(stdout, "  all rules are played by the kernels");
}

static void check_file(Call *call, const char *path, Found *found, json_t *list) {
  Loading *loading = loading_new(NULL);
  const Rules *rules;
  LoadStatus status = load(call, loading, path, &rules);
  const Diags *diags = loading_diags(loading);
  bool kernel = call->value[OPT_KERNEL] != NULL;
  found->errors += diags->errors;
  found->warnings += diags->warnings;
  if (status == LOAD_MISSING) found->missing = true;
  if (list) {
    json_t *diagnostics = json_loads(diags_json(diags), 0, NULL);
    json_t *one = json_pack("{s:o}", "file", call_text(path));
    json_object_set_new(one, "title", rules ? json_string(rules->title) : json_null());
    json_object_set_new(one, "errors", json_integer(diags->errors));
    json_object_set_new(one, "warnings", json_integer(diags->warnings));
    json_object_set_new(one, "diagnostics", diagnostics ? diagnostics : json_array());
    if (kernel) json_object_set_new(one, "slow", rules ? left_to_reference(rules) : json_array());
    json_array_append_new(list, one);
  } else if (diags->errors + diags->warnings > 0) {
    diags_print(diags, stderr, isatty(STDERR_FILENO) && call_colour(call));
  } else if (rules) {
    call_say(stdout, "%s: %s is well formed (%d rules, %d scenarios)", path, rules->title,
           rules->rules, rules->scenarios);
  } else {
    call_say(stdout, "%s: well formed", path);
  }
  if (!list && kernel && rules && !diags->errors) {
    json_t *slow = left_to_reference(rules);
    say_left(slow);
    json_decref(slow);
  }
  loading_free(loading);
}

int command_check(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_GAME | OPT_BIT(STRICT) | OPT_BIT(KERNEL);
  if (!call_begin(&call, "check", options, about, 1, -1, argc, argv, &status))
    return status;
  Found found = {0};
  json_t *list = call.json ? json_array() : NULL;
  for (int i = 0; i < call.n; i++) check_file(&call, call.operand[i], &found, list);
  bool bad = found.errors > 0 || (call.value[OPT_STRICT] && found.warnings > 0);
  if (list)
    call_print(json_pack("{s:b, s:i, s:i, s:o}", "ok", !bad, "errors", found.errors,
                         "warnings", found.warnings, "files", list));
  if (found.missing) return EXIT_COULD_NOT;
  return bad ? EXIT_NO : EXIT_FINE;
}
