/* Expressions: one typing function for each kind of node. Each gets a scope (which words
 * mean something, what the other side is) and gives a typed, folded expression, or poison
 * after one complaint. Names are in name.c, built-in words in builtin.c, comparisons in
 * compare.c.
 *
 * Decided here: a set of pieces beside a set of sites counts as its sites; numbers beside
 * sites are points; `X at Y` of two sets of pieces are the pieces in both; `x in 1 .. 6`
 * of a number x compares numbers. */
#include "front/resolve.h"

#include <string.h>

static Scope without_hint(const Scope *scope) {
  Scope inner = *scope;
  inner.hint = NULL;
  return inner;
}

static bool expr_is_sum(const Expr *e) {
  return e->type == TYPE_NUMBER && ((const Made *)(const void *)e)->sum;
}

/* ---- sets ---- */

/* Brings two sets to one type, in place; false if that cannot be. */
static bool unify(Build *build, const Expr **a, const Expr **b) {
  if ((*a)->type == (*b)->type && (*a)->type != TYPE_NUMBER && (*a)->type != TYPE_RANGE)
    return true;
  const Expr *x = to_sites(build, *a), *y = to_sites(build, *b);
  if (!x || !y) return false;
  *a = x;
  *b = y;
  return true;
}

static bool poisoned(const Expr *a, const Expr *b) {
  return a->type == TYPE_POISON || b->type == TYPE_POISON;
}

static const Expr *unlike(const Scope *scope, const Node *node, const char *op,
                          const Expr *a, const Expr *b) {
  Build *build = scope->build;
  bool sets = (is_set((Type)a->type) && b->type == TYPE_CONDITION) ||
              (is_set((Type)b->type) && a->type == TYPE_CONDITION) ||
              (a->type == TYPE_CONDITION && b->type == TYPE_CONDITION);
  Diag *d;
  if (a->type == TYPE_CONDITION && b->type == TYPE_CONDITION)
    d = diag_report(build->diags, DIAG_SETS_AND_CONDITIONS, node->span,
                    "`%s` is for sets; `%s` and `%s` are conditions", op,
                    words_at(build, a->span), words_at(build, b->span));
  else if (a->type == b->type)
    d = diag_report(build->diags, sets ? DIAG_SETS_AND_CONDITIONS : DIAG_UNLIKE_SIDES,
                    node->span, "`%s` cannot stand between `%s` and `%s`: both are %s",
                    op, words_at(build, a->span), words_at(build, b->span),
                    type_words((Type)a->type));
  else
    d = diag_report(build->diags, sets ? DIAG_SETS_AND_CONDITIONS : DIAG_UNLIKE_SIDES,
                    node->span,
                    "`%s` cannot stand between `%s`, which is %s, and `%s`, which is %s",
                    op, words_at(build, a->span), type_words((Type)a->type),
                    words_at(build, b->span), type_words((Type)b->type));
  bool points = build->rules->board.shape == BOARD_POINTS;
  if (!sets && !points && (a->type == TYPE_NUMBER || b->type == TYPE_NUMBER) &&
      a->type != b->type)
    diag_note(
        build->diags, d,
        "numbers are sites on a board of points only; here sites have names such as `%s`",
        build->rules->board.squares ? build->rules->board.name[0] : "a1");
  if (sets && !strcmp(op, "+"))
    diag_note(build->diags, d, "conditions are joined by `or` and `and`");
  if (!strcmp(op, "..") && a->type == TYPE_SITES)
    diag_note(build->diags, d, "parts of a path are separated by commas: hand, 1 .. 8, home");
  if (sets && !strcmp(op, "except"))
    diag_note(build->diags, d, "conditions are joined by `and not`");
  return make_poison(build, node->span);
}

