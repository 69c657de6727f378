/* Positions as texts of a line: what a game must look like, and the bits. */
#include "study/ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- the shape of a game ---- */

/* A path of one seat: a pocket, 24 points, a pocket. */
static bool fits(const Rules *rules, const Path *path) {
  if (path->n != ID_POINTS + 2 || path->wrap >= 0) return false;
  for (int i = 0; i < path->n; i++) {
    bool end = i == 0 || i == path->n - 1;
    if (sites_has(&rules->board.pockets, path->site[i]) != end) return false;
  }
  return true;
}

static const Path *path_of(const Rules *rules, int name, int seat) {
  const Path *found = NULL;
  for (int i = 0; i < rules->paths; i++) {
    const Path *path = &rules->path[i];
    if (path->name != name || path->owner != seat) continue;
    if (found) return NULL;
    found = path;
  }
  return found && fits(rules, found) ? found : NULL;
}

static bool same_points(const Path *a, const Path *b) {
  for (int i = 1; i <= ID_POINTS; i++)
    if (b->index_of[a->site[i]] < 1) return false;
  return true;
}

static bool find_paths(const Rules *rules, IdShape *shape, char *why, size_t room) {
  for (int name = 0; name < rules->path_names; name++) {
    const Path *path[2] = {path_of(rules, name, 0), path_of(rules, name, 1)};
    if (!path[0] || !path[1] || !same_points(path[0], path[1])) continue;
    for (int seat = 0; seat < 2; seat++) {
      shape->entry[seat] = path[seat]->site[0];
      shape->exit[seat] = path[seat]->site[ID_POINTS + 1];
      for (int n = 1; n <= ID_POINTS; n++)
        shape->point[seat][n - 1] = path[seat]->site[ID_POINTS + 1 - n];
    }
    return true;
  }
  return text_fail(why, room,
              "positions of this game have no ID: it has no path with, for each player, "
              "a pocket to enter from, the same %d points, and a pocket to leave to",
              ID_POINTS);
}

static bool find_pieces(const Rules *rules, IdShape *shape, char *why, size_t room) {
  int kind = -1;
  for (int plane = 0; plane < rules->planes; plane++) {
    int total = 0, seat = rules->plane[plane].owner;
    for (int site = 0; site < rules->board.sites; site++)
      total += rules->start_count[plane * rules->board.sites + site];
    if (total == 0) continue;
    if (kind >= 0 && kind != rules->plane[plane].kind)
      return text_fail(why, room,
                  "positions of this game have no ID: it has %s and %s, and "
                  "an ID knows one kind of piece",
                  rules->kind[kind].name, rules->kind[rules->plane[plane].kind].name);
    kind = rules->plane[plane].kind;
    shape->plane[seat] = plane;
    shape->total[seat] = total;
  }
  for (int seat = 0; seat < 2; seat++) {
    if (shape->total[seat] == 0)
      return text_fail(why, room,
                  "positions of this game have no ID: %s begins without pieces",
                  rules->player[seat]);
    if (shape->total[seat] > ID_PIECES)
      return text_fail(why, room,
                  "positions of this game have no ID: %s has %d pieces, and an "
                  "ID has room for %d",
                  rules->player[seat], shape->total[seat], ID_PIECES);
  }
  return true;
}

static int find_state(const Rules *rules, const char *name, Type type) {
  for (int i = 0; i < rules->states; i++) {
    const State *state = &rules->state[i];
    if (state->scope == SCOPE_GAME && state->type == type &&
        strcmp(state->name, name) == 0)
      return i;
  }
  return -1;
}

bool ids_shape(const Rules *rules, IdShape *shape, char *why, size_t room) {
  memset(shape, 0, sizeof *shape);
  if (rules->seats != 2)
    return text_fail(why, room,
                "positions of this game have no ID: it has %d player%s, not two",
                rules->seats, rules->seats == 1 ? "" : "s");
  if (!find_paths(rules, shape, why, room) || !find_pieces(rules, shape, why, room))
    return false;
  shape->stake = find_state(rules, "stake", TYPE_NUMBER);
  shape->holder = find_state(rules, "holder", TYPE_PLAYERS);
  return true;
}

/* ---- bits in base64 ---- */

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

typedef struct Bits {
  uint8_t byte[12]; /* bit i is bit i % 8 of byte i / 8 */
  int at;
} Bits;

static unsigned take_bits(Bits *bits, int n) {
  unsigned value = 0;
  for (int i = 0; i < n; i++, bits->at++)
    value |= (unsigned)((bits->byte[bits->at / 8] >> (bits->at % 8)) & 1) << i;
  return value;
}

