/* Scenarios, as far as they can be checked without playing: sites, pieces, players, dice,
 * rules and clauses that they name, and the types of what they expect. Those of a base or
 * a library are checked with it, not in the house that inherits them. */
#include "front/resolve.h"

#include <string.h>

static void unknown(Build *build, Span span, const char *what, const char *name,
                    const char *const *all, int n) {
  Diag *d =
      diag_report(build->diags, DIAG_SCENE_NAME, span, "there is no %s `%s`", what, name);
  const char *near = text_nearest(name, all, (size_t)n);
  const Board *board = &build->rules->board;
  if (near) {
    diag_note(build->diags, d, "did you mean `%s`?", near);
  } else if (all == board->name && board->shape == BOARD_GRID) {
    diag_note(build->diags, d, "the board goes from a1 to %c%d", 'a' + board->files - 1,
              board->ranks);
  } else if (all == board->name && board->shape == BOARD_POINTS) {
    diag_note(build->diags, d, "the board goes from 1 to %d", board->squares);
  } else if (n > 0 && n <= 8) {
    const char *list = all[0];
    for (int i = 1; i < n; i++) list = arena_printf(build->arena, "%s, %s", list, all[i]);
    diag_note(build->diags, d, n == 1 ? "there is: %s" : "there are: %s", list);
  }
}

static const char *const *rule_names(Build *build, bool picks, int *n) {
  const char **names = ARENA_ARRAY(build->arena, const char *, build->rules->rules + 2);
  *n = 0;
  for (int i = 0; i < build->rules->rules; i++) {
    RuleKind kind = build->rule[i].kind;
    if (!picks || kind == RULE_OFFER || kind == RULE_CHOICE)
      names[(*n)++] = build->rule[i].name;
  }
  if (picks) names[(*n)++] = "pass";
  return names;
}

static void check_hop(Build *build, const Node *hop) {
  const Rules *rules = build->rules;
  if (hop->text && find_kind(build, hop->text) < 0) {
    const char **names = ARENA_ARRAY(build->arena, const char *, rules->kinds + 1);
    for (int i = 0; i < rules->kinds; i++) names[i] = build->kind[i].name;
    unknown(build, hop->name, "piece", hop->text, names, rules->kinds);
  }
  for (const Node *w = hop->kid; w; w = w->next)
    if (w->kind == N_WORD && rules->board.squares && rules_site(rules, w->text) < 0)
      unknown(build, w->span, "site", w->text, rules->board.name, rules->board.sites);
}

static void check_pick(Build *build, const Node *pick) {
  if (!strcmp(pick->text, "pass")) return;
  int i = rules_rule(build->rules, pick->text), n;
  if (i < 0) {
    const char *const *names = rule_names(build, true, &n);
    if (strpbrk(pick->text, "0123456789") && strpbrk(pick->text, "xX"))
      diag_note(build->diags,
                diag_report(build->diags, DIAG_SCENE_NAME, pick->span,
                            "there is no offer or choice `%s`", pick->text),
                "a step is written with a hyphen, also where it captures: a1-a4");
    else
      unknown(build, pick->span, "offer or choice", pick->text, names, n);
    return;
  }
  const Rule *rule = &build->rule[i];
  if (rule->kind != RULE_OFFER && rule->kind != RULE_CHOICE)
    diag_report(build->diags, DIAG_SCENE_STEP, pick->span,
                "`%s` is a %s rule; by name one plays offers and choices", pick->text,
                rule_kind_word(rule->kind));
  else if (pick->tag && !rule->choose_name)
    diag_report(build->diags, DIAG_SCENE_STEP, pick->span,
                "`%s` leaves nothing to choose", pick->text);
  else if (!pick->tag && rule->choose_name) {
    Diag *d = diag_report(build->diags, DIAG_SCENE_STEP, pick->span,
                          "`%s` must say what is chosen", pick->text);
    diag_note(build->diags, d, "write `%s = …`", pick->text);
  }
}

static void check_move(Build *build, const Node *step) {
  const Node *move = node_find(step, N_MOVE);
  for (const Node *n = move ? move->kid : NULL; n; n = n->next) {
    if (n->kind == N_HOP) check_hop(build, n);
    if (n->kind == N_PICK) check_pick(build, n);
  }
}

static const char *clauses_of(Build *build, const Rule *rule) {
  const char *list = "";
  for (int i = 0; i < CLAUSE_COUNT; i++)
    if (rule->has[i])
      list = arena_printf(build->arena, "%s%s%s", list, *list ? ", " : "",
                          clause_word((ClauseId)i));
  return *list ? list : "none";
}

