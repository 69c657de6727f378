/* tavl test: runs the scenarios of games, inherited ones too. */
#include <stdlib.h>
#include <string.h>

#include "face/call.h"
#include "face/engine.h"
#include "study/scenario.h"

static const char about[] =
    "Runs the scenarios that stand in rules files, those inherited from bases and "
    "libraries\n"
    "too. What fails is shown with its place and with what happened instead. An "
    "inherited\n"
    "scenario that holds in the base and fails here shows what this file changes: it is\n"
    "listed as changed, not as failed. The last line is `N passed, N failed`; exit 1 if "
    "any\n"
    "failed.\n\n"
    "With --engine kernel or native the turns of every position that a scenario asks about are\n"
    "found by that, too; a scenario fails where they differ from those of the reference.\n\n"
    "  tavl test GAME\n"
    "  tavl test -v --only TAVL-07 GAME     by title, or by the source that it cites\n\n"
    "--json prints a line a file: {\"file\", \"passed\", \"failed\", \"changed\", "
    "\"scenarios\":\n"
    "[{\"title\", \"unit\", \"inherited\", \"see\", \"ok\", \"changed\", \"line\", "
    "\"message\"}]}.";

typedef struct Base { /* a base loaded for comparison */
  const char *path;
  const Rules *rules; /* NULL: cannot be had */
} Base;

typedef struct TestRun {
  const Call *call;
  Loading *loading;
  const Rules *rules;
  const char *name; /* as given */
  int passed, failed, changed;
  ScenarioBy by;
  json_t *list;
  Base base[16];
  int bases;
} TestRun;

/* The base that wrote an inherited scenario, or NULL (a library's has no base). */
static const Rules *base_of(TestRun *t, const ScenarioText *text) {
  const Sources *sources = loading_sources(t->loading);
  if (text->span.file < 0 || text->span.file >= sources->n) return NULL;
  const char *path = sources->at[text->span.file].path;
  for (int i = 0; i < t->bases; i++)
    if (!strcmp(t->base[i].path, path)) return t->base[i].rules;
  if (t->bases == (int)(sizeof t->base / sizeof *t->base)) return NULL;
  Base *base = &t->base[t->bases++];
  base->path = path;
  base->rules = NULL;
  const Rules *rules;
  if (load_game(t->loading, path, NULL, 0, false, &rules) == LOAD_OK && rules)
    base->rules = rules;
  return base->rules;
}

static bool holds_in_base(TestRun *t, const ScenarioText *text) {
  const Rules *base = base_of(t, text);
  if (!base || !text->unit || !base->title || strcmp(base->title, text->unit))
    return false;
  for (int i = 0; i < base->scenarios; i++) {
    if (strcmp(base->scenario[i].title, text->title)) continue;
    ScenarioResult *result = memory_resize(NULL, sizeof *result);
    scenario_run(t->loading, base, i, NULL, 0, NULL, result);
    bool ok = result->ok;
    memory_resize(result, 0);
    return ok;
  }
  return false;
}

static bool is_wanted(const Call *call, const ScenarioText *text) {
  const char *only = call->value[OPT_ONLY];
  return !only || strstr(text->title, only) || (text->see && strstr(text->see, only));
}

/* ---- telling ---- */

static void print_place(const TestRun *t, Span where, FILE *out) {
  const Sources *sources = loading_sources(t->loading);
  if (where.file < 0 || where.file >= sources->n) return;
  int line, column;
  size_t length;
  source_locate(sources, where, &line, &column);
  const char *text = source_line(sources, where.file, line, &length);
  int width = 0, end = column - 1;
  for (int i = where.start; i < where.end; i++) {
    char c = sources->at[where.file].text[i];
    if (c == '\n') break;
    if ((c & 0xC0) != 0x80) width++;
  }
  fprintf(out, "    %.*s\n    ", (int)length, text);
  int character = 0;
  for (size_t i = 0; i < length && character < end; i++) {
    if ((text[i] & 0xC0) == 0x80) continue;
    fputc(text[i] == '\t' ? '\t' : ' ', out);
    character++;
  }
  for (int i = 0; i < width || i < 1; i++) fputc('^', out);
  fputc('\n', out);
}

static int line_of(const TestRun *t, Span where, int *column) {
  const Sources *sources = loading_sources(t->loading);
  int line = 0;
  *column = 0;
  if (where.file >= 0 && where.file < sources->n)
    source_locate(sources, where, &line, column);
  return line;
}

static const char *file_of(const TestRun *t, Span where) {
  const Sources *sources = loading_sources(t->loading);
  if (where.file < 0 || where.file >= sources->n) return t->name;
  return sources->at[where.file].name;
}

static const char *title_of(const TestRun *t, const ScenarioText *text) {
  return call_sentence(t->call, text->title, text->title_ru);
}

