/* Findings of `check`: what is allowed and most likely a mistake. Only what the file at
 * hand defines is looked at; nothing is said of what depends on params, except where no
 * value of them could make it right. Never a false alarm is the rule: when in doubt,
 * silence. */
#include "front/resolve.h"

#include <stdio.h>
#include <string.h>

enum {
  WALK_MOST = 1000000
}; /* cost of an expression that is looked into; else anything may be */

static Diags *diags(Build *build) {
  return build->diags;
}

static bool is_own(const Build *build, const Def *def) {
  return def->unit->node == build->flat->unit->node;
}

/* ---- brackets ---- */

static const Node *kid(const Node *node, int i) {
  return node_kid(node, i);
}

static void lint_expression(Build *build, const Node *n) {
  const Node *left = kid(n, 0), *right = kid(n, 1);
  if ((n->kind == N_E_AT || n->kind == N_E_EXCEPT) && left && left->kind == N_E_ADD &&
      !left->parens) {
    const char *word = n->kind == N_E_AT ? "at" : "except";
    Diag *d = diag_report(diags(build), DIAG_BRACKETS, left->span,
                          "`+` binds before `%s`: this is (%s) %s …", word,
                          words_at(build, left->span), word);
    diag_note(diags(build), d, "put brackets round what belongs together");
  }
  if (n->kind == N_E_OR)
    for (const Node *k = left; k; k = k == left ? right : NULL)
      if (k->kind == N_E_AND && !k->parens) {
        Diag *d = diag_report(
            diags(build), DIAG_BRACKETS, k->span,
            "`and` binds before `or`; beside each other they are easily misread");
        diag_note(diags(build), d, "write (%s)", words_at(build, k->span));
      }
}

/* A misspelt tag would hide its text for ever: languages have two letters. */
static void lint_tag(Build *build, const Node *text) {
  if (text->kind != N_DOC_TEXT || !text->tag || strlen(text->tag) == 2) return;
  static const char *const tags[] = {"see", "option", "ru", "en", "de", "is", "no", "sv"};
  if (!strcmp(text->tag, "see") || !strcmp(text->tag, "option")) return;
  Span tag = {text->name.file, text->span.start,
              text->span.start + (int)strlen(text->tag)};
  Diag *d = diag_report(diags(build), DIAG_BAD_TAG, tag,
                        "`%s` is no tag: this text is shown nowhere", text->tag);
  const char *near = text_nearest(text->tag, tags, sizeof tags / sizeof *tags);
  if (near)
    diag_note(diags(build), d, "did you mean `%s`?", near);
  else
    diag_note(diags(build), d,
              "a tag is a language of two letters, such as ru, or `see`, or `option`");
}

void lint_tree(Build *build, const Node *node) {
  lint_expression(build, node);
  lint_tag(build, node);
  for (const Node *k = node->kid; k; k = k->next) lint_tree(build, k);
}

/* ---- unused ---- */

static bool may_be_unused(NodeKind kind) {
  return kind == N_REGION || kind == N_LET || kind == N_PATH || kind == N_PARAM ||
         kind == N_STATE || kind == N_LABEL || kind == N_DICE || kind == N_HOOK ||
         kind == N_POCKET || kind == N_PATTERN;
}

/* A label whose values name single sites serves input. */
static bool names_sites(const Build *build, const Symbol *symbol) {
  return symbol->kind == N_LABEL && symbol->index >= 0 &&
         build->label[symbol->index].type == TYPE_VALUES;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

static bool has_word(const char *text, size_t length, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= length; i++) {
    const char *at = memmem(text + i, length - i, word, n);
    if (!at) return false;
    i = (size_t)(at - text);
    if ((i == 0 || !is_letter(text[i - 1])) && (i + n == length || !is_letter(text[i + n]))) return true;
  }
  return false;
}
/* Whether a script of the game has the name for a word: then it may ask for it, as may one that is too long to be read. */
static bool is_scripted(const Build *build, const char *name) {
  enum { READ_MOST = 1 << 17 };
  bool found = false;
  char *text = build->rules->hooks ? memory_resize(NULL, READ_MOST) : NULL;
  for (int i = 0; i < build->rules->hooks && !found; i++) {
    FILE *script = build->hook[i].path ? fopen(build->hook[i].path, "r") : NULL;
    if (!script) continue;
    size_t length = fread(text, 1, READ_MOST, script);
    found = length == READ_MOST || has_word(text, length, name);
    fclose(script);
  }
  memory_resize(text, 0);
  return found;
}

