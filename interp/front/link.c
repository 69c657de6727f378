/* Linking: reads the trees of units, carries layers out, leaves one flat list. Order: the
 * libraries of a unit, then its base, then what it defines, then its edits; so that the
 * order of lines in a file has no meaning. `before` and `replace` keep places in the list. */
#include "front/loading.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 32, LINK_DEFS_MAX = 4096 };

typedef struct Link {
  Loading *loading;
  Flat *flat;
  const Unit *chain[CHAIN_MAX]; /* units being linked: a cycle shows here */
  int chain_n;
  const Unit **done;            /* libraries linked */
  int done_n, done_room;
  const Unit *unit;             /* at work */
  int edits, idle;              /* of the unit asked for: all, and those that change nothing */
  bool lint;
  bool full;
} Link;

static Diags *diags(Link *link) { return &link->loading->diags; }

/* ---- words ---- */

static const char *const kind_words[RULE_KINDS] = {"turn", "offer", "move", "choice", "forbid", "capture", "after",
                                                   "must", "settle", "win", "lose", "draw", "score"};

const char *rule_kind_word(RuleKind kind) { return kind < RULE_KINDS ? kind_words[kind] : "rule"; }

const char *article(const char *word) { return strchr("aeiou", word[0]) ? "an" : "a"; }

RuleKind rule_kind_of(const char *word) {
  for (int i = 0; word && i < RULE_KINDS; i++)
    if (!strcmp(kind_words[i], word)) return (RuleKind)i;
  return RULE_KINDS;
}

static const struct HeadWord {
  const char *word;
  NodeKind kind;
} head_words[] = {{"region", N_REGION}, {"let", N_LET},     {"path", N_PATH},     {"piece", N_PIECE},
                  {"param", N_PARAM},   {"state", N_STATE}, {"label", N_LABEL},   {"dice", N_DICE},
                  {"pocket", N_POCKET}, {"phase", N_PHASE}, {"hook", N_HOOK},     {"board", N_BOARD},
                  {"setup", N_SETUP},   {"pattern", N_PATTERN}, {"scenario", N_SCENARIO}, {"players", N_PLAYERS}};

const char *def_word(const Def *def) {
  if (def->kind == N_RULE) return rule_kind_word(def->rule);
  for (size_t i = 0; i < sizeof head_words / sizeof *head_words; i++)
    if (head_words[i].kind == def->kind) return head_words[i].word;
  return "definition";
}

/* ---- finding ---- */

const FlatClause *def_clause(const Def *def, const char *word) {
  for (const FlatClause *c = def->clauses; c; c = c->next)
    if (!strcmp(c->word, word)) return c;
  return NULL;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

Def *flat_find(const Flat *flat, NodeKind kind, const char *name, const char *owner) {
  for (Def *d = flat->first; d; d = d->next)
    if (!d->removed && d->kind == kind && (!name || same_text(d->name, name)) &&
        (!owner || same_text(d->owner, owner)))
      return d;
  return NULL;
}

/* The definition that an edit's head names; phase: where the edit stands, or NULL. */
static Def *find_head(Link *link, NodeKind kind, RuleKind rule, const char *name, const char *phase) {
  for (Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d->kind != kind) continue;
    if (kind == N_RULE && d->rule != rule) continue;
    if (kind == N_RULE && rule == RULE_TURN) {
      if (same_text(d->phase, phase)) return d;
      continue;
    }
    if (!name || same_text(d->name, name)) return d;
  }
  return NULL;
}

/* ---- adding ---- */

static void append(Link *link, Def *def) {
  Flat *flat = link->flat;
  if (flat->n >= LINK_DEFS_MAX) {
    if (!link->full)
      diag_report(diags(link), DIAG_TOO_MANY, def->span, "more than %d definitions in one game", LINK_DEFS_MAX);
    link->full = true;
    def->removed = true;
    return;
  }
  if (flat->last) flat->last->next = def;
  else flat->first = def;
  flat->last = def;
  flat->n++;
}


