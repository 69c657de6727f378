/* Positions and turns to and from JSON. */
#include "face/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "front/load.h"
#include "play/notation.h"

/* ---- what is known about the game ---- */

static void note_made(Exchange *x, const Effects *effects) {
  for (int i = 0; i < effects->n; i++) {
    const Effect *e = &effects->at[i];
    if (e->op == EFFECT_HOOK) x->turncoats = true;
    if (e->op != EFFECT_MAKE) continue;
    if (e->b) x->turncoats = true;
    for (int seat = 0; seat < x->rules->seats; seat++)
      if (x->rules->kind[e->kind].plane[seat] >= 0)
        x->makes[x->rules->kind[e->kind].plane[seat]] = true;
  }
}

/* The planes that an expression names alone, not in company with other kinds. */
static void note_vital(Exchange *x, const Expr *e) {
  if (!e) return;
  uint32_t planes = 0;
  if (e->op == X_PIECES_CONST) planes = (uint32_t)e->a;
  if (e->op == X_PIECES_KIND)
    for (int plane = 0; plane < x->rules->planes; plane++)
      if (((uint32_t)e->a >> x->rules->plane[plane].kind) & 1)
        planes |= (uint32_t)1 << plane;
  int kind = -1;
  bool one_kind = planes != 0;
  for (int plane = 0; plane < x->rules->planes; plane++) {
    if (!((planes >> plane) & 1)) continue;
    if (kind >= 0 && kind != x->rules->plane[plane].kind) one_kind = false;
    kind = x->rules->plane[plane].kind;
  }
  for (int plane = 0; plane < x->rules->planes && one_kind; plane++)
    if ((planes >> plane) & 1) x->vital[plane] = true;
  for (int i = 0; i < 3; i++) note_vital(x, e->kid[i]);
}

static void note_rules(Exchange *x) {
  for (int r = 0; r < x->rules->rules; r++) {
    const Rule *rule = &x->rules->rule[r];
    if (!rule->exists) continue;
    note_made(x, &rule->do_);
    note_made(x, &rule->accept);
    note_made(x, &rule->decline);
    if (rule->kind != RULE_WIN && rule->kind != RULE_LOSE && rule->kind != RULE_DRAW)
      continue;
    note_vital(x, rule->when);
    note_vital(x, rule->unless);
  }
}

static int start_total(const Rules *rules, int plane) {
  int total = 0;
  for (int site = 0; site < rules->board.sites; site++)
    total += rules->start_count[plane * rules->board.sites + site];
  return total;
}

/* A label value on exactly one site is a synonym of that site. */
static void note_synonyms(Exchange *x) {
  const Rules *rules = x->rules;
  for (int l = 0; l < rules->labels; l++) {
    const Label *label = &rules->label[l];
    if (label->type != TYPE_VALUES) continue;
    for (int site = 0; site < rules->board.sites; site++) {
      if (label->value[site] < 0 || x->synonym[site]) continue;
      const char *word = rules->atom[label->value[site]];
      if (rules_site(rules, word) == site) x->synonym[site] = word;
    }
  }
}

/* What an empty board gives: the values at the start. */
static void note_fresh(Exchange *x) {
  const Rules *rules = x->rules;
  size_t cells = (size_t)rules->planes * (size_t)rules->board.sites;
  uint16_t *none = memory_resize(NULL, sizeof *none * (cells + 1));
  memset(none, 0, sizeof *none * cells);
  for (int seat = 0; seat < rules->seats; seat++) {
    char why[256];
    x->fresh[seat] = engine_position(x->engine);
    engine_given(x->engine, x->fresh[seat], none, rules->start_effects, seat, false, why,
                 sizeof why);
  }
  memory_resize(none, 0);
}

Exchange *exchange_new(Engine *engine) {
  Exchange *x = memory_resize(NULL, sizeof *x);
  memset(x, 0, sizeof *x);
  x->engine = engine;
  x->rules = engine_rules(engine);
  x->layout = engine_layout(engine);
  x->overlay = overlay_new();
  note_fresh(x);
  note_rules(x);
  note_synonyms(x);
  for (int plane = 0; plane < x->rules->planes; plane++) {
    int total = start_total(x->rules, plane);
    x->total[x->rules->plane[plane].owner] += total;
    x->single[plane] = total == 1 && !x->makes[plane];
    x->vital[plane] = x->vital[plane] && x->single[plane];
  }
  return x;
}

void exchange_free(Exchange *x) {
  if (!x) return;
  for (int seat = 0; seat < x->rules->seats; seat++) free(x->fresh[seat]);
  overlay_free(x->overlay);
  memory_resize(x, 0);
}

const char *exchange_site_word(const Exchange *x, int site) {
  return x->synonym[site] ? x->synonym[site] : x->rules->board.name[site];
}

