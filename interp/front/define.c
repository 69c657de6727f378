/* Definitions: players, pieces, pockets, regions, lets, hooks; everything else on demand.
 * A symbol is made when it is first asked for, or in the order of the file; one that asks
 * for itself on the way is circular. */
#include "front/resolve.h"

#include <string.h>

const Node *spec_of(const Node *node) {
  for (const Node *k = node->kid; k; k = k->next)
    if (k->kind == N_SPEC_ONE || k->kind == N_SPEC_RANGE || k->kind == N_SPEC_VALUES ||
        k->kind == N_SPEC_SPREAD)
      return k;
  return NULL;
}

bool is_each(const char *owner) {
  return owner && !strcmp(owner, "each");
}

int find_player(const Build *build, const char *name) {
  for (int i = 0; i < build->rules->players; i++)
    if (!strcmp(build->rules->player[i], name)) return i;
  return -1;
}

int find_kind(const Build *build, const char *name) {
  for (int i = 0; i < build->rules->kinds; i++)
    if (!strcmp(build->kind[i].name, name)) return i;
  return -1;
}

int owner_seat(Build *build, const Def *def) {
  if (!def->owner || is_each(def->owner)) return -1;
  int seat = find_player(build, def->owner);
  if (seat >= 0) return seat;
  const Node *owned = node_find(def->node, N_OWNED);
  Diag *d = diag_report(build->diags, DIAG_UNKNOWN_NAME, owned ? owned->span : def->span,
                        "there is no player `%s`", def->owner);
  const char *near =
      text_nearest(def->owner, build->rules->player, (size_t)build->rules->players);
  if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
  return -2;
}

/* ---- players ---- */

void define_players(Build *build) {
  Rules *rules = build->rules;
  Def *def = flat_find(build->flat, N_PLAYERS, NULL, NULL);
  const Node *names = def ? node_find(def->node, N_NAMES) : NULL;
  if (!names) {
    Diag *d = diag_report(build->diags, DIAG_MISSING_DEFINITION,
                          build->flat->unit->node->name, "the game has no players");
    diag_note(build->diags, d, "players white, black");
  }
  for (const Node *w = names ? names->kid : NULL; w; w = w->next) {
    if (rules->players == SEATS_MAX) {
      diag_report(build->diags, DIAG_TOO_MANY, w->span, "at most %d players", SEATS_MAX);
      break;
    }
    if (find_player(build, w->text) >= 0) {
      diag_report(build->diags, DIAG_DEFINED_TWICE, w->span,
                  "the player `%s` is named twice", w->text);
      continue;
    }
    rules->player[rules->players++] = w->text;
  }
  rules->seats = rules->players;
  Symbol *seats = symbol_find(build, SPACE_NAMES, names_intern0(build->names, "seats"));
  if (seats && seats->kind == N_PARAM && define_symbol(build, seats, seats->def->span)) {
    seats->used++;
    const Param *param = &build->param[seats->index];
    bool fits =
        param->type == TYPE_NUMBER && param->low >= 1 && param->high <= rules->players;
    if (fits)
      rules->seats = param->value;
    else
      diag_report(build->diags, DIAG_BAD_RANGE, seats->def->span,
                  "`seats` says how many of the %d players sit down: a number in 1 .. %d",
                  rules->players, rules->players);
  }
  build->seated = (1u << rules->seats) - 1;
}

/* ---- pieces ---- */

static void give_symbol(Build *build, Kind *kind, int seat, const Node *word) {
  if (!word) return;
  if (!word->text[0] || word->text[1]) {
    diag_report(build->diags, DIAG_BAD_SYMBOL, word->span,
                "a symbol is one letter, not `%s`", word->text);
    return;
  }
  for (int k = 0; k < build->rules->kinds; k++)
    for (int s = 0; s < SEATS_MAX; s++)
      if (build->kind[k].symbol[s] == word->text[0] && &build->kind[k] != kind) {
        diag_report(build->diags, DIAG_BAD_SYMBOL, word->span,
                    "the symbol `%s` belongs to %s of %s already", word->text,
                    build->kind[k].name, build->rules->player[s]);
        return;
      }
  for (int s = 0; s < SEATS_MAX; s++)
    if (s != seat && kind->symbol[s] == word->text[0]) {
      diag_report(build->diags, DIAG_BAD_SYMBOL, word->span,
                  "the symbol `%s` belongs to another player's %s already", word->text,
                  kind->name);
      return;
    }
  kind->symbol[seat] = word->text[0];
}