static bool may_share(const Def *a, const Def *b) {
  bool owned = a->kind == N_REGION || a->kind == N_LET || a->kind == N_PATH || a->kind == N_PIECE || a->kind == N_LABEL;
  return a->kind == b->kind && owned && a->owner && b->owner && !same_text(a->owner, b->owner);
}

/* One name, one definition: reports the second. */
static bool clashes(Link *link, const Def *def) {
  if (def->kind == N_NEEDS || def->kind == N_PHASE) return false;
  for (const Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d == def) continue;
    bool patterns = (d->kind == N_PATTERN) != (def->kind == N_PATTERN);
    bool scenarios = (d->kind == N_SCENARIO) != (def->kind == N_SCENARIO);
    if (patterns || scenarios || d->kind == N_NEEDS) continue;
    if (!def->name) {
      if (d->kind != def->kind || d->rule != def->rule) continue;
    } else if (!same_text(d->name, def->name)) {
      continue;
    }
    if (def->kind == N_RULE && def->rule == RULE_TURN && d->rule == RULE_TURN && !same_text(d->phase, def->phase))
      continue;
    if (may_share(d, def)) continue;
    const char *word = def_word(def);
    Diag *e;
    if (!def->name || (def->kind == N_RULE && def->rule == RULE_TURN))
      e = diag_report(diags(link), DIAG_DEFINED_TWICE, def->span, "this is the second `%s` of the game", word);
    else
      e = diag_report(diags(link), DIAG_DEFINED_TWICE, def->span,
                      def->kind == N_SCENARIO ? "the scenario \"%s\" is there already" : "the name `%s` is taken already",
                      def->name);
    diag_note_at(diags(link), e, d->span, "first defined here, as %s %s", article(def_word(d)), def_word(d));
    if (d->unit != def->unit)
      diag_note(diags(link), e, "to put yours in its place write `replace %s …`", word);
    return true;
  }
  return false;
}

static void add_clause(Link *link, Def *def, const char *word, const Node *node) {
  FlatClause *c = ARENA_NEW(link->flat->arena, FlatClause);
  c->word = word;
  c->node = node;
  c->unit = link->unit;
  if (def->last_clause) def->last_clause->next = c;
  else def->clauses = c;
  def->last_clause = c;
}

static bool may_repeat(const Def *def, const char *word) { return def->kind == N_BOARD && !strcmp(word, "row"); }

static void take_clauses(Link *link, Def *def, const Node *clauses) {
  for (const Node *n = clauses ? clauses->kid : NULL; n; n = n->next) {
    if (n->kind == N_CLAUSE_REMOVE) {
      diag_report(diags(link), DIAG_REMOVE_NOTHING, n->span,
                  "`remove` of a clause stands in a `change`; here nothing is there to be removed");
      continue;
    }
    if (n->kind != N_CLAUSE) continue;
    const FlatClause *before = def_clause(def, n->text);
    if (before && !may_repeat(def, n->text)) {
      Diag *d = diag_report(diags(link), DIAG_CLAUSE_TWICE, n->name, "a second `%s`; each clause stands once", n->text);
      diag_note_at(diags(link), d, before->node->name, "the first is here");
      continue;
    }
    add_clause(link, def, n->text, n);
  }
}

static Def *new_def(Link *link, const Node *node, const char *phase) {
  Def *def = ARENA_NEW(link->flat->arena, Def);
  def->kind = node->kind;
  def->node = node;
  def->name = node->text;
  def->unit = link->unit;
  def->phase = phase;
  def->span = node->name.end > node->name.start ? node->name : node->span;
  def->doc = node_find(node, N_DOC);
  const Node *owned = node_find(node, N_OWNED);
  def->owner = owned ? owned->text : NULL;
  def->rule = RULE_KINDS;
  if (node->kind == N_RULE || node->kind == N_PATTERN) def->rule = rule_kind_of(node->tag);
  if (node->kind == N_RULE) def->is = node_find(node, N_IS);
  if (node->kind == N_BOARD) def->name = NULL;
  const Node *clauses = node_find(node, N_CLAUSES);
  if (clauses) take_clauses(link, def, clauses);
  return def;
}

