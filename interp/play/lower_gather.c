/* Effects gathered into variables while the position stands: sets of pieces by where they go,
 * cells by their new value. Nothing moves yet, but for states of sites (O_keep_cells). */
#include "play/lower.h"

#include <string.h>

Moves moves_none(Lower *l) {
  Moves m;
  memset(&m, 0, sizeof m);
  m.block = l->block;
  m.phase = NO_REG;
  return m;
}

void moves_send(Lower *l, Moves *m, int plane, int to_plane, Reg to_site, Reg set) {
  if (set_is_none(l, set)) return;
  if (l->rules->plane[plane].owner == l->seat || to_plane != plane) l->own_changed = true;
  PieceMove *move = NULL;
  for (size_t i = 0; i < m->pieces.n; i++)
    if (m->pieces.at[i].plane == plane && m->pieces.at[i].to_plane == to_plane &&
        m->pieces.at[i].to_site == to_site)
      move = &m->pieces.at[i];
  if (!move) {
    PieceMove new = {plane, to_plane, to_site, var_set_in(l, m->block)};
    VEC_PUSH_IN(l->scratch, m->pieces, new);
    move = &m->pieces.at[m->pieces.n - 1];
  }
  var_set_put(l, move->set, ACT(l, set_or, move->set, set));
}

static bool in_loop(const Lower *l, const Moves *m) {
  for (const Block *b = l->block; b != m->block; b = b->parent)
    if (b->loop) return true;
  return false;
}

/* Pieces made into something: what an effect before has made of them does not stand. */
static void make_pieces(Lower *l, Moves *m, int plane, int to_plane, Reg set) {
  for (size_t i = 0; i < m->pieces.n; i++) {
    Reg var = m->pieces.at[i].set;
    if (m->pieces.at[i].plane != plane || m->pieces.at[i].to_plane == plane || m->pieces.at[i].to_plane == to_plane) continue;
    if (in_loop(l, m)) lower_refuse(l, "`make` into two kinds in a `for`");
    var_set_put(l, var, ACT(l, set_minus, var, set));
  }
  if (to_plane != plane) moves_send(l, m, plane, to_plane, NO_REG, set);
}

static void gather_pieces(Lower *l, Moves *m, const Effect *e) {
  Pieces set;
  lower_pieces(l, e->a, &set);
  Reg to = e->op == EFFECT_TAKE ? GONE_REG : NO_REG;
  Reg there = reg_num(l, 1);
  int64_t n, owners = 0;
  if (e->op == EFFECT_PUT) {
    to = lower_site(l, e->b);
    if (num_known(l, to, &n)) {
      if (n < 0) return;
    } else {
      if (l->block != m->block) {
        /* a place found anew for every member would need a list of changes */
        for (Block *b = l->block; b != m->block; b = b->parent)
          if (b->loop) lower_refuse(l, "`put` to a place that differs from member to member");
        lower_refuse(l, "`put` to a place that is looked for under a condition");
      }
      there = MAKE(l, num_le, reg_num(l, 0), to);
    }
  }
  if (e->op == EFFECT_MAKE && e->b) {
    if (!num_known(l, lower_players(l, e->b), &owners))
      lower_refuse(l, "`make` into pieces of a player who differs from time to time");
  }
  for (int i = 0; i < l->rules->planes; i++) {
    if (!((set.planes >> i) & 1)) continue;
    if (e->op != EFFECT_MAKE) {
      moves_send(l, m, i, i, to, num_is(l, there, 1) ? set.at[i] : MAKE(l, set_if, set.at[i], there));
      continue;
    }
    int seat = owners & (SEAT_NOBODY - 1) ? __builtin_ctz((unsigned)owners) : l->rules->plane[i].owner;
    int to_plane = l->rules->kind[e->kind].plane[seat];
    if (to_plane >= 0) make_pieces(l, m, i, to_plane, set.at[i]);
  }
}

static Reg state_value(Lower *l, const State *state, const Expr *e, Reg *there) {
  int64_t n;
  *there = reg_num(l, 1);
  switch (state->type) {
    case TYPE_NUMBER: return lower_number(l, e);
    case TYPE_PLAYERS: {
      Reg y = lower_players(l, e);
      *there = num_known(l, y, &n) ? reg_num(l, n != 0)
                                   : MAKE(l, num_not, MAKE(l, num_eq, y, reg_num(l, 0)));
      return MAKE(l, num_first, MAKE(l, num_and, y, reg_num(l, SEAT_NOBODY - 1)));
    }
    case TYPE_SITES: {
      Reg s = lower_site(l, e);
      if (!state->nobody) *there = MAKE(l, num_le, reg_num(l, 0), s);
      return s;
    }
    default: {
      /* of several the first in the order of the game's values */
      Reg v = lower_values(l, e);
      if (num_known(l, v, &n) && __builtin_popcountll((uint64_t)n) > 1)
        lower_refuse(l, "a state set to one of several values");
      *there = MAKE(l, num_not, MAKE(l, num_eq, v, reg_num(l, 0)));
      return MAKE(l, num_first, v);
    }
  }
}

