/* What a game mentions: history that must be kept, and whether sites may hold more than
 * one piece. Looks only at rules that exist and at what folding has left of them. */
#include "front/resolve.h"

#include <string.h>

typedef struct Mention {
  uint32_t flags;
  bool after_step; /* the expression is judged while the step is being made */
} Mention;

static void mention(void *data, const Expr *e) {
  Mention *m = data;
  switch (e->op) {
    case X_REPEATS:
      m->flags |= MENTION_REPEATS;
      break;
    case X_LAST_ORIGIN:
    case X_LAST_TARGET:
      m->flags |= MENTION_LAST;
      break;
    case X_PREVIOUS:
      m->flags |= MENTION_PREVIOUS;
      break;
    case X_MOVED:
    case X_VICTIMS:
      if (!m->after_step) m->flags |= MENTION_MOVED;
      break;
    case X_QUIET:
      m->flags |= MENTION_QUIET;
      break;
    case X_PASSES:
      m->flags |= MENTION_PASSES;
      break;
    case X_TURNS:
    case X_TURN_COUNT:
    case X_ROUND_OVER:
      m->flags |= MENTION_TURNS;
      break;
    case X_USES:
    case X_CAPTURED:
      m->flags |= MENTION_ORDER;
      break;
    case X_STUCK:
    case X_DEAD:
      m->flags |= MENTION_STUCK;
      break;
    default:
      break;
  }
}

static void look(Build *build, Mention *m, const Expr *e) {
  build->mark++;
  expr_visit(build, e, mention, m);
}

static void look_effects(Build *build, Mention *m, Effects effects) {
  for (int i = 0; i < effects.n; i++) {
    look(build, m, effects.at[i].of);
    look(build, m, effects.at[i].a);
    look(build, m, effects.at[i].b);
  }
}

static void note_early(Mention *m) {
  if (m->flags & MENTION_REPEATS) m->flags |= MENTION_REPEATS_EARLY;
}

static void look_rule(Build *build, Mention *m, const Rule *r) {
  const Expr *parts[] = {r->when,  r->unless,    r->for_,       r->who,     r->from,
                         r->along, r->reach_low, r->reach_high, r->through, r->to,
                         r->take,  r->leaves,    r->maximize,   r->winner,  r->loser,
                         r->among, r->worth};
  bool late = (r->kind == RULE_WIN || r->kind == RULE_LOSE || r->kind == RULE_DRAW) && r->judged != JUDGED_START;
  uint32_t before = m->flags;
  m->flags &= ~(uint32_t)MENTION_REPEATS;
  m->after_step = r->kind == RULE_CAPTURE || r->kind == RULE_AFTER;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) look(build, m, parts[i]);
  for (int i = 0; i < r->choose_n; i++) look(build, m, r->choose[i]);
  look_effects(build, m, r->do_);
  look_effects(build, m, r->accept);
  look_effects(build, m, r->decline);
  if (!late) note_early(m);
  m->flags |= before;
}

/* A script may ask for every counter of a position, and for every let. */
static void look_scripts(Build *build, Mention *m) {
  m->flags |= MENTION_MOVED | MENTION_PREVIOUS | MENTION_ORDER | MENTION_QUIET | MENTION_PASSES | MENTION_TURNS;
  for (int i = 0; i < build->rules->lets; i++) {
    const Let *let = &build->let[i];
    look(build, m, let->expr);
    for (int s = 0; s < SEATS_MAX; s++) look(build, m, let->by[s]);
  }
  note_early(m);
}

/* Whether a set of sites is certainly within the free squares and the pockets. */
static bool is_free(const Build *build, const Expr *e) {
  if (!e || e->cost > 1e6) return false;
  switch (e->op) {
    case X_SITES_EMPTY:
      return true;
    case X_SITES_CONST:
      return sites_within(e->data, &build->rules->board.pockets);
    case X_MINUS:
    case X_WHERE:
    case X_LET:
      return is_free(build, e->kid[0]);
    case X_MEET:
      return is_free(build, e->kid[0]) || is_free(build, e->kid[1]);
    case X_UNION:
      return is_free(build, e->kid[0]) && is_free(build, e->kid[1]);
    default:
      return false;
  }
}