static const Expr *type_add(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Expr *a = express(scope, node_kid(n, 0)), *b = express(scope, node_kid(n, 1));
  if (poisoned(a, b)) return make_poison(build, n->span);
  if (a->type == TYPE_NUMBER && b->type == TYPE_NUMBER) {
    const Expr *sum = make2(build, X_ADD, TYPE_NUMBER, n->span, a, b);
    bool literal = (node_kid(n, 0)->kind == N_E_INT || expr_is_sum(a)) &&
                   (node_kid(n, 1)->kind == N_E_INT || expr_is_sum(b));
    if (literal && sum->type == TYPE_NUMBER) ((Made *)(uintptr_t)(const void *)sum)->sum = true;
    return sum;
  }
  bool sets = a->type != TYPE_CONDITION && b->type != TYPE_CONDITION;
  if (!sets || !unify(build, &a, &b)) return unlike(scope, n, "+", a, b);
  return make2(build, X_UNION, (Type)a->type, n->span, a, b);
}

static const Expr *type_number_pair(const Scope *scope, const Node *n, ExprOp op,
                                    const char *word) {
  Build *build = scope->build;
  Scope inner = without_hint(scope);
  const Expr *a = express(&inner, node_kid(n, 0)), *b = express(&inner, node_kid(n, 1));
  if (poisoned(a, b)) return make_poison(build, n->span);
  if (a->type != TYPE_NUMBER || b->type != TYPE_NUMBER) {
    const Expr *e = unlike(scope, n, word, a, b);
    return e;
  }
  if (op == X_POINT_RANGE)
    return make_finish(build, make_raw(build, op, TYPE_RANGE, n->span, a, b));
  return make2(build, op, TYPE_NUMBER, n->span, a, b);
}

static const Expr *type_sub(const Scope *s, const Node *n) {
  Scope inner = without_hint(s);
  const Expr *a = express(&inner, node_kid(n, 0)), *b = express(&inner, node_kid(n, 1));
  if (poisoned(a, b)) return make_poison(s->build, n->span);
  if (a->type == TYPE_NUMBER && b->type == TYPE_NUMBER)
    return make2(s->build, X_SUB, TYPE_NUMBER, n->span, a, b);
  Diag *d = diag_report(s->build->diags, DIAG_UNLIKE_SIDES, n->span,
                        "`-` is for numbers, and `%s` is %s",
                        words_at(s->build, a->type == TYPE_NUMBER ? b->span : a->span),
                        type_words((Type)(a->type == TYPE_NUMBER ? b->type : a->type)));
  if (is_set((Type)a->type))
    diag_note(s->build->diags, d, "for one set without another write `%s except %s`",
              words_at(s->build, a->span), words_at(s->build, b->span));
  return make_poison(s->build, n->span);
}
static const Expr *type_mul(const Scope *s, const Node *n) {
  return type_number_pair(s, n, X_MUL, "*");
}
static const Expr *type_range(const Scope *s, const Node *n) {
  return type_number_pair(s, n, X_POINT_RANGE, "..");
}

static const Expr *type_at(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  Scope inner = without_hint(scope);
  const Expr *a = express(&inner, node_kid(n, 0)), *b = express(&inner, node_kid(n, 1));
  if (poisoned(a, b)) return make_poison(build, n->span);
  /* the piece that moved or is taken stands for its place: `enemy at moved` */
  bool place = b->op == X_MOVED || b->op == X_VICTIM || b->op == X_VICTIMS;
  if (a->type == TYPE_PIECES && b->type == TYPE_PIECES && !place)
    return make2(build, X_MEET, TYPE_PIECES, n->span, a, b);
  const Expr *s = to_sites(build, b);
  if (a->type == TYPE_PIECES && s)
    return make2(build, X_PIECES_AT, TYPE_PIECES, n->span, a, s);
  const Expr *x = to_sites(build, a);
  if (x && s) return make2(build, X_MEET, TYPE_SITES, n->span, x, s);
  return unlike(scope, n, "at", a, b);
}