static void put_bits(Bits *bits, int n, unsigned value) {
  for (int i = 0; i < n; i++, bits->at++)
    if ((value >> i) & 1) bits->byte[bits->at / 8] |= (uint8_t)(1 << (bits->at % 8));
}

static bool none_after(const Bits *bits, int n) {
  for (int i = bits->at; i < n; i++)
    if ((bits->byte[i / 8] >> (i % 8)) & 1) return false;
  return true;
}

/* Six bits a character, the upper ones of a byte first. What lies beyond the last whole
 * byte must be zero. */
static bool decode(const char *what, const char *text, size_t length, size_t wanted,
                   int bytes, Bits *bits, char *why, size_t room) {
  memset(bits, 0, sizeof *bits);
  for (size_t i = 0; i < length; i++) {
    const char *found = text[i] ? strchr(alphabet, text[i]) : NULL;
    if (!found)
      return text_fail(why, room, "%s `%.*s`: character %zu is none of A-Z a-z 0-9 + /", what,
                  (int)(length < 40 ? length : 40), text, i + 1);
    int six = (int)(found - alphabet);
    if (i >= wanted) continue;
    for (int b = 0; b < 6; b++) {
      int at = (int)i * 6 + b; /* of the text, upper bits first */
      if (!((six >> (5 - b)) & 1)) continue;
      if (at / 8 >= bytes)
        return text_fail(why, room, "%s `%.*s`: its last character says more than an ID holds",
                    what, (int)length, text);
      bits->byte[at / 8] |= (uint8_t)(0x80 >> (at % 8));
    }
  }
  if (length == wanted) return true;
  return text_fail(why, room, "a %s has %zu characters, and `%.*s` has %zu", what, wanted,
              (int)(length < 40 ? length : 40), text, length);
}

static void encode(const Bits *bits, int bytes, char *text) {
  int n = (bytes * 8 + 5) / 6;
  for (int i = 0; i < n; i++) {
    int six = 0;
    for (int b = 0; b < 6; b++) {
      int at = i * 6 + b;
      int bit = at / 8 < bytes ? (bits->byte[at / 8] >> (7 - at % 8)) & 1 : 0;
      six = six << 1 | bit;
    }
    text[i] = alphabet[six];
  }
  text[n] = 0;
}

/* ---- position ID and match ID ---- */

enum { POSITION_BYTES = 10, MATCH_BYTES = 9 };
enum {
  STATE_NONE,
  STATE_PLAYING,
  STATE_OVER
}; /* 3: resigned, 4: a double was declined */

static bool read_position(const char *text, size_t length, uint8_t count[2][ID_PLACES],
                          char *why, size_t room) {
  Bits bits;
  if (!decode("position ID", text, length, ID_POSITION_LENGTH, POSITION_BYTES, &bits, why,
              room))
    return false;
  for (int half = 0; half < 2; half++) {
    int total = 0;
    for (int place = 0; place < ID_PLACES; place++) {
      int n = 0;
      while (bits.at < POSITION_BYTES * 8 && take_bits(&bits, 1)) n++;
      count[half][place] = (uint8_t)n;
      total += n;
    }
    if (total > ID_PIECES)
      return text_fail(why, room, "position ID `%.*s`: one player has more than %d pieces",
                  (int)length, text, ID_PIECES);
  }
  if (none_after(&bits, POSITION_BYTES * 8)) return true;
  return text_fail(why, room, "position ID `%.*s`: it goes on after the last place",
              (int)length, text);
}

void ids_write_position(const IdPosition *id, char text[ID_POSITION_LENGTH + 1]) {
  Bits bits = {0};
  for (int half = 0; half < 2; half++) {
    int seat = half ? id->mover : 1 - id->mover;
    for (int place = 0; place < ID_PLACES; place++) {
      put_bits(&bits, id->count[seat][place], (1u << id->count[seat][place]) - 1);
      bits.at++;
    }
  }
  encode(&bits, POSITION_BYTES, text);
}

/* gnubg's player 1 is seat 0. */
static int seat_of(unsigned player) {
  return player ? 0 : 1;
}

