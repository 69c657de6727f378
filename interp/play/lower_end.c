/* Ends, scores, obligations, whose turn is next: the same order as in outcome.c. */
#include "play/lower.h"

static Reg larger(Lower *l, Reg a, Reg b) {
  return MAKE(l, num_pick, MAKE(l, num_lt, a, b), b, a);
}
static Reg worth_of(Lower *l, const Rule *r) {
  int clause = l->clause;
  l->clause = CLAUSE_WORTH;
  Reg worth = r->worth ? lower_worth(l, r->worth)
                       : reg_num(l, r->kind == RULE_DRAW ? WORTH_UNIT / 2 : WORTH_UNIT);
  l->clause = clause;
  return worth;
}

/* Calls `member` in a block where the rule holds, once or for every member of its `for`. */
typedef void Member(Lower *l, const Rule *r, void *with);
static void for_each(Lower *l, const Rule *r, Member *member, void *with) {
  if (!r->for_) {
    int n = lower_open_holds(l, r);
    if (n < 0) return;
    member(l, r, with);
    block_ends(l, n);
    return;
  }
  if (r->for_->type == TYPE_PLAYERS) {
    Reg members = lower_players(l, r->for_);
    for (int s = 0; s < l->rules->seats; s++) {
      Reg in = seat_in(l, members, s);
      if (num_is(l, in, 0)) continue;
      l->each = s;
      block_unless_sure(l, in);
      int n = lower_open_holds(l, r);
      if (n >= 0) member(l, r, with);
      block_ends(l, n);
      block_end_unless_sure(l, in);
    }
    l->each = -1;
    return;
  }
  Reg here = l->here;
  l->here = loop_sites(l, lower_sites(l, r->for_));
  int n = lower_open_holds(l, r);
  if (n >= 0) member(l, r, with);
  block_ends(l, n);
  block_end(l);
  l->here = here;
}

/* Whom an end names, where it holds. */
static Reg judged_seats(Lower *l, const Rule *r) {
  const Expr *who = r->kind == RULE_WIN ? r->winner : r->kind == RULE_LOSE ? r->loser : r->among;
  Reg seats;
  if (who)
    seats = lower_players(l, who);
  else if (r->kind == RULE_DRAW)
    seats = field(l, F_ACTIVE);
  else if (r->kind == RULE_LOSE && r->for_ && r->for_->type == TYPE_PLAYERS)
    seats = reg_num(l, 1 << l->each);
  else
    seats = reg_num(l, 1 << l->seat);
  return MAKE(l, num_and, seats, reg_num(l, SEAT_NOBODY - 1));
}

/* The game ends by the rule, if it names anybody; a player who has lost may only be out. */
static void end_by(Lower *l, const Rule *r, Reg any, Reg seats, Reg worth) {
  block_unless_sure(l, any);
  if (r->kind == RULE_LOSE) {
    Reg over = ACT(l, put_out, 0, r->index, seats, worth);
    block_if(l, over);
  } else {
    ACT(l, end_game, 0, r->index, seats, worth, r->kind == RULE_DRAW);
  }
  ACT(l, return_, reg_num(l, 1));
  if (r->kind == RULE_LOSE) block_end(l);
  changed(l);
  block_end_unless_sure(l, any);
}

typedef struct Judging {
  Reg seats, any, worth; /* variables */
} Judging;

static void judge_member(Lower *l, const Rule *r, void *with) {
  Judging *j = with;
  Reg seats = judged_seats(l, r);
  var_num_put(l, j->seats, ACT(l, num_or, j->seats, seats));
  var_num_put(l, j->any, reg_num(l, 1));
  var_num_put(l, j->worth, larger(l, var_num_get(l, j->worth), worth_of(l, r)));
}
/* What all members come to is added up before anybody wins or loses. */
static void judge_members(Lower *l, const Rule *r) {
  Judging j = {var_num_in(l, l->block, 0), var_num_in(l, l->block, 0), var_num_in(l, l->block, 0)};
  for_each(l, r, judge_member, &j);
  Reg seats = var_num_get(l, j.seats);
  Reg any = r->kind == RULE_LOSE ? var_num_get(l, j.any) : MAKE(l, num_lt, reg_num(l, 0), seats);
  end_by(l, r, any, seats, var_num_get(l, j.worth));
}
static void judge_once(Lower *l, const Rule *r, void *with) {
  (void)with;
  Reg seats = judged_seats(l, r);
  Reg any = r->kind == RULE_LOSE ? reg_num(l, 1) : MAKE(l, num_lt, reg_num(l, 0), seats);
  end_by(l, r, any, seats, larger(l, reg_num(l, 0), worth_of(l, r)));
}

void lower_judge(Lower *l, Judged judged) {
  const Rules *rules = l->rules;
  for (int kind = RULE_WIN; kind <= RULE_DRAW; kind++)
    for (int i = 0; i < rules->of_kind_n[kind]; i++) {
      const Rule *r = &rules->rule[rules->of_kind[kind][i]];
      if (r->judged != judged) continue;
      l->rule = r->index;
      Reg open = phase_open(l, r);
      block_unless_sure(l, open);
      if (r->for_)
        judge_members(l, r);
      else
        for_each(l, r, judge_once, NULL);
      block_end_unless_sure(l, open);
    }
}

