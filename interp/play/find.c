/* Which turn a move means: the steps written are played one after another along every way
 * of reading them, and the position reached is looked up among the legal turns. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "front/load.h"
#include "play/inside.h"
#include "play/notation.h"

bool move_part_takes(const Rules *rules, const MovePart *part, int stop, int plane,
                     const Step *step) {
  if (part->rule >= 0 || step->origin < 0) return false;
  if (stop + 1 >= part->stops || step->origin != part->stop[stop] ||
      step->target != part->stop[stop + 1])
    return false;
  if (plane >= 0) return step->plane == plane;
  return part->kind < 0 || rules->plane[step->plane].kind == part->kind;
}

bool move_part_picks(const Rules *rules, const MovePart *part, int rule, int32_t chosen) {
  if (part->rule != rule) return false;
  const Rule *r = &rules->rule[rule];
  if (r->choose_n == 0) return part->chosen_n == 0;
  if (part->chosen_n == 0) return false;
  Type type = (Type)r->choose[0]->type;
  if (type == TYPE_SITES || type == TYPE_PIECES)
    return rules_site(rules, part->chosen) == chosen;
  char value[64];
  chosen_write(rules, r, chosen, value, sizeof value);
  return !strcmp(value, part->chosen);
}

typedef struct Search {
  Engine *engine;
  const Position *start;
  const Rules *rules;
  const Move *move;
  const Turns *turns;
  bool skip;    /* stops may have been left out */
  int found[2]; /* different turns meant */
  int n;
  int budget; /* positions still to be looked at */
} Search;

enum { SEARCH_BUDGET = 20000 };

static void look_up(Search *s, const Position *reached) {
  if (!turn_may_end(s->engine, s->start, reached)) return;
  Position *end = engine_position(s->engine);
  position_copy(end, reached);
  engine_finish(s->engine, end);
  for (int i = 0; i < s->turns->n && s->n < 2; i++) {
    if (!position_same(s->rules, engine_layout(s->engine), end, s->turns->at[i].after))
      continue;
    if (s->n == 0 || s->found[0] != i) s->found[s->n++] = i;
    break;
  }
  free(end);
}

/* `part` and `stop` say how far the move has been read; `at` and `plane` where the piece in
 * the middle of a chain stands (-1: a part begins). */
static void search(Search *s, const Position *p, int part, int stop, int at, int plane) {
  if (s->n == 2 || s->budget-- <= 0) return;
  if (part == s->move->n) {
    look_up(s, p);
    return;
  }
  const MovePart *m = &s->move->part[part];
  Mark mark = engine_mark(s->engine);
  Steps steps = engine_steps(s->engine, p);
  Position *next = engine_position(s->engine);
  for (int i = 0; i < steps.n && s->n < 2; i++) {
    const Step *step = &steps.at[i];
    const Captured *captured;
    int captures;
    if (m->rule >= 0) {
      if (step->origin >= 0 || !move_part_picks(s->rules, m, step->rule, step->chosen)) continue;
      engine_make(s->engine, p, step, next, &captured, &captures);
      search(s, next, part + 1, 0, -1, -1);
      continue;
    }
    if (step->origin != (at < 0 ? m->stop[0] : at)) continue;
    if (plane >= 0 ? step->plane != plane
                   : m->kind >= 0 && s->rules->plane[step->plane].kind != m->kind)
      continue;
    bool there = step->target == m->stop[stop + 1];
    if (!there && !s->skip) continue;
    engine_make(s->engine, p, step, next, &captured, &captures);
    if (there && stop + 2 == m->stops)
      search(s, next, part + 1, 0, -1, -1);
    else if (next->last_plane >= 0)
      search(s, next, part, there ? stop + 1 : stop, step->target, next->last_plane);
  }
  free(next);
  engine_release(s->engine, mark);
}

/* The move and a turn have the same one step, or both are a pass. */
static bool same_step(const Rules *rules, const Move *move, const Turn *turn) {
  if (move->n != turn->steps || move->n > 1) return false;
  if (move->n == 0) return true;
  const MovePart *part = &move->part[0];
  if (part->rule >= 0)
    return turn->step->origin < 0 &&
           move_part_picks(rules, part, turn->step->rule, turn->step->chosen);
  return part->stops == 2 && move_part_takes(rules, part, 0, -1, turn->step);
}

int move_find(Engine *engine, const Position *p, const Turns *turns, const Move *move) {
  const Rules *rules = engine_rules(engine);
  bool single = true;
  int found = -1, n = 0;
  for (int i = 0; i < turns->n; i++) {
    if (turns->at[i].steps > 1) single = false;
    if (same_step(rules, move, &turns->at[i])) {
      found = i;
      n++;
    }
  }
  if (move->n == 0 || (single && n > 0)) return n > 1 ? -2 : found;
  Search s = {.engine = engine, .start = p, .rules = rules, .move = move, .turns = turns};
  for (int skip = 0; skip < 2 && s.n == 0; skip++) {
    s.skip = skip;
    s.budget = SEARCH_BUDGET;
    search(&s, p, 0, 0, -1, -1);
  }
  return s.n == 2 ? -2 : s.n == 1 ? s.found[0] : -1;
}
