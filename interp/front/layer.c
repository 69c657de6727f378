/* Layers: set, change, replace, remove and before, on the flat list as far as it is
 * linked. What is not there cannot be changed; what changes nothing is counted, for the
 * findings. */
#include "front/linking.h"

#include <string.h>

bool nodes_equal(const Node *a, const Node *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->number != b->number || !link_same(a->text, b->text) ||
      !link_same(a->tag, b->tag))
    return false;
  const Node *x = a->kid, *y = b->kid;
  for (; x && y; x = x->next, y = y->next)
    if (!nodes_equal(x, y)) return false;
  return !x && !y;
}

/* Counts an edit of the unit asked for; one that changes nothing is a finding. */
static void count_edit(Link *link, bool idle, Span span, const char *what) {
  if (link->unit != link->flat->unit) return;
  link->edits++;
  link->idle += idle;
  if (idle && link->lint)
    diag_report(link_diags(link), DIAG_CHANGES_NOTHING, span, "this changes nothing: %s",
                what);
}

static const char *nearest_head(Link *link, NodeKind kind, RuleKind rule,
                                const char *name) {
  const char **all = ARENA_ARRAY(link->flat->arena, const char *, link->flat->n + 1);
  size_t n = 0;
  for (Def *d = link->flat->first; d; d = d->next)
    if (!d->removed && d->kind == kind && d->rule == rule && d->name &&
        n < (size_t)link->flat->n)
      all[n++] = d->name;
  return name ? text_nearest(name, all, n) : NULL;
}

/* The params that there are. */
static const char *params_there(Link *link) {
  enum { MOST = 12 };
  const char *list = "";
  int n = 0;
  for (Def *d = link->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_PARAM && n++ < MOST)
      list = arena_printf(link->flat->arena, "%s%s%s", list, n > 1 ? ", " : "", d->name);
  if (n == 0) return "the game has no params";
  return arena_printf(link->flat->arena, "there are: %s%s", list, n > MOST ? ", …" : "");
}

static void not_there(Link *link, const Node *head, NodeKind kind, RuleKind rule,
                      const char *name, const char *verb) {
  const char *word = kind == N_RULE ? rule_kind_word(rule) : head->tag;
  Diag *d;
  if (!word) word = "definition";
  if (name && kind != N_RULE && kind == N_SCENARIO)
    d = diag_report(link_diags(link), DIAG_NOT_THERE, head->span,
                    "there is no scenario \"%s\" to %s", name, verb);
  else if (name && rule != RULE_TURN)
    d = diag_report(link_diags(link), DIAG_NOT_THERE, head->span,
                    "there is no %s `%s` to %s", word, name, verb);
  else
    d = diag_report(link_diags(link), DIAG_NOT_THERE, head->span,
                    "there is no `%s` to %s", word, verb);
  if (name)
    for (Def *other = link->flat->first; other; other = other->next)
      if (!other->removed && link_same(other->name, name) && other->kind != N_PATTERN) {
        diag_note_at(link_diags(link), d, other->span, "`%s` is %s %s", name,
                     article(def_word(other)), def_word(other));
        return;
      }
  const char *near = nearest_head(link, kind, rule, name);
  if (near)
    diag_note(link_diags(link), d, "did you mean `%s`?", near);
  else if (kind == N_PARAM)
    diag_note(link_diags(link), d, "%s", params_there(link));
}

/* The nearest name of anything that can be edited. */
static const Def *nearest_def(Link *link, const char *name) {
  const char **all = ARENA_ARRAY(link->flat->arena, const char *, link->flat->n + 1);
  size_t n = 0;
  for (Def *d = link->flat->first; d; d = d->next)
    if (!d->removed && d->name && d->kind != N_SCENARIO && n < (size_t)link->flat->n)
      all[n++] = d->name;
  const char *near = text_nearest(name, all, n);
  for (Def *d = link->flat->first; d && near; d = d->next)
    if (!d->removed && link_same(d->name, near) && d->kind != N_SCENARIO) return d;
  return NULL;
}

static const FlatClause *pattern_clause(Link *link, const Def *def, const char *word) {
  const Def *pattern =
      def->is ? flat_find(link->flat, N_PATTERN, def->is->text, NULL) : NULL;
  return pattern ? def_clause(pattern, word) : NULL;
}

static bool pattern_has(Link *link, const Def *def, const char *word) {
  return pattern_clause(link, def, word) != NULL;
}

