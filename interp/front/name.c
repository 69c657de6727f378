/* Names in expressions: what a word means, in this order: an argument of the pattern, a
 * value of the other side of the comparison, what `choose` has bound, a built-in word, a
 * definition of the game, a site, a value of any param, state or label. And `F of X`. */
#include "front/resolve.h"

#include <string.h>

static const Expr *poison_at(const Scope *scope, const Node *node) {
  return make_poison(scope->build, node->span);
}

static const Expr *in_hint(const Scope *scope, const Node *node, const char *text) {
  const Domain *hint = scope->hint;
  Build *build = scope->build;
  if (!hint) return NULL;
  if (hint->type == TYPE_VALUES) {
    int atom = atom_find(build, text);
    if (atom >= 0 && sites_has(&hint->atoms, atom))
      return make_values(build, sites_one(atom), hint, node->span);
    if (!strcmp(text, "none")) return make_values(build, sites_none(), hint, node->span);
  }
  if (hint->param)
    for (int i = 0; i < hint->param->value_n; i++)
      if (hint->param->values[i] == text && hint->param->numbers)
        return make_number(build, hint->param->numbers[i], node->span);
  bool nothing =
      !strcmp(text, "none") || !strcmp(text, "nobody") || !strcmp(text, "nowhere");
  if (hint->type == TYPE_SITES && nothing)
    return make_sites(build, sites_none(), node->span);
  if (hint->type == TYPE_PLAYERS && nothing)
    return make_players(build, SEAT_NOBODY, node->span);
  return NULL;
}

/* ---- definitions by name ---- */

static const Expr *let_expr(const Scope *scope, const Node *node, Symbol *symbol,
                            const Expr *players) {
  Build *build = scope->build;
  const Let *let = &build->let[symbol->index];
  if (let->by_player) {
    const Expr *first = NULL;
    for (int s = 0; s < SEATS_MAX && !first; s++) first = let->by[s];
    if (!first) return poison_at(scope, node);
    if (players->op == X_PLAYERS_CONST && __builtin_popcount((uint32_t)players->a) == 1) {
      const Expr *one = let->by[__builtin_ctz((uint32_t)players->a) % SEATS_MAX];
      if (one) return one;
    }
    Expr *e = make_raw(build, X_LET_BY, (Type)first->type, node->span, players, NULL);
    e->data = let->by;
    return make_finish(build, e);
  }
  const Expr *k = let->expr;
  if (!k || k->type == TYPE_POISON) return poison_at(scope, node);
  const Expr *e = k;
  if (!is_constant(k) || k->type == TYPE_RANGE) {
    if (k->type == TYPE_RANGE) return k;
    Expr *shared = make_raw(build, X_LET, (Type)k->type, node->span, k, NULL);
    shared->a = symbol->index;
    ((Made *)(void *)shared)->domain = domain_of(k);
    e = make_finish(build, shared);
  }
  if (players) {
    if (k->type != TYPE_PIECES) {
      Diag *d = diag_report(build->diags, DIAG_BAD_OF, node->span,
                            "`%s` is not defined for each player", symbol->name);
      diag_note_at(build->diags, d, symbol->def->span,
                   "it is defined here, for all alike");
      return poison_at(scope, node);
    }
    return restrict_owner(scope, e, players);
  }
  return e;
}

static const Expr *region_expr(const Scope *scope, const Node *node, Symbol *symbol,
                               const Expr *players) {
  Build *build = scope->build;
  const Region *region = &build->region[symbol->index];
  if (!region->by_player) {
    if (players) {
      Diag *d = diag_report(build->diags, DIAG_BAD_OF, node->span,
                            "region `%s` is the same for all players", symbol->name);
      diag_note_at(build->diags, d, symbol->def->span, "it is defined here");
      return poison_at(scope, node);
    }
    return make_sites(build, region->sites[0], node->span);
  }
  if (players->op == X_PLAYERS_CONST) {
    SiteSet all = sites_none();
    for (int s = 0; s < SEATS_MAX; s++)
      if (((uint32_t)players->a >> s) & 1) all = sites_or(all, region->sites[s]);
    return make_sites(build, all, node->span);
  }
  Expr *e = make_raw(build, X_SITES_BY, TYPE_SITES, node->span, players, NULL);
  e->data = region->sites;
  return make_finish(build, e);
}

