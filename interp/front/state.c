/* States and labels: what a position remembers, and what is written on the sites. */
#include "front/resolve.h"

#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

static bool scope_of_state(Build *build, const Def *def, State *state) {
  const char *owner = def->owner;
  state->scope = SCOPE_GAME;
  if (!owner) return true;
  if (!strcmp(owner, "site"))
    state->scope = SCOPE_SITE;
  else if (!strcmp(owner, "player"))
    state->scope = SCOPE_PLAYER;
  else if (!strcmp(owner, "turn"))
    state->scope = SCOPE_TURN;
  else {
    Diag *d = diag_report(
        build->diags, DIAG_BAD_SCOPE, node_find(def->node, N_OWNED)->span,
        "a state belongs to a site, a player or the turn, not to `%s`", owner);
    diag_note(build->diags, d,
              "write `of site`, `of player` or `of turn`, or nothing for one of the "
              "whole game");
    return false;
  }
  return true;
}

/* Names of a range that are labels, states or values: true if the range is of that sort.
 */
static bool values_of_range(Build *build, const Node *node, SiteSet *atoms, bool look) {
  if (node->kind == N_E_ADD) {
    bool a = values_of_range(build, node_kid(node, 0), atoms, look);
    bool b = values_of_range(build, node_kid(node, 1), atoms, look);
    return a || b;
  }
  if (node->kind != N_E_NAME && node->kind != N_E_WORD) return false;
  Symbol *symbol = symbol_find(build, SPACE_NAMES, node->text);
  bool named = symbol && (symbol->kind == N_LABEL || symbol->kind == N_STATE);
  if (look) return named;
  if (named) {
    symbol->used++;
    if (define_symbol(build, symbol, node->span) && symbol->domain &&
        symbol->domain->type == TYPE_VALUES)
      *atoms = sites_or(*atoms, symbol->domain->atoms);
    else
      diag_report(build->diags, DIAG_BAD_RANGE, node->span, "`%s` has no named values",
                  node->text);
    return true;
  }
  if (symbol || builtin_find(node->text) != BUILTIN_COUNT) {
    diag_report(build->diags, DIAG_BAD_RANGE, node->span, "`%s` is no value", node->text);
    return true;
  }
  sites_add(atoms, atom_of(build, node->text, node->span));
  return true;
}

static void bad_start(Build *build, const State *state, const Node *value) {
  diag_report(build->diags, DIAG_BAD_RANGE, value->span,
              "state `%s` starts with `%s`, which is not in its range", state->name,
              value->text);
}

static bool is_none(const char *text) {
  return !strcmp(text, "none") || !strcmp(text, "nobody") || !strcmp(text, "nowhere");
}

/* The start of a number: digits or a param. */
static bool start_number(Build *build, const Node *value, int *number) {
  if (whole_number(value->text, number)) return true;
  Symbol *symbol = symbol_find(build, SPACE_NAMES, value->text);
  if (!symbol || symbol->kind != N_PARAM || !define_symbol(build, symbol, value->span))
    return false;
  symbol->used++;
  if (!symbol->made || symbol->made->op != X_NUMBER) return false;
  *number = symbol->made->a;
  return true;
}

static void state_from_range(Build *build, State *state, const Node *spec) {
  const Node *value = spec->kid, *body = node_find(spec, N_BODY);
  SiteSet atoms = sites_none();
  state->type = TYPE_POISON;
  if (!body || !body->kid) return;
  if (values_of_range(build, body->kid, &atoms, true)) {
    values_of_range(build, body->kid, &atoms, false);
    state->type = TYPE_VALUES;
    state->values = atoms;
    int atom = atom_of(build, value->text, value->span);
    state->start = atom;
    if (!sites_has(&state->values, atom)) bad_start(build, state, value);
    return;
  }
  Scope scope =
      scope_constant(build, arena_printf(build->arena, "state `%s`", state->name));
  const Expr *e = express(&scope, body->kid);
  if (e->type == TYPE_POISON) return;
  if (e->type == TYPE_RANGE) {
    if (e->kid[0]->op != X_NUMBER || e->kid[1]->op != X_NUMBER) return;
    state->low = e->kid[0]->a;
    state->high = e->kid[1]->a;
    state->type = TYPE_NUMBER;
    if (state->low > state->high)
      diag_report(build->diags, DIAG_BAD_RANGE, body->kid->span,
                  "the range %d .. %d is empty", state->low, state->high);
    else if (!start_number(build, value, &state->start))
      bad_start(build, state, value);
    else if (state->start < state->low || state->start > state->high)
      bad_start(build, state, value);
    return;
  }
  state->start = -1;
  state->nobody = is_none(value->text);
  if (e->op == X_PLAYERS_CONST) {
    state->type = TYPE_PLAYERS;
    state->values.w[0] = (uint32_t)e->a & (SEAT_NOBODY - 1);
    if ((uint32_t)e->a & SEAT_NOBODY) state->nobody = true;
    if (!is_none(value->text)) state->start = find_player(build, value->text);
    if (state->start < 0 && !is_none(value->text)) bad_start(build, state, value);
    state->nobody = true;
    return;
  }
  e = coerce(&scope, e, TYPE_SITES, scope.place);
  if (!constant_sites(e)) return;
  state->type = TYPE_SITES;
  state->values = *constant_sites(e);
  if (!is_none(value->text)) state->start = find_site(build, value->text);
  if (!is_none(value->text) &&
      (state->start < 0 || !sites_has(&state->values, state->start)))
    bad_start(build, state, value);
  state->nobody = true;
}

