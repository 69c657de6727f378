/* The built-in names in expressions: plain words, `word of X` and `word(…)`. */
#include "front/resolve.h"

#include <string.h>

enum { WAY_ANYWHERE = 16 };

static const Expr *poison_at(const Scope *scope, const Node *node) {
  return make_poison(scope->build, node->span);
}

/* ---- plain ---- */

static const Expr *way(const Scope *scope, const Node *node, BuiltinId id) {
  Build *build = scope->build;
  const Board *board = &build->rules->board;
  bool grid = board->shape == BOARD_GRID;
  uint64_t ways = 0;
  switch (id) {
    case BUILTIN_ORTHOGONAL:
      ways = board->orthogonal;
      break;
    case BUILTIN_DIAGONAL:
      ways = board->diagonal;
      break;
    case BUILTIN_ADJACENT_WAYS:
      ways = board->adjacent;
      break;
    case BUILTIN_ANYWHERE:
      ways = (uint64_t)1 << WAY_ANYWHERE;
      break;
    default:
      if (grid) ways = (uint64_t)1 << (id - BUILTIN_NORTH);
      break;
  }
  if (!ways && !board->squares) return poison_at(scope, node);
  if (!ways) {
    Diag *d = diag_report(build->diags, DIAG_WRONG_SORT, node->span,
                          "this board has no `%s`", builtin_word(id));
    diag_note(build->diags, d, "%s",
              grid ? "it has no such neighbours"
                   : "only a board of squares has compass directions and diagonals");
    return poison_at(scope, node);
  }
  return make_ways(build, ways, node->span);
}

static int far_of(const Board *board) {
  if (board->shape == BOARD_GRID && board->squares)
    return board->files > board->ranks ? board->files : board->ranks;
  return board->squares ? board->squares : 1;
}

/* Words that are one operation without kids. */
static const struct Plain {
  BuiltinId id;
  ExprOp op;
  Type type;
} plain[] = {
    {BUILTIN_EMPTY, X_SITES_EMPTY, TYPE_SITES},
    {BUILTIN_HERE, X_HERE, TYPE_SITES},
    {BUILTIN_ORIGIN, X_ORIGIN, TYPE_SITES},
    {BUILTIN_TARGET, X_TARGET, TYPE_SITES},
    {BUILTIN_BETWEEN, X_BETWEEN, TYPE_SITES},
    {BUILTIN_PREVIOUS, X_PREVIOUS, TYPE_SITES},
    {BUILTIN_MOVED, X_MOVED, TYPE_PIECES},
    {BUILTIN_VICTIM, X_VICTIM, TYPE_PIECES},
    {BUILTIN_VICTIMS, X_VICTIMS, TYPE_PIECES},
    {BUILTIN_MOVER, X_MOVER, TYPE_PLAYERS},
    {BUILTIN_OPPONENT, X_OPPONENT, TYPE_PLAYERS},
    {BUILTIN_ACTIVE, X_ACTIVE, TYPE_PLAYERS},
    {BUILTIN_STARTER, X_STARTER, TYPE_PLAYERS},
    {BUILTIN_NEXT_PLAYER, X_NEXT_PLAYER, TYPE_PLAYERS},
    {BUILTIN_WINNERS, X_WINNERS, TYPE_PLAYERS},
    {BUILTIN_ANSWERER, X_ANSWERER, TYPE_PLAYERS},
    {BUILTIN_EACH, X_EACH, TYPE_PLAYERS},
    {BUILTIN_DIE, X_DIE, TYPE_NUMBER},
    {BUILTIN_DOUBLE, X_DOUBLE, TYPE_NUMBER},
    {BUILTIN_DICE_USED, X_DICE_USED, TYPE_NUMBER},
    {BUILTIN_PIPS_USED, X_PIPS_USED, TYPE_NUMBER},
    {BUILTIN_CAPTURED, X_CAPTURED, TYPE_NUMBER},
    {BUILTIN_TURN_COUNT, X_TURN_COUNT, TYPE_NUMBER},
    {BUILTIN_REPEATS, X_REPEATS, TYPE_NUMBER},
    {BUILTIN_QUIET, X_QUIET, TYPE_NUMBER},
    {BUILTIN_PASSES, X_PASSES, TYPE_NUMBER},
    {BUILTIN_LEGAL_TURNS, X_LEGAL_TURNS, TYPE_NUMBER},
    {BUILTIN_STUCK, X_STUCK, TYPE_CONDITION},
    {BUILTIN_DEAD, X_DEAD, TYPE_CONDITION},
    {BUILTIN_ROUND_OVER, X_ROUND_OVER, TYPE_CONDITION},
    {BUILTIN_OUTCOME, X_OUTCOME, TYPE_VALUES},
};

