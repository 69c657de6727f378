/* tavl check: all mistakes of rules files in one run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "face/call.h"

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

static void check_file(Call *call, const char *path, Found *found, json_t *list) {
  Loading *loading = loading_new(NULL);
  const Rules *rules;
  LoadStatus status = load(call, loading, path, &rules);
  const Diags *diags = loading_diags(loading);
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
    json_array_append_new(list, one);
  } else if (diags->errors + diags->warnings > 0) {
    diags_print(diags, stderr, isatty(STDERR_FILENO) && call_colour(call));
  } else if (rules) {
    call_say(stdout, "%s: %s is well formed (%d rules, %d scenarios)", path, rules->title,
           rules->rules, rules->scenarios);
  } else {
    call_say(stdout, "%s: well formed", path);
  }
  loading_free(loading);
}

int command_check(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_GAME | OPT_BIT(STRICT);
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
