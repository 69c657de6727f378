/* What else a name may stand for: values of the other side of a comparison, arguments of
 * a pattern; and the owners that pieces are given after the fact. */
#include "front/resolve.h"

#include <string.h>

/* ---- domains ---- */

const char *domain_words(const Build *build, const Domain *domain) {
  const char *text = "";
  int n = 0;
  if (!domain) return text;
  if (domain->type == TYPE_VALUES) {
    for (int i = 0; i < build->atoms; i++) {
      if (!sites_has(&domain->atoms, i)) continue;
      if (++n > 12) return arena_printf(build->arena, "%s, …", text);
      text =
          arena_printf(build->arena, "%s%s%s", text, *text ? ", " : "", build->atom[i]);
    }
  }
  return text;
}

bool in_domain(const Scope *scope, const Expr *e, const Domain *domain) {
  Build *build = scope->build;
  if (!domain || domain->type != TYPE_VALUES || e->op != X_VALUES_CONST) return true;
  const SiteSet *atoms = e->data;
  if (sites_within(atoms, &domain->atoms)) return true;
  Diag *d = diag_report(build->diags, DIAG_OUT_OF_RANGE, e->span,
                        "`%s` is no value of %s", words_at(build, e->span), domain->what);
  diag_note(build->diags, d, "it can be %s", domain_words(build, domain));
  return false;
}

const Node *argument_of(const Scope *scope, const char *text) {
  const Node *arg = scope->args ? scope->args->kid : NULL;
  for (const Node *p = scope->params ? scope->params->kid : NULL; p;
       p = p->next, arg = arg ? arg->next : NULL)
    if (p->text == text) return arg;
  return NULL;
}

Scope outside_pattern(const Scope *scope) {
  Scope outer = *scope;
  outer.params = outer.args = NULL;
  return outer;
}

/* ---- domains of nodes not yet typed ---- */

const Domain *peek_domain(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  if (!n || build->depth >= NESTING_MAX) return NULL;
  switch (n->kind) {
    case N_E_NAME:
    case N_E_WORD: {
      const Node *arg = argument_of(scope, n->text);
      if (arg) {
        Scope outer = outside_pattern(scope);
        return peek_domain(&outer, arg);
      }
      if (scope->chosen == n->text && scope->chosen) return domain_of(scope->chosen_one);
      if (!strcmp(n->text, "outcome")) return build->rule_domain;
      if (!strcmp(n->text, "phase")) return build->phase_domain;
      Symbol *symbol = symbol_find(build, SPACE_NAMES, n->text);
      if (!symbol) return NULL;
      bool can =
          symbol->kind == N_PARAM || symbol->kind == N_STATE || symbol->kind == N_LET;
      if (!can || !define_symbol(build, symbol, n->span)) return NULL;
      if (symbol->kind == N_LET) {
        const Let *let = &build->let[symbol->index];
        return !let->by_player && let->expr ? domain_of(let->expr) : NULL;
      }
      if (symbol->kind == N_PARAM) build->by_params = true;
      return symbol->domain;
    }
    case N_E_OF: {
      const Node *left = n->kid;
      Symbol *symbol =
          left->kind == N_E_NAME ? symbol_find(build, SPACE_NAMES, left->text) : NULL;
      if (!symbol || (symbol->kind != N_STATE && symbol->kind != N_LABEL)) return NULL;
      return define_symbol(build, symbol, left->span) ? symbol->domain : NULL;
    }
    case N_E_WHERE:
    case N_E_EXCEPT:
      return peek_domain(scope, n->kid);
    case N_E_ADD: {
      const Domain *d = peek_domain(scope, node_kid(n, 0));
      return d ? d : peek_domain(scope, node_kid(n, 1));
    }
    default:
      return NULL;
  }
}

/* ---- owners of pieces ---- */

static bool has_unowned(const Expr *e) {
  switch (e->op) {
    case X_PIECES_CONST:
      return e->b != 0;
    case X_UNION:
      return has_unowned(e->kid[0]) || has_unowned(e->kid[1]);
    case X_MINUS:
    case X_MEET:
    case X_PIECES_AT:
    case X_PIECES_OFF:
    case X_WHERE:
    case X_LET:
      return has_unowned(e->kid[0]);
    default:
      return false;
  }
}

enum { REWRITE_MOST = 2000 }; /* nodes that are rewritten; more are met as a whole */

/* How many nodes give_owner would make anew; lets count as often as they are used. */
static int rewritten(const Expr *e, int most) {
  int n = 1;
  if (most <= 0) return n;
  switch (e->op) {
    case X_UNION:
      n += rewritten(e->kid[0], most - n);
      return n > most ? n : n + rewritten(e->kid[1], most - n);
    case X_MINUS:
    case X_MEET:
    case X_PIECES_AT:
    case X_PIECES_OFF:
    case X_WHERE:
    case X_LET:
      return n + rewritten(e->kid[0], most - n);
    default:
      return n;
  }
}

/* Gives the owners to the kinds that have none; strict: the others are cut down to them.
 */
static const Expr *give_owner(Build *build, const Expr *e, const Expr *owners,
                              bool strict) {
  switch (e->op) {
    case X_PIECES_CONST:
      if (e->b) return make_pieces(build, (uint32_t)e->b, owners, e->span);
      break;
    case X_UNION:
      return make2(build, X_UNION, TYPE_PIECES, e->span,
                   give_owner(build, e->kid[0], owners, strict),
                   give_owner(build, e->kid[1], owners, strict));
    case X_MINUS:
    case X_MEET:
    case X_PIECES_AT:
    case X_PIECES_OFF:
    case X_WHERE:
      return make2(build, (ExprOp)e->op, TYPE_PIECES, e->span,
                   give_owner(build, e->kid[0], owners, strict), e->kid[1]);
    case X_LET:
      if (has_unowned(e->kid[0])) return give_owner(build, e->kid[0], owners, strict);
      break;
    default:
      break;
  }
  if (!strict) return e;
  const Expr *theirs =
      make_pieces(build, (1u << build->rules->kinds) - 1, owners, e->span);
  return make2(build, X_MEET, TYPE_PIECES, e->span, e, theirs);
}

const Expr *restrict_owner(const Scope *scope, const Expr *pieces, const Expr *owners) {
  Build *build = scope->build;
  if (rewritten(pieces, REWRITE_MOST) <= REWRITE_MOST)
    return give_owner(build, pieces, owners, true);
  const Expr *theirs =
      make_pieces(build, (1u << build->rules->kinds) - 1, owners, pieces->span);
  return make2(build, X_MEET, TYPE_PIECES, pieces->span, pieces, theirs);
}

const Expr *own_pieces(const Scope *scope, const Expr *pieces) {
  if (pieces->type == TYPE_POISON) return pieces;
  if (rewritten(pieces, REWRITE_MOST) > REWRITE_MOST) {
    diag_report(scope->build->diags, DIAG_TOO_COSTLY, pieces->span,
                "this is too much for `who`; say whose pieces they are");
    return make_poison(scope->build, pieces->span);
  }
  const Expr *mover = make0(scope->build, X_MOVER, TYPE_PLAYERS, pieces->span);
  return give_owner(scope->build, pieces, mover, false);
}
