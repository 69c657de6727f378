/* The end of a turn: settle rule by rule, ends, scores, whose turn is next. */
#include "play/inside.h"

#include <string.h>

static double worth_of(EvalCtx *ctx, const Rule *rule) {
  if (rule->worth) return eval_worth(ctx, rule->worth);
  return rule->kind == RULE_DRAW ? 0.5 : 1;
}

typedef struct Scoring {
  double worth[SEATS_MAX];
  bool matched;
} Scoring;

static void score_member(EvalCtx *ctx, const Rule *rule, void *with) {
  Scoring *s = with;
  if (!rule_holds(ctx, rule)) return;
  double worth = worth_of(ctx, rule);
  s->matched = true;
  for (int seat = 0; seat < ctx->rules->seats; seat++) {
    if (rule->for_ && rule->for_->type == TYPE_PLAYERS && seat != ctx->each) continue;
    if (worth > s->worth[seat]) s->worth[seat] = worth;
  }
}

/* Counts it, and lets are evaluated anew: something of the position has changed. */
static void fired(EvalCtx *ctx, Position *p, const Rule *rule) {
  uint16_t *uses = position_uses(ctx->layout, p);
  if (uses[rule->index] < UINT16_MAX) uses[rule->index]++;
  ctx->stamp = engine_stamp(ctx->engine);
}

/* The scores of the winners, from what the end is worth to everybody; the others have none. */
static void score(EvalCtx *ctx, Position *p, double worth) {
  const Rules *rules = ctx->rules;
  Scoring s = {{0}, false};
  for (int i = 0; i < SEATS_MAX; i++) s.worth[i] = worth;
  for (int i = 0; i < rules->of_kind_n[RULE_SCORE]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_SCORE][i]];
    if (!rule_open(rule, p)) continue;
    s.matched = false;
    rule_each(ctx, rule, score_member, &s);
    if (s.matched) fired(ctx, p, rule);
  }
  for (int seat = 0; seat < rules->seats; seat++)
    p->score[seat] = (p->winners >> seat) & 1 ? s.worth[seat] : 0;
}

/* The game is over: scores, then nobody is to move. */
static void end_game(EvalCtx *ctx, Position *p, const Rule *rule, uint32_t winners,
                     double worth, bool drawn) {
  p->end_rule = (int16_t)rule->index;
  p->winners = (uint8_t)winners;
  p->drawn = drawn;
  fired(ctx, p, rule);
  score(ctx, p, worth);
  p->stage = STAGE_ENDED;
  p->mover = -1;
}

typedef struct Judging {
  uint32_t seats;
  bool any;
  double worth;
} Judging;

static void judge_member(EvalCtx *ctx, const Rule *rule, void *with) {
  Judging *j = with;
  if (!rule_holds(ctx, rule)) return;
  uint32_t seats;
  const Expr *who = rule->kind == RULE_WIN    ? rule->winner
                    : rule->kind == RULE_LOSE ? rule->loser
                                              : rule->among;
  if (who)
    seats = eval_players(ctx, who);
  else if (rule->kind == RULE_DRAW)
    seats = ctx->pos->active;
  else if (rule->kind == RULE_LOSE && rule->for_ && rule->for_->type == TYPE_PLAYERS)
    seats = 1u << ctx->each;
  else
    seats = 1u << ctx->pos->mover;
  j->seats |= seats & (SEAT_NOBODY - 1);
  j->any = true;
  double worth = worth_of(ctx, rule);
  if (worth > j->worth) j->worth = worth;
}

/* Players go out; the last one left wins; of the last who go out together all share. */
static bool put_out(EvalCtx *ctx, Position *p, const Rule *rule, const Judging *j) {
  uint32_t out = j->seats & p->active;
  if (!out) return false;
  uint32_t left = p->active & ~out;
  int n = __builtin_popcount(left);
  if (n >= 2) {
    p->active = (uint8_t)left;
    fired(ctx, p, rule);
    return false;
  }
  if (n == 1)
    end_game(ctx, p, rule, left, j->worth, false);
  else
    end_game(ctx, p, rule, out, 0.5, true);
  p->active = (uint8_t)left;
  return true;
}

static bool judge(EvalCtx *ctx, Position *p, Judged judged) {
  const Rules *rules = ctx->rules;
  if (p->stage == STAGE_ENDED) return true;
  for (int kind = RULE_WIN; kind <= RULE_DRAW; kind++)
    for (int i = 0; i < rules->of_kind_n[kind]; i++) {
      const Rule *rule = &rules->rule[rules->of_kind[kind][i]];
      if (rule->judged != judged || !rule_open(rule, p)) continue;
      Judging j = {0, false, 0};
      rule_each(ctx, rule, judge_member, &j);
      if (!j.any) continue;
      if (kind == RULE_LOSE) {
        if (put_out(ctx, p, rule, &j)) return true;
        continue;
      }
      if (!j.seats) continue;
      end_game(ctx, p, rule, j.seats, j.worth, kind == RULE_DRAW);
      return true;
    }
  return false;
}

