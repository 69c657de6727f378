/* Params, states, labels and dice: whatever has values and a range. */
#include "front/resolve.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_MOST = 1000000000 };

static const char *tagged(Build *build, const Node *node, const char *tag) {
  return node_doc(node, names_intern0(build->names, tag));
}

/* All texts of one tag, ", " between them; NULL if there are none. */
static const char *all_tagged(Build *build, const Node *node, const char *tag) {
  const Node *doc = node_find(node, N_DOC);
  const char *text = NULL;
  for (const Node *t = doc ? doc->kid : NULL; t; t = t->next)
    if (t->tag && !strcmp(t->tag, tag)) text = text ? arena_printf(build->arena, "%s, %s", text, t->text) : t->text;
  return text;
}

static const Domain *new_domain(Build *build, Type type, SiteSet atoms, const char *what) {
  Domain *domain = ARENA_NEW(build->arena, Domain);
  domain->type = type;
  domain->atoms = atoms;
  domain->what = what;
  return domain;
}

/* ---- atoms, before anything is typed ---- */

static void enter_values(Build *build, const Node *node) {
  const Node *spec = spec_of(node);
  if (!spec) return;
  for (const Node *k = spec->kid; k; k = k->next) {
    const Node *value = k->kind == N_SPREAD ? k->kid : k;
    if (spec->kind == N_SPEC_RANGE || spec->kind == N_SPEC_ONE) break;
    if (value && value->kind == N_VALUE) atom_of(build, value->text, value->span);
  }
}

void enter_atoms(Build *build) {
  Rules *rules = build->rules;
  rules->atom_nothing = atom_of(build, names_intern0(build->names, "nothing"), build->flat->unit->node->name);
  SiteSet rule_atoms = sites_one(rules->atom_nothing), phase_atoms = sites_none();
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed) continue;
    if (d->kind == N_STATE || d->kind == N_LABEL || d->kind == N_PARAM) enter_values(build, d->node);
    if (d->kind == N_RULE && d->rule != RULE_TURN) sites_add(&rule_atoms, atom_of(build, d->name, d->span));
    if (d->kind == N_PHASE) sites_add(&phase_atoms, atom_of(build, d->name, d->span));
  }
  build->rule_domain = new_domain(build, TYPE_VALUES, rule_atoms, "`outcome`");
  build->phase_domain = new_domain(build, TYPE_VALUES, phase_atoms, "the phase");
}

/* ---- params ---- */

static const char *value_list(Build *build, const Param *p) {
  const char *text = "";
  if (p->type == TYPE_NUMBER) text = arena_printf(build->arena, "%d .. %d", p->low, p->high);
  for (int i = 0; i < p->value_n; i++) text = arena_printf(build->arena, "%s%s%s", text, *text ? " | " : "", p->values[i]);
  if (p->type == TYPE_SITES) {
    int n = 0;
    SITES_FOR(s, p->sites) {
      if (++n > 12) return arena_printf(build->arena, "%s, …", text);
      text = arena_printf(build->arena, "%s%s%s", text, *text ? ", " : "", build->rules->board.name[s]);
    }
  }
  return text;
}

static bool whole_number(const char *text, int *number) {
  char *end;
  if (!*text || strlen(text) > 10) return false;
  long n = strtol(text, &end, 10);
  if (*end || n > NUMBER_MOST || n < -NUMBER_MOST) return false;
  *number = (int)n;
  return true;
}

/* The value of that name, as Param keeps it; false if it is none. */
static bool param_value(Build *build, const Param *p, const char *text, int *value) {
  for (int i = 0; i < p->value_n; i++)
    if (!strcmp(p->values[i], text)) {
      *value = p->type == TYPE_NUMBER ? p->numbers[i] : i;
      return true;
    }
  if (p->type == TYPE_NUMBER) return whole_number(text, value) && *value >= p->low && *value <= p->high;
  if (p->type == TYPE_SITES) {
    *value = find_site(build, text);
    return *value >= 0 && sites_has(&p->sites, *value);
  }
  return false;
}

static void param_from_values(Build *build, Param *p, const Node *spec) {
  const char **values = ARENA_ARRAY(build->arena, const char *, node_count(spec) + 1);
  p->type = TYPE_VALUES;
  for (const Node *v = spec->kid; v; v = v->next) {
    if (v->kind != N_VALUE) continue;
    for (int i = 0; i < p->value_n; i++)
      if (values[i] == v->text) diag_report(build->diags, DIAG_DEFINED_TWICE, v->span, "the value `%s` stands twice", v->text);
    values[p->value_n++] = v->text;
  }
  p->values = values;
}

