/* Layouts: drawn rows, `place` and `set`, for the setup and for positions of scenarios.
 * Rows that are not drawn are empty; what is placed on a square takes the place of what
 * is drawn there. One piece to a square is the rule on grids and graphs; points may hold
 * many. */
#include "front/resolve.h"

#include <string.h>

enum { PLACE_MOST = 1000 };

typedef struct Layouting {
  Build *build;
  uint16_t *count;
  const Node **placed; /* [planes][sites]: the PLACE that put it there */
  SiteSet drawn;
  SiteSet ranks; /* ranks drawn */
  bool long_row; /* a row with too many or too few cells has been met */
  const Scope *scope;
  bool setup;
} Layouting;

static Diags *diags(Layouting *l) {
  return l->build->diags;
}

static uint16_t *at(Layouting *l, int plane, int site) {
  return &l->count[plane * l->build->rules->board.sites + site];
}

static int plane_of_symbol(const Build *build, char symbol) {
  for (int k = 0; k < build->rules->kinds; k++)
    for (int s = 0; s < build->rules->players; s++)
      if (build->kind[k].symbol[s] == symbol && symbol)
        return build->kind[k].plane[s] >= 0 ? build->kind[k].plane[s] : -2;
  return -1;
}

static int square_at(const Board *board, int file, int rank) {
  for (int s = 0; s < board->squares; s++)
    if (board->file_of[s] == file && board->rank_of[s] == rank) return s;
  return -1;
}

static void unknown_symbol(Layouting *l, Span span, char symbol) {
  Build *build = l->build;
  unsigned char known = (unsigned char)symbol; /* once for each symbol */
  if (build->unknown_symbol[known]) return;
  build->unknown_symbol[known] = true;
  if (build->rules->players == 0 || build->bad_pieces) return; /* said already */
  Diag *d = diag_report(diags(l), DIAG_UNKNOWN_SYMBOL, span,
                        "no piece has the symbol `%c`", symbol);
  const char *list = "";
  for (int k = 0; k < build->rules->kinds; k++)
    for (int s = 0; s < build->rules->players; s++)
      if (build->kind[k].symbol[s])
        list = arena_printf(build->arena, "%s%s%c (%s of %s)", list, *list ? ", " : "",
                            build->kind[k].symbol[s], build->kind[k].name,
                            build->rules->player[s]);
  diag_note(diags(l), d, "%s%s",
            *list ? "symbols are . (empty), "
                  : "no piece of this game has a symbol: piece token of each symbol x, o",
            list);
}

static void draw_row(Layouting *l, const Node *row) {
  Build *build = l->build;
  const Board *board = &build->rules->board;
  int rank = row->number - 1;
  if (!board->squares) return;
  if (board->shape != BOARD_GRID) {
    Diag *d = diag_report(diags(l), DIAG_ROW_NO_GRID, row->span,
                          "only a board of squares can be drawn");
    diag_note(diags(l), d, "write `place … on …`");
    return;
  }
  if (rank < 0 || rank >= board->ranks) {
    diag_report(diags(l), DIAG_ROW_RANK, row->span,
                "the board has ranks 1 to %d, and this is rank %d", board->ranks,
                row->number);
    return;
  }
  if (sites_has(&l->ranks, rank)) {
    diag_report(diags(l), DIAG_ROW_RANK, row->span, "rank %d is drawn twice",
                row->number);
    return;
  }
  sites_add(&l->ranks, rank);
  const Source *source = &build->loading->sources.at[row->span.file];
  int file = 0, i = row->span.start;
  while (i < row->span.end && source->text[i] != '|') i++;
  Span beyond = row->span;
  for (i++; i < row->span.end && source->text[i] != '|'; i++) {
    unsigned char c = (unsigned char)source->text[i];
    if (c == ' ' || c == '\t') continue;
    Span cell = {row->span.file, i, i + 1};
    while (((unsigned char)source->text[cell.end] & 0xC0) == 0x80) cell.end++;
    i = cell.end - 1;
    int f = file++;
    if (f == board->files) beyond = cell;
    if (f >= board->files || c == '.') continue;
    int plane = plane_of_symbol(build, (char)c), site = square_at(board, f, rank);
    if (plane == -1) {
      unknown_symbol(l, cell, (char)c);
    } else if (site < 0) {
      diag_report(diags(l), DIAG_UNKNOWN_SITE, cell, "the board has no square `%c%d`",
                  'a' + f, rank + 1);
    } else if (plane >= 0) {
      *at(l, plane, site) = 1;
      sites_add(&l->drawn, site);
    }
  }
  bool first = !l->long_row;
  if (file != board->files) l->long_row = true;
  if (file != board->files && first)
    diag_report(diags(l), DIAG_ROW_LENGTH, beyond,
                "rank %d has %d cells, and the board %d files", row->number, file,
                board->files);
}

static void put_pieces(Layouting *l, const Node *place, int plane, int site) {
  Build *build = l->build;
  const Board *board = &build->rules->board;
  bool square = site < board->squares;
  bool single = square && board->shape != BOARD_POINTS;
  int sites = board->sites;
  if (square && sites_has(&l->drawn, site)) {
    for (int p = 0; p < build->rules->planes; p++) *at(l, p, site) = 0;
    sites_remove(&l->drawn, site);
  }
  const Node *there = l->placed[plane * sites + site];
  for (int p = 0; single && !there && p < build->rules->planes; p++)
    there = l->placed[p * sites + site];
  if (there && (single || (there != place && square))) {
    Diag *d = diag_report(diags(l), DIAG_PLACED_TWICE, place->span,
                          "on `%s` a piece has been placed already", board->name[site]);
    if (there != place) diag_note_at(diags(l), d, there->span, "by this line");
    return;
  }
  if (single && place->number > 1) {
    diag_report(diags(l), DIAG_PLACED_TWICE, place->span,
                "%d pieces cannot stand on the one square `%s`", place->number,
                board->name[site]);
    return;
  }
  l->placed[plane * sites + site] = place;
  int n = *at(l, plane, site) + place->number;
  *at(l, plane, site) = (uint16_t)(n > PLACE_MOST ? PLACE_MOST : n);
}

