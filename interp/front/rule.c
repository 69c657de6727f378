/* Rules: patterns are filled in, every clause is typed, and `if` decides whether the rule
 * exists. Decided here: in `who`, kinds that say nothing of an owner mean the mover's. */
#include "front/ruling.h"

#include <string.h>

static const struct ClauseInfo {
  const char *word, *kinds, *help;
} clause_info[] = {
#define CLAUSE(id, word, kinds, type, help) {word, kinds, help},
#include "front/clauses.def"
#undef CLAUSE
};
static const char kind_letters[] = "Tomcftauswldk"; /* in the order of RuleKind */

const char *clause_word(ClauseId clause) {
  return clause < CLAUSE_COUNT ? clause_info[clause].word : "?";
}
bool clause_fits(ClauseId clause, RuleKind kind) {
  return clause < CLAUSE_COUNT && kind < RULE_KINDS &&
         strchr(clause_info[clause].kinds, kind_letters[kind]) != NULL;
}

ClauseId clause_of(const char *word) {
  for (int i = 0; i < CLAUSE_COUNT; i++)
    if (!strcmp(clause_info[i].word, word)) return (ClauseId)i;
  return CLAUSE_COUNT;
}

/* ---- clauses of their own shape ---- */

static void judged(const Ruling *r, Rule *rule) {
  const FlatClause *c = ruling_clause(r, CLAUSE_JUDGED);
  rule->judged = rule->kind == RULE_FORBID ? JUDGED_STEP : JUDGED_END;
  if (!c || !c->node->kid || c->node->kid->kind == N_E_ERROR) return;
  const Node *n = c->node->kid;
  const char *word = n->kind == N_E_NAME || n->kind == N_E_WORD ? n->text : "";
  if (!strcmp(word, "end"))
    rule->judged = JUDGED_END;
  else if (!strcmp(word, "step"))
    rule->judged = JUDGED_STEP;
  else if (!strcmp(word, "start") && rule->kind != RULE_FORBID)
    rule->judged = JUDGED_START;
  else
    diag_report(r->build->diags, DIAG_BAD_CLAUSE_VALUE, n->span,
                "a `%s` is judged at %s, not at `%s`", rule_kind_word(rule->kind),
                rule->kind == RULE_FORBID ? "step or end" : "start, step or end",
                words_at(r->build, n->span));
}

static void choose(const Ruling *r, Rule *rule) {
  const FlatClause *c = ruling_clause(r, CLAUSE_CHOOSE);
  if (!c) return;
  Build *build = r->build;
  const Expr **list = ARENA_ARRAY(build->arena, const Expr *, node_count(c->node) + 1);
  Scope scope = ruling_scope(r, CLAUSE_CHOOSE);
  Type type = TYPE_POISON;
  for (const Node *n = c->node->kid; n && rule->choose_n < CHOICES_MAX; n = n->next) {
    const Expr *e = express(&scope, n);
    if (e->type == TYPE_RANGE || e->type == TYPE_PIECES)
      e = coerce(&scope, e, TYPE_SITES, "`choose`");
    if (e->type == TYPE_POISON) continue;
    if (e->type == TYPE_CONDITION || e->type == TYPE_WAYS) {
      diag_report(build->diags, DIAG_WRONG_TYPE, n->span,
                  "values, numbers, sites or players can be chosen, and `%s` is %s",
                  words_at(build, n->span), type_words((Type)e->type));
      continue;
    }
    if (type == TYPE_POISON) type = (Type)e->type;
    if (type == TYPE_SITES || (e->type == TYPE_SITES && type == TYPE_NUMBER))
      e = coerce(&scope, e, TYPE_SITES, "`choose`");
    if (e->type != TYPE_POISON && e->type != type)
      diag_report(build->diags, DIAG_UNLIKE_SIDES, n->span,
                  "everything that can be chosen is of one type; `%s` is %s, and before "
                  "stands %s",
                  words_at(build, n->span), type_words((Type)e->type), type_words(type));
    else if (e->type != TYPE_POISON)
      list[rule->choose_n++] = e;
  }
  rule->choose_name = c->node->tag;
  rule->choose = list;
  if (symbol_find(build, SPACE_NAMES, rule->choose_name) ||
      builtin_find(rule->choose_name) != BUILTIN_COUNT)
    diag_report(build->diags, DIAG_DEFINED_TWICE, c->node->span,
                "the name `%s` is taken already; what is chosen needs one of its own",
                rule->choose_name);
}

