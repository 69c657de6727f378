/* Making a step and firing rules: effects are gathered on the position as it stands, then all
 * carried out together.
 *
 *   gather:  Piece { plane, site } → { plane', site' or gone }      one entry a stack of a kind
 *            Cell  { cell } ← value, or += amount
 *   apply:   sources leave, then arrive; cells set, then raised, then kept in their ranges    */
#include "play/inside.h"

#include <assert.h>
#include <string.h>

#include "play/hooks.h"

enum { GONE = -1, STAYS = -2 };

typedef struct PieceChange {
  int16_t plane, site;
  int16_t to_plane, to_site;
  int32_t count;
} PieceChange;

typedef struct CellChange {
  int32_t cell;
  bool add;
  int64_t value;
} CellChange;

typedef struct Changes {
  Engine *engine;
  PieceChange *piece;
  size_t pieces, piece_room;
  CellChange *cell;
  size_t cells, cell_room;
  int phase; /* -1: stays */
  int gain[DICE_MAX], gains;
} Changes;

static void *grown(Engine *engine, void *old, size_t n, size_t *room, size_t size) {
  if (n < *room) return old;
  *room = *room ? *room * 2 : 16;
  void *new = engine_alloc(engine, *room * size);
  if (n) memcpy(new, old, n * size);
  return new;
}

static Changes changes_none(Engine *engine) {
  Changes c;
  memset(&c, 0, sizeof c);
  c.engine = engine;
  c.phase = -1;
  return c;
}

/* The change of what stands of a plane on a site; `count` of them (all, except for hooks). */
static PieceChange *piece_change(Changes *c, int plane, int site, int count) {
  for (size_t i = 0; i < c->pieces; i++)
    if (c->piece[i].plane == plane && c->piece[i].site == site) return &c->piece[i];
  c->piece = grown(c->engine, c->piece, c->pieces, &c->piece_room, sizeof *c->piece);
  PieceChange *new = &c->piece[c->pieces++];
  new->plane = new->to_plane = (int16_t)plane;
  new->site = (int16_t)site;
  new->to_site = STAYS;
  new->count = count;
  return new;
}

static void cell_change(Changes *c, int cell, bool add, int64_t value) {
  c->cell = grown(c->engine, c->cell, c->cells, &c->cell_room, sizeof *c->cell);
  CellChange change = {cell, add, value};
  c->cell[c->cells++] = change;
}

static void send(Changes *c, PieceChange *change, int to_site) {
  if (change->to_site != STAYS && change->to_site != to_site)
    engine_trouble(c->engine, "two effects send the %s on %s to different places",
                   c->engine->rules->kind[c->engine->rules->plane[change->plane].kind].name,
                   c->engine->rules->board.name[change->site]);
  change->to_site = (int16_t)to_site;
}

/* ---- gathering ---- */

static const uint16_t *counts(const EvalCtx *ctx) {
  return position_count(ctx->layout, ctx->pos);
}

static void gather_pieces(Changes *c, EvalCtx *ctx, const Effect *e) {
  const Rules *rules = ctx->rules;
  PieceSet set;
  eval_pieces(ctx, e->a, &set);
  int to_site = GONE;
  if (e->op == EFFECT_PUT) {
    to_site = eval_site(ctx, e->b);
    if (to_site < 0) return;
  }
  uint32_t owner = e->op == EFFECT_MAKE && e->b ? eval_players(ctx, e->b) : 0;
  for (uint32_t m = set.planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    SITES_FOR(site, set.at[plane]) {
      int count = counts(ctx)[plane * rules->board.sites + site];
      if (!count) continue;
      PieceChange *change = piece_change(c, plane, site, count);
      if (e->op != EFFECT_MAKE) {
        send(c, change, to_site);
        continue;
      }
      int seat = owner & (SEAT_NOBODY - 1) ? __builtin_ctz(owner) : rules->plane[plane].owner;
      int to_plane = rules->kind[e->kind].plane[seat];
      if (to_plane >= 0) change->to_plane = (int16_t)to_plane;
    }
  }
}