static const Expr *type_except(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Expr *a = express(scope, node_kid(n, 0)), *b = express(scope, node_kid(n, 1));
  if (poisoned(a, b)) return make_poison(build, n->span);
  if (a->type == TYPE_PIECES && b->type != TYPE_PIECES) {
    const Expr *s = to_sites(build, b);
    if (s) return make2(build, X_PIECES_OFF, TYPE_PIECES, n->span, a, s);
  }
  if (a->type == TYPE_CONDITION || b->type == TYPE_CONDITION || !unify(build, &a, &b))
    return unlike(scope, n, "except", a, b);
  return make2(build, X_MINUS, (Type)a->type, n->span, a, b);
}

static const Expr *type_where(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Expr *a = express(scope, node_kid(n, 0));
  if (a->type == TYPE_NUMBER || a->type == TYPE_RANGE)
    a = coerce(scope, a, TYPE_SITES, "`where`");
  if (a->type == TYPE_CONDITION) {
    Diag *d = diag_report(build->diags, DIAG_SETS_AND_CONDITIONS, n->span,
                          "`where` picks from a set, and `%s` is a condition",
                          words_at(build, a->span));
    diag_note(build->diags, d,
              "`where` reaches as far to the left as it can; put the set and its `where` "
              "in brackets");
    return make_poison(build, n->span);
  }
  Scope inner = without_hint(scope);
  inner.place = "`where`";
  if (a->type == TYPE_SITES || a->type == TYPE_PIECES) inner.allowed |= DEP_HERE;
  if (a->type == TYPE_PLAYERS) inner.allowed |= DEP_EACH;
  if (a->type == TYPE_POISON) inner.allowed |= DEP_HERE | DEP_EACH;
  if (!(scope->allowed & DEP_POSITION)) inner.place = scope->place;
  const Node *right = node_kid(n, 1);
  const Expr *c = coerce(&inner, express(&inner, right), TYPE_CONDITION, "`where`");
  if (poisoned(a, c)) return make_poison(build, n->span);
  return make2(build, X_WHERE, (Type)a->type, n->span, a, c);
}

/* ---- quantities ---- */

static const Expr *type_count(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  Scope inner = without_hint(scope);
  const Expr *a = express(&inner, n->kid);
  if (a->type == TYPE_POISON) return make_poison(build, n->span);
  if (a->type == TYPE_RANGE) a = coerce(scope, a, TYPE_SITES, "`count`");
  if (a->type == TYPE_POISON) return a;
  if (!is_set((Type)a->type)) {
    diag_report(build->diags, DIAG_WRONG_TYPE, n->span,
                "`count` wants a set, and `%s` is %s", words_at(build, a->span),
                type_words((Type)a->type));
    return make_poison(build, n->span);
  }
  return make1(build, X_COUNT, TYPE_NUMBER, n->span, a);
}

static const Expr *type_some(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  Scope inner = without_hint(scope);
  const char *word = n->kind == N_E_SOME ? "some" : "no";
  const Expr *a = express(&inner, n->kid);
  if (a->type == TYPE_POISON) return make_poison(build, n->span);
  if (!is_set((Type)a->type)) {
    const Expr *sites = to_sites(build, a);
    if (!sites) {
      Diag *d = diag_report(build->diags, DIAG_WRONG_TYPE, n->span,
                            "`%s` wants a set, and `%s` is %s", word,
                            words_at(build, a->span), type_words((Type)a->type));
      if (a->type == TYPE_CONDITION)
        diag_note(build->diags, d, "a condition is denied by `not`");
      return make_poison(build, n->span);
    }
    a = sites;
  }
  return make1(build, n->kind == N_E_SOME ? X_SOME : X_NONE, TYPE_CONDITION, n->span, a);
}

static const Expr *type_all(const Scope *scope, const Node *n) {
  Scope inner = without_hint(scope);
  if (express(&inner, n->kid)->type != TYPE_POISON)
    diag_report(scope->build->diags, DIAG_SYNTAX, n->span,
                "`all` needs an `in`: all … in …");
  return make_poison(scope->build, n->span);
}

/* ---- conditions ---- */