static void read_named(Build *build, Param *p, const Node *spec) {
  const char **values = ARENA_ARRAY(build->arena, const char *, node_count(spec) + 1);
  int *numbers = ARENA_ARRAY(build->arena, int, node_count(spec) + 1);
  for (const Node *k = spec->kid; k; k = k->next) {
    if (k->kind != N_NAMED) continue;
    if (p->type != TYPE_NUMBER || k->number < p->low || k->number > p->high)
      diag_report(build->diags, DIAG_OUT_OF_RANGE, k->span, "`%s` stands for %d, which is outside the range", k->text, k->number);
    values[p->value_n] = k->text;
    numbers[p->value_n++] = k->number;
  }
  p->values = values;
  p->numbers = numbers;
}

static bool param_from_range(Build *build, Param *p, const Node *spec) {
  const Node *body = node_find(spec, N_BODY);
  Scope scope = scope_constant(build, arena_printf(build->arena, "param `%s`", p->name));
  const Expr *e = body ? express(&scope, body->kid) : make_poison(build, spec->span);
  if (e->type == TYPE_POISON) return false;
  if (e->type == TYPE_RANGE && e->kid[0]->op == X_NUMBER && e->kid[1]->op == X_NUMBER) {
    p->type = TYPE_NUMBER;
    p->low = e->kid[0]->a;
    p->high = e->kid[1]->a;
    if (p->low > p->high) {
      diag_report(build->diags, DIAG_BAD_RANGE, body->kid->span, "the range %d .. %d is empty", p->low, p->high);
      return false;
    }
    read_named(build, p, spec);
    return true;
  }
  e = coerce(&scope, e, TYPE_SITES, scope.place);
  const SiteSet *sites = constant_sites(e);
  if (!sites) {
    if (e->type != TYPE_POISON) diag_report(build->diags, DIAG_NOT_CONSTANT, body->kid->span, "the range of a param is numbers or constant sites");
    return false;
  }
  p->type = TYPE_SITES;
  p->sites = *sites;
  read_named(build, p, spec);
  return true;
}

static void out_of_range(Build *build, const Param *p, const Node *value, DiagCode code, const char *what) {
  Diag *d = diag_report(build->diags, code, value->span, "`%s` is no %s `%s`", value->text, what, p->name);
  const char *near = text_nearest(value->text, p->values, (size_t)p->value_n);
  if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
  else diag_note(build->diags, d, "it can be %s", value_list(build, p));
}

bool param_accepts(Build *build, int param, const char *text, Span span) {
  const Param *p = &build->param[param];
  int value;
  if (param_value(build, p, text, &value)) return true;
  Node node = {0};
  node.text = text;
  node.span = span;
  out_of_range(build, p, &node, DIAG_OUT_OF_RANGE, "value of param");
  return false;
}

static void apply_options(Build *build, Param *p) {
  for (int i = 0; i < build->option_n; i++) {
    const OptionSetting *o = &build->options[i];
    if (strcmp(o->name, p->option) && strcmp(o->name, p->name)) continue;
    int value;
    if (param_value(build, p, o->value, &value)) {
      p->value = value;
      continue;
    }
    Diag *d = diag_report(build->diags, DIAG_BAD_OPTION, p->span, "option `%s` cannot be `%s`", o->name, o->value);
    const char *near = text_nearest(o->value, p->values, (size_t)p->value_n);
    if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
    diag_note(build->diags, d, "it can be %s", value_list(build, p));
  }
}

static const Expr *param_expr(Build *build, Symbol *symbol, const Param *p) {
  switch (p->type) {
    case TYPE_NUMBER: {
      const Expr *e = make_number(build, p->value, p->span);
      ((Made *)(uintptr_t)(const void *)e)->domain = symbol->domain;
      return e;
    }
    case TYPE_SITES: return make_sites(build, sites_one(p->value), p->span);
    case TYPE_VALUES: return make_values(build, sites_one(atom_find(build, p->values[p->value])), symbol->domain, p->span);
    default: return make_poison(build, p->span);
  }
}

