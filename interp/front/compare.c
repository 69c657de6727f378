/* Comparisons and `in`: each side is looked up with what the other can be in mind. */
#include "front/resolve.h"

#include <string.h>

/* Both sides, each with the other's domain as a hint. The side that has a domain of its
 * own is typed first, so that an unknown word on the other can be explained by it. */
static void sides(const Scope *scope, const Node *n, const Node *left, const Expr **a,
                  const Expr **b) {
  const Node *right = node_kid(n, 1);
  const Domain *of_left = peek_domain(scope, left), *of_right = peek_domain(scope, right);
  Scope l = *scope, r = *scope;
  l.hint = of_right;
  r.hint = of_left;
  *a = express(&l, left);
  *b = express(&r, right);
}

static bool poisoned(const Expr *a, const Expr *b) {
  return a->type == TYPE_POISON || b->type == TYPE_POISON;
}

static bool sites_like(const Build *build, const Expr *e) {
  if (e->type == TYPE_SITES || e->type == TYPE_PIECES) return true;
  return (e->type == TYPE_NUMBER || e->type == TYPE_RANGE) &&
         build->rules->board.shape == BOARD_POINTS;
}

static const Expr *unlike(const Scope *scope, const Node *n, const Expr *a,
                          const Expr *b) {
  Build *build = scope->build;
  Diag *d =
      diag_report(build->diags, DIAG_UNLIKE_SIDES, n->span,
                  "`%s` is %s and `%s` is %s; `%s` cannot compare them",
                  words_at(build, a->span), type_words((Type)a->type),
                  words_at(build, b->span), type_words((Type)b->type), node_operator(n->kind));
  const Domain *domain = domain_of(a) ? domain_of(a) : domain_of(b);
  if (domain && domain->what)
    diag_note(build->diags, d, "%s can be %s", domain->what, domain_words(build, domain));
  return make_poison(build, n->span);
}

static bool values_fit(const Scope *scope, const Expr *a, const Expr *b) {
  const Domain *x = domain_of(a), *y = domain_of(b);
  if (a->op == X_VALUES_CONST && y && !in_domain(scope, a, y)) return false;
  if (b->op == X_VALUES_CONST && x && !in_domain(scope, b, x)) return false;
  return true;
}

/* `stuck = yes`: a condition is not compared with a word for its truth. */
static bool compares_truth(const Scope *scope, const Node *n) {
  static const char *const truths[] = {"yes", "no", "true", "false", "on", "off"};
  const Node *left = node_kid(n, 0), *right = node_kid(n, 1);
  if (!right || (right->kind != N_E_NAME && right->kind != N_E_WORD)) return false;
  bool truth = false;
  for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
    truth = truth || !strcmp(truths[i], right->text);
  Build *build = scope->build;
  if (!truth || symbol_find(build, SPACE_NAMES, right->text) || peek_domain(scope, left))
    return false;
  const Expr *a = express(scope, left);
  if (a->type != TYPE_CONDITION) return false;
  const char *text = words_at(build, left->span);
  Diag *d = diag_report(build->diags, DIAG_UNLIKE_SIDES, n->span,
                        "`%s` is a condition: it holds or does not, and equals nothing", text);
  diag_note(build->diags, d, "write `%s` or `not %s`", text, text);
  return true;
}

const Expr *express_compare(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Expr *a, *b;
  if ((n->kind == N_E_EQ || n->kind == N_E_NE) && compares_truth(scope, n))
    return make_poison(build, n->span);
  sides(scope, n, node_kid(n, 0), &a, &b);
  if (poisoned(a, b)) return make_poison(build, n->span);
  bool equality = n->kind == N_E_EQ || n->kind == N_E_NE;
  if (!equality) {
    if (a->type != TYPE_NUMBER || b->type != TYPE_NUMBER) {
      const Expr *bad = a->type != TYPE_NUMBER ? a : b;
      Diag *d = diag_report(build->diags, DIAG_WRONG_TYPE, n->span,
                            "`%s` compares numbers, and `%s` is %s", node_operator(n->kind),
                            words_at(build, bad->span), type_words((Type)bad->type));
      if (bad->type == TYPE_PIECES || bad->type == TYPE_SITES ||
          bad->type == TYPE_PLAYERS)
        diag_note(build->diags, d, "for how many there are, write `count %s`",
                  words_at(build, bad->span));
      return make_poison(build, n->span);
    }
    bool swap = n->kind == N_E_GT || n->kind == N_E_GE;
    ExprOp op = n->kind == N_E_LT || n->kind == N_E_GT ? X_LT : X_LE;
    return make2(build, op, TYPE_CONDITION, n->span, swap ? b : a, swap ? a : b);
  }
  ExprOp op = n->kind == N_E_EQ ? X_EQ : X_NE;
  bool same = a->type == b->type &&
              (a->type == TYPE_NUMBER || a->type == TYPE_PLAYERS ||
               a->type == TYPE_VALUES || a->type == TYPE_PIECES || a->type == TYPE_SITES);
  if (same) {
    if (a->type == TYPE_VALUES && !values_fit(scope, a, b))
      return make_poison(build, n->span);
    return make2(build, op, TYPE_CONDITION, n->span, a, b);
  }
  if (a->type == TYPE_CONDITION && b->type == TYPE_CONDITION) {
    Diag *d = diag_report(
        build->diags, DIAG_UNLIKE_SIDES, n->span,
        "`%s` compares numbers, values and sets; `%s` and `%s` are conditions",
        node_operator(n->kind), words_at(build, a->span), words_at(build, b->span));
    diag_note(build->diags, d, "conditions are joined by `and`, `or` and `not`");
    return make_poison(build, n->span);
  }
  if (sites_like(build, a) && sites_like(build, b)) {
    a = coerce(scope, a, TYPE_SITES, NULL);
    b = coerce(scope, b, TYPE_SITES, NULL);
    return make2(build, op, TYPE_CONDITION, n->span, a, b);
  }
  return unlike(scope, n, a, b);
}

