/* Candidate steps: origins, what lies between and targets as sets; forbids that look only at
 * these are taken out of the sets beforehand, the others are asked of every candidate. */
#include "play/lower.h"

#include "play/eval.h"

enum { DEP_SITES = DEP_ORIGIN | DEP_TARGET };

static uint32_t deps_of(const Expr *e) { return e ? e->deps : 0; }
static uint32_t holds_deps(const Rule *r) { return deps_of(r->when) | deps_of(r->unless); }

/* The steps of one rule for one plane. */
typedef struct Going {
  const Rule *rule;
  int plane;
  Reg origins, to, through;
  const Rule *filter[RULES_MAX]; /* forbids to be asked of every candidate */
  int filters;
} Going;

static bool is_static_forbid(const Rule *f) {
  return !((holds_deps(f) | deps_of(f->who) | deps_of(f->from) | deps_of(f->to)) & DEP_SITES);
}

/* Where f forbids a piece of the plane to start. */
static Reg forbidden_origins(Lower *l, const Rule *f, int plane) {
  Reg at = all_sites(l);
  if (f->from) at = set_fold(l, O_set_and, at, lower_sites(l, f->from));
  if (f->who) {
    Pieces who;
    lower_pieces(l, f->who, &who);
    at = (who.planes >> plane) & 1 ? set_fold(l, O_set_and, at, who.at[plane]) : no_sites(l);
  }
  return at;
}

/* Takes out of the sets what the forbids rule out; keeps those that must be asked. */
static void apply_forbids(Lower *l, Going *g) {
  const Rules *rules = l->rules;
  int rule = l->rule;
  g->filters = 0;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    if (f->leaves || f->judged != JUDGED_STEP) continue;
    l->rule = f->index;
    Reg open = phase_open(l, f);
    if (!is_static_forbid(f)) {
      g->filter[g->filters++] = f;
      continue;
    }
    Reg from = forbidden_origins(l, f, g->plane);
    if (set_is_none(l, set_fold(l, O_set_and, from, g->origins))) continue;
    if (f->to && (f->from || f->who)) {
      Reg to = lower_sites(l, f->to);
      if (set_is_none(l, to)) continue;
      g->filter[g->filters++] = f;
      continue;
    }
    Reg yes = both(l, open, lower_holds(l, f));
    if (f->to)
      g->to = set_fold(l, O_set_minus, g->to, set_when(l, lower_sites(l, f->to), yes));
    else
      g->origins = set_fold(l, O_set_minus, g->origins, set_when(l, from, yes));
  }
  l->rule = rule;
}

/* Whether f forbids the candidate from l->origin to l->target. */
static Reg filter_hits(Lower *l, const Rule *f, int plane) {
  Reg yes = phase_open(l, f);
  Pieces who;
  if (f->from) yes = both(l, yes, MAKE(l, set_has, lower_sites(l, f->from), l->origin));
  if (f->to) yes = both(l, yes, MAKE(l, set_has, lower_sites(l, f->to), l->target));
  if (f->who) {
    lower_pieces(l, f->who, &who);
    if (!((who.planes >> plane) & 1)) return reg_num(l, 0);
    yes = both(l, yes, MAKE(l, set_has, who.at[plane], l->origin));
  }
  return both(l, yes, lower_holds(l, f));
}

static void apply_filters(Lower *l, const Going *g, Reg mark, bool asks) {
  Reg origin = l->origin, target = l->target, place;
  loop_steps(l, mark, &l->origin, &l->target, &place);
  l->place = place;
  for (int i = 0; i < g->filters; i++) {
    l->rule = g->filter[i]->index;
    Reg bad = filter_hits(l, g->filter[i], g->plane);
    if (num_is(l, bad, 0)) continue;
    block_if(l, bad);
    ACT(l, drop_step, place, l->target);
    block_end(l);
  }
  l->rule = g->rule->index;
  if (asks) {
    Reg good = lower_holds(l, g->rule);
    block_if(l, MAKE(l, num_not, good));
    ACT(l, drop_step, place, l->target);
    block_end(l);
  }
  block_end(l);
  l->origin = origin;
  l->target = target;
  l->place = NO_REG;
}

/* Whether a game begins with no more than one of a plane: worth a look before whole sets are moved. */
static bool is_alone(const Rules *rules, int plane) {
  int n = 0;
  for (int s = 0; s < rules->board.sites; s++) n += rules->start_count[plane * rules->board.sites + s];
  return n < 2;
}