static bool read_match(const char *text, size_t length, IdPosition *id, char *why,
                       size_t room) {
  Bits bits;
  if (!decode("match ID", text, length, ID_MATCH_LENGTH, MATCH_BYTES, &bits, why, room))
    return false;
  int n = (int)length;
  id->stake_power = (int)take_bits(&bits, 4);
  unsigned holder = take_bits(&bits, 2), roller = take_bits(&bits, 1);
  take_bits(&bits, 1); /* the Crawford game: nothing of a position */
  unsigned state = take_bits(&bits, 3), turn = take_bits(&bits, 1);
  unsigned offered = take_bits(&bits, 1), resigned = take_bits(&bits, 2);
  for (int i = 0; i < 2; i++) id->dice[i] = (int)take_bits(&bits, 3);
  id->length = (int)take_bits(&bits, 15);
  for (unsigned player = 0; player < 2; player++)
    id->score[seat_of(player)] = (int)take_bits(&bits, 15);
  take_bits(&bits, 1); /* Jacoby's rule is an option of the game */
  if (!none_after(&bits, MATCH_BYTES * 8))
    return text_fail(why, room, "match ID `%.*s`: it goes on after the score", n, text);
  if (holder == 2)
    return text_fail(why, room,
                "match ID `%.*s`: nobody or a player holds the stake, not "
                "number 2",
                n, text);
  id->holder = holder == 3 ? -1 : seat_of(holder);
  id->mover = seat_of(roller);
  if (state > STATE_PLAYING)
    return text_fail(why, room, "match ID `%.*s`: the game is over", n, text);
  if (offered)
    return text_fail(why, room,
                "match ID `%.*s`: a double waits for its answer; a position "
                "stands before or after it",
                n, text);
  if (resigned)
    return text_fail(why, room, "match ID `%.*s`: a resignation waits for its answer", n,
                text);
  if (turn != roller)
    return text_fail(why, room,
                "match ID `%.*s`: one player is on roll and the other is to "
                "decide, with nothing to be decided",
                n, text);
  for (int i = 0; i < 2; i++)
    if (id->dice[i] > 6 || (id->dice[i] == 0) != (id->dice[1 - i] == 0))
      return text_fail(why, room, "match ID `%.*s`: %d and %d is no throw", n, text,
                  id->dice[0], id->dice[1]);
  return true;
}

void ids_write_match(const IdPosition *id, char text[ID_MATCH_LENGTH + 1]) {
  Bits bits = {0};
  unsigned roller = (unsigned)seat_of((unsigned)id->mover);
  put_bits(&bits, 4, (unsigned)id->stake_power);
  put_bits(&bits, 2, id->holder < 0 ? 3 : (unsigned)seat_of((unsigned)id->holder));
  put_bits(&bits, 1, roller);
  put_bits(&bits, 1, 0);
  put_bits(&bits, 3, id->over ? STATE_OVER : STATE_PLAYING);
  put_bits(&bits, 1, roller);
  put_bits(&bits, 3, 0);
  bool larger_first = id->dice[0] >= id->dice[1]; /* as gnubg writes it */
  put_bits(&bits, 3, (unsigned)id->dice[larger_first ? 0 : 1]);
  put_bits(&bits, 3, (unsigned)id->dice[larger_first ? 1 : 0]);
  put_bits(&bits, 15, (unsigned)id->length);
  put_bits(&bits, 15, (unsigned)id->score[1]);
  put_bits(&bits, 15, (unsigned)id->score[0]);
  encode(&bits, MATCH_BYTES, text);
}

/* ---- XGID ---- */

enum {
  XG_FIELDS = 10,
  XG_PLACES = 26,
  XG_LARGEST = 10 /* as the program itself writes */
};

static bool read_xg_places(const char *text, size_t length, IdPosition *id, char *why,
                           size_t room) {
  if (length != XG_PLACES)
    return text_fail(why, room, "an XGID begins with %d places, and this one has %zu",
                XG_PLACES, length);
  int total[2] = {0};
  for (int i = 0; i < XG_PLACES; i++) {
    char c = text[i];
    if (c == '-') continue;
    int seat = c >= 'a' ? 1 : 0, n = c - (seat ? 'a' : 'A') + 1;
    if (n < 1 || n > 16)
      return text_fail(why, room, "XGID: place %d is `%c`, and should be -, A to P or a to p",
                  i, c);
    bool pocket = i == 0 || i == XG_PLACES - 1;
    if (pocket && (i == 0) != (seat == 1))
      return text_fail(why, room, "XGID: place %d, `%c`, is where the other player enters", i,
                  c);
    total[seat] += n;
    if (total[seat] > ID_PIECES)
      return text_fail(why, room, "XGID: one player has more than %d pieces", ID_PIECES);
    int place = pocket ? ID_POINTS : seat ? ID_POINTS - i : i - 1;
    id->count[seat][place] = (uint8_t)n;
  }
  return true;
}

/* A field that is a number within bounds. */
static bool xg_number(const char *field, const char *name, int low, int high, int *value,
                      char *why, size_t room) {
  int64_t n;
  if (!text_number(field, low, high, &n))
    return text_fail(why, room, "XGID: %s goes from %d to %d, and is not `%.20s`", name, low,
                high, field);
  *value = (int)n;
  return true;
}

