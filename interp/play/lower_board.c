/* The board as the kernel sees it: ways along which whole sets move at once. */
#include "play/lower.h"

/* Directions in which every neighbour is as many sites away. */
static void linear_ways(Lower *l) {
  const Board *b = &l->rules->board;
  for (int d = 0; d < b->dirs; d++) {
    int by = 0;
    bool linear = true;
    for (int s = 0; s < b->squares; s++) {
      if (b->next[d][s] < 0) continue;
      if (by && b->next[d][s] - s != by) linear = false;
      by = b->next[d][s] - s;
    }
    l->p->linear[d] = linear ? by : 0;
    if (!l->p->linear[d]) continue;
    l->p->linear_dirs |= 1u << d;
    for (int s = 0; s < b->squares; s++) {
      int steps = 0;
      for (int at = b->next[d][s]; at >= 0; at = b->next[d][at]) steps++;
      if (steps > l->p->longest[d]) l->p->longest[d] = steps;
    }
  }
}

/* Whether b leads back from wherever d leads. */
static bool leads_back(const Board *board, int d, int b) {
  for (int s = 0; s < board->squares; s++) {
    int on = board->next[d][s], off = board->next[b][s];
    if ((on >= 0 && board->next[b][on] != s) || (off >= 0 && board->next[d][off] != s)) return false;
  }
  return true;
}
static void ways_back(Lower *l) {
  const Board *b = &l->rules->board;
  for (int d = 0; d < b->dirs; d++) {
    l->p->back[d] = DIRS_MAX + 1;
    for (int k = 0; k < b->dirs; k++)
      if (l->p->linear[d] && l->p->linear[k] == -l->p->linear[d] && leads_back(b, d, k)) l->p->back[d] = k;
  }
}
bool lower_lines_lone(const Lower *l) {
  const Board *b = &l->rules->board;
  for (int s = 0; s < b->squares; s++) {
    SiteSet met = sites_none();
    for (int d = 0; d < b->dirs; d++) {
      if (!((l->p->linear_dirs >> d) & 1)) continue;
      if (l->p->longest[d] > 62) return false;
      for (int at = b->next[d][s]; at >= 0; at = b->next[d][at]) {
        if (sites_has(&met, at)) return false;
        sites_add(&met, at);
      }
    }
  }
  return true;
}

/* The stretches of the paths where one stop is one site on. */
static void segments(Lower *l) {
  for (int i = 0; i < l->rules->paths; i++) {
    const Path *path = &l->rules->path[i];
    PathSegment *list = ARENA_ARRAY(l->p->arena, PathSegment, path->n + 1);
    int n = 0;
    for (int k = 0; k < path->n; k++) {
      int by = k ? path->site[k] - path->site[k - 1] : 0;
      bool fits = n && (by == 1 || by == -1) &&
                  (sites_count(&list[n - 1].sites) == 1 || list[n - 1].up == (by > 0));
      if (!fits) n++;
      if (fits) list[n - 1].up = by > 0;
      sites_add(&list[n - 1].sites, path->site[k]);
    }
    l->p->segment[i] = list;
    l->p->segments[i] = n;
  }
}

/* The stop at a place of the path, which may run in a ring at its end; -1: there is none. */
static int path_stop(const Path *path, int index) {
  if (index < path->n) return path->site[index];
  if (path->wrap < 0) return -1;
  return path->site[path->wrap + (index - path->wrap) % (path->n - path->wrap)];
}

/* The sites of a path whose stop so many on is equally many sites away, together. */
static int hops_of(const Path *path, int steps, PathHop *hop) {
  int n = 0;
  for (int i = 0; i < path->n; i++) {
    int to = path_stop(path, i + steps), k = 0;
    if (to < 0 || to == path->site[i]) continue;
    int by = to - path->site[i];
    while (k < n && hop[k].by != by) k++;
    if (k == n && n++ == HOPS_MOST) return -1;
    hop[k].by = by;
    sites_add(&hop[k].from, path->site[i]);
  }
  return n;
}

static void hops(Lower *l) {
  const Rules *rules = l->rules;
  Program *p = l->p;
  for (int i = 0; i < rules->pools; i++) {
    const DicePool *pool = &rules->pool[i];
    for (int k = 0; k < pool->faces; k++)
      if (pool->face[k] > p->hop_steps) p->hop_steps = pool->face[k];
    for (int k = 0; pool->total && k <= pool->total_high - pool->total_low; k++)
      if (pool->total_value[k] > p->hop_steps) p->hop_steps = pool->total_value[k];
  }
  if (p->hop_steps > HOP_STEPS_MOST) p->hop_steps = HOP_STEPS_MOST;
  if (p->hop_steps < 1) p->hop_steps = 1; /* pictures go stop by stop */
  for (int i = 0; i < rules->paths; i++) {
    p->hop[i] = ARENA_ARRAY(p->arena, PathHop, (p->hop_steps + 1) * HOPS_MOST);
    for (int k = 1; k <= p->hop_steps; k++) p->hops[i][k] = hops_of(&rules->path[i], k, p->hop[i] + k * HOPS_MOST);
  }
}

void lower_board(Lower *l) {
  linear_ways(l);
  ways_back(l);
  segments(l);
  hops(l);
}
