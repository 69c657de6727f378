/* Matching pictures site by site. A way is followed with `follow`: a direction of the board or
 * a path; cells are evaluated once, then every start is tried along every way. */
#include "play/picture.h"

enum { CELLS_MOST = 16 };

typedef struct Matching {
  EvalCtx *ctx;
  const LineShape *shape;
  SiteSet cell[CELLS_MOST]; /* where each cell may match */
  SiteSet found[CELLS_MOST]; /* where each cell did match, all matches united */
} Matching;

/* A way: a direction (0..15) or a path. */
typedef struct Way {
  const int16_t *next; /* of a direction, or NULL */
  const Path *path;
} Way;

static int follow(const Way *way, int site) {
  if (site < 0) return -1;
  if (way->next) return way->next[site];
  int i = way->path->index_of[site];
  if (i < 0) return -1;
  if (i + 1 < way->path->n) return way->path->site[i + 1];
  return way->path->wrap >= 0 ? way->path->site[way->path->wrap] : -1;
}

/* Tries the picture from `site` along `way`; on success adds the sites of every cell. */
static void try_match(Matching *m, int site, const Way *way) {
  int first[CELLS_MOST], length[CELLS_MOST], at = site;
  int most = m->ctx->rules->board.sites;
  for (int i = 0; i < m->shape->n; i++) {
    first[i] = at;
    length[i] = 0;
    int run = m->shape->cell[i].run;
    while (at >= 0 && sites_has(&m->cell[i], at) && length[i] < (run ? most : 1)) {
      length[i]++;
      at = follow(way, at);
    }
    if (length[i] < (run ? run : 1)) return;
  }
  for (int i = 0; i < m->shape->n; i++) {
    at = first[i];
    for (int k = 0; k < length[i]; k++) {
      sites_add(&m->found[i], at);
      at = follow(way, at);
    }
  }
}

static bool evaluate_cells(Matching *m, PieceSet *pieces) {
  for (int i = 0; i < m->shape->n; i++) {
    const LineCell *c = &m->shape->cell[i];
    m->found[i] = sites_none();
    if (c->expr->type == TYPE_PIECES) {
      PieceSet set;
      eval_pieces(m->ctx, c->expr, pieces && c->marked ? &pieces[i] : &set);
      m->cell[i] = pieces_sites(pieces && c->marked ? &pieces[i] : &set);
    } else {
      m->cell[i] = eval_sites(m->ctx, c->expr);
    }
    if (sites_is_empty(&m->cell[i])) return false;
  }
  return true;
}

static void match(Matching *m, const Expr *ways_expr) {
  const Board *board = &m->ctx->rules->board;
  uint64_t ways = ways_expr ? eval_ways(m->ctx, ways_expr) : board->adjacent;
  SiteSet start = m->cell[0];
  for (int d = 0; d < board->dirs; d++) {
    if (!((ways >> d) & 1)) continue;
    Way way = {board->next[d], NULL};
    SITES_FOR(s, start) if (s < board->squares) try_match(m, s, &way);
  }
  for (int i = 0; i < m->ctx->rules->paths; i++) {
    if (!((ways >> (WAY_PATHS + i)) & 1)) continue;
    Way way = {NULL, &m->ctx->rules->path[i]};
    SITES_FOR(s, start) if (way.path->index_of[s] >= 0) try_match(m, s, &way);
  }
}

SiteSet picture_sites(EvalCtx *ctx, const Expr *e) {
  Matching m;
  m.ctx = ctx;
  m.shape = e->data;
  SiteSet all = sites_none();
  if (!evaluate_cells(&m, NULL)) return all;
  match(&m, e->kid[0]);
  for (int i = 0; i < m.shape->n; i++)
    if (!m.shape->any_marked || m.shape->cell[i].marked) all = sites_or(all, m.found[i]);
  return all;
}

void picture_pieces(EvalCtx *ctx, const Expr *e, PieceSet *out) {
  Matching m;
  PieceSet marked[CELLS_MOST];
  m.ctx = ctx;
  m.shape = e->data;
  out->planes = 0;
  if (!evaluate_cells(&m, marked)) return;
  match(&m, e->kid[0]);
  for (int i = 0; i < m.shape->n; i++) {
    if (!m.shape->cell[i].marked) continue;
    for (uint32_t planes = marked[i].planes; planes; planes &= planes - 1) {
      int plane = __builtin_ctz(planes);
      SiteSet hit = sites_and(marked[i].at[plane], m.found[i]);
      if (sites_is_empty(&hit)) continue;
      out->at[plane] = (out->planes >> plane) & 1 ? sites_or(out->at[plane], hit) : hit;
      out->planes |= 1u << plane;
    }
  }
}

SiteSet picture_braced(const Rules *rules, SiteSet x, SiteSet safe) {
  const Board *board = &rules->board;
  bool grid = board->shape == BOARD_GRID;
  int opposite = grid ? 4 : 1, apart = grid ? 1 : 2, axes = grid ? 4 : board->dirs / 2;
  for (bool changed = true; changed;) {
    changed = false;
    SITES_FOR(s, x) {
      bool held = s < board->squares;
      for (int a = 0; held && a < axes; a++) {
        int d = a * apart, b = d + opposite;
        if (!((board->adjacent >> d) & 1) && !((board->adjacent >> b) & 1)) continue;
        int m = board->next[d][s], n = board->next[b][s];
        held = m < 0 || n < 0 || sites_has(&safe, m) || sites_has(&x, m) ||
               sites_has(&safe, n) || sites_has(&x, n);
      }
      if (held) continue;
      sites_remove(&x, s);
      changed = true;
    }
  }
  return x;
}