static void lint_unused(Build *build) {
  for (const Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || !d->name || !is_own(build, d) || !may_be_unused(d->kind)) continue;
    Symbol *symbol =
        symbol_find(build, d->kind == N_PATTERN ? SPACE_PATTERNS : SPACE_NAMES, d->name);
    if (!symbol || symbol->used || names_sites(build, symbol)) continue;
    bool seats = d->kind == N_PARAM && !strcmp(d->name, "seats");
    if (seats || is_scripted(build, d->name)) continue;
    Diag *e = diag_report(diags(build), DIAG_UNUSED, d->span, "%s `%s` is used nowhere",
                          def_word(d), d->name);
    if (d->kind == N_STATE) diag_note(diags(build), e, "no rule asks for it");
  }
}

/* ---- rules ---- */

static const Def *def_of(const Build *build, const Rule *rule) {
  for (const Def *d = build->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_RULE && d->rule == rule->kind &&
        d->name == rule->name)
      return d;
  return NULL;
}

static void never(Build *build, const Rule *rule, ClauseId clause, const char *why) {
  Span span = rule->where[clause].end > 0 ? rule->where[clause] : rule->span;
  Diag *d =
      diag_report(diags(build), DIAG_NEVER_APPLIES, span, "%s `%s` can never apply: %s",
                  rule_kind_word(rule->kind), rule->name, why);
  if (span.file != rule->span.file)
    diag_note_at(diags(build), d, rule->span, "the rule is here");
}

static bool nothing_to_choose(const Rule *rule) {
  for (int i = 0; i < rule->choose_n; i++)
    if (!constant_empty(rule->choose[i])) return false;
  return rule->choose_n > 0;
}

/* Whether all that it does concerns pieces of which there can be none. */
static bool does_nothing(const Rule *rule) {
  for (int i = 0; i < rule->do_.n; i++) {
    const Effect *e = &rule->do_.at[i];
    bool pieces =
        e->op == EFFECT_TAKE || e->op == EFFECT_PUT || e->op == EFFECT_MAKE;
    if (!pieces || !constant_empty(e->a)) return false;
  }
  return rule->do_.n > 0;
}

static void lint_never(Build *build, const Rule *rule) {
  if (build->rule_by_params[rule->index]) return;
  if (!rule->exists)
    never(build, rule, CLAUSE_IF, "its `if` is always false");
  else if (rule->when && is_false(rule->when))
    never(build, rule, CLAUSE_WHEN, "its `when` is always false");
  else if (rule->unless && is_true(rule->unless))
    never(build, rule, CLAUSE_UNLESS, "its `unless` is always true");
  else if (rule->who && constant_empty(rule->who))
    never(build, rule, CLAUSE_WHO, "nobody has such pieces");
  else if (rule->take && constant_empty(rule->take))
    never(build, rule, CLAUSE_TAKE, "nobody has such pieces");
  else if (rule->from && constant_empty(rule->from))
    never(build, rule, CLAUSE_FROM, "`from` is always empty");
  else if (rule->to && constant_empty(rule->to))
    never(build, rule, CLAUSE_TO, "`to` is always empty");
  else if (rule->along && constant_empty(rule->along))
    never(build, rule, CLAUSE_ALONG, "there is no way along which it could go");
  else if (rule->for_ && (constant_empty(rule->for_) || constant_nobody(rule->for_)))
    never(build, rule, CLAUSE_FOR, "`for` is always empty");
  else if (nothing_to_choose(rule))
    never(build, rule, CLAUSE_CHOOSE, "there is nothing to choose");
  else if (does_nothing(rule))
    never(build, rule, CLAUSE_DO, "nobody has such pieces");
  else if (rule->maximize && rule->maximize->deps == 0)
    never(build, rule, CLAUSE_MAXIMIZE, "`maximize` is the same for every turn");
}

static bool same_clauses(const Def *a, const Def *b) {
  int n = 0, m = 0;
  for (const FlatClause *c = a->clauses; c; c = c->next) {
    const FlatClause *d = def_clause(b, c->word);
    if (!d || !nodes_equal(c->node, d->node)) return false;
    n++;
  }
  for (const FlatClause *c = b->clauses; c; c = c->next) m++;
  return n == m;
}