static void print_result(const TestRun *t, const ScenarioText *text,
                         const ScenarioResult *result, bool changed) {
  if (result->ok) {
    if (t->call->value[OPT_VERBOSE]) printf("ok \"%s\"\n", title_of(t, text));
    return;
  }
  int column, line = line_of(t, result->where, &column);
  printf("%s:%d:%d: %s: \"%s\"%s%s\n", file_of(t, result->where), line, column,
         changed ? "changed" : "failed", title_of(t, text),
         text->inherited && text->unit ? " of " : "",
         text->inherited && text->unit ? text->unit : "");
  print_place(t, result->where, stdout);
  call_say(stdout, "    %s", result->message);
}

static json_t *text_or_null(const char *text) {
  return text ? call_text(text) : json_null();
}

static void add_result(TestRun *t, const ScenarioText *text, const ScenarioResult *result,
                       bool changed) {
  int column, line = line_of(t, result->where, &column);
  json_t *one = json_object();
  json_object_set_new(one, "title", text_or_null(title_of(t, text)));
  json_object_set_new(one, "unit", text_or_null(text->unit));
  json_object_set_new(one, "inherited", json_boolean(text->inherited));
  json_object_set_new(one, "see", text_or_null(text->see));
  json_object_set_new(one, "ok", json_boolean(result->ok));
  json_object_set_new(one, "changed", json_boolean(changed));
  json_object_set_new(one, "file", text_or_null(file_of(t, result->where)));
  json_object_set_new(one, "line", json_integer(line));
  json_object_set_new(one, "column", json_integer(column));
  json_object_set_new(one, "message",
                      result->ok ? json_null() : text_or_null(result->message));
  json_array_append_new(t->list, one);
}

/* ---- running ---- */

static void run_scenario(TestRun *t, int index) {
  const ScenarioText *text = &t->rules->scenario[index];
  ScenarioResult *result = memory_resize(NULL, sizeof *result);
  scenario_run(t->loading, t->rules, index, t->call->setting, t->call->settings, &t->by, result);
  bool changed = !result->ok && text->inherited && holds_in_base(t, text);
  t->passed += result->ok;
  t->changed += changed;
  t->failed += !result->ok && !changed;
  if (t->list)
    add_result(t, text, result, changed);
  else
    print_result(t, text, result, changed);
  memory_resize(result, 0);
}

/* One file; its counts are added. False if it cannot be loaded. */
static bool run_file(const Call *call, const char *name, EngineChoice choice, int *passed, int *failed,
                     int *changed) {
  TestRun t = {.call = call, .name = name, .loading = loading_new(NULL), .by = {.choice = choice}};
  LoadStatus status =
      load_game(t.loading, name, call->setting, call->settings, false, &t.rules);
  bool good = status == LOAD_OK && t.rules;
  if (good) {
    if (call->json) t.list = json_array();
    for (int i = 0; i < t.rules->scenarios; i++)
      if (is_wanted(call, &t.rules->scenario[i])) run_scenario(&t, i);
  }
  diags_print(loading_diags(t.loading), stderr, false);
  if (good && call->json)
    call_print(json_pack("{s:o, s:i, s:i, s:i, s:o}", "file", call_text(name), "passed", t.passed,
                         "failed", t.failed, "changed", t.changed, "scenarios", t.list));
  else if (call->json)
    call_print(
        json_pack("{s:o, s:s}", "file", call_text(name), "error", "the file cannot be loaded"));
  *passed += t.passed;
  *failed += t.failed;
  *changed += t.changed;
  scenario_by_end(&t.by);
  loading_free(t.loading);
  return good;
}

int command_test(int argc, char **argv) {
  Call call;
  int status, passed = 0, failed = 0, changed = 0;
  uint64_t options = OPT_GAME | OPT_BIT(VERBOSE) | OPT_BIT(ONLY) | OPT_BIT(ENGINE);
  if (!call_begin(&call, "test", options, about, 1, -1, argc, argv, &status))
    return status;
  EngineChoice choice;
  if (!call_engine(&call, &choice, &status)) return call_end(&call, status);
  status = EXIT_FINE;
  int read = 0;
  for (int i = 0; i < call.n; i++)
    if (run_file(&call, call.operand[i], choice, &passed, &failed, &changed))
      read++;
    else
      status = EXIT_COULD_NOT;
  bool none = read && call.value[OPT_ONLY] && passed + failed + changed == 0;
  if (none) {
    call_say(stderr, "tavl: no scenario has `%s` in its title or after `see`",
             call.value[OPT_ONLY]);
    if (status == EXIT_FINE) status = EXIT_NO;
  }
  if (!call.json && read && !none) {
    if (changed)
      printf("%d inherited result%s changed\n", changed, changed == 1 ? "" : "s");
    printf("%d passed, %d failed\n", passed, failed);
  }
  if (failed && status == EXIT_FINE) status = EXIT_NO;
  return call_end(&call, status);
}
