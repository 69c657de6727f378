/* From an ID to a position by way of the JSON that says the same, and back. */
#include "face/identify.h"

#include <stdio.h>
#include <string.h>

#include "play/notation.h"
#include "study/ids.h"

static json_t *places(const Rules *rules, const IdShape *shape, const IdPosition *id,
                      int seat) {
  json_t *where = json_object();
  int on_board = 0;
  for (int place = 0; place < ID_PLACES; place++) {
    int n = id->count[seat][place];
    int site = place == ID_POINTS ? shape->entry[seat] : shape->point[seat][place];
    on_board += n;
    if (n) json_object_set_new(where, rules->board.name[site], json_integer(n));
  }
  int left = shape->total[seat] - on_board;
  if (left > 0)
    json_object_set_new(where, rules->board.name[shape->exit[seat]], json_integer(left));
  return where;
}

static json_t *state(const Rules *rules, const IdShape *shape, const IdPosition *id) {
  json_t *state = json_object();
  if (id->stake_power)
    json_object_set_new(state, rules->state[shape->stake].name,
                        json_integer(1 << id->stake_power));
  if (id->holder >= 0)
    json_object_set_new(state, rules->state[shape->holder].name,
                        json_string(rules->player[id->holder]));
  bool first = id->mover == 0 && id->stake_power == 0 && id->holder < 0 &&
               ids_is_start(rules, shape, id);
  if (!first && id->mover == 0 && (rules->mentions & MENTION_TURNS)) {
    char key[128];
    json_object_set_new(state, "turn_count", json_integer(3));
    for (int seat = 0; seat < 2; seat++) {
      snprintf(key, sizeof key, "turns of %s", rules->player[seat]);
      json_object_set_new(state, key, json_integer(2 - seat));
    }
  }
  return state;
}

static json_t *as_json(const Rules *rules, const IdShape *shape, const IdPosition *id) {
  json_t *pieces = json_object(), *json = json_object();
  for (int seat = 0; seat < 2; seat++) {
    char name[128];
    plane_write(rules, shape->plane[seat], name, sizeof name);
    json_object_set_new(pieces, name, places(rules, shape, id, seat));
  }
  json_object_set_new(json, "to_move", json_string(rules->player[id->mover]));
  json_object_set_new(json, "pieces", pieces);
  if (id->dice[0])
    json_object_set_new(json, "dice", json_pack("[i, i]", id->dice[0], id->dice[1]));
  json_object_set_new(json, "state", state(rules, shape, id));
  return json;
}

bool identify_read(Exchange *x, const char *text, Position *p, char *left_out, char *why,
                   size_t room) {
  IdShape shape;
  IdPosition id;
  *left_out = 0;
  if (!ids_shape(x->rules, &shape, why, room) || !ids_read(text, &id, why, room) ||
      !ids_fits(x->rules, &shape, &id, why, room))
    return false;
  if (id.length)
    snprintf(left_out, room, "the score of the match (%d-%d of %d)", id.score[0],
             id.score[1], id.length);
  json_t *json = as_json(x->rules, &shape, &id);
  bool good = exchange_read(x, json, p, why, room);
  json_decref(json);
  return good;
}

json_t *identify_json(const Exchange *x, const Position *p, char *why, size_t room) {
  IdShape shape;
  IdPosition id;
  if (!ids_shape(x->rules, &shape, why, room) ||
      !ids_of(x->rules, x->layout, &shape, p, &id, why, room))
    return NULL;
  char position[ID_POSITION_LENGTH + 1], match[ID_MATCH_LENGTH + 1], xg[ID_XG_ROOM];
  ids_write_position(&id, position);
  ids_write_match(&id, match);
  ids_write_xg(&id, xg);
  return json_pack("{s:s, s:s, s:s}", "position", position, "match", match, "xgid", xg);
}

void identify_print(const json_t *ids) {
  const char *position, *match, *xg;
  if (json_unpack((json_t *)(uintptr_t)ids, "{s:s, s:s, s:s}", "position", &position,
                  "match", &match, "xgid", &xg) != 0)
    return;
  printf("position ID: %s\nmatch ID:    %s\nboth:        id:%s:%s\n%s\n", position, match,
         position, match, xg);
}
