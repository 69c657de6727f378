/* Explaining a move: it is played as far as it is legal; what stops it is asked for its reason. */
#include "play/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/reasons.h"

/* ---- reasons ---- */

void explain_clear(Reason *reason) {
  memset(reason, 0, sizeof *reason);
  reason->rule = reason->clause = -1;
  reason->where.file = -1;
}

void explain_name(Engine *engine, const Position *p, Reason *reason, int rule, int clause) {
  const Rules *rules = engine->rules;
  reason->rule = rule;
  reason->clause = clause;
  reason->where.file = -1;
  reason->sentence = reason->sentence_ru = NULL;
  if (rule < 0) {
    int phase = p->turn_phase >= 0 && p->turn_phase < rules->phases ? p->turn_phase : 0;
    const TurnShape *shape = &rules->phase[phase].turn;
    reason->rule_name = "turn";
    if (clause >= 0 && shape->has[clause]) reason->where = shape->where[clause];
    return;
  }
  const Rule *r = &rules->rule[rule];
  reason->rule_name = r->name;
  reason->sentence = r->doc;
  reason->sentence_ru = r->doc_ru;
  reason->where = clause >= 0 && r->has[clause] ? r->where[clause] : r->span;
}

void explain_refusal(Reason *reason, int rule, int clause) {
  if (reason->refusals == REASON_REFUSALS) return;
  reason->refusal[reason->refusals].rule = (int16_t)rule;
  reason->refusal[reason->refusals++].clause = (int16_t)clause;
}

bool explain_says(const Rules *rules, const Reason *reason, const char *rule, int clause) {
  for (int i = 0; i < reason->refusals; i++) {
    const Refusal *r = &reason->refusal[i];
    const char *name = r->rule < 0 ? "turn" : rules->rule[r->rule].name;
    if (!strcmp(name, rule) && (clause == CLAUSE_COUNT || clause == r->clause)) return true;
  }
  return false;
}

void explain_speak(Engine *engine, bool russian) {
  engine->russian = russian;
}

/* The next line, with the rule's name; what follows goes to the end of *room. */
static char *open_line(Engine *engine, Reason *reason, int rule, size_t *room) {
  char *line = reason->line[reason->lines];
  reason->line_rule[reason->lines++] = (int16_t)rule;
  int n = snprintf(line, sizeof reason->line[0], "%s: ", engine->rules->rule[rule].name);
  *room = sizeof reason->line[0] - (size_t)n;
  return line + n;
}

void explain_line(Engine *engine, Reason *reason, int rule, const char *text) {
  size_t room;
  if (reason->lines == REASON_LINES) return;
  char *line = open_line(engine, reason, rule, &room);
  snprintf(line, room, "%s", text);
}

void explain_line_words(Engine *engine, Reason *reason, int rule, WordsId id,
                        const char *const *put_in) {
  size_t room;
  if (reason->lines == REASON_LINES) return;
  char *line = open_line(engine, reason, rule, &room);
  words_write(line, room, id, engine->russian, put_in);
}

void explain_write(const Reason *reason, bool russian, char *text, size_t room) {
  const char *sentence = russian && reason->sentence_ru ? reason->sentence_ru : reason->sentence;
  char name[160] = "";
  if (reason->rule_name && reason->clause >= 0)
    snprintf(name, sizeof name, "%s.%s: ", reason->rule_name,
             clause_word((ClauseId)reason->clause));
  else if (reason->rule_name)
    snprintf(name, sizeof name, "%s: ", reason->rule_name);
  snprintf(text, room, "%s%s%s%s", name, sentence ? sentence : "",
           sentence && *reason->detail ? " " : "", reason->detail);
}

/* ---- playing the move as far as it goes ---- */

enum { PATH_STEPS_MOST = 512, WALK_BUDGET = 20000 };

typedef struct Walk {
  Engine *engine;
  const Move *move;
  const Position *start;
  const Turns *turns;
  bool complete; /* only whole turns will do */
  bool skip;     /* stops may have been left out */
  int budget;
  Step path[PATH_STEPS_MOST];
  /* where it got furthest */
  int part, stop, plane;
  Position *furthest;
  /* a legal reading */
  bool found, whole;
  int steps;
  Step step[PATH_STEPS_MOST];
  Position *end;
} Walk;

static bool is_whole(Walk *w, const Position *p) {
  Position *end = engine_position(w->engine);
  position_copy(end, p);
  engine_finish(w->engine, end);
  bool whole = false;
  for (int i = 0; i < w->turns->n && !whole; i++)
    whole = position_same(w->engine->rules, &w->engine->layout, end, w->turns->at[i].after);
  free(end);
  return whole && turn_may_end(w->engine, w->start, p);
}