void define_param(Build *build, Symbol *symbol) {
  Param *p = &build->param[build->rules->params];
  const Def *def = symbol->def;
  const Node *spec = spec_of(def->node);
  symbol->index = build->rules->params++;
  p->name = symbol->name;
  p->span = def->span;
  p->doc = node_doc(def->node, NULL);
  p->doc_ru = tagged(build, def->node, "ru");
  p->see = all_tagged(build, def->node, "see");
  p->option = tagged(build, def->node, "option");
  if (!p->option) p->option = p->name;
  symbol->made = make_poison(build, def->span);
  bool made = false;
  if (spec && spec->kind == N_SPEC_VALUES) {
    param_from_values(build, p, spec);
    made = true;
  } else if (spec && spec->kind == N_SPEC_RANGE) {
    made = param_from_range(build, p, spec);
  } else {
    Diag *d = diag_report(build->diags, DIAG_BAD_RANGE, def->span, "param `%s` needs a choice", p->name);
    diag_note(build->diags, d, "named values: = on | off; or a range: = 3 in 1 .. 8");
  }
  const Node *first = spec ? spec->kid : NULL;
  p->values = p->values ? p->values : ARENA_ARRAY(build->arena, const char *, 1);
  if (!made) {
    p->type = TYPE_NUMBER;
    return;
  }
  if (first && first->kind == N_VALUE && !param_value(build, p, first->text, &p->start)) {
    out_of_range(build, p, first, DIAG_BAD_RANGE, "possible value of param");
    return;
  }
  if (def->set && !param_value(build, p, def->set->text, &p->start)) {
    out_of_range(build, p, def->set, DIAG_OUT_OF_RANGE, "value of param");
    return;
  }
  p->value = p->start;
  apply_options(build, p);
  SiteSet atoms = sites_none();
  if (p->type == TYPE_VALUES)
    for (int i = 0; i < p->value_n; i++) sites_add(&atoms, atom_of(build, p->values[i], p->span));
  Domain *domain = ARENA_NEW(build->arena, Domain);
  domain->type = p->type;
  domain->atoms = atoms;
  domain->param = p->type == TYPE_NUMBER ? p : NULL;
  domain->what = arena_printf(build->arena, "param `%s`", p->name);
  symbol->domain = domain;
  symbol->made = param_expr(build, symbol, p);
}

/* ---- states ---- */

static bool scope_of_state(Build *build, const Def *def, State *state) {
  const char *owner = def->owner;
  state->scope = SCOPE_GAME;
  if (!owner) return true;
  if (!strcmp(owner, "site")) state->scope = SCOPE_SITE;
  else if (!strcmp(owner, "player")) state->scope = SCOPE_PLAYER;
  else if (!strcmp(owner, "turn")) state->scope = SCOPE_TURN;
  else {
    Diag *d = diag_report(build->diags, DIAG_BAD_SCOPE, node_find(def->node, N_OWNED)->span, "a state belongs to a site, a player or the turn, not to `%s`", owner);
    diag_note(build->diags, d, "write `of site`, `of player` or `of turn`, or nothing for one of the whole game");
    return false;
  }
  return true;
}

/* Names of a range that are labels, states or values: true if the range is of that sort. */
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
    if (define_symbol(build, symbol, node->span) && symbol->domain && symbol->domain->type == TYPE_VALUES)
      *atoms = sites_or(*atoms, symbol->domain->atoms);
    else
      diag_report(build->diags, DIAG_BAD_RANGE, node->span, "`%s` has no named values", node->text);
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
  diag_report(build->diags, DIAG_BAD_RANGE, value->span, "state `%s` starts with `%s`, which is not in its range", state->name, value->text);
}

static bool is_none(const char *text) { return !strcmp(text, "none") || !strcmp(text, "nobody") || !strcmp(text, "nowhere"); }