/* Definitions of a node that names several things, one by one; calls back for each. */
static void each_def(Link *link, const Node *node, const char *phase, void (*each)(Link *, Def *)) {
  if (node->kind != N_PIECE && node->kind != N_POCKET && node->kind != N_NEEDS) {
    each(link, new_def(link, node, phase));
    return;
  }
  const Node *names = node_find(node, N_NAMES);
  int which = 0;
  for (const Node *w = names ? names->kid : NULL; w; w = w->next) {
    Def *def = new_def(link, node, phase);
    def->name = w->text;
    def->span = w->span;
    def->which = which++;
    each(link, def);
  }
}

static void add_def(Link *link, Def *def) {
  if (def->kind == N_PHASE && flat_find(link->flat, N_PHASE, def->name, NULL)) {
    Def *old = flat_find(link->flat, N_PHASE, def->name, NULL);
    if (node_find(def->node, N_BODY) && node_find(old->node, N_BODY) && old->unit == def->unit)
      diag_report(diags(link), DIAG_DEFINED_TWICE, def->span, "phase `%s` says `if` twice", def->name);
    return; /* phases merge by name */
  }
  if (clashes(link, def)) return;
  append(link, def);
  if (link->unit == link->flat->unit && def->kind != N_SCENARIO) link->edits++;
}

/* ---- edits ---- */

bool nodes_equal(const Node *a, const Node *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->number != b->number || !same_text(a->text, b->text) || !same_text(a->tag, b->tag)) return false;
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
  if (idle && link->lint) diag_report(diags(link), DIAG_CHANGES_NOTHING, span, "this changes nothing: %s", what);
}

static const char *nearest_head(Link *link, NodeKind kind, RuleKind rule, const char *name) {
  const char **all = ARENA_ARRAY(link->flat->arena, const char *, link->flat->n + 1);
  size_t n = 0;
  for (Def *d = link->flat->first; d; d = d->next)
    if (!d->removed && d->kind == kind && d->rule == rule && d->name && n < (size_t)link->flat->n) all[n++] = d->name;
  return name ? text_nearest(name, all, n) : NULL;
}

static void not_there(Link *link, const Node *head, NodeKind kind, RuleKind rule, const char *name, const char *verb) {
  const char *word = kind == N_RULE ? rule_kind_word(rule) : head->tag;
  Diag *d;
  if (!word) word = "definition";
  if (name && kind != N_RULE && kind == N_SCENARIO)
    d = diag_report(diags(link), DIAG_NOT_THERE, head->span, "there is no scenario \"%s\" to %s", name, verb);
  else if (name && rule != RULE_TURN)
    d = diag_report(diags(link), DIAG_NOT_THERE, head->span, "there is no %s `%s` to %s", word, name, verb);
  else
    d = diag_report(diags(link), DIAG_NOT_THERE, head->span, "there is no `%s` to %s", word, verb);
  if (name)
    for (Def *other = link->flat->first; other; other = other->next)
      if (!other->removed && same_text(other->name, name) && other->kind != N_PATTERN) {
        diag_note_at(diags(link), d, other->span, "`%s` is %s %s", name, article(def_word(other)), def_word(other));
        return;
      }
  const char *near = nearest_head(link, kind, rule, name);
  if (near) diag_note(diags(link), d, "did you mean `%s`?", near);
}

static bool head_kind(const Node *head, NodeKind *kind, RuleKind *rule) {
  *rule = rule_kind_of(head->tag);
  if (*rule != RULE_KINDS) {
    *kind = N_RULE;
    return true;
  }
  for (size_t i = 0; i < sizeof head_words / sizeof *head_words; i++)
    if (head->tag && !strcmp(head_words[i].word, head->tag)) {
      *kind = head_words[i].kind;
      return true;
    }
  return false;
}

static const FlatClause *pattern_clause(Link *link, const Def *def, const char *word) {
  const Def *pattern = def->is ? flat_find(link->flat, N_PATTERN, def->is->text, NULL) : NULL;
  return pattern ? def_clause(pattern, word) : NULL;
}

static bool pattern_has(Link *link, const Def *def, const char *word) { return pattern_clause(link, def, word) != NULL; }

