/* Effects gathered into variables while the position stands: sets of pieces by where they go,
 * cells by their new value. Nothing moves yet, but for states of sites (O_keep_cells). Where a place, an owner or a
 * member is found only in the game all effects of the section are put on a list then (machine_list.inc). */
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
  if (l->rules->plane[plane].owner == l->seat || (l->movable[l->seat] >> plane) & 1 || to_plane != plane) l->own_changed = true;
  if (l->listed) {
    if (to_site != NO_REG) ACT(l, list_send, plane, set, to_site == GONE_REG ? reg_num(l, -1) : to_site);
    else ACT(l, list_turn, plane, set, to_plane);
    return;
  }
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
  if (l->listed) {
    moves_send(l, m, plane, to_plane, NO_REG, set);
    return;
  }
  for (size_t i = 0; i < m->pieces.n; i++) {
    Reg var = m->pieces.at[i].set;
    if (m->pieces.at[i].plane != plane || m->pieces.at[i].to_plane == plane || m->pieces.at[i].to_plane == to_plane) continue;
    if (in_loop(l, m)) lower_list(l); /* the order of the members tells */
    var_set_put(l, var, ACT(l, set_minus, var, set));
  }
  if (to_plane != plane) moves_send(l, m, plane, to_plane, NO_REG, set);
}

/* `make … of` players who are known only in the game. */
static void make_for_seat(Lower *l, Moves *m, const Effect *e, const Pieces *set, Reg players) {
  if (!l->listed) lower_list(l);
  Reg first = first_seat(l, players);
  for (int i = 0; i < l->rules->planes; i++)
    for (int s = -1; s < l->rules->seats; s++) {
      int to_plane = l->rules->kind[e->kind].plane[s < 0 ? l->rules->plane[i].owner : s];
      if (!((set->planes >> i) & 1) || to_plane < 0) continue;
      make_pieces(l, m, i, to_plane, set_when(l, set->at[i], num_fold(l, O_num_eq, first, reg_num(l, s))));
    }
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
      if (l->block != m->block && !l->listed) lower_list(l); /* a place found anew for every member, or under a condition */
      there = MAKE(l, num_le, reg_num(l, 0), to);
    }
  }
  if (e->op == EFFECT_MAKE && e->b) {
    Reg players = lower_players(l, e->b);
    if (!num_known(l, players, &owners)) {
      make_for_seat(l, m, e, &set, players);
      return;
    }
  }
  PLANES_FOR(l, i) {
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

/* Of several values the first in the order of the game's. */
static int first_value(const Lower *l, uint64_t values) {
  int first = __builtin_ctzll(values);
  for (; values; values &= values - 1)
    if (l->p->atom_of_value[__builtin_ctzll(values)] < l->p->atom_of_value[first]) first = __builtin_ctzll(values);
  return first;
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
      Reg v = lower_values(l, e);
      if (num_known(l, v, &n) && n) return reg_num(l, first_value(l, (uint64_t)n));
      *there = MAKE(l, num_not, MAKE(l, num_eq, v, reg_num(l, 0)));
      l->p->ordered = true;
      return MAKE(l, num_first, v);
    }
  }
}

/* The cell of a member goes on the list. */
static void list_cell(Lower *l, const Effect *e, Reg member) {
  const State *state = &l->rules->state[e->state];
  bool add = e->op != EFFECT_SET, number = state->type == TYPE_NUMBER;
  int low = number ? state->low : INT32_MIN, high = number ? state->high : INT32_MAX;
  Reg there = reg_num(l, 1), value = add ? lower_number(l, e->b) : state_value(l, state, e->b, &there);
  if (e->op == EFFECT_LOWER) value = MAKE(l, num_sub, reg_num(l, 0), value);
  block_unless_sure(l, there);
  ACT(l, list_cell, F_CELL + state->cell, member, value, add, low, high);
  block_end_unless_sure(l, there);
}

/* A cell known while lowering: its value waits in a variable. */
static void gather_cell(Lower *l, Moves *m, const Effect *e, int cell, Reg yes) {
  const State *state = &l->rules->state[e->state];
  bool add = e->op != EFFECT_SET;
  if (l->listed) {
    block_unless_sure(l, yes);
    list_cell(l, e, reg_num(l, cell - state->cell));
    block_end_unless_sure(l, yes);
    return;
  }
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
  if (l->listed) {
    Reg here = l->here;
    l->here = loop_sites(l, of);
    list_cell(l, e, l->here);
    block_end(l);
    l->here = here;
    return;
  }
  if (e->op != EFFECT_SET) lower_list(l);
  if (set_is_none(l, of)) return;
  for (size_t i = 0; i < m->cells.n; i++)
    if (m->cells.at[i].state == e->state) lower_list(l); /* set in two ways at once */
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
  bool each = (e->b->deps & DEP_HERE) != 0; /* or one value for all */
  if (each) l->here = loop_sites(l, of);
  Reg value = state_value(l, state, e->b, &there);
  if (each) of = one_site(l, l->here);
  if (state->type == TYPE_NUMBER)
    value = MAKE(l, num_clamp, value, reg_num(l, state->low), reg_num(l, state->high));
  ACT(l, store_cells, 0, F_CELL + state->cell, set_when(l, of, there), value);
  if (each) block_end(l);
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
  int64_t bits;
  Reg value = lower_values(l, e->b);
  if (m->phase == NO_REG) m->phase = var_num_in(l, m->block, -1);
  bool known = num_known(l, value, &bits);
  int atom = known && bits ? l->p->atom_of_value[first_value(l, (uint64_t)bits)] : -1;
  Reg phase = reg_num(l, -1); /* a value that is no phase changes nothing */
  if (!known) value = MAKE(l, num_first, value);
  l->p->ordered |= !known;
  for (int i = 0; i < l->rules->phases; i++) {
    int named = l->rules->phase[i].atom;
    if (known && named == atom) phase = reg_num(l, i);
    if (!known) phase = pick(l, num_fold(l, O_num_eq, value, reg_num(l, value_number(l, named))), reg_num(l, i), phase);
  }
  var_num_put(l, m->phase, phase);
}

void lower_gather(Lower *l, Moves *m, const Effects *effects) {
  for (int i = 0; i < effects->n; i++) {
    const Effect *e = &effects->at[i];
    switch (e->op) {
      case EFFECT_TAKE:
      case EFFECT_PUT:
      case EFFECT_MAKE: gather_pieces(l, m, e); break;
      case EFFECT_GAIN: {
        if (l->listed) {
          ACT(l, list_gain, lower_number(l, e->a));
          break;
        }
        if (m->gains == DICE_MAX || in_loop(l, m)) lower_list(l);
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
