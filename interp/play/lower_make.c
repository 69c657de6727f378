/* What happens: the step's own effects, captures, after and settle rules. Effects are gathered
 * into variables while the position stands, then carried out: sets of pieces leave their
 * planes and arrive, cells are set, then raised, then kept in their ranges. */
#include "play/lower.h"

#include <string.h>

static Reg none_set(Lower *l) { return reg_set(l, sites_none()); }
static Reg both(Lower *l, Reg a, Reg b) {
  if (num_is(l, a, 1)) return b;
  if (num_is(l, b, 1)) return a;
  if (num_is(l, a, 0) || num_is(l, b, 0)) return reg_num(l, 0);
  return MAKE(l, num_and, a, b);
}
static Reg in_bit(Lower *l, Reg players, int seat) {
  int64_t n;
  if (num_known(l, players, &n)) return reg_num(l, (n >> seat) & 1);
  return MAKE(l, num_lt, reg_num(l, 0), MAKE(l, num_and, players, reg_num(l, 1 << seat)));
}

static Moves moves_none(Lower *l) {
  Moves m;
  memset(&m, 0, sizeof m);
  m.block = l->block;
  m.phase = NO_REG;
  return m;
}

/* ---- gathering ---- */

static void move_pieces(Lower *l, Moves *m, int plane, int to_plane, Reg to_site, Reg set) {
  if (set_is_none(l, set)) return;
  if (l->rules->plane[plane].owner == l->seat || to_plane != plane) l->own_changed = true;
  PieceMove *move = NULL;
  for (size_t i = 0; i < m->pieces.n; i++)
    if (m->pieces.at[i].plane == plane && m->pieces.at[i].to_plane == to_plane &&
        m->pieces.at[i].to_site == to_site)
      move = &m->pieces.at[i];
  if (!move) {
    PieceMove new = {plane, to_plane, to_site, var_set_in(l, m->block)};
    VEC_PUSH(m->pieces, new);
    move = &m->pieces.at[m->pieces.n - 1];
  }
  var_set_put(l, move->set, ACT(l, set_or, move->set, set));
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
      move_pieces(l, m, i, i, to, num_is(l, there, 1) ? set.at[i] : MAKE(l, set_if, set.at[i], there));
      continue;
    }
    int seat = owners & (SEAT_NOBODY - 1) ? __builtin_ctz((unsigned)owners) : l->rules->plane[i].owner;
    int to_plane = l->rules->kind[e->kind].plane[seat];
    if (to_plane >= 0 && to_plane != i) move_pieces(l, m, i, to_plane, NO_REG, set.at[i]);
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

static bool in_loop(const Lower *l, const Moves *m) {
  for (const Block *b = l->block; b != m->block; b = b->parent)
    if (b->loop) return true;
  return false;
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
    VEC_PUSH(m->cells, new);
    move = &m->cells.at[m->cells.n - 1];
  }
  Reg value_var = move->value, yes_var = move->yes, there;
  if (!num_is(l, yes, 1)) block_if(l, yes);
  if (add) {
    Reg n = lower_number(l, e->b);
    var_num_put(l, value_var, act(l, e->op == EFFECT_LOWER ? O_num_sub : O_num_add, 2, (int32_t[]){value_var, n}));
  } else {
    Reg value = state_value(l, state, e->b, &there);
    if (!num_is(l, there, 1)) block_if(l, there);
    var_num_put(l, value_var, value);
    var_num_put(l, yes_var, reg_num(l, 1));
    if (!num_is(l, there, 1)) block_end(l);
  }
  if (!num_is(l, yes, 1)) block_end(l);
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
    VEC_PUSH(m->block->items, ((Item){op, NULL, NULL}));
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
      Reg in = in_bit(l, of, s);
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