static void add_plane(Build *build, const Def *def, int kind, int seat) {
  Rules *rules = build->rules;
  if (!((build->seated >> seat) & 1) || build->kind[kind].plane[seat] >= 0) return;
  if (rules->planes == PLANES_MAX) {
    diag_report(build->diags, DIAG_TOO_MANY, def->span,
                "more than %d kinds of pieces, counted for each player", PLANES_MAX);
    build->failed = true;
    return;
  }
  build->kind[kind].plane[seat] = rules->planes;
  rules->plane[rules->planes].kind = kind;
  rules->plane[rules->planes].owner = seat;
  rules->planes_of[seat] |= 1u << rules->planes;
  rules->planes++;
}

static void define_piece(Build *build, Def *def) {
  Rules *rules = build->rules;
  int seat = owner_seat(build, def);
  if (seat == -2) return;
  if (!def->owner) return;
  int k = find_kind(build, def->name);
  if (k < 0) {
    if (rules->kinds == PLANES_MAX - 1) {
      if (!build->failed)
        diag_report(build->diags, DIAG_TOO_MANY, def->span,
                    "more than %d kinds of pieces", PLANES_MAX - 1);
      build->failed = true;
      return;
    }
    k = rules->kinds++;
    Kind *kind = &build->kind[k];
    kind->name = def->name;
    kind->span = def->span;
    kind->doc = node_doc(def->node, NULL);
    kind->doc_ru = node_doc(def->node, names_intern0(build->names, "ru"));
    for (int s = 0; s < SEATS_MAX; s++) kind->plane[s] = -1;
    Symbol *symbol = symbol_find(build, SPACE_NAMES, def->name);
    if (symbol) symbol->index = k;
  }
  const Node *symbols = node_find(def->node, N_SYMBOLS),
             *names = node_find(def->node, N_NAMES);
  int n = symbols ? node_count(symbols) : 0, kinds = names ? node_count(names) : 1;
  int players = seat < 0 ? rules->players : 1;
  if (symbols && n != players * kinds && rules->players)
    diag_report(build->diags, DIAG_BAD_SYMBOL, symbols->span,
                "%d symbol%s for %d piece%s: one for each kind of each player", n,
                n == 1 ? "" : "s", players * kinds, players * kinds == 1 ? "" : "s");
  for (int s = 0; s < rules->players; s++) {
    if (seat >= 0 && s != seat) continue;
    add_plane(build, def, k, s);
    if (n == players * kinds)
      give_symbol(build, &build->kind[k], s,
                  node_kid(symbols, def->which * players + (seat < 0 ? s : 0)));
  }
}

void define_pieces(Build *build) {
  for (Def *d = build->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_PIECE) define_piece(build, d);
  if (build->rules->kinds == 0 && !build->failed) {
    Diag *d = diag_report(build->diags, DIAG_MISSING_DEFINITION,
                          build->flat->unit->node->name, "the game has no pieces");
    diag_note(build->diags, d, "piece token of each symbol x, o");
  }
  build->bad_pieces = build->diags->errors > 0;
}

/* ---- regions and lets ---- */

static Scope definition_scope(Build *build, const Def *def) {
  return scope_constant(build,
                        arena_printf(build->arena, "%s `%s`", def_word(def), def->name));
}

