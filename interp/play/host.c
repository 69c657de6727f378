/* What only the reference can do for a kernel: scripts, and sections with something that is not
 * lowered. The position goes over as one of the reference's, and all that has changed comes back. */
#include <stdio.h>
#include <string.h>

#include "play/inside.h"
#include "play/kernel.h"

/* What is asked: the position, in the turn of a seat, and the step in hand. */
typedef struct Asked {
  KernelPlayer *player;
  Engine *engine;
  const Kernel *kernel;
  Position *p, *before; /* of the reference */
  const MachineStep *by;
  int seat;
  bool changes; /* the position goes back */
  Step step;
  SiteSet between;
} Asked;

/* ---- steps ---- */

static bool chooses_value(const Kernel *k, int rule, int32_t chosen) {
  const Rule *r = &k->rules->rule[rule];
  return r->choose_n && r->choose[0]->type == TYPE_VALUES && chosen >= 0;
}
Step kernel_step(const Kernel *k, const MachineStep *m) {
  int32_t chosen = m->chosen;
  if (m->plane < 0 && chooses_value(k, m->rule, chosen)) chosen = k->program->atom_of_value[chosen];
  return (Step){m->rule, m->plane, m->origin, m->target, m->die, m->choice, chosen};
}

/* The site after one along a way; `index`: its place on a path. -1: there is none. */
static int next_on(const Rules *rules, int way, int site, int *index) {
  if (way < WAY_PATHS) return rules->board.next[way][site];
  const Path *path = &rules->path[way - WAY_PATHS];
  if (*index < 0 || (++*index >= path->n && path->wrap < 0)) return -1;
  if (*index >= path->n) *index = path->wrap;
  return path->site[*index];
}
static bool leads(const Rules *rules, int way, int origin, int target, SiteSet *between) {
  int index = way < WAY_PATHS ? 0 : rules->path[way - WAY_PATHS].index_of[origin];
  *between = sites_none();
  if (way < WAY_PATHS && origin >= rules->board.squares) return false;
  for (int i = 0, site = origin; i < PATH_MAX * 2; i++) {
    site = next_on(rules, way, site, &index);
    if (site < 0) return false;
    if (site == target) return true;
    sites_add(between, site);
  }
  return false;
}

bool kernel_way(const Rules *rules, const MachineStep *m, SiteSet *between) {
  return leads(rules, m->way, m->origin, m->target, between);
}

static void bind_step(Asked *a) {
  const MachineStep *m = a->by;
  a->step = kernel_step(a->kernel, m);
  a->between = sites_none();
  if (m->plane < 0 || m->way == WAY_ANYWHERE) return;
  if (!kernel_way(a->kernel->rules, m, &a->between)) a->between = sites_none();
}

static bool add_candidate(void *with, const Step *step, const SiteSet *between) {
  Asked *a = with;
  const Rules *rules = a->kernel->rules;
  MachineStep m = {step->rule, step->plane, step->origin, step->target, step->die, step->choice, WAY_ANYWHERE, step->chosen};
  SiteSet over;
  if (step->plane < 0 && chooses_value(a->kernel, step->rule, step->chosen))
    m.chosen = a->kernel->program->value_of_atom[step->chosen];
  for (int way = 0; way < WAY_PATHS + rules->paths && step->plane >= 0 && m.way == WAY_ANYWHERE; way++) {
    if (way == rules->board.dirs) way = WAY_PATHS;
    if (way == WAY_PATHS + rules->paths) break;
    if (leads(rules, way, step->origin, step->target, &over) && sites_equal(&over, between)) m.way = (int16_t)way;
  }
  a->kernel->api->candidate(a->player->ctx, &m);
  return true;
}

/* ---- sections ---- */

static int64_t duty(Asked *a, int i) {
  const Rules *rules = a->kernel->rules;
  const Rule *must = &rules->rule[rules->of_kind[RULE_MUST][i / 2]];
  a->p->mover = (int8_t)a->seat;
  if (!rule_open(must, a->p)) return 0;
  Duty d = turn_duty(a->engine, must, a->p);
  return i & 1 ? d.value : d.concerned ? 1 + d.exempt : 0;
}

static int64_t judge(Asked *a, Judged judged) {
  a->changes = true;
  return outcome_judge(a->engine, a->p, judged);
}