/* Whether some site lies in two of these directions from another, as on a ring or where rows share more than one site,
 * no farther than `most`: then one step is found twice. */
static bool lines_meet_again(const Board *b, uint64_t dirs, int most) {
  for (int s = 0; s < b->squares; s++) {
    SiteSet met = sites_none();
    for (int d = 0; d < b->dirs; d++)
      for (int k = 0, at = b->next[d][s]; (dirs >> d) & 1 && k < most && at >= 0 && at != s; k++, at = b->next[d][at]) {
        if (sites_has(&met, at)) return true;
        sites_add(&met, at);
      }
  }
  return false;
}

static void emit_dirs(Lower *l, const Going *g, int dirs, Reg origins, Reg low, Reg high) {
  Reg board = reg_set(l, l->rules->board.all);
  if (is_alone(l->rules, g->plane)) dirs |= WALK_ALONE;
  ACT(l, emit_walk, g->rule->index, g->plane, l->die, dirs, set_fold(l, O_set_and, origins, board), g->through, g->to, low,
      high);
}

/* One set of origins, all sets at hand. */
static void emit(Lower *l, const Going *g, Reg origins) {
  const Rule *r = g->rule;
  const Rules *rules = l->rules;
  Reg low = reg_num(l, 1), high = low;
  l->clause = CLAUSE_REACH;
  if (r->reach_low) low = high = lower_number(l, r->reach_low);
  if (r->reach_high) high = lower_number(l, r->reach_high);
  l->clause = CLAUSE_ALONG;
  Ways ways = {.all = rules->board.adjacent, .sure = rules->board.adjacent};
  if (r->along) lower_ways(l, r->along, &ways);
  const int all_dirs = (1 << rules->board.dirs) - 1, sure = (int)ways.sure & all_dirs, unsure = (int)(ways.all & ~ways.sure) & all_dirs;
  if (sure) emit_dirs(l, g, sure, origins, low, high);
  for (int way = 0; way < rules->board.dirs; way++) {
    if (!((unsure >> way) & 1)) continue;
    block_if(l, ways.when[way]);
    emit_dirs(l, g, 1 << way, origins, low, high);
    block_end(l);
  }
  for (int i = 0; i < rules->paths; i++) {
    Reg yes = way_when(l, &ways, WAY_PATHS + i);
    if (num_is(l, yes, 0)) continue;
    SiteSet on = sites_none();
    for (int k = 0; k < rules->path[i].n; k++) sites_add(&on, rules->path[i].site[k]);
    block_unless_sure(l, yes);
    ACT(l, emit_path, r->index, g->plane, l->die, i, set_fold(l, O_set_and, origins, reg_set(l, on)), g->through, g->to,
        low, high);
    block_end_unless_sure(l, yes);
  }
  if ((ways.all >> WAY_ANYWHERE) & 1) {
    Reg yes = way_when(l, &ways, WAY_ANYWHERE);
    block_unless_sure(l, yes);
    ACT(l, emit_jump, r->index, g->plane, l->die, origins, g->to);
    block_end_unless_sure(l, yes);
  }
  int kinds = (ways.all & 0xffff) != 0;
  if (kinds && (unsure || lines_meet_again(&rules->board, ways.all, r->reach_low ? SITES_MAX : 1))) kinds = 2;
  if ((ways.all >> WAY_ANYWHERE) & 1) kinds++;
  kinds += __builtin_popcountll(ways.all >> WAY_PATHS);
  l->emitters[l->seat][g->plane] += kinds;
  l->clause = -1;
}

/* Whether anything but the reach depends on the die: then it is chosen first, else as late as can be. */
static bool die_decides(const Lower *l, const Rule *r) {
  uint32_t deps = holds_deps(r) | deps_of(r->who) | deps_of(r->from) | deps_of(r->to) | deps_of(r->through);
  for (int i = 0; i < l->rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &l->rules->rule[l->rules->of_kind[RULE_FORBID][i]];
    if (!f->leaves) deps |= holds_deps(f) | deps_of(f->who) | deps_of(f->from) | deps_of(f->to);
  }
  return (deps & DEP_DIE) != 0;
}

