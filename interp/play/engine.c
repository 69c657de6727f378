/* The engine as a whole: memory, history, starting, offers, and the questions of the evaluator
 * that need turns. */
#include "play/inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/hooks.h"

enum { CHUNK_BYTES = 1 << 18 };

Engine *engine_new(const Rules *rules) {
  Engine *engine = memory_resize(NULL, sizeof *engine);
  memset(engine, 0, sizeof *engine);
  engine->rules = rules;
  engine->layout = position_layout(rules);
  engine->cache = eval_cache_new(rules);
  engine->judge_next = true;
  for (int i = 0; i < rules->of_kind_n[RULE_FORBID]; i++)
    engine->leaves |= rules->rule[rules->of_kind[RULE_FORBID][i]].leaves != NULL;
  return engine;
}

void engine_free(Engine *engine) {
  if (!engine) return;
  Mark all = {NULL, 0};
  engine_release(engine, all);
  while (engine->spare) {
    Chunk *chunk = engine->spare;
    engine->spare = chunk->before;
    memory_resize(chunk, 0);
  }
  VEC_FREE(engine->history);
  VEC_FREE(engine->rolls);
  if (engine->hooks) hooks_free(engine->hooks);
  eval_cache_free(engine->cache, engine->rules);
  memory_resize(engine, 0);
}

const Rules *engine_rules(const Engine *engine) { return engine->rules; }
const Layout *engine_layout(const Engine *engine) { return &engine->layout; }
Position *engine_position(const Engine *engine) { return position_new(&engine->layout); }
LetCache *engine_let_cache(Engine *engine) { return engine->cache; }
uint64_t engine_stamp(Engine *engine) { return ++engine->stamps; }
void engine_judge_next(Engine *engine, bool judge) { engine->judge_next = judge; }

struct Hooks *engine_hooks(Engine *engine) {
  if (!engine->hooks) engine->hooks = hooks_new(engine->rules);
  return engine->hooks;
}

/* ---- stack memory ---- */

void *engine_block(Engine *engine, size_t size) {
  size = (size + 15) & ~(size_t)15;
  Chunk *c = engine->chunk;
  if (!c || c->room - c->used < size) {
    Chunk *new = engine->spare;
    if (new && size <= CHUNK_BYTES) {
      engine->spare = new->before;
    } else {
      size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
      new = memory_resize(NULL, sizeof *new + room);
      new->room = room;
    }
    new->before = c;
    new->used = 0;
    engine->chunk = c = new;
  }
  void *block = (char *)c->data + c->used;
  c->used += size;
  return block;
}

void *engine_alloc(Engine *engine, size_t size) {
  return memset(engine_block(engine, size), 0, size);
}

Mark engine_mark(Engine *engine) {
  Mark mark = {engine->chunk, engine->chunk ? engine->chunk->used : 0};
  return mark;
}

/* Chunks of the usual size are kept for the next time. */
void engine_release(Engine *engine, Mark mark) {
  while (engine->chunk && engine->chunk != mark.block) {
    Chunk *chunk = engine->chunk;
    engine->chunk = chunk->before;
    if (chunk->room == CHUNK_BYTES) {
      chunk->before = engine->spare;
      engine->spare = chunk;
    } else {
      memory_resize(chunk, 0);
    }
  }
  if (engine->chunk) engine->chunk->used = mark.used;
}

/* ---- trouble ---- */

void engine_trouble(Engine *engine, const char *format, ...) {
  if (engine->trouble.set) return;
  va_list args;
  va_start(args, format);
  vsnprintf(engine->trouble.text, sizeof engine->trouble.text, format, args);
  va_end(args);
  engine->trouble.set = true;
}

const char *engine_complaint(Engine *engine) {
  if (!engine->trouble.set) return NULL;
  engine->trouble.set = false;
  return engine->trouble.text;
}
bool engine_complains(const Engine *engine) { return engine->trouble.set; }

/* ---- history ---- */

static void tell_history(Engine *engine, HistoryEvent event, const Position *p) {
  if (engine->history_watch) engine->history_watch(engine->history_with, event, p);
}

void engine_push(Engine *engine, const Position *p) {
  VEC_PUSH(engine->history, position_key(engine->rules, &engine->layout, p, p->mover));
  tell_history(engine, HISTORY_PUSHED, p);
}

void engine_pop(Engine *engine) {
  if (!engine->history.n) return;
  engine->history.n--;
  tell_history(engine, HISTORY_POPPED, NULL);
}

