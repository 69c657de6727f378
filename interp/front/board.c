/* The board and the ways over it: squares, grids with holes, points, graphs, pockets,
 * paths.
 *
 * A graph's rows are coloured into classes of rows that share no site, two directions a
 * class, so that next[direction][site] is always one site and no line runs from the end
 * of one row into another. A row that ends with its first site is a ring. */
#include "front/resolve.h"

#include <stdlib.h>
#include <string.h>

enum {
  NUMBER_MOST = 1000000000,
  BOARD_SIDE_MAX = 26,
  SQUARES_MAX = 361,
  ROWS_MAX = 128,
  CLASSES_MAX = DIRS_MAX / 2
};

static Board *board_of(Build *build) {
  return &build->rules->board;
}

/* A whole constant number from a clause, within bounds; -1 after a complaint. */
static int clause_number(Build *build, const Def *def, const char *word, int low,
                         int high, const char *what) {
  const FlatClause *c = def_clause(def, word);
  if (!c || !c->node) return -1;
  Scope scope = scope_constant(build, arena_printf(build->arena, "`%s`", word));
  const Expr *e = express_as(&scope, c->node->kid, TYPE_NUMBER);
  if (e->type == TYPE_POISON || e->op != X_NUMBER) return -1;
  if (e->a < low || e->a > high) {
    /* a larger number is one that the reader has complained of */
    if (e->a < NUMBER_MOST || build->diags->errors == 0)
      diag_report(build->diags, DIAG_BAD_BOARD, c->node->kid->span,
                  "%s has %d to %d, not %d", what, low, high, e->a);
    return -1;
  }
  return e->a;
}

int find_site(const Build *build, const char *name) {
  const Board *board = &build->rules->board;
  for (int s = 0; board->name && s < board->sites; s++)
    if (board->name[s] == name || !strcmp(board->name[s], name)) return s;
  return -1;
}

static const char *intern(Build *build, const char *text) {
  return names_intern0(build->names, text);
}

static void allocate(Build *build, int squares, int pockets, int dirs) {
  Board *board = board_of(build);
  int sites = squares + pockets;
  board->squares = squares;
  board->sites = sites;
  board->dirs = dirs;
  board->name = ARENA_ARRAY(build->arena, const char *, sites + 1);
  board->file_of = ARENA_ARRAY(build->arena, int16_t, sites + 1);
  board->rank_of = ARENA_ARRAY(build->arena, int16_t, sites + 1);
  board->neighbours = ARENA_ARRAY(build->arena, SiteSet, sites + 1);
  for (int s = 0; s < sites; s++) board->file_of[s] = board->rank_of[s] = -1;
  for (int d = 0; d < dirs; d++) {
    board->next[d] = ARENA_ARRAY(build->arena, int16_t, sites + 1);
    for (int s = 0; s < sites; s++) board->next[d][s] = -1;
  }
  for (int s = 0; s < squares; s++) sites_add(&board->all, s);
}

static int count_pockets(const Build *build) {
  int n = 0;
  for (const Def *d = build->flat->first; d; d = d->next)
    n += !d->removed && d->kind == N_POCKET;
  return n;
}

static void name_pockets(Build *build) {
  Board *board = board_of(build);
  int at = board->squares;
  for (const Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_POCKET) continue;
    board->name[at] = d->name;
    sites_add(&board->pockets, at);
    Symbol *symbol = symbol_find(build, SPACE_NAMES, d->name);
    if (symbol) symbol->index = at;
    at++;
  }
}

/* ---- grids ---- */

static bool square_of_name(const char *name, int *file, int *rank) {
  if (name[0] < 'a' || name[0] > 'z' || name[1] < '1' || name[1] > '9') return false;
  int r = 0;
  for (const char *p = name + 1; *p; p++) {
    if (*p < '0' || *p > '9' || r > 99) return false;
    r = r * 10 + (*p - '0');
  }
  *file = name[0] - 'a';
  *rank = r - 1;
  return true;
}

static void mark_holes(Build *build, const Def *def, int files, int ranks, bool *hole) {
  const FlatClause *c = def_clause(def, "holes");
  if (!c || !c->node) return;
  const Node *stack[64];
  for (const Node *n = c->node->kid; n; n = n->next) {
    int top = 0;
    stack[top++] = n;
    while (top) { /* names, or sums of names */
      const Node *k = stack[--top];
      int file, rank;
      if (k->kind == N_E_ADD && top < 62) {
        stack[top++] = k->kid;
        stack[top++] = k->kid->next;
        continue;
      }
      if (k->kind == N_E_ERROR) continue;
      if (k->kind != N_E_NAME || !square_of_name(k->text, &file, &rank) ||
          file >= files || rank >= ranks) {
        diag_report(build->diags, DIAG_UNKNOWN_SITE, k->span,
                    "`%s` is no square of this board of %d files and %d ranks",
                    words_at(build, k->span), files, ranks);
        continue;
      }
      hole[rank * files + file] = true;
    }
  }
}

