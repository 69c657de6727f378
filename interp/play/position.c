/* Positions as flat blocks: layout, pieces, keys, self-check. Reads Rules; knows nothing of
 * how turns are made. */
#include "play/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static size_t align8(size_t n) { return (n + 7) & ~(size_t)7; }

Layout position_layout(const Rules *rules) {
  Layout l;
  size_t planes = (size_t)rules->planes;
  l.occupied = align8(sizeof(Position));
  l.taken = l.occupied + planes * sizeof(SiteSet);
  l.cells = l.taken + planes * sizeof(SiteSet);
  l.uses = align8(l.cells + (size_t)rules->all_cells * sizeof(int32_t));
  l.count = align8(l.uses + (size_t)rules->rules * sizeof(uint16_t));
  l.size = align8(l.count + planes * (size_t)rules->board.sites * sizeof(uint16_t));
  return l;
}

Position *position_new(const Layout *layout) {
  Position *p = memory_resize(NULL, layout->size);
  memset(p, 0, layout->size);
  p->size = (uint32_t)layout->size;
  return p;
}

void position_copy(Position *to, const Position *from) { memcpy(to, from, from->size); }

void position_add(const Rules *rules, const Layout *layout, Position *p, int plane, int site,
                  int number) {
  uint16_t *count = position_count(layout, p) + plane * rules->board.sites + site;
  SiteSet *occupied = position_occupied(layout, p) + plane;
  *count = (uint16_t)(*count + number);
  if (*count)
    sites_add(occupied, site);
  else
    sites_remove(occupied, site);
}

int position_total(const Rules *rules, const Layout *layout, const Position *p, int plane) {
  const uint16_t *count = position_count(layout, p) + plane * rules->board.sites;
  int total = 0;
  for (int s = 0; s < rules->board.sites; s++) total += count[s];
  return total;
}

static bool fail(char *why, size_t room, const char *what, int a, int b) {
  if (why && room) snprintf(why, room, "%s (%d, %d)", what, a, b);
  return false;
}

static bool state_in_range(const Rules *rules, const State *s, int32_t v) {
  switch (s->type) {
    case TYPE_NUMBER: return v >= s->low && v <= s->high;
    case TYPE_VALUES: return v >= 0 && v < rules->atoms && sites_has(&s->values, v);
    case TYPE_PLAYERS: return v == -1 || (v >= 0 && v < rules->seats);
    case TYPE_SITES: return v == -1 || (v >= 0 && v < rules->board.sites);
    default: return false;
  }
}

bool position_check(const Rules *rules, const Layout *layout, const Position *p, char *why,
                    size_t room) {
  if (p->size != layout->size) return fail(why, room, "wrong size", (int)p->size, 0);
  for (int plane = 0; plane < rules->planes; plane++) {
    const uint16_t *count = position_count(layout, p) + plane * rules->board.sites;
    SiteSet set = sites_none();
    for (int s = 0; s < rules->board.sites; s++) {
      if (count[s] > 10000) return fail(why, room, "a count under zero: plane, site", plane, s);
      if (count[s]) sites_add(&set, s);
    }
    if (!sites_equal(&set, &position_occupied(layout, p)[plane]))
      return fail(why, room, "occupied sites differ from the counts: plane", plane, 0);
  }
  for (int s = 0; s < rules->board.sites && !rules->stacks; s++) {
    int n = 0;
    for (int plane = 0; plane < rules->planes; plane++)
      n += position_count(layout, p)[plane * rules->board.sites + s];
    if (n > 1) return fail(why, room, "two pieces where one can stand: site, pieces", s, n);
  }
  const int32_t *cells = position_cells(layout, p);
  for (int i = 0; i < rules->states; i++)
    for (int c = 0; c < rules->state[i].cells; c++)
      if (!state_in_range(rules, &rules->state[i], cells[rules->state[i].cell + c]))
        return fail(why, room, "a state out of its range: state, member", i, c);
  if (p->stage == STAGE_ENDED ? p->mover != -1 : p->mover < 0 || p->mover >= rules->seats)
    return fail(why, room, "nobody, or somebody unknown, is to move", p->mover, p->stage);
  if (p->phase < 0 || p->phase >= rules->phases)
    return fail(why, room, "an unknown phase", p->phase, 0);
  if (p->dice < 0 || p->dice > DICE_MAX) return fail(why, room, "too many dice", p->dice, 0);
  for (int i = 1; i < p->dice; i++)
    if (p->die[i - 1] < p->die[i]) return fail(why, room, "dice out of order", i, 0);
  /* who goes out by a step of his own is to move until the turn is over */
  if (p->stage == STAGE_TURN && p->steps == 0 && !((p->active >> p->mover) & 1))
    return fail(why, room, "a player who is out is to move", p->mover, 0);
  return true;
}