/* All pieces of whoever moves, or with `enemy` of all others. */
static bool is_everything(const Build *build, const Expr *e, bool enemy) {
  while (e->op == X_LET || e->op == X_SITES_OF) e = e->kid[0];
  if (e->op != X_PIECES_KIND || (uint32_t)e->a != (1u << build->rules->kinds) - 1) return false;
  const Expr *who = e->kid[0];
  if (!enemy) return who->op == X_MOVER;
  return who->op == X_MINUS && who->kid[1]->op == X_MOVER && who->kid[0]->op == X_PLAYERS_CONST &&
         ((uint32_t)who->kid[0]->a & build->seated) == build->seated;
}

/* Whether a set of sites is certainly without pieces of whoever moves. */
static bool is_friendless(const Build *build, const Expr *e) {
  if (is_free(build, e)) return true;
  if (!e || e->cost > 1e6) return false;
  switch (e->op) {
    case X_MINUS:
      return is_everything(build, e->kid[1], false) || is_friendless(build, e->kid[0]);
    case X_WHERE:
    case X_LET:
      return is_friendless(build, e->kid[0]);
    case X_MEET:
      return is_friendless(build, e->kid[0]) || is_friendless(build, e->kid[1]);
    case X_UNION:
      return is_friendless(build, e->kid[0]) && is_friendless(build, e->kid[1]);
    default:
      return false;
  }
}

/* Whether every enemy piece that is landed on leaves the game, and none changes sides: then a piece may stand
 * beside an enemy's while the step is being made, but not when it is done, and never beside one of its own side. */
static bool all_displaced(const Build *build) {
  bool displaced = false;
  for (int i = 0; i < build->rules->rules; i++) {
    const Rule *r = &build->rule[i];
    if (!r->exists) continue;
    for (int k = 0; k < r->do_.n; k++)
      if (r->do_.at[k].op == EFFECT_MAKE && r->do_.at[k].b) return false;
    if (r->kind != RULE_CAPTURE || r->phase >= 0 || r->when || r->unless || r->for_ || r->who || r->from || r->do_.n)
      continue;
    const Expr *take = r->take, *at = take && take->op == X_PIECES_AT ? take->kid[1] : NULL;
    displaced |= at && at->op == X_SITES_OF && at->kid[0]->op == X_MOVED && is_everything(build, take->kid[0], true);
  }
  return displaced;
}

static bool puts_on_board(const Build *build, Effects effects) {
  for (int i = 0; i < effects.n; i++)
    if (effects.at[i].op == EFFECT_PUT && !is_free(build, effects.at[i].b)) return true;
  return false;
}

static bool may_stack(Build *build) {
  Rules *rules = build->rules;
  if (rules->board.shape == BOARD_POINTS || !sites_is_empty(&rules->board.pockets))
    return true;
  bool displaced = all_displaced(build);
  for (int i = 0; i < rules->rules; i++) {
    const Rule *r = &build->rule[i];
    if (!r->exists) continue;
    if (r->kind == RULE_MOVE && !(displaced ? is_friendless(build, r->to) : is_free(build, r->to))) return true;
    if (puts_on_board(build, r->do_) || puts_on_board(build, r->accept) ||
        puts_on_board(build, r->decline))
      return true;
  }
  for (int i = 0; i < rules->hooks; i++)
    if (build->hook[i].effect) return true;
  return false;
}

void define_mentions(Build *build) {
  Rules *rules = build->rules;
  Mention m = {0};
  for (int i = 0; i < rules->rules; i++)
    if (build->rule[i].exists) look_rule(build, &m, &build->rule[i]);
  m.after_step = false;
  for (int i = 0; i < rules->phases; i++) {
    const TurnShape *t = &build->phase[i].turn;
    const Expr *parts[] = {t->reroll, t->steps_low, t->steps_high, t->again,
                           t->repeat, t->next,      t->clock};
    uint32_t before = m.flags;
    m.flags &= ~(uint32_t)MENTION_REPEATS;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) look(build, &m, parts[k]);
    note_early(&m);
    m.flags |= before;
  }
  look_effects(build, &m, rules->start_effects);
  if (rules->hooks) look_scripts(build, &m);
  rules->mentions = m.flags;
  rules->stacks = may_stack(build);
}
