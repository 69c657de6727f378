/* One rule, or the turn, at work: its clauses as written or from its pattern, what is known
 * when each is judged, and their values, typed.
 *
 * Decided here: a step's origin is known from `along` on, its target from `when` on; a
 * forbid knows the whole step. `again` speaks of the step made by `moved` and `victims`. */
#include "front/ruling.h"

#include <string.h>

/* ---- what is known where ---- */

enum { KNOWN_ALWAYS = DEP_POSITION | DEP_HISTORY | DEP_LAST | DEP_SLOW | DEP_NEXT };

static uint32_t known(RuleKind kind, ClauseId clause, bool whole_turns) {
  uint32_t deps = KNOWN_ALWAYS;
  switch (kind) {
    case RULE_MOVE:
      if (clause == CLAUSE_ALONG || clause == CLAUSE_REACH) deps |= DEP_ORIGIN;
      if (clause == CLAUSE_REACH || clause == CLAUSE_THROUGH || clause == CLAUSE_TO)
        deps |= DEP_ORIGIN | DEP_DIE;
      if (clause == CLAUSE_WHEN || clause == CLAUSE_UNLESS || clause == CLAUSE_DO)
        deps |= DEP_ORIGIN | DEP_TARGET | DEP_DIE;
      return deps;
    case RULE_FORBID:
      return deps | (whole_turns ? 0 : DEP_ORIGIN | DEP_TARGET | DEP_DIE);
    case RULE_CAPTURE:
      deps |= DEP_ORIGIN | DEP_TARGET | DEP_DIE;
      return clause == CLAUSE_TAKE || clause == CLAUSE_FOR ? deps : deps | DEP_VICTIM;
    case RULE_AFTER:
      return deps | DEP_ORIGIN | DEP_TARGET | DEP_DIE;
    case RULE_CHOICE:
      return clause == CLAUSE_CHOOSE ? deps : deps | DEP_CHOSEN;
    case RULE_OFFER:
      deps = DEP_POSITION | DEP_HISTORY | DEP_SLOW | DEP_NEXT;
      if (clause != CLAUSE_CHOOSE) deps |= DEP_CHOSEN;
      return clause == CLAUSE_ACCEPT || clause == CLAUSE_DECLINE ? deps | DEP_ANSWERER
                                                                 : deps;
    case RULE_MUST:
    case RULE_SETTLE:
      return deps;
    case RULE_WIN:
    case RULE_LOSE:
    case RULE_DRAW:
      return deps | DEP_MOVES | (clause == CLAUSE_WORTH ? DEP_OUTCOME : 0);
    case RULE_SCORE:
      return deps | DEP_MOVES | DEP_OUTCOME;
    case RULE_TURN:
      if (clause == CLAUSE_REROLL || clause == CLAUSE_STEPS || clause == CLAUSE_CLOCK)
        return DEP_POSITION | DEP_HISTORY | DEP_SLOW | DEP_NEXT;
      if (clause == CLAUSE_REPEAT || clause == CLAUSE_NEXT) deps &= ~(uint32_t)DEP_NEXT;
      return deps;
    default:
      return deps;
  }
}

/* Whether the clause is judged when the step has been made and nothing else is being made. */
static bool is_over(RuleKind kind, ClauseId clause, bool whole_turns) {
  if (kind == RULE_TURN)
    return clause == CLAUSE_AGAIN || clause == CLAUSE_REPEAT || clause == CLAUSE_NEXT;
  return kind == RULE_MUST || kind == RULE_SETTLE || kind == RULE_WIN ||
         kind == RULE_LOSE || kind == RULE_DRAW || kind == RULE_SCORE ||
         (kind == RULE_FORBID && whole_turns);
}

/* ---- one rule at work ---- */

const char *ruling_name(const Ruling *r) {
  const char *word = rule_kind_word(r->def->rule);
  return r->def->rule == RULE_TURN
             ? word
             : arena_printf(r->build->arena, "%s `%s`", word, r->def->name);
}

/* The clause as written, else the pattern's. */
static const FlatClause *clause(const Ruling *r, const char *word, bool *from_pattern) {
  const FlatClause *c = def_clause(r->def, word);
  *from_pattern = false;
  if (c) return c->node ? c : NULL;
  if (!r->pattern) return NULL;
  c = def_clause(r->pattern, word);
  *from_pattern = c != NULL;
  return c && c->node ? c : NULL;
}

const FlatClause *ruling_clause(const Ruling *r, ClauseId id) {
  bool from_pattern;
  return clause(r, clause_word(id), &from_pattern);
}

Scope ruling_scope(const Ruling *r, ClauseId id) {
  bool from_pattern;
  clause(r, clause_word(id), &from_pattern);
  Scope scope = scope_constant(
      r->build, arena_printf(r->build->arena, "`%s` of %s", clause_word(id), ruling_name(r)));
  scope.allowed = known(r->def->rule, id, r->whole_turns) | r->members;
  if (id == CLAUSE_FOR) scope.allowed &= ~r->members;
  if (from_pattern) {
    scope.params = node_find(r->pattern->node, N_ARGS);
    scope.args = r->def->is ? node_find(r->def->is, N_ARGS) : NULL;
  }
  if (r->rule && r->rule->choose_name && r->rule->choose_n > 0) {
    scope.chosen = r->rule->choose_name;
    scope.chosen_one = r->rule->choose[0];
  }
  scope.made = is_over(r->def->rule, id, r->whole_turns);
  scope.maximize = id == CLAUSE_MAXIMIZE;
  scope.fractions = id == CLAUSE_WORTH;
  return scope;
}

