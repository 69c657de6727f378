/* Pictures: the cells of a line matched against shifted copies of each other, way by way. */
#include "play/lower.h"

#include "play/eval.h"

/* The direction that leads back from wherever this one leads to, or -1. */
static int way_back(const Board *b, int dir) {
  for (int d = 0; d < b->dirs; d++) {
    bool inverse = true;
    for (int s = 0; s < b->squares && inverse; s++) {
      if (b->next[dir][s] >= 0) inverse = b->next[d][b->next[dir][s]] == s;
      if (inverse && b->next[d][s] >= 0) inverse = b->next[dir][b->next[d][s]] == s;
    }
    if (inverse) return d;
  }
  return -1;
}
static Reg shifted(Lower *l, Reg set, int dir, int by) {
  int way = by > 0 ? dir : way_back(&l->rules->board, dir);
  for (int i = 0; i < (by < 0 ? -by : by); i++) set = MAKE(l, set_dir, set, way);
  return set;
}
static Reg shifted_path(Lower *l, Reg set, int path, int by) {
  for (int i = 0; i < (by < 0 ? -by : by); i++) set = MAKE(l, set_way, set, path, by > 0 ? 1 : -1);
  return set;
}

/* One run, first or second, with at most a cell before and behind. */
static Reg run_found(Lower *l, const LineShape *shape, const Reg *cell, int i, uint64_t ways) {
  int run_at = shape->cell[0].run ? 0 : 1;
  int word = (int)(ways & 0xffff) | (int)(ways >> WAY_PATHS) << 16;
  int cells = (run_at == 1) | (run_at + 1 < shape->n) << 1;
  Reg first = run_at == 1 ? cell[0] : no_sites(l);
  Reg last = cells & 2 ? cell[run_at + 1] : no_sites(l);
  int want = i < run_at ? 1 : i == run_at ? 2 : 4;
  return make(l, O_line_run, 7, (int32_t[]){first, cell[run_at], last, word, want, shape->cell[run_at].run, cells});
}

/* Cells of any kind: put down one by one, and matched site by site. */
static Reg any_found(Lower *l, const LineShape *shape, const Reg *cell, int i, uint64_t ways) {
  for (int k = 0; k < shape->n; k++) ACT(l, line_cell, k, cell[k], shape->cell[k].run);
  return ACT(l, line_match, shape->n, 1 << i, (int)(ways & 0xffff), (int)(uint32_t)(ways >> WAY_PATHS));
}

typedef Reg Found(Lower *l, const LineShape *shape, const Reg *cell, int i, uint64_t ways);
/* With one operation for all ways that are sure to be meant. */
static void found_by(Lower *l, const LineShape *shape, const Reg *cell, const Ways *ways, Found *by, Reg *found) {
  for (int i = 0; i < shape->n; i++) {
    if (shape->any_marked && !shape->cell[i].marked) continue;
    if (ways->sure) found[i] = by(l, shape, cell, i, ways->sure);
    for (int way = 0; way < 64; way++) {
      uint64_t bit = (uint64_t)1 << way;
      if (!(ways->all & ~ways->sure & bit)) continue;
      found[i] = set_fold(l, O_set_or, found[i], set_when(l, by(l, shape, cell, i, bit), ways->when[way]));
    }
  }
}

/* Whether along these ways one site only leads to each. */
static bool leads_back(const Rules *rules, uint64_t ways) {
  const Board *board = &rules->board;
  for (int d = 0; d < board->dirs; d++)
    if ((ways >> d) & 1 && way_back(board, d) < 0) return false;
  for (int i = 0; i < rules->paths; i++) /* one that runs into a ring comes to a stop from two sides */
    if ((ways >> (WAY_PATHS + i)) & 1 && rules->path[i].wrap > 0) return false;
  return true;
}
static void picture_found(Lower *l, const LineShape *shape, const Reg *cell, const Ways *ways, Reg *found) {
  for (int i = 0; i < shape->n; i++) found[i] = no_sites(l);
  int runs = 0, run_at = 0;
  for (int i = 0; i < shape->n; i++)
    if (shape->cell[i].run) {
      runs++;
      run_at = i;
    }
  if (runs ? runs > 1 || run_at > 1 || shape->n - run_at > 2 || l->rules->paths > 15 : !leads_back(l->rules, ways->all)) {
    found_by(l, shape, cell, ways, any_found, found);
    return;
  }
  if (runs) {
    found_by(l, shape, cell, ways, run_found, found);
    return;
  }
  for (int way = 0; way < 64; way++) {
    bool dir = way < l->rules->board.dirs;
    if (!((ways->all >> way) & 1) || (!dir && way < WAY_PATHS)) continue;
    for (int i = 0; i < shape->n; i++) {
      if (shape->any_marked && !shape->cell[i].marked) continue;
      Reg match = cell[i];
      for (int k = 0; k < shape->n; k++) {
        if (k == i) continue;
        Reg other = dir ? shifted(l, cell[k], way, i - k) : shifted_path(l, cell[k], way - WAY_PATHS, i - k);
        match = set_fold(l, O_set_and, match, other);
      }
      found[i] = set_fold(l, O_set_or, found[i], set_when(l, match, way_when(l, ways, way)));
    }
  }
}

Reg lower_picture(Lower *l, const Expr *e, Pieces *pieces) {
  const LineShape *shape = e->data;
  Pieces marked[16];
  Reg cell[16], found[16], all = no_sites(l);
  Ways ways = {.all = l->rules->board.adjacent, .sure = l->rules->board.adjacent};
  if (e->kid[0]) lower_ways(l, e->kid[0], &ways);
  if (pieces) pieces->planes = 0;
  for (int i = 0; i < shape->n; i++) {
    const Expr *c = shape->cell[i].expr;
    if (c->type == TYPE_PIECES) {
      lower_pieces(l, c, &marked[i]);
      cell[i] = c->op == X_MOVED ? lower_moved_sites(l) : pieces_union(l, &marked[i]);
    } else {
      cell[i] = lower_sites(l, c);
    }
    if (set_is_none(l, cell[i])) return all;
  }
  picture_found(l, shape, cell, &ways, found);
  for (int i = 0; i < shape->n; i++) {
    if (shape->any_marked && !shape->cell[i].marked) continue;
    all = set_fold(l, O_set_or, all, found[i]);
    if (!pieces || !shape->cell[i].marked) continue;
    for (int k = 0; k < l->rules->planes; k++) {
      if (!((marked[i].planes >> k) & 1)) continue;
      Reg hit = set_fold(l, O_set_and, marked[i].at[k], found[i]);
      pieces->at[k] = (pieces->planes >> k) & 1 ? set_fold(l, O_set_or, pieces->at[k], hit) : hit;
      pieces->planes |= 1u << k;
    }
  }
  return all;
}
