/* Turns and phases: the general turn, overlaid with what a phase changes of it. */
#include "front/ruling.h"

#include <string.h>

static void turn_pool(const Ruling *r, TurnShape *turn) {
  const FlatClause *c = ruling_clause(r, CLAUSE_ROLL);
  turn->pool = -1;
  if (!c || !c->node->kid || c->node->kid->kind == N_E_ERROR) return;
  Build *build = r->build;
  const Node *n = c->node->kid;
  Symbol *symbol = n->kind == N_E_NAME ? symbol_find(build, SPACE_NAMES, n->text) : NULL;
  if (symbol && symbol->kind == N_DICE && define_symbol(build, symbol, n->span)) {
    symbol->used++;
    turn->pool = symbol->index;
    return;
  }
  Diag *d = diag_report(build->diags, DIAG_WRONG_SORT, n->span,
                        "`roll` wants the name of dice, and `%s` is none",
                        words_at(build, n->span));
  diag_note(build->diags, d, "dice pips { throw 2d6 }");
}

/* "white, black" */
static const char *players_in_words(const Build *build) {
  const char *list = "";
  for (int i = 0; i < build->rules->players; i++)
    list = arena_printf(build->arena, "%s%s%s", list, *list ? ", " : "",
                        build->rules->player[i]);
  return list;
}

/* A word that is nothing at all: a player misspelt, or some word for `lot`. */
static void unknown_first(Build *build, const Node *n) {
  const char *known[SEATS_MAX + 1];
  size_t players = (size_t)build->rules->players;
  memcpy(known, build->rules->player, players * sizeof *known);
  known[players] = "lot";
  const char *near = text_nearest(n->text, known, players + 1);
  Diag *d = diag_report(build->diags, DIAG_UNKNOWN_NAME, n->span,
                        "`%s` is defined nowhere", n->text);
  if (near)
    diag_note(build->diags, d, "did you mean `%s`?", near);
  else
    diag_note(build->diags, d, "who begins is a player (%s), or `lot`: chance decides",
              players_in_words(build));
}

static void turn_first(const Ruling *r, TurnShape *turn) {
  const FlatClause *c = ruling_clause(r, CLAUSE_FIRST);
  if (!c || !c->node->kid) return;
  const Node *n = c->node->kid;
  if (n->kind == N_E_NAME && !strcmp(n->text, "lot")) {
    turn->lot = true;
    return;
  }
  if (n->kind == N_E_NAME && builtin_find(n->text) == BUILTIN_COUNT &&
      !symbol_find(r->build, SPACE_NAMES, n->text)) {
    unknown_first(r->build, n);
    return;
  }
  Scope scope = ruling_scope(r, CLAUSE_FIRST);
  scope.allowed = 0;
  const Expr *e = coerce(&scope, express(&scope, n), TYPE_PLAYERS, "`first`");
  if (e->type == TYPE_POISON) return;
  if (e->op != X_PLAYERS_CONST || constant_nobody(e) ||
      __builtin_popcount((uint32_t)e->a) != 1) {
    Diag *d = diag_report(r->build->diags, DIAG_BAD_CLAUSE_VALUE, n->span,
                          "`first` wants one player, or `lot`, and not `%s`",
                          words_at(r->build, n->span));
    diag_note(r->build->diags, d, "the players are: %s", players_in_words(r->build));
    return;
  }
  turn->first = e;
}

/* A condition of the turn; one that can never hold, whatever the params, says nothing. */
static const Expr *turn_condition(const Ruling *r, ClauseId id) {
  Build *build = r->build;
  bool outer = build->by_params;
  build->by_params = false;
  const Expr *e = ruling_value(r, id, TYPE_CONDITION);
  if (e && is_false(e) && !build->by_params)
    diag_report(build->diags, DIAG_NEVER_APPLIES, e->span, "`%s` of the turn never holds",
                clause_word(id));
  build->by_params |= outer;
  return e;
}