static void lower_plane(Lower *l, const Rule *r, int plane, Reg origins) {
  bool asks = (holds_deps(r) & DEP_SITES) != 0;
  bool each = ((deps_of(r->from) | deps_of(r->to) | deps_of(r->through) | deps_of(r->reach_low) |
                deps_of(r->reach_high) | deps_of(r->along)) & DEP_SITES) != 0;
  Going g = {.rule = r, .plane = plane, .origins = origins, .to = all_sites(l), .through = all_sites(l)};
  Reg bound = l->origin;
  if (each) {
    l->origin = loop_sites(l, origins);
    g.origins = MAKE(l, set_one, l->origin);
    if (deps_of(r->from) & DEP_SITES) g.origins = set_fold(l, O_set_and, g.origins, lower_sites(l, r->from));
  }
  l->clause = CLAUSE_TO;
  if (r->to) g.to = set_fold(l, O_set_and, g.to, lower_sites(l, r->to));
  l->clause = CLAUSE_THROUGH;
  if (r->through) g.through = set_fold(l, O_set_and, g.through, lower_sites(l, r->through));
  l->clause = -1;
  /* where much is forbidden it is not asked for pieces that are not there */
  bool many = l->rules->of_kind_n[RULE_FORBID] > 3 && !each && !set_known(l, g.origins);
  if (many) block_if(l, MAKE(l, set_some, g.origins));
  apply_forbids(l, &g);
  if (!set_is_none(l, g.origins) && !set_is_none(l, g.to)) {
    l->movable[l->seat] |= 1u << plane;
    bool guard = !set_known(l, g.to) && r->takes_die;
    if (guard) block_if(l, MAKE(l, set_some, g.to));
    bool late = r->takes_die && l->die < 0 && num_is(l, l->die, -1);
    if (late) l->die = loop_dice(l);
    Reg mark = g.filters || asks ? ACT(l, mark_steps) : NO_REG;
    emit(l, &g, g.origins);
    if (g.filters || asks) apply_filters(l, &g, mark, asks);
    if (late) block_end(l);
    if (late) l->die = reg_num(l, -1);
    if (guard) block_end(l);
  }
  if (many) block_end(l);
  if (each) {
    block_end(l);
    l->origin = bound;
  }
}

static void move_rule(Lower *l, const Rule *r) {
  Reg open = phase_open(l, r);
  bool asks = (holds_deps(r) & DEP_SITES) != 0;
  int depth = 0;
  if (!num_is(l, open, 1)) {
    block_if(l, open);
    depth++;
  }
  if (r->takes_die && die_decides(l, r)) {
    l->die = loop_dice(l);
    depth++;
  }
  if (!asks) {
    Reg yes = lower_holds(l, r);
    if (num_is(l, yes, 0)) goto done;
    if (!num_is(l, yes, 1)) {
      block_if(l, yes);
      depth++;
    }
  }
  Pieces who;
  l->clause = CLAUSE_WHO;
  lower_pieces(l, r->who, &who);
  l->clause = CLAUSE_FROM;
  Reg from = r->from && !(r->from->deps & DEP_SITES) ? lower_sites(l, r->from) : all_sites(l);
  l->clause = -1;
  PLANES_FOR(l, i) {
    if (!((who.planes >> i) & 1)) continue;
    Reg origins = set_fold(l, O_set_and, who.at[i], from);
    if (!set_is_none(l, origins)) lower_plane(l, r, i, origins);
  }
done:
  while (depth--) block_end(l);
  l->die = reg_num(l, -1);
}

/* ---- choices ---- */

static void choose_one(Lower *l, const Rule *r, Reg place, Reg chosen) {
  l->chosen = chosen;
  Reg yes = lower_holds(l, r);
  for (int i = 0; i < l->rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &l->rules->rule[l->rules->of_kind[RULE_FORBID][i]];
    if (f->leaves || f->judged != JUDGED_STEP || f->who || f->from || f->to) continue;
    yes = both(l, yes, MAKE(l, num_not, both(l, phase_open(l, f), lower_holds(l, f))));
  }
  if (num_is(l, yes, 0)) return;
  block_if(l, yes);
  ACT(l, emit_choice, r->index, place, chosen);
  block_end(l);
}

static void choose_member(Lower *l, const Rule *r, Reg count, Reg chosen) {
  Reg place = var_num_get(l, count);
  choose_one(l, r, place, chosen);
  var_num_put(l, count, MAKE(l, num_add, place, reg_num(l, 1)));
}