static Effects effects(const Ruling *r, ClauseId id) {
  Effects none = {0};
  const FlatClause *c = ruling_clause(r, id);
  if (!c) return none;
  Scope scope = ruling_scope(r, id);
  return make_effects(&scope, c->node);
}

/* ---- shape ---- */

static const char *clauses_of_kind(Build *build, RuleKind kind) {
  const char *list = "";
  for (int i = 0; i < CLAUSE_COUNT; i++)
    if (clause_fits((ClauseId)i, kind))
      list = arena_printf(build->arena, "%s%s%s", list, *list ? ", " : "",
                          clause_word((ClauseId)i));
  return list;
}

void check_words(Build *build, const Def *def, RuleKind kind) {
  for (const FlatClause *c = def->clauses; c; c = c->next) {
    if (!c->node ||
        (clause_of(c->word) != CLAUSE_COUNT && clause_fits(clause_of(c->word), kind)))
      continue;
    const char *word = rule_kind_word(kind);
    Diag *d = diag_report(build->diags, DIAG_CLAUSE_WRONG_KIND, c->node->name,
                          "%s `%s` has no `%s`", article(word), word, c->word);
    diag_note(build->diags, d, "it may have: %s", clauses_of_kind(build, kind));
  }
}

/* Clauses one of which a kind requires. */
static const struct Required {
  RuleKind kind;
  ClauseId any[6];
  int n;
} required[] = {
    {RULE_OFFER, {CLAUSE_ACCEPT, CLAUSE_DECLINE}, 2},
    {RULE_MOVE, {CLAUSE_WHO}, 1},
    {RULE_MOVE, {CLAUSE_ALONG}, 1},
    {RULE_CHOICE, {CLAUSE_DO}, 1},
    {RULE_FORBID,
     {CLAUSE_WHO, CLAUSE_FROM, CLAUSE_TO, CLAUSE_WHEN, CLAUSE_UNLESS, CLAUSE_LEAVES},
     6},
    {RULE_CAPTURE, {CLAUSE_TAKE}, 1},
    {RULE_AFTER, {CLAUSE_DO}, 1},
    {RULE_MUST, {CLAUSE_MAXIMIZE}, 1},
    {RULE_SETTLE, {CLAUSE_DO}, 1},
    {RULE_WIN, {CLAUSE_WHEN, CLAUSE_UNLESS, CLAUSE_FOR}, 3},
    {RULE_LOSE, {CLAUSE_WHEN, CLAUSE_UNLESS, CLAUSE_FOR}, 3},
    {RULE_DRAW, {CLAUSE_WHEN, CLAUSE_UNLESS, CLAUSE_FOR}, 3},
    {RULE_SCORE, {CLAUSE_WORTH}, 1},
};

static void check_required(const Ruling *r) {
  Build *build = r->build;
  for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
    const struct Required *q = &required[i];
    if (q->kind != r->def->rule) continue;
    bool has = false;
    for (int k = 0; k < q->n; k++) has |= ruling_clause(r, q->any[k]) != NULL;
    if (has) continue;
    const char *list = "";
    for (int k = 0; k < q->n; k++)
      list = arena_printf(build->arena, "%s%s`%s`", list,
                          !*list          ? ""
                          : k == q->n - 1 ? " or "
                                          : ", ",
                          clause_word(q->any[k]));
    const char *word = rule_kind_word(q->kind);
    Diag *d = diag_report(build->diags, DIAG_CLAUSE_MISSING, r->def->span,
                          "%s `%s` needs %s", article(word), word, list);
    if (q->n == 1)
      diag_note(build->diags, d, "`%s`: %s", clause_word(q->any[0]),
                clause_info[q->any[0]].help);
  }
}

