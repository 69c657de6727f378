/* tavl test: runs the scenarios of games. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "face/call.h"
#include "study/scenario.h"

static const char about[] =
    "Runs the scenarios that stand in the files of games, those that they inherit "
    "included. Each\n"
    "that fails is told with its place and what happened instead. Exit 1 if any fails.";

typedef struct Sum {
  int passed, failed;
} Sum;

static void print_place(const Loading *loading, Span where, FILE *out) {
  const Sources *sources = loading_sources((Loading *)(uintptr_t)loading);
  if (where.file < 0 || where.file >= sources->n) return;
  int line, column;
  source_locate(sources, where, &line, &column);
  fprintf(out, "%s:%d:%d: ", sources->at[where.file].name, line, column);
}

static json_t *scenario_json(Call *call, const ScenarioText *scenario,
                             const ScenarioResult *result) {
  const Sources *sources = loading_sources(call->loading);
  json_t *one = json_object();
  json_object_set_new(one, "title", json_string(scenario->title));
  json_object_set_new(one, "unit",
                      scenario->unit ? json_string(scenario->unit) : json_null());
  json_object_set_new(one, "inherited", json_boolean(scenario->inherited));
  json_object_set_new(one, "see",
                      scenario->see ? json_string(scenario->see) : json_null());
  json_object_set_new(one, "ok", json_boolean(result->ok));
  if (result->ok) return one;
  int line = 0, column = 0;
  json_t *message = json_string(result->message);
  json_object_set_new(one, "message", message ? message : json_null());
  if (result->where.file >= 0 && result->where.file < sources->n) {
    source_locate(sources, result->where, &line, &column);
    json_object_set_new(one, "file", json_string(sources->at[result->where.file].name));
    json_object_set_new(one, "line", json_integer(line));
    json_object_set_new(one, "column", json_integer(column));
  }
  return one;
}

static void run_all(Call *call, const char *path, Sum *sum, json_t *list) {
  Sum own = {0, 0};
  json_t *results = list ? json_array() : NULL;
  for (int i = 0; i < call->rules->scenarios; i++) {
    const ScenarioText *scenario = &call->rules->scenario[i];
    ScenarioResult result;
    scenario_run(call->loading, call->rules, i, call->setting, call->settings, &result);
    if (result.ok)
      own.passed++;
    else
      own.failed++;
    if (results) {
      json_array_append_new(results, scenario_json(call, scenario, &result));
    } else if (!result.ok) {
      print_place(call->loading, result.where, stdout);
      printf("scenario \"%s\"%s%s%s failed: %s\n",
             call_sentence(call, scenario->title, scenario->title_ru),
             scenario->inherited && scenario->unit ? " (of " : "",
             scenario->inherited && scenario->unit ? scenario->unit : "",
             scenario->inherited && scenario->unit ? ")" : "", result.message);
    }
  }
  sum->passed += own.passed;
  sum->failed += own.failed;
  if (!list) {
    printf("%s: %d passed, %d failed\n", path, own.passed, own.failed);
    return;
  }
  json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:i, s:o}", "file", path,
                                        "title", call->rules->title, "passed", own.passed,
                                        "failed", own.failed, "scenarios", results));
}

int command_test(int argc, char **argv) {
  Call call;
  int status, worst = EXIT_FINE;
  if (!call_begin(&call, "test", OPT_GAME, about, 1, -1, argc, argv, &status))
    return status;
  Sum sum = {0, 0};
  json_t *list = call.json ? json_array() : NULL;
  bool told = false;
  for (int i = 0; i < call.n; i++) {
    if (call_load(&call, call.operand[i], &status)) {
      run_all(&call, call.operand[i], &sum, list);
    } else {
      worst = EXIT_COULD_NOT;
      told = true;
    }
    call_end(&call, 0);
    call.engine = NULL;
    call.loading = NULL;
    if (told && call.json) break; /* the error has been printed; nothing may follow it */
  }
  if (sum.failed && worst == EXIT_FINE) worst = EXIT_NO;
  if (list && !told)
    call_print(json_pack("{s:b, s:i, s:i, s:o}", "ok", sum.failed == 0, "passed",
                         sum.passed, "failed", sum.failed, "files", list));
  else
    json_decref(list);
  if (!call.json && call.n > 1) printf("%d passed, %d failed\n", sum.passed, sum.failed);
  return worst;
}