bool outcome_judge(Engine *engine, Position *p, Judged judged) {
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  return judge(&ctx, p, judged);
}

bool outcome_judge_start(Engine *engine, Position *p) {
  bool counts = engine->rules->mentions & MENTION_REPEATS_EARLY;
  if (counts) VEC_PUSH(engine->history, position_key(engine->rules, &engine->layout, p, p->mover));
  bool ended = outcome_judge(engine, p, JUDGED_START);
  if (counts) engine->history.n--;
  return ended;
}

void outcome_score(Engine *engine, Position *p) {
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  score(&ctx, p, p->score[0]);
}

static bool settle(EvalCtx *ctx, Position *p) {
  const Rules *rules = ctx->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_SETTLE]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_SETTLE][i]];
    if (rule_open(rule, p) && rule_fire_in(ctx, rule, p) && judge(ctx, p, JUDGED_STEP)) return true;
  }
  return false;
}
bool outcome_settle(Engine *engine, Position *p) {
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  return settle(&ctx, p);
}

void outcome_put_out(Engine *engine, Position *p) {
  const Rules *rules = engine->rules;
  for (int i = 0; i < rules->of_kind_n[RULE_LOSE]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_LOSE][i]];
    if (rule->judged == JUDGED_START || !rule_open(rule, p)) continue;
    EvalCtx ctx = eval_context(engine, p);
    Judging j = {0, false, 0};
    rule_each(&ctx, rule, judge_member, &j);
    uint32_t left = p->active & ~j.seats;
    if (__builtin_popcount(left) >= 2) p->active = (uint8_t)left;
  }
}

int seat_after(const Rules *rules, const Position *p, int seat) {
  for (int i = 1; i <= rules->seats; i++) {
    int next = (seat + i) % rules->seats;
    if ((p->active >> next) & 1) return next;
  }
  return -1;
}

int engine_next_seat(Engine *engine, const Position *p) {
  int mover = p->turn_mover;
  const TurnShape *shape = turn_shape(engine, p);
  if (p->stage == STAGE_ENDED || p->end_rule >= 0 || mover < 0) return -1; /* scores too are asked when it is over */
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  if (shape->repeat && (p->active >> mover) & 1 && p->steps &&
      eval_condition(&ctx, shape->repeat))
    return mover;
  if (shape->next) {
    uint32_t next = eval_players(&ctx, shape->next) & p->active;
    if (next) return __builtin_ctz(next);
  }
  return seat_after(engine->rules, p, mover);
}

static void reset_turn_states(Engine *engine, Position *p) {
  int32_t *cells = position_cells(&engine->layout, p);
  for (int i = 0; i < engine->rules->states; i++) {
    const State *s = &engine->rules->state[i];
    if (s->scope == SCOPE_TURN)
      for (int c = 0; c < s->cells; c++) cells[s->cell + c] = s->start;
  }
}

void turn_begin(Engine *engine, Position *p, int seat) {
  p->mover = p->turn_mover = (int8_t)seat;
  p->turn_phase = p->phase;
  p->over = p->rolled = false;
  p->dice = p->thrown_n = p->doubled = 0;
  memset(p->die, 0, sizeof p->die);
  memset(p->thrown, 0, sizeof p->thrown);
  p->steps = p->dice_used = p->pips_used = 0;
  p->captured = 0;
  p->turn_origin = p->turn_target = -1;
  p->offered = 0;
  p->turn_count++;
  p->turns[seat]++;
  reset_turn_states(engine, p);
  if (!engine->judge_next) return;
  int judged_seat = seat;
  if (outcome_judge_start(engine, p)) return;
  if (!((p->active >> judged_seat) & 1)) turn_begin(engine, p, seat_after(engine->rules, p, seat));
}

void turn_finish(Engine *engine, Position *p) {
  const Rules *rules = engine->rules;
  if (p->stage == STAGE_ENDED) return;
  if (p->steps == 0) {
    memset(position_uses(&engine->layout, p), 0, (size_t)rules->rules * sizeof(uint16_t));
    memset(position_taken(&engine->layout, p), 0, (size_t)rules->planes * sizeof(SiteSet));
    p->taken_n = 0;
    p->last_rule = p->last_plane = p->last_origin = p->last_target = -1;
    p->passes++;
  } else {
    p->passes = 0;
  }
  p->quiet = p->captured ? 0 : p->quiet + 1;
  p->over = true;
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  if (settle(&ctx, p) || judge(&ctx, p, JUDGED_END)) return;
  int next = engine_next_seat(engine, p);
  if (p->turn_origin >= 0 && p->turn_mover >= 0) {
    p->last_origin_of[p->turn_mover] = p->turn_origin;
    p->last_target_of[p->turn_mover] = p->turn_target;
  }
  turn_begin(engine, p, next);
}