/* The start of a number: digits or a param. */
static bool start_number(Build *build, const Node *value, int *number) {
  if (whole_number(value->text, number)) return true;
  Symbol *symbol = symbol_find(build, SPACE_NAMES, value->text);
  if (!symbol || symbol->kind != N_PARAM || !define_symbol(build, symbol, value->span)) return false;
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
  Scope scope = scope_constant(build, arena_printf(build->arena, "state `%s`", state->name));
  const Expr *e = express(&scope, body->kid);
  if (e->type == TYPE_POISON) return;
  if (e->type == TYPE_RANGE) {
    if (e->kid[0]->op != X_NUMBER || e->kid[1]->op != X_NUMBER) return;
    state->low = e->kid[0]->a;
    state->high = e->kid[1]->a;
    state->type = TYPE_NUMBER;
    if (state->low > state->high) diag_report(build->diags, DIAG_BAD_RANGE, body->kid->span, "the range %d .. %d is empty", state->low, state->high);
    else if (!start_number(build, value, &state->start)) bad_start(build, state, value);
    else if (state->start < state->low || state->start > state->high) bad_start(build, state, value);
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
  if (!is_none(value->text) && (state->start < 0 || !sites_has(&state->values, state->start))) bad_start(build, state, value);
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
      if (sites_has(&state->values, atom)) diag_report(build->diags, DIAG_DEFINED_TWICE, v->span, "the value `%s` stands twice", v->text);
      sites_add(&state->values, atom);
    }
    state->start = atom_of(build, spec->kid->text, spec->kid->span);
  } else if (spec && spec->kind == N_SPEC_RANGE) {
    state_from_range(build, state, spec);
    for (const Node *k = spec->kid; k; k = k->next)
      if (k->kind == N_NAMED) diag_report(build->diags, DIAG_BAD_RANGE, k->span, "only the numbers of params have names");
  } else {
    Diag *d = diag_report(build->diags, DIAG_BAD_RANGE, def->span, "state `%s` needs a range", state->name);
    diag_note(build->diags, d, "values: = calm | rough; or a range: = 0 in 0 .. 4, = nobody in everyone");
  }
  symbol->domain = new_domain(build, state->type, state->type == TYPE_VALUES ? state->values : sites_none(),
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
      state->cells = state->scope == SCOPE_SITE ? rules->board.sites : state->scope == SCOPE_PLAYER ? rules->seats : 1;
      at += state->cells;
    }
    if (!turn) rules->cells = at;
  }
  rules->all_cells = at;
  if (at > CELLS_MAX) {
    diag_report(build->diags, DIAG_TOO_MANY, build->state[0].span, "the states of this game need %d cells; %d is the limit", at, CELLS_MAX);
    build->failed = true;
  }
}

/* ---- labels ---- */

