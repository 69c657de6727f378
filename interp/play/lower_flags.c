/* What the drivers go by: whether turns are single steps, whether steps can be picked without being
 * made, whether their order matters. All of it is read off rules and list; when in doubt, no. */
#include "play/inside.h"
#include "play/lower.h"

#include <string.h>

/* ---- steps whose order does not matter ---- */

static bool is_moved(const Expr *e) { return e->op == X_SITES_OF && e->kid[0]->op == X_MOVED; }

/* Enemy pieces, perhaps on some constant sites. */
static bool is_enemies(const Expr *e) {
  if (e->op == X_LET) return is_enemies(e->kid[0]);
  if (e->op == X_PIECES_AT || e->op == X_PIECES_OFF)
    return is_enemies(e->kid[0]) && e->kid[1]->op == X_SITES_CONST;
  if (e->op != X_PIECES_KIND) return false;
  const Expr *who = e->kid[0];
  return who->op == X_OPPONENT ||
         (who->op == X_MINUS && who->kid[0]->op == X_PLAYERS_CONST && who->kid[1]->op == X_MOVER);
}
/* What looks at nothing but the enemies on the site where the piece has landed. */
static bool is_local(const Expr *e) {
  if (!e) return true;
  switch (e->op) {
    case X_PIECES_AT: return is_enemies(e->kid[0]) && is_moved(e->kid[1]);
    case X_NUMBER:
    case X_TRUE:
    case X_FALSE: return true;
    case X_COUNT:
    case X_SOME:
    case X_NONE:
    case X_NOT:
    case X_AND:
    case X_OR:
    case X_EQ:
    case X_NE:
    case X_LT:
    case X_LE:
    case X_LET: return is_local(e->kid[0]) && is_local(e->kid[1]);
    default: return false;
  }
}
static bool steps_commute(const Lower *l) {
  const Rules *rules = l->rules;
  const Program *p = l->p;
  if (!p->all_dice || p->leaves || p->judged_end || l->step_varying) return false;
  if (rules->of_kind_n[RULE_AFTER] || rules->rules * rules->board.sites > 30000) return false;
  for (int f = F_LAST_RULE; f <= F_TAKEN_N; f++)
    if (l->field_read[f]) return false;
  for (int i = 0; i < rules->rules; i++) {
    const Rule *r = &rules->rule[i];
    if (!r->exists) continue;
    if (l->field_read[F_USES + i]) return false;
    if (r->kind == RULE_MOVE && r->do_.n) return false;
    if (r->kind != RULE_CAPTURE) continue;
    if (r->for_ || !is_local(r->take) || r->take->op != X_PIECES_AT || !is_local(r->when) || !is_local(r->unless))
      return false;
    for (int k = 0; k < r->do_.n; k++) {
      const Effect *e = &r->do_.at[k];
      if (e->op != EFFECT_PUT || e->a->op != X_VICTIM || e->b->op != X_SITES_CONST) return false;
    }
  }
  return p->dice_slots <= 4;
}

/* Whether the obligations look at nothing but the dice that have been spent and numbers that no step
 * changes. */
static bool musts_by_dice(const Lower *l) {
  const Program *p = l->p;
  static const int fields[] = {F_DICE_USED, F_PIPS_USED, F_DOUBLED, F_TURN_COUNT, F_QUIET, F_PASSES, F_STARTER};
  for (int i = 0; i < p->ops; i++) {
    const Op *op = &p->op[i];
    if (lower_section_of(p, i) < SECTION_MUST) continue;
    if (op->code == O_load_num) {
      bool known = false;
      for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) known |= op->a[2] == fields[k];
      if (!known) return false;
    } else if (strpbrk(op_form(op->code), "PS") && op->code != O_return_) {
      return false;
    }
  }
  return true;
}

/* Whether the ways of every die along the paths are tabled. */
static bool hops_known(const Lower *l) {
  const Program *p = l->p;
  int most = 0;
  for (int i = 0; i < l->rules->pools; i++) {
    const DicePool *pool = &l->rules->pool[i];
    for (int k = 0; k < pool->faces; k++) most = pool->face[k] > most ? pool->face[k] : most;
    for (int k = 0; pool->total && k <= pool->total_high - pool->total_low; k++)
      most = pool->total_value[k] > most ? pool->total_value[k] : most;
  }
  for (int i = 0; i < l->rules->paths; i++)
    for (int k = 1; k <= p->hop_steps; k++)
      if (p->hops[i][k] < 0) return false;
  return most <= p->hop_steps;
}