/* ---- reading ---- */

static const char *near_site(const Rules *rules, const char *word) {
  return text_nearest(word, rules->board.name, (size_t)rules->board.sites);
}

static bool read_seat(const Exchange *x, const json_t *json, int *seat, char *why,
                      size_t room) {
  const Rules *rules = x->rules;
  if (!json)
    return text_fail(why, room, "`to_move` is missing: a player, for example \"%s\"",
                rules->player[0]);
  *seat = -1;
  if (json_is_null(json)) return true;
  if (!json_is_string(json))
    return text_fail(why, room, "`to_move` is a player's name, or null after the end");
  const char *name = json_string_value(json);
  int found = rules_player(rules, name);
  if (found >= 0 && found < rules->seats) {
    *seat = found;
    return true;
  }
  if (found >= 0)
    return text_fail(why, room, "`to_move`: %s does not play; %d sit at this table", name,
                rules->seats);
  const char *near = text_nearest(name, rules->player, (size_t)rules->seats);
  return text_fail(why, room, "`to_move`: there is no player `%s`%s%s%s", name,
              near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
}

/* "KIND of OWNER" */
static bool read_plane(const Exchange *x, const char *text, int *plane, char *why,
                       size_t room) {
  const Rules *rules = x->rules;
  char kind_name[128];
  const char *of = strstr(text, " of ");
  if (!of || (size_t)(of - text) >= sizeof kind_name)
    return text_fail(why, room, "`%.60s`: pieces are named like \"%s of %s\"", text,
                rules->kind[0].name, rules->player[0]);
  snprintf(kind_name, sizeof kind_name, "%.*s", (int)(of - text), text);
  int kind = rules_kind(rules, kind_name);
  if (kind < 0) {
    const char *names[PLANES_MAX];
    for (int i = 0; i < rules->kinds && i < PLANES_MAX; i++)
      names[i] = rules->kind[i].name;
    const char *near = text_nearest(kind_name, names, (size_t)rules->kinds);
    return text_fail(why, room, "there is no piece `%s`%s%s%s", kind_name,
                near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
  }
  int seat = rules_player(rules, of + 4);
  if (seat < 0) {
    const char *near = text_nearest(of + 4, rules->player, (size_t)rules->players);
    return text_fail(why, room, "`%.60s`: there is no player `%.60s`%s%s%s", text, of + 4,
                near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
  }
  if (seat >= rules->seats)
    return text_fail(why, room, "`%.60s`: %s does not play; %d sit at this table", text,
                of + 4, rules->seats);
  *plane = rules->kind[kind].plane[seat];
  if (*plane < 0) return text_fail(why, room, "%s has no %s in this game", of + 4, kind_name);
  return true;
}

static bool read_pieces(Exchange *x, const json_t *pieces, uint16_t *count, char *why,
                        size_t room) {
  const Rules *rules = x->rules;
  const char *name;
  const json_t *places;
  json_object_foreach((json_t *)(uintptr_t)pieces, name, places) {
    int plane;
    if (!read_plane(x, name, &plane, why, room)) return false;
    if (!json_is_object(places))
      return text_fail(why, room, "`%.60s` wants sites and counts, like {\"%s\": 1}", name,
                  rules->board.name[0]);
    const char *word;
    const json_t *number;
    json_object_foreach((json_t *)(uintptr_t)places, word, number) {
      int site = rules_site(rules, word);
      if (site < 0) {
        const char *near = near_site(rules, word);
        return text_fail(why, room, "`%.60s`: there is no site `%.60s` on this board%s%s%s",
                    name, word, near ? "; did you mean `" : "", near ? near : "",
                    near ? "`?" : "");
      }
      if (!json_is_integer(number))
        return text_fail(why, room, "`%.60s` on %.60s: the count must be a whole number", name,
                    word);
      json_int_t n = json_integer_value(number);
      if (n < 0)
        return text_fail(why, room, "`%.60s` on %.60s: the count %lld is negative", name, word,
                    (long long)n);
      if (n > 1000)
        return text_fail(why, room, "`%.60s` on %.60s: the count %lld is too large", name,
                    word, (long long)n);
      uint16_t *here = &count[plane * rules->board.sites + site];
      if (*here) return text_fail(why, room, "`%.60s`: %.60s is named twice", name, word);
      *here = (uint16_t)n;
    }
  }
  return true;
}

static const char *plane_name(const Exchange *x, int plane) {
  static _Thread_local char text[128];
  plane_write(x->rules, plane, text, sizeof text);
  return text;
}

static bool check_totals(const Exchange *x, const uint16_t *count, bool ended, char *why,
                         size_t room) {
  const Rules *rules = x->rules;
  int seat_total[SEATS_MAX] = {0};
  int all = 0, start = 0;
  for (int plane = 0; plane < rules->planes; plane++) {
    int total = 0;
    for (int site = 0; site < rules->board.sites; site++)
      total += count[plane * rules->board.sites + site];
    seat_total[rules->plane[plane].owner] += total;
    if (x->single[plane] && total > 1)
      return text_fail(why, room, "there are %d %s, and there is only one", total,
                  plane_name(x, plane));
    if (x->vital[plane] && total == 0 && !ended)
      return text_fail(why, room, "the %s is missing", plane_name(x, plane));
  }
  for (int seat = 0; seat < rules->seats; seat++) {
    all += seat_total[seat];
    start += x->total[seat];
    if (!x->turncoats && x->total[seat] > 0 && seat_total[seat] > x->total[seat])
      return text_fail(why, room, "%s has %d pieces, and the game has %d", rules->player[seat],
                  seat_total[seat], x->total[seat]);
  }
  if (start > 0 && all > start)
    return text_fail(why, room, "there are %d pieces, and the game has %d", all, start);
  return true;
}

static bool check_sites(const Exchange *x, const uint16_t *count, char *why,
                        size_t room) {
  const Rules *rules = x->rules;
  for (int site = 0; site < rules->board.squares; site++) {
    uint32_t owners = 0;
    int here = 0;
    for (int plane = 0; plane < rules->planes; plane++) {
      int n = count[plane * rules->board.sites + site];
      if (n) owners |= (uint32_t)1 << rules->plane[plane].owner;
      here += n;
    }
    if (__builtin_popcount(owners) > 2)
      return text_fail(why, room, "pieces of %d players stand on %s",
                  __builtin_popcount(owners), rules->board.name[site]);
    if (here > 1 && (!rules->stacks || rules->board.shape != BOARD_POINTS))
      return text_fail(why, room, "%d pieces stand on %s, and there is room for one", here,
                  rules->board.name[site]);
  }
  return true;
}

static bool read_dice(Exchange *x, const json_t *dice, Position *p, char *why,
                      size_t room) {
  if (!json_is_array(dice))
    return text_fail(why, room, "`dice` is a list of numbers, like [6, 3]");
  size_t n = json_array_size(dice);
  if (n == 0) return true;
  if (n > DICE_MAX) return text_fail(why, room, "`dice`: %zu dice are too many", n);
  int faces[DICE_MAX];
  for (size_t i = 0; i < n; i++) {
    const json_t *face = json_array_get(dice, i);
    if (!json_is_integer(face)) return text_fail(why, room, "`dice` are whole numbers");
    json_int_t value = json_integer_value(face);
    if (value < -1000 || value > 1000)
      return text_fail(why, room, "`dice`: no die shows %lld", (long long)value);
    faces[i] = (int)value;
  }
  if (p->stage == STAGE_ENDED) return text_fail(why, room, "`dice`: the game is over");
  return engine_set_dice(x->engine, p, faces, (int)n, why, room);
}

static bool check_fields(const json_t *json, char *why, size_t room) {
  static const char *const fields[] = {"to_move", "pieces", "dice", "state"};
  const size_t n = sizeof fields / sizeof *fields;
  const char *name;
  const json_t *value;
  json_object_foreach((json_t *)(uintptr_t)json, name, value) {
    bool known = false;
    for (size_t i = 0; i < n; i++) known = known || strcmp(name, fields[i]) == 0;
    if (known) continue;
    const char *near = text_nearest(name, fields, n);
    return text_fail(why, room, "a position has no field `%.60s`%s%s%s", name,
                near ? "; did you mean `" : " (to_move, pieces, dice, state)",
                near ? near : "", near ? "`?" : "");
  }
  return true;
}

static void end_position(Position *p) {
  p->stage = STAGE_ENDED;
  p->mover = -1;
  p->end_rule = -1;
}

bool exchange_read(Exchange *x, const json_t *json, Position *p, char *why, size_t room) {
  const Rules *rules = x->rules;
  if (!json_is_object(json))
    return text_fail(
        why, room,
        "a position is a JSON object, like {\"to_move\": \"%s\", \"pieces\": {…}}",
        rules->player[0]);
  int seat;
  if (!check_fields(json, why, room) ||
      !read_seat(x, json_object_get(json, "to_move"), &seat, why, room))
    return false;
  const json_t *pieces = json_object_get(json, "pieces"),
               *state = json_object_get(json, "state"),
               *dice = json_object_get(json, "dice");
  if (!json_is_object(pieces))
    return text_fail(why, room,
                pieces ? "`pieces` is an object, like {\"%s of %s\": {…}}"
                       : "`pieces` is missing: an object, like {\"%s of %s\": {…}}",
                rules->kind[0].name, rules->player[0]);
  if (state && !json_is_object(state))
    return text_fail(why, room, "`state` is an object of names and values");
  size_t cells = (size_t)rules->planes * (size_t)rules->board.sites;
  uint16_t *count = memory_resize(NULL, sizeof *count * (cells ? cells : 1));
  memset(count, 0, sizeof *count * cells);
  Effects effects = {NULL, 0};
  uint8_t out = 0;
  bool good = read_pieces(x, pieces, count, why, room) &&
              check_totals(x, count, seat < 0, why, room) &&
              check_sites(x, count, why, room) &&
              exchange_read_state(x, state, seat, &effects, &out, why, room) &&
              engine_given(x->engine, p, count, effects, seat < 0 ? 0 : seat,
                           seat >= 0 && !out, why, room);
  memory_resize(count, 0);
  if (!good) return false;
  p->active &= (uint8_t)~out;
  if (seat >= 0 && (out >> seat) & 1)
    return text_fail(why, room, "`to_move`: %s is out", rules->player[seat]);
  if (seat < 0) end_position(p);
  return !dice || json_is_null(dice) || read_dice(x, dice, p, why, room);
}

bool exchange_read_text(Exchange *x, const char *text, size_t length, Position *p,
                        char *why, size_t room) {
  json_error_t error;
  json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
  if (!json)
    return text_fail(why, room, "the position is not JSON: line %d, column %d: %s", error.line,
                error.column, error.text);
  bool good = exchange_read(x, json, p, why, room);
  json_decref(json);
  return good;
}

/* ---- writing ---- */

static json_t *pieces_of(const Exchange *x, const Position *p) {
  const Rules *rules = x->rules;
  const uint16_t *count = position_count(x->layout, p);
  json_t *pieces = json_object();
  for (int plane = 0; plane < rules->planes; plane++) {
    json_t *places = NULL;
    for (int site = 0; site < rules->board.sites; site++) {
      int n = count[plane * rules->board.sites + site];
      if (!n) continue;
      if (!places) places = json_object();
      json_object_set_new(places, rules->board.name[site], json_integer(n));
    }
    if (places) json_object_set_new(pieces, plane_name(x, plane), places);
  }
  return pieces;
}

json_t *exchange_position(Exchange *x, const Position *p) {
  bool ended = p->stage == STAGE_ENDED;
  json_t *json = json_object();
  json_object_set_new(json, "to_move",
                      ended ? json_null() : json_string(x->rules->player[p->mover]));
  json_object_set_new(json, "pieces", pieces_of(x, p));
  if (!ended && p->rolled) {
    json_t *dice = json_array();
    for (int i = 0; i < p->thrown_n; i++)
      json_array_append_new(dice, json_integer(p->thrown[i]));
    json_object_set_new(json, "dice", dice);
  }
  json_t *state = exchange_state(x, p);
  if (state) json_object_set_new(json, "state", state);
  return json;
}

json_t *exchange_captures(Exchange *x, const Turn *turn) {
  json_t *list = json_array();
  for (int i = 0; i < turn->captures; i++) {
    const Captured *c = &turn->captured[i];
    for (int n = 0; n < c->count; n++)
      json_array_append_new(
          list, json_pack("{s:s, s:s}", "site", x->rules->board.name[c->site], "piece",
                          plane_name(x, c->plane)));
  }
  return list;
}

/* Halves as they are, whole numbers without a point. */
static json_t *score_json(double score) {
  return score == (double)(json_int_t)score ? json_integer((json_int_t)score)
                                            : json_real(score);
}

json_t *exchange_ends(Exchange *x, const Position *p) {
  if (p->stage != STAGE_ENDED) return json_null();
  const Rules *rules = x->rules;
  json_t *ends = json_object(), *scores = json_object();
  bool single = !p->drawn && p->winners && !(p->winners & (p->winners - 1));
  json_object_set_new(
      ends, "winner",
      single ? json_string(rules->player[__builtin_ctz(p->winners)]) : json_null());
  for (int seat = 0; seat < rules->seats; seat++)
    json_object_set_new(scores, rules->player[seat], score_json(p->score[seat]));
  json_object_set_new(ends, "scores", scores);
  json_object_set_new(
      ends, "rule",
      p->end_rule >= 0 ? json_string(rules->rule[p->end_rule].name) : json_null());
  return ends;
}

json_t *exchange_turn(Exchange *x, const Position *before, const Turn *turn) {
  char text[MOVE_TEXT_MAX];
  turn_write(x->rules, x->layout, before, turn, text, sizeof text);
  json_t *json = json_object();
  json_object_set_new(json, "move", json_string(text));
  json_object_set_new(json, "captures", exchange_captures(x, turn));
  json_object_set_new(json, "position", exchange_position(x, turn->after));
  json_object_set_new(json, "ends", exchange_ends(x, turn->after));
  return json;
}