static void remove_clause(Link *link, Def *def, const Node *node) {
  count_edit(link, false, node->span, "");
  for (FlatClause *c = def->clauses, *last = NULL; c; last = c, c = c->next) {
    if (strcmp(c->word, node->text)) continue;
    if (pattern_has(link, def, node->text)) {
      c->node = NULL;
      c->unit = link->unit;
      return;
    }
    if (last) last->next = c->next;
    else def->clauses = c->next;
    if (def->last_clause == c) def->last_clause = last;
    return;
  }
  if (pattern_has(link, def, node->text) || def->partial) {
    add_clause(link, def, node->text, NULL);
    return;
  }
  Diag *d = diag_report(diags(link), DIAG_REMOVE_NOTHING, node->span, "%s `%s` has no `%s` to remove", def_word(def),
                        def->name ? def->name : def_word(def), node->text);
  diag_note_at(diags(link), d, def->span, "it is defined here");
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
      if (m->kind == N_CLAUSE && !strcmp(m->text, n->text) && !may_repeat(def, n->text)) {
        Diag *d = diag_report(diags(link), DIAG_CLAUSE_TWICE, n->name, "a second `%s`; each clause stands once", n->text);
        diag_note_at(diags(link), d, m->name, "the first is here");
      }
    if (may_repeat(def, n->text)) { /* rows are replaced as a whole */
      if (!rows)
        for (FlatClause *c = def->clauses; c; c = c->next)
          if (!strcmp(c->word, n->text)) c->word = "";
      rows = true;
      add_clause(link, def, n->text, n);
      continue;
    }
    FlatClause *old = (FlatClause *)(uintptr_t)(const void *)def_clause(def, n->text);
    const FlatClause *was = old ? old : pattern_clause(link, def, n->text);
    bool idle = was && was->node && nodes_equal(was->node, n);
    count_edit(link, idle, n->span, arena_printf(link->flat->arena, "`%s` is the same already", n->text));
    if (old) {
      old->node = n;
      old->unit = link->unit;
    } else {
      add_clause(link, def, n->text, n);
    }
  }
  def->touched = true;
}

static bool is_record(NodeKind kind) {
  return kind == N_RULE || kind == N_BOARD || kind == N_DICE || kind == N_PATTERN;
}

static void edit_change(Link *link, const Node *node, const char *phase) {
  const Node *head = node_find(node, N_HEAD);
  NodeKind kind;
  RuleKind rule;
  if (!head || !head_kind(head, &kind, &rule)) return;
  if (!is_record(kind)) {
    Diag *d = diag_report(diags(link), DIAG_CHANGE_NO_RECORD, head->span, "a %s has no clauses that could be changed", head->tag);
    if (kind == N_PARAM) diag_note(diags(link), d, "write `set %s = …` for another default", head->text ? head->text : "…");
    else if (kind == N_PHASE) diag_note(diags(link), d, "write `phase %s { … }` to add to it", head->text ? head->text : "…");
    else diag_note(diags(link), d, "write `replace %s …` with the whole of it", head->tag);
    return;
  }
  Def *def = find_head(link, kind, rule, head->text, phase);
  if (!def && rule == RULE_TURN && (phase || find_head(link, N_RULE, RULE_TURN, NULL, NULL))) {
    def = ARENA_NEW(link->flat->arena, Def);
    def->kind = N_RULE;
    def->rule = RULE_TURN;
    def->node = node;
    def->name = head->text;
    def->span = head->span;
    def->unit = link->unit;
    def->phase = phase;
    def->partial = true;
    append(link, def);
  }
  if (!def) {
    not_there(link, head, kind, rule, head->text, "change");
    return;
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

static void replace_def(Link *link, Def *def) {
  Def *same = NULL, *any = NULL;
  for (Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d->kind != def->kind || !same_text(d->name, def->name)) continue;
    if (d->kind == N_RULE && d->rule != def->rule) continue;
    if (d->kind == N_RULE && d->rule == RULE_TURN && !same_text(d->phase, def->phase)) continue;
    if (!any) any = d;
    if (same_text(d->owner, def->owner)) same = d;
  }
  count_edit(link, same && nodes_equal(same->node, def->node), def->span, "it is written the same already");
  if (same) {
    take_place(link, same, def);
    return;
  }
  if (any && (!any->owner || !def->owner)) {
    take_place(link, any, def);
    for (Def *d = link->flat->first; d; d = d->next)
      if (d != def && d->kind == def->kind && same_text(d->name, def->name) && d->kind != N_RULE) d->removed = true;
    return;
  }
  if (any && any->touched && any->unit == link->unit) {
    append(link, def);
    def->touched = true;
    return;
  }
  Node head = {0};
  head.kind = N_HEAD;
  head.tag = def_word(def);
  head.span = def->span;
  not_there(link, &head, def->kind, def->rule, def->name, "replace");
}

static void edit_remove(Link *link, const Node *node, const char *phase) {
  const Node *head = node_find(node, N_HEAD);
  NodeKind kind;
  RuleKind rule;
  if (!head || !head_kind(head, &kind, &rule)) return;
  bool any = false;
  for (Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d->kind != kind || (kind == N_RULE && d->rule != rule)) continue;
    if (head->text && rule != RULE_TURN && !same_text(d->name, head->text)) continue;
    if (rule == RULE_TURN && !same_text(d->phase, phase)) continue;
    if (kind == N_PHASE)
      for (Def *in = link->flat->first; in; in = in->next)
        if (same_text(in->phase, d->name)) in->removed = true;
    d->removed = any = true;
  }
  if (!any) not_there(link, head, kind, rule, head->text, "remove");
  else if (kind != N_SCENARIO) count_edit(link, false, node->span, "");
}

