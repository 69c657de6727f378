/* From a position where kernel and reference differ to the smallest of the same difference:
 * pieces go one by one, numbers go back to what they are at the start, as long as the difference
 * stays. Then the rules, left out one by one, tell which of them it hangs on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differ.h"
#include "face/exchange.h"

enum { ROUNDS_MOST = 20 };

typedef struct Shrink {
  Pair *pair;
  Exchange *x;      /* with an engine of its own */
  Position *now;    /* the smallest so far */
  Position *tried;
  bool throws;      /* the difference is one of the throws of a position that waits for dice */
  bool as_text;     /* the position written and read again differs as well: so shall all smaller ones */
  Difference found; /* of `now` */
} Shrink;

static bool differs(Pair *pair, const Position *p, bool throws, Difference *d) {
  return throws ? pair_throws_differ(pair, p, d) : pair_differs(pair, p, d);
}

/* The position as it comes out of its text; false: it is not one that a text can give. */
static bool reread(Exchange *x, Position *p) {
  char why[512];
  json_t *json = exchange_position(x, p);
  Position *read = engine_position(x->engine);
  bool good = exchange_read(x, json, read, why, sizeof why) && read->stage == STAGE_TURN;
  if (good) position_copy(p, read);
  json_decref(json);
  free(read);
  return good;
}

/* Takes s->tried for the smallest if it shows the same difference. */
static bool settle(Shrink *s) {
  char why[128];
  const Pair *pair = s->pair;
  if (!position_check(pair->rules, engine_layout(pair->engine), s->tried, why, sizeof why)) return false;
  if (s->as_text && !reread(s->x, s->tried)) return false;
  if (s->as_text && !memcmp(s->tried, s->now, s->now->size)) return false; /* nothing that a text says */
  Difference d;
  if (!differs(s->pair, s->tried, s->throws, &d)) return false;
  bool same = d.kind == s->found.kind && d.rule == s->found.rule;
  if (!same) {
    free(d.text);
    return false;
  }
  free(s->found.text);
  s->found = d;
  position_copy(s->now, s->tried);
  return true;
}

static bool fewer_pieces(Shrink *s) {
  const Rules *rules = s->pair->rules;
  const Layout *l = engine_layout(s->pair->engine);
  bool any = false;
  for (int i = 0; i < rules->planes * rules->board.sites; i++) {
    int n = position_count(l, s->now)[i];
    for (int less = n; less > 0; less = less > 1 && n > 1 ? 1 : 0) { /* all of them, else one */
      position_copy(s->tried, s->now);
      position_add(rules, l, s->tried, i / rules->board.sites, i % rules->board.sites, -less);
      if (!settle(s)) continue;
      any = true;
      break;
    }
  }
  return any;
}

static bool plainer_cells(Shrink *s) {
  const Rules *rules = s->pair->rules;
  const Layout *l = engine_layout(s->pair->engine);
  bool any = false;
  for (int i = 0; i < rules->states; i++)
    for (int c = 0; c < rules->state[i].cells; c++) {
      int at = rules->state[i].cell + c;
      if (position_cells(l, s->now)[at] == rules->state[i].start) continue;
      position_copy(s->tried, s->now);
      position_cells(l, s->tried)[at] = rules->state[i].start;
      any |= settle(s);
    }
  return any;
}

static bool plainer_counters(Shrink *s) {
  bool any = false;
#define PLAINER(field, value)           \
  if (s->now->field != (value)) {       \
    position_copy(s->tried, s->now);    \
    s->tried->field = (value);          \
    any |= settle(s);                   \
  }
  PLAINER(quiet, 0)
  PLAINER(passes, 0)
  PLAINER(turn_count, 1)
  for (int i = 0; i < s->pair->rules->seats; i++) {
    PLAINER(turns[i], 1)
    PLAINER(overruns[i], 0)
    PLAINER(last_origin_of[i], -1)
    PLAINER(last_target_of[i], -1)
  }
#undef PLAINER
  return any;
}

static void shrink(Shrink *s) {
  position_copy(s->tried, s->now);
  s->as_text = reread(s->x, s->tried) && (!memcmp(s->tried, s->now, s->now->size) || settle(s));
  for (int round = 0; round < ROUNDS_MOST; round++)
    if (!(fewer_pieces(s) | plainer_cells(s) | plainer_counters(s))) break;
}

/* ---- the rules that matter ---- */