static void gather(Lower *l, Moves *m, const Effects *effects) {
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

/* ---- carrying out ---- */

static void add_slices(Lower *l, int plane, const Reg *digit) {
  int n = l->p->slices;
  Reg carry = none_set(l);
  for (int k = 0; k < n; k++) {
    Reg old = plane_slice(l, plane, k), add = digit[k];
    if (n == 1) {
      ACT(l, store_set, 0, plane, MAKE(l, set_or, old, add));
      break;
    }
    Reg half = MAKE(l, set_xor, old, add);
    Reg sum = set_is_none(l, carry) ? half : MAKE(l, set_xor, half, carry);
    Reg next = MAKE(l, set_and, old, add);
    if (!set_is_none(l, carry)) next = MAKE(l, set_or, next, MAKE(l, set_and, carry, half));
    ACT(l, store_set, 0, plane * n + k, sum);
    carry = next;
  }
  changed(l);
}

typedef struct Arrival {
  int plane;
  Reg site; /* NO_REG: where they stood */
  Reg count; /* how many; NO_REG: the digits say */
  Reg digit[SLICES_MAX];
} Arrival;

static void arrive(Lower *l, const Arrival *a) {
  if (a->site == NO_REG) {
    add_slices(l, a->plane, a->digit);
    return;
  }
  Reg n = a->count == NO_REG ? reg_num(l, 0) : a->count;
  for (int k = 0; k < l->p->slices && a->count == NO_REG; k++) {
    Reg part = MAKE(l, set_count, a->digit[k]);
    if (k) part = MAKE(l, num_shift, part, k);
    n = k ? MAKE(l, num_add, n, part) : part;
  }
  block_if(l, MAKE(l, num_lt, reg_num(l, 0), n));
  ACT(l, piece_add, 0, a->plane, a->site, n);
  changed(l);
  block_end(l);
}

/* Whether pieces of the plane are only sent somewhere, as what they are. */
static bool only_sent(const Moves *m, int plane) {
  for (size_t i = 0; i < m->pieces.n; i++)
    if (m->pieces.at[i].plane == plane && (m->pieces.at[i].to_plane != plane || m->pieces.at[i].to_site == NO_REG))
      return false;
  return true;
}
/* Whether all that happens to the plane is one change into another, to which nothing else happens. */
static bool only_turned(const Moves *m, int plane) {
  int turns = 0, to = -1;
  for (size_t i = 0; i < m->pieces.n; i++) {
    const PieceMove *p = &m->pieces.at[i];
    if (p->plane != plane) continue;
    if (p->to_plane == plane || p->to_site != NO_REG) return false;
    to = p->to_plane;
    turns++;
  }
  for (size_t i = 0; i < m->pieces.n; i++)
    if (m->pieces.at[i].plane == to || (m->pieces.at[i].plane != plane && m->pieces.at[i].to_plane == to)) return false;
  return turns == 1;
}

/* The same for pieces that are sent, by whole operations: their digits need not be looked at. */
static int send_plane(Lower *l, const Moves *m, int plane, Arrival *list, int n) {
  Reg all = none_set(l);
  for (size_t i = 0; i < m->pieces.n; i++) {
    const PieceMove *p = &m->pieces.at[i];
    if (p->plane != plane) continue;
    Reg set = var_set_get(l, p->set);
    all = set_is_none(l, all) ? set : MAKE(l, set_or, all, set);
    if (p->to_site == GONE_REG) continue;
    Arrival *a = &list[n++];
    a->plane = plane;
    a->site = p->to_site;
    a->count = MAKE(l, pieces_on, 0, plane, set);
  }
  ACT(l, pieces_leave, 0, plane, all);
  return n;
}

/* What goes from a plane: every part of it that is both sent somewhere and made into another
 * kind arrives as that kind there. */
static int leave_plane(Lower *l, const Moves *m, int plane, Arrival *list, int n) {
  Reg set[64], all = none_set(l), made = none_set(l), sent = none_set(l);
  int slices = l->p->slices;
  for (size_t i = 0; i < m->pieces.n; i++) {
    const PieceMove *p = &m->pieces.at[i];
    if (p->plane != plane) continue;
    set[i] = var_set_get(l, p->set);
    all = set_is_none(l, all) ? set[i] : MAKE(l, set_or, all, set[i]);
    Reg *kind = p->to_plane != plane ? &made : &sent;
    *kind = set_is_none(l, *kind) ? set[i] : MAKE(l, set_or, *kind, set[i]);
  }
  Reg digit[SLICES_MAX];
  for (int k = 0; k < slices; k++) digit[k] = MAKE(l, set_and, plane_slice(l, plane, k), all);
  bool mixed = !set_is_none(l, made) && !set_is_none(l, sent);
  for (size_t i = 0; i < m->pieces.n; i++) {
    const PieceMove *p = &m->pieces.at[i];
    if (p->plane != plane || p->to_site == GONE_REG) continue;
    Reg part = set[i];
    if (mixed) part = MAKE(l, set_minus, part, p->to_plane != plane ? sent : made);
    for (size_t k = 0; mixed && k < m->pieces.n; k++) { /* sent and made at once */
      const PieceMove *q = &m->pieces.at[k];
      if (q->plane != plane || p->to_plane == plane || q->to_plane != plane || q->to_site == GONE_REG)
        continue;
      if (n == 64) lower_refuse(l, "too many effects at once");
      Arrival *a = &list[n++];
      a->plane = p->to_plane;
      a->site = q->to_site;
      a->count = NO_REG;
      for (int d = 0; d < slices; d++) a->digit[d] = MAKE(l, set_and, digit[d], MAKE(l, set_and, set[i], set[k]));
    }
    if (n == 64) lower_refuse(l, "too many effects at once");
    Arrival *a = &list[n++];
    a->plane = p->to_plane;
    a->site = p->to_site;
    a->count = NO_REG;
    for (int d = 0; d < slices; d++) a->digit[d] = MAKE(l, set_and, digit[d], part);
  }
  for (int k = 0; k < slices; k++)
    ACT(l, store_set, 0, plane * slices + k, MAKE(l, set_minus, plane_slice(l, plane, k), all));
  return n;
}

static void carry_pieces(Lower *l, const Moves *m) {
  if (!m->pieces.n) return;
  if (m->pieces.n > 64) lower_refuse(l, "too many effects at once");
  Reg any = none_set(l);
  for (size_t i = 0; i < m->pieces.n; i++) {
    Reg set = var_set_get(l, m->pieces.at[i].set);
    any = set_is_none(l, any) ? set : MAKE(l, set_or, any, set);
  }
  block_if(l, MAKE(l, set_some, any));
  Arrival list[64];
  int n = 0;
  for (int plane = 0; plane < l->rules->planes; plane++) {
    const PieceMove *move = NULL;
    for (size_t i = 0; i < m->pieces.n; i++)
      if (m->pieces.at[i].plane == plane) move = &m->pieces.at[i];
    if (!move) continue;
    if (l->p->slices > 1 && only_turned(m, plane))
      ACT(l, pieces_turn, 0, plane, move->to_plane, var_set_get(l, move->set));
    else if (l->p->slices > 1 && only_sent(m, plane))
      n = send_plane(l, m, plane, list, n);
    else
      n = leave_plane(l, m, plane, list, n);
  }
  changed(l);
  for (int i = 0; i < n; i++) arrive(l, &list[i]);
  block_end(l);
}

static void carry_cells(Lower *l, const Moves *m) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < m->cells.n; i++) {
      const CellMove *c = &m->cells.at[i];
      const State *state = &l->rules->state[c->state];
      if (c->add != (pass == 1)) continue;
      Reg value = var_num_get(l, c->value);
      if (pass) value = MAKE(l, num_add, MAKE(l, load_num, 0, F_CELL + c->cell), value);
      if (state->type == TYPE_NUMBER)
        value = MAKE(l, num_clamp, value, reg_num(l, state->low), reg_num(l, state->high));
      if (!pass) block_if(l, var_num_get(l, c->yes));
      set_field(l, F_CELL + c->cell, value);
      if (!pass) block_end(l);
    }
}