static const Expr *side(const Scope *scope, const Node *node, const char *word) {
  Build *build = scope->build;
  Scope inner = without_hint(scope);
  const Expr *e = express(&inner, node);
  (void)word;
  (void)build;
  return e;
}

/* "`or` joins conditions; `edge` and `corners` are sites; for sets write `edge +
 * corners`" */
static const Expr *type_logic(const Scope *scope, const Node *n, ExprOp op,
                              const char *word, const char *sets) {
  Build *build = scope->build;
  const Node *l = node_kid(n, 0), *r = node_kid(n, 1);
  const Expr *a = side(scope, l, word), *b = side(scope, r, word);
  if (poisoned(a, b)) return make_poison(build, n->span);
  if (a->type == TYPE_CONDITION && b->type == TYPE_CONDITION)
    return make2(build, op, TYPE_CONDITION, n->span, a, b);
  const char *x = words_at(build, a->span), *y = words_at(build, b->span);
  if (is_set((Type)a->type) && is_set((Type)b->type)) {
    Diag *d = a->type == b->type
                  ? diag_report(build->diags, DIAG_SETS_AND_CONDITIONS, n->span,
                                "`%s` joins conditions; `%s` and `%s` are %s", word, x, y,
                                type_name((Type)a->type))
                  : diag_report(build->diags, DIAG_SETS_AND_CONDITIONS, n->span,
                                "`%s` joins conditions; `%s` is %s and `%s` %s", word, x,
                                type_words((Type)a->type), y, type_words((Type)b->type));
    diag_note(build->diags, d, "for sets write `%s %s %s`", x, sets, y);
    return make_poison(build, n->span);
  }
  Scope inner = without_hint(scope);
  const char *who = arena_printf(build->arena, "`%s`", word);
  coerce(&inner, a, TYPE_CONDITION, who);
  coerce(&inner, b, TYPE_CONDITION, who);
  return make_poison(build, n->span);
}
static const Expr *type_or(const Scope *s, const Node *n) {
  return type_logic(s, n, X_OR, "or", "+");
}
static const Expr *type_and(const Scope *s, const Node *n) {
  return type_logic(s, n, X_AND, "and", "at");
}

static const Expr *type_not(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Expr *a = side(scope, n->kid, "not");
  if (a->type == TYPE_POISON) return make_poison(build, n->span);
  if (is_set((Type)a->type)) {
    Diag *d = diag_report(build->diags, DIAG_SETS_AND_CONDITIONS, n->span,
                          "`not` denies a condition; `%s` is %s",
                          words_at(build, a->span), type_words((Type)a->type));
    diag_note(build->diags, d,
              "for a set without these write `… except %s`; for \"there is none\" write "
              "`no %s`",
              words_at(build, a->span), words_at(build, a->span));
    return make_poison(build, n->span);
  }
  Scope inner = without_hint(scope);
  a = coerce(&inner, a, TYPE_CONDITION, "`not`");
  return make1(build, X_NOT, TYPE_CONDITION, n->span, a);
}

/* ---- leaves ---- */

static const Expr *type_error(const Scope *s, const Node *n) {
  return make_poison(s->build, n->span);
}

static const Expr *type_int(const Scope *scope, const Node *n) {
  const Domain *hint = scope->hint;
  if (hint &&
      hint->type == TYPE_VALUES) { /* a value that looks like a number: 1 | graded */
    const char *text = names_intern0(scope->build->names,
                                     arena_printf(scope->build->arena, "%d", n->number));
    int atom = atom_find(scope->build, text);
    if (atom >= 0 && sites_has(&hint->atoms, atom))
      return make_values(scope->build, sites_one(atom), hint, n->span);
  }
  return make_number(scope->build, n->number, n->span);
}