/* `opponent` where only one player will do: with three at the table it may be two. */
static bool is_one_player(const Scope *scope, const Expr *players, const char *what,
                          const char *name) {
  Build *build = scope->build;
  if (!players || players->op != X_OPPONENT || build->rules->seats <= 2) return true;
  Diag *d = diag_report(build->diags, DIAG_NOT_SINGLE, players->span,
                        "`opponent` may be several players here, and %s `%s` wants one",
                        what, name);
  diag_note(build->diags, d, "%d players sit at the table", build->rules->seats);
  return false;
}

static const Expr *path_expr(const Scope *scope, const Node *node, Symbol *symbol,
                             const Expr *players) {
  Build *build = scope->build;
  if (!is_one_player(scope, players, "path", symbol->name)) return poison_at(scope, node);
  bool shared = true;
  uint64_t ways = 0, of_const = 0;
  for (int i = 0; i < build->rules->paths; i++) {
    const Path *path = &build->path[i];
    if (path->name != symbol->index) continue;
    ways |= (uint64_t)1 << (32 + i);
    if (path->owner >= 0) shared = false;
    if (players && players->op == X_PLAYERS_CONST &&
        (path->owner < 0 || ((uint32_t)players->a >> path->owner) & 1))
      of_const |= (uint64_t)1 << (32 + i);
  }
  if (shared) return make_ways(build, ways, node->span);
  if (players->op == X_PLAYERS_CONST) return make_ways(build, of_const, node->span);
  Expr *e = make_raw(build, X_WAYS_PATH, TYPE_WAYS, node->span, players, NULL);
  e->a = symbol->index;
  return make_finish(build, e);
}

static bool by_player(const Build *build, const Symbol *symbol) {
  switch (symbol->kind) {
    case N_LET:
      return build->let[symbol->index].by_player;
    case N_REGION:
      return build->region[symbol->index].by_player;
    case N_PATH:
      for (int i = 0; i < build->rules->paths; i++)
        if (build->path[i].name == symbol->index && build->path[i].owner >= 0)
          return true;
      return false;
    case N_STATE:
      return build->state[symbol->index].scope == SCOPE_PLAYER;
    default:
      return false;
  }
}

static const Expr *state_expr(const Scope *scope, const Node *node, Symbol *symbol,
                              const Expr *of) {
  Build *build = scope->build;
  const State *state = &build->state[symbol->index];
  ExprOp op = state->type == TYPE_NUMBER    ? X_STATE_NUMBER
              : state->type == TYPE_VALUES  ? X_STATE_VALUE
              : state->type == TYPE_PLAYERS ? X_STATE_PLAYER
                                            : X_STATE_SITE;
  Expr *e = make_raw(build, op, state->type, node->span, of, NULL);
  e->a = symbol->index;
  ((Made *)(void *)e)->domain = symbol->domain;
  return make_finish(build, e);
}

/* `F of X` where F is defined by the game; players or sites of X are typed here. */
static const Expr *defined_of(const Scope *scope, const Node *node, Symbol *symbol,
                              const Node *right) {
  Build *build = scope->build;
  Scope inner = *scope;
  inner.hint = NULL;
  inner.place = arena_printf(build->arena, "`%s of …`", symbol->name);
  if (!(scope->allowed & DEP_POSITION)) inner.place = scope->place;
  bool of_sites =
      symbol->kind == N_LABEL ||
      (symbol->kind == N_STATE && build->state[symbol->index].scope == SCOPE_SITE);
  const Expr *x =
      coerce(&inner, express(&inner, right), of_sites ? TYPE_SITES : TYPE_PLAYERS,
             arena_printf(build->arena, "`%s of …`", symbol->name));
  if (x->type == TYPE_POISON) return poison_at(scope, node);
  switch (symbol->kind) {
    case N_PIECE:
      return make_pieces(build, 1u << symbol->index, x, node->span);
    case N_LET:
      return let_expr(scope, node, symbol, x);
    case N_REGION:
      return region_expr(scope, node, symbol, x);
    case N_PATH:
      return path_expr(scope, node, symbol, x);
    case N_LABEL: {
      const Label *label = &build->label[symbol->index];
      Expr *e =
          make_raw(build, label->type == TYPE_NUMBER ? X_LABEL_NUMBER : X_LABEL_VALUE,
                   label->type, node->span, x, NULL);
      e->a = symbol->index;
      ((Made *)(void *)e)->domain = symbol->domain;
      const SiteSet *sites = constant_sites(x);
      if (sites) {
        int s = sites_first(sites);
        if (label->type == TYPE_NUMBER)
          return make_number(build, s < 0 ? 0 : label->value[s], node->span);
        int atom = s < 0 ? -1 : label->value[s];
        return make_values(build, atom < 0 ? sites_none() : sites_one(atom),
                           symbol->domain, node->span);
      }
      return make_finish(build, e);
    }
    case N_STATE: {
      const State *state = &build->state[symbol->index];
      if (state->scope == SCOPE_TURN || state->scope == SCOPE_GAME) {
        Diag *d = diag_report(build->diags, DIAG_BAD_OF, node->span,
                              "state `%s` belongs to %s; write it alone", symbol->name,
                              state->scope == SCOPE_TURN ? "the turn" : "the whole game");
        diag_note_at(build->diags, d, symbol->def->span, "it is defined here");
        return poison_at(scope, node);
      }
      if (!is_one_player(scope, x, "state", symbol->name)) return poison_at(scope, node);
      return state_expr(scope, node, symbol, x);
    }
    default:
      return poison_at(scope, node);
  }
}

