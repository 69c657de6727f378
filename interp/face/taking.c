/* Reads off the expressions of `take` which kinds they can speak of. */
#include "face/taking.h"

#include "play/eval.h"

enum { ALL_PLANES = -1 };

/* The seats that an expression of players can mean; all if it is not plain. */
static uint32_t seats_of(const Rules *rules, const Position *p, const Expr *players) {
  uint32_t all = ((uint32_t)1 << rules->seats) - 1, mover = (uint32_t)1 << p->mover;
  if (!players) return all;
  if (players->op == X_MOVER) return mover;
  if (players->op == X_OPPONENT) return all & ~mover;
  return players->op == X_PLAYERS_CONST ? (uint32_t)players->a : all;
}

static uint32_t planes_of_kinds(const Rules *rules, const Position *p, const Expr *e) {
  uint32_t seats = seats_of(rules, p, e->kid[0]), planes = 0;
  for (int plane = 0; plane < rules->planes; plane++)
    if (((uint32_t)e->a >> rules->plane[plane].kind) & 1 &&
        (seats >> rules->plane[plane].owner) & 1)
      planes |= (uint32_t)1 << plane;
  return planes;
}

static uint32_t planes_of(const Rules *rules, const Position *p, const Expr *e) {
  if (!e) return (uint32_t)ALL_PLANES;
  switch (e->op) {
    case X_PIECES_CONST:
      return (uint32_t)e->a;
    case X_PIECES_KIND:
      return planes_of_kinds(rules, p, e);
    case X_PIECES_AT:
    case X_PIECES_OFF:
    case X_MINUS:
    case X_WHERE:
    case X_BRACED:
    case X_LET:
      return planes_of(rules, p, e->kid[0]);
    case X_UNION:
      return planes_of(rules, p, e->kid[0]) | planes_of(rules, p, e->kid[1]);
    case X_MEET:
      return planes_of(rules, p, e->kid[0]) & planes_of(rules, p, e->kid[1]);
    case X_LINE_PIECES: {
      const LineShape *line = e->data;
      uint32_t planes = 0;
      for (int i = 0; i < line->n; i++)
        if (line->cell[i].marked || !line->any_marked)
          planes |= planes_of(rules, p, line->cell[i].expr);
      return planes;
    }
    default:
      return (uint32_t)ALL_PLANES;
  }
}

/* A `when` that speaks of the position only, and fails on it, rules the rule out. */
static bool may_apply(Engine *engine, const Position *p, const Rule *rule) {
  if (rule->phase >= 0 && rule->phase != p->turn_phase) return false;
  if (!rule->when || rule->when->deps & ~(uint32_t)DEP_POSITION) return true;
  EvalCtx ctx = eval_context(engine, p);
  return eval_condition(&ctx, rule->when);
}

int taking_rule(Engine *engine, const Position *p, int plane) {
  const Rules *rules = engine_rules(engine);
  for (int i = 0; i < rules->of_kind_n[RULE_CAPTURE]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_CAPTURE][i]];
    if (!may_apply(engine, p, rule)) continue;
    if ((planes_of(rules, p, rule->take) >> plane) & 1) return rule->index;
  }
  return -1;
}