static void spread_value(Build *build, Label *label, const Node *spread, bool numbers) {
  const Node *value = spread->kid, *body = node_find(spread, N_BODY);
  Scope scope = scope_constant(build, arena_printf(build->arena, "label `%s`", label->name));
  bool outer = build->by_params;
  build->by_params = false;
  const Expr *e = body ? express_as(&scope, body->kid, TYPE_SITES) : make_poison(build, spread->span);
  bool varies = build->by_params;
  build->by_params |= outer;
  const SiteSet *sites = constant_sites(e);
  if (e->type == TYPE_POISON) return;
  if (!sites) {
    diag_report(build->diags, DIAG_NOT_CONSTANT, body->kid->span, "a label never changes; for what does use `state`");
    return;
  }
  if (sites_is_empty(sites) && !varies && build->rules->board.squares)
    diag_report(build->diags, DIAG_REGION_EMPTY, body->kid->span, "`%s` stands on no site", value->text);
  int mark = numbers ? value->number : atom_of(build, value->text, value->span);
  SITES_FOR(s, *sites) {
    if (label->value[s] != (numbers ? 0 : -1) && label->value[s] != mark)
      diag_report(build->diags, DIAG_LABEL_TWICE, spread->span, "label `%s` has two values on `%s`", label->name, build->rules->board.name[s]);
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
    diag_report(build->diags, DIAG_BAD_SCOPE, node_find(def->node, N_OWNED)->span, "a label belongs to sites: `label %s of site = …`", symbol->name);
  bool numbers = true;
  if (!spec || spec->kind != N_SPEC_SPREAD) {
    Diag *d = diag_report(build->diags, DIAG_BAD_RANGE, def->span, "label `%s` needs values on sites", symbol->name);
    diag_note(build->diags, d, "label %s of site = 1 on a1 + a2, 2 on edge", symbol->name);
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
  symbol->domain = new_domain(build, label->type, atoms, arena_printf(build->arena, "label `%s`", label->name));
}

/* ---- dice ---- */

static bool read_throw(Build *build, const FlatClause *c, DicePool *pool) {
  const Node *n = c && c->node ? c->node->kid : NULL;
  if (!n) return false;
  if (n->kind != N_E_THROW || sscanf(n->text, "%4dd%4d", &pool->dice, &pool->faces) != 2) {
    if (n->kind != N_E_ERROR) diag_report(build->diags, DIAG_BAD_DICE, n->span, "dice are thrown like this: throw 2d6");
    return false;
  }
  if (pool->dice < 1 || pool->dice > DICE_MAX || pool->faces < 1 || pool->faces > FACES_MAX) {
    diag_report(build->diags, DIAG_BAD_DICE, n->span, "1 to %d dice of 1 to %d faces can be thrown, not %s", DICE_MAX, FACES_MAX, n->text);
    return false;
  }
  return true;
}

static int dice_number(Build *build, const Node *n, int low, int high, const char *what) {
  Scope scope = scope_constant(build, what);
  const Expr *e = express_as(&scope, n, TYPE_NUMBER);
  if (e->op == X_NUMBER && e->type == TYPE_NUMBER && e->a >= low && e->a <= high) return e->a;
  if (e->type != TYPE_POISON) diag_report(build->diags, DIAG_BAD_DICE, n->span, "%s is a number in %d .. %d", what, low, high);
  return low;
}

static void read_gives(Build *build, const FlatClause *c, DicePool *pool) {
  if (!c || !c->node) return;
  pool->total = true;
  int low = 0, high = 0;
  for (int i = 0; i < pool->faces; i++) {
    int f = pool->face[i];
    if (i == 0 || f * pool->dice < low) low = f * pool->dice;
    if (f * pool->dice > high) high = f * pool->dice;
  }
  pool->total_low = low;
  pool->total_high = high;
  pool->total_value = ARENA_ARRAY(build->arena, int, high - low + 1);
  for (int i = low; i <= high; i++) pool->total_value[i - low] = i;
  const Node *n = c->node->kid;
  if (n->kind == N_E_NAME && !strcmp(n->text, "total") && !n->next) return;
  int given = node_count(c->node);
  if (given != high - low + 1) {
    diag_report(build->diags, DIAG_BAD_DICE, c->node->span, "the totals are %d to %d, so `gives` wants %d numbers, not %d", low, high, high - low + 1, given);
    return;
  }
  int i = 0;
  for (; n; n = n->next) pool->total_value[i++] = dice_number(build, n, 0, 1000, "what a total gives");
}

void define_dice(Build *build, Symbol *symbol) {
  DicePool *pool = &build->pool[build->rules->pools];
  const Def *def = symbol->def;
  symbol->index = build->rules->pools++;
  pool->name = symbol->name;
  pool->span = def->span;
  pool->dice = 1;
  pool->faces = 6;
  static const char *const words[] = {"throw", "faces", "doubles", "gives"};
  for (const FlatClause *c = def->clauses; c; c = c->next) {
    bool known = !c->node;
    for (int i = 0; i < 4; i++) known |= !strcmp(words[i], c->word);
    if (known) continue;
    Diag *d = diag_report(build->diags, DIAG_CLAUSE_WRONG_KIND, c->node->name, "dice have no `%s`", c->word);
    diag_note(build->diags, d, "they may have: throw, faces, doubles, gives");
  }
  const FlatClause *thrown = def_clause(def, "throw");
  if (!thrown || !thrown->node) diag_report(build->diags, DIAG_CLAUSE_MISSING, def->span, "dice `%s` need `throw`", pool->name);
  read_throw(build, thrown, pool);
  if (pool->dice < 1 || pool->dice > DICE_MAX) pool->dice = 1;
  if (pool->faces < 1 || pool->faces > FACES_MAX) pool->faces = 6;
  for (int i = 0; i < pool->faces; i++) pool->face[i] = i + 1;
  const FlatClause *faces = def_clause(def, "faces");
  if (faces && faces->node) {
    int n = node_count(faces->node);
    if (n != pool->faces) diag_report(build->diags, DIAG_BAD_DICE, faces->node->span, "a die of %d faces has %d numbers on them, not %d", pool->faces, pool->faces, n);
    int i = 0;
    for (const Node *f = faces->node->kid; f && i < pool->faces; f = f->next) pool->face[i++] = dice_number(build, f, 0, 1000, "a face");
  }
  const FlatClause *doubles = def_clause(def, "doubles");
  if (doubles && doubles->node) pool->doubles = dice_number(build, doubles->node->kid, 1, DICE_MAX, "how often an equal throw is played");
  read_gives(build, def_clause(def, "gives"), pool);
  for (int i = 0; i < pool->faces; i++)
    if (pool->face[i] > pool->largest) pool->largest = pool->face[i];
  if (pool->total) {
    pool->largest = 0;
    for (int i = 0; i <= pool->total_high - pool->total_low; i++)
      if (pool->total_value[i] > pool->largest) pool->largest = pool->total_value[i];
  }
}