static void lint_same(Build *build) {
  for (const Def *a = build->flat->first; a; a = a->next) {
    if (a->removed || a->kind != N_RULE || a->rule == RULE_TURN || !is_own(build, a))
      continue;
    for (const Def *b = build->flat->first; b && b != a; b = b->next) {
      if (b->removed || b->kind != N_RULE || b->rule != a->rule || b->phase != a->phase)
        continue;
      if (!nodes_equal(a->is, b->is) || !same_clauses(a, b)) continue;
      Diag *d = diag_report(diags(build), DIAG_SAME_RULES, a->span,
                            "%s `%s` says exactly what `%s` says", def_word(a), a->name,
                            b->name);
      diag_note_at(diags(build), d, b->span, "`%s` is here", b->name);
      break;
    }
  }
}

/* ---- pieces, players, ends ---- */

/* Planes that a set of pieces may hold at most. */
static uint32_t planes_at_most(const Build *build, const Expr *e) {
  uint32_t all = build->rules->planes == 32 ? ~0u : (1u << build->rules->planes) - 1;
  if (!e) return 0;
  if (e->cost > WALK_MOST) return all;
  switch (e->op) {
    case X_PIECES_CONST:
      return (uint32_t)e->a;
    case X_PIECES_KIND: {
      uint32_t planes = 0;
      for (int i = 0; i < build->rules->planes; i++)
        if (((uint32_t)e->a >> build->rules->plane[i].kind) & 1) planes |= 1u << i;
      return planes;
    }
    case X_UNION:
      return planes_at_most(build, e->kid[0]) | planes_at_most(build, e->kid[1]);
    case X_MEET:
      return planes_at_most(build, e->kid[0]) & planes_at_most(build, e->kid[1]);
    case X_MINUS:
      if (e->kid[1]->op == X_PIECES_CONST)
        return planes_at_most(build, e->kid[0]) & ~(uint32_t)e->kid[1]->a;
      return planes_at_most(build, e->kid[0]);
    case X_PIECES_AT:
    case X_PIECES_OFF:
    case X_WHERE:
    case X_LET:
      return planes_at_most(build, e->kid[0]);
    default:
      return all;
  }
}

static uint32_t planes_in_effects(const Build *build, Effects effects, bool *hook) {
  uint32_t planes = 0;
  for (int i = 0; i < effects.n; i++) {
    const Effect *e = &effects.at[i];
    if (e->op == EFFECT_HOOK) *hook = true;
    if (e->op == EFFECT_PUT || e->op == EFFECT_MAKE || e->op == EFFECT_TAKE)
      planes |= planes_at_most(build, e->a);
    if (e->op == EFFECT_MAKE)
      for (int p = 0; p < build->rules->planes; p++)
        if (build->rules->plane[p].kind == e->kind) planes |= 1u << p;
  }
  return planes;
}

static void lint_pieces(Build *build) {
  const Rules *rules = build->rules;
  uint32_t moved = 0;
  bool hook = false;
  for (int i = 0; i < rules->rules; i++) {
    const Rule *r = &build->rule[i];
    if (r->kind == RULE_MOVE) moved |= planes_at_most(build, r->who);
    moved |=
        planes_in_effects(build, r->do_, &hook) & (r->kind == RULE_CAPTURE ? 0 : ~0u);
    moved |= planes_in_effects(build, r->accept, &hook) |
             planes_in_effects(build, r->decline, &hook);
  }
  if (hook) return;
  for (const Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_PIECE || !is_own(build, d)) continue;
    int k = find_kind(build, d->name),
        seat = d->owner ? find_player(build, d->owner) : -1;
    if (k < 0) continue;
    for (int s = 0; s < rules->seats; s++) {
      int plane = build->kind[k].plane[s];
      if (plane < 0 || (seat >= 0 && s != seat) || (moved >> plane) & 1) continue;
      Diag *e = diag_report(diags(build), DIAG_NEVER_MOVES, d->span,
                            "no rule can move %s of %s", d->name, rules->player[s]);
      diag_note(diags(build), e,
                "no `move` has this piece in its `who`, and no effect puts or makes it");
      break;
    }
  }
}

/* Players that a set may hold at most. */
static uint32_t players_at_most(const Build *build, const Expr *e) {
  if (!e || e->cost > WALK_MOST) return build->seated;
  switch (e->op) {
    case X_PLAYERS_CONST:
      return (uint32_t)e->a & build->seated;
    case X_UNION:
      return players_at_most(build, e->kid[0]) | players_at_most(build, e->kid[1]);
    case X_MEET:
      return players_at_most(build, e->kid[0]) & players_at_most(build, e->kid[1]);
    case X_WHERE:
    case X_LET:
    case X_MINUS:
      return players_at_most(build, e->kid[0]);
    default:
      return build->seated;
  }
}