static void check_because(Build *build, const Node *because) {
  if (!because) return;
  ClauseId id = CLAUSE_COUNT;
  for (int i = 0; because->tag && i < CLAUSE_COUNT; i++)
    if (!strcmp(clause_word((ClauseId)i), because->tag)) id = (ClauseId)i;
  if (!strcmp(because->text, "turn")) {
    if (because->tag && (id == CLAUSE_COUNT || !clause_fits(id, RULE_TURN)))
      diag_report(build->diags, DIAG_SCENE_BECAUSE, because->span, "a turn has no `%s`",
                  because->tag);
    return;
  }
  int i = rules_rule(build->rules, because->text), n;
  if (i < 0) {
    const char *const *names = rule_names(build, false, &n);
    Diag *d = diag_report(build->diags, DIAG_SCENE_BECAUSE, because->span,
                          "there is no rule `%s`", because->text);
    const char *near = text_nearest(because->text, names, (size_t)n);
    if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
    return;
  }
  const Rule *rule = &build->rule[i];
  if (!because->tag || (id != CLAUSE_COUNT && rule->has[id])) return;
  if (rule->pattern &&
      !symbol_find(build, SPACE_PATTERNS, names_intern0(build->names, rule->pattern)))
    return; /* the pattern is unknown, and with it the clauses */
  if (rule->kind == RULE_MOVE && id == CLAUSE_REACH)
    return; /* one step, unless it says otherwise */
  Diag *d =
      diag_report(build->diags, DIAG_SCENE_BECAUSE, because->span, "%s `%s` has no `%s`",
                  rule_kind_word(rule->kind), rule->name, because->tag);
  diag_note(build->diags, d, "its clauses are: %s", clauses_of(build, rule));
}

static void check_dice(Build *build, const Node *step) {
  const Rules *rules = build->rules;
  const DicePool *pool = NULL;
  for (int i = 0; i < rules->phases; i++)
    if (build->phase[i].turn.pool >= 0) pool = &build->pool[build->phase[i].turn.pool];
  if (!pool) {
    diag_report(build->diags, DIAG_SCENE_STEP, step->span,
                "no dice are rolled in this game");
    return;
  }
  int wanted = pool->total ? 1 : pool->dice, n = 0;
  for (const Node *k = step->kid; k; k = k->next, n++) {
    bool shown = false;
    for (int f = 0; f < pool->faces && !pool->total; f++)
      shown |= pool->face[f] == k->number;
    for (int t = 0; pool->total && t <= pool->total_high - pool->total_low; t++)
      shown |= pool->total_value[t] == k->number;
    if (!shown)
      diag_report(build->diags, DIAG_SCENE_STEP, k->span, "these dice never show %d",
                  k->number);
  }
  if (n != wanted)
    diag_report(build->diags, DIAG_SCENE_STEP, step->span,
                "a throw of `%s` shows %d number%s, and here %s %d", pool->name, wanted,
                wanted == 1 ? "" : "s", n == 1 ? "is" : "are", n);
}

static Scope scene_scope(Build *build) {
  Scope scope = scope_open(build, "a scenario");
  scope.allowed &=
      ~(uint32_t)(DEP_HERE | DEP_EACH | DEP_VICTIM | DEP_DIE | DEP_CHOSEN | DEP_ANSWERER);
  scope.scenario = scope.fractions = true;
  return scope;
}

static void check_set(Build *build, const Node *step) {
  const Node *target = node_find(step, N_TARGET), *value = target ? target->next : NULL;
  Symbol *symbol = target ? symbol_find(build, SPACE_NAMES, target->text) : NULL;
  if (!symbol || symbol->kind != N_PARAM) {
    Scope scope = scene_scope(build);
    Effect effect;
    make_set(&scope, step, true, &effect);
    return;
  }
  if (!value) return;
  const char *text = value->kind == N_E_INT
                         ? arena_printf(build->arena, "%d", value->number)
                         : value->text;
  param_accepts(build, symbol->index, text ? text : words_at(build, value->span),
                value->span);
}

static void check_given(Build *build, const Node *step) {
  const Node *layout = node_find(step, N_LAYOUT);
  if (!layout) {
    if (step->text && strcmp(step->text, "start"))
      diag_report(build->diags, DIAG_SCENE_STEP, step->span,
                  "`given` wants `start` or a position in braces, not `%s`", step->text);
    return;
  }
  Scope scope = scene_scope(build);
  Effects effects;
  uint16_t *count = ARENA_ARRAY(build->arena, uint16_t,
                                build->rules->planes * build->rules->board.sites + 1);
  make_layout(build, &scope, layout, count, &effects, false);
}

static void check_step(Build *build, const Node *step) {
  const Rules *rules = build->rules;
  switch (step->kind) {
    case N_ST_GIVEN:
      check_given(build, step);
      return;
    case N_ST_SET:
      check_set(build, step);
      return;
    case N_ST_DICE:
      check_dice(build, step);
      return;
    case N_ST_TURN:
      if (find_player(build, step->text) < 0)
        unknown(build, step->name, "player", step->text, rules->player, rules->players);
      return;
    case N_ST_ILLEGAL:
      check_because(build, node_find(step, N_BECAUSE));
      check_move(build, step);
      return;
    case N_ST_PLAY:
    case N_ST_LEGAL:
      check_move(build, step);
      return;
    case N_ST_EXPECT: {
      Scope scope = scene_scope(build);
      coerce(&scope, express(&scope, step->kid), TYPE_CONDITION, "`expect`");
      return;
    }
    default:
      return;
  }
}

void check_scenarios(Build *build) {
  for (const Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_SCENARIO || d->unit->node != build->flat->unit->node)
      continue;
    const Node *steps = node_find(d->node, N_STEPS);
    for (const Node *n = steps ? steps->kid : NULL; n; n = n->next) check_step(build, n);
  }
}