/* Whether what is captured goes where nobody lands: else the order of two steps would matter. */
static bool victims_out_of_the_way(const Lower *l) {
  const Rules *rules = l->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_CAPTURE]; i++) {
    const Effects *do_ = &rules->rule[rules->of_kind[RULE_CAPTURE][i]].do_;
    for (int k = 0; k < do_->n; k++)
      for (int s = 0; s < rules->seats; s++) {
        const SiteSet *to = do_->at[k].b->data;
        SITES_FOR(site, *to) if (rules->path[l->p->dice_path[s]].index_of[site] > 0) return false;
      }
  }
  return true;
}

/* Whether each seat has one rule by the exact die along a path of its own, and perhaps one by a
 * larger die to the path's last stop, and nothing is asked of single candidates. */
static bool is_plain_dice(const Lower *l) {
  const Rules *rules = l->rules;
  Program *p = l->p;
  if (!p->commute || !p->late || rules->phases > 1 || rules->board.sites > 64 || !musts_by_dice(l) || !hops_known(l))
    return false;
  const TurnShape *t = &rules->phase[0].turn;
  if (t->again || t->steps_low || t->steps_high) return false;
  for (int s = 0; s < rules->seats; s++) {
    p->dice_path[s] = p->dice_plane[s] = p->dice_exact[s] = p->dice_high[s] = -1;
    int at = p->section[s][SECTION_GEN];
    for (; at >= 0 && at < p->ops && lower_section_of(p, at) == SECTION_GEN; at++) {
      const Op *op = &p->op[at];
      if (op->code == O_for_steps || op->code == O_emit_walk || op->code == O_emit_jump || op->code == O_emit_choice)
        return false;
      if (op->code == O_return_ || op->code != O_emit_path) continue;
      const Rule *r = &rules->rule[op->a[0]];
      const Path *path = &rules->path[op->a[3]];
      if (path->wrap >= 0 || r->through) return false;
      if ((p->dice_path[s] >= 0 && p->dice_path[s] != op->a[3]) ||
          (p->dice_plane[s] >= 0 && p->dice_plane[s] != op->a[1]))
        return false;
      p->dice_path[s] = op->a[3];
      p->dice_plane[s] = op->a[1];
      bool exact = op->a[7] == op->a[8] && op->a[7] == op->a[2];
      int *rule = exact ? &p->dice_exact[s] : &p->dice_high[s];
      if (*rule >= 0) return false;
      *rule = op->a[0];
      if (exact) continue;
      const Expr *high = r->reach_high; /* reach 1 .. die - 1 */
      bool short_of = num_is(l, op->a[7], 1) && high && high->op == X_SUB && high->kid[0]->op == X_DIE &&
                      high->kid[1]->op == X_NUMBER && high->kid[1]->a == 1;
      if (!short_of || !r->to || r->to->op != X_SITES_CONST) return false;
      SiteSet last = sites_one(path->site[path->n - 1]);
      if (!sites_equal(&last, r->to->data)) return false;
    }
    if (p->dice_exact[s] < 0 || rules->plane[p->dice_plane[s]].owner != s) return false;
  }
  return victims_out_of_the_way(l);
}

/* Whether nothing that comes after the last step of a turn moves a piece, and no script is in the game. */
static bool pieces_stay(const Program *p) {
  for (int i = 0; i < p->ops; i++) {
    int code = p->op[i].code, section = lower_section_of(p, i);
    bool moves = code == O_store_set || code == O_piece_add || code == O_pieces_leave || code == O_pieces_turn ||
                 code == O_list_carry;
    if (moves && section != SECTION_MAKE) return false;
  }
  return !p->hosted && !p->slow;
}

/* Whether of turns that have spent the same dice those that come to the same position fare alike: obligations and
 * rules of complete turns look at nothing else that a step changes. */
static bool dones_alike(const Lower *l) {
  const Program *p = l->p;
  const Rules *rules = l->rules;
  static const int fields[] = {F_DICE_USED, F_PIPS_USED, F_DOUBLED, F_TURN_COUNT, F_QUIET,  F_PASSES,  F_STARTER,
                               F_MOVER,     F_ACTIVE,    F_PHASE,   F_TURN_PHASE, F_DICE0,  F_DICE1};
  for (int i = 0; i < p->ops; i++) {
    const Op *op = &p->op[i];
    if (lower_section_of(p, i) < SECTION_FORBIDDEN) continue;
    if (op->code >= O_step_rule && op->code <= O_step_between) return false;
    if (op->code == O_load_set && op->a[2] >= p->plane_sets) return false;
    bool cells = op->code == O_load_cell || op->code == O_old_cell || op->code == O_cells_in || op->code == O_old_cells_in;
    if (op->code != O_load_num && !cells) {
      if (op->code >= O_ask_stuck && op->code <= O_ask_section) return false;
      continue;
    }
    bool known = op->a[2] >= F_CELL && op->a[2] < F_CELL + rules->cells; /* of the game, not of the turn */
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) known |= op->a[2] == fields[k];
    if (!known) return false;
  }
  return true;
}