/* The value that a set gives to a cell of the state; false if there is none. */
static bool state_value(EvalCtx *ctx, const State *state, const Expr *e, int64_t *value) {
  switch (state->type) {
    case TYPE_NUMBER: *value = eval_number(ctx, e); return true;
    case TYPE_PLAYERS: {
      uint32_t players = eval_players(ctx, e);
      if (!players) return false;
      *value = players & (SEAT_NOBODY - 1) ? __builtin_ctz(players) : -1;
      return true;
    }
    case TYPE_SITES:
      *value = eval_site(ctx, e);
      return *value >= 0 || state->nobody;
    default: {
      SiteSet s = eval_values(ctx, e);
      *value = sites_first(&s);
      return *value >= 0;
    }
  }
}

static void gather_cell(Changes *c, EvalCtx *ctx, const Effect *e, int cell) {
  const State *state = &ctx->rules->state[e->state];
  int64_t value;
  if (e->op != EFFECT_SET) {
    value = eval_number(ctx, e->b);
    cell_change(c, cell, true, e->op == EFFECT_LOWER ? -value : value);
  } else if (state_value(ctx, state, e->b, &value)) {
    cell_change(c, cell, false, value);
  }
}

static void gather_state(Changes *c, EvalCtx *ctx, const Effect *e) {
  const State *state = &ctx->rules->state[e->state];
  if (!e->of) {
    gather_cell(c, ctx, e, state->cell);
  } else if (state->scope == SCOPE_SITE) {
    SiteSet of = eval_sites(ctx, e->of);
    int here = ctx->here;
    SITES_FOR(s, of) {
      ctx->here = s;
      if (s < state->cells) gather_cell(c, ctx, e, state->cell + s);
    }
    ctx->here = here;
  } else {
    uint32_t of = eval_players(ctx, e->of);
    int each = ctx->each;
    for (int s = 0; s < ctx->rules->seats; s++) {
      if (!((of >> s) & 1) || s >= state->cells) continue;
      ctx->each = s;
      gather_cell(c, ctx, e, state->cell + s);
    }
    ctx->each = each;
  }
}

static int phase_of_atom(const Rules *rules, int atom) {
  for (int i = 0; i < rules->phases; i++)
    if (rules->phase[i].atom == atom) return i;
  return -1;
}

/* Counters that only setup, given and scenarios may set; at once, on the position itself. */
static void set_counter(EvalCtx *ctx, const Effect *e, Position *p) {
  uint32_t of = e->of ? eval_players(ctx, e->of) : 0;
  switch (e->target) {
    case TARGET_TURN_COUNT: p->turn_count = (int32_t)eval_number(ctx, e->b); break;
    case TARGET_PASSES: p->passes = (int32_t)eval_number(ctx, e->b); break;
    case TARGET_QUIET: p->quiet = (int32_t)eval_number(ctx, e->b); break;
    case TARGET_STARTER: {
      uint32_t who = eval_players(ctx, e->b) & (SEAT_NOBODY - 1);
      if (who) p->starter = (int8_t)__builtin_ctz(who);
      break;
    }
    case TARGET_TURNS:
    case TARGET_OVERRUNS:
      for (int s = 0; s < ctx->rules->seats; s++) {
        if (!((of >> s) & 1)) continue;
        int32_t *which = e->target == TARGET_TURNS ? p->turns : p->overruns;
        which[s] = (int32_t)eval_number(ctx, e->b);
      }
      break;
    default: break;
  }
}

static void gather_hook(Changes *c, EvalCtx *ctx, const Effect *e) {
  const HookChange *list;
  int n;
  if (!hooks_effect(engine_hooks(ctx->engine), e->hook, ctx, &list, &n)) return;
  for (int i = 0; i < n; i++) {
    const HookChange *h = &list[i];
    if (h->op == HOOK_SET || h->op == HOOK_RAISE || h->op == HOOK_LOWER) {
      cell_change(c, h->cell, h->op != HOOK_SET, h->op == HOOK_LOWER ? -h->value : h->value);
      continue;
    }
    PieceChange *change = piece_change(c, h->plane, h->site, h->count);
    if (h->op == HOOK_MAKE)
      change->to_plane = (int16_t)h->to_plane;
    else
      send(c, change, h->op == HOOK_TAKE ? GONE : h->to_site);
  }
}