void define_state(Build *build, Symbol *symbol) {
  State *state = &build->state[build->rules->states];
  const Def *def = symbol->def;
  const Node *spec = spec_of(def->node);
  symbol->index = build->rules->states++;
  state->name = symbol->name;
  state->span = def->span;
  state->doc = node_doc(def->node, NULL);
  state->doc_ru = tagged(build, def->node, "ru");
  scope_of_state(build, def, state);
  if (spec && spec->kind == N_SPEC_VALUES) {
    state->type = TYPE_VALUES;
    for (const Node *v = spec->kid; v; v = v->next) {
      int atom = atom_of(build, v->text, v->span);
      if (sites_has(&state->values, atom))
        diag_report(build->diags, DIAG_DEFINED_TWICE, v->span,
                    "the value `%s` stands twice", v->text);
      sites_add(&state->values, atom);
    }
    state->start = atom_of(build, spec->kid->text, spec->kid->span);
  } else if (spec && spec->kind == N_SPEC_RANGE) {
    state_from_range(build, state, spec);
    for (const Node *k = spec->kid; k; k = k->next)
      if (k->kind == N_NAMED)
        diag_report(build->diags, DIAG_BAD_RANGE, k->span,
                    "only the numbers of params have names");
  } else {
    Diag *d = diag_report(build->diags, DIAG_BAD_RANGE, def->span,
                          "state `%s` needs a range", state->name);
    diag_note(build->diags, d,
              "values: = calm | rough; or a range: = 0 in 0 .. 4, = nobody in everyone");
  }
  symbol->domain = new_domain(build, state->type,
                              state->type == TYPE_VALUES ? state->values : sites_none(),
                              arena_printf(build->arena, "state `%s`", state->name));
}

void place_cells(Build *build) {
  Rules *rules = build->rules;
  int at = 0;
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < rules->states; i++) {
      State *state = &build->state[i];
      if ((state->scope == SCOPE_TURN) != (turn == 1)) continue;
      state->cell = at;
      state->cells = state->scope == SCOPE_SITE     ? rules->board.sites
                     : state->scope == SCOPE_PLAYER ? rules->seats
                                                    : 1;
      at += state->cells;
    }
    if (!turn) rules->cells = at;
  }
  rules->all_cells = at;
  if (at > CELLS_MAX) {
    diag_report(build->diags, DIAG_TOO_MANY, build->state[0].span,
                "the states of this game need %d cells; %d is the limit", at, CELLS_MAX);
    build->failed = true;
  }
}

/* ---- labels ---- */

static void spread_value(Build *build, Label *label, const Node *spread, bool numbers) {
  const Node *value = spread->kid, *body = node_find(spread, N_BODY);
  Scope scope =
      scope_constant(build, arena_printf(build->arena, "label `%s`", label->name));
  bool outer = build->by_params;
  build->by_params = false;
  const Expr *e =
      body ? express_as(&scope, body->kid, TYPE_SITES) : make_poison(build, spread->span);
  bool varies = build->by_params;
  build->by_params |= outer;
  const SiteSet *sites = constant_sites(e);
  if (e->type == TYPE_POISON) return;
  if (!sites) {
    diag_report(build->diags, DIAG_NOT_CONSTANT, body->kid->span,
                "a label never changes; for what does use `state`");
    return;
  }
  if (sites_is_empty(sites) && !varies && build->rules->board.squares)
    diag_report(build->diags, DIAG_REGION_EMPTY, body->kid->span,
                "`%s` stands on no site", value->text);
  int mark = numbers ? value->number : atom_of(build, value->text, value->span);
  SITES_FOR(s, *sites) {
    if (label->value[s] != (numbers ? 0 : -1) && label->value[s] != mark)
      diag_report(build->diags, DIAG_LABEL_TWICE, spread->span,
                  "label `%s` has two values on `%s`", label->name,
                  build->rules->board.name[s]);
    label->value[s] = mark;
  }
}

void define_label(Build *build, Symbol *symbol) {
  Label *label = &build->label[build->rules->labels];
  const Def *def = symbol->def;
  const Node *spec = spec_of(def->node);
  symbol->index = build->rules->labels++;
  label->name = symbol->name;
  label->span = def->span;
  int sites = build->rules->board.sites;
  int32_t *value = ARENA_ARRAY(build->arena, int32_t, sites + 1);
  label->value = value;
  if (def->owner && strcmp(def->owner, "site"))
    diag_report(build->diags, DIAG_BAD_SCOPE, node_find(def->node, N_OWNED)->span,
                "a label belongs to sites: `label %s of site = …`", symbol->name);
  bool numbers = true;
  if (!spec || spec->kind != N_SPEC_SPREAD) {
    Diag *d = diag_report(build->diags, DIAG_BAD_RANGE, def->span,
                          "label `%s` needs values on sites", symbol->name);
    diag_note(build->diags, d, "label %s of site = 1 on a1 + a2, 2 on edge",
              symbol->name);
    spec = NULL;
  }
  for (const Node *k = spec ? spec->kid : NULL; k; k = k->next)
    if (k->kind == N_SPREAD && k->kid->number < 0) numbers = false;
  label->type = numbers ? TYPE_NUMBER : TYPE_VALUES;
  for (int s = 0; s < sites; s++) value[s] = numbers ? 0 : -1;
  SiteSet atoms = sites_none();
  for (const Node *k = spec ? spec->kid : NULL; k; k = k->next) {
    if (k->kind != N_SPREAD) continue;
    if (!numbers) sites_add(&atoms, atom_of(build, k->kid->text, k->kid->span));
    spread_value(build, label, k, numbers);
  }
  symbol->domain = new_domain(build, label->type, atoms,
                              arena_printf(build->arena, "label `%s`", label->name));
}