static void fill_turn(Ruling *r, TurnShape *turn, const Def *written) {
  const FlatClause *c = def_clause(written, "if");
  bool from_if = c && c->node;
  if (from_if && !ruling_exists(r, CLAUSE_IF)) return;
  check_words(r->build, written, RULE_TURN);
  for (const FlatClause *w = written->clauses; w; w = w->next) {
    ClauseId id = clause_of(w->word);
    if (id == CLAUSE_COUNT || !clause_fits(id, RULE_TURN)) continue;
    turn->has[id] = w->node != NULL;
    if (w->node)
      turn->where[id] =
          w->node->kid ? span_join(w->node->kid->span, w->node->span) : w->node->span;
    switch (id) {
      case CLAUSE_FIRST:
        turn->first = NULL;
        turn->lot = false;
        turn_first(r, turn);
        break;
      case CLAUSE_ROLL:
        turn_pool(r, turn);
        break;
      case CLAUSE_REROLL:
        turn->reroll = turn_condition(r, id);
        if (turn->reroll && turn->reroll->op == X_TRUE)
          diag_report(r->build->diags, DIAG_BAD_CLAUSE_VALUE, w->node->span,
                      "`reroll` always holds: no throw would ever stand");
        break;
      case CLAUSE_STEPS:
        turn->steps_low = turn->steps_high = NULL;
        ruling_range(r, id, &turn->steps_low, &turn->steps_high);
        break;
      case CLAUSE_AGAIN:
        turn->again = turn_condition(r, id);
        break;
      case CLAUSE_REPEAT:
        turn->repeat = turn_condition(r, id);
        break;
      case CLAUSE_NEXT:
        turn->next = ruling_players(r, id);
        break;
      case CLAUSE_CLOCK:
        turn->clock = ruling_value(r, id, TYPE_NUMBER);
        break;
      default:
        break;
    }
  }
}

static Def *turn_def(const Build *build, const char *phase) {
  for (Def *d = build->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_RULE && d->rule == RULE_TURN && d->phase == phase)
      return d;
  return NULL;
}

void define_turns(Build *build) {
  Def *general = turn_def(build, NULL);
  for (int i = 0; i < build->rules->phases; i++) {
    Phase *phase = &build->phase[i];
    Def *own = *phase->name ? turn_def(build, phase->name) : NULL;
    phase->turn.pool = -1;
    Ruling r = {0};
    r.build = build;
    r.turn = &phase->turn;
    r.def = general;
    if (general && (!own || own->partial)) fill_turn(&r, &phase->turn, general);
    r.def = own;
    if (own) fill_turn(&r, &phase->turn, own);
  }
}

void number_phases(Build *build) {
  Rules *rules = build->rules;
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_PHASE) continue;
    if (rules->phases == PHASES_MAX) {
      diag_report(build->diags, DIAG_TOO_MANY, d->span, "more than %d phases", PHASES_MAX);
      build->failed = true;
      return;
    }
    Phase *phase = &build->phase[rules->phases];
    phase->name = d->name;
    phase->span = d->span;
    phase->atom = atom_of(build, d->name, d->span);
    phase->doc = node_doc(d->node, NULL);
    phase->doc_ru = node_doc(d->node, names_intern0(build->names, "ru"));
    phase->open = true;
    Symbol *symbol = symbol_find(build, SPACE_NAMES, d->name);
    if (symbol) symbol->index = rules->phases;
    rules->phases++;
  }
  if (rules->phases) return;
  build->phase[0].name = "";
  build->phase[0].atom = -1;
  build->phase[0].open = true;
  build->phase[0].span = build->flat->unit->node->name;
  rules->phases = 1;
}

void define_phases(Build *build) {
  int i = 0;
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_PHASE) continue;
    Phase *phase = &build->phase[i++];
    const Node *body = node_find(d->node, N_BODY);
    if (!body) continue;
    Scope scope =
        scope_constant(build, arena_printf(build->arena, "`if` of phase `%s`", d->name));
    build->by_params = false;
    const Expr *e = coerce(&scope, express(&scope, body->kid), TYPE_CONDITION, "`if`");
    build->phase_by_params[i - 1] = build->by_params;
    if (e->type == TYPE_POISON) continue;
    phase->if_ = e;
    phase->open = is_true(e);
  }
}