/* All parts have been read and p is reached by legal steps. */
static void arrive(Walk *w, const Position *p, int depth) {
  bool whole = is_whole(w, p);
  if (w->found && !whole) return;
  w->found = true;
  w->whole = whole;
  w->steps = depth;
  memcpy(w->step, w->path, (size_t)depth * sizeof *w->path);
  position_copy(w->end, p);
}

static void note_furthest(Walk *w, const Position *p, int part, int stop, int plane) {
  if (part < w->part || (part == w->part && stop <= w->stop)) return;
  w->part = part;
  w->stop = stop;
  w->plane = plane;
  position_copy(w->furthest, p);
}

static void walk(Walk *w, const Position *p, int part, int stop, int at, int plane, int depth) {
  if (w->whole || w->budget-- <= 0 || depth >= PATH_STEPS_MOST) return;
  if (part == w->move->n) {
    arrive(w, p, depth);
    return;
  }
  const MovePart *m = &w->move->part[part];
  if (at < 0 || at == m->stop[stop]) note_furthest(w, p, part, stop, plane);
  Mark mark = engine_mark(w->engine);
  Steps steps = engine_steps(w->engine, p);
  Position *next = engine_position(w->engine);
  for (int i = 0; i < steps.n && !w->whole; i++) {
    const Step *step = &steps.at[i];
    w->path[depth] = *step;
    if (m->rule >= 0) {
      if (step->origin >= 0 || !move_part_picks(w->engine->rules, m, step->rule, step->chosen))
        continue;
      engine_make(w->engine, p, step, next, NULL, NULL);
      walk(w, next, part + 1, 0, -1, -1, depth + 1);
      continue;
    }
    if (step->origin < 0 || step->origin != (at < 0 ? m->stop[0] : at)) continue;
    if (plane >= 0 ? step->plane != plane
                   : m->kind >= 0 && w->engine->rules->plane[step->plane].kind != m->kind)
      continue;
    bool there = step->target == m->stop[stop + 1];
    if (!there && !w->skip) continue;
    engine_make(w->engine, p, step, next, NULL, NULL);
    if (there && stop + 2 == m->stops)
      walk(w, next, part + 1, 0, -1, -1, depth + 1);
    else if (next->last_plane >= 0)
      walk(w, next, part, there ? stop + 1 : stop, step->target, next->last_plane, depth + 1);
  }
  free(next);
  engine_release(w->engine, mark);
}

/* ---- the step that stops it ---- */

static bool meant(const Engine *engine, const Sought *sought, const Step *step) {
  if (sought->part->rule >= 0)
    return step->origin < 0 &&
           move_part_picks(engine->rules, sought->part, step->rule, step->chosen);
  if (step->origin != sought->origin || step->target != sought->target) return false;
  if (sought->plane >= 0) return step->plane == sought->plane;
  return sought->part->kind < 0 ||
         engine->rules->plane[step->plane].kind == sought->part->kind;
}

/* Candidates exist: the one that gets past the forbids speaks, else the first. */
static void explain_candidates(Engine *engine, const Position *p, const Step *step, int n,
                               Reason *reason) {
  Reason *first = memory_resize(NULL, sizeof *first);
  for (int i = 0; i < n; i++) {
    explain_clear(reason);
    if (!refuse_forbidden(engine, p, &step[i], reason)) {
      oblige_step(engine, p, &step[i], reason);
      memory_resize(first, 0);
      return;
    }
    if (i == 0) {
      *first = *reason;
    } else {
      for (int k = 0; k < reason->refusals; k++)
        explain_refusal(first, reason->refusal[k].rule, reason->refusal[k].clause);
    }
  }
  *reason = *first;
  memory_resize(first, 0);
}