static void edit_set(Link *link, const Node *node) {
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
    if ((k->kind == N_SPEC_RANGE || k->kind == N_SPEC_VALUES) && k->kid && k->kid->kind == N_VALUE) old = k->kid;
  bool idle = value && old && same_text(value->text, old->text);
  count_edit(link, idle, node->span, arena_printf(link->flat->arena, "`%s` is `%s` already", node->text, old && old->text ? old->text : ""));
  def->set = value;
  def->touched = true;
}

static void edit_before(Link *link, const Node *node, const char *phase) {
  const Node *rule = node_find(node, N_RULE);
  if (!rule) return;
  Def *def = new_def(link, rule, phase), *last = NULL;
  if (clashes(link, def)) return;
  count_edit(link, false, node->span, "");
  for (Def *d = link->flat->first; d; last = d, d = d->next) {
    if (d->removed || d->kind != N_RULE || !same_text(d->name, node->text)) continue;
    def->next = d;
    if (last) last->next = def;
    else link->flat->first = def;
    link->flat->n++;
    return;
  }
  const char **all = ARENA_ARRAY(link->flat->arena, const char *, link->flat->n + 1);
  size_t n = 0;
  for (Def *d = link->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_RULE && d->name && n < (size_t)link->flat->n) all[n++] = d->name;
  const char *near = text_nearest(node->text, all, n);
  Diag *d = diag_report(diags(link), DIAG_NOT_THERE, node->name, "there is no rule `%s` to stand before", node->text);
  if (near) diag_note(diags(link), d, "did you mean `%s`?", near);
}

/* ---- units ---- */

static bool is_edit(NodeKind kind) {
  return kind == N_SET || kind == N_CHANGE || kind == N_REPLACE || kind == N_REMOVE || kind == N_BEFORE;
}

static void link_items(Link *link, const Node *items, const char *phase, bool edits) {
  for (const Node *n = items ? items->kid : NULL; n; n = n->next) {
    if (n->kind == N_PHASE) {
      if (!edits) each_def(link, n, NULL, add_def);
      if (phase)
        diag_report(diags(link), DIAG_PHASE_INSIDE, n->span, "a phase cannot stand inside a phase");
      else
        link_items(link, node_find(n, N_ITEMS), n->text, edits);
      continue;
    }
    if (n->kind == N_USE || n->kind == N_E_ERROR) continue;
    if (is_edit(n->kind) != edits) continue;
    switch (n->kind) {
      case N_SET: edit_set(link, n); break;
      case N_CHANGE: edit_change(link, n, phase); break;
      case N_REPLACE:
        if (n->kid) each_def(link, n->kid, phase, replace_def);
        break;
      case N_REMOVE: edit_remove(link, n, phase); break;
      case N_BEFORE: edit_before(link, n, phase); break;
      default: each_def(link, n, phase, add_def); break;
    }
  }
}