static const Expr *hook_expr(const Scope *scope, const Node *node, const Symbol *symbol) {
  Build *build = scope->build;
  const Hook *hook = &build->hook[symbol->index];
  if (hook->effect) {
    diag_report(build->diags, DIAG_WRONG_SORT, node->span,
                "hook `%s` is an effect; it stands in `do`", symbol->name);
    return NULL;
  }
  Expr *h = make_raw(build, X_HOOK, hook->type, node->span, NULL, NULL);
  h->a = symbol->index;
  return make_finish(build, h);
}

/* What a symbol means where it stands alone; NULL, with a complaint, if nothing. */
static const Expr *symbol_expr(const Scope *scope, const Node *node, Symbol *symbol, const Expr *mover) {
  Build *build = scope->build;
  switch (symbol->kind) {
    case N_PLAYERS:
      return make_players(build, (1u << find_player(build, symbol->name)) & build->seated, node->span);
    case N_PIECE:
      return make_pieces(build, 1u << symbol->index,
                         make_players(build, build->seated, node->span), node->span);
    case N_REGION:
      return region_expr(scope, node, symbol, mover);
    case N_LET:
      return let_expr(scope, node, symbol, mover);
    case N_PATH:
      return path_expr(scope, node, symbol, mover);
    case N_PARAM:
      return symbol->made;
    case N_POCKET:
      return make_sites(build, sites_one(find_site(build, symbol->name)), node->span);
    case N_STATE:
      if (build->state[symbol->index].scope != SCOPE_SITE)
        return state_expr(scope, node, symbol, mover);
      diag_report(build->diags, DIAG_BAD_OF, node->span,
                  "state `%s` belongs to sites; say of which: `%s of …`", symbol->name,
                  symbol->name);
      return NULL;
    case N_HOOK:
      return hook_expr(scope, node, symbol);
    case N_LABEL:
      diag_report(build->diags, DIAG_BAD_OF, node->span,
                  "`%s` is a label; say of which site: `%s of …`", symbol->name,
                  symbol->name);
      return NULL;
    default: {
      Diag *d = diag_report(
          build->diags, DIAG_WRONG_SORT, node->span,
          "`%s` is a %s, which is neither a set, a number, a value nor a condition",
          symbol->name, symbol_kind_word(symbol->kind));
      diag_note_at(build->diags, d, symbol->def->span, "it is defined here");
      return NULL;
    }
  }
}

/* The same constant, at this place. */
static const Expr *param_at(Build *build, const Expr *e, Span span) {
  Made *copy = ARENA_NEW(build->arena, Made);
  *copy = *(const Made *)(const void *)e;
  copy->expr.span = span;
  copy->mark = 0;
  return &copy->expr;
}

static const Expr *defined_name(const Scope *scope, const Node *node, Symbol *symbol) {
  Build *build = scope->build;
  if (!define_symbol(build, symbol, node->span)) return poison_at(scope, node);
  symbol->used++;
  if (symbol->kind == N_PARAM || symbol->by_params) build->by_params = true;
  const Expr *mover = NULL;
  if (by_player(build, symbol)) {
    mover = make0(build, X_MOVER, TYPE_PLAYERS, node->span);
    if (!scope_allows(scope, mover->deps, symbol->name, node->span))
      return poison_at(scope, node);
  }
  const Expr *e = symbol_expr(scope, node, symbol, mover);
  if (!e) return poison_at(scope, node);
  if (e->type == TYPE_POISON) return e;
  if (!scope_allows(scope, e->deps, symbol->name, node->span)) return poison_at(scope, node);
  return symbol->kind == N_PARAM ? param_at(build, e, node->span) : e;
}