static const Def *pattern_of(Build *build, const Def *def) {
  if (!def->is) return NULL;
  Symbol *symbol = symbol_find(build, SPACE_PATTERNS, def->is->text);
  if (!symbol) {
    const char **names = ARENA_ARRAY(build->arena, const char *, build->symbols + 1);
    size_t n = 0;
    for (Def *d = build->flat->first; d; d = d->next)
      if (!d->removed && d->kind == N_PATTERN && n < (size_t)build->symbols)
        names[n++] = d->name;
    Diag *d = diag_report(build->diags, DIAG_UNKNOWN_NAME, def->is->name,
                          "there is no pattern `%s`", def->is->text);
    const char *near = text_nearest(def->is->text, names, n);
    if (near)
      diag_note(build->diags, d, "did you mean `%s`?", near);
    else
      diag_note(build->diags, d, "patterns come from libraries: is a `use` missing?");
    return NULL;
  }
  symbol->used++;
  const Def *pattern = symbol->def;
  if (pattern->rule != def->rule) {
    Diag *d = diag_report(build->diags, DIAG_PATTERN_KIND, def->is->name,
                          "`%s` is a pattern for %s, and this is %s %s", pattern->name,
                          rule_kind_word(pattern->rule),
                          article(rule_kind_word(def->rule)), rule_kind_word(def->rule));
    diag_note_at(build->diags, d, pattern->span, "it is defined here");
    return NULL;
  }
  const Node *wanted = node_find(pattern->node, N_ARGS),
             *given = node_find(def->is, N_ARGS);
  int w = wanted ? node_count(wanted) : 0, g = given ? node_count(given) : 0;
  if (w != g) {
    Diag *d = diag_report(build->diags, DIAG_ARGUMENTS, def->is->span,
                          "pattern `%s` wants %d argument%s, and here %s %d",
                          pattern->name, w, w == 1 ? "" : "s", g == 1 ? "is" : "are", g);
    diag_note_at(build->diags, d, pattern->span, "it is defined here");
    return NULL;
  }
  return pattern;
}

/* Costs of all clauses, for every member of `for`. */
static void check_cost(const Ruling *r, const Rule *rule) {
  const Expr *parts[] = {rule->when,   rule->unless,   rule->take,
                         rule->leaves, rule->maximize, rule->winner,
                         rule->loser,  rule->among,    rule->worth};
  double cost = 0, members = 1;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    cost += parts[i] ? parts[i]->cost : 0;
  for (int i = 0; i < rule->do_.n; i++) {
    cost += rule->do_.at[i].a ? rule->do_.at[i].a->cost : 0;
    cost += rule->do_.at[i].b
                ? rule->do_.at[i].b->cost *
                      (rule->do_.at[i].of ? r->build->rules->board.sites : 1)
                : 0;
  }
  if (rule->for_)
    members = rule->for_->type == TYPE_PLAYERS ? SEATS_MAX : r->build->rules->board.sites;
  if (rule->take)
    members *=
        r->build->rules->board.sites; /* when and unless are judged for every victim */
  if (cost * members <= COST_MAX * 10) return;
  diag_report(r->build->diags, DIAG_TOO_COSTLY, r->def->span,
              "%s would take too long on a board of %d sites", ruling_name(r),
              r->build->rules->board.sites);
}

static void note_clauses(const Ruling *r, bool *has, Span *where) {
  for (int i = 0; i < CLAUSE_COUNT; i++) {
    const FlatClause *c = ruling_clause(r, (ClauseId)i);
    if (!c || !clause_fits((ClauseId)i, r->def->rule)) continue;
    has[i] = true;
    where[i] =
        c->node->kid ? span_join(c->node->kid->span, c->node->span) : c->node->span;
  }
}