static void clear_history(Engine *engine) {
  engine->history.n = 0;
  tell_history(engine, HISTORY_CLEARED, NULL);
}

void engine_watch_history(Engine *engine, HistoryWatch *watch, void *with) {
  engine->history_watch = watch;
  engine->history_with = with;
}

int engine_repeats(Engine *engine, const Position *p) {
  int seat = p->over ? engine_next_seat(engine, p) : p->mover;
  uint64_t key = position_key(engine->rules, &engine->layout, p, seat);
  int n = 0;
  for (size_t i = 0; i < engine->history.n; i++) n += engine->history.at[i] == key;
  return p->over ? n + 1 : n ? n : 1;
}

/* ---- starting ---- */

int engine_first(Engine *engine) {
  const Rules *rules = engine->rules;
  int open = 0;
  while (open + 1 < rules->phases && !rules->phase[open].open) open++;
  const TurnShape *shape = &rules->phase[open].turn;
  if (shape->lot) return -1;
  if (!shape->first) return 0;
  Position *p = engine_position(engine);
  p->active = (uint8_t)((1u << rules->seats) - 1);
  p->starter = 0;
  EvalCtx ctx = eval_context(engine, p);
  uint32_t first = eval_players(&ctx, shape->first) & p->active;
  memory_resize(p, 0);
  return first ? __builtin_ctz(first) : 0;
}

static void blank(Engine *engine, Position *p) {
  const Rules *rules = engine->rules;
  memset(p, 0, engine->layout.size);
  p->size = (uint32_t)engine->layout.size;
  p->stage = STAGE_TURN;
  p->active = (uint8_t)((1u << rules->seats) - 1);
  p->end_rule = -1;
  p->last_rule = p->last_plane = p->last_origin = p->last_target = p->last_die = -1;
  p->prev_target = p->turn_origin = p->turn_target = -1;
  for (int s = 0; s < SEATS_MAX; s++) p->last_origin_of[s] = p->last_target_of[s] = -1;
  while (p->phase + 1 < rules->phases && !rules->phase[p->phase].open) p->phase++;
  int32_t *cells = position_cells(&engine->layout, p);
  for (int i = 0; i < rules->states; i++)
    for (int c = 0; c < rules->state[i].cells; c++)
      cells[rules->state[i].cell + c] = rules->state[i].start;
  clear_history(engine);
}

static void put_pieces(Engine *engine, Position *p, const uint16_t *count) {
  const Rules *rules = engine->rules;
  for (int plane = 0; plane < rules->planes; plane++)
    for (int s = 0; s < rules->board.sites; s++)
      if (count[plane * rules->board.sites + s])
        position_add(rules, &engine->layout, p, plane, s, count[plane * rules->board.sites + s]);
}

static void apply_given(Engine *engine, Position *p, Effects effects) {
  for (int i = 0; i < effects.n; i++) {
    Effects one = {&effects.at[i], 1};
    EvalCtx ctx = eval_context(engine, p);
    ctx.scenario = true;
    effects_apply(engine, &one, &ctx, p);
  }
}

void engine_start(Engine *engine, Position *p, int seat) {
  const Rules *rules = engine->rules;
  blank(engine, p);
  put_pieces(engine, p, rules->start_count);
  p->starter = (int8_t)seat;
  p->mover = p->turn_mover = (int8_t)seat;
  apply_given(engine, p, rules->start_effects);
  turn_begin(engine, p, seat);
  engine_push(engine, p);
}

static bool sets(Effects effects, TargetKind target) {
  for (int i = 0; i < effects.n; i++)
    if (effects.at[i].op == EFFECT_SET && effects.at[i].target == target) return true;
  return false;
}

/* Turns begun, as on everybody's first: from the starter up to the seat to move. */
static void count_first_turns(const Rules *rules, Position *p, int seat, bool turns,
                              bool turn_count) {
  int n = 0;
  for (int s = p->starter;; s = (s + 1) % rules->seats) {
    n++;
    if (turns && s != seat) p->turns[s] = 1;
    if (s == seat || n > rules->seats) break;
  }
  if (turn_count) p->turn_count = n - 1;
}