static void gather_effects(Changes *c, EvalCtx *ctx, const Effects *effects, Position *p) {
  for (int i = 0; i < effects->n; i++) {
    const Effect *e = &effects->at[i];
    switch (e->op) {
      case EFFECT_TAKE:
      case EFFECT_PUT:
      case EFFECT_MAKE: gather_pieces(c, ctx, e); break;
      case EFFECT_GAIN:
        if (c->gains < DICE_MAX) c->gain[c->gains++] = (int)eval_number(ctx, e->a);
        break;
      case EFFECT_HOOK: gather_hook(c, ctx, e); break;
      default:
        if (e->target == TARGET_STATE) {
          gather_state(c, ctx, e);
        } else if (e->target == TARGET_PHASE) {
          SiteSet phase = eval_values(ctx, e->b);
          c->phase = phase_of_atom(ctx->rules, sites_first(&phase));
        } else {
          set_counter(ctx, e, p);
        }
    }
  }
}

/* ---- applying ---- */

static int64_t in_range(const Rules *rules, int cell, int64_t v) {
  for (int s = 0; s < rules->states; s++) {
    const State *state = &rules->state[s];
    if (cell < state->cell || cell >= state->cell + state->cells || state->type != TYPE_NUMBER) continue;
    if (v < state->low) v = state->low;
    if (v > state->high) v = state->high;
  }
  return v;
}

/* Cells are set; then what raises and lowers one is added up and stops at the end of its range. */
static bool apply_cells(const Changes *c, Position *p) {
  const Rules *rules = c->engine->rules;
  bool changed = false, adds = false;
  int32_t *cells = position_cells(&c->engine->layout, p);
  for (size_t i = 0; i < c->cells; i++) {
    adds |= c->cell[i].add;
    if (c->cell[i].add) continue;
    int64_t v = in_range(rules, c->cell[i].cell, c->cell[i].value);
    changed |= cells[c->cell[i].cell] != v;
    cells[c->cell[i].cell] = (int32_t)v;
  }
  if (!adds) return changed;
  int64_t *sum = engine_alloc(c->engine, (size_t)rules->all_cells * sizeof *sum);
  for (size_t i = 0; i < c->cells; i++)
    if (c->cell[i].add) sum[c->cell[i].cell] += c->cell[i].value;
  for (int i = 0; i < rules->all_cells; i++) {
    if (!sum[i]) continue;
    int64_t v = in_range(rules, i, cells[i] + sum[i]);
    changed |= cells[i] != v;
    cells[i] = (int32_t)v;
  }
  return changed;
}

static void add_die(Position *p, int face) {
  if (p->dice >= DICE_MAX || face < 0 || face > 255) return;
  int at = p->dice++;
  while (at > 0 && p->die[at - 1] < face) {
    p->die[at] = p->die[at - 1];
    at--;
  }
  p->die[at] = (uint8_t)face;
}

static bool apply_pieces(const Changes *c, Position *p) {
  const Rules *rules = c->engine->rules;
  const Layout *layout = &c->engine->layout;
  bool changed = false;
  for (size_t i = 0; i < c->pieces; i++)
    position_add(rules, layout, p, c->piece[i].plane, c->piece[i].site, -c->piece[i].count);
  for (size_t i = 0; i < c->pieces; i++) {
    const PieceChange *m = &c->piece[i];
    int to_site = m->to_site == STAYS ? m->site : m->to_site;
    changed |= to_site != m->site || m->to_plane != m->plane;
    if (to_site != GONE) position_add(rules, layout, p, m->to_plane, to_site, m->count);
  }
  return changed;
}