static void score_member(Lower *l, const Rule *r, void *with) {
  (void)with;
  Reg worth = worth_of(l, r);
  for (int s = 0; s < l->rules->seats; s++) {
    if (r->for_ && r->for_->type == TYPE_PLAYERS && s != l->each) continue;
    l->field_read[F_SCORE + s] = true;
    Reg old = MAKE(l, load_num, 0, F_SCORE + s);
    set_field(l, F_SCORE + s, larger(l, old, worth));
  }
}

void lower_score(Lower *l) {
  const Rules *rules = l->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_SCORE]; i++) {
    const Rule *r = &rules->rule[rules->of_kind[RULE_SCORE][i]];
    l->rule = r->index;
    Reg open = phase_open(l, r);
    block_unless_sure(l, open);
    for_each(l, r, score_member, NULL);
    block_end_unless_sure(l, open);
  }
}

/* Calls `shape` for the turn's shape of every phase, in a block of its own. */
typedef void Shape(Lower *l, const TurnShape *t);
static void for_shapes(Lower *l, Shape *shape) {
  for (int i = 0; i < l->rules->phases; i++) {
    if (l->rules->phases > 1) block_if(l, MAKE(l, num_eq, field(l, F_TURN_PHASE), reg_num(l, i)));
    shape(l, &l->rules->phase[i].turn);
    if (l->rules->phases > 1) block_end(l);
  }
}

static void going(Lower *l, const TurnShape *t) {
  Reg one = reg_num(l, 1), zero = reg_num(l, 0);
  if (t->again) {
    l->clause = CLAUSE_AGAIN;
    block_if(l, lower_condition(l, t->again));
    ACT(l, return_, one);
    block_end(l);
  }
  l->clause = CLAUSE_STEPS;
  if (t->steps_low) {
    Reg low = lower_number(l, t->steps_low);
    Reg high = t->steps_high ? lower_number(l, t->steps_high) : low;
    Reg steps = field(l, F_STEPS);
    Reg on = MAKE(l, num_lt, steps, high), stop = MAKE(l, num_le, low, steps);
    ACT(l, return_, MAKE(l, num_or, on, MAKE(l, num_shift, stop, 1)));
  } else {
    ACT(l, return_, t->pool >= 0 ? one : zero);
  }
  l->clause = -1;
}
void lower_going(Lower *l) { for_shapes(l, going); }

void lower_settle(Lower *l) {
  const Rules *rules = l->rules;
  bool judges = false;
  for (int kind = RULE_WIN; kind <= RULE_DRAW; kind++)
    for (int i = 0; i < rules->of_kind_n[kind]; i++)
      judges |= rules->rule[rules->of_kind[kind][i]].judged == JUDGED_STEP;
  for (int i = 0; i < rules->of_kind_n[RULE_SETTLE]; i++) {
    const Rule *r = &rules->rule[rules->of_kind[RULE_SETTLE][i]];
    l->rule = r->index;
    Reg fired = lower_fire(l, r);
    if (!judges || num_is(l, fired, 0)) continue;
    block_if(l, fired);
    Reg over = ACT(l, ask_section, 0, SECTION_JUDGE_STEP);
    block_if(l, over);
    ACT(l, return_, reg_num(l, 1));
    block_end(l);
    changed(l);
    block_end(l);
  }
}

static void next(Lower *l, const TurnShape *t) {
  Reg active = field(l, F_ACTIVE);
  if (t->repeat) {
    l->clause = CLAUSE_REPEAT;
    Reg stays = both(l, seat_in(l, active, l->seat),
                     MAKE(l, num_lt, reg_num(l, 0), MAKE(l, load_num, l->base, F_STEPS)));
    stays = both(l, stays, lower_condition(l, t->repeat));
    block_if(l, stays);
    ACT(l, return_, reg_num(l, l->seat));
    block_end(l);
  }
  if (t->next) {
    l->clause = CLAUSE_NEXT;
    Reg seats = MAKE(l, num_and, lower_players(l, t->next), active);
    block_if(l, MAKE(l, num_lt, reg_num(l, 0), seats));
    ACT(l, return_, MAKE(l, num_first, seats));
    block_end(l);
  }
  Reg seat = reg_num(l, -1);
  int seats = l->rules->seats;
  for (int i = seats; i >= 1; i--) {
    Reg in = seat_in(l, active, (l->seat + i) % seats);
    int64_t n;
    if (num_known(l, in, &n))
      seat = n ? reg_num(l, (l->seat + i) % seats) : seat;
    else
      seat = MAKE(l, num_pick, in, reg_num(l, (l->seat + i) % seats), seat);
  }
  ACT(l, return_, seat);
  l->clause = -1;
}
void lower_next(Lower *l) { for_shapes(l, next); }

static void reroll(Lower *l, const TurnShape *t) {
  if (!t->reroll) return;
  l->clause = CLAUSE_REROLL;
  ACT(l, return_, lower_condition(l, t->reroll));
  l->clause = -1;
}
void lower_reroll(Lower *l) { for_shapes(l, reroll); }

void lower_must(Lower *l, const Rule *must, bool value) {
  l->rule = must->index;
  if (value) {
    l->clause = CLAUSE_MAXIMIZE;
    ACT(l, return_, lower_number(l, must->maximize));
    return;
  }
  Reg when = phase_open(l, must), exempt = reg_num(l, 0);
  if (must->when) when = both(l, when, lower_condition(l, must->when));
  if (must->unless) exempt = lower_condition(l, must->unless);
  block_if(l, when);
  ACT(l, return_, MAKE(l, num_add, reg_num(l, 1), exempt));
  block_end(l);
}