static void define_region(Build *build, Symbol *symbol) {
  Region *region = &build->region[build->rules->regions];
  symbol->index = build->rules->regions++;
  region->name = symbol->name;
  region->span = symbol->def->span;
  for (Def *def = build->flat->first; def; def = def->next) {
    if (def->removed || def->kind != N_REGION || def->name != symbol->name) continue;
    int seat = owner_seat(build, def);
    if (def->owner) region->by_player = true;
    if (seat == -2) continue;
    const Node *body = node_find(def->node, N_BODY);
    Scope scope = definition_scope(build, def);
    const Expr *e = body ? express_as(&scope, body->kid, TYPE_SITES) : NULL;
    const SiteSet *sites = e ? constant_sites(e) : NULL;
    if (!e || e->type == TYPE_POISON) continue;
    if (!sites) {
      diag_report(build->diags, DIAG_NOT_CONSTANT, body->kid->span,
                  "region `%s` must be constant; for a set that changes use `let`",
                  def->name);
      continue;
    }
    if (sites_is_empty(sites) && !build->by_params && build->rules->board.squares)
      diag_report(build->diags, DIAG_REGION_EMPTY, def->span, "region `%s` has no site",
                  def->name);
    for (int s = 0; s < SEATS_MAX; s++)
      if (seat == s || (seat < 0 && (def->owner || s == 0))) region->sites[s] = *sites;
  }
}

static void define_let(Build *build, Symbol *symbol) {
  Let *let = &build->let[build->rules->lets];
  symbol->index = build->rules->lets++;
  let->name = symbol->name;
  let->span = symbol->def->span;
  Type type = TYPE_POISON;
  const Def *first = NULL;
  for (Def *def = build->flat->first; def; def = def->next) {
    if (def->removed || def->kind != N_LET || def->name != symbol->name) continue;
    int seat = owner_seat(build, def);
    if (seat == -2) continue;
    const Node *body = node_find(def->node, N_BODY);
    Scope scope = scope_open(build, arena_printf(build->arena, "let `%s`", def->name));
    scope.fractions = true;
    scope.allowed &= ~(uint32_t)DEP_CHOSEN;
    const Expr *e = body ? express(&scope, body->kid) : make_poison(build, def->span);
    if (e->type != TYPE_POISON && type != TYPE_POISON && e->type != type) {
      Diag *d = diag_report(build->diags, DIAG_UNLIKE_SIDES, body->kid->span,
                            "`%s` of %s is %s, and for another player %s", def->name,
                            def->owner, type_words((Type)e->type), type_words(type));
      if (first) diag_note_at(build->diags, d, first->span, "the other is here");
      e = make_poison(build, def->span);
    }
    if (type == TYPE_POISON) {
      type = (Type)e->type;
      first = def;
    }
    if (!def->owner) {
      let->expr = e;
      continue;
    }
    let->by_player = true;
    for (int s = 0; s < build->rules->seats; s++)
      if (e->type != TYPE_POISON && (seat == s || seat < 0)) let->by[s] = e;
  }
}

static void define_hook(Build *build, Symbol *symbol) {
  Hook *hook = &build->hook[build->rules->hooks];
  symbol->index = build->rules->hooks++;
  const Def *def = symbol->def;
  const Node *file = node_find(def->node, N_HOOK_FILE);
  hook->name = symbol->name;
  hook->span = def->span;
  hook->file = file ? file->text : "";
  const char *type = def->node->tag;
  if (!strcmp(type, "condition"))
    hook->type = TYPE_CONDITION;
  else if (!strcmp(type, "sites"))
    hook->type = TYPE_SITES;
  else if (!strcmp(type, "number"))
    hook->type = TYPE_NUMBER;
  else if (!strcmp(type, "effect"))
    hook->effect = true;
  else {
    static const char *const types[] = {"condition", "sites", "number", "effect"};
    const char *near = text_nearest(type, types, 4);
    Diag *d = diag_report(build->diags, DIAG_HOOK_TYPE, def->node->span,
                          "a hook is a condition, sites, a number or an effect, not `%s`",
                          type);
    if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
    hook->type = TYPE_CONDITION;
  }
  Span span = file ? file->span : def->span;
  if (!loading_name_is_safe(hook->file)) {
    diag_report(build->diags, DIAG_NAME_UNSAFE, span,
                "\"%s\" leads out of the folder; a hook's file lies beside the rules",
                hook->file);
    return;
  }
  const char *outside;
  hook->path = loading_hook(build->loading, hook->file, def->unit->file, &outside);
  if (!hook->path && outside) {
    Diag *d = diag_report(build->diags, DIAG_NAME_UNSAFE, span,
                          "\"%s\" is a link that leads out of the folder, to %s",
                          hook->file, outside);
    diag_note(build->diags, d,
              "a hook's file lies beside the rules: put the file itself there");
  } else if (!hook->path) {
    Diag *d =
        diag_report(build->diags, DIAG_HOOK_MISSING, span,
                    "there is no file \"%s\" for the hook `%s`", hook->file, hook->name);
    diag_note(
        build->diags, d,
        "it is looked for beside the rules file, then in the library and rules folders");
  }
}