/* With `mover = P` among the conditions, the mover can only be P. */
static uint32_t movers(const Build *build, const Expr *when) {
  if (!when) return build->seated;
  if (when->op == X_AND) return movers(build, when->kid[0]) & movers(build, when->kid[1]);
  if (when->op == X_EQ && when->kid[0]->op == X_MOVER &&
      when->kid[1]->op == X_PLAYERS_CONST)
    return (uint32_t)when->kid[1]->a;
  return build->seated;
}

static void lint_ends(Build *build) {
  const Rules *rules = build->rules;
  uint32_t winners = 0;
  bool ends = false;
  for (int i = 0; i < rules->rules; i++) {
    const Rule *r = &build->rule[i];
    ends |= r->kind == RULE_WIN || r->kind == RULE_LOSE || r->kind == RULE_DRAW;
    if (r->kind == RULE_WIN)
      winners |= r->winner && r->winner->op != X_MOVER ? players_at_most(build, r->winner)
                                                       : movers(build, r->when);
    if (r->kind == RULE_LOSE) {
      uint32_t losers = r->loser && r->loser->op != X_MOVER
                            ? players_at_most(build, r->loser)
                            : movers(build, r->when);
      winners |=
          losers & (losers - 1)
              ? build->seated
              : build->seated & ~losers; /* several may lose: then any may be left */
    }
    if (r->kind == RULE_DRAW && r->among) winners |= players_at_most(build, r->among);
  }
  Span span = build->flat->unit->node->name;
  if (!ends) {
    Diag *d = diag_report(diags(build), DIAG_NO_END, span,
                          "no rule brings this game to an end");
    diag_note(diags(build), d, "a game needs a `win`, a `lose` or a `draw`");
    return;
  }
  for (int s = 0; s < rules->seats; s++)
    if (!((winners >> s) & 1))
      diag_report(diags(build), DIAG_NEVER_WINS, span, "no rule lets %s win",
                  rules->player[s]);
}

/* ---- what a move needs ---- */

typedef struct Needs {
  Build *build;
  uint32_t without; /* players without the path */
  int path;
  bool die;
} Needs;

static void note_need(void *data, const Expr *e) {
  Needs *needs = data;
  if (e->op == X_DIE) needs->die = true;
  if (e->op != X_WAYS_PATH || e->kid[0]->op != X_MOVER) return;
  uint32_t with = 0;
  for (int i = 0; i < needs->build->rules->paths; i++) {
    const Path *path = &needs->build->path[i];
    if (path->name == e->a) with |= path->owner < 0 ? ~0u : 1u << path->owner;
  }
  needs->without |= needs->build->seated & ~with;
  needs->path = e->a;
}

/* A path that a player lacks, a die that nobody throws: such a move is never possible. */
static void lint_needs(Build *build, const Rule *rule) {
  if (rule->kind != RULE_MOVE || !rule->exists) return;
  Needs needs = {build, 0, -1, false};
  const Expr *parts[] = {rule->along, rule->reach_low, rule->reach_high};
  build->mark++;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    expr_visit(build, parts[i], note_need, &needs);
  uint32_t planes = planes_at_most(build, rule->who), seats = movers(build, rule->when);
  for (int s = 0; s < build->rules->seats; s++) {
    if (!((needs.without & seats) >> s & 1) || !(planes & build->rules->planes_of[s]))
      continue;
    Diag *d = diag_report(diags(build), DIAG_NEVER_MOVES, rule->span,
                          "move `%s` goes along path `%s`, and %s has none", rule->name,
                          build->path_name[needs.path], build->rules->player[s]);
    diag_note(diags(build), d, "path %s of %s = …", build->path_name[needs.path],
              build->rules->player[s]);
  }
  bool rolls = false;
  for (int i = 0; i < build->rules->phases; i++) rolls |= build->phase[i].turn.pool >= 0;
  if (!needs.die || rolls) return;
  Diag *d = diag_report(diags(build), DIAG_NEVER_APPLIES, rule->span,
                        "move `%s` can never apply: it needs a die, and no turn rolls",
                        rule->name);
  const Def *dice = flat_find(build->flat, N_DICE, NULL, NULL);
  diag_note(diags(build), d, "turn { roll %s }", dice ? dice->name : "…");
}

/* ---- phases ---- */