/* Whether the position is another one than before. */
static bool apply(const Changes *c, Position *p) {
  bool changed = apply_pieces(c, p);
  changed |= apply_cells(c, p);
  if (c->phase >= 0) {
    changed |= p->phase != c->phase;
    p->phase = (int8_t)c->phase;
  }
  for (int i = 0; i < c->gains; i++) add_die(p, c->gain[i]);
  return changed || c->gains;
}

void effects_apply(Engine *engine, const Effects *effects, EvalCtx *ctx, Position *p) {
  Mark mark = engine_mark(engine);
  Changes c = changes_none(engine);
  gather_effects(&c, ctx, effects, p);
  apply(&c, p);
  engine_release(engine, mark);
}

/* ---- rules that fire: after, settle ---- */

/* The effects of a rule that fires, gathered. */
typedef struct Firing {
  Changes changes;
  Position *p;
  int fired;
} Firing;

static void fire_member(EvalCtx *ctx, const Rule *rule, void *with) {
  Firing *f = with;
  if (!rule_holds(ctx, rule)) return;
  gather_effects(&f->changes, ctx, &rule->do_, f->p);
  f->fired++;
}

int rule_fire_in(EvalCtx *ctx, const Rule *rule, Position *p) {
  Engine *engine = ctx->engine;
  Mark mark = engine_mark(engine);
  Firing f = {changes_none(engine), p, 0};
  rule_each(ctx, rule, fire_member, &f);
  Position *before = NULL;
  if (f.fired && engine->watch) {
    before = engine_block(engine, engine->layout.size);
    position_copy(before, p);
  }
  bool changed = f.fired && apply(&f.changes, p);
  if (before) engine->watch(engine->watch_with, rule, before, p);
  engine_release(engine, mark);
  uint16_t *uses = position_uses(&engine->layout, p);
  uses[rule->index] = (uint16_t)(uses[rule->index] + f.fired);
  if (changed || (f.fired && rule->counted)) ctx->stamp = engine_stamp(engine);
  return f.fired;
}

int rule_fire(Engine *engine, const Rule *rule, Position *p, bool made) {
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = made;
  return rule_fire_in(&ctx, rule, p);
}

/* ---- captures ---- */

typedef struct Capturing {
  Engine *engine;
  Position *p;
  Changes changes;
  CapturedList *list;
  SiteSet *taken; /* per plane; in the position only when all rules have been asked */
  uint16_t *uses; /* likewise */
  int taken_n;
  int step;
} Capturing;

static void capture_victims(EvalCtx *ctx, const Rule *rule, void *with) {
  Capturing *c = with;
  const Rules *rules = ctx->rules;
  PieceSet victims;
  eval_pieces(ctx, rule->take, &victims);
  for (uint32_t m = victims.planes; m; m &= m - 1) {
    int plane = __builtin_ctz(m);
    SITES_FOR(site, victims.at[plane]) {
      int count = counts(ctx)[plane * rules->board.sites + site];
      if (!count) continue;
      ctx->victim_plane = plane;
      ctx->victim_site = site;
      if (!rule_holds(ctx, rule)) continue;
      if (rule->do_.n)
        gather_effects(&c->changes, ctx, &rule->do_, c->p);
      else
        send(&c->changes, piece_change(&c->changes, plane, site, count), GONE);
      c->uses[rule->index]++;
      if (sites_has(&c->taken[plane], site)) continue;
      sites_add(&c->taken[plane], site);
      c->taken_n += count;
      Captured captured = {(int16_t)site, (int16_t)plane, (int16_t)count, (int16_t)rule->index,
                           (int16_t)c->step};
      if (c->list) VEC_PUSH(*c->list, captured);
    }
  }
  ctx->victim_plane = ctx->victim_site = -1;
}