static void make_grid(Build *build, const Def *def, int files, int ranks) {
  static const int df[8] = {0, 1, 1, 1, 0, -1, -1, -1},
                   dr[8] = {1, 1, 0, -1, -1, -1, 0, 1};
  Board *board = board_of(build);
  bool *hole = ARENA_ARRAY(build->arena, bool, files *ranks);
  int *site = ARENA_ARRAY(build->arena, int, files *ranks);
  mark_holes(build, def, files, ranks, hole);
  int squares = 0;
  for (int i = 0; i < files * ranks; i++) site[i] = hole[i] ? -1 : squares++;
  board->shape = BOARD_GRID;
  board->files = files;
  board->ranks = ranks;
  allocate(build, squares, count_pockets(build), 8);
  for (int r = 0; r < ranks; r++)
    for (int f = 0; f < files; f++) {
      int s = site[r * files + f];
      if (s < 0) continue;
      board->name[s] = intern(build, arena_printf(build->arena, "%c%d", 'a' + f, r + 1));
      board->file_of[s] = (int16_t)f;
      board->rank_of[s] = (int16_t)r;
      bool rim_f = f == 0 || f == files - 1, rim_r = r == 0 || r == ranks - 1;
      if (rim_f || rim_r) sites_add(&board->edge, s);
      if (rim_f && rim_r) sites_add(&board->corners, s);
      for (int d = 0; d < 8; d++) {
        int nf = f + df[d], nr = r + dr[d];
        if (nf >= 0 && nf < files && nr >= 0 && nr < ranks)
          board->next[d][s] = (int16_t)site[nr * files + nf];
      }
    }
  board->orthogonal = 0x55;
  board->diagonal = 0xAA;
}

static void make_points(Build *build, int size) {
  Board *board = board_of(build);
  board->shape = BOARD_POINTS;
  allocate(build, size, count_pockets(build), 2);
  for (int s = 0; s < size; s++) {
    board->name[s] = intern(build, arena_printf(build->arena, "%d", s + 1));
    if (s + 1 < size) board->next[0][s] = (int16_t)(s + 1);
    if (s > 0) board->next[1][s] = (int16_t)(s - 1);
  }
  if (size > 0) {
    sites_add(&board->edge, 0);
    sites_add(&board->edge, size - 1);
    board->corners = board->edge;
  }
  board->orthogonal = 3;
}

/* ---- graphs ---- */

typedef struct Row {
  int site[SQUARES_MAX + 1];
  int n;
  bool ring;
  SiteSet all;
} Row;

typedef struct Graph {
  const char *name[SQUARES_MAX];
  int sites;
  Row *row[ROWS_MAX];
  int rows;
} Graph;

static int graph_site(Build *build, Graph *graph, const Node *n) {
  const char *name = n->kind == N_E_NAME ? n->text
                     : n->kind == N_E_INT
                         ? intern(build, arena_printf(build->arena, "%d", n->number))
                         : NULL;
  if (!name) {
    if (n->kind != N_E_ERROR)
      diag_report(build->diags, DIAG_BAD_BOARD, n->span,
                  "a row is a list of names of sites; `%s` is none",
                  words_at(build, n->span));
    return -1;
  }
  for (int i = 0; i < graph->sites; i++)
    if (graph->name[i] == name) return i;
  if (graph->sites == SQUARES_MAX) {
    diag_report(build->diags, DIAG_BAD_BOARD, n->span, "a board has at most %d sites",
                SQUARES_MAX);
    return -1;
  }
  if (symbol_find(build, SPACE_NAMES, name) || builtin_find(name) != BUILTIN_COUNT)
    diag_report(build->diags, DIAG_DEFINED_TWICE, n->span,
                "the name `%s` is taken already, it cannot be a site as well", name);
  graph->name[graph->sites] = name;
  return graph->sites++;
}