bool engine_given(Engine *engine, Position *p, const uint16_t *count, Effects effects, int seat,
                  bool judge, char *why, size_t room) {
  const Rules *rules = engine->rules;
  blank(engine, p);
  put_pieces(engine, p, count);
  p->mover = p->turn_mover = (int8_t)seat;
  p->turn_phase = p->phase;
  int first = engine_first(engine);
  p->starter = (int8_t)(first < 0 ? 0 : first);
  apply_given(engine, p, effects);
  const char *trouble = engine_complaint(engine);
  if (trouble) {
    snprintf(why, room, "%s", trouble);
    return false;
  }
  outcome_put_out(engine, p);
  if (!((p->active >> seat) & 1)) {
    snprintf(why, room, "%s is out of the game and cannot be to move", rules->player[seat]);
    return false;
  }
  bool turns = !sets(effects, TARGET_TURNS), turn_count = !sets(effects, TARGET_TURN_COUNT);
  count_first_turns(rules, p, seat, turns, turn_count);
  if (!turns) p->turns[seat]--;
  if (!turn_count) p->turn_count--;
  int32_t turn_cells[CELLS_MAX]; /* states of the turn that were set outlast its beginning */
  int32_t *cells = position_cells(&engine->layout, p);
  memcpy(turn_cells, cells, (size_t)rules->all_cells * sizeof *cells);
  bool before = engine->judge_next;
  engine->judge_next = false;
  turn_begin(engine, p, seat);
  engine->judge_next = before;
  memcpy(cells, turn_cells, (size_t)rules->all_cells * sizeof *cells);
  if (judge) outcome_judge_start(engine, p);
  char fault[128];
  if (!position_check(rules, &engine->layout, p, fault, sizeof fault)) {
    snprintf(why, room, "%s", fault);
    return false;
  }
  engine_push(engine, p);
  return true;
}

/* ---- questions that need turns ---- */

static bool any_step_with(Engine *engine, const Position *p, int seat, const Roll *roll) {
  Mark mark = engine_mark(engine);
  Position *copy = engine_alloc(engine, engine->layout.size);
  position_copy(copy, p);
  copy->mover = copy->turn_mover = (int8_t)seat;
  copy->over = false;
  copy->steps = 0;
  copy->turn_phase = copy->phase;
  if (roll) {
    copy->dice = copy->thrown_n = 0;
    memset(copy->die, 0, sizeof copy->die);
    copy->rolled = true;
    for (int i = 0; i < roll->n; i++)
      if (!i || roll->face[i] != roll->face[i - 1]) copy->die[copy->dice++] = (uint8_t)roll->face[i];
    copy->doubled = (int8_t)(roll->n > 1 && copy->dice == 1 ? roll->face[0] : 0);
  }
  bool any = turn_any_step(engine, copy);
  engine_release(engine, mark);
  return any;
}

/* Whether some throw gives the seat a step. A step exists for a throw if one exists for one of
 * its dice, so single dice are tried where the pool's dice are played one by one. */
static bool any_roll_step(Engine *engine, const Position *p, int seat) {
  const TurnShape *shape = &engine->rules->phase[p->phase].turn;
  if (shape->pool < 0) return any_step_with(engine, p, seat, NULL);
  const DicePool *pool = &engine->rules->pool[shape->pool];
  int n = pool->total ? pool->total_high - pool->total_low + 1 : pool->faces;
  for (int i = 0; i < n; i++) {
    Roll roll = {1, {pool->total ? pool->total_value[i] : pool->face[i]}, 1};
    if (any_step_with(engine, p, seat, &roll)) return true;
  }
  return false;
}

bool engine_stuck(Engine *engine, const Position *p) {
  if (p->stage == STAGE_ENDED || p->end_rule >= 0 || p->mover < 0) return false;
  if (engine_needs_dice(engine, p)) return !any_roll_step(engine, p, p->mover);
  return !turn_any_step(engine, p);
}

bool engine_dead(Engine *engine, const Position *p) {
  for (int s = 0; s < engine->rules->seats; s++)
    if ((p->active >> s) & 1 && any_roll_step(engine, p, s)) return false;
  return true;
}

bool engine_round_over(Engine *engine, const Position *p) {
  int turns = -1;
  for (int s = 0; s < engine->rules->seats; s++) {
    if (!((p->active >> s) & 1)) continue;
    if (turns >= 0 && p->turns[s] != turns) return false;
    turns = p->turns[s];
  }
  return true;
}

int64_t engine_legal_turns(Engine *engine, const Position *p) {
  return engine_count_turns(engine, p);
}