static const Expr *type_fraction(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  int a = 0, b = 0;
  const char *p = n->text;
  for (; *p >= '0' && *p <= '9' && a < 100000; p++) a = a * 10 + (*p - '0');
  if (*p == '/') p++;
  for (; *p >= '0' && *p <= '9' && b < 100000; p++) b = b * 10 + (*p - '0');
  if (b == 0 || *p) {
    diag_report(build->diags, DIAG_BAD_FRACTION, n->span, "`%s` is no fraction", n->text);
    return make_poison(build, n->span);
  }
  if (!scope->fractions) {
    diag_report(build->diags, DIAG_BAD_FRACTION, n->span,
                "fractions stand in `worth` and in what scenarios expect; numbers "
                "elsewhere are whole");
    return make_poison(build, n->span);
  }
  Expr *e = make_raw(build, X_FRACTION, TYPE_NUMBER, n->span, NULL, NULL);
  e->a = a;
  e->b = b;
  return make_finish(build, e);
}

static const Expr *type_throw(const Scope *scope, const Node *n) {
  diag_report(scope->build->diags, DIAG_WRONG_TYPE, n->span,
              "`%s` are dice; they stand after `throw` in a `dice` definition", n->text);
  return make_poison(scope->build, n->span);
}

static const Expr *type_name_node(const Scope *s, const Node *n) {
  return express_name(s, n, n->text);
}

static const Expr *type_owner(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Expr *mover = make0(build, X_MOVER, TYPE_PLAYERS, n->span);
  if (!scope_allows(scope, mover->deps, n->text, n->span))
    return make_poison(build, n->span);
  const Expr *owners = mover;
  if (!strcmp(n->text, "enemy"))
    owners = make2(build, X_MINUS, TYPE_PLAYERS, n->span,
                   make_players(build, build->seated, n->span), mover);
  if (!n->tag)
    return make_pieces(build, (1u << build->rules->kinds) - 1, owners, n->span);
  Scope inner = without_hint(scope);
  const Expr *pieces = express_name(&inner, n, n->tag);
  if (pieces->type == TYPE_POISON) return pieces;
  if (pieces->type != TYPE_PIECES) {
    Diag *d = diag_report(build->diags, DIAG_WRONG_SORT, n->span,
                          "after `%s` stands a kind of piece, and `%s` is %s", n->text,
                          n->tag, type_words((Type)pieces->type));
    if (pieces->type == TYPE_SITES)
      diag_note(build->diags, d, "for pieces on those sites write `%s at %s`", n->text,
                n->tag);
    return make_poison(build, n->span);
  }
  return restrict_owner(scope, pieces, owners);
}

/* ---- pictures ---- */

const Expr *express_line(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  Scope inner = without_hint(scope);
  LineShape *shape = ARENA_NEW(build->arena, LineShape);
  const Expr *ways = NULL;
  bool pieces = true, poison = false;
  for (const Node *k = n->kid; k; k = k->next) {
    if (k->kind == N_LINE_WAYS) {
      inner.place = "`line(…)`";
      ways = express_as(&inner, k->kid, TYPE_WAYS);
      poison |= ways->type == TYPE_POISON;
      continue;
    }
    if (k->kind != N_CELL) continue;
    if (shape->n == (int)(sizeof shape->cell / sizeof *shape->cell)) {
      diag_report(build->diags, DIAG_BAD_LINE, k->span, "a picture has at most %d cells",
                  shape->n);
      return make_poison(build, n->span);
    }
    inner.place = "a cell of `line`";
    const Expr *e = express(&inner, k->kid);
    if (e->type != TYPE_PIECES) e = coerce(&inner, e, TYPE_SITES, inner.place);
    poison |= e->type == TYPE_POISON;
    LineCell *cell = &shape->cell[shape->n++];
    cell->expr = e;
    cell->run = k->number;
    cell->marked = k->text != NULL;
    if (cell->marked && e->type != TYPE_PIECES) pieces = false;
    shape->any_marked |= cell->marked;
    if (k->number > build->rules->board.squares && build->rules->board.squares) {
      diag_report(build->diags, DIAG_BAD_LINE, k->span,
                  "a run of %d is longer than the board", k->number);
      poison = true;
    }
  }
  if (poison) return make_poison(build, n->span);
  if (!shape->any_marked) pieces = false;
  for (int i = 0; i < shape->n; i++) {
    LineCell *cell = &shape->cell[i];
    if (!pieces || !cell->marked) cell->expr = to_sites(build, cell->expr);
  }
  Expr *e = make_raw(build, pieces ? X_LINE_PIECES : X_LINE_SITES,
                     pieces ? TYPE_PIECES : TYPE_SITES, n->span, ways, NULL);
  e->data = shape;
  return make_finish(build, e);
}

