/* Linking: reads the trees of units, carries layers out, leaves one flat list. Order: the
 * libraries of a unit, then its base, then what it defines, then its edits; so that the
 * order of lines in a file has no meaning. `before` and `replace` keep places in the
 * list. */
#include "front/linking.h"

#include <stdlib.h>
#include <string.h>

Diags *link_diags(Link *link) {
  return &link->loading->diags;
}

/* ---- words ---- */

static const char *const kind_words[RULE_KINDS] = {
    "turn", "offer",  "move", "choice", "forbid", "capture", "after",
    "must", "settle", "win",  "lose",   "draw",   "score"};

const char *rule_kind_word(RuleKind kind) {
  return kind < RULE_KINDS ? kind_words[kind] : "rule";
}

const char *article(const char *word) {
  if (!strcmp(word, "players") || !strcmp(word, "dice")) return "the";
  return strchr("aeiou", word[0]) ? "an" : "a";
}

RuleKind rule_kind_of(const char *word) {
  for (int i = 0; word && i < RULE_KINDS; i++)
    if (!strcmp(kind_words[i], word)) return (RuleKind)i;
  return RULE_KINDS;
}

static const struct HeadWord {
  const char *word;
  NodeKind kind;
} head_words[] = {{"region", N_REGION},  {"let", N_LET},         {"path", N_PATH},
                  {"piece", N_PIECE},    {"param", N_PARAM},     {"state", N_STATE},
                  {"label", N_LABEL},    {"dice", N_DICE},       {"pocket", N_POCKET},
                  {"phase", N_PHASE},    {"hook", N_HOOK},       {"board", N_BOARD},
                  {"setup", N_SETUP},    {"pattern", N_PATTERN}, {"scenario", N_SCENARIO},
                  {"players", N_PLAYERS}};

const char *def_word(const Def *def) {
  if (def->kind == N_RULE) return rule_kind_word(def->rule);
  for (size_t i = 0; i < sizeof head_words / sizeof *head_words; i++)
    if (head_words[i].kind == def->kind) return head_words[i].word;
  return "definition";
}