static void read_row(Build *build, Graph *graph, const Node *clause) {
  Row *row = ARENA_NEW(build->arena, Row);
  for (const Node *n = clause->kid; n; n = n->next) {
    int s = graph_site(build, graph, n);
    if (s < 0) continue;
    if (sites_has(&row->all, s)) {
      if (row->site[0] == s && !n->next && row->n > 2) {
        row->ring = true;
        continue;
      }
      diag_report(build->diags, DIAG_BAD_BOARD, n->span, "`%s` stands twice in this row",
                  graph->name[s]);
      continue;
    }
    row->site[row->n++] = s;
    sites_add(&row->all, s);
  }
  if (row->n < 2) {
    diag_report(build->diags, DIAG_BAD_BOARD, clause->span,
                "a row joins at least two sites");
    return;
  }
  if (graph->rows == ROWS_MAX) {
    diag_report(build->diags, DIAG_BAD_BOARD, clause->span, "a board has at most %d rows",
                ROWS_MAX);
    return;
  }
  graph->row[graph->rows++] = row;
}

static void make_graph(Build *build, const Def *def) {
  Board *board = board_of(build);
  Graph *graph = ARENA_NEW(build->arena, Graph);
  for (const FlatClause *c = def->clauses; c; c = c->next)
    if (c->node && !strcmp(c->word, "row")) read_row(build, graph, c->node);
  board->shape = BOARD_GRAPH;
  SiteSet used[CLASSES_MAX] = {{{0}}};
  int class_of[ROWS_MAX], classes = 0;
  for (int i = 0; i < graph->rows; i++) {
    int c = 0;
    while (c < CLASSES_MAX && sites_meet(&used[c], &graph->row[i]->all)) c++;
    if (c == CLASSES_MAX) {
      diag_report(build->diags, DIAG_BAD_BOARD, def->span,
                  "more than %d rows meet in one site, or the rows cross too often",
                  CLASSES_MAX);
      c = 0;
    }
    used[c] = sites_or(used[c], graph->row[i]->all);
    class_of[i] = c;
    if (c + 1 > classes) classes = c + 1;
  }
  allocate(build, graph->sites, count_pockets(build), 2 * classes);
  for (int s = 0; s < graph->sites; s++) {
    int file, rank;
    board->name[s] = graph->name[s];
    if (square_of_name(graph->name[s], &file, &rank)) {
      board->file_of[s] = (int16_t)file;
      board->rank_of[s] = (int16_t)rank;
    }
  }
  for (int i = 0; i < graph->rows; i++) {
    const Row *row = graph->row[i];
    int16_t *up = board->next[2 * class_of[i]], *down = board->next[2 * class_of[i] + 1];
    int last = row->ring ? row->n : row->n - 1;
    for (int k = 0; k < last; k++) {
      int a = row->site[k], b = row->site[(k + 1) % row->n];
      up[a] = (int16_t)b;
      down[b] = (int16_t)a;
    }
  }
  board->orthogonal = (1u << board->dirs) - 1;
}

/* ---- the definition ---- */

static const struct BoardClause {
  const char *word, *shapes;
} board_clauses[] = {{"size", "square points"}, {"files", "grid"},
                     {"ranks", "grid"},         {"holes", "grid square"},
                     {"row", "graph"},          {"adjacent", "square grid points graph"}};

static void check_clauses(Build *build, const Def *def, const char *shape) {
  for (const FlatClause *c = def->clauses; c; c = c->next) {
    if (!c->node || !*c->word) continue;
    bool known = false;
    for (size_t i = 0; i < sizeof board_clauses / sizeof *board_clauses; i++)
      known |= !strcmp(board_clauses[i].word, c->word) &&
               strstr(board_clauses[i].shapes, shape);
    if (known) continue;
    Diag *d = diag_report(build->diags, DIAG_CLAUSE_WRONG_KIND, c->node->name,
                          "a board of the shape `%s` has no `%s`", shape, c->word);
    const char *list = "";
    for (size_t i = 0; i < sizeof board_clauses / sizeof *board_clauses; i++)
      if (strstr(board_clauses[i].shapes, shape))
        list = arena_printf(build->arena, "%s%s%s", list, *list ? ", " : "",
                            board_clauses[i].word);
    diag_note(build->diags, d, "it may have: %s", list);
  }
}

static bool need(Build *build, const Def *def, const char *shape, const char *word) {
  if (def_clause(def, word) && def_clause(def, word)->node) return true;
  diag_report(build->diags, DIAG_CLAUSE_MISSING, def->node->span,
              "a board of the shape `%s` needs `%s`", shape, word);
  return false;
}

