/* Ways: which of them a rule speaks of is known while lowering, or asked way by way in the game. */
#include "play/lower.h"

#include "play/eval.h"

static void set_way(Lower *l, Ways *ways, int way, Reg yes) {
  int64_t n;
  uint64_t bit = (uint64_t)1 << way;
  ways->all &= ~bit;
  ways->sure &= ~bit;
  if (num_known(l, yes, &n)) {
    if (!n) return;
    ways->sure |= bit;
  }
  ways->all |= bit;
  ways->when[way] = yes;
}

Reg way_when(Lower *l, const Ways *ways, int way) {
  if (!((ways->all >> way) & 1)) return reg_num(l, 0);
  return (ways->sure >> way) & 1 ? reg_num(l, 1) : ways->when[way];
}

static Ways known_ways(uint64_t ways) {
  Ways known;
  known.all = known.sure = ways;
  return known;
}

/* One of the operations on sets, way by way. */
static void combine(Lower *l, int op, const Ways *a, const Ways *b, Ways *out) {
  Ways ways = known_ways(0);
  for (int way = 0; way < 64; way++) {
    if (!(((a->all | b->all) >> way) & 1)) continue;
    Reg x = way_when(l, a, way), y = way_when(l, b, way);
    set_way(l, &ways, way, op == X_UNION ? either(l, x, y) : both(l, x, op == X_MINUS ? negation(l, y) : y));
  }
  *out = ways;
}
/* The ways, if something holds. */
static void ways_if(Lower *l, Ways *ways, Reg yes) {
  for (int way = 0; way < 64; way++)
    if ((ways->all >> way) & 1) set_way(l, ways, way, both(l, way_when(l, ways, way), yes));
}

void lower_ways(Lower *l, const Expr *e, Ways *out) {
  Ways a, b;
  *out = known_ways(0);
  switch (e->op) {
    case X_WAYS_CONST: *out = known_ways(*(const uint64_t *)e->data); break;
    case X_WAYS_PATH: {
      Reg players = lower_players(l, e->kid[0]);
      for (int i = 0; i < l->rules->paths; i++) {
        const Path *path = &l->rules->path[i];
        if (path->name == e->a) set_way(l, out, WAY_PATHS + i, path->owner < 0 ? reg_num(l, 1) : seat_in(l, players, path->owner));
      }
      break;
    }
    case X_UNION:
    case X_MINUS:
    case X_MEET:
      lower_ways(l, e->kid[0], &a);
      lower_ways(l, e->kid[1], &b);
      combine(l, e->op, &a, &b, out);
      break;
    case X_WHERE: {
      Reg yes = lower_condition(l, e->kid[1]);
      lower_ways(l, e->kid[0], out);
      ways_if(l, out, yes);
      break;
    }
    case X_LET: lower_ways(l, e->kid[0], out); break;
    case X_LET_BY: {
      Reg players = lower_players(l, e->kid[0]);
      for (int s = 0; s < l->rules->seats; s++) {
        const Expr *by = ((const Expr *const *)e->data)[s];
        if (!by) continue;
        lower_ways(l, by, &a);
        ways_if(l, &a, seat_in(l, players, s));
        b = *out;
        combine(l, X_UNION, &a, &b, out);
      }
      break;
    }
    default: lower_refuse(l, "ways of an unknown kind");
  }
}

Reg lower_same_ways(Lower *l, const Expr *e, const Expr *f) {
  Ways a, b;
  Reg same = reg_num(l, 1);
  lower_ways(l, e, &a);
  lower_ways(l, f, &b);
  for (int way = 0; way < 64; way++)
    if (((a.all | b.all) >> way) & 1) same = both(l, same, num_fold(l, O_num_eq, way_when(l, &a, way), way_when(l, &b, way)));
  return same;
}

/* The paths of ways in their order, each with what must hold for it to be the first of them; false: no more. */
bool lower_first_path(Lower *l, const Ways *ways, int *path, Reg *first) {
  if (*path < 0) *first = reg_num(l, 1); /* none so far */
  else *first = both(l, *first, negation(l, way_when(l, ways, WAY_PATHS + *path)));
  for (++*path; *path < l->rules->paths && !((ways->all >> (WAY_PATHS + *path)) & 1);) ++*path;
  return *path < l->rules->paths && !num_is(l, *first, 0);
}
