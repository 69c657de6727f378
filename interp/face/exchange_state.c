/* The `state` of a position: declared states and the game's counters, by name. What a
 * text sets becomes effects with constant values, as a scenario's `set` would. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "face/exchange.h"
#include "front/load.h"

struct Overlay {
  Arena *arena; /* of the expressions of the last reading */
  VEC(Effect) effect;
};

Overlay *overlay_new(void) {
  Overlay *overlay = memory_resize(NULL, sizeof *overlay);
  memset(overlay, 0, sizeof *overlay);
  return overlay;
}

void overlay_free(Overlay *overlay) {
  arena_free(overlay->arena);
  VEC_FREE(overlay->effect);
  memory_resize(overlay, 0);
}

typedef struct Reading {
  Exchange *x;
  const Rules *rules;
  Overlay *overlay;
  int seat;
  int32_t turns[SEATS_MAX];
  bool turns_given;
  uint8_t out;
  char *why;
  size_t room;
} Reading;

static bool fail(Reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(Reading *r, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->why, r->room, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- constants ---- */

static Expr *constant(Reading *r, ExprOp op, Type type, int32_t a) {
  Expr *e = ARENA_NEW(r->overlay->arena, Expr);
  e->op = (uint8_t)op;
  e->type = (uint8_t)type;
  e->a = a;
  e->span = (Span){-1, 0, 0};
  return e;
}

static const Expr *constant_set(Reading *r, ExprOp op, Type type, int member) {
  Expr *e = constant(r, op, type, 0);
  SiteSet *set = ARENA_NEW(r->overlay->arena, SiteSet);
  if (member >= 0) sites_add(set, member);
  e->data = set;
  return e;
}

static const Expr *constant_seat(Reading *r, int seat) {
  return constant(r, X_PLAYERS_CONST, TYPE_PLAYERS, seat < 0 ? SEAT_NOBODY : 1 << seat);
}

static void set(Reading *r, TargetKind target, int state, const Expr *of,
                const Expr *value) {
  Effect effect = {.op = EFFECT_SET,
                   .target = target,
                   .state = state,
                   .of = of,
                   .b = value,
                   .span = {-1, 0, 0}};
  VEC_PUSH(r->overlay->effect, effect);
}

/* ---- values ---- */

static bool read_number(Reading *r, const char *key, const json_t *json, int64_t low,
                        int64_t high, int *value) {
  if (!json_is_integer(json)) return fail(r, "`state`: %.60s is a whole number", key);
  json_int_t n = json_integer_value(json);
  if (n < low || n > high)
    return fail(r, "`state`: %.60s is %lld, and goes from %lld to %lld", key,
                (long long)n, (long long)low, (long long)high);
  *value = (int)n;
  return true;
}

static bool read_player(Reading *r, const char *key, const char *name, int *seat) {
  int found = rules_player(r->rules, name);
  if (found >= 0 && found < r->rules->seats) {
    *seat = found;
    return true;
  }
  const char *near = text_nearest(name, r->rules->player, (size_t)r->rules->seats);
  return fail(r, "`state`: %.60s: there is no player `%.60s`%s%s%s", key, name,
              near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

/* A name among the values that a state may have. */
static bool read_atom(Reading *r, const char *key, const char *name,
                      const SiteSet *values, int *atom) {
  const char *names[ATOMS_MAX];
  size_t n = 0;
  char list[200] = "";
  SITES_FOR(value, *values) {
    if (strcmp(r->rules->atom[value], name) == 0) {
      *atom = value;
      return true;
    }
    if (strlen(list) + strlen(r->rules->atom[value]) + 3 < sizeof list) {
      if (n) strcat(list, ", ");
      strcat(list, r->rules->atom[value]);
    }
    names[n++] = r->rules->atom[value];
  }
  const char *near = text_nearest(name, names, n);
  if (near)
    return fail(r, "`state`: %.60s cannot be `%.60s`; did you mean `%s`?", key, name,
                near);
  return fail(r, "`state`: %.60s cannot be `%.60s` (%s)", key, name, list);
}

static bool read_value(Reading *r, const State *state, const char *key,
                       const json_t *json, const Expr **value) {
  int n;
  if (state->type == TYPE_NUMBER) {
    if (!read_number(r, key, json, state->low, state->high, &n)) return false;
    *value = constant(r, X_NUMBER, TYPE_NUMBER, n);
    return true;
  }
  char digits[32];
  const char *name = json_string_value(json);
  if (json_is_integer(json)) { /* values may be named like numbers */
    snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(json));
    name = digits;
  }
  bool none = json_is_null(json) || (name && strcmp(name, "nobody") == 0);
  if (!name && !none) return fail(r, "`state`: %.60s is a name", key);
  if (state->type == TYPE_VALUES) {
    if (!name) return fail(r, "`state`: %.60s is a name", key);
    if (!read_atom(r, key, name, &state->values, &n)) return false;
    *value = constant_set(r, X_VALUES_CONST, TYPE_VALUES, n);
    return true;
  }
  if (none && !state->nobody) return fail(r, "`state`: %.60s cannot be nobody", key);
  n = -1;
  if (state->type == TYPE_PLAYERS) {
    if (!none && !read_player(r, key, name, &n)) return false;
    if (!none && !sites_has(&state->values, n))
      return fail(r, "`state`: %.60s cannot be %.60s", key, name);
    *value = constant_seat(r, n);
    return true;
  }
  if (!none && ((n = rules_site(r->rules, name)) < 0 || !sites_has(&state->values, n)))
    return fail(r, "`state`: %.60s cannot be `%.60s`: no such site", key, name);
  *value = constant_set(r, X_SITES_CONST, TYPE_SITES, n);
  return true;
}

/* ---- names ---- */

static const char *const counters[] = {"starter", "turn_count", "turns", "passes",
                                       "quiet",   "overruns",   "phase", "out"};
enum { COUNTERS = sizeof counters / sizeof *counters };

static bool read_state(Reading *r, const State *state, const char *key, const char *who,
                       const json_t *json) {
  const Expr *of = NULL, *value = NULL;
  if (state->scope == SCOPE_TURN)
    return fail(r, "`state`: %s starts afresh in every turn and cannot be set",
                state->name);
  if (state->scope == SCOPE_GAME) {
    if (who)
      return fail(r, "`state`: %s is the game's, not anybody's: write `%s`", state->name,
                  state->name);
  } else if (!who) {
    return fail(
        r, "`state`: %s of whom? Write `%s of %s`", state->name, state->name,
        state->scope == SCOPE_SITE ? r->rules->board.name[0] : r->rules->player[0]);
  } else if (state->scope == SCOPE_PLAYER) {
    int seat;
    if (!read_player(r, key, who, &seat)) return false;
    of = constant_seat(r, seat);
  } else {
    int site = rules_site(r->rules, who);
    if (site < 0 || site >= state->cells)
      return fail(r, "`state`: %.60s: there is no site `%.60s` on this board", key, who);
    of = constant_set(r, X_SITES_CONST, TYPE_SITES, site);
  }
  if (!read_value(r, state, key, json, &value)) return false;
  set(r, TARGET_STATE, (int)(state - r->rules->state), of, value);
  return true;
}

static bool read_counter(Reading *r, const char *name, const char *key, const char *who,
                         const json_t *json) {
  enum { COUNT_MOST = 1000000000 };
  int n = 0, seat = -1;
  bool of_player = strcmp(name, "turns") == 0 || strcmp(name, "overruns") == 0 ||
                   strcmp(name, "out") == 0;
  if (of_player != (who != NULL))
    return fail(r,
                of_player ? "`state`: %s of whom? Write `%s of %s`"
                          : "`state`: %s is the game's, not anybody's",
                name, name, r->rules->player[0]);
  if (of_player && !read_player(r, key, who, &seat)) return false;
  if (strcmp(name, "out") == 0) {
    if (!json_is_boolean(json)) return fail(r, "`state`: %.60s is true or false", key);
    if (json_is_true(json)) r->out |= (uint8_t)(1 << seat);
    return true;
  }
  if (strcmp(name, "starter") == 0 || strcmp(name, "phase") == 0) {
    const char *word = json_string_value(json);
    if (!word) return fail(r, "`state`: %s is a name", name);
    if (name[0] == 's') {
      if (!read_player(r, key, word, &seat)) return false;
      set(r, TARGET_STARTER, -1, NULL, constant_seat(r, seat));
      return true;
    }
    SiteSet phases = sites_none();
    for (int i = 0; i < r->rules->phases; i++)
      if (r->rules->phase[i].atom >= 0) sites_add(&phases, r->rules->phase[i].atom);
    if (!read_atom(r, key, word, &phases, &n)) return false;
    set(r, TARGET_PHASE, -1, NULL, constant_set(r, X_VALUES_CONST, TYPE_VALUES, n));
    return true;
  }
  if (!read_number(r, key, json, 0, COUNT_MOST, &n)) return false;
  if (strcmp(name, "turns") == 0) {
    r->turns[seat] = n;
    r->turns_given = true;
    return true;
  }
  TargetKind target = strcmp(name, "passes") == 0     ? TARGET_PASSES
                      : strcmp(name, "quiet") == 0    ? TARGET_QUIET
                      : strcmp(name, "overruns") == 0 ? TARGET_OVERRUNS
                                                      : TARGET_TURN_COUNT;
  set(r, target, -1, seat >= 0 ? constant_seat(r, seat) : NULL,
      constant(r, X_NUMBER, TYPE_NUMBER, n));
  return true;
}

static bool read_entry(Reading *r, const char *key, const json_t *json) {
  char name[128];
  const char *of = strstr(key, " of ");
  snprintf(name, sizeof name, "%.*s", of ? (int)(of - key) : (int)strlen(key), key);
  const char *who = of ? of + 4 : NULL;
  const char *known[CELLS_MAX + COUNTERS];
  size_t n = 0;
  for (int i = 0; i < r->rules->states; i++) {
    if (strcmp(r->rules->state[i].name, name) == 0)
      return read_state(r, &r->rules->state[i], key, who, json);
    known[n++] = r->rules->state[i].name;
  }
  for (int i = 0; i < COUNTERS; i++) {
    if (strcmp(counters[i], name) == 0)
      return read_counter(r, counters[i], key, who, json);
    known[n++] = counters[i];
  }
  const char *near = text_nearest(name, known, n);
  return fail(r, "`state`: this game has no state `%.60s`%s%s%s", name,
              near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

bool exchange_read_state(Exchange *x, const json_t *state, int seat, Effects *effects,
                         uint8_t *out, char *why, size_t room) {
  *effects = x->rules->start_effects;
  *out = 0;
  if (!state || json_object_size(state) == 0) return true;
  Overlay *overlay = x->overlay;
  arena_free(overlay->arena);
  overlay->arena = arena_new("position");
  overlay->effect.n = 0;
  for (int i = 0; i < x->rules->start_effects.n; i++)
    VEC_PUSH(overlay->effect, x->rules->start_effects.at[i]);
  Reading r = {.x = x,
               .rules = x->rules,
               .overlay = overlay,
               .seat = seat < 0 ? 0 : seat,
               .why = why,
               .room = room};
  for (int s = 0; s < x->rules->seats; s++) r.turns[s] = x->fresh[r.seat]->turns[s];
  const char *key;
  const json_t *value;
  json_object_foreach((json_t *)(uintptr_t)state, key,
                      value) if (!read_entry(&r, key, value)) return false;
  for (int s = 0; r.turns_given && s < x->rules->seats; s++)
    set(&r, TARGET_TURNS, -1, constant_seat(&r, s),
        constant(&r, X_NUMBER, TYPE_NUMBER, r.turns[s]));
  *effects = (Effects){overlay->effect.at, (int)overlay->effect.n};
  *out = r.out;
  return true;
}

/* ---- writing ---- */

static json_t *cell_value(const Exchange *x, const State *state, int32_t cell) {
  switch (state->type) {
    case TYPE_NUMBER:
      return json_integer(cell);
    case TYPE_VALUES:
      return json_string(x->rules->atom[cell]);
    case TYPE_PLAYERS:
      return json_string(cell < 0 ? "nobody" : x->rules->player[cell]);
    default:
      return json_string(cell < 0 ? "nobody" : x->rules->board.name[cell]);
  }
}

static void write_cells(const Exchange *x, const Position *p, const Position *fresh,
                        json_t *to) {
  const int32_t *now = position_cells(x->layout, p),
                *then = position_cells(x->layout, fresh);
  for (int i = 0; i < x->rules->states; i++) {
    const State *state = &x->rules->state[i];
    if (state->scope == SCOPE_TURN) continue;
    for (int c = 0; c < state->cells; c++) {
      int at = state->cell + c;
      if (now[at] == then[at]) continue;
      char key[256];
      if (state->scope == SCOPE_GAME) {
        snprintf(key, sizeof key, "%s", state->name);
      } else {
        snprintf(key, sizeof key, "%s of %s", state->name,
                 state->scope == SCOPE_PLAYER ? x->rules->player[c]
                                              : exchange_site_word(x, c));
      }
      json_object_set_new(to, key, cell_value(x, state, now[at]));
    }
  }
}

static void write_counter(json_t *to, const char *name, const char *who, int32_t now,
                          int32_t then) {
  if (now == then) return;
  char key[256];
  snprintf(key, sizeof key, who ? "%s of %s" : "%s", name, who);
  json_object_set_new(to, key, json_integer(now));
}

static void write_counters(const Exchange *x, const Position *p, const Position *fresh,
                           json_t *to) {
  const Rules *rules = x->rules;
  uint32_t mentions = rules->mentions;
  if (p->phase != fresh->phase && p->phase >= 0 && rules->phase[p->phase].atom >= 0)
    json_object_set_new(to, "phase", json_string(rules->phase[p->phase].name));
  if (mentions & MENTION_TURNS) {
    if (p->starter != fresh->starter && p->starter >= 0)
      json_object_set_new(to, "starter", json_string(rules->player[p->starter]));
    write_counter(to, "turn_count", NULL, p->turn_count, fresh->turn_count);
    for (int s = 0; s < rules->seats; s++)
      write_counter(to, "turns", rules->player[s], p->turns[s], fresh->turns[s]);
  }
  if (mentions & MENTION_PASSES)
    write_counter(to, "passes", NULL, p->passes, fresh->passes);
  if (mentions & MENTION_QUIET) write_counter(to, "quiet", NULL, p->quiet, fresh->quiet);
  for (int s = 0; s < rules->seats; s++) {
    write_counter(to, "overruns", rules->player[s], p->overruns[s], fresh->overruns[s]);
    if (p->stage == STAGE_ENDED || (p->active >> s) & 1) continue;
    char key[256];
    snprintf(key, sizeof key, "out of %s", rules->player[s]);
    json_object_set_new(to, key, json_true());
  }
}

json_t *exchange_state(Exchange *x, const Position *p) {
  const Position *fresh = x->fresh[p->mover < 0 ? 0 : p->mover];
  json_t *state = json_object();
  write_cells(x, p, fresh, state);
  write_counters(x, p, fresh, state);
  if (json_object_size(state) > 0) return state;
  json_decref(state);
  return NULL;
}