/* Whether some rule sets the phase to what is found only in the game. */
static bool asks_for_phase(const Rules *rules) {
  for (int i = 0; i < rules->rules; i++)
    for (int k = 0; k < rules->rule[i].do_.n; k++) {
      const Effect *e = &rules->rule[i].do_.at[k];
      if (e->op == EFFECT_SET && e->target == TARGET_PHASE && e->b && e->b->op != X_VALUES_CONST) return true;
    }
  return false;
}

static void lint_phases(Build *build) {
  const Rules *rules = build->rules;
  bool start = true;
  if (asks_for_phase(rules)) return;
  for (int i = 0; i < rules->phases; i++) {
    const Phase *p = &build->phase[i];
    if (!*p->name) return;
    Symbol *symbol = symbol_find(build, SPACE_NAMES, p->name);
    bool can_start =
        start && (!p->if_ || !is_false(p->if_) || (symbol && build->phase_by_params[i]));
    if (!can_start && symbol && !symbol->used)
      diag_report(
          diags(build), DIAG_UNREACHABLE_PHASE, p->span,
          "no game comes to phase `%s`: it does not begin there, and no rule sets it",
          p->name);
    if (!p->if_) start = false;
  }
}

/* ---- numbers ---- */

typedef struct Pockets {
  Build *build;
  const Rule *rule;
  bool found;
  Span span;
} Pockets;

/* `count X` of pieces wherever they are, compared with a number. */
static void count_anywhere(void *data, const Expr *e) {
  Pockets *p = data;
  if (e->op != X_EQ && e->op != X_NE && e->op != X_LT && e->op != X_LE) return;
  for (int i = 0; i < 2; i++) {
    const Expr *count = e->kid[i], *number = e->kid[1 - i];
    if (count->op != X_COUNT || number->op != X_NUMBER) continue;
    const Expr *of = count->kid[0];
    while (of->op == X_LET) of = of->kid[0];
    if (of->op != X_PIECES_KIND && of->op != X_PIECES_CONST) continue;
    p->found = true;
    p->span = count->span;
  }
}

static void lint_pockets(Build *build, const Rule *rule) {
  Pockets p = {build, rule, false, {-1, 0, 0}};
  const Expr *parts[] = {rule->when, rule->unless, rule->leaves, rule->for_};
  build->mark++;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    expr_visit(build, parts[i], count_anywhere, &p);
  if (!p.found) return;
  Diag *d = diag_report(diags(build), DIAG_POCKET_COUNTED, p.span,
                        "this counts pieces in the pockets, too");
  diag_note(diags(build), d,
            "for those on the board write `%s at sites`, for all `… at everywhere`",
            words_at(build, p.span));
}

/* A param that is put into a state whose range is smaller. */
static void lint_ranges(Build *build, const Node *node) {
  const Node *target = node->kind == N_DO_SET || node->kind == N_PUT_STATE
                           ? node_find(node, N_TARGET)
                           : NULL;
  const Node *value = target ? target->next : NULL;
  if (value && value->kind == N_E_NAME) {
    Symbol *s = symbol_find(build, SPACE_NAMES, target->text),
           *v = symbol_find(build, SPACE_NAMES, value->text);
    if (s && v && s->kind == N_STATE && v->kind == N_PARAM && s->index >= 0 &&
        v->index >= 0) {
      const State *state = &build->state[s->index];
      const Param *param = &build->param[v->index];
      if (state->type == TYPE_NUMBER && param->type == TYPE_NUMBER &&
          (param->low < state->low || param->high > state->high)) {
        Diag *d = diag_report(diags(build), DIAG_LEAVES_RANGE, value->span,
                              "`%s` can be %d .. %d, and state `%s` holds only %d .. %d",
                              param->name, param->low, param->high, state->name,
                              state->low, state->high);
        diag_note(diags(build), d,
                  "a number that would leave its range stops at its end");
      }
    }
  }
  for (const Node *k = node->kid; k; k = k->next) lint_ranges(build, k);
}

void lint_rules(Build *build) {
  const Rules *rules = build->rules;
  lint_unused(build);
  lint_tree(build, build->flat->unit->node);
  lint_ranges(build, build->flat->unit->node);
  lint_same(build);
  for (int i = 0; i < rules->rules; i++) {
    const Def *def = def_of(build, &build->rule[i]);
    if (!def || (!is_own(build, def) && !def->touched)) continue;
    lint_never(build, &build->rule[i]);
    lint_needs(build, &build->rule[i]);
    if (is_own(build, def) && !sites_is_empty(&rules->board.pockets))
      lint_pockets(build, &build->rule[i]);
  }
  lint_pieces(build);
  lint_ends(build);
  lint_phases(build);
}