/* What is put together of other things; NULL: it is one operation. */
static const Expr *constant_builtin(const Scope *scope, const Node *node, BuiltinId id) {
  Build *build = scope->build;
  const Board *board = &build->rules->board;
  Span span = node->span;
  switch (id) {
    case BUILTIN_SITES:
      return make_sites(build, board->all, span);
    case BUILTIN_EDGE:
      return make_sites(build, board->edge, span);
    case BUILTIN_CORNERS:
      return make_sites(build, board->corners, span);
    case BUILTIN_EVERYWHERE:
      return make_sites(build, sites_or(board->all, board->pockets), span);
    case BUILTIN_EVERYONE:
      return make_players(build, build->seated, span);
    case BUILTIN_NOBODY:
      return make_players(build, SEAT_NOBODY, span);
    case BUILTIN_FAR:
      return make_number(build, far_of(board), span);
    case BUILTIN_ORTHOGONAL:
    case BUILTIN_DIAGONAL:
    case BUILTIN_NORTH:
    case BUILTIN_NORTHEAST:
    case BUILTIN_EAST:
    case BUILTIN_SOUTHEAST:
    case BUILTIN_SOUTH:
    case BUILTIN_SOUTHWEST:
    case BUILTIN_WEST:
    case BUILTIN_NORTHWEST:
    case BUILTIN_ANYWHERE:
    case BUILTIN_ADJACENT_WAYS:
      return way(scope, node, id);
    case BUILTIN_PIECES: {
      const Expr *e = make_pieces(build, (1u << build->rules->kinds) - 1,
                                  make_players(build, build->seated, span), span);
      return scope_allows(scope, e->deps, "pieces", span) ? e : poison_at(scope, node);
    }
    default:
      return NULL;
  }
}

const Expr *express_builtin(const Scope *scope, const Node *node, BuiltinId id) {
  Build *build = scope->build;
  Span span = node->span;
  if (!strchr(builtin_form(id), 'P')) {
    diag_report(build->diags, DIAG_BAD_OF, span,
                strchr(builtin_form(id), 'O') ? "`%s` of what? write `%s of …`"
                                              : "`%s` is a function: write `%s(…)`",
                builtin_word(id), builtin_word(id));
    return poison_at(scope, node);
  }
  if (id == BUILTIN_LEGAL_TURNS && !scope->scenario) {
    diag_report(build->diags, DIAG_MEANINGLESS_HERE, span,
                "`legal_turns` is for scenarios; no rule may ask for it");
    return poison_at(scope, node);
  }
  const Expr *known = constant_builtin(scope, node, id);
  if (known) return known;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    if (plain[i].id != id) continue;
    Expr *raw = make_raw(build, plain[i].op, plain[i].type, span, NULL, NULL);
    if (id == BUILTIN_OUTCOME) ((Made *)(void *)raw)->domain = build->rule_domain;
    const Expr *e = make_finish(build, raw);
    return scope_allows(scope, e->deps, builtin_word(id), span) ? e
                                                                : poison_at(scope, node);
  }
  return poison_at(scope, node);
}

/* ---- of ---- */

static const Expr *uses_of(const Scope *scope, const Node *node, const Node *right) {
  Build *build = scope->build;
  Symbol *rule =
      right->kind == N_E_NAME ? symbol_find(build, SPACE_RULES, right->text) : NULL;
  if (rule && rule->index >= 0) {
    rule->used++;
    build->rule[rule->index].counted = true;
    Expr *raw = make_raw(build, X_USES, TYPE_NUMBER, node->span, NULL, NULL);
    raw->a = rule->index;
    const Expr *e = make_finish(build, raw);
    return scope_allows(scope, e->deps, "uses", node->span) ? e : poison_at(scope, node);
  }
  const char **all = ARENA_ARRAY(build->arena, const char *, build->rules->rules + 1);
  for (int i = 0; i < build->rules->rules; i++) all[i] = build->rule[i].name;
  if (right->kind != N_E_NAME) {
    diag_report(build->diags, DIAG_WRONG_SORT, right->span,
                "`uses of` wants the name of a rule");
    return poison_at(scope, node);
  }
  Diag *d = diag_report(build->diags, DIAG_UNKNOWN_NAME, right->span,
                        "there is no rule `%s`", right->text);
  const char *near = text_nearest(right->text, all, (size_t)build->rules->rules);
  if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
  return poison_at(scope, node);
}

