/* What happens: the step's own effects, captures, after and settle rules. Of each rule the effects are
 * gathered while the position stands, then carried out. */
#include "play/lower.h"

/* ---- rules that fire ---- */

static bool counts_uses(const Lower *l, const Rule *r) { return r->counted || l->field_read[F_USES + r->index]; }

static void gather_member(Lower *l, Moves *m, const Rule *r, Reg fired) {
  l->clause = CLAUSE_DO;
  lower_gather(l, m, &r->do_);
  l->clause = -1;
  var_num_put(l, fired, ACT(l, num_add, fired, reg_num(l, 1)));
}
static void gather_where_it_holds(Lower *l, Moves *m, const Rule *r, Reg fired) {
  int n = lower_open_holds(l, r);
  if (n >= 0) gather_member(l, m, r, fired);
  block_ends(l, n);
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

/* Whether a script may come to an operation by way of a let. */
static bool lets_ask(const Rules *rules, int op) {
  bool asks = false;
  for (int i = 0; i < rules->lets; i++) {
    asks |= mentions_op(rules->let[i].expr, op);
    for (int s = 0; s < rules->seats; s++) asks |= mentions_op(rules->let[i].by[s], op);
  }
  return asks;
}

/* A rule with a hook is fired by the reference, on a position with all that a script may see;
 * what it asks of the position first is asked here. */
static Reg fire_slowly(Lower *l, const Rule *r) {
  if (r->kind != RULE_SETTLE) lower_refuse(l, "a hook in the middle of a turn");
  if (lets_ask(l->rules, X_REPEATS) || lets_ask(l->rules, X_USES))
    lower_refuse(l, "a hook that may ask for a let of `repeats` or `uses of`");
  Reg fired = var_num_in(l, l->block, 0), yes = phase_open(l, r);
  if (r->when && !r->for_ && !mentions_op(r->when, X_HOOK)) yes = both(l, yes, lower_condition(l, r->when));
  for (int f = 0; f < F_USES; f++) l->script_read[f] = true;
  l->varying_read = l->p->slow = true;
  block_unless_sure(l, yes);
  var_num_put(l, fired, ACT(l, host_fire, 0, r->index));
  changed(l);
  block_end_unless_sure(l, yes);
  return var_num_get(l, fired);
}

Reg lower_fire(Lower *l, const Rule *r) {
  if (asks_hook(r)) return fire_slowly(l, r);
  Reg open = phase_open(l, r), fired = var_num_in(l, l->block, 0);
  block_unless_sure(l, open);
  int n = r->for_ ? 0 : lower_open_holds(l, r); /* without `for` everything of the rule stands where it holds */
  if (n < 0) {
    block_end_unless_sure(l, open);
    return reg_num(l, 0);
  }
  Moves m = moves_none(l);
  if (!r->for_) {
    gather_member(l, &m, r, fired);
  } else if (r->for_->type == TYPE_PLAYERS) {
    Reg members = lower_players(l, r->for_);
    for (int s = 0; s < l->rules->seats; s++) {
      Reg in = seat_in(l, members, s);
      if (num_is(l, in, 0)) continue;
      l->each = s;
      block_unless_sure(l, in);
      gather_where_it_holds(l, &m, r, fired);
      block_end_unless_sure(l, in);
    }
    l->each = -1;
  } else {
    Reg here = l->here;
    l->here = loop_sites(l, lower_sites(l, r->for_));
    gather_where_it_holds(l, &m, r, fired);
    block_end(l);
    l->here = here;
  }
  lower_carry_out(l, &m);
  if (counts_uses(l, r)) {
    ACT(l, count_use, 0, r->index, var_num_get(l, fired), 0);
    changed(l);
  }
  block_ends(l, n);
  block_end_unless_sure(l, open);
  return var_num_get(l, fired);
}

/* ---- captures ---- */

typedef struct Capturing {
  Moves m;
  Reg taken[PLANES_MAX]; /* variables; NO_REG: nothing of the plane is taken */
  Reg number;
  Reg uses[RULES_MAX];   /* of rules that some `uses of` asks for: they count when all has been looked at */
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
  if (r->counted) {
    Reg *uses = &c->uses[r->index];
    if (*uses == NO_REG) *uses = var_num_in(l, c->m.block, 0);
    var_num_put(l, *uses, ACT(l, num_add, *uses, MAKE(l, set_count, victims)));
  } else {
    ACT(l, count_use, 0, r->index, MAKE(l, set_count, new), 1);
  }
  var_set_put(l, c->taken[plane], MAKE(l, set_or, old, victims));
  if (!effects) moves_send(l, &c->m, plane, plane, GONE_REG, victims);
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
    if (r->do_.n) lower_gather(l, &c->m, &r->do_);
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
  PLANES_FOR(l, i) {
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
      lower_gather(l, &c->m, &r->do_);
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
      Reg in = seat_in(l, members, s);
      if (num_is(l, in, 0)) continue;
      l->each = s;
      block_unless_sure(l, in);
      capture_victims(l, c, r);
      block_end_unless_sure(l, in);
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
  Capturing c = {moves_none(l), {0}, var_num_in(l, outer, 0), {0}};
  for (int i = 0; i < rules->planes; i++) c.taken[i] = NO_REG;
  for (int i = 0; i < rules->rules; i++) c.uses[i] = NO_REG;
  for (int i = 0; i < rules->of_kind_n[RULE_CAPTURE]; i++) {
    const Rule *r = &rules->rule[rules->of_kind[RULE_CAPTURE][i]];
    l->rule = r->index;
    Reg open = phase_open(l, r);
    block_unless_sure(l, open);
    capture_rule(l, &c, r);
    block_end_unless_sure(l, open);
  }
  l->rule = -1;
  l->taken_n = var_num_get(l, c.number);
  l->taken.planes = 0;
  PLANES_FOR(l, i) {
    if (c.taken[i] == NO_REG) continue;
    l->taken.planes |= 1u << i;
    l->taken.at[i] = var_set_get(l, c.taken[i]);
  }
  l->intact = false;
  if (!l->taken.planes) {
    lower_carry_out(l, &c.m);
    return;
  }
  block_if(l, MAKE(l, num_lt, reg_num(l, 0), l->taken_n));
  PLANES_FOR(l, i)
    if ((l->taken.planes >> i) & 1) ACT(l, store_set, 0, l->p->plane_sets + i, l->taken.at[i]);
  for (int i = 0; i < rules->rules; i++)
    if (c.uses[i] != NO_REG) ACT(l, count_use, 0, i, var_num_get(l, c.uses[i]), 1);
  ACT(l, store_num, 0, F_TAKEN_N, l->taken_n);
  ACT(l, store_num, 0, F_CAPTURED, MAKE(l, num_add, MAKE(l, load_num, 0, F_CAPTURED), l->taken_n));
  changed(l);
  if (!l->listed) lower_carry_out(l, &c.m);
  block_end(l);
  if (l->listed) lower_carry_out(l, &c.m); /* if only to have none */
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
      lower_gather(l, &m, &r->do_);
      l->clause = -1;
      lower_carry_out(l, &m);
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