/* A number in a range of numbers. */
static const Expr *number_in(Build *build, const Node *n, ExprOp op, const Expr *a,
                             const Expr *range) {
  const Expr *low = range->kid[0], *high = range->kid[1];
  if (low->op == X_NUMBER && high->op == X_NUMBER && low->a > high->a) {
    const Expr *t = low;
    low = high;
    high = t;
  }
  const Expr *in = make2(build, X_AND, TYPE_CONDITION, n->span,
                         make2(build, X_LE, TYPE_CONDITION, n->span, low, a),
                         make2(build, X_LE, TYPE_CONDITION, n->span, a, high));
  return op == X_NONE_IN ? make1(build, X_NOT, TYPE_CONDITION, n->span, in) : in;
}

/* ---- one or several ---- */

static bool many_of_const(const SiteSet *sites) {
  return sites && sites_count(sites) > 1;
}

/* May a set have several members by its nature: a kind of piece, a region? Words for one
 * piece, site or player have one, whatever happens; so has what is not known here. */
static bool is_many(const Build *build, const Expr *e) {
  if (!e || e->cost > 1e6) return false;
  switch (e->op) {
    case X_SITES_CONST:
      return many_of_const(e->data);
    case X_SITES_BY:
      for (int s = 0; s < build->rules->seats; s++)
        if (many_of_const((const SiteSet *)e->data + s)) return true;
      return false;
    case X_PIECES_KIND:
    case X_PIECES_CONST:
    case X_SITES_EMPTY:
    case X_POINT_RANGE:
    case X_NEIGHBOURS:
    case X_FLOOD:
    case X_BRACED:
    case X_UNION:
      return true;
    case X_PLAYERS_CONST: {
      uint32_t seats = (uint32_t)e->a & build->seated;
      return (seats & (seats - 1)) != 0;
    }
    case X_OPPONENT:
    case X_ACTIVE:
      return build->rules->seats > 2 || e->op == X_ACTIVE;
    case X_SITES_OF:
    case X_LET:
    case X_WHERE:
    case X_MINUS:
    case X_PIECES_OFF:
      return is_many(build, e->kid[0]);
    case X_PIECES_AT:
    case X_MEET:
      return is_many(build, e->kid[0]) && is_many(build, e->kid[1]);
    default:
      return false;
  }
}

/* `token in goal` asks for one token, the first on the board: hardly what was meant. */
static void lint_quantity(Build *build, const Node *n, const Expr *a) {
  if (!build->lint || n->span.file != build->flat->unit->node->span.file) return;
  if (!is_many(build, a)) return;
  const char *left = words_at(build, node_kid(n, 0)->span),
             *right = words_at(build, node_kid(n, 1)->span);
  Diag *d = diag_report(build->diags, DIAG_QUANTITY, node_kid(n, 0)->span,
                        "`%s` may be several, and without a word before it only the first "
                        "is asked about",
                        left);
  diag_note(build->diags, d,
            "write `some %s in %s` if one is enough, `all …` for every one, `no …` for none",
            left, right);
}

const Expr *express_in(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Node *left = node_kid(n, 0);
  ExprOp op = X_IS_IN;
  if (left && !left->parens) {
    if (left->kind == N_E_ALL) op = X_ALL_IN;
    if (left->kind == N_E_SOME) op = X_SOME_IN;
    if (left->kind == N_E_NO) op = X_NONE_IN;
    if (op != X_IS_IN) left = left->kid;
  }
  const Expr *a, *b;
  sides(scope, n, left, &a, &b);
  if (poisoned(a, b)) return make_poison(build, n->span);
  if (a->type == TYPE_NUMBER && b->type == TYPE_RANGE)
    return number_in(build, n, op, a, b);
  if (sites_like(build, a) && sites_like(build, b)) {
    a = coerce(scope, a, TYPE_SITES, NULL);
    b = coerce(scope, b, TYPE_SITES, NULL);
  }
  bool set = a->type == TYPE_SITES || a->type == TYPE_PLAYERS || a->type == TYPE_VALUES;
  if (set && a->type == b->type) {
    if (a->type == TYPE_VALUES && !values_fit(scope, a, b))
      return make_poison(build, n->span);
    if (op == X_IS_IN) lint_quantity(build, n, a);
    return make2(build, op, TYPE_CONDITION, n->span, a, b);
  }
  if (a->type == TYPE_CONDITION || b->type == TYPE_CONDITION) {
    const Expr *bad = a->type == TYPE_CONDITION ? a : b;
    Diag *d = diag_report(build->diags, DIAG_SETS_AND_CONDITIONS, n->span,
                          "`in` stands between sets, and `%s` is a condition",
                          words_at(build, bad->span));
    if (bad == a && left && (left->kind == N_E_SOME || left->kind == N_E_NO) &&
        left->parens)
      diag_note(build->diags, d, "leave the brackets out: some … in …");
    return make_poison(build, n->span);
  }
  return unlike(scope, n, a, b);
}