static void carry_out(Lower *l, Moves *m) {
  l->in_old = false;
  carry_pieces(l, m);
  carry_cells(l, m);
  if (m->phase != NO_REG) {
    Reg phase = var_num_get(l, m->phase);
    block_if(l, MAKE(l, num_le, reg_num(l, 0), phase));
    set_field(l, F_PHASE, phase);
    block_end(l);
  }
  for (int i = 0; i < m->gains; i++) {
    ACT(l, gain_die, 0, var_num_get(l, m->gain[i].value));
    changed(l);
  }
  if (m->kept) changed(l);
  VEC_FREE(m->pieces);
  VEC_FREE(m->cells);
}

/* ---- rules that fire ---- */

static bool counts_uses(const Lower *l, const Rule *r) { return r->counted || l->field_read[F_USES + r->index]; }

static void gather_member(Lower *l, Moves *m, const Rule *r, Reg fired, Reg yes) {
  if (num_is(l, yes, 0)) return;
  if (!num_is(l, yes, 1)) block_if(l, yes);
  l->clause = CLAUSE_DO;
  gather(l, m, &r->do_);
  l->clause = -1;
  var_num_put(l, fired, ACT(l, num_add, fired, reg_num(l, 1)));
  if (!num_is(l, yes, 1)) block_end(l);
}