uint64_t position_key(const Rules *rules, const Layout *layout, const Position *p, int seat) {
  XXH64_hash_t key = XXH3_64bits_withSeed(
      position_count(layout, p),
      (size_t)rules->planes * (size_t)rules->board.sites * sizeof(uint16_t),
      (XXH64_hash_t)(seat + 1) * 64 + (XXH64_hash_t)p->phase * 1024 + p->active * 65536);
  if (rules->cells)
    key = XXH3_64bits_withSeed(position_cells(layout, p),
                               (size_t)rules->cells * sizeof(int32_t), key);
  return key;
}

/* What rules may remember of the turn that led here, and this game's do. */
static bool same_memory(const Rules *rules, const Position *a, const Position *b) {
  if (a->stage == STAGE_ENDED) return true;
  if ((rules->mentions & MENTION_QUIET) && a->quiet != b->quiet) return false;
  for (int s = 0; s < rules->seats && rules->mentions & MENTION_LAST; s++)
    if (a->last_origin_of[s] != b->last_origin_of[s] ||
        a->last_target_of[s] != b->last_target_of[s])
      return false;
  return true;
}

bool position_same(const Rules *rules, const Layout *layout, const Position *a,
                   const Position *b) {
  if (a->mover != b->mover || a->phase != b->phase || a->active != b->active ||
      a->stage != b->stage || a->end_rule != b->end_rule || a->winners != b->winners)
    return false;
  for (int s = 0; s < rules->seats; s++)
    if (a->score[s] < b->score[s] || a->score[s] > b->score[s]) return false;
  return same_memory(rules, a, b) &&
         !memcmp(position_count(layout, a), position_count(layout, b),
                 (size_t)rules->planes * (size_t)rules->board.sites * sizeof(uint16_t)) &&
         !memcmp(position_cells(layout, a), position_cells(layout, b),
                 (size_t)rules->cells * sizeof(int32_t));
}

uint64_t position_same_key(const Rules *rules, const Layout *layout, const Position *p) {
  struct {
    double score[SEATS_MAX];
    int32_t stage, end_rule, winners, quiet;
    int16_t origin[SEATS_MAX], target[SEATS_MAX];
  } told;
  memset(&told, 0, sizeof told);
  for (int s = 0; s < rules->seats; s++) told.score[s] = p->score[s] + 0.0; /* no zero below zero */
  told.stage = p->stage;
  told.end_rule = p->end_rule;
  told.winners = p->winners;
  bool goes_on = p->stage != STAGE_ENDED;
  if (goes_on && rules->mentions & MENTION_QUIET) told.quiet = p->quiet;
  for (int s = 0; s < rules->seats && goes_on && rules->mentions & MENTION_LAST; s++) {
    told.origin[s] = p->last_origin_of[s];
    told.target[s] = p->last_target_of[s];
  }
  return XXH3_64bits_withSeed(&told, sizeof told, position_key(rules, layout, p, p->mover));
}