/* A cell known while lowering: its value waits in a variable. */
static void gather_cell(Lower *l, Moves *m, const Effect *e, int cell, Reg yes) {
  const State *state = &l->rules->state[e->state];
  bool add = e->op != EFFECT_SET;
  CellMove *move = NULL;
  for (size_t i = 0; i < m->cells.n; i++)
    if (m->cells.at[i].cell == cell && m->cells.at[i].add == add) move = &m->cells.at[i];
  if (!move) {
    CellMove new = {e->state, cell, add, var_num_in(l, m->block, 0), add ? NO_REG : var_num_in(l, m->block, 0)};
    VEC_PUSH_IN(l->scratch, m->cells, new);
    move = &m->cells.at[m->cells.n - 1];
  }
  Reg value_var = move->value, yes_var = move->yes, there;
  block_unless_sure(l, yes);
  if (add) {
    Reg n = lower_number(l, e->b);
    var_num_put(l, value_var, act(l, e->op == EFFECT_LOWER ? O_num_sub : O_num_add, 2, (int32_t[]){value_var, n}));
  } else {
    Reg value = state_value(l, state, e->b, &there);
    block_unless_sure(l, there);
    var_num_put(l, value_var, value);
    var_num_put(l, yes_var, reg_num(l, 1));
    block_end_unless_sure(l, there);
  }
  block_end_unless_sure(l, yes);
}

/* Cells of sites found in the game: they are written at once, and read from a copy. */
static void gather_sites(Lower *l, Moves *m, const Effect *e, Reg of) {
  const State *state = &l->rules->state[e->state];
  if (e->op != EFFECT_SET) lower_refuse(l, "`raise` or `lower` of a state of sites");
  for (size_t i = 0; i < m->cells.n; i++)
    if (m->cells.at[i].state == e->state) lower_refuse(l, "a state of sites set in two ways at once");
  if (!m->kept) {
    Op op;
    memset(&op, 0, sizeof op);
    op.code = O_keep_cells;
    op.rule = (int16_t)l->rule;
    op.clause = (int16_t)l->clause;
    VEC_PUSH_IN(l->scratch, m->block->items, ((Item){op, NULL, NULL}));
    m->kept = l->in_old = true; /* until all is gathered */
  }
  Reg here = l->here, there;
  l->here = loop_sites(l, of);
  Reg value = state_value(l, state, e->b, &there);
  block_if(l, there);
  if (state->type == TYPE_NUMBER)
    value = MAKE(l, num_clamp, value, reg_num(l, state->low), reg_num(l, state->high));
  ACT(l, store_cell, 0, F_CELL + state->cell, l->here, value);
  block_end(l);
  block_end(l);
  l->here = here;
}

static void gather_state(Lower *l, Moves *m, const Effect *e) {
  const State *state = &l->rules->state[e->state];
  if (!e->of) {
    gather_cell(l, m, e, state->cell, reg_num(l, 1));
    return;
  }
  if (state->scope != SCOPE_SITE) {
    Reg of = lower_players(l, e->of);
    int each = l->each;
    for (int s = 0; s < l->rules->seats && s < state->cells; s++) {
      Reg in = seat_in(l, of, s);
      if (num_is(l, in, 0)) continue;
      l->each = s;
      gather_cell(l, m, e, state->cell + s, in);
    }
    l->each = each;
    return;
  }
  Reg of = lower_sites(l, e->of);
  const SiteSet *known = set_known(l, of);
  if (known && sites_count(known) == 1 && !in_loop(l, m)) {
    Reg here = l->here;
    int site = sites_first(known);
    l->here = reg_num(l, site);
    if (site < state->cells) gather_cell(l, m, e, state->cell + site, reg_num(l, 1));
    l->here = here;
    return;
  }
  gather_sites(l, m, e, of);
}

static void gather_phase(Lower *l, Moves *m, const Effect *e) {
  int64_t bits, phase = -1;
  if (!num_known(l, lower_values(l, e->b), &bits) || !bits) lower_refuse(l, "a phase that is not named");
  int atom = l->p->atom_of_value[__builtin_ctzll((uint64_t)bits)];
  for (int i = 0; i < l->rules->phases; i++)
    if (l->rules->phase[i].atom == atom) phase = i;
  if (phase < 0) return;
  if (m->phase == NO_REG) m->phase = var_num_in(l, m->block, -1);
  var_num_put(l, m->phase, reg_num(l, phase));
}

void lower_gather(Lower *l, Moves *m, const Effects *effects) {
  for (int i = 0; i < effects->n; i++) {
    const Effect *e = &effects->at[i];
    switch (e->op) {
      case EFFECT_TAKE:
      case EFFECT_PUT:
      case EFFECT_MAKE: gather_pieces(l, m, e); break;
      case EFFECT_GAIN: {
        if (m->gains == DICE_MAX || in_loop(l, m)) lower_refuse(l, "`gain` in a `for`");
        Reg value = var_num_in(l, m->block, -1);
        var_num_put(l, value, lower_number(l, e->a));
        m->gain[m->gains++].value = value;
        break;
      }
      case EFFECT_HOOK: lower_refuse(l, "a hook");
      default:
        if (e->target == TARGET_STATE)
          gather_state(l, m, e);
        else if (e->target == TARGET_PHASE)
          gather_phase(l, m, e);
        else
          lower_refuse(l, "a counter set by a rule");
    }
  }
}
