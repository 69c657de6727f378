/* Runs scenarios step by step: what is given is gathered until the first step that needs a
 * position; a step that does not come out as written ends the scenario with its reason. */
#include "study/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/eval.h"
#include "play/explain.h"
#include "play/tell.h"
#include "study/agree.h"

enum { SETS_MOST = 64, OPTIONS_MOST = 128 };

typedef struct Run {
  Loading *loading;
  const Rules *rules;
  const ScenarioText *text;
  Engine *engine;
  Position *p;
  ScenarioResult *result;
  /* what is given, until there is a position */
  const Node *given;
  const Node *set[SETS_MOST];
  int sets;
  int seat; /* -1: not said */
  /* an offer that waits for its answer */
  bool offering;
  Offer offer;
  /* who finds the turns, too; NULL: nobody */
  Lister *lister;
  const char *other;
  bool agreed; /* about the position as it is */
} Run;

__attribute__((format(printf, 3, 4))) static bool fail(Run *run, const Node *step,
                                                       const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(run->result->message, sizeof run->result->message, format, arguments);
  va_end(arguments);
  run->result->ok = false;
  if (step) run->result->where = step->span;
  return false;
}

/* ---- params ---- */

static bool is_param(const Rules *rules, const char *name) {
  for (int i = 0; i < rules->params; i++)
    if (!strcmp(rules->param[i].name, name)) return true;
  return false;
}

static const char *value_text(const Node *value, char *text, size_t room) {
  if (value->text) return value->text;
  snprintf(text, room, "%d", value->number);
  return text;
}

/* The game with what the scenario sets; false and a message if it cannot be had. */
static bool resolve_again(Run *run, const OptionSetting *options, int option_n) {
  OptionSetting list[OPTIONS_MOST];
  char texts[SETS_MOST][24];
  int n = 0, sets = 0;
  for (int i = 0; i < option_n && n < OPTIONS_MOST; i++) list[n++] = options[i];
  const Node *steps = node_find(run->text->node, N_STEPS), *first = NULL;
  for (const Node *step = steps ? steps->kid : NULL; step; step = step->next) {
    if (step->kind != N_ST_SET) continue;
    const Node *target = step->kid, *value = step->last;
    if (!target || !is_param(run->rules, target->text)) continue;
    if (n == OPTIONS_MOST || sets == SETS_MOST) return fail(run, step, "too many settings");
    list[n].name = target->text;
    list[n++].value = value_text(value, texts[sets], sizeof texts[sets]);
    sets++;
    if (!first) first = step;
  }
  if (!first) return true;
  const Rules *again;
  if (load_again(run->loading, run->rules, list, n, &again) != LOAD_OK || !again)
    return fail(run, first, "the game cannot be had with these settings");
  run->rules = again;
  return true;
}

/* ---- the position ---- */

/* `set starter = SEAT`, for a start by lot. */
static Effect starter_effect(Expr *expr, int seat) {
  Effect effect;
  memset(&effect, 0, sizeof effect);
  memset(expr, 0, sizeof *expr);
  expr->op = X_PLAYERS_CONST;
  expr->type = TYPE_PLAYERS;
  expr->a = 1 << seat;
  effect.op = EFFECT_SET;
  effect.target = TARGET_STARTER;
  effect.b = expr;
  return effect;
}

static bool gather_sets(Run *run, Effect *list, int *n, int most) {
  for (int i = 0; i < run->sets; i++) {
    if (*n == most) return fail(run, run->set[i], "too many settings");
    if (!load_effect(run->loading, run->rules, run->set[i], &list[*n]))
      return fail(run, run->set[i], "this cannot be set");
    (*n)++;
  }
  return true;
}

