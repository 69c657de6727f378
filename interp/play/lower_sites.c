/* Sites, and where a condition holds. */
#include "play/lower.h"

#include "play/eval.h"

/* `rearmost`: the first of some sites along a path. */
static Reg rearmost(Lower *l, const Expr *e) {
  Ways ways;
  Reg site = reg_num(l, -1), first;
  lower_ways(l, e->kid[1], &ways);
  for (int path = -1; lower_first_path(l, &ways, &path, &first);) {
    Reg here = MAKE(l, path_first, lower_sites(l, e->kid[0]), path);
    site = pick(l, both(l, first, way_when(l, &ways, WAY_PATHS + path)), here, site);
  }
  return site;
}
/* `beyond`, `behind`: what lies on one side of some sites along a path. */
static Reg past(Lower *l, const Expr *e) {
  Ways ways;
  Reg sites = no_sites(l), first;
  lower_ways(l, e->kid[1], &ways);
  for (int path = -1; lower_first_path(l, &ways, &path, &first);) {
    Reg there = make(l, e->op == X_BEYOND ? O_path_beyond : O_path_behind, 2, (int32_t[]){lower_sites(l, e->kid[0]), path});
    sites = set_fold(l, O_set_or, sites, set_when(l, there, both(l, first, way_when(l, &ways, WAY_PATHS + path))));
  }
  return sites;
}

Reg plane_slice(Lower *l, int plane, int k) {
  return MAKE(l, load_set, l->base, plane * l->p->slices + k);
}
Reg plane_occupied(Lower *l, int plane) {
  return l->p->slices == 1 ? plane_slice(l, plane, 0) : MAKE(l, load_any, l->base, plane);
}

Reg lower_moved_sites(Lower *l) {
  Pieces p;
  Expr moved = {.op = X_MOVED, .type = TYPE_PIECES};
  if (l->intact) return one_site(l, l->target);
  lower_pieces(l, &moved, &p);
  return pieces_union(l, &p);
}

Reg lower_site(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_HERE: return l->here;
    case X_ORIGIN: return l->origin;
    case X_TARGET: return l->target;
    case X_PREVIOUS: {
      int f = l->made ? F_PREV_TARGET : F_LAST_TARGET;
      return pick(l, num_fold(l, O_num_lt, reg_num(l, 0), field(l, F_STEPS)), field(l, f),
                  reg_num(l, -1));
    }
    case X_FIRST_OF: return lower_site(l, e->kid[0]);
    case X_SITES_OF:
      if (e->kid[0]->op == X_VICTIM && l->victim_mode == VICTIM_ONE) return l->victim;
      if (e->kid[0]->op == X_MOVED && l->intact) return l->target;
      break;
    case X_STATE_SITE: return lower_cell(l, e, -1);
    case X_CHOSEN: return l->choice_type == TYPE_SITES ? l->chosen : reg_num(l, -1);
    case X_LET: return lower_site(l, e->kid[0]);
    case X_REARMOST: return rearmost(l, e);
    default: break;
  }
  Reg set = lower_sites(l, e);
  const SiteSet *s = set_known(l, set);
  return s ? reg_num(l, sites_first(s)) : MAKE(l, set_first, set);
}

Reg lower_sites_where(Lower *l, Reg all, const Expr *c) {
  if (!(c->deps & DEP_HERE)) return set_when(l, all, lower_condition(l, c));
  if (set_is_none(l, all)) return all;
  Reg whole = lower_where(l, c);
  if (whole != NO_REG) return set_fold(l, O_set_and, all, whole);
  Reg some = var_set_in(l, l->block), here = l->here;
  l->here = loop_sites(l, all);
  Reg yes = lower_condition(l, c);
  var_set_put(l, some, ACT(l, set_or, some, set_when(l, one_site(l, l->here), yes)));
  block_end(l);
  l->here = here;
  return var_set_get(l, some);
}

static Reg last_sites(Lower *l, const Expr *e, int row) {
  Reg players = lower_players(l, e->kid[0]), all = no_sites(l);
  SEATS_FOR(l, s) {
    Reg in = seat_in(l, players, s);
    if (num_is(l, in, 0)) continue;
    all = set_fold(l, O_set_or, all, set_when(l, one_site(l, field(l, row + s)), in));
  }
  return all;
}

static Reg group_of(Lower *l, Reg of) {
  Reg all = no_sites(l);
  SEATS_FOR(l, s) {
    Reg own = no_sites(l);
    PLANES_FOR(l, i)
      if (l->rules->plane[i].owner == s) own = set_fold(l, O_set_or, own, plane_occupied(l, i));
    own = set_fold(l, O_set_and, own, reg_set(l, l->rules->board.all));
    all = set_fold(l, O_set_or, all, MAKE(l, set_flood, of, own));
  }
  return all;
}