static const char *unit_word(const Unit *unit) {
  return unit->node->kind == N_GAME ? "game" : unit->node->kind == N_HOUSE ? "house" : "library";
}

/* Says "A extends B extends A" and returns true if the unit is being linked already. */
static bool is_cycle(Link *link, const Unit *unit, Span span) {
  for (int i = 0; i < link->chain_n; i++) {
    if (link->chain[i] != unit) continue;
    const char *way = "";
    for (int k = i; k < link->chain_n; k++)
      way = arena_printf(link->flat->arena, "%s%s \"%s\" → ", way, unit_word(link->chain[k]), link->chain[k]->title);
    loading_is_unread(link->loading);
    diag_report(diags(link), DIAG_CYCLE, span, "this goes round in a circle: %s%s \"%s\"", way, unit_word(unit), unit->title);
    return true;
  }
  if (link->chain_n == CHAIN_MAX) {
    diag_report(diags(link), DIAG_CYCLE, span, "more than %d units stand upon each other", CHAIN_MAX);
    return true;
  }
  return false;
}

static void link_one(Link *link, const Unit *unit);

static void link_uses(Link *link, const Unit *unit, const Node *items) {
  for (const Node *n = items ? items->kid : NULL; n; n = n->next) {
    if (n->kind == N_PHASE) {
      for (const Node *m = node_find(n, N_ITEMS) ? node_find(n, N_ITEMS)->kid : NULL; m; m = m->next)
        if (m->kind == N_USE) diag_report(diags(link), DIAG_PHASE_INSIDE, m->span, "`use` cannot stand inside a phase");
      continue;
    }
    if (n->kind != N_USE) continue;
    const Unit *library = loading_library(link->loading, n->text, unit->file, n->span);
    if (!library || is_cycle(link, library, n->span)) continue;
    bool done = false;
    for (int i = 0; i < link->done_n; i++) done |= link->done[i] == library;
    if (done) continue;
    if (link->done_n == link->done_room) {
      int room = link->done_room ? 2 * link->done_room : 8;
      const Unit **more = ARENA_ARRAY(link->flat->arena, const Unit *, room);
      for (int i = 0; i < link->done_n; i++) more[i] = link->done[i];
      link->done = more;
      link->done_room = room;
    }
    link->done[link->done_n++] = library;
    link_one(link, library);
  }
}

static void link_one(Link *link, const Unit *unit) {
  const Node *items = node_find(unit->node, N_ITEMS), *extends = node_find(unit->node, N_EXTENDS);
  const Unit *outer = link->unit;
  link->chain[link->chain_n++] = unit;
  if (extends) {
    const Unit *base = loading_title(link->loading, extends->text, unit->file, extends->span);
    if (base && !is_cycle(link, base, extends->span)) link_one(link, base);
  }
  link_uses(link, unit, items);
  link->unit = unit;
  link_items(link, items, NULL, false);
  link_items(link, items, NULL, true);
  link->unit = outer;
  link->chain_n--;
}

Flat *link_unit(Loading *loading, const Unit *unit, bool lint) {
  Flat *flat = ARENA_NEW(loading->arena, Flat);
  flat->arena = loading->arena;
  flat->unit = unit;
  Link link = {0};
  link.loading = loading;
  link.flat = flat;
  link.lint = lint;
  if (loading->unread) loading->diags.muted = loading_follow_ups();
  link_one(&link, unit);
  loading->diags.muted = NULL;
  const Node *extends = node_find(unit->node, N_EXTENDS);
  if (lint && extends && link.edits == link.idle && loading->diags.errors == 0) {
    Diag *d = diag_report(&loading->diags, DIAG_SAME_RULES, unit->node->name, "these are exactly the rules of \"%s\"", extends->text);
    diag_note(&loading->diags, d, "nothing is set, changed or added");
  }
  return flat;
}
