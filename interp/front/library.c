/* A library by itself: linked, its clauses and patterns checked, and every name either
 * defined, built in, a value, or announced by `needs`. Types wait for a game. */
#include "front/resolve.h"

#include <string.h>

typedef struct Lib {
  Loading *loading;
  Arena *arena;
  const Flat *flat;
  const char **known; /* names, values, marks, chosen words */
  size_t n, room;
} Lib;

static void know(Lib *lib, const char *name) {
  if (!name) return;
  if (lib->n == lib->room) {
    lib->room = lib->room ? 2 * lib->room : 64;
    const char **more = ARENA_ARRAY(lib->arena, const char *, lib->room);
    for (size_t i = 0; i < lib->n; i++) more[i] = lib->known[i];
    lib->known = more;
  }
  lib->known[lib->n++] = name;
}

static void know_values(Lib *lib, const Node *node) {
  for (const Node *k = node->kid; k; k = k->next) {
    if (k->kind == N_VALUE || k->kind == N_NAMED || k->kind == N_CELL) know(lib, k->text);
    if (k->kind == N_CLAUSE) know(lib, k->tag);
    know_values(lib, k);
  }
}

static bool is_known(const Lib *lib, const char *name) {
  static const char *const words[] = {"lot",  "total",   "start", "step",  "end",
                                      "none", "nowhere", "site",  "player"};
  if (builtin_find(name) != BUILTIN_COUNT) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], name)) return true;
  for (size_t i = 0; i < lib->n; i++)
    if (lib->known[i] == name) return true;
  bool square = name[0] >= 'a' && name[0] <= 'z' && name[1] >= '0' && name[1] <= '9';
  return square || !name[1]; /* e5; the a of file(a) */
}

static const char *nearest_argument(const Lib *lib, const char *name, const Node *args) {
  const char **words =
      ARENA_ARRAY(lib->arena, const char *, (args ? node_count(args) : 0) + 1);
  size_t n = 0;
  for (const Node *a = args ? args->kid : NULL; a; a = a->next) words[n++] = a->text;
  return text_nearest(name, words, n);
}

/* Names are looked for outside of scenarios; `args`: the pattern's own words. */
static void check_names(Lib *lib, const Node *node, const Node *args) {
  if (node->kind == N_SCENARIO || node->kind == N_SPEC_RANGE) return;
  const char *name = node->kind == N_E_NAME    ? node->text
                     : node->kind == N_E_OWNER ? node->tag
                                               : NULL;
  bool own = false;
  for (const Node *a = args ? args->kid : NULL; a; a = a->next) own |= a->text == name;
  if (name && !own && !is_known(lib, name)) {
    Diag *d =
        diag_report(&lib->loading->diags, DIAG_UNKNOWN_NAME, node->span,
                    "`%s` is defined neither in this library nor in what it uses", name);
    const char *near = nearest_argument(lib, name, args);
    if (!near) near = text_nearest(name, lib->known, lib->n);
    if (near)
      diag_note(&lib->loading->diags, d, "did you mean `%s`?", near);
    else
      diag_note(&lib->loading->diags, d,
                "if the game is to define it, say so: needs %s \"what it must be\"",
                name);
  }
  if (node->kind == N_PATTERN) args = node_find(node, N_ARGS);
  for (const Node *k = node->kid; k; k = k->next)
    if (k->kind != N_ARGS || node->kind != N_PATTERN) check_names(lib, k, args);
}

void check_library(Loading *loading, const Unit *unit) {
  Lib lib = {0};
  int errors = loading->diags.errors;
  lib.loading = loading;
  lib.arena = loading->arena;
  lib.flat = link_unit(loading, unit, true);
  Build *build = ARENA_NEW(loading->arena, Build);
  build->loading = loading;
  build->arena = loading->arena;
  build->diags = &loading->diags;
  build->names = loading->names;
  build->flat = lib.flat;
  build->rules = ARENA_NEW(loading->arena, Rules);
  symbols_enter(build);
  for (const Def *d = lib.flat->first; d; d = d->next) {
    if (d->removed) continue;
    if (d->kind == N_PLAYERS && node_find(d->node, N_NAMES))
      for (const Node *w = node_find(d->node, N_NAMES)->kid; w; w = w->next)
        know(&lib, w->text);
    know(&lib, d->name);
    know_values(&lib, d->node);
  }
  check_rule_shapes(build);
  check_names(&lib, unit->node, NULL);
  if (loading->diags.errors == errors) lint_tree(build, unit->node);
}