static bool asks_hook(const Rule *r) {
  if (rule_mentions(r, X_HOOK)) return true;
  for (int i = 0; i < r->do_.n; i++) {
    const Effect *e = &r->do_.at[i];
    if (e->op == EFFECT_HOOK || mentions_op(e->a, X_HOOK) || mentions_op(e->b, X_HOOK) || mentions_op(e->of, X_HOOK))
      return true;
  }
  return false;
}

/* A rule with a hook is fired by the reference, on a position with all that a script may see;
 * what it asks of the position first is asked here. */
static Reg fire_slowly(Lower *l, const Rule *r) {
  if (r->kind != RULE_SETTLE) lower_refuse(l, "a hook in the middle of a turn");
  Reg fired = var_num_in(l, l->block, 0), yes = phase_open(l, r);
  if (r->when && !r->for_ && !mentions_op(r->when, X_HOOK)) yes = both(l, yes, lower_condition(l, r->when));
  for (int f = 0; f < F_USES; f++) l->script_read[f] = true;
  l->varying_read = l->p->slow = true;
  if (!num_is(l, yes, 1)) block_if(l, yes);
  var_num_put(l, fired, ACT(l, host_fire, 0, r->index));
  changed(l);
  if (!num_is(l, yes, 1)) block_end(l);
  return var_num_get(l, fired);
}

Reg lower_fire(Lower *l, const Rule *r) {
  if (asks_hook(r)) return fire_slowly(l, r);
  Reg open = phase_open(l, r), fired = var_num_in(l, l->block, 0);
  bool once = !r->for_;
  if (once) { /* everything of the rule stands where it holds */
    open = both(l, open, lower_holds(l, r));
    if (num_is(l, open, 0)) return open;
  }
  if (!num_is(l, open, 1)) block_if(l, open);
  Moves m = moves_none(l);
  if (once) {
    gather_member(l, &m, r, fired, reg_num(l, 1));
  } else if (r->for_->type == TYPE_PLAYERS) {
    Reg members = lower_players(l, r->for_);
    for (int s = 0; s < l->rules->seats; s++) {
      Reg in = in_bit(l, members, s);
      if (num_is(l, in, 0)) continue;
      l->each = s;
      gather_member(l, &m, r, fired, both(l, in, lower_holds(l, r)));
    }
    l->each = -1;
  } else {
    Reg here = l->here;
    l->here = loop_sites(l, lower_sites(l, r->for_));
    gather_member(l, &m, r, fired, lower_holds(l, r));
    block_end(l);
    l->here = here;
  }
  carry_out(l, &m);
  if (counts_uses(l, r)) {
    ACT(l, count_use, 0, r->index, var_num_get(l, fired), 0);
    changed(l);
  }
  if (!num_is(l, open, 1)) block_end(l);
  return var_num_get(l, fired);
}

/* ---- captures ---- */