static int64_t section(Asked *a, SectionKind kind) {
  switch (kind) {
    case SECTION_GEN: return step_candidates(a->engine, a->p, true, add_candidate, a);
    case SECTION_MAKE:
      bind_step(a);
      a->changes = true;
      step_effects(a->engine, &a->step, &a->between, a->p, NULL);
      return 0;
    case SECTION_LEAVES:
      bind_step(a);
      return step_leaves(a->engine, a->before, &a->step, &a->between, a->p) != NULL;
    case SECTION_JUDGE_STEP: return judge(a, JUDGED_STEP);
    case SECTION_JUDGE_END: return judge(a, JUDGED_END);
    case SECTION_JUDGE_START: return judge(a, JUDGED_START);
    case SECTION_SCORE:
      a->changes = true;
      outcome_score(a->engine, a->p);
      return 0;
    case SECTION_GOING: {
      Going go = turn_going(a->engine, a->p);
      return go.on + 2 * go.may_stop;
    }
    case SECTION_SETTLE: a->changes = true; return outcome_settle(a->engine, a->p);
    case SECTION_NEXT: return engine_next_seat(a->engine, a->p);
    case SECTION_REROLL: return turn_rerolls(a->engine, a->p);
    case SECTION_FORBIDDEN: return turn_forbidden(a->engine, a->before, a->p) != NULL;
    default: return duty(a, (int)kind - SECTION_MUST);
  }
}

/* ---- the way over and back ---- */

static void take_over(const Asked *a, const void *position, Position *p) {
  kernel_store(a->kernel, engine_layout(a->engine), position, p);
  if (p->turn_mover < 0) p->turn_mover = (int8_t)a->seat;
}

static bool complain(KernelPlayer *player, const char *why) {
  snprintf(player->complaint, sizeof player->complaint, "%s", why);
  return false;
}

static bool give_back(const Asked *a, void *position) {
  for (int s = 0; s < a->kernel->rules->seats; s++) {
    double worth = a->p->score[s] * WORTH_UNIT, whole = (double)(int64_t)(worth < 0 ? worth - 0.5 : worth + 0.5);
    if (worth - whole > 1e-6 || whole - worth > 1e-6)
      return complain(a->player, "a score of other parts than twelfths: only the reference engine keeps those");
  }
  if (kernel_load_into(a->kernel, engine_layout(a->engine), a->p, position)) return true;
  return complain(a->player, "a script has put more pieces on the board than the kernel counts");
}

static void history(Asked *a, int what, const void *position) {
  if (what == MACHINE_FORGET) a->engine->history.n = 0;
  if (what == MACHINE_POP) engine_pop(a->engine);
  if (what != MACHINE_PUSH) return;
  take_over(a, position, a->p);
  engine_push(a->engine, a->p);
}

static int64_t answer_to(Asked *a, int what) {
  if (what == MACHINE_STEPS) return turn_any_step(a->engine, a->p);
  if (what < 0) return section(a, (SectionKind)~what);
  a->changes = true;
  return rule_fire(a->engine, &a->kernel->rules->rule[what], a->p, true);
}

static int32_t serve(void *with, void *position, const void *before, const MachineStep *step, int32_t seat,
                     int32_t what, int64_t *answer) {
  KernelPlayer *player = with;
  Asked a = {.player = player, .engine = player->engine, .kernel = player->kernel, .p = player->p,
             .before = player->before, .by = step, .seat = seat};
  if (what >= MACHINE_PUSH && what <= MACHINE_FORGET) {
    history(&a, what, position);
    return 1;
  }
  take_over(&a, position, a.p);
  if (before == position)
    position_copy(a.before, a.p);
  else
    take_over(&a, before, a.before);
  Mark mark = engine_mark(a.engine);
  *answer = answer_to(&a, what);
  engine_release(a.engine, mark);
  const char *complaint = engine_complaint(a.engine);
  if (complaint) return complain(player, complaint);
  return !a.changes || give_back(&a, position);
}

void kernel_open(const Kernel *k, KernelPlayer *player) {
  memset(player, 0, sizeof *player);
  player->kernel = k;
  player->ctx = k->api->open(k->game);
  if (!k->program->slow) return;
  player->engine = engine_new(k->rules);
  player->p = engine_position(player->engine);
  player->before = engine_position(player->engine);
  k->api->host(player->ctx, serve, player);
}
void kernel_close(KernelPlayer *player) {
  player->kernel->api->close(player->ctx);
  if (!player->engine) return;
  memory_resize(player->p, 0);
  memory_resize(player->before, 0);
  engine_free(player->engine);
}