/* The same game without one rule. */
static Rules *without(const Rules *rules, int rule) {
  Rules *less = ARENA_NEW(rules->arena, Rules);
  memcpy(less, rules, sizeof *less);
  Rule *list = ARENA_ARRAY(rules->arena, Rule, rules->rules);
  memcpy(list, rules->rule, sizeof *list * (size_t)rules->rules);
  list[rule].exists = false;
  less->rule = list;
  int kind = (int)list[rule].kind, n = 0;
  int *of_kind = ARENA_ARRAY(rules->arena, int, rules->of_kind_n[kind] + 1);
  for (int i = 0; i < rules->of_kind_n[kind]; i++)
    if (rules->of_kind[kind][i] != rule) of_kind[n++] = rules->of_kind[kind][i];
  less->of_kind[kind] = of_kind;
  less->of_kind_n[kind] = n;
  return less;
}

static bool agree_without(const Shrink *s, int rule) {
  char why[256];
  Pair pair;
  Difference d;
  if (!pair_open(&pair, without(s->pair->rules, rule), s->pair->side, s->pair->hosted, why, sizeof why)) return false;
  for (int i = 0; i < s->pair->pasts; i++) pair_push(&pair, s->pair->past[i]);
  bool agree = !differs(&pair, s->now, s->throws, &d);
  if (!agree) free(d.text);
  pair_close(&pair);
  return agree;
}

static bool is_move(const Rule *rule) { return rule->kind == RULE_MOVE || rule->kind == RULE_CHOICE; }

/* Rules that make steps come last: without the step there is no difference either. */
static void say_rules(const Shrink *s) {
  const Rules *rules = s->pair->rules;
  int said = 0;
  for (int moves = 0; moves < 2; moves++)
    for (int i = 0; i < rules->rules; i++) {
      if (!rules->rule[i].exists || is_move(&rules->rule[i]) != moves || !agree_without(s, i)) continue;
      fprintf(stderr, "%s%s", said++ ? ", " : "  they agree without: ", rules->rule[i].name);
    }
  fprintf(stderr, said ? "\n" : "  no single rule makes the difference\n");
}

static void say_position(const Shrink *s, const char *game, const char *options) {
  json_t *json = exchange_position(s->x, s->now);
  char *text = json_dumps(json, JSON_COMPACT);
  fprintf(stderr, "  tavl moves %s%s --position '%s'\n", game, options, text);
  if (!s->as_text) fprintf(stderr, "  (with more than a text says: counters of the turn, or what only a game leads to)\n");
  free(text);
  json_decref(json);
  for (int i = 0; i < s->pair->pasts; i++) {
    json = exchange_position(s->x, s->pair->past[i]);
    text = json_dumps(json, JSON_COMPACT);
    fprintf(stderr, "  after %s\n", text);
    free(text);
    json_decref(json);
  }
}

/* ---- what has been before ---- */

/* Gives the pair a history of those of n positions that are not left out. */
static void give_history(Shrink *s, Position *const *past, const bool *out, int n) {
  pair_forget(s->pair);
  for (int i = 0; i < n; i++)
    if (!out[i]) pair_push(s->pair, past[i]);
}

static bool same_without(Shrink *s, Position *const *past, const bool *out, int n) {
  give_history(s, past, out, n);
  position_copy(s->tried, s->now);
  return settle(s);
}

/* Without what has been before, or with as little of it as makes the difference. */
static void drop_history(Shrink *s) {
  int n = s->pair->pasts;
  Position **past = memory_resize(NULL, sizeof *past * (size_t)(n + 1));
  bool *out = memory_resize(NULL, sizeof *out * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    past[i] = engine_position(s->pair->engine);
    position_copy(past[i], s->pair->past[i]);
    out[i] = true;
  }
  if (!same_without(s, past, out, n)) {
    for (int i = 0; i < n; i++) out[i] = false;
    for (int i = 0; i < n; i++) {
      out[i] = true;
      if (!same_without(s, past, out, n)) out[i] = false;
    }
  }
  give_history(s, past, out, n);
  for (int i = 0; i < n; i++) free(past[i]);
  memory_resize(past, 0);
  memory_resize(out, 0);
}

void differ_report(Pair *pair, const Position *p, const Difference *d, const char *game, const char *options,
                   const char *when) {
  Engine *apart = engine_new(pair->rules);
  Shrink s = {.pair = pair, .x = exchange_new(apart), .now = engine_position(apart), .tried = engine_position(apart)};
  s.throws = engine_needs_dice(pair->engine, p);
  s.found = (Difference){d->kind, d->rule, strdup(d->text)};
  position_copy(s.now, p);
  drop_history(&s);
  shrink(&s);
  fprintf(stderr, "%s%s: reference and %s differ, %s\n  %s\n", game, options, pair_side(pair), when, s.found.text);
  if (s.found.rule >= 0) fprintf(stderr, "  rule: %s\n", pair->rules->rule[s.found.rule].name);
  say_position(&s, game, options);
  say_rules(&s);
  free(s.found.text);
  free(s.now);
  free(s.tried);
  exchange_free(s.x);
  engine_free(apart);
}