const Expr *express_builtin_of(const Scope *scope, const Node *node, BuiltinId id,
                               const Node *right) {
  Build *build = scope->build;
  Span span = node->span;
  if (id == BUILTIN_USES) return uses_of(scope, node, right);
  if (id == BUILTIN_POINTS && !scope->scenario) {
    diag_report(build->diags, DIAG_MEANINGLESS_HERE, span,
                "`points of …` is for scenarios; no rule may ask for it");
    return poison_at(scope, node);
  }
  Scope inner = *scope;
  inner.hint = NULL;
  const char *who = arena_printf(build->arena, "`%s of …`", builtin_word(id));
  const Expr *x = express(&inner, right);
  if (x->type == TYPE_POISON) return poison_at(scope, node);
  const Expr *e = NULL;
  switch (id) {
    case BUILTIN_SITES: /* of players: where their pieces stand */
      if (x->type == TYPE_PLAYERS)
        x = make_pieces(build, (1u << build->rules->kinds) - 1, x, span);
      e = coerce(&inner, x, TYPE_SITES, who);
      break;
    case BUILTIN_PIECES:
      x = coerce(&inner, x, TYPE_PLAYERS, who);
      e = x->type == TYPE_POISON
              ? x
              : make_pieces(build, (1u << build->rules->kinds) - 1, x, span);
      break;
    case BUILTIN_NEIGHBOURS:
      e = make1(build, X_NEIGHBOURS, TYPE_SITES, span,
                coerce(&inner, x, TYPE_SITES, who));
      break;
    case BUILTIN_GROUP:
      e = make1(build, X_GROUP, TYPE_SITES, span, coerce(&inner, x, TYPE_SITES, who));
      break;
    case BUILTIN_OWNER:
      if (x->type == TYPE_PIECES)
        e = make1(build, X_OWNER, TYPE_PLAYERS, span, x);
      else
        e = make1(build, X_OWNER_AT, TYPE_PLAYERS, span,
                  coerce(&inner, x, TYPE_SITES, who));
      break;
    default: {
      static const struct OfPlayer {
        BuiltinId id;
        ExprOp op;
        Type type;
      } of[] = {{BUILTIN_LAST_ORIGIN, X_LAST_ORIGIN, TYPE_SITES},
                {BUILTIN_LAST_TARGET, X_LAST_TARGET, TYPE_SITES},
                {BUILTIN_TURNS, X_TURNS, TYPE_NUMBER},
                {BUILTIN_OVERRUNS, X_OVERRUNS, TYPE_NUMBER},
                {BUILTIN_POINTS, X_POINTS, TYPE_NUMBER}};
      for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].id == id)
          e = make1(build, of[i].op, of[i].type, span,
                    coerce(&inner, x, TYPE_PLAYERS, who));
    }
  }
  if (!e || e->type == TYPE_POISON) return poison_at(scope, node);
  return scope_allows(scope, e->deps, builtin_word(id), span) ? e
                                                              : poison_at(scope, node);
}

/* ---- functions ---- */

static int letter_or_number(const Node *node) {
  if (node->kind == N_E_INT) return node->number - 1;
  if (node->kind == N_E_NAME && node->text[0] >= 'a' && node->text[0] <= 'z' &&
      !node->text[1])
    return node->text[0] - 'a';
  return -1;
}

static const Expr *rank_or_file(const Scope *scope, const Node *node, bool rank) {
  Build *build = scope->build;
  const Board *board = &build->rules->board;
  const Node *arg = node->kid;
  int n = -1;
  if (rank) {
    Scope inner = *scope;
    inner.hint = NULL;
    const Expr *e = coerce(&inner, express(&inner, arg), TYPE_NUMBER, "`rank(…)`");
    if (e->type == TYPE_POISON) return poison_at(scope, node);
    if (e->op == X_NUMBER) n = e->a - 1;
  } else {
    n = letter_or_number(arg);
  }
  SiteSet sites = sites_none();
  for (int s = 0; s < board->squares; s++)
    if ((rank ? board->rank_of[s] : board->file_of[s]) == n && n >= 0)
      sites_add(&sites, s);
  if (!board->squares) return poison_at(scope, node);
  if (sites_is_empty(&sites)) {
    diag_report(build->diags, DIAG_UNKNOWN_SITE, arg->span, "this board has no %s `%s`",
                rank ? "rank" : "file", words_at(build, arg->span));
    return poison_at(scope, node);
  }
  return make_sites(build, sites, node->span);
}