bool link_head_kind(const Node *head, NodeKind *kind, RuleKind *rule) {
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

/* ---- finding ---- */

const FlatClause *def_clause(const Def *def, const char *word) {
  for (const FlatClause *c = def->clauses; c; c = c->next)
    if (!strcmp(c->word, word)) return c;
  return NULL;
}

bool link_same(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

Def *flat_find(const Flat *flat, NodeKind kind, const char *name, const char *owner) {
  for (Def *d = flat->first; d; d = d->next)
    if (!d->removed && d->kind == kind && (!name || link_same(d->name, name)) &&
        (!owner || link_same(d->owner, owner)))
      return d;
  return NULL;
}

/* The definition that an edit's head names; phase: where the edit stands, or NULL. */
Def *link_find(Link *link, NodeKind kind, RuleKind rule, const char *name,
               const char *phase) {
  for (Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d->kind != kind) continue;
    if (kind == N_RULE && d->rule != rule) continue;
    if (kind == N_RULE && rule == RULE_TURN) {
      if (link_same(d->phase, phase)) return d;
      continue;
    }
    if (!name || link_same(d->name, name)) return d;
  }
  return NULL;
}

/* ---- adding ---- */

void link_append(Link *link, Def *def) {
  Flat *flat = link->flat;
  if (flat->n >= LINK_DEFS_MAX) {
    if (!link->full)
      diag_report(link_diags(link), DIAG_TOO_MANY, def->span,
                  "more than %d definitions in one game", LINK_DEFS_MAX);
    link->full = true;
    def->removed = true;
    return;
  }
  if (flat->last)
    flat->last->next = def;
  else
    flat->first = def;
  flat->last = def;
  flat->n++;
}

static bool may_share(const Def *a, const Def *b) {
  bool owned = a->kind == N_REGION || a->kind == N_LET || a->kind == N_PATH ||
               a->kind == N_PIECE || a->kind == N_LABEL;
  return a->kind == b->kind && owned && a->owner && b->owner &&
         !link_same(a->owner, b->owner);
}

/* One name, one definition: reports the second. */
bool link_clashes(Link *link, const Def *def) {
  if (def->kind == N_NEEDS || def->kind == N_PHASE) return false;
  for (const Def *d = link->flat->first; d; d = d->next) {
    if (d->removed || d == def) continue;
    bool patterns = (d->kind == N_PATTERN) != (def->kind == N_PATTERN);
    bool scenarios = (d->kind == N_SCENARIO) != (def->kind == N_SCENARIO);
    if (patterns || scenarios || d->kind == N_NEEDS) continue;
    if (!def->name) {
      if (d->kind != def->kind || d->rule != def->rule) continue;
    } else if (!link_same(d->name, def->name)) {
      continue;
    }
    if (def->kind == N_RULE && def->rule == RULE_TURN && d->rule == RULE_TURN &&
        !link_same(d->phase, def->phase))
      continue;
    if (may_share(d, def)) continue;
    const char *word = def_word(def);
    Diag *e;
    if (!def->name || (def->kind == N_RULE && def->rule == RULE_TURN))
      e = diag_report(link_diags(link), DIAG_DEFINED_TWICE, def->span,
                      "this is the second `%s` of the game", word);
    else
      e = diag_report(link_diags(link), DIAG_DEFINED_TWICE, def->span,
                      def->kind == N_SCENARIO ? "the scenario \"%s\" is there already"
                                              : "the name `%s` is taken already",
                      def->name);
    diag_note_at(link_diags(link), e, d->span, "first defined here, as %s %s",
                 article(def_word(d)), def_word(d));
    if (d->unit != def->unit)
      diag_note(link_diags(link), e, "to put yours in its place write `replace %s …`",
                word);
    return true;
  }
  return false;
}

void link_add_clause(Link *link, Def *def, const char *word, const Node *node) {
  FlatClause *c = ARENA_NEW(link->flat->arena, FlatClause);
  c->word = word;
  c->node = node;
  c->unit = link->unit;
  if (def->last_clause)
    def->last_clause->next = c;
  else
    def->clauses = c;
  def->last_clause = c;
}

bool link_may_repeat(const Def *def, const char *word) {
  return def->kind == N_BOARD && !strcmp(word, "row");
}

static void take_clauses(Link *link, Def *def, const Node *clauses) {
  for (const Node *n = clauses ? clauses->kid : NULL; n; n = n->next) {
    if (n->kind == N_CLAUSE_REMOVE) {
      diag_report(link_diags(link), DIAG_REMOVE_NOTHING, n->span,
                  "`remove` of a clause stands in a `change`; here nothing is there to "
                  "be removed");
      continue;
    }
    if (n->kind != N_CLAUSE) continue;
    const FlatClause *before = def_clause(def, n->text);
    if (before && !link_may_repeat(def, n->text)) {
      Diag *d = diag_report(link_diags(link), DIAG_CLAUSE_TWICE, n->name,
                            "a second `%s`; each clause stands once", n->text);
      diag_note_at(link_diags(link), d, before->node->name, "the first is here");
      continue;
    }
    link_add_clause(link, def, n->text, n);
  }
}

Def *link_new_def(Link *link, const Node *node, const char *phase) {
  Def *def = ARENA_NEW(link->flat->arena, Def);
  def->kind = node->kind;
  def->node = def->said = node;
  def->name = node->text;
  def->unit = link->unit;
  def->phase = phase;
  def->span = node->name.end > node->name.start ? node->name : node->span;
  def->doc = node_find(node, N_DOC);
  const Node *owned = node_find(node, N_OWNED);
  def->owner = owned ? owned->text : NULL;
  def->rule = RULE_KINDS;
  if (node->kind == N_RULE || node->kind == N_PATTERN)
    def->rule = rule_kind_of(node->tag);
  if (node->kind == N_RULE) def->is = node_find(node, N_IS);
  if (node->kind == N_BOARD) def->name = NULL;
  const Node *clauses = node_find(node, N_CLAUSES);
  if (clauses) take_clauses(link, def, clauses);
  return def;
}

/* Definitions of a node that names several things, one by one; calls back for each. */
static void each_def(Link *link, const Node *node, const char *phase,
                     void (*each)(Link *, Def *)) {
  if (node->kind != N_PIECE && node->kind != N_POCKET && node->kind != N_NEEDS) {
    each(link, link_new_def(link, node, phase));
    return;
  }
  const Node *names = node_find(node, N_NAMES);
  int which = 0;
  for (const Node *w = names ? names->kid : NULL; w; w = w->next) {
    Def *def = link_new_def(link, node, phase);
    def->name = w->text;
    def->span = w->span;
    def->which = which++;
    each(link, def);
  }
}

static void add_def(Link *link, Def *def) {
  if (def->kind == N_PHASE && flat_find(link->flat, N_PHASE, def->name, NULL)) {
    Def *old = flat_find(link->flat, N_PHASE, def->name, NULL);
    if (node_find(def->node, N_BODY) && node_find(old->node, N_BODY) &&
        old->unit == def->unit)
      diag_report(link_diags(link), DIAG_DEFINED_TWICE, def->span,
                  "phase `%s` says `if` twice", def->name);
    return; /* phases merge by name */
  }
  if (link_clashes(link, def)) return;
  link_append(link, def);
  if (link->unit == link->flat->unit && def->kind != N_SCENARIO) link->edits++;
}

/* ---- units ---- */

static bool is_edit(NodeKind kind) {
  return kind == N_SET || kind == N_CHANGE || kind == N_REPLACE || kind == N_REMOVE ||
         kind == N_BEFORE;
}

static void link_items(Link *link, const Node *items, const char *phase, bool edits) {
  for (const Node *n = items ? items->kid : NULL; n; n = n->next) {
    if (n->kind == N_PHASE) {
      if (!edits) each_def(link, n, NULL, add_def);
      if (phase)
        diag_report(link_diags(link), DIAG_PHASE_INSIDE, n->span,
                    "a phase cannot stand inside a phase");
      else
        link_items(link, node_find(n, N_ITEMS), n->text, edits);
      continue;
    }
    if (n->kind == N_USE || n->kind == N_E_ERROR) continue;
    if (is_edit(n->kind) != edits) continue;
    switch (n->kind) {
      case N_SET:
        edit_set(link, n);
        break;
      case N_CHANGE:
        edit_change(link, n, phase);
        break;
      case N_REPLACE:
        if (n->kid) each_def(link, n->kid, phase, replace_def);
        break;
      case N_REMOVE:
        edit_remove(link, n, phase);
        break;
      case N_BEFORE:
        edit_before(link, n, phase);
        break;
      default:
        each_def(link, n, phase, add_def);
        break;
    }
  }
}

static const char *unit_word(const Unit *unit) {
  return unit->node->kind == N_GAME    ? "game"
         : unit->node->kind == N_HOUSE ? "house"
                                       : "library";
}

/* Says "A extends B extends A" and returns true if the unit is being linked already. */
static bool is_cycle(Link *link, const Unit *unit, Span span) {
  for (int i = 0; i < link->chain_n; i++) {
    if (link->chain[i] != unit) continue;
    const char *way = "";
    for (int k = i; k < link->chain_n; k++)
      way = arena_printf(link->flat->arena, "%s%s \"%s\" → ", way,
                         unit_word(link->chain[k]), link->chain[k]->title);
    loading_is_unread(link->loading);
    diag_report(link_diags(link), DIAG_CYCLE, span,
                "this goes round in a circle: %s%s \"%s\"", way, unit_word(unit),
                unit->title);
    return true;
  }
  if (link->chain_n == CHAIN_MAX) {
    diag_report(link_diags(link), DIAG_CYCLE, span,
                "more than %d units stand upon each other", CHAIN_MAX);
    return true;
  }
  return false;
}

static void link_one(Link *link, const Unit *unit);

static void link_uses(Link *link, const Unit *unit, const Node *items) {
  for (const Node *n = items ? items->kid : NULL; n; n = n->next) {
    if (n->kind == N_PHASE) {
      for (const Node *m = node_find(n, N_ITEMS) ? node_find(n, N_ITEMS)->kid : NULL; m;
           m = m->next)
        if (m->kind == N_USE)
          diag_report(link_diags(link), DIAG_PHASE_INSIDE, m->span,
                      "`use` cannot stand inside a phase");
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
  const Node *items = node_find(unit->node, N_ITEMS),
             *extends = node_find(unit->node, N_EXTENDS);
  const Unit *outer = link->unit;
  link->chain[link->chain_n++] = unit;
  if (extends) {
    const Unit *base =
        loading_title(link->loading, extends->text, unit->file, extends->span);
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
    Diag *d = diag_report(&loading->diags, DIAG_CHANGES_NOTHING, unit->node->name,
                          "these are exactly the rules of \"%s\"", extends->text);
    diag_note(&loading->diags, d, "nothing is set, changed or added");
  }
  return flat;
}