static void unknown(Layouting *l, Span span, const char *what, const char *name,
                    const char *const *all, int n) {
  Diag *d = diag_report(diags(l), l->setup ? DIAG_UNKNOWN_NAME : DIAG_SCENE_NAME, span,
                        "there is no %s `%s`", what, name);
  const char *near = text_nearest(name, all, (size_t)n);
  if (near) diag_note(diags(l), d, "did you mean `%s`?", near);
}

static bool place_applies(Layouting *l, const Node *place) {
  const Node *cond = node_find(place, N_IF);
  if (!cond) return true;
  Scope scope = scope_constant(l->build, "`if`");
  const Expr *e = express_as(&scope, cond->kid, TYPE_CONDITION);
  return is_true(e);
}

static void place_kind(Layouting *l, const Node *place, int kind, int seat,
                       bool applies) {
  Build *build = l->build;
  int plane = build->kind[kind].plane[seat];
  if (!((build->seated >> seat) & 1)) return;
  if (plane < 0) {
    if (!is_each(place->tag))
      diag_report(diags(l), DIAG_NO_SUCH_PIECE, place->span, "%s has no %s",
                  build->rules->player[seat], place->text);
    return;
  }
  Scope scope = scope_constant(build, "`place … on`");
  scope.scenario = !l->setup;
  const Node *body = node_find(place, N_BODY);
  for (const Node *n = body ? body->kid : NULL; n; n = n->next) {
    const Expr *e = express_as(&scope, n, TYPE_SITES);
    const SiteSet *sites = constant_sites(e);
    if (!sites) continue;
    if (sites_is_empty(sites) && applies)
      diag_report(diags(l), DIAG_UNKNOWN_SITE, n->span, "`%s` is no site of this board",
                  words_at(build, n->span));
    if (!applies) continue; /* its names count and are checked all the same */
    SITES_FOR(s, *sites) put_pieces(l, place, plane, s);
  }
}

static void place(Layouting *l, const Node *n) {
  Build *build = l->build;
  bool applies = place_applies(l, n);
  int kind = find_kind(build, n->text),
      seat = is_each(n->tag) ? -1 : find_player(build, n->tag);
  if (kind < 0) {
    const char **names = ARENA_ARRAY(build->arena, const char *, build->rules->kinds + 1);
    for (int i = 0; i < build->rules->kinds; i++) names[i] = build->kind[i].name;
    unknown(l, n->name, "piece", n->text, names, build->rules->kinds);
  }
  if (seat < 0 && !is_each(n->tag))
    unknown(l, n->span, "player", n->tag, build->rules->player, build->rules->players);
  if (n->number < 1 || n->number > PLACE_MOST) {
    diag_report(diags(l), DIAG_OUT_OF_RANGE, n->span,
                "1 to %d pieces can be placed, not %d", PLACE_MOST, n->number);
    return;
  }
  if (kind < 0 || (seat < 0 && !is_each(n->tag))) return;
  for (int s = 0; s < build->rules->seats || s == seat; s++)
    if (seat < 0 || s == seat) place_kind(l, n, kind, s, applies);
}

bool make_layout(Build *build, const Scope *scope, const Node *layout, uint16_t *count,
                 Effects *effects, bool setup) {
  int errors = build->diags->errors;
  int cells = build->rules->planes * build->rules->board.sites;
  Layouting *l = ARENA_NEW(build->arena, Layouting);
  l->build = build;
  l->count = count;
  l->placed = ARENA_ARRAY(build->arena, const Node *, cells + 1);
  l->scope = scope;
  l->setup = setup;
  memset(count, 0, sizeof *count * (size_t)cells);
  Effect *all = ARENA_ARRAY(build->arena, Effect, node_count(layout) + 1);
  effects->at = all;
  effects->n = 0;
  for (const Node *n = layout->kid; n; n = n->next)
    if (n->kind == N_ROW) draw_row(l, n);
  for (const Node *n = layout->kid; n; n = n->next) {
    if (n->kind == N_PLACE) place(l, n);
    if (n->kind == N_PUT_STATE && make_set(scope, n, true, &all[effects->n]))
      effects->n++;
  }
  return build->diags->errors == errors;
}

void define_setup(Build *build) {
  Rules *rules = build->rules;
  rules->start_count =
      ARENA_ARRAY(build->arena, uint16_t, rules->planes * rules->board.sites + 1);
  Def *def = flat_find(build->flat, N_SETUP, NULL, NULL);
  const Node *layout = def ? node_find(def->node, N_LAYOUT) : NULL;
  if (!layout) {
    if (!def) {
      Diag *d = diag_report(build->diags, DIAG_MISSING_DEFINITION,
                            build->flat->unit->node->name, "the game has no setup");
      diag_note(build->diags, d,
                "setup { … } says where the pieces stand when a game begins");
    }
    return;
  }
  Scope scope = scope_constant(build, "setup");
  scope.allowed = DEP_POSITION;
  make_layout(build, &scope, layout, rules->start_count, &rules->start_effects, true);
}