static Reg point(Lower *l, Reg n) {
  int64_t v;
  if (num_known(l, n, &v))
    return v >= 1 && v <= l->rules->board.squares ? reg_set(l, sites_one((int)v - 1)) : no_sites(l);
  return MAKE(l, set_point, n);
}

static Reg near_of(Lower *l, const Expr *k) {
  bool single = k->op == X_HERE || k->op == X_ORIGIN || k->op == X_TARGET ||
                (k->op == X_SITES_OF && ((k->kid[0]->op == X_VICTIM && l->victim_mode == VICTIM_ONE) ||
                                         (k->kid[0]->op == X_MOVED && l->intact)));
  if (single) return MAKE(l, site_near, lower_site(l, k));
  Reg of = lower_sites(l, k);
  const SiteSet *s = set_known(l, of);
  if (!s) return MAKE(l, set_near, of);
  SiteSet near = sites_none();
  SITES_FOR(i, *s) near = sites_or(near, l->rules->board.neighbours[i]);
  return reg_set(l, near);
}

static Reg sites_by_player(Lower *l, const Expr *e) {
  Reg players = lower_players(l, e->kid[0]), all = no_sites(l);
  SEATS_FOR(l, s) {
    const Expr *by = ((const Expr *const *)e->data)[s];
    Reg in = seat_in(l, players, s);
    if (!by || num_is(l, in, 0)) continue;
    all = set_fold(l, O_set_or, all, set_when(l, lower_sites(l, by), in));
  }
  return all;
}

Reg lower_sites(Lower *l, const Expr *e) {
  switch (e->op) {
    case X_SITES_CONST: return reg_set(l, *(const SiteSet *)e->data);
    case X_SITES_EMPTY: {
      Reg all = no_sites(l);
      PLANES_FOR(l, i) all = set_fold(l, O_set_or, all, plane_occupied(l, i));
      return set_fold(l, O_set_minus, reg_set(l, l->rules->board.all), all);
    }
    case X_SITES_OF: {
      Pieces p;
      if (e->kid[0]->op == X_MOVED) return lower_moved_sites(l);
      lower_pieces(l, e->kid[0], &p);
      return pieces_union(l, &p);
    }
    case X_POINT: return point(l, lower_number(l, e->kid[0]));
    case X_POINT_RANGE: return MAKE(l, set_range, lower_number(l, e->kid[0]), lower_number(l, e->kid[1]));
    case X_SITES_BY: {
      Reg players = lower_players(l, e->kid[0]), all = no_sites(l);
      SEATS_FOR(l, s)
        all = set_fold(l, O_set_or, all,
                    set_when(l, reg_set(l, ((const SiteSet *)e->data)[s]), seat_in(l, players, s)));
      return all;
    }
    case X_HERE:
    case X_ORIGIN:
    case X_TARGET:
    case X_PREVIOUS:
    case X_FIRST_OF:
    case X_REARMOST:
    case X_STATE_SITE: return one_site(l, lower_site(l, e));
    case X_BETWEEN:
      if (l->place != NO_REG) return ACT(l, bundle_between, l->place, l->target);
      return l->step_known ? MAKE(l, step_between) : no_sites(l);
    case X_NEIGHBOURS: return near_of(l, e->kid[0]);
    case X_GROUP: return group_of(l, lower_sites(l, e->kid[0]));
    case X_FLOOD: return MAKE(l, set_flood, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_BEYOND:
    case X_BEHIND: return past(l, e);
    case X_LINE_SITES: return lower_picture(l, e, NULL);
    case X_LAST_ORIGIN: return last_sites(l, e, F_LAST_ORIGIN_OF);
    case X_LAST_TARGET: return last_sites(l, e, F_LAST_TARGET_OF);
    case X_UNION: return set_fold(l, O_set_or, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_MINUS: return set_fold(l, O_set_minus, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_MEET: return set_fold(l, O_set_and, lower_sites(l, e->kid[0]), lower_sites(l, e->kid[1]));
    case X_WHERE: return lower_sites_where(l, lower_sites(l, e->kid[0]), e->kid[1]);
    case X_LET: return lower_sites(l, e->kid[0]);
    case X_LET_BY: return sites_by_player(l, e);
    case X_CHOSEN: return one_site(l, lower_site(l, e));
    default: lower_refuse(l, "sites by %s", expr_op_name(e->op));
  }
}
