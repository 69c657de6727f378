/* The greedy player: judges each turn by what it leads to, and breaks ties by lot. */
#include "mind/greedy.h"

#include <math.h>

/* How far a seat's pieces have come on their ways, all together. */
static int64_t progress(const Rules *rules, const Layout *layout, const Position *p,
                        int seat) {
  const uint16_t *count = position_count(layout, p);
  int64_t sum = 0;
  for (int w = 0; w < rules->paths; w++) {
    const Path *path = &rules->path[w];
    if (path->owner >= 0 && path->owner != seat) continue;
    for (int plane = 0; plane < rules->planes; plane++) {
      if (rules->plane[plane].owner != seat) continue;
      const uint16_t *row = count + plane * rules->board.sites;
      for (int i = 0; i < path->n; i++) sum += (int64_t)row[path->site[i]] * i;
    }
  }
  return sum;
}

/* How many of the pieces that a capture has taken are gone from there when the turn is over; what
 * was taken in passing and stands again is not, whichever way the turn has gone. */
static int gone(const Rules *rules, const Layout *layout, const Position *p, const Turn *turn, int capture) {
  const Captured *c = &turn->captured[capture];
  for (int i = 0; i < capture; i++)
    if (turn->captured[i].site == c->site && turn->captured[i].plane == c->plane) return 0;
  int at = c->plane * rules->board.sites + c->site;
  int n = position_count(layout, p)[at] - position_count(layout, turn->after)[at];
  return n > 0 ? n : 0;
}

static double worth(Engine *engine, const Position *p, const Turn *turn, int me) {
  const Rules *rules = engine_rules(engine);
  const Layout *layout = engine_layout(engine);
  const Position *after = turn->after;
  if (after->stage == STAGE_ENDED) {
    bool mine = (after->winners >> me) & 1;
    if (after->drawn) return mine ? 0 : -1e6;
    return mine ? 1e6 + after->score[me] : -1e6;
  }
  double sum = 0;
  for (int i = 0; i < turn->captures; i++) {
    int owner = rules->plane[turn->captured[i].plane].owner;
    sum += (owner == me ? -1000.0 : 1000.0) * gone(rules, layout, p, turn, i);
  }
  for (int seat = 0; seat < rules->seats; seat++)
    sum += (seat == me ? 1.0 : -1.0) * (double)progress(rules, layout, after, seat);
  return sum;
}

int player_greedy(Engine *engine, const Position *p, const Turns *turns, Rng *rng) {
  int best = 0;
  uint32_t equals = 0;
  double most = -INFINITY;
  for (int i = 0; i < turns->n; i++) {
    double value = worth(engine, p, &turns->at[i], p->mover);
    if (value < most) continue;
    if (value > most) {
      most = value;
      equals = 0;
    }
    equals++;
    if (rng_below(rng, equals) == 0) best = i;
  }
  return best;
}