typedef struct Capturing {
  Moves m;
  Reg taken[PLANES_MAX]; /* variables; NO_REG: nothing of the plane is taken */
  Reg number;
} Capturing;

static bool speaks_of_victim(const Rule *r) {
  if (rule_mentions(r, X_VICTIM)) return true;
  for (int i = 0; i < r->do_.n; i++) {
    const Effect *e = &r->do_.at[i];
    bool plain = (e->op == EFFECT_TAKE || e->op == EFFECT_PUT || e->op == EFFECT_MAKE) &&
                 e->a->op == X_VICTIM && !mentions_op(e->b, X_VICTIM);
    if (!plain && (mentions_op(e->a, X_VICTIM) || mentions_op(e->b, X_VICTIM) || mentions_op(e->of, X_VICTIM)))
      return true;
    if (e->op == EFFECT_RAISE || e->op == EFFECT_LOWER || e->op == EFFECT_GAIN) return true;
  }
  return false;
}

/* Victims of one plane, all that hold: they count, and go where the rule says. */
static void take_set(Lower *l, Capturing *c, const Rule *r, int plane, Reg victims, bool effects) {
  if (c->taken[plane] == NO_REG) c->taken[plane] = var_set_in(l, c->m.block);
  Reg old = var_set_get(l, c->taken[plane]);
  Reg new = MAKE(l, set_minus, victims, old);
  Pieces p = {1u << plane, {0}};
  p.at[plane] = new;
  var_num_put(l, c->number, ACT(l, num_add, c->number, pieces_number(l, &p)));
  ACT(l, count_use, 0, r->index, MAKE(l, set_count, counts_uses(l, r) ? victims : new), 1);
  var_set_put(l, c->taken[plane], MAKE(l, set_or, old, victims));
  if (!effects) move_pieces(l, &c->m, plane, plane, GONE_REG, victims);
}

static void capture_each(Lower *l, Capturing *c, const Rule *r, int plane, Reg victims) {
  VictimMode mode = l->victim_mode;
  Reg victim = loop_sites(l, victims);
  l->victim_mode = VICTIM_ONE;
  l->victim_plane = plane;
  l->victim = victim;
  Reg yes = lower_holds(l, r);
  if (!num_is(l, yes, 0)) {
    block_if(l, yes);
    if (r->do_.n) gather(l, &c->m, &r->do_);
    take_set(l, c, r, plane, MAKE(l, set_one, victim), r->do_.n > 0);
    block_end(l);
  }
  block_end(l);
  l->victim_mode = mode;
}

static void capture_victims(Lower *l, Capturing *c, const Rule *r) {
  Pieces victims;
  bool each = speaks_of_victim(r);
  Reg yes = reg_num(l, 1);
  if (!each) {
    yes = lower_holds(l, r);
    if (num_is(l, yes, 0)) return;
  }
  l->clause = CLAUSE_TAKE;
  lower_pieces(l, r->take, &victims);
  l->clause = -1;
  for (int i = 0; i < l->rules->planes; i++) {
    if (!((victims.planes >> i) & 1) || set_is_none(l, victims.at[i])) continue;
    if (each) {
      capture_each(l, c, r, i, victims.at[i]);
      continue;
    }
    Reg set = num_is(l, yes, 1) ? victims.at[i] : MAKE(l, set_if, victims.at[i], yes);
    if (c->taken[i] == NO_REG) c->taken[i] = var_set_in(l, c->m.block);
    block_if(l, MAKE(l, set_some, set));
    if (r->do_.n) {
      l->victim_mode = VICTIM_ALL;
      l->victims.planes = 1u << i;
      l->victims.at[i] = set;
      gather(l, &c->m, &r->do_);
      l->victim_mode = VICTIM_NONE;
    }
    take_set(l, c, r, i, set, r->do_.n > 0);
    block_end(l);
  }
}