static void remove_clause(Link *link, Def *def, const Node *node) {
  count_edit(link, false, node->span, "");
  for (FlatClause *c = def->clauses, *last = NULL; c; last = c, c = c->next) {
    if (strcmp(c->word, node->text)) continue;
    if (pattern_has(link, def, node->text)) {
      c->node = NULL;
      c->unit = link->unit;
      return;
    }
    if (last)
      last->next = c->next;
    else
      def->clauses = c->next;
    if (def->last_clause == c) def->last_clause = last;
    return;
  }
  if (pattern_has(link, def, node->text) || def->partial) {
    link_add_clause(link, def, node->text, NULL);
    return;
  }
  Diag *d = diag_report(link_diags(link), DIAG_REMOVE_NOTHING, node->span,
                        "%s `%s` has no `%s` to remove", def_word(def),
                        def->name ? def->name : def_word(def), node->text);
  diag_note_at(link_diags(link), d, def->span, "it is defined here");
}

static void change_clauses(Link *link, Def *def, const Node *clauses) {
  bool rows = false;
  for (const Node *n = clauses ? clauses->kid : NULL; n; n = n->next) {
    if (n->kind == N_CLAUSE_REMOVE) {
      remove_clause(link, def, n);
      continue;
    }
    if (n->kind != N_CLAUSE) continue;
    for (const Node *m = clauses->kid; m != n; m = m->next)
      if (m->kind == N_CLAUSE && !strcmp(m->text, n->text) &&
          !link_may_repeat(def, n->text)) {
        Diag *d = diag_report(link_diags(link), DIAG_CLAUSE_TWICE, n->name,
                              "a second `%s`; each clause stands once", n->text);
        diag_note_at(link_diags(link), d, m->name, "the first is here");
      }
    if (link_may_repeat(def, n->text)) { /* rows are replaced as a whole */
      if (!rows)
        for (FlatClause *c = def->clauses; c; c = c->next)
          if (!strcmp(c->word, n->text)) c->word = "";
      rows = true;
      link_add_clause(link, def, n->text, n);
      continue;
    }
    FlatClause *old = (FlatClause *)(uintptr_t)(const void *)def_clause(def, n->text);
    const FlatClause *was = old ? old : pattern_clause(link, def, n->text);
    bool idle = was && was->node && nodes_equal(was->node, n);
    count_edit(link, idle, n->span,
               arena_printf(link->flat->arena, "`%s` is the same already", n->text));
    if (old) {
      old->node = n;
      old->unit = link->unit;
    } else {
      link_add_clause(link, def, n->text, n);
    }
  }
  def->touched = true;
}

static bool is_record(NodeKind kind) {
  return kind == N_RULE || kind == N_BOARD || kind == N_DICE || kind == N_PATTERN;
}

/* How what has no clauses is altered. */
static void note_alteration(Link *link, Diag *d, NodeKind kind, const char *word,
                            const char *name) {
  if (!name) name = "…";
  if (kind == N_PARAM)
    diag_note(link_diags(link), d, "write `set %s = …` for another default", name);
  else if (kind == N_PHASE)
    diag_note(link_diags(link), d, "write `phase %s { … }` to add to it", name);
  else
    diag_note(link_diags(link), d, "write `replace %s …` with the whole of it", word);
}

/* `remove thrice`: the kind is missing, and what it is can be told. */
static void kind_missing(Link *link, const Node *head, const char *verb) {
  const Def *def = nearest_def(link, head->text);
  Diag *d;
  if (def && link_same(def->name, head->text))
    d = diag_report(link_diags(link), DIAG_SYNTAX, head->span,
                    "`%s` is %s %s: say so before its name", head->text,
                    article(def_word(def)), def_word(def));
  else
    d = diag_report(link_diags(link), DIAG_NOT_THERE, head->span,
                    "there is nothing called `%s` to %s", head->text, verb);
  if (def && !is_record(def->kind) && !strcmp(verb, "change"))
    note_alteration(link, d, def->kind, def_word(def), def->name);
  else if (def)
    diag_note(link_diags(link), d, "write `%s %s %s`", verb, def_word(def), def->name);
}

void edit_change(Link *link, const Node *node, const char *phase) {
  const Node *head = node_find(node, N_HEAD);
  NodeKind kind;
  RuleKind rule;
  if (head && !head->tag) kind_missing(link, head, "change");
  if (!head || !link_head_kind(head, &kind, &rule)) return;
  if (!is_record(kind)) {
    Diag *d = diag_report(link_diags(link), DIAG_CHANGE_NO_RECORD, head->span,
                          "a %s has no clauses that could be changed", head->tag);
    note_alteration(link, d, kind, head->tag, head->text);
    return;
  }
  Def *def = link_find(link, kind, rule, head->text, phase);
  if (!def && rule == RULE_TURN &&
      (phase || link_find(link, N_RULE, RULE_TURN, NULL, NULL))) {
    def = ARENA_NEW(link->flat->arena, Def);
    def->kind = N_RULE;
    def->rule = RULE_TURN;
    def->node = def->said = node;
    def->name = head->text;
    def->span = head->span;
    def->unit = link->unit;
    def->phase = phase;
    def->partial = true;
    link_append(link, def);
  }
  if (!def) {
    not_there(link, head, kind, rule, head->text, "change");
    return;
  }
  if (node_find(node, N_DOC)) {
    const char *was = node_doc(def->said, NULL), *now = node_doc(node, NULL);
    if (def->node != node)
      count_edit(link, link_same(was, now), node_find(node, N_DOC)->span,
                 "the sentence is the same already");
    def->said = node;
  }
  change_clauses(link, def, node_find(node, N_CLAUSES));
}