/* ---- the table ---- */

static const Expr *type_call(const Scope *scope, const Node *n) {
  BuiltinId id = builtin_find(n->text);
  if (id != BUILTIN_COUNT && strchr(builtin_form(id), 'C'))
    return express_builtin_call(scope, n, id);
  Build *build = scope->build;
  const char *functions[BUILTIN_COUNT];
  size_t count = 0;
  for (int i = 0; i < BUILTIN_COUNT; i++)
    if (strchr(builtin_form((BuiltinId)i), 'C'))
      functions[count++] = builtin_word((BuiltinId)i);
  Diag *d = diag_report(build->diags, DIAG_UNKNOWN_NAME, n->span,
                        "there is no function `%s(…)`", n->text);
  const char *near = text_nearest(n->text, functions, count);
  if (near)
    diag_note(build->diags, d, "did you mean `%s`?", near);
  else if (id != BUILTIN_COUNT && strchr(builtin_form(id), 'O'))
    diag_note(build->diags, d, "write `%s of …`", n->text);
  else
    diag_note(
        build->diags, d,
        "functions are rank, file, flood, braced, rearmost, beyond, behind and first_of");
  return make_poison(build, n->span);
}

typedef const Expr *(*Typing)(const Scope *scope, const Node *node);
static const Typing typing[N_COUNT] = {
    [N_E_ERROR] = type_error,
    [N_E_INT] = type_int,
    [N_E_FRACTION] = type_fraction,
    [N_E_NAME] = type_name_node,
    [N_E_WORD] = type_name_node,
    [N_E_THROW] = type_throw,
    [N_E_OWNER] = type_owner,
    [N_E_CALL] = type_call,
    [N_E_LINE] = express_line,
    [N_E_COUNT] = type_count,
    [N_E_OF] = express_of,
    [N_E_AT] = type_at,
    [N_E_EXCEPT] = type_except,
    [N_E_WHERE] = type_where,
    [N_E_ADD] = type_add,
    [N_E_SUB] = type_sub,
    [N_E_MUL] = type_mul,
    [N_E_RANGE] = type_range,
    [N_E_ALL] = type_all,
    [N_E_SOME] = type_some,
    [N_E_NO] = type_some,
    [N_E_EQ] = express_compare,
    [N_E_NE] = express_compare,
    [N_E_LT] = express_compare,
    [N_E_GT] = express_compare,
    [N_E_LE] = express_compare,
    [N_E_GE] = express_compare,
    [N_E_IN] = express_in,
    [N_E_NOT] = type_not,
    [N_E_AND] = type_and,
    [N_E_OR] = type_or,
};

const Expr *express(const Scope *scope, const Node *node) {
  Build *build = scope->build;
  if (!node || !typing[node->kind])
    return make_poison(build, node ? node->span : build->flat->unit->node->span);
  if (build->depth >= NESTING_MAX) {
    diag_report(build->diags, DIAG_TOO_DEEP, node->span,
                "expressions and lets are nested more than %d deep", NESTING_MAX);
    return make_poison(build, node->span);
  }
  build->depth++;
  const Expr *e = typing[node->kind](scope, node);
  build->depth--;
  if (e->cost > COST_MAX && e->type != TYPE_POISON) {
    Diag *d = diag_report(build->diags, DIAG_TOO_COSTLY, node->span,
                          "this would take too long on a board of %d sites",
                          build->rules->board.sites);
    diag_note(
        build->diags, d,
        "each `where` inside a `where` multiplies the work by the size of the board");
    return make_poison(build, node->span);
  }
  return e;
}