static void capture_rule(Lower *l, Capturing *c, const Rule *r) {
  if (!r->for_) {
    capture_victims(l, c, r);
  } else if (r->for_->type == TYPE_PLAYERS) {
    Reg members = lower_players(l, r->for_);
    for (int s = 0; s < l->rules->seats; s++) {
      Reg in = in_bit(l, members, s);
      if (num_is(l, in, 0)) continue;
      l->each = s;
      if (!num_is(l, in, 1)) block_if(l, in);
      capture_victims(l, c, r);
      if (!num_is(l, in, 1)) block_end(l);
    }
    l->each = -1;
  } else {
    Reg here = l->here;
    l->here = loop_sites(l, lower_sites(l, r->for_));
    capture_victims(l, c, r);
    block_end(l);
    l->here = here;
  }
}

static void captures(Lower *l) {
  const Rules *rules = l->rules;
  Block *outer = l->block;
  Capturing c = {moves_none(l), {0}, var_num_in(l, outer, 0)};
  for (int i = 0; i < rules->planes; i++) c.taken[i] = NO_REG;
  for (int i = 0; i < rules->of_kind_n[RULE_CAPTURE]; i++) {
    const Rule *r = &rules->rule[rules->of_kind[RULE_CAPTURE][i]];
    l->rule = r->index;
    Reg open = phase_open(l, r);
    if (!num_is(l, open, 1)) block_if(l, open);
    capture_rule(l, &c, r);
    if (!num_is(l, open, 1)) block_end(l);
  }
  l->rule = -1;
  l->taken_n = var_num_get(l, c.number);
  l->taken.planes = 0;
  for (int i = 0; i < rules->planes; i++) {
    if (c.taken[i] == NO_REG) continue;
    l->taken.planes |= 1u << i;
    l->taken.at[i] = var_set_get(l, c.taken[i]);
  }
  l->intact = false;
  if (!l->taken.planes) {
    carry_out(l, &c.m);
    return;
  }
  block_if(l, MAKE(l, num_lt, reg_num(l, 0), l->taken_n));
  for (int i = 0; i < rules->planes; i++)
    if ((l->taken.planes >> i) & 1) ACT(l, store_set, 0, l->p->plane_sets + i, l->taken.at[i]);
  ACT(l, store_num, 0, F_TAKEN_N, l->taken_n);
  ACT(l, store_num, 0, F_CAPTURED, MAKE(l, num_add, MAKE(l, load_num, 0, F_CAPTURED), l->taken_n));
  changed(l);
  carry_out(l, &c.m);
  block_end(l);
}

/* ---- the step ---- */

void lower_make(Lower *l) {
  const Rules *rules = l->rules;
  l->intact = true;
  l->taken_known = true;
  l->taken.planes = 0;
  l->taken_n = reg_num(l, 0);
  bool own = false;
  for (int kind = RULE_MOVE; kind <= RULE_CHOICE; kind++)
    for (int i = 0; i < rules->of_kind_n[kind]; i++) {
      const Rule *r = &rules->rule[rules->of_kind[kind][i]];
      if (!r->do_.n) continue;
      l->rule = r->index;
      block_if(l, MAKE(l, num_eq, MAKE(l, step_rule), reg_num(l, r->index)));
      if (r->choose_n) l->choice_type = r->choose[0]->type;
      Moves m = moves_none(l);
      l->clause = CLAUSE_DO;
      gather(l, &m, &r->do_);
      l->clause = -1;
      carry_out(l, &m);
      l->choice_type = 0;
      block_end(l);
      own = true;
    }
  if (own) l->intact = false;
  if (rules->of_kind_n[RULE_CAPTURE]) {
    bool choices = rules->of_kind_n[RULE_CHOICE] > 0;
    if (choices) {
      /* captures only after moves: what is taken must be known to the rules after */
      l->taken_known = false;
      block_if(l, MAKE(l, num_le, reg_num(l, 0), l->origin));
      captures(l);
      block_end(l);
      l->intact = false;
    } else {
      captures(l);
    }
  }
  l->intact = false;
  for (int i = 0; i < rules->of_kind_n[RULE_AFTER]; i++) {
    const Rule *r = &rules->rule[rules->of_kind[RULE_AFTER][i]];
    l->rule = r->index;
    lower_fire(l, r);
  }
  l->rule = -1;
}