static void make_adjacent(Build *build, const Def *def) {
  Board *board = board_of(build);
  board->adjacent = board->orthogonal;
  const FlatClause *c = def_clause(def, "adjacent");
  if (c && c->node) {
    Scope scope = scope_constant(build, "`adjacent`");
    uint32_t ways = 0;
    for (const Node *n = c->node->kid; n; n = n->next) {
      const Expr *e = express_as(&scope, n, TYPE_WAYS);
      if (e->op == X_WAYS_CONST) ways |= (uint32_t) * (const uint64_t *)e->data & 0xFFFF;
    }
    if (ways) board->adjacent = ways;
  }
  for (int s = 0; s < board->squares; s++)
    for (int d = 0; d < board->dirs; d++)
      if ((board->adjacent >> d) & 1 && board->next[d][s] >= 0)
        sites_add(&board->neighbours[s], board->next[d][s]);
}

static int board_size(Build *build, const Def *def, int most, const char *what) {
  return need(build, def, def->node->text, "size") ? clause_number(build, def, "size", 1, most, what) : -1;
}

static bool define_grid(Build *build, Def *def) {
  const char *shape = def->node->text;
  bool wide = need(build, def, shape, "files"),
       both = need(build, def, shape, "ranks") && wide;
  int f = both ? clause_number(build, def, "files", 1, BOARD_SIDE_MAX, "a board") : -1;
  int r = both ? clause_number(build, def, "ranks", 1, BOARD_SIDE_MAX, "a board") : -1;
  if (f < 1 || r < 1) return false;
  if (f * r > SQUARES_MAX) {
    diag_report(build->diags, DIAG_BAD_BOARD, def->node->span,
                "a board has at most %d squares, and this one %d", SQUARES_MAX, f * r);
    return false;
  }
  make_grid(build, def, f, r);
  return true;
}

/* Whether there is a board then. */
static bool make_shape(Build *build, Def *def) {
  enum { SQUARE, GRID, POINTS, GRAPH, SHAPES };
  static const char *const shapes[SHAPES] = {"square", "grid", "points", "graph"};
  const char *shape = def->node->text;
  int which = 0, n;
  while (which < SHAPES && strcmp(shape, shapes[which])) which++;
  if (which < SHAPES) check_clauses(build, def, shape);
  switch (which) {
    case SQUARE:
      n = board_size(build, def, 19, "a side of a square board");
      if (n > 0) make_grid(build, def, n, n);
      return n > 0;
    case GRID:
      return define_grid(build, def);
    case POINTS:
      n = board_size(build, def, SQUARES_MAX, "a board of points");
      if (n > 0) make_points(build, n);
      return n > 0;
    case GRAPH:
      if (need(build, def, shape, "row")) make_graph(build, def);
      return board_of(build)->squares > 0;
    default: {
      const char *near = text_nearest(shape, shapes, SHAPES);
      Diag *d = diag_report(build->diags, DIAG_BAD_BOARD, def->node->name,
                            "there is no board of the shape `%s`", shape);
      if (near)
        diag_note(build->diags, d, "did you mean `%s`?", near);
      else
        diag_note(build->diags, d, "a board is square, grid, points or graph");
      return false;
    }
  }
}

void define_board(Build *build) {
  Def *def = flat_find(build->flat, N_BOARD, NULL, NULL);
  if (!def) {
    Diag *d = diag_report(build->diags, DIAG_MISSING_DEFINITION,
                          build->flat->unit->node->name, "the game has no board");
    diag_note(build->diags, d, "board square { size 9 }, or grid, points or graph");
    allocate(build, 0, count_pockets(build), 0);
    name_pockets(build);
    return;
  }
  if (!make_shape(build, def)) allocate(build, 0, count_pockets(build), 0);
  if (board_of(build)->sites > SITES_MAX) {
    diag_report(build->diags, DIAG_TOO_MANY, def->node->span,
                "board and pockets have more than %d sites", SITES_MAX);
    build->failed = true;
  }
  name_pockets(build);
  make_adjacent(build, def);
}

/* ---- paths ---- */

typedef struct Walk {
  Build *build;
  Path *path;
  int16_t stop[PATH_MAX];
  bool broken;
} Walk;

static void add_stop(Walk *walk, int site, const Node *node) {
  Path *path = walk->path;
  if (walk->broken || site < 0) return;
  if (path->wrap >= 0) {
    diag_report(walk->build->diags, DIAG_BAD_PATH, node->span,
                "the path comes back to a stop before this one and can only end there");
    walk->broken = true;
    return;
  }
  if (path->index_of[site] >= 0) {
    path->wrap = path->index_of[site];
    return;
  }
  if (path->n == PATH_MAX) {
    diag_report(walk->build->diags, DIAG_TOO_MANY, node->span,
                "a path has at most %d stops", PATH_MAX);
    walk->broken = true;
    return;
  }
  path->index_of[site] = (int16_t)path->n;
  walk->stop[path->n++] = (int16_t)site;
}