static bool make_position(Run *run, const Node *step) {
  enum { MOST = 512 };
  const Rules *rules = run->rules;
  const Node *layout = run->given ? node_find(run->given, N_LAYOUT) : NULL;
  int first = engine_first(run->engine);
  int seat = run->seat >= 0 ? run->seat : first >= 0 ? first : 0;
  if (!layout && !run->sets && (first < 0 || first == seat)) {
    engine_start(run->engine, run->p, seat);
    return true;
  }
  size_t size = (size_t)rules->planes * (size_t)rules->board.sites * sizeof(uint16_t);
  uint16_t *count = memory_resize(NULL, size ? size : 1);
  Effect *list = memory_resize(NULL, MOST * sizeof *list);
  Expr starter;
  int n = 0;
  Effects effects = rules->start_effects;
  bool good = true;
  memset(count, 0, size);
  if (!layout) {
    memcpy(count, rules->start_count, size);
    if (first < 0) list[n++] = starter_effect(&starter, seat);
  } else if (!load_layout(run->loading, rules, layout, count, &effects)) {
    good = fail(run, run->given, "the position cannot be understood");
  }
  for (int i = 0; good && i < effects.n && n < MOST; i++) list[n++] = effects.at[i];
  good = good && gather_sets(run, list, &n, MOST);
  char why[512];
  if (good && !engine_given(run->engine, run->p, count, (Effects){list, n}, seat, true, why,
                            sizeof why))
    good = fail(run, run->given ? run->given : step, "the position cannot be: %s", why);
  memory_resize(list, 0);
  memory_resize(count, 0);
  return good;
}

/* The position, made when it is first needed. */
static bool need_position(Run *run, const Node *step) {
  if (run->p) return true;
  run->p = engine_position(run->engine);
  return make_position(run, step);
}

static void forget_position(Run *run) {
  if (!run->p) return;
  free(run->p);
  run->p = NULL;
  run->given = NULL;
  run->sets = 0;
  run->seat = -1;
  run->offering = false;
}

/* It is that seat's turn, everything else as it is. */
static void give_turn(Position *p, int seat) {
  if (p->stage == STAGE_ENDED || p->mover == seat) return;
  if (p->mover >= 0) p->turns[p->mover]--;
  p->turns[seat]++;
  p->mover = p->turn_mover = (int8_t)seat;
  p->rolled = false;
  p->dice = p->thrown_n = p->doubled = 0;
}

/* ---- steps ---- */

static bool complained(Run *run, const Node *step) {
  const char *complaint = engine_complaint(run->engine);
  if (complaint) fail(run, step, "%s", complaint);
  return complaint != NULL;
}

static bool do_turn(Run *run, const Node *step) {
  int seat = rules_player(run->rules, step->text);
  if (seat < 0 || seat >= run->rules->seats)
    return fail(run, step, "`%s` does not sit at this table", step->text);
  if (run->p)
    give_turn(run->p, seat);
  else
    run->seat = seat;
  return true;
}

static bool do_dice(Run *run, const Node *step) {
  int faces[DICE_MAX], n = 0;
  char why[256];
  for (const Node *kid = step->kid; kid; kid = kid->next) {
    if (n == DICE_MAX) return fail(run, step, "at most %d dice", DICE_MAX);
    faces[n++] = kid->number;
  }
  if (run->p->rolled && run->p->steps == 0) run->p->rolled = false;
  if (engine_set_dice(run->engine, run->p, faces, n, why, sizeof why)) return true;
  return fail(run, step, "%s", why);
}

/* What the author wrote for the move. */
static const char *move_words(const Run *run, const Node *step, char text[80]) {
  const Node *move = node_find(step, N_MOVE);
  return tell_words(run->rules, move ? move->span : step->span, text);
}

static bool read_move(Run *run, const Node *step, Move *move) {
  char why[256];
  const Node *node = node_find(step, N_MOVE);
  if (node && move_from_tree(run->rules, node, move, why, sizeof why)) return true;
  return fail(run, step, "%s", node ? why : "a move is missing");
}

static bool do_legal(Run *run, const Node *step, const Move *move, Reason *reason) {
  explain_move(run->engine, run->p, move, false, reason);
  if (complained(run, step)) return false;
  if (reason->legal) return true;
  char words[80], why[900];
  explain_write(reason, false, why, sizeof why);
  return fail(run, step, "%s is not legal. %s", move_words(run, step, words), why);
}

static int clause_of(const char *word) {
  for (int i = 0; word && i < CLAUSE_COUNT; i++)
    if (!strcmp(clause_word((ClauseId)i), word)) return i;
  return CLAUSE_COUNT;
}

