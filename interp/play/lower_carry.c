/* What has been gathered is carried out: sets of pieces leave their planes and arrive, cells are
 * set, then raised, then kept in their ranges. */
#include "play/lower.h"

static void add_slices(Lower *l, int plane, const Reg *digit) {
  int n = l->p->slices;
  Reg carry = no_sites(l);
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
  Reg all = no_sites(l);
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
  Reg set[64], all = no_sites(l), made = no_sites(l), sent = no_sites(l);
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
      if (n == 64) lower_list(l);
      Arrival *a = &list[n++];
      a->plane = p->to_plane;
      a->site = q->to_site;
      a->count = NO_REG;
      for (int d = 0; d < slices; d++) a->digit[d] = MAKE(l, set_and, digit[d], MAKE(l, set_and, set[i], set[k]));
    }
    if (n == 64) lower_list(l);
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

/* Two effects that send pieces of a plane to different places must not mean the same piece. */
static void watch_places(Lower *l, const Moves *m) {
  for (size_t i = 0; i < m->pieces.n; i++)
    for (size_t k = 0; k < i; k++) {
      const PieceMove *a = &m->pieces.at[i], *b = &m->pieces.at[k];
      if (a->plane != b->plane || a->to_site == NO_REG || b->to_site == NO_REG || a->to_site == b->to_site) continue;
      Reg both_sent = MAKE(l, set_and, var_set_get(l, a->set), var_set_get(l, b->set));
      if (a->to_site != GONE_REG && b->to_site != GONE_REG) {
        Reg same = num_fold(l, O_num_eq, a->to_site, b->to_site);
        if (!num_is(l, same, 0)) both_sent = MAKE(l, set_if, both_sent, MAKE(l, num_not, same));
      }
      ACT(l, clash, MAKE(l, set_and, both_sent, plane_occupied(l, a->plane))); /* victims may be gone */
    }
}

static void carry_pieces(Lower *l, const Moves *m) {
  if (!m->pieces.n) return;
  if (m->pieces.n > 64) lower_list(l);
  Reg any = no_sites(l);
  for (size_t i = 0; i < m->pieces.n; i++) {
    Reg set = var_set_get(l, m->pieces.at[i].set);
    any = set_is_none(l, any) ? set : MAKE(l, set_or, any, set);
  }
  block_if(l, MAKE(l, set_some, any));
  watch_places(l, m);
  Arrival list[64];
  int n = 0;
  PLANES_FOR(l, plane) {
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

void lower_carry_out(Lower *l, Moves *m) {
  l->in_old = false;
  if (l->listed) {
    ACT(l, list_carry, 0);
    changed(l);
  }
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
}
