/* From a name to Rules: reads, links and resolves; later resolves again with other
 * options, or what scenarios and positions say, in the names of rules that are made
 * already. */
#include "front/resolve.h"

static const Span nowhere = {-1, 0, 0};

/* ---- games ---- */

/* The first game or house of a file. */
static const Unit *main_unit(const File *file) {
  for (int i = 0; i < file->units; i++)
    if (file->unit[i].node->kind != N_LIBRARY) return &file->unit[i];
  return NULL;
}

/* Links and resolves; after reading mistakes, or with a part missing, without what
 * follows from them. */
static LoadStatus resolve(Loading *loading, const Flat *flat,
                          const OptionSetting *options, int option_n, bool lint,
                          const Rules **rules) {
  int errors = loading->diags.errors;
  Build *build = ARENA_NEW(loading->arena, Build);
  build->loading = loading;
  build->arena = loading->arena;
  build->diags = &loading->diags;
  build->names = loading->names;
  build->flat = flat;
  build->options = options;
  build->option_n = option_n;
  build->lint = lint;
  build->scenes = lint;
  if (loading->unread) loading->diags.muted = loading_follow_ups();
  *rules = build_rules(build);
  loading->diags.muted = NULL;
  if (loading->builds == loading->build_room) {
    loading->build_room = loading->build_room ? 2 * loading->build_room : 8;
    Build **more = ARENA_ARRAY(loading->arena, Build *, loading->build_room);
    for (int i = 0; i < loading->builds; i++) more[i] = loading->build[i];
    loading->build = more;
  }
  loading->build[loading->builds++] = build;
  if (loading->diags.errors > errors) *rules = NULL;
  return *rules ? LOAD_OK : LOAD_FAULTY;
}

static bool has_scenarios(const Unit *unit) {
  const Node *items = node_find(unit->node, N_ITEMS);
  return items && node_find(items, N_SCENARIO);
}

/* Everything else that stands in the file of a game: checked as well, each by itself. */
static void check_others(Loading *loading, const File *file, const Unit *main) {
  for (int i = 0; i < file->units; i++) {
    const Unit *unit = &file->unit[i];
    const Rules *rules;
    if (unit == main) continue;
    if (unit->node->kind == N_LIBRARY) {
      check_library(loading, unit);
      continue;
    }
    if (has_scenarios(unit)) {
      Diag *d = diag_report(&loading->diags, DIAG_SECOND_GAME, unit->node->name,
                            "the scenarios of \"%s\" are never run: a file stands for its first game or house, \"%s\"",
                            unit->node->text, main->node->text);
      diag_note(&loading->diags, d, "give it a file of its own");
    }
    resolve(loading, link_unit(loading, unit, true), NULL, 0, true, &rules);
  }
}

static LoadStatus no_game(Loading *loading, const File *file) {
  Span top = {file->file, 0, 0};
  Diag *d = diag_report(&loading->diags, DIAG_NO_GAME, top,
                        "the file holds no game and no house");
  diag_note(&loading->diags, d,
            file->units ? "a library is checked, not played"
                        : "a game begins with game \"Title\" { … }");
  return LOAD_FAULTY;
}

/* Mistakes that are all in another file: says what has led there. */
static void blame_base(Loading *loading, const File *file, const Unit *unit) {
  const Node *extends = node_find(unit->node, N_EXTENDS);
  if (!extends || !loading->diags.errors ||
      diags_has_error_in(&loading->diags, file->file))
    return;
  diag_report(&loading->diags, DIAG_FAULTY_BASE, extends->span,
              "\"%s\", which stands below this, has mistakes", extends->text);
}

LoadStatus load_game(Loading *loading, const char *game, const OptionSetting *options,
                     int option_n, bool lint, const Rules **rules) {
  *rules = NULL;
  int errors = loading->diags.errors;
  const char *path = loading_game(loading, game);
  File *file = path ? loading_file(loading, path, nowhere) : NULL;
  if (!file) return LOAD_MISSING;
  const Unit *unit = main_unit(file);
  bool readable = loading->diags.errors == errors;
  if (!unit && readable && !(lint && file->units)) return no_game(loading, file);
  LoadStatus status = LOAD_OK;
  if (unit)
    status =
        resolve(loading, link_unit(loading, unit, lint), options, option_n, lint, rules);
  if (unit) blame_base(loading, file, unit);
  if (lint) check_others(loading, file, unit);
  if (loading->diags.errors == errors) return status;
  *rules = NULL;
  return LOAD_FAULTY;
}

Build *loading_build(const Loading *loading, const Rules *rules) {
  for (int i = 0; i < loading->builds; i++)
    if (loading->build[i]->rules == rules) return loading->build[i];
  return NULL;
}

LoadStatus load_again(Loading *loading, const Rules *rules, const OptionSetting *options,
                      int option_n, const Rules **again) {
  *again = NULL;
  const Build *build = loading_build(loading, rules);
  return build ? resolve(loading, build->flat, options, option_n, false, again)
               : LOAD_FAULTY;
}

LoadStatus load_check(Loading *loading, const char *path) {
  int errors = loading->diags.errors;
  File *file = loading_file(loading, path, nowhere);
  if (!file) return LOAD_MISSING;
  for (int i = 0; i < file->units; i++) check_library(loading, &file->unit[i]);
  return loading->diags.errors > errors ? LOAD_FAULTY : LOAD_OK;
}

/* ---- later questions to a build ---- */

static Scope scene_scope(Build *build) {
  Scope scope = scope_open(build, "a scenario");
  scope.allowed &=
      ~(uint32_t)(DEP_HERE | DEP_EACH | DEP_VICTIM | DEP_DIE | DEP_CHOSEN | DEP_ANSWERER);
  scope.scenario = true;
  scope.fractions = true;
  return scope;
}

const Expr *load_expression(Loading *loading, const Rules *rules, const Node *node,
                            Type wanted) {
  Build *build = loading_build(loading, rules);
  if (!build || !node) return NULL;
  int errors = loading->diags.errors;
  Scope scope = scene_scope(build);
  const Expr *e =
      wanted == TYPE_POISON ? express(&scope, node) : express_as(&scope, node, wanted);
  return loading->diags.errors > errors || e->type == TYPE_POISON ? NULL : e;
}

bool load_effect(Loading *loading, const Rules *rules, const Node *put_state,
                 Effect *effect) {
  Build *build = loading_build(loading, rules);
  if (!build || !put_state) return false;
  int errors = loading->diags.errors;
  Scope scope = scene_scope(build);
  return make_set(&scope, put_state, true, effect) && loading->diags.errors == errors;
}

bool load_layout(Loading *loading, const Rules *rules, const Node *layout,
                 uint16_t *count, Effects *effects) {
  Build *build = loading_build(loading, rules);
  if (!build || !layout) return false;
  int errors = loading->diags.errors;
  Scope scope = scene_scope(build);
  return make_layout(build, &scope, layout, count, effects, false) &&
         loading->diags.errors == errors;
}