static bool read_xg_dice(const char *field, IdPosition *id, char *why, size_t room) {
  if (strcmp(field, "D") == 0 || strcmp(field, "B") == 0 || strcmp(field, "R") == 0)
    return text_fail(why, room,
                "XGID: a double waits for its answer; a position stands before "
                "or after it");
  if (strcmp(field, "00") == 0) return true;
  if (strlen(field) != 2 || field[0] < '1' || field[0] > '6' || field[1] < '1' ||
      field[1] > '6')
    return text_fail(why, room, "XGID: the throw is 00 or like 63, and not `%.20s`", field);
  id->dice[0] = field[0] - '0';
  id->dice[1] = field[1] - '0';
  return true;
}

static bool read_xg(const char *text, IdPosition *id, char *why, size_t room) {
  char copy[200], *field[XG_FIELDS];
  if (strlen(text) >= sizeof copy) return text_fail(why, room, "an XGID is shorter than this");
  strcpy(copy, text);
  for (size_t n = strlen(copy); n > 0 && strchr(" \t\r\n", copy[n - 1]); n--)
    copy[n - 1] = 0;
  int n = 0;
  for (char *at = copy; at; n++) {
    char *colon = strchr(at, ':');
    if (colon) *colon++ = 0;
    if (n < XG_FIELDS) field[n] = at;
    at = colon;
  }
  if (n != XG_FIELDS)
    return text_fail(why, room,
                "an XGID has %d fields with colons between, and this one has %d",
                XG_FIELDS, n);
  int holder = 0, turn = 0, rule = 0, largest = 0;
  if (!read_xg_places(field[0], strlen(field[0]), id, why, room) ||
      !xg_number(field[1], "the power of the stake", 0, 15, &id->stake_power, why,
                 room) ||
      !xg_number(field[2], "the holder of the stake", -1, 1, &holder, why, room) ||
      !xg_number(field[3], "the turn", -1, 1, &turn, why, room) ||
      !read_xg_dice(field[4], id, why, room) ||
      !xg_number(field[5], "a score", 0, 32767, &id->score[0], why, room) ||
      !xg_number(field[6], "a score", 0, 32767, &id->score[1], why, room) ||
      !xg_number(field[7], "the rule of the game", 0, 3, &rule, why, room) ||
      !xg_number(field[8], "the length of the match", 0, 32767, &id->length, why, room) ||
      !xg_number(field[9], "the power of the largest stake", 0, 15, &largest, why, room))
    return false;
  if (turn == 0) return text_fail(why, room, "XGID: the turn is 1 or -1, and not 0");
  id->mover = turn > 0 ? 0 : 1;
  id->holder = holder > 0 ? 0 : holder < 0 ? 1 : -1;
  return true;
}

void ids_write_xg(const IdPosition *id, char text[ID_XG_ROOM]) {
  char places[XG_PLACES + 1];
  memset(places, '-', XG_PLACES);
  places[XG_PLACES] = 0;
  for (int seat = 0; seat < 2; seat++)
    for (int place = 0; place < ID_PLACES; place++) {
      int n = id->count[seat][place];
      int at = seat == 0 ? place + 1 : ID_POINTS - place;
      if (n) places[at] = (char)((seat ? 'a' : 'A') + n - 1);
    }
  snprintf(text, ID_XG_ROOM, "XGID=%s:%d:%d:%d:%d%d:%d:%d:0:%d:%d", places,
           id->stake_power,
           id->holder < 0    ? 0
           : id->holder == 0 ? 1
                             : -1,
           id->mover == 0 ? 1 : -1, id->dice[0], id->dice[1], id->score[0], id->score[1],
           id->length, XG_LARGEST);
}

/* ---- reading ---- */

static const char xg_prefix[] = "XGID=", id_prefix[] = "id:";

static bool begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool ids_is_id(const char *text) {
  return begins(text, id_prefix) || begins(text, xg_prefix);
}

bool ids_read(const char *text, IdPosition *id, char *why, size_t room) {
  *id = (IdPosition){.holder = -1};
  if (begins(text, id_prefix)) text += strlen(id_prefix);
  if (begins(text, xg_prefix)) return read_xg(text + strlen(xg_prefix), id, why, room);
  size_t length = strcspn(text, ":");
  uint8_t half[2][ID_PLACES];
  if (!read_position(text, length, half, why, room)) return false;
  if (text[length] == ':' &&
      !read_match(text + length + 1, strlen(text + length + 1), id, why, room))
    return false;
  memcpy(id->count[1 - id->mover], half[0], sizeof half[0]);
  memcpy(id->count[id->mover], half[1], sizeof half[1]);
  return true;
}