static const struct Function {
  BuiltinId id;
  ExprOp op;
  Type result, first, second; /* POISON: no second argument */
  const char *usage;
} functions[] = {
    {BUILTIN_FLOOD, X_FLOOD, TYPE_SITES, TYPE_SITES, TYPE_SITES, "flood(from, through)"},
    {BUILTIN_BRACED, X_BRACED, TYPE_PIECES, TYPE_PIECES, TYPE_SITES,
     "braced(pieces, safe sites)"},
    {BUILTIN_REARMOST, X_REARMOST, TYPE_SITES, TYPE_SITES, TYPE_WAYS,
     "rearmost(pieces, path)"},
    {BUILTIN_BEYOND, X_BEYOND, TYPE_SITES, TYPE_SITES, TYPE_WAYS, "beyond(pieces, path)"},
    {BUILTIN_BEHIND, X_BEHIND, TYPE_SITES, TYPE_SITES, TYPE_WAYS, "behind(pieces, path)"},
    {BUILTIN_FIRST_OF, X_FIRST_OF, TYPE_SITES, TYPE_SITES, TYPE_POISON,
     "first_of(sites)"},
};

/* Ways that are one path for each player: directions have no end. */
static bool is_path(const Expr *e) {
  if (e->cost > 1e6) return false;
  if (e->op == X_WAYS_PATH) return true;
  if (e->op == X_WAYS_CONST)
    return *(const uint64_t *)e->data >> 32 && !(*(const uint64_t *)e->data & 0x1FFFF);
  if (e->op == X_LET || e->op == X_WHERE) return is_path(e->kid[0]);
  if (e->op == X_UNION) return is_path(e->kid[0]) && is_path(e->kid[1]);
  return e->op == X_LET_BY;
}

/* `sites(5, 10, hand)`: all that is named, numbers being points. */
static const Expr *sites_named(const Scope *scope, const Node *node) {
  Scope inner = *scope;
  inner.hint = NULL;
  const Expr *all = NULL;
  for (const Node *k = node->kid; k; k = k->next) {
    const Expr *e = coerce(&inner, express(&inner, k), TYPE_SITES, "`sites(…)`");
    if (e->type == TYPE_POISON) return poison_at(scope, node);
    all = all ? make2(scope->build, X_UNION, TYPE_SITES, node->span, all, e) : e;
  }
  return all ? all : poison_at(scope, node);
}

const Expr *express_builtin_call(const Scope *scope, const Node *node, BuiltinId id) {
  Build *build = scope->build;
  if (id == BUILTIN_SITES) return sites_named(scope, node);
  int given = node_count(node);
  if (id == BUILTIN_RANK || id == BUILTIN_FILE) {
    if (given == 1) return rank_or_file(scope, node, id == BUILTIN_RANK);
    diag_report(build->diags, DIAG_ARGUMENTS, node->span,
                "`%s(…)` wants one argument, as in %s", builtin_word(id),
                id == BUILTIN_RANK ? "rank(8)" : "file(a)");
    return poison_at(scope, node);
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const struct Function *f = &functions[i];
    if (f->id != id) continue;
    int wanted = f->second == TYPE_POISON ? 1 : 2;
    if (given != wanted) {
      diag_report(build->diags, DIAG_ARGUMENTS, node->span, "`%s(…)` wants %s: %s",
                  builtin_word(id), wanted == 1 ? "one argument" : "two arguments",
                  f->usage);
      return poison_at(scope, node);
    }
    Scope inner = *scope;
    inner.hint = NULL;
    inner.place = arena_printf(build->arena, "`%s(…)`", builtin_word(id));
    if (!(scope->allowed & DEP_POSITION)) inner.place = scope->place;
    const Expr *a = express(&inner, node_kid(node, 0)), *b = NULL;
    a = coerce(&inner, a, f->first, arena_printf(build->arena, "`%s`", f->usage));
    if (wanted == 2)
      b = coerce(&inner, express(&inner, node_kid(node, 1)), f->second,
                 arena_printf(build->arena, "`%s`", f->usage));
    if (a->type == TYPE_POISON || (b && b->type == TYPE_POISON))
      return poison_at(scope, node);
    if (f->second == TYPE_WAYS && !is_path(b)) {
      diag_report(
          build->diags, DIAG_WRONG_TYPE, b->span,
          "`%s` wants a path, which has a beginning and an end; `%s` are directions",
          builtin_word(id), words_at(build, b->span));
      return poison_at(scope, node);
    }
    const Expr *e = b ? make2(build, f->op, f->result, node->span, a, b)
                      : make1(build, f->op, f->result, node->span, a);
    return scope_allows(scope, e->deps, builtin_word(id), node->span)
               ? e
               : poison_at(scope, node);
  }
  return poison_at(scope, node);
}