/* ---- words ---- */

static bool is_needed(const Build *build, const char *name) {
  for (const Def *d = build->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_NEEDS && d->name == name) return true;
  return false;
}

static bool looks_like_square(const char *name) {
  if (name[0] < 'a' || name[0] > 'z' || name[1] < '0' || name[1] > '9') return false;
  for (const char *p = name + 1; *p; p++)
    if (*p < '0' || *p > '9') return false;
  return true;
}

/* `D4` as `d4`; NULL if there is no capital in it. */
static const char *in_small_letters(Build *build, const char *text) {
  if (text[0] < 'A' || text[0] > 'Z' || text[1] < '0' || text[1] > '9') return NULL;
  return names_intern0(build->names,
                       arena_printf(build->arena, "%c%s", text[0] | 0x20, text + 1));
}

static const Expr *unknown(const Scope *scope, const Node *node, const char *text) {
  Build *build = scope->build;
  Diag *d;
  const Board *board = &build->rules->board;
  if (is_needed(build, text)) return poison_at(scope, node); /* said already */
  const char *small = in_small_letters(build, text);
  if (small && find_site(build, small) >= 0) {
    d = diag_report(build->diags, scope->scenario ? DIAG_SCENE_NAME : DIAG_UNKNOWN_NAME,
                    node->span, "`%s` is defined nowhere", text);
    diag_note(build->diags, d, "did you mean `%s`? Sites are written in small letters",
              small);
    return poison_at(scope, node);
  }
  if (looks_like_square(text) && !(scope->hint && scope->hint->type == TYPE_VALUES)) {
    if (!board->squares) return poison_at(scope, node); /* no board, no sites */
    if (board->shape == BOARD_GRID) {
      diag_report(build->diags, scope->scenario ? DIAG_SCENE_NAME : DIAG_UNKNOWN_SITE,
                  node->span, "the board has no square `%s`; it goes from a1 to %c%d",
                  text, 'a' + board->files - 1, board->ranks);
      return poison_at(scope, node);
    }
  }
  const char *near = symbol_nearest(build, text, scope->hint);
  if (scope->hint && scope->hint->type == TYPE_VALUES) {
    d = diag_report(build->diags, DIAG_UNKNOWN_NAME, node->span, "`%s` is no value of %s",
                    text, scope->hint->what);
    if (near)
      diag_note(build->diags, d, "did you mean `%s`?", near);
    else
      diag_note(build->diags, d, "it can be %s", domain_words(build, scope->hint));
    return poison_at(scope, node);
  }
  Symbol *rule = symbol_find(build, SPACE_RULES, text);
  if (rule) {
    d = diag_report(
        build->diags, DIAG_WRONG_SORT, node->span,
        "`%s` is a rule; here a set, a number, a value or a condition is wanted", text);
    diag_note(build->diags, d, "rules stand in `uses of %s` and in `outcome = %s`", text,
              text);
    return poison_at(scope, node);
  }
  d = diag_report(build->diags, scope->scenario ? DIAG_SCENE_NAME : DIAG_UNKNOWN_NAME,
                  node->span, "`%s` is defined nowhere", text);
  const char *digits = text_digits_of(text);
  if (digits)
    diag_note(build->diags, d, "numbers are written in digits: %s", digits);
  else if (near)
    diag_note(build->diags, d, "did you mean `%s`?", near);
  return poison_at(scope, node);
}

/* A value on exactly one site is that site's second name (input only). */
static int synonym(const Build *build, int atom) {
  for (int l = 0; l < build->rules->labels; l++) {
    const Label *label = &build->label[l];
    int at = -1, n = 0;
    if (label->type != TYPE_VALUES || !label->value) continue;
    for (int s = 0; s < build->rules->board.sites; s++)
      if (label->value[s] == atom) {
        at = s;
        n++;
      }
    if (n == 1) return at;
  }
  return -1;
}