/* The clauses that are one value each. */
static void values(Ruling *r, Rule *rule) {
#define SET(field, ID, type)                \
  if (clause_fits(CLAUSE_##ID, rule->kind)) \
  rule->field = ruling_value(r, CLAUSE_##ID, type)
#define SET_PLAYERS(field, ID) \
  if (clause_fits(CLAUSE_##ID, rule->kind)) rule->field = ruling_players(r, CLAUSE_##ID)
  SET(who, WHO, TYPE_PIECES);
  SET(from, FROM, TYPE_SITES);
  SET(along, ALONG, TYPE_WAYS);
  SET(through, THROUGH, TYPE_SITES);
  SET(to, TO, TYPE_SITES);
  SET(take, TAKE, TYPE_PIECES);
  SET(when, WHEN, TYPE_CONDITION);
  SET(unless, UNLESS, TYPE_CONDITION);
  SET(leaves, LEAVES, TYPE_CONDITION);
  SET(maximize, MAXIMIZE, TYPE_NUMBER);
  SET_PLAYERS(winner, WINNER);
  SET_PLAYERS(loser, LOSER);
  SET_PLAYERS(among, AMONG);
  SET(worth, WORTH, TYPE_NUMBER);
#undef SET
#undef SET_PLAYERS
}

/* Its own sentence, or its pattern's. */
static void sentence(const Build *build, const Ruling *r, Rule *rule) {
  const char *russian = names_intern0(build->names, "ru");
  rule->doc = node_doc(r->def->said, NULL);
  rule->doc_ru = node_doc(r->def->said, russian);
  if (rule->doc || !r->pattern) return;
  rule->doc = node_doc(r->pattern->node, NULL);
  rule->doc_ru = node_doc(r->pattern->node, russian);
}

static void define_rule(Build *build, Def *def, Rule *rule) {
  Ruling r = {0};
  r.build = build;
  r.def = def;
  r.rule = rule;
  r.pattern = pattern_of(build, def);
  rule->pattern = def->is ? def->is->text : NULL;
  sentence(build, &r, rule);
  check_words(build, def, def->rule);
  if (!def->is || r.pattern) check_required(&r);
  note_clauses(&r, rule->has, rule->where);
  rule->exists = ruling_exists(&r, CLAUSE_IF);
  judged(&r, rule);
  r.whole_turns = rule->kind == RULE_FORBID && rule->judged == JUDGED_END;
  if (clause_fits(CLAUSE_FOR, rule->kind))
    rule->for_ = ruling_value(&r, CLAUSE_FOR, TYPE_SITES);
  if (ruling_clause(&r, CLAUSE_FOR) && clause_fits(CLAUSE_FOR, rule->kind))
    r.members = !rule->for_                        ? DEP_HERE | DEP_EACH
                : rule->for_->type == TYPE_PLAYERS ? DEP_EACH
                                                   : DEP_HERE;
  if (clause_fits(CLAUSE_CHOOSE, rule->kind)) choose(&r, rule);
  values(&r, rule);
  if (rule->who) {
    Scope scope = ruling_scope(&r, CLAUSE_WHO);
    rule->who = own_pieces(&scope, rule->who);
  }
  if (clause_fits(CLAUSE_REACH, rule->kind))
    ruling_range(&r, CLAUSE_REACH, &rule->reach_low, &rule->reach_high);
  rule->takes_die = (rule->reach_low && rule->reach_low->deps & DEP_DIE) ||
                    (rule->reach_high && rule->reach_high->deps & DEP_DIE);
  if (clause_fits(CLAUSE_DO, rule->kind)) rule->do_ = effects(&r, CLAUSE_DO);
  if (clause_fits(CLAUSE_ACCEPT, rule->kind)) rule->accept = effects(&r, CLAUSE_ACCEPT);
  if (clause_fits(CLAUSE_DECLINE, rule->kind))
    rule->decline = effects(&r, CLAUSE_DECLINE);
  check_cost(&r, rule);
}

/* ---- all rules ---- */

static int phase_index(const Build *build, const char *name) {
  for (int i = 0; name && i < build->rules->phases; i++)
    if (build->phase[i].name == name) return i;
  return -1;
}

/* Numbers the rules, so that others can speak of them before they are made. */
void number_rules(Build *build) {
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_RULE || d->rule == RULE_TURN || d->rule == RULE_KINDS)
      continue;
    if (build->rules->rules == RULES_MAX) {
      if (!build->failed)
        diag_report(build->diags, DIAG_TOO_MANY, d->span, "more than %d rules",
                    RULES_MAX);
      build->failed = true;
      return;
    }
    int i = build->rules->rules++;
    Rule *rule = &build->rule[i];
    rule->kind = d->rule;
    rule->index = i;
    rule->name = d->name;
    rule->atom = atom_of(build, d->name, d->span);
    rule->span = d->span;
    rule->see = node_see(build->arena, d->node);
    rule->phase = phase_index(build, d->phase);
    Symbol *symbol = symbol_find(build, SPACE_RULES, d->name);
    if (symbol) symbol->index = i;
  }
}

void define_rules(Build *build) {
  int i = 0;
  for (Def *d = build->flat->first; d && i < build->rules->rules; d = d->next) {
    if (d->removed || d->kind != N_RULE || d->rule == RULE_TURN || d->rule == RULE_KINDS)
      continue;
    build->by_params = false;
    define_rule(build, d, &build->rule[i]);
    build->rule_by_params[i++] = build->by_params;
  }
  for (Def *d = build->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_PATTERN) check_words(build, d, d->rule);
  Rules *rules = build->rules;
  for (int k = 0; k < RULE_KINDS; k++) {
    int *list = ARENA_ARRAY(build->arena, int, rules->rules + 1);
    for (int n = 0; n < rules->rules; n++)
      if ((int)build->rule[n].kind == k && build->rule[n].exists)
        list[rules->of_kind_n[k]++] = n;
    rules->of_kind[k] = list;
  }
}

void check_rule_shapes(Build *build) {
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || (d->kind != N_RULE && d->kind != N_PATTERN) ||
        d->rule == RULE_KINDS)
      continue;
    check_words(build, d, d->rule);
    if (d->kind == N_PATTERN) continue;
    Ruling r = {0};
    r.build = build;
    r.def = d;
    r.pattern = pattern_of(build, d);
    if (!d->is || r.pattern) check_required(&r);
  }
}