static void add_stops(Walk *walk, const Node *node) {
  Build *build = walk->build;
  Scope scope = scope_constant(build, "a path");
  const Expr *e = express(&scope, node);
  if (e->type == TYPE_POISON) walk->broken = true;
  if (e->type == TYPE_POISON) return;
  if (e->type == TYPE_RANGE && e->kid[0]->op == X_NUMBER && e->kid[1]->op == X_NUMBER &&
      build->rules->board.shape == BOARD_POINTS) {
    int a = e->kid[0]->a, b = e->kid[1]->a, squares = build->rules->board.squares;
    if (a < 1 || b < 1 || a > squares || b > squares) {
      diag_report(build->diags, DIAG_UNKNOWN_SITE, node->span,
                  "`%s` leaves the board of %d points", words_at(build, node->span),
                  squares);
      walk->broken = true;
      return;
    }
    for (int i = a; a <= b ? i <= b : i >= b; i += a <= b ? 1 : -1)
      add_stop(walk, i - 1, node);
    return;
  }
  if (node->kind == N_E_SUB && e->type == TYPE_NUMBER) {
    Diag *d = diag_report(build->diags, DIAG_BAD_PATH, node->span,
                          "`%s` is a difference, and no site", words_at(build, node->span));
    diag_note(build->diags, d, "a range is written with two dots: `%s .. %s`",
              words_at(build, node->kid->span), words_at(build, node->kid->next->span));
    walk->broken = true;
    return;
  }
  e = coerce(&scope, e, TYPE_SITES, "a path");
  const SiteSet *sites = constant_sites(e);
  if (!sites || sites_count(sites) != 1) walk->broken = true;
  if (e->type == TYPE_POISON) return;
  if (!sites || sites_count(sites) != 1) {
    int n = sites ? sites_count(sites) : 0;
    Diag *d =
        diag_report(build->diags, DIAG_BAD_PATH, node->span,
                    n ? "`%s` are several sites, and a path needs to know their order"
                      : "`%s` is no site of this board",
                    words_at(build, node->span));
    if (n)
      diag_note(build->diags, d, "name the sites one by one, or write a range: 24 .. 1");
    return;
  }
  add_stop(walk, sites_first(sites), node);
}

static void define_one_path(Build *build, const Def *def, int name, int owner) {
  if (build->rules->paths == PATHS_MAX) {
    diag_report(build->diags, DIAG_TOO_MANY, def->span, "more than %d paths", PATHS_MAX);
    build->failed = true;
    return;
  }
  int sites = build->rules->board.sites;
  Walk *walk = ARENA_NEW(build->arena, Walk);
  Path path = {0};
  path.name = name;
  path.owner = owner;
  path.wrap = -1;
  path.index_of = ARENA_ARRAY(build->arena, int16_t, sites + 1);
  for (int s = 0; s < sites; s++) path.index_of[s] = -1;
  walk->build = build;
  walk->path = &path;
  const Node *body = node_find(def->node, N_BODY);
  for (const Node *n = body ? body->kid : NULL; n; n = n->next) add_stops(walk, n);
  path.site = ARENA_ARRAY(build->arena, int16_t, path.n + 1);
  for (int i = 0; i < path.n; i++) path.site[i] = walk->stop[i];
  if (path.n < 2 && !walk->broken && build->rules->board.squares)
    diag_report(build->diags, DIAG_BAD_PATH, def->span, "a path has at least two stops");
  build->path[build->rules->paths++] = path;
}

void define_path(Build *build, Symbol *symbol) {
  symbol->index = build->rules->path_names;
  build->path_name[build->rules->path_names++] = symbol->name;
  for (const Def *def = build->flat->first; def; def = def->next) {
    if (def->removed || def->kind != N_PATH || def->name != symbol->name) continue;
    int owner = -1;
    if (def->owner && strcmp(def->owner, "each")) {
      owner = find_player(build, def->owner);
      if (owner < 0) {
        diag_report(build->diags, DIAG_UNKNOWN_NAME, node_find(def->node, N_OWNED)->span,
                    "there is no player `%s`", def->owner);
        continue;
      }
      if (!((build->seated >> owner) & 1)) continue;
    }
    define_one_path(build, def, symbol->index, owner);
  }
}