const Expr *express_name(const Scope *scope, const Node *node, const char *text) {
  Build *build = scope->build;
  const Node *arg = argument_of(scope, text);
  if (arg) {
    Scope outer = outside_pattern(scope);
    return express(&outer, arg);
  }
  const Expr *hinted = in_hint(scope, node, text);
  if (hinted) return hinted;
  if (scope->chosen && scope->chosen == text) {
    Expr *e =
        make_raw(build, X_CHOSEN, (Type)scope->chosen_one->type, node->span, NULL, NULL);
    ((Made *)(void *)e)->domain = domain_of(scope->chosen_one);
    const Expr *made = make_finish(build, e);
    return scope_allows(scope, made->deps, text, node->span) ? made
                                                             : poison_at(scope, node);
  }
  BuiltinId id = builtin_find(text);
  if (id != BUILTIN_COUNT) return express_builtin(scope, node, id);
  Symbol *symbol = symbol_find(build, SPACE_NAMES, text);
  if (symbol) return defined_name(scope, node, symbol);
  int site = find_site(build, text);
  if (site >= 0) return make_sites(build, sites_one(site), node->span);
  int atom = atom_find(build, text);
  if (atom >= 0 && (!scope->hint || scope->hint->type == TYPE_VALUES) &&
      !symbol_find(build, SPACE_RULES, text)) {
    if (scope->scenario && !scope->hint && synonym(build, atom) >= 0)
      return make_sites(build, sites_one(synonym(build, atom)), node->span);
    return make_values(build, sites_one(atom), NULL, node->span);
  }
  return unknown(scope, node, text);
}

/* ---- F of X ---- */

const Expr *express_of(const Scope *scope, const Node *n) {
  Build *build = scope->build;
  const Node *left = node_kid(n, 0), *right = node_kid(n, 1);
  if (!left || !right) return poison_at(scope, n);
  if (left->kind == N_E_NAME) {
    const Node *arg = argument_of(scope, left->text);
    const char *word = arg && arg->kind == N_E_NAME ? arg->text : arg ? NULL : left->text;
    BuiltinId id = word ? builtin_find(word) : BUILTIN_COUNT;
    if (id != BUILTIN_COUNT && strchr(builtin_form(id), 'O'))
      return express_builtin_of(scope, n, id, right);
    Symbol *symbol =
        word && id == BUILTIN_COUNT ? symbol_find(build, SPACE_NAMES, word) : NULL;
    if (symbol) {
      if (!define_symbol(build, symbol, left->span)) return poison_at(scope, n);
      symbol->used++;
      if (symbol->by_params) build->by_params = true;
      bool has = symbol->kind == N_PIECE || symbol->kind == N_LET ||
                 symbol->kind == N_REGION || symbol->kind == N_PATH ||
                 symbol->kind == N_LABEL || symbol->kind == N_STATE;
      if (has) {
        const Expr *e = defined_of(scope, n, symbol, right);
        if (e->type != TYPE_POISON && !scope_allows(scope, e->deps, word, n->span))
          return poison_at(scope, n);
        return e;
      }
      Diag *d = diag_report(build->diags, DIAG_BAD_OF, n->span,
                            "`%s` is a %s and belongs to nobody; nothing is `%s of …`",
                            word, symbol_kind_word(symbol->kind), word);
      if (symbol->kind == N_POCKET)
        diag_note(build->diags, d,
                  "a pocket is one place for all; write `pieces of %s at %s`",
                  words_at(build, right->span), word);
      return poison_at(scope, n);
    }
    if (id != BUILTIN_COUNT) {
      diag_report(build->diags, DIAG_BAD_OF, n->span, "`%s` stands alone: %s", word,
                  builtin_help(id));
      return poison_at(scope, n);
    }
  }
  Scope inner = *scope;
  inner.hint = NULL;
  const Expr *x = express(&inner, left);
  if (x->type == TYPE_POISON) return poison_at(scope, n);
  if (x->type == TYPE_PIECES) {
    const Expr *players =
        coerce(&inner, express(&inner, right), TYPE_PLAYERS, "`of` after pieces");
    return players->type == TYPE_POISON ? poison_at(scope, n)
                                        : restrict_owner(scope, x, players);
  }
  diag_report(
      build->diags, DIAG_BAD_OF, n->span,
      "`of` stands after a label, a state, a region, pieces or a function; `%s` is %s",
      words_at(build, left->span), type_words((Type)x->type));
  return poison_at(scope, n);
}
