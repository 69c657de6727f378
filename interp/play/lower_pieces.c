/* Sets of pieces, plane by plane. */
#include "play/lower.h"

#include "play/eval.h"

Reg pieces_union(Lower *l, const Pieces *p) {
  Reg all = no_sites(l);
  PLANES_FOR(l, i)
    if ((p->planes >> i) & 1) all = set_fold(l, O_set_or, all, p->at[i]);
  return all;
}

Reg pieces_number(Lower *l, const Pieces *p) {
  Reg n = reg_num(l, 0);
  PLANES_FOR(l, i) {
    if (!((p->planes >> i) & 1) || set_is_none(l, p->at[i])) continue;
    for (int k = 0; k < l->p->slices; k++) {
      Reg slice = l->p->slices == 1 ? p->at[i] : set_fold(l, O_set_and, plane_slice(l, i, k), p->at[i]);
      Reg part = MAKE(l, set_count, slice);
      if (k) part = MAKE(l, num_shift, part, k);
      n = num_fold(l, O_num_add, n, part);
    }
  }
  return n;
}

static void moved_pieces(Lower *l, Pieces *out) {
  uint32_t planes = l->movable[l->seat];
  Reg plane = l->step_known ? MAKE(l, step_plane) : field(l, F_LAST_PLANE);
  Reg target = l->step_known ? l->target : field(l, F_LAST_TARGET);
  out->planes = 0;
  if (!planes) return;
  if (!l->step_known)
    target = pick(l, num_fold(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), target, reg_num(l, -1));
  Reg at = one_site(l, target);
  bool one = (planes & (planes - 1)) == 0;
  Reg stays = reg_num(l, 0); /* the piece that moved is still what it was */
  PLANES_FOR(l, i) {
    if (!((planes >> i) & 1)) continue;
    Reg is = one && l->step_known ? reg_num(l, 1) : num_fold(l, O_num_eq, plane, reg_num(l, i));
    if (l->intact) {
      out->planes |= 1u << i;
      out->at[i] = set_when(l, at, is);
      continue;
    }
    stays = either(l, stays, both(l, is, MAKE(l, set_has, plane_occupied(l, i), target)));
  }
  if (l->intact) return;
  PLANES_FOR(l, i) {
    Reg kin = reg_num(l, 0); /* the piece that moved belonged to this one's owner */
    PLANES_FOR(l, k)
      if ((planes >> k) & 1 && l->rules->plane[k].owner == l->rules->plane[i].owner)
        kin = either(l, kin, num_fold(l, O_num_eq, plane, reg_num(l, k)));
    Reg is = (planes >> i) & 1 ? num_fold(l, O_num_eq, plane, reg_num(l, i)) : reg_num(l, 0);
    Reg yes = pick(l, stays, is, kin);
    if (num_is(l, yes, 0)) continue;
    out->planes |= 1u << i;
    out->at[i] = set_when(l, set_fold(l, O_set_and, plane_occupied(l, i), at), yes);
  }
}

static void keep(Lower *l, Pieces *p, Reg sites, int code) {
  PLANES_FOR(l, i) {
    if (!((p->planes >> i) & 1)) continue;
    p->at[i] = set_fold(l, code, p->at[i], sites);
    if (set_is_none(l, p->at[i])) p->planes &= ~(1u << i);
  }
}

static void victims_of_step(Lower *l, Pieces *out) {
  if (l->taken_known) {
    *out = l->taken;
    return;
  }
  PLANES_FOR(l, i) {
    out->planes |= 1u << i;
    out->at[i] = MAKE(l, load_set, l->base, l->p->plane_sets + i);
    if (l->section != SECTION_LEAVES)
      out->at[i] = set_when(l, out->at[i], num_fold(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)));
  }
}

static void unite(Lower *l, Pieces *out, const Pieces *b) {
  PLANES_FOR(l, i) {
    if (!((b->planes >> i) & 1)) continue;
    out->at[i] = (out->planes >> i) & 1 ? set_fold(l, O_set_or, out->at[i], b->at[i]) : b->at[i];
    out->planes |= 1u << i;
  }
}