/* ---- on demand ---- */

static bool say_circular(Build *build, Symbol *symbol, Span used_at) {
  Diag *d = diag_report(build->diags, DIAG_CIRCULAR, symbol->def->span,
                        "%s `%s` is defined by itself", symbol_kind_word(symbol->kind),
                        symbol->name);
  diag_note_at(build->diags, d, used_at, "it comes back to itself here");
  return false;
}

static void make_symbol(Build *build, Symbol *symbol) {
  switch (symbol->kind) {
    case N_REGION:
      define_region(build, symbol);
      break;
    case N_LET:
      define_let(build, symbol);
      break;
    case N_HOOK:
      define_hook(build, symbol);
      break;
    case N_PARAM:
      define_param(build, symbol);
      break;
    case N_STATE:
      define_state(build, symbol);
      break;
    case N_LABEL:
      define_label(build, symbol);
      break;
    case N_PATH:
      define_path(build, symbol);
      break;
    case N_DICE:
      define_dice(build, symbol);
      break;
    default:
      break; /* players, pieces, pockets, phases: made before */
  }
}

bool define_symbol(Build *build, Symbol *symbol, Span used_at) {
  if (symbol->kind == N_PLAYERS)
    return find_player(build, symbol->name) >= 0; /* else one too many */
  if (symbol->kind == N_PIECE && symbol->index < 0)
    return false; /* its owner is unknown */
  if (symbol->state == SYMBOL_READY) return true;
  if (symbol->state == SYMBOL_BUSY) return say_circular(build, symbol, used_at);
  bool outer = build->by_params;
  build->by_params = false;
  symbol->state = SYMBOL_BUSY;
  make_symbol(build, symbol);
  symbol->state = SYMBOL_READY;
  symbol->by_params = build->by_params;
  build->by_params = outer;
  return true;
}

static void refuse_site_names(Build *build, const Def *def) {
  if (!def->name || def->kind == N_RULE || def->kind == N_PATTERN ||
      def->kind == N_SCENARIO || def->kind == N_POCKET)
    return;
  int site = find_site(build, def->name);
  if (site >= 0 && site < build->rules->board.squares)
    diag_report(build->diags, DIAG_DEFINED_TWICE, def->span,
                "`%s` is a site of the board and cannot be a %s as well", def->name,
                def_word(def));
}

/* "library `a` needs `b`": complained of where the library is used. */
static void check_need(Build *build, const Def *def) {
  if (symbol_find(build, SPACE_NAMES, def->name) ||
      symbol_find(build, SPACE_RULES, def->name))
    return;
  Span span = def->span;
  const Node *items = node_find(build->flat->unit->node, N_ITEMS);
  for (const Node *n = items ? items->kid : NULL; n; n = n->next)
    if (n->kind == N_USE && n->text && !strcmp(n->text, def->unit->title)) span = n->span;
  Diag *d = diag_report(build->diags, DIAG_NEEDS, span,
                        "library `%s` needs `%s`, which the game does not define",
                        def->unit->title, def->name);
  const char *what = node_doc(def->node, NULL);
  if (what) diag_note(build->diags, d, "`%s`: %s", def->name, what);
  diag_note_at(build->diags, d, def->span, "the library says so here");
}

void define_rest(Build *build) {
  for (Def *def = build->flat->first; def; def = def->next) {
    if (def->removed) continue;
    refuse_site_names(build, def);
    if (def->kind == N_NEEDS) check_need(build, def);
    if (!def->name || def->kind == N_RULE || def->kind == N_PATTERN ||
        def->kind == N_SCENARIO || def->kind == N_NEEDS)
      continue;
    Symbol *symbol = symbol_find(build, SPACE_NAMES, def->name);
    if (symbol && symbol->state == SYMBOL_NEW) define_symbol(build, symbol, def->span);
  }
}