static bool do_illegal(Run *run, const Node *step, const Move *move, Reason *reason) {
  const Node *because = node_find(step, N_BECAUSE);
  explain_move(run->engine, run->p, move, true, reason);
  if (complained(run, step)) return false;
  char words[80], why[900];
  if (reason->legal) return fail(run, step, "%s is legal", move_words(run, step, words));
  if (!because || explain_says(run->rules, reason, because->text, clause_of(because->tag)))
    return true;
  explain_write(reason, false, why, sizeof why);
  return fail(run, step, "%s is not legal, but not because of %s%s%s. %s",
              move_words(run, step, words), because->text, because->tag ? "." : "",
              because->tag ? because->tag : "", why);
}

static bool play_offer(Run *run, const Node *step, const Move *move, Reason *reason) {
  Offer list[CHOICES_MAX];
  int n = engine_offers(run->engine, run->p, list, CHOICES_MAX);
  for (int i = 0; i < n && move->n == 1; i++) {
    if (!move_part_picks(run->rules, &move->part[0], list[i].rule, list[i].chosen)) continue;
    run->offering = true;
    run->offer = list[i];
    return true;
  }
  return do_legal(run, step, move, reason);
}

static bool do_play(Run *run, const Node *step, const Move *move, Reason *reason) {
  char words[80], why[900];
  if (run->offering) return fail(run, step, "the offer has not been answered");
  if (move->n && move->part[0].rule >= 0 &&
      run->rules->rule[move->part[0].rule].kind == RULE_OFFER)
    return play_offer(run, step, move, reason);
  if (engine_needs_dice(run->engine, run->p))
    return fail(run, step, "the dice have not been thrown");
  Mark mark = engine_mark(run->engine);
  Turns turns = engine_turns(run->engine, run->p);
  int found = move_find(run->engine, run->p, &turns, move);
  bool good = found >= 0;
  if (good) {
    position_copy(run->p, turns.at[found].after);
    if (run->p->stage != STAGE_ENDED) engine_push(run->engine, run->p);
  }
  engine_release(run->engine, mark);
  if (complained(run, step)) return false;
  if (good) return true;
  if (found == -2)
    return fail(run, step, "%s can be meant in several ways: name the kind, or every stop",
                move_words(run, step, words));
  explain_move(run->engine, run->p, move, true, reason);
  explain_write(reason, false, why, sizeof why);
  return fail(run, step, "%s cannot be played. %s", move_words(run, step, words),
              reason->legal ? "" : why);
}

static bool do_answer(Run *run, const Node *step) {
  if (!run->offering) return fail(run, step, "nothing has been offered");
  int answerer = -1;
  for (int i = 1; i < run->rules->seats && answerer < 0; i++) {
    int seat = (run->p->mover + i) % run->rules->seats;
    if ((run->p->active >> seat) & 1) answerer = seat;
  }
  run->offering = false;
  engine_offer(run->engine, run->p, &run->offer, !strcmp(step->text, "accept"), answerer);
  return !complained(run, step);
}

static bool do_expect(Run *run, const Node *step) {
  const Expr *e = load_expression(run->loading, run->rules, step->kid, TYPE_CONDITION);
  if (!e) return fail(run, step, "this cannot be understood");
  EvalCtx ctx = eval_context(run->engine, run->p);
  ctx.scenario = true;
  ctx.origin = run->p->last_origin;
  ctx.target = run->p->last_target;
  bool holds = eval_condition(&ctx, e);
  if (complained(run, step)) return false;
  if (holds) return true;
  char why[900];
  Telling t = telling(&ctx, why, sizeof why);
  tell_condition(&t, e, false);
  return fail(run, step, "%s", why);
}

static bool do_set(Run *run, const Node *step) {
  const Node *target = step->kid;
  if (target && target->text && is_param(run->rules, target->text)) {
    if (!run->p) return true;
    return fail(run, step, "a param is set before anything is played");
  }
  if (run->p) { /* at once, on the position as it is */
    Effect effect;
    if (!load_effect(run->loading, run->rules, step, &effect))
      return fail(run, step, "this cannot be set");
    engine_set(run->engine, run->p, &effect);
    return !complained(run, step);
  }
  if (run->sets == SETS_MOST) return fail(run, step, "too many settings");
  run->set[run->sets++] = step;
  return true;
}