/* Whether two ways to one result may take different numbers of pieces: some piece that was taken may be as it was
 * when the turn is over. Captures of plain dice go where no step of the turn reaches. */
static bool takes_differ(const Program *p) {
  bool takes = p->hosted && p->rules->of_kind_n[RULE_CAPTURE];
  for (int i = 0; i < p->ops; i++) takes |= p->op[i].code == O_store_num && p->op[i].a[1] == F_CAPTURED;
  return takes && !p->direct && !p->plain_dice;
}

void lower_set_flags(Lower *l) {
  Program *p = l->p;
  const Rules *rules = l->rules;
  p->musts = rules->of_kind_n[RULE_MUST];
  p->single = true;
  for (int i = 0; i < rules->phases; i++) {
    const TurnShape *t = &rules->phase[i].turn;
    if (t->again || t->steps_low || t->steps_high || t->pool >= 0) p->single = false;
  }
  p->all_dice = rules->of_kind_n[RULE_CHOICE] == 0;
  for (int i = 0; i < rules->of_kind_n[RULE_MOVE]; i++)
    p->all_dice &= rules->rule[rules->of_kind[RULE_MOVE][i]].takes_die;
  for (int i = 0; i < rules->phases; i++) {
    const TurnShape *t = &rules->phase[i].turn;
    if (t->pool < 0) p->all_dice = false;
  }
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++) {
    const Rule *f = &rules->rule[rules->of_kind[RULE_FORBID][i]];
    p->leaves |= f->leaves && f->judged == JUDGED_STEP;
    p->judged_end |= f->judged == JUDGED_END;
  }
  for (int kind = RULE_WIN; kind <= RULE_DRAW; kind++)
    for (int i = 0; i < rules->of_kind_n[kind]; i++)
      p->starts |= rules->rule[rules->of_kind[kind][i]].judged == JUDGED_START;
  p->late = rules->of_kind_n[RULE_SETTLE] == 0 && !l->varying_read && !p->hosted;
  bool distinct = true;
  for (int s = 0; s < rules->seats; s++)
    for (int k = 0; k < rules->planes; k++) distinct &= l->emitters[s][k] <= 1;
  p->direct = p->single && p->late && !p->leaves && !p->judged_end && !p->musts && distinct &&
              !l->own_changed && rules->of_kind_n[RULE_CHOICE] == 0;
  /* turns to one position that a later turn may tell apart are told apart when they are finished */
  if (!p->direct && rules->mentions & (MENTION_LAST | MENTION_QUIET)) p->late = false;
  bool gains = p->hosted;
  for (int i = 0; i < p->ops; i++) gains |= p->op[i].code == O_gain_die || p->op[i].code == O_list_gain;
  p->wanders = !p->single && turns_wander(rules);
  for (int i = 0; i < rules->phases; i++)
    if (rules->phase[i].turn.steps_low) {
      p->counted_phases |= (uint64_t)1 << i;
      if (!rules->phase[i].turn.again) p->bounded_phases |= (uint64_t)1 << i;
    }
  p->dice_slots = 1;
  for (int i = 0; i < rules->pools; i++) {
    int dice = rules->pool[i].total ? 1 : rules->pool[i].dice;
    if (dice > p->dice_slots) p->dice_slots = dice;
  }
  p->spends = p->all_dice && !gains && !p->single;
  p->apart = p->spends && distinct && !l->own_changed;
  p->told_early = p->spends && p->late && dones_alike(l);
  p->pieces_stay = pieces_stay(p);
  p->commute = !gains && steps_commute(l);
  p->plain_dice = is_plain_dice(l);
  p->takes = takes_differ(p);
  p->calm = p->plain_dice;
  for (int s = 0; s < rules->seats; s++) p->calm &= p->section[s][SECTION_CALM] >= 0;
  if (!p->calm) lower_drop_calm(p);
  p->whole = p->direct;
  p->lone = p->whole && !p->slow && lower_lines_lone(l);
  for (int i = 0; i < p->ops; i++) {
    p->whole &= p->op[i].code != O_for_steps;
    p->lone &= p->op[i].code != O_step_between;
    p->repeats |= p->op[i].code == O_ask_repeats;
  }
  p->lone &= p->whole;
  p->repeats |= p->hosted && rules->mentions & MENTION_REPEATS;
  p->repeats_early = p->repeats && rules->mentions & MENTION_REPEATS_EARLY;
}