static void pieces_of_kind(Lower *l, const Expr *e, Pieces *out) {
  Reg players = lower_players(l, e->kid[0]);
  PLANES_FOR(l, i) {
    if (!(((uint32_t)e->a >> l->rules->plane[i].kind) & 1)) continue;
    Reg in = seat_in(l, players, l->rules->plane[i].owner);
    if (num_is(l, in, 0)) continue;
    out->planes |= 1u << i;
    out->at[i] = set_when(l, plane_occupied(l, i), in);
  }
}

static void all_when(Lower *l, Pieces *p, Reg yes) {
  PLANES_FOR(l, i)
    if ((p->planes >> i) & 1) p->at[i] = set_when(l, p->at[i], yes);
}

static void where_pieces(Lower *l, const Expr *condition, Pieces *out) {
  Reg all = pieces_union(l, out);
  if (condition->deps & DEP_HERE)
    keep(l, out, lower_sites_where(l, all, condition), O_set_and);
  else
    all_when(l, out, lower_condition(l, condition));
}

static void pieces_by_player(Lower *l, const Expr *e, Pieces *out) {
  Reg players = lower_players(l, e->kid[0]);
  Pieces b = {0, {0}};
  SEATS_FOR(l, s) {
    const Expr *by = ((const Expr *const *)e->data)[s];
    Reg in = seat_in(l, players, s);
    if (!by || num_is(l, in, 0)) continue;
    lower_pieces(l, by, &b);
    all_when(l, &b, in);
    unite(l, out, &b);
  }
}

void lower_pieces(Lower *l, const Expr *e, Pieces *out) {
  out->planes = 0;
  Pieces b = {0, {0}};
  switch (e->op) {
    case X_PIECES_KIND: pieces_of_kind(l, e, out); return;
    case X_PIECES_CONST:
      out->planes = (uint32_t)e->a;
      PLANES_FOR(l, i)
        if ((out->planes >> i) & 1) out->at[i] = plane_occupied(l, i);
      return;
    case X_MOVED: moved_pieces(l, out); return;
    case X_VICTIM:
      if (l->victim_mode == VICTIM_ALL) *out = l->victims;
      if (l->victim_mode == VICTIM_ONE) {
        out->planes = 1u << l->victim_plane;
        out->at[l->victim_plane] = one_site(l, l->victim);
      }
      return;
    case X_VICTIMS: victims_of_step(l, out); return;
    case X_BRACED: {
      lower_pieces(l, e->kid[0], out);
      Reg safe = lower_sites(l, e->kid[1]);
      keep(l, out, MAKE(l, set_braced, pieces_union(l, out), safe), O_set_and);
      return;
    }
    case X_LINE_PIECES: lower_picture(l, e, out); return;
    case X_PIECES_AT:
    case X_PIECES_OFF: {
      Reg sites = lower_sites(l, e->kid[1]);
      lower_pieces(l, e->kid[0], out);
      keep(l, out, sites, e->op == X_PIECES_AT ? O_set_and : O_set_minus);
      return;
    }
    case X_UNION:
      lower_pieces(l, e->kid[0], out);
      lower_pieces(l, e->kid[1], &b);
      unite(l, out, &b);
      return;
    case X_MINUS:
    case X_MEET:
      lower_pieces(l, e->kid[0], out);
      lower_pieces(l, e->kid[1], &b);
      if (e->op == X_MEET) out->planes &= b.planes;
      PLANES_FOR(l, i)
        if ((out->planes & b.planes) >> i & 1)
          out->at[i] = set_fold(l, e->op == X_MEET ? O_set_and : O_set_minus, out->at[i], b.at[i]);
      return;
    case X_WHERE:
      lower_pieces(l, e->kid[0], out);
      where_pieces(l, e->kid[1], out);
      return;
    case X_LET: lower_pieces(l, e->kid[0], out); return;
    case X_LET_BY: pieces_by_player(l, e, out); return;
    default: lower_refuse(l, "pieces by %s", expr_op_name(e->op));
  }
}