/* Whether the kernel finds the same turns where turns are asked for. */
static bool others_agree(Run *run, const Node *step) {
  char why[900];
  if (step->kind == N_ST_DICE || step->kind == N_ST_ANSWER || step->kind == N_ST_TURN || step->kind == N_ST_SET) {
    run->agreed = false; /* it will be another position */
    return true;
  }
  if (!run->lister || run->agreed || !run->p || run->offering) return true;
  if (run->p->stage == STAGE_ENDED || engine_needs_dice(run->engine, run->p)) return true;
  bool same = agree(run->engine, run->lister, run->other, run->p, why, sizeof why);
  run->agreed = step->kind != N_ST_PLAY;
  return same ? true : fail(run, step, "reference and %s differ here: %s", run->other, why);
}

static bool do_step(Run *run, const Node *step) {
  if (run->p && !others_agree(run, step)) return false;
  if (step->kind == N_ST_SET) return do_set(run, step);
  if (step->kind == N_ST_TURN) return do_turn(run, step);
  if (step->kind == N_ST_GIVEN) {
    forget_position(run); /* a second position begins again */
    run->agreed = false;
    run->given = step;
    return true;
  }
  bool anew = !run->p;
  if (!need_position(run, step) || (anew && !others_agree(run, step))) return false;
  if (step->kind == N_ST_DICE) return do_dice(run, step);
  if (step->kind == N_ST_ANSWER) return do_answer(run, step);
  if (step->kind == N_ST_EXPECT) return do_expect(run, step);
  Move *move = memory_resize(NULL, sizeof *move);
  Reason *reason = memory_resize(NULL, sizeof *reason);
  bool good = read_move(run, step, move);
  if (good && step->kind == N_ST_LEGAL) good = do_legal(run, step, move, reason);
  if (good && step->kind == N_ST_ILLEGAL) good = do_illegal(run, step, move, reason);
  if (good && step->kind == N_ST_PLAY) good = do_play(run, step, move, reason);
  memory_resize(move, 0);
  memory_resize(reason, 0);
  return good;
}

/* The kernel of the rules as the scenario has set them; *own: nobody keeps it, since they are not those of the file. */
static Kernel *kernel_for(const Run *run, const Rules *rules, ScenarioBy *by, bool *own) {
  *own = false;
  if (!by || by->choice < ENGINE_KERNEL) return NULL;
  *own = run->rules != rules;
  if (!*own && by->kernel && by->rules == rules) return by->kernel;
  Kernel *kernel = fast_kernel(run->rules, by->choice);
  if (*own) return kernel;
  scenario_by_end(by);
  by->rules = rules;
  return by->kernel = kernel;
}
void scenario_by_end(ScenarioBy *by) {
  kernel_free(by->kernel);
  by->kernel = NULL;
}

static void run_steps(Run *run, const Rules *rules, ScenarioBy *by) {
  bool own;
  Kernel *kernel = kernel_for(run, rules, by, &own);
  run->engine = engine_new(run->rules);
  if (kernel) {
    run->lister = lister_new(run->engine);
    lister_use(run->lister, kernel);
    run->other = kernel->native ? "machine code" : "kernel";
  }
  const Node *steps = node_find(run->text->node, N_STEPS);
  for (const Node *step = steps ? steps->kid : NULL; step; step = step->next)
    if (!do_step(run, step)) break;
  free(run->p);
  lister_free(run->lister);
  if (own) kernel_free(kernel);
  engine_free(run->engine);
}

void scenario_run(Loading *loading, const Rules *rules, int index, const OptionSetting *options,
                  int option_n, ScenarioBy *by, ScenarioResult *result) {
  memset(result, 0, sizeof *result);
  result->ok = true;
  result->where = rules->scenario[index].span;
  Run *run = memory_resize(NULL, sizeof *run);
  memset(run, 0, sizeof *run);
  run->loading = loading;
  run->rules = rules;
  run->text = &rules->scenario[index];
  run->result = result;
  run->seat = -1;
  if (resolve_again(run, options, option_n)) run_steps(run, rules, by);
  memory_resize(run, 0);
}