static void choice_rule(Lower *l, const Rule *r) {
  Reg open = phase_open(l, r), none = reg_num(l, -1);
  block_if(l, open);
  if (!r->choose_n) {
    choose_one(l, r, none, reg_num(l, 0));
    block_end(l);
    return;
  }
  Reg count = var_num_in(l, l->block, 0);
  l->choice_type = r->choose[0]->type;
  l->clause = CLAUSE_CHOOSE;
  for (int i = 0; i < r->choose_n; i++) {
    const Expr *e = r->choose[i];
    if (e->type == TYPE_NUMBER) {
      choose_member(l, r, count, lower_number(l, e));
    } else if (e->type == TYPE_SITES) {
      Reg site = loop_sites(l, lower_sites(l, e));
      choose_member(l, r, count, site);
      block_end(l);
    } else {
      Reg bits = e->type == TYPE_PLAYERS ? lower_players(l, e) : lower_values(l, e);
      int most = e->type == TYPE_PLAYERS ? l->rules->seats : l->p->atoms;
      l->p->ordered |= e->type == TYPE_VALUES;
      for (int k = 0; k < most; k++) {
        Reg in = MAKE(l, num_and, bits, reg_num(l, (int64_t)((uint64_t)1 << k)));
        int64_t n;
        if (num_known(l, bits, &n) && !(((uint64_t)n >> k) & 1)) continue;
        block_if(l, MAKE(l, num_not, MAKE(l, num_eq, in, reg_num(l, 0))));
        choose_member(l, r, count, reg_num(l, k));
        block_end(l);
      }
    }
  }
  l->choice_type = 0;
  l->chosen = none;
  block_end(l);
}

void lower_gen(Lower *l) {
  const Rules *rules = l->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_MOVE]; i++) {
    l->rule = rules->of_kind[RULE_MOVE][i];
    move_rule(l, &rules->rule[l->rule]);
  }
  for (int i = 0; i < rules->of_kind_n[RULE_CHOICE]; i++) {
    l->rule = rules->of_kind[RULE_CHOICE][i];
    choice_rule(l, &rules->rule[l->rule]);
  }
}

/* ---- forbids on what a step leaves ---- */

/* The clauses of a forbid before `leaves`, of the step in hand. */
static Reg forbid_matches(Lower *l, const Rule *f) {
  Reg yes = reg_num(l, 1);
  if (f->who || f->from || f->to) yes = MAKE(l, num_le, reg_num(l, 0), l->origin);
  if (f->from) yes = both(l, yes, MAKE(l, set_has, lower_sites(l, f->from), l->origin));
  if (f->to) yes = both(l, yes, MAKE(l, set_has, lower_sites(l, f->to), l->target));
  if (f->who) {
    Pieces who;
    Reg among = reg_num(l, 0), plane = MAKE(l, step_plane);
    lower_pieces(l, f->who, &who);
    PLANES_FOR(l, i)
      if ((who.planes >> i) & 1)
        among = MAKE(l, num_or, among,
                     both(l, MAKE(l, num_eq, plane, reg_num(l, i)), MAKE(l, set_has, who.at[i], l->origin)));
    yes = both(l, yes, among);
  }
  return both(l, yes, lower_holds(l, f));
}

static void return_if(Lower *l, Reg yes) {
  if (num_is(l, yes, 0)) return;
  block_unless_sure(l, yes);
  ACT(l, return_, reg_num(l, 1));
  block_end_unless_sure(l, yes);
}

void lower_leaves(Lower *l) {
  const Rules *rules = l->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    if (!f->leaves || f->judged != JUDGED_STEP) continue;
    l->rule = f->index;
    l->base = 1;
    l->made = false;
    l->choice_type = 0;
    Reg yes = both(l, phase_open(l, f), forbid_matches(l, f));
    l->base = 0;
    l->made = true;
    if (num_is(l, yes, 0)) continue;
    block_unless_sure(l, yes);
    l->clause = CLAUSE_LEAVES;
    return_if(l, lower_condition(l, f->leaves));
    block_end_unless_sure(l, yes);
    l->clause = -1;
  }
}

void lower_forbidden(Lower *l) {
  const Rules *rules = l->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    if (f->judged != JUDGED_END) continue;
    l->rule = f->index;
    Reg yes = both(l, phase_open(l, f), forbid_matches(l, f));
    if (f->leaves && !num_is(l, yes, 0)) yes = both(l, yes, lower_condition(l, f->leaves));
    return_if(l, yes);
  }
}
