/* Params: their values, and what is chosen among them; and the values that names can be.
 */
#include "front/resolve.h"

#include <string.h>

enum { NUMBER_MOST = 1000000000 };

const char *tagged(Build *build, const Node *node, const char *tag) {
  return node_doc(node, names_intern0(build->names, tag));
}

/* All texts of one tag, ", " between them; NULL if there are none. */
const char *all_tagged(Build *build, const Node *node, const char *tag) {
  const Node *doc = node_find(node, N_DOC);
  const char *text = NULL;
  for (const Node *t = doc ? doc->kid : NULL; t; t = t->next)
    if (t->tag && !strcmp(t->tag, tag))
      text = text ? arena_printf(build->arena, "%s, %s", text, t->text) : t->text;
  return text;
}

const Domain *new_domain(Build *build, Type type, SiteSet atoms, const char *what) {
  Domain *domain = ARENA_NEW(build->arena, Domain);
  domain->type = type;
  domain->atoms = atoms;
  domain->what = what;
  return domain;
}

bool whole_number(const char *text, int *number) {
  int64_t n;
  if (!text_number(text, 0, NUMBER_MOST, &n)) return false;
  *number = (int)n;
  return true;
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
  rules->atom_nothing = atom_of(build, names_intern0(build->names, "nothing"),
                                build->flat->unit->node->name);
  SiteSet rule_atoms = sites_one(rules->atom_nothing), phase_atoms = sites_none();
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed) continue;
    if (d->kind == N_STATE || d->kind == N_LABEL || d->kind == N_PARAM)
      enter_values(build, d->node);
    if (d->kind == N_RULE && d->rule != RULE_TURN)
      sites_add(&rule_atoms, atom_of(build, d->name, d->span));
    if (d->kind == N_PHASE) sites_add(&phase_atoms, atom_of(build, d->name, d->span));
  }
  build->rule_domain = new_domain(build, TYPE_VALUES, rule_atoms, "`outcome`");
  build->phase_domain = new_domain(build, TYPE_VALUES, phase_atoms, "the phase");
}

/* ---- params ---- */

static const char *value_list(Build *build, const Param *p) {
  const char *text = "";
  if (p->type == TYPE_NUMBER)
    text = arena_printf(build->arena, "%d .. %d", p->low, p->high);
  for (int i = 0; i < p->value_n; i++)
    text = arena_printf(build->arena, "%s%s%s", text, *text ? " | " : "", p->values[i]);
  if (p->type == TYPE_SITES) {
    int n = 0;
    SITES_FOR(s, p->sites) {
      if (++n > 12) return arena_printf(build->arena, "%s, …", text);
      text = arena_printf(build->arena, "%s%s%s", text, *text ? ", " : "",
                          build->rules->board.name[s]);
    }
  }
  return text;
}

/* The value of that name, as Param keeps it; false if it is none. */
static bool param_value(Build *build, const Param *p, const char *text, int *value) {
  for (int i = 0; i < p->value_n; i++)
    if (!strcmp(p->values[i], text)) {
      *value = p->type == TYPE_NUMBER ? p->numbers[i] : i;
      return true;
    }
  if (p->type == TYPE_NUMBER)
    return whole_number(text, value) && *value >= p->low && *value <= p->high;
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
    if (p->value_n == ATOMS_MAX) {
      diag_report(build->diags, DIAG_TOO_MANY, v->span, "a param has at most %d values",
                  ATOMS_MAX);
      break;
    }
    for (int i = 0; i < p->value_n; i++)
      if (values[i] == v->text)
        diag_report(build->diags, DIAG_DEFINED_TWICE, v->span,
                    "the value `%s` stands twice", v->text);
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
      diag_report(build->diags, DIAG_OUT_OF_RANGE, k->span,
                  "`%s` stands for %d, which is outside the range", k->text, k->number);
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
      diag_report(build->diags, DIAG_BAD_RANGE, body->kid->span,
                  "the range %d .. %d is empty", p->low, p->high);
      return false;
    }
    read_named(build, p, spec);
    return true;
  }
  e = coerce(&scope, e, TYPE_SITES, scope.place);
  const SiteSet *sites = constant_sites(e);
  if (!sites) {
    if (e->type != TYPE_POISON)
      diag_report(build->diags, DIAG_NOT_CONSTANT, body->kid->span,
                  "the range of a param is numbers or constant sites");
    return false;
  }
  p->type = TYPE_SITES;
  p->sites = *sites;
  read_named(build, p, spec);
  return true;
}

static void out_of_range(Build *build, const Param *p, const Node *value, DiagCode code,
                         const char *what) {
  Diag *d = diag_report(build->diags, code, value->span, "`%s` is no %s `%s`",
                        value->text, what, p->name);
  const char *near = text_nearest(value->text, p->values, (size_t)p->value_n);
  if (near)
    diag_note(build->diags, d, "did you mean `%s`?", near);
  else
    diag_note(build->diags, d, "it can be %s", value_list(build, p));
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
    Diag *d = diag_report(build->diags, DIAG_BAD_OPTION, p->span,
                          "option `%s` cannot be `%s`", o->name, o->value);
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
    case TYPE_SITES:
      return make_sites(build, sites_one(p->value), p->span);
    case TYPE_VALUES:
      return make_values(build, sites_one(atom_find(build, p->values[p->value])),
                         symbol->domain, p->span);
    default:
      return make_poison(build, p->span);
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
    Diag *d = diag_report(build->diags, DIAG_BAD_RANGE, def->span,
                          "param `%s` needs a choice", p->name);
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
    for (int i = 0; i < p->value_n; i++)
      sites_add(&atoms, atom_of(build, p->values[i], p->span));
  Domain *domain = ARENA_NEW(build->arena, Domain);
  domain->type = p->type;
  domain->atoms = atoms;
  domain->param = p->type == TYPE_NUMBER ? p : NULL;
  domain->what = arena_printf(build->arena, "param `%s`", p->name);
  symbol->domain = domain;
  symbol->made = param_expr(build, symbol, p);
}