/* The one expression of a clause, typed; NULL if the clause is not there or faulty. */
const Expr *ruling_value(const Ruling *r, ClauseId id, Type type) {
  const FlatClause *c = ruling_clause(r, id);
  if (!c) return NULL;
  Scope scope = ruling_scope(r, id);
  if (c->node->kid && c->node->kid->next) {
    Diag *d =
        diag_report(r->build->diags, DIAG_NOT_SINGLE, c->node->kid->next->span,
                    "`%s` takes one expression, and here are several", clause_word(id));
    if (type == TYPE_SITES || type == TYPE_PIECES || type == TYPE_WAYS ||
        type == TYPE_PLAYERS)
      diag_note(r->build->diags, d, "sets are joined by `+`");
    else if (type == TYPE_CONDITION)
      diag_note(r->build->diags, d, "conditions are joined by `and`");
  }
  const Expr *e = express(&scope, c->node->kid);
  if (id == CLAUSE_FOR && e->type == TYPE_PLAYERS) type = TYPE_PLAYERS;
  e = coerce(&scope, e, type, arena_printf(r->build->arena, "`%s`", clause_word(id)));
  return e->type == TYPE_POISON ? NULL : e;
}

/* A player or several; not nobody, where that does not come from a param. */
const Expr *ruling_players(const Ruling *r, ClauseId id) {
  static const struct {
    ClauseId id;
    const char *note;
  } instead[] = {
      {CLAUSE_NEXT, "without `next` the turn goes to the next seat that is still in"},
      {CLAUSE_WINNER, "an end that nobody wins is a `draw`"},
      {CLAUSE_LOSER, "without `loser` the mover is out"},
      {CLAUSE_AMONG, "without `among` all who are still in share; `worth 0` gives them "
                     "nothing"}};
  Build *build = r->build;
  bool outer = build->by_params;
  build->by_params = false;
  const Expr *e = ruling_value(r, id, TYPE_PLAYERS);
  bool varies = build->by_params;
  build->by_params |= outer;
  if (!e || varies || !constant_nobody(e)) return e;
  Diag *d = diag_report(build->diags, DIAG_BAD_CLAUSE_VALUE, e->span,
                        "`%s` wants a player, and `%s` is none", clause_word(id),
                        words_at(build, e->span));
  for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
    if (instead[i].id == id) diag_note(build->diags, d, "%s", instead[i].note);
  return NULL;
}

/* Both kinds of range, `reach` and `steps`, begin at 1. A `reach` may come to 0 by a param:
 * then the piece stays where it is. */
static void begins_at_one(const Ruling *r, ClauseId id, const Node *written,
                          const Expr *low, const Expr *high) {
  Build *build = r->build;
  bool range = written->kind == N_E_RANGE;
  const Node *first = range ? written->kid : written;
  if (low->op != X_NUMBER || low->a > 0) return;
  bool minus = !range && written->kind == N_E_SUB;
  if (id == CLAUSE_REACH && first->kind != N_E_INT && !minus) return;
  const char *least = first->kind == N_E_INT
                          ? "0"
                          : arena_printf(build->arena, "`%s`, which is %d",
                                         words_at(build, first->span), low->a);
  Diag *d = diag_report(build->diags, DIAG_BAD_CLAUSE_VALUE, first->span,
                        "%s: `%s` begins at 1, not at %s",
                        id == CLAUSE_REACH ? "a step goes at least one site far"
                                           : "a turn has at least one step",
                        clause_word(id), least);
  if (minus)
    diag_note(build->diags, d, "a range is written with two dots: `%s %s .. %s`",
              clause_word(id), words_at(build, written->kid->span),
              words_at(build, written->kid->next->span));
  else if (range && high->op == X_NUMBER && high->a > 0)
    diag_note(build->diags, d, "write `%s 1 .. %s`", clause_word(id),
              words_at(build, written->kid->next->span));
  else
    diag_note(build->diags, d, "a step that moves nothing is a `choice`");
}

void ruling_range(const Ruling *r, ClauseId id, const Expr **low, const Expr **high) {
  const FlatClause *c = ruling_clause(r, id);
  if (!c) return;
  Scope scope = ruling_scope(r, id);
  const Node *written = c->node->kid;
  const Expr *e = express(&scope, written);
  if (e->type == TYPE_RANGE) {
    *low = e->kid[0];
    *high = e->kid[1];
    if ((*low)->op == X_NUMBER && (*high)->op == X_NUMBER && (*low)->a > (*high)->a)
      diag_report(r->build->diags, DIAG_BAD_RANGE, e->span, "the range %d .. %d is empty",
                  (*low)->a, (*high)->a);
    else
      begins_at_one(r, id, written, *low, *high);
    return;
  }
  e = coerce(&scope, e, TYPE_NUMBER,
             arena_printf(r->build->arena, "`%s`", clause_word(id)));
  if (e->type == TYPE_POISON) return;
  *low = *high = e;
  begins_at_one(r, id, written, e, e);
}

bool ruling_exists(const Ruling *r, ClauseId id) {
  const FlatClause *c = ruling_clause(r, id);
  if (!c) return true;
  Scope scope = ruling_scope(r, id);
  scope.allowed = 0;
  const Expr *e = coerce(&scope, express(&scope, c->node->kid), TYPE_CONDITION, "`if`");
  if (e->type == TYPE_POISON) return true;
  if (!is_true(e) && !is_false(e))
    diag_report(r->build->diags, DIAG_NOT_CONSTANT, c->node->kid->span,
                "`if` must be constant; what changes stands in `when`");
  return !is_false(e);
}