/* Puts `def` where `old` stands; old is removed. */
static void take_place(Link *link, Def *old, Def *def) {
  if (!def->phase) def->phase = old->phase;
  def->next = old->next;
  old->next = def;
  if (link->flat->last == old) link->flat->last = def;
  old->removed = true;
  def->touched = true;
}

void replace_def(Link *link, Def *def) {
  Def *same = NULL, *any = NULL;
  for (Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d->kind != def->kind || !link_same(d->name, def->name)) continue;
    if (d->kind == N_RULE && d->rule != def->rule) continue;
    if (d->kind == N_RULE && d->rule == RULE_TURN && !link_same(d->phase, def->phase))
      continue;
    if (!any) any = d;
    if (link_same(d->owner, def->owner)) same = d;
  }
  count_edit(link, same && nodes_equal(same->node, def->node), def->span,
             "it is written the same already");
  if (same) {
    take_place(link, same, def);
    return;
  }
  if (any && (!any->owner || !def->owner)) {
    take_place(link, any, def);
    for (Def *d = link->flat->first; d; d = d->next)
      if (d != def && d->kind == def->kind && link_same(d->name, def->name) &&
          d->kind != N_RULE)
        d->removed = true;
    return;
  }
  if (any && any->touched && any->unit == link->unit) {
    link_append(link, def);
    def->touched = true;
    return;
  }
  Node head = {0};
  head.kind = N_HEAD;
  head.tag = def_word(def);
  head.span = def->span;
  not_there(link, &head, def->kind, def->rule, def->name, "replace");
}

void edit_remove(Link *link, const Node *node, const char *phase) {
  const Node *head = node_find(node, N_HEAD);
  NodeKind kind;
  RuleKind rule;
  if (head && !head->tag) kind_missing(link, head, "remove");
  if (!head || !link_head_kind(head, &kind, &rule)) return;
  bool any = false;
  for (Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d->kind != kind || (kind == N_RULE && d->rule != rule)) continue;
    if (head->text && rule != RULE_TURN && !link_same(d->name, head->text)) continue;
    if (rule == RULE_TURN && !link_same(d->phase, phase)) continue;
    if (kind == N_PHASE)
      for (Def *in = link->flat->first; in; in = in->next)
        if (link_same(in->phase, d->name)) in->removed = true;
    d->removed = any = true;
  }
  if (!any)
    not_there(link, head, kind, rule, head->text, "remove");
  else if (kind != N_SCENARIO)
    count_edit(link, false, node->span, "");
}

void edit_set(Link *link, const Node *node) {
  Def *def = flat_find(link->flat, N_PARAM, node->text, NULL);
  if (!def) {
    Node head = {0};
    head.kind = N_HEAD;
    head.tag = "param";
    head.span = node->name;
    not_there(link, &head, N_PARAM, RULE_KINDS, node->text, "set");
    return;
  }
  const Node *value = node_find(node, N_VALUE), *old = def->set;
  for (const Node *k = def->node->kid; k && !old; k = k->next)
    if ((k->kind == N_SPEC_RANGE || k->kind == N_SPEC_VALUES) && k->kid &&
        k->kid->kind == N_VALUE)
      old = k->kid;
  bool idle = value && old && link_same(value->text, old->text);
  count_edit(link, idle, node->span,
             arena_printf(link->flat->arena, "`%s` is `%s` already", node->text,
                          old && old->text ? old->text : ""));
  def->set = value;
  def->touched = true;
}

void edit_before(Link *link, const Node *node, const char *phase) {
  const Node *rule = node_find(node, N_RULE);
  if (!rule) return;
  Def *def = link_new_def(link, rule, phase), *last = NULL;
  if (link_clashes(link, def)) return;
  count_edit(link, false, node->span, "");
  for (Def *d = link->flat->first; d; last = d, d = d->next) {
    if (d->removed || d->kind != N_RULE || !link_same(d->name, node->text)) continue;
    def->next = d;
    if (last)
      last->next = def;
    else
      link->flat->first = def;
    link->flat->n++;
    return;
  }
  const char **all = ARENA_ARRAY(link->flat->arena, const char *, link->flat->n + 1);
  size_t n = 0;
  for (Def *d = link->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_RULE && d->name && n < (size_t)link->flat->n)
      all[n++] = d->name;
  const char *near = text_nearest(node->text, all, n);
  Diag *d = diag_report(link_diags(link), DIAG_NOT_THERE, node->name,
                        "there is no rule `%s` to stand before", node->text);
  if (near) diag_note(link_diags(link), d, "did you mean `%s`?", near);
}