static void make_captures(Engine *engine, Position *p, EvalCtx *ctx, CapturedList *list) {
  const Rules *rules = engine->rules;
  if (!rules->of_kind_n[RULE_CAPTURE]) return;
  Mark mark = engine_mark(engine);
  Capturing c = {.engine = engine, .p = p, .changes = changes_none(engine), .list = list, .step = p->steps - 1};
  c.taken = engine_alloc(engine, (size_t)rules->planes * sizeof *c.taken);
  c.uses = engine_alloc(engine, (size_t)rules->rules * sizeof *c.uses);
  for (int i = 0; i < rules->of_kind_n[RULE_CAPTURE]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_CAPTURE][i]];
    if (rule_open(rule, p)) rule_each(ctx, rule, capture_victims, &c);
  }
  if (c.taken_n) {
    uint16_t *uses = position_uses(&engine->layout, p);
    apply(&c.changes, p);
    memcpy(position_taken(&engine->layout, p), c.taken, (size_t)rules->planes * sizeof *c.taken);
    for (int i = 0; i < rules->rules; i++) uses[i] = (uint16_t)(uses[i] + c.uses[i]);
    p->taken_n = c.taken_n;
    p->captured += c.taken_n;
    ctx->stamp = engine_stamp(engine);
  }
  engine_release(engine, mark);
}

/* ---- the step ---- */

static void spend_die(Position *p, int die) {
  for (int i = 0; i < p->dice; i++) {
    if (p->die[i] != die) continue;
    memmove(&p->die[i], &p->die[i + 1], (size_t)(p->dice - i - 1));
    p->die[--p->dice] = 0; /* the whole row tells two moments apart */
    p->dice_used++;
    p->pips_used = (int16_t)(p->pips_used + die);
    return;
  }
}

static void note_step(Engine *engine, Position *p, const Step *step) {
  const Rules *rules = engine->rules;
  uint16_t *uses = position_uses(&engine->layout, p);
  if (p->steps == 0) memset(uses, 0, (size_t)rules->rules * sizeof *uses);
  memset(position_taken(&engine->layout, p), 0, (size_t)rules->planes * sizeof(SiteSet));
  p->prev_target = p->steps ? p->last_target : -1;
  p->taken_n = 0;
  p->steps++;
  p->last_rule = step->rule;
  p->last_plane = step->plane;
  p->last_origin = step->origin;
  p->last_target = step->target;
  p->last_die = step->die;
  if (step->origin >= 0) {
    p->turn_origin = step->origin;
    p->turn_target = step->target;
  }
  if (uses[step->rule] < UINT16_MAX) uses[step->rule]++;
}

void step_effects(Engine *engine, const Step *step, const SiteSet *between, Position *p,
                  CapturedList *list) {
  const Rules *rules = engine->rules;
  const Rule *rule = &rules->rule[step->rule];
  EvalCtx ctx = step_context(engine, p, step, between);
  ctx.made = true;
  if (rule->do_.n) {
    effects_apply(engine, &rule->do_, &ctx, p);
    ctx.stamp = engine_stamp(engine);
  }
  if (step->plane >= 0) make_captures(engine, p, &ctx, list);
  for (int i = 0; i < rules->of_kind_n[RULE_AFTER]; i++) {
    const Rule *after = &rules->rule[rules->of_kind[RULE_AFTER][i]];
    if (rule_open(after, p)) rule_fire_in(&ctx, after, p);
  }
}

void step_make(Engine *engine, const Position *from, const Step *step, const SiteSet *between,
               Position *to, CapturedList *list) {
  const Rules *rules = engine->rules;
  position_copy(to, from);
  note_step(engine, to, step);
  if (step->plane >= 0) {
    position_add(rules, &engine->layout, to, step->plane, step->origin, -1);
    position_add(rules, &engine->layout, to, step->plane, step->target, 1);
  }
  if (step->die >= 0) spend_die(to, step->die);
  step_effects(engine, step, between, to, list);
}

const Rule *step_leaves(Engine *engine, const Position *from, const Step *step,
                        const SiteSet *between, const Position *to) {
  const Rules *rules = engine->rules;
  if (!engine->leaves) return NULL;
  EvalCtx before = step_context(engine, from, step, between);
  EvalCtx after = step_context(engine, to, step, between);
  after.made = true;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    if (!f->leaves || f->judged != JUDGED_STEP || !rule_open(f, from)) continue;
    if (forbid_matches(&before, f, step) && eval_condition(&after, f->leaves)) return f;
  }
  return NULL;
}