static void explain_stop(Walk *w, Reason *reason) {
  Engine *engine = w->engine;
  const Position *p = w->furthest;
  const MovePart *part = &w->move->part[w->part];
  Sought sought = {part, -1, -1, w->plane};
  if (part->rule < 0) {
    sought.origin = part->stop[w->stop];
    sought.target = part->stop[w->stop + 1];
  }
  if (p->stage == STAGE_ENDED) {
    DETAIL(engine, reason, OVER_BEFORE);
    explain_name(engine, p, reason, p->end_rule, -1);
    explain_refusal(reason, p->end_rule, -1);
    return;
  }
  Mark mark = engine_mark(engine);
  Steps candidates = engine_candidates(engine, p);
  int n = 0;
  for (int i = 0; i < candidates.n; i++)
    if (meant(engine, &sought, &candidates.at[i])) candidates.at[n++] = candidates.at[i];
  const TurnShape *shape = turn_shape(engine, p);
  bool counted = shape->pool < 0 || shape->steps_low; /* not: while there are dice */
  if (n > 0 && p->steps && counted && engine_steps(engine, p).n == 0)
    oblige_over(engine, p, reason);
  else if (n > 0)
    explain_candidates(engine, p, candidates.at, n, reason);
  else if (part->rule >= 0)
    refuse_pick(engine, p, &sought, reason);
  else
    refuse_hop(engine, p, &sought, reason);
  engine_release(engine, mark);
}

/* ---- offers, passes, the whole ---- */

static void explain_offer(Engine *engine, const Position *p, const Move *move, Reason *reason) {
  const MovePart *part = &move->part[0];
  const Rule *rule = &engine->rules->rule[part->rule];
  Offer list[CHOICES_MAX];
  int n = p->rolled || p->steps ? 0 : engine_offers(engine, p, list, CHOICES_MAX);
  for (int i = 0; i < n && move->n == 1; i++)
    if (move_part_picks(engine->rules, part, list[i].rule, list[i].chosen)) {
      reason->legal = true;
      explain_name(engine, p, reason, rule->index, -1);
      LINE(engine, reason, rule->index, MAY_BE_OFFERED);
      return;
    }
  if (move->n > 1) {
    DETAIL(engine, reason, OFFER_ALONE);
    explain_name(engine, p, reason, rule->index, -1);
    return;
  }
  Sought sought = {part, -1, -1, -1};
  refuse_pick(engine, p, &sought, reason);
}

static bool early_answer(Engine *engine, const Position *p, const Move *move, Reason *reason) {
  const Rules *rules = engine->rules;
  if (p->stage == STAGE_ENDED) {
    DETAIL(engine, reason, OVER);
    if (p->end_rule >= 0) explain_name(engine, p, reason, p->end_rule, -1);
    return true;
  }
  if (move->n && move->part[0].rule >= 0 &&
      rules->rule[move->part[0].rule].kind == RULE_OFFER) {
    explain_offer(engine, p, move, reason);
    return true;
  }
  if (engine_needs_dice(engine, p)) {
    DETAIL(engine, reason, NOT_THROWN);
    explain_name(engine, p, reason, -1, CLAUSE_ROLL);
    explain_refusal(reason, -1, CLAUSE_ROLL);
    return true;
  }
  return false;
}

static void account(Walk *w, Reason *reason) {
  reason->legal = true;
  reason->beginning = !w->whole;
  if (w->steps) explain_name(w->engine, w->start, reason, w->step[0].rule, -1);
  account_steps(w->engine, w->start, w->step, w->steps, w->whole, reason);
}

void explain_move(Engine *engine, const Position *p, const Move *move, bool complete,
                  Reason *reason) {
  explain_clear(reason);
  if (early_answer(engine, p, move, reason)) return;
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, p);
  if (turns.too_many) {
    reason->rule_name = "turn";
    DETAIL(engine, reason, TOO_MANY_TURNS);
    engine_release(engine, mark);
    return;
  }
  Walk *w = memory_resize(NULL, sizeof *w);
  memset(w, 0, sizeof *w);
  w->engine = engine;
  w->move = move;
  w->start = p;
  w->turns = &turns;
  w->complete = complete;
  w->part = w->stop = w->plane = -1;
  w->furthest = engine_position(engine);
  w->end = engine_position(engine);
  position_copy(w->furthest, p);
  if (move->n == 0) {
    if (turns.n && turns.at[0].steps == 0) {
      w->found = w->whole = true;
      account(w, reason);
    } else {
      oblige_stop(engine, p, NULL, 0, p, reason);
    }
  } else {
    for (int skip = 0; skip < 2 && !w->found; skip++) {
      w->skip = skip;
      w->budget = WALK_BUDGET;
      walk(w, p, 0, 0, -1, -1, 0);
    }
    if (!w->found)
      explain_stop(w, reason);
    else if (complete && !w->whole)
      oblige_stop(engine, p, w->step, w->steps, w->end, reason);
    else
      account(w, reason);
  }
  free(w->furthest);
  free(w->end);
  memory_resize(w, 0);
  engine_release(engine, mark);
}