/* ---- offers, resignation, the clock ---- */

int engine_offers(Engine *engine, const Position *p, Offer *list, int most) {
  const Rules *rules = engine->rules;
  int n = 0;
  if (p->stage == STAGE_ENDED || p->rolled || p->steps) return 0;
  for (int i = 0; i < rules->of_kind_n[RULE_OFFER]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_OFFER][i]];
    if (!rule_open(rule, p) || (p->offered >> i) & 1) continue;
    EvalCtx ctx = eval_context(engine, p);
    int32_t values[CHOICES_MAX] = {0};
    int type = 0, count = 1;
    if (rule->choose_n) count = choice_list(&ctx, rule, &type, values, CHOICES_MAX);
    for (int c = 0; c < count; c++) {
      ctx.choice_type = type;
      ctx.chosen = values[c];
      if (!rule_holds(&ctx, rule)) continue;
      Offer offer = {(int16_t)rule->index, (int16_t)(rule->choose_n ? c : -1), values[c]};
      if (n < most) list[n++] = offer;
    }
  }
  return n;
}

void engine_offer(Engine *engine, Position *p, const Offer *offer, bool accepted,
                  int answerer) {
  const Rules *rules = engine->rules;
  const Rule *rule = &rules->rule[offer->rule];
  EvalCtx ctx = eval_context(engine, p);
  if (rule->choose_n) {
    ctx.choice_type = rule->choose[0]->type;
    ctx.chosen = offer->chosen;
  }
  ctx.answerer = answerer;
  for (int i = 0; i < rules->of_kind_n[RULE_OFFER]; i++)
    if (rules->of_kind[RULE_OFFER][i] == offer->rule) p->offered |= 1u << i;
  effects_apply(engine, accepted ? &rule->accept : &rule->decline, &ctx, p);
  outcome_judge(engine, p, JUDGED_STEP);
}

/* The least worth among the rules of a kind that could give this winner the game; below 0: no
 * such rule. */
static double least_worth(Engine *engine, const Position *p, RuleKind kind, int winner,
                          int loser) {
  const Rules *rules = engine->rules;
  double least = -1;
  EvalCtx ctx = eval_context(engine, p);
  ctx.made = true;
  ctx.each = kind == RULE_WIN ? winner : loser;
  for (int i = 0; i < rules->of_kind_n[kind]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[kind][i]];
    const Expr *who = kind == RULE_WIN ? rule->winner : rule->loser;
    int seat = kind == RULE_WIN ? winner : loser;
    if (!rule_open(rule, p)) continue;
    if (who && who->op == X_PLAYERS_CONST && !(((uint32_t)who->a >> seat) & 1)) continue;
    double worth = rule->worth ? eval_worth(&ctx, rule->worth) : 1;
    if (least < 0 || worth < least) least = worth;
  }
  return least;
}

/* What a resignation is worth: the least that a win would be now, scores aside. Where nobody
 * wins but by being left, the least that a loss gives to him. */
static double resigned_worth(Engine *engine, const Position *p, int winner, int loser) {
  Position *copy = engine_position(engine);
  position_copy(copy, p);
  copy->mover = (int8_t)winner;
  double worth = least_worth(engine, copy, RULE_WIN, winner, loser);
  copy->mover = (int8_t)loser;
  if (worth < 0) worth = least_worth(engine, copy, RULE_LOSE, winner, loser);
  free(copy);
  return worth < 0 ? 1 : worth;
}

void engine_resign(Engine *engine, Position *p, int seat) {
  if (p->stage == STAGE_ENDED || !((p->active >> seat) & 1)) return;
  p->active = (uint8_t)(p->active & ~(1u << seat));
  if (__builtin_popcount(p->active) > 1) {
    if (p->mover == seat) turn_begin(engine, p, seat_after(engine->rules, p, seat));
    return;
  }
  int left = p->active ? __builtin_ctz(p->active) : seat;
  double worth = resigned_worth(engine, p, left, seat);
  p->winners = p->active;
  for (int s = 0; s < engine->rules->seats; s++)
    p->score[s] = (p->active >> s) & 1 ? worth : 0;
  p->stage = STAGE_ENDED;
  p->mover = -1;
}

void engine_overrun(Engine *engine, Position *p) {
  if (p->stage == STAGE_ENDED) return;
  p->overruns[p->mover]++;
  p->steps = 0;
  turn_finish(engine, p);
}