/* ---- an ID and a game ---- */

static int total_of(const IdPosition *id, int seat) {
  int total = 0;
  for (int place = 0; place < ID_PLACES; place++) total += id->count[seat][place];
  return total;
}

static bool fits_stake(const Rules *rules, const IdShape *shape, const IdPosition *id,
                       char *why, size_t room) {
  int stake = 1 << id->stake_power;
  if (stake != 1 && shape->stake < 0)
    return text_fail(why, room,
                "the ID says that the stake is %d, and this game has no number "
                "`stake`",
                stake);
  if (stake != 1 &&
      (stake < rules->state[shape->stake].low || stake > rules->state[shape->stake].high))
    return text_fail(why, room, "the ID says that the stake is %d, and it goes from %d to %d",
                stake, rules->state[shape->stake].low, rules->state[shape->stake].high);
  if (id->holder < 0) return true;
  if (shape->holder < 0 || !sites_has(&rules->state[shape->holder].values, id->holder))
    return text_fail(why, room,
                "the ID says that %s holds the stake, and this game has no "
                "`holder` for it",
                rules->player[id->holder]);
  return true;
}

bool ids_fits(const Rules *rules, const IdShape *shape, const IdPosition *id, char *why,
              size_t room) {
  for (int seat = 0; seat < 2; seat++) {
    int total = total_of(id, seat);
    if (total > shape->total[seat])
      return text_fail(why, room, "%s has %d pieces, and the game has %d", rules->player[seat],
                  total, shape->total[seat]);
  }
  for (int a = 0; a < ID_POINTS; a++)
    for (int b = 0; b < ID_POINTS; b++)
      if (id->count[0][a] && id->count[1][b] && shape->point[0][a] == shape->point[1][b])
        return text_fail(why, room, "pieces of both players stand on %s",
                    rules->board.name[shape->point[0][a]]);
  return fits_stake(rules, shape, id, why, room);
}

bool ids_is_start(const Rules *rules, const IdShape *shape, const IdPosition *id) {
  for (int seat = 0; seat < 2; seat++) {
    const uint16_t *start = &rules->start_count[shape->plane[seat] * rules->board.sites];
    for (int n = 0; n < ID_POINTS; n++)
      if (id->count[seat][n] != start[shape->point[seat][n]]) return false;
    if (id->count[seat][ID_POINTS] != start[shape->entry[seat]]) return false;
  }
  return true;
}

static bool stake_of(const Rules *rules, const Layout *layout, const IdShape *shape,
                     const Position *p, IdPosition *id, char *why, size_t room) {
  const int32_t *cells = position_cells(layout, p);
  if (shape->stake >= 0) {
    int32_t stake = cells[rules->state[shape->stake].cell];
    while (id->stake_power < 15 && (1 << id->stake_power) < stake) id->stake_power++;
    if (1 << id->stake_power != stake)
      return text_fail(why, room, "the stake is %d, and an ID has room for powers of two",
                  stake);
  }
  if (shape->holder >= 0) id->holder = cells[rules->state[shape->holder].cell];
  return true;
}

bool ids_of(const Rules *rules, const Layout *layout, const IdShape *shape,
            const Position *p, IdPosition *id, char *why, size_t room) {
  *id = (IdPosition){.holder = -1, .over = p->stage == STAGE_ENDED};
  id->mover = id->over ? 1 - p->turn_mover : p->mover;
  const uint16_t *count = position_count(layout, p);
  for (int seat = 0; seat < 2; seat++) {
    const uint16_t *here = &count[shape->plane[seat] * rules->board.sites];
    int total = here[shape->entry[seat]] + here[shape->exit[seat]];
    for (int n = 0; n < ID_POINTS; n++) {
      id->count[seat][n] = (uint8_t)here[shape->point[seat][n]];
      total += here[shape->point[seat][n]];
    }
    id->count[seat][ID_POINTS] = (uint8_t)here[shape->entry[seat]];
    if (total != position_total(rules, layout, p, shape->plane[seat]))
      return text_fail(why, room, "some pieces of %s stand where an ID has no place for them",
                  rules->player[seat]);
  }
  if (p->rolled && p->thrown_n == 2 && p->thrown[0] <= 6 && p->thrown[1] <= 6)
    for (int i = 0; i < 2; i++) id->dice[i] = p->thrown[i];
  if (!stake_of(rules, layout, shape, p, id, why, room)) return false;
  return ids_fits(rules, shape, id, why, room);
}
