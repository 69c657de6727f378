/* Moves as text: reading from text and from a scenario's tree, writing turns and steps.
 * Finding the turn that a move means is in find.c. */
#include "play/notation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/load.h"
#include "play/words.h"

/* ---- reading ---- */

typedef struct Reader {
  const Rules *rules;
  const char *at;
  char *why;
  size_t room;
  bool russian;
} Reader;

enum { WORD_MAX = 64, REST_MAX = 17 };

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || ((unsigned char)c & 0x80);
}

/* Words of the list say why; always false. */
#define REFUSE(r, id, ...) \
  refuse((r), WORDS_##id, (const char *const[]){NULL, __VA_ARGS__})
static bool refuse(Reader *r, WordsId id, const char *const *put_in) {
  words_write(r->why, r->room, id, r->russian, put_in);
  return false;
}

/* The nearest site, kind, choice or offer to a misspelt word. */
static const char *nearest_name(const Rules *rules, const char *word, bool sites_only) {
  const char *list[SITES_MAX + RULES_MAX + 64];
  size_t n = 0;
  for (int i = 0; i < rules->board.sites; i++) list[n++] = rules->board.name[i];
  if (!sites_only) {
    for (int i = 0; i < rules->kinds && i < 64; i++) list[n++] = rules->kind[i].name;
    for (int i = 0; i < rules->rules; i++)
      if (rules->rule[i].kind == RULE_CHOICE || rules->rule[i].kind == RULE_OFFER)
        list[n++] = rules->rule[i].name;
  }
  return text_nearest(word, list, n);
}

/* A word that is not what it should be, and the nearest that would be. */
static bool unknown(Reader *r, WordsId id, const char *word) {
  const char *near = nearest_name(r->rules, word, id == WORDS_NO_SITE);
  size_t n = words_write(r->why, r->room, id, r->russian, (const char *const[]){NULL, word});
  char latin[WORD_MAX];
  if (near && text_latin(word, latin, sizeof latin))
    WORDS_WRITE(r->why + n, r->room - n, r->russian, LOOKS_LATIN, near);
  else if (near)
    WORDS_WRITE(r->why + n, r->room - n, r->russian, DID_YOU_MEAN, near);
  return false;
}

static int find_pick(const Rules *rules, const char *name) {
  int rule = rules_rule(rules, name);
  if (rule < 0) return -1;
  RuleKind kind = rules->rule[rule].kind;
  return kind == RULE_CHOICE || kind == RULE_OFFER ? rule : -1;
}

/* The word at the reader, copied; false if there is none or it is too long to be a name. */
static bool peek_word(const Reader *r, char word[WORD_MAX]) {
  size_t n = 0;
  while (is_word(r->at[n])) n++;
  if (n == 0 || n >= WORD_MAX) return false;
  memcpy(word, r->at, n);
  word[n] = 0;
  return true;
}

/* The first letters of what is left. */
static const char *beginning(const char *text, char part[REST_MAX]) {
  size_t n = 0, length = strlen(text);
  while (n < length && n < REST_MAX - 5) {
    int bytes = text_char(text + n, length - n);
    n += bytes ? (size_t)bytes : 1;
  }
  memcpy(part, text, n);
  part[n] = 0;
  return part;
}

/* A site. Where the whole run of letters is none, it may end before an `x` (d9xc8). */
static bool read_site(Reader *r, int *site) {
  char word[WORD_MAX];
  if (!peek_word(r, word)) {
    if (!*r->at) return REFUSE(r, SITE_AT_END);
    return REFUSE(r, SITE_EXPECTED, beginning(r->at, (char[REST_MAX]){0}));
  }
  size_t n = strlen(word);
  *site = rules_site(r->rules, word);
  for (size_t cut = n; *site < 0 && cut-- > 1;) {
    if (r->at[cut] != 'x') continue;
    word[cut] = 0;
    *site = rules_site(r->rules, word);
    if (*site >= 0) n = cut;
  }
  if (*site < 0) {
    peek_word(r, word);
    return unknown(r, WORDS_NO_SITE, word);
  }
  r->at += n;
  return true;
}

static MovePart *new_part(Reader *r, Move *move) {
  if (move->n == MOVE_PARTS_MAX) {
    REFUSE(r, PARTS_MOST, WORDS_NUMBER(MOVE_PARTS_MAX));
    return NULL;
  }
  MovePart *part = &move->part[move->n++];
  memset(part, 0, sizeof *part);
  part->rule = part->kind = part->takes = -1;
  return part;
}

static bool add_stop(Reader *r, MovePart *part, int site) {
  if (part->stops == MOVE_STOPS_MAX)
    return REFUSE(r, STOPS_MOST, WORDS_NUMBER(MOVE_STOPS_MAX));
  part->stop[part->stops++] = site;
  return true;
}

static bool add_take(Reader *r, MovePart *part, int site) {
  if (part->takes < 0) part->takes = 0;
  if (part->takes == MOVE_STOPS_MAX)
    return REFUSE(r, TAKES_MOST, WORDS_NUMBER(MOVE_STOPS_MAX));
  part->take[part->takes++] = site;
  return true;
}

/* `*` after a stop is the mark of a hit in records; it says nothing that is checked. */
static bool read_chain(Reader *r, MovePart *part) {
  int site;
  if (!read_site(r, &site) || !add_stop(r, part, site)) return false;
  for (;;) {
    if (*r->at == '*') {
      r->at++;
    } else if (*r->at == 'x') {
      r->at++;
      if (!read_site(r, &site) || !add_take(r, part, site)) return false;
    } else if (*r->at == '-' || *r->at == '/') {
      r->at++;
      if (!read_site(r, &site) || !add_stop(r, part, site)) return false;
    } else {
      break;
    }
  }
  if (part->stops < 2)
    return REFUSE(r, FROM_TO, r->rules->board.name[part->stop[0]], r->rules->board.name[0]);
  return true;
}

/* `13/7(2)`: the same chain twice. */
static bool read_times(Reader *r, Move *move, const MovePart *part) {
  if (*r->at != '(') return true;
  const char *end = r->at + 1;
  int64_t times;
  if (!text_digits(&end, MOVE_PARTS_MAX, &times) || *end != ')' || times < 1)
    return REFUSE(r, TIMES_WANTED);
  r->at = end + 1;
  MovePart same = *part;
  for (int64_t i = 1; i < times; i++) {
    MovePart *copy = new_part(r, move);
    if (!copy) return false;
    *copy = same;
  }
  return true;
}

static void skip_spaces(Reader *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static bool read_pick(Reader *r, MovePart *part, int rule) {
  part->rule = rule;
  const char *before = r->at;
  skip_spaces(r);
  if (*r->at != '=') {
    r->at = before;
    return true;
  }
  r->at++;
  skip_spaces(r);
  size_t n = 0;
  while (is_word(r->at[n]) || (n == 0 && r->at[n] == '-')) n++;
  if (n == 0 || n >= sizeof part->chosen)
    return REFUSE(r, VALUE_EXPECTED, r->rules->rule[rule].name);
  memcpy(part->chosen, r->at, n);
  part->chosen[n] = 0;
  part->chosen_n = 1;
  r->at += n;
  return true;
}

/* One part: `[KIND] SITE-SITE…`, `CHOICE`, `CHOICE = VALUE`. */
static bool read_part(Reader *r, Move *move) {
  char word[WORD_MAX];
  MovePart *part = new_part(r, move);
  if (!part) return false;
  if (peek_word(r, word)) {
    const char *after = r->at + strlen(word);
    int rule = find_pick(r->rules, word);
    if (rule >= 0 && *after != '-' && *after != '/') {
      r->at = after;
      return read_pick(r, part, rule);
    }
    int kind = rules_kind(r->rules, word);
    if (kind >= 0 && *after == ' ') {
      part->kind = kind;
      r->at = after;
      skip_spaces(r);
    } else if (rules_site(r->rules, word) < 0 && (*after == ' ' || !*after || *after == '=') &&
               !strchr(word, 'x')) {
      return unknown(r, WORDS_NO_SITE_PIECE_CHOICE, word);
    }
  }
  return read_chain(r, part) && read_times(r, move, part);
}

bool move_read(const Rules *rules, bool russian, const char *text, Move *move, char *why,
               size_t room) {
  Reader r = {rules, text, why, room, russian};
  move->n = 0;
  if (room) *why = 0;
  skip_spaces(&r);
  if (!strncmp(r.at, "pass", 4) && !is_word(r.at[4])) {
    r.at += 4;
    skip_spaces(&r);
    if (*r.at) return REFUSE(&r, AFTER_PASS);
    return true;
  }
  while (*r.at) {
    if (!read_part(&r, move)) return false;
    const char *end = r.at;
    skip_spaces(&r);
    if (*r.at == ',') {
      r.at++;
      skip_spaces(&r);
      if (!*r.at) return REFUSE(&r, AFTER_COMMA);
    } else if (*r.at && r.at == end) {
      return REFUSE(&r, CANNOT_FOLLOW, beginning(r.at, (char[REST_MAX]){0}));
    }
  }
  if (move->n == 0) return REFUSE(&r, MOVE_MISSING);
  return true;
}

static bool part_from_hop(Reader *r, const Node *hop, MovePart *part) {
  if (hop->text) {
    part->kind = rules_kind(r->rules, hop->text);
    if (part->kind < 0) {
      return unknown(r, WORDS_NO_PIECE_CALLED, hop->text);
    }
  }
  for (const Node *word = hop->kid; word; word = word->next) {
    if (word->kind != N_WORD) continue;
    int site = rules_site(r->rules, word->text);
    if (site < 0) return unknown(r, WORDS_NO_SITE, word->text);
    if (!add_stop(r, part, site)) return false;
  }
  if (part->stops >= 2) return true;
  return REFUSE(r, FROM_TO, r->rules->board.name[0], r->rules->board.name[0]);
}

bool move_from_tree(const Rules *rules, const Node *node, Move *move, char *why, size_t room) {
  Reader r = {rules, "", why, room, false};
  move->n = 0;
  if (room) *why = 0;
  for (const Node *kid = node->kid; kid; kid = kid->next) {
    if (kid->kind != N_HOP && kid->kind != N_PICK) continue;
    if (kid->kind == N_PICK && !strcmp(kid->text, "pass") && !kid->tag && !node->kid->next)
      return true;
    MovePart *part = new_part(&r, move);
    if (!part) return false;
    if (kid->kind == N_HOP) {
      if (!part_from_hop(&r, kid, part)) return false;
      continue;
    }
    part->rule = find_pick(rules, kid->text);
    if (part->rule < 0) {
      return unknown(&r, WORDS_NO_PICK_CALLED, kid->text);
    }
    if (!kid->tag) continue;
    part->chosen_n = 1;
    snprintf(part->chosen, sizeof part->chosen, "%s", kid->tag);
  }
  return true;
}

/* ---- writing ---- */

typedef struct Writer {
  char *at;
  size_t room;
} Writer;

__attribute__((format(printf, 2, 3))) static void put(Writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(w->at, w->room, format, arguments);
  va_end(arguments);
  size_t step = n < 0 ? 0 : (size_t)n;
  if (w->room == 0) return;
  if (step >= w->room) step = w->room - 1;
  w->at += step;
  w->room -= step;
}

void plane_write(const Rules *rules, int plane, char *text, size_t room) {
  snprintf(text, room, "%s of %s", rules->kind[rules->plane[plane].kind].name,
           rules->player[rules->plane[plane].owner]);
}

void chosen_write(const Rules *rules, const Rule *rule, int32_t chosen, char *text,
                  size_t room) {
  Type type = rule->choose_n ? (Type)rule->choose[0]->type : TYPE_NUMBER;
  if ((type == TYPE_SITES || type == TYPE_PIECES) && chosen >= 0 &&
      chosen < rules->board.sites)
    snprintf(text, room, "%s", rules->board.name[chosen]);
  else if (type == TYPE_PLAYERS && chosen >= 0 && chosen < rules->players)
    snprintf(text, room, "%s", rules->player[chosen]);
  else if (type == TYPE_PLAYERS)
    snprintf(text, room, "nobody");
  else if (type == TYPE_VALUES && chosen >= 0 && chosen < rules->atoms)
    snprintf(text, room, "%s", rules->atom[chosen]);
  else
    snprintf(text, room, "%d", (int)chosen);
}

/* Another kind of the same owner stands on the origin too. */
static bool needs_kind(const Rules *rules, const uint16_t *count, const Step *step) {
  int owner = rules->plane[step->plane].owner;
  for (int p = 0; p < rules->planes; p++)
    if (p != step->plane && rules->plane[p].owner == owner &&
        count[p * rules->board.sites + step->origin])
      return true;
  return false;
}

static void put_choice(Writer *w, const Rules *rules, const Step *step) {
  const Rule *rule = &rules->rule[step->rule];
  put(w, "%s", rule->name);
  if (step->choice < 0) return;
  char value[WORD_MAX];
  chosen_write(rules, rule, step->chosen, value, sizeof value);
  put(w, " = %s", value);
}

static void put_hop(Writer *w, const Rules *rules, const uint16_t *count, const Step *step) {
  if (needs_kind(rules, count, step))
    put(w, "%s ", rules->kind[rules->plane[step->plane].kind].name);
  put(w, "%s-%s", rules->board.name[step->origin], rules->board.name[step->target]);
}

void turn_write(const Rules *rules, const Layout *layout, const Position *before,
                const Turn *turn, char *text, size_t room) {
  Writer w = {text, room};
  if (room) *text = 0;
  if (turn->steps == 0) {
    put(&w, "pass");
    return;
  }
  /* Where pieces stand as the turn goes on, effects aside: only to know when to say a kind. */
  uint16_t count[PLANES_MAX * SITES_MAX];
  int sites = rules->board.sites;
  memcpy(count, position_count(layout, before),
         sizeof(uint16_t) * (size_t)(rules->planes * sites));
  const Step *last = NULL;
  for (int i = 0; i < turn->steps; i++) {
    const Step *step = &turn->step[i];
    if (step->origin < 0) {
      put(&w, "%s", i ? ", " : "");
      put_choice(&w, rules, step);
      last = NULL;
      continue;
    }
    if (last && last->target == step->origin && last->plane == step->plane) {
      put(&w, "-%s", rules->board.name[step->target]);
    } else {
      put(&w, "%s", i ? " " : "");
      put_hop(&w, rules, count, step);
    }
    uint16_t *from = &count[step->plane * sites + step->origin];
    if (*from) (*from)--;
    count[step->plane * sites + step->target]++;
    last = step;
  }
}

void step_write(const Rules *rules, const Layout *layout, const Position *before,
                const Step *step, char *text, size_t room) {
  Writer w = {text, room};
  if (room) *text = 0;
  if (step->origin < 0)
    put_choice(&w, rules, step);
  else
    put_hop(&w, rules, position_count(layout, before), step);
}

bool move_captures(const Move *move, const Turn *turn, SiteSet *missing, SiteSet *surplus) {
  SiteSet expected = sites_none(), taken = sites_none();
  bool named = false;
  for (int i = 0; i < move->n; i++) {
    const MovePart *part = &move->part[i];
    if (part->takes >= 0) named = true;
    for (int k = 0; k < part->takes; k++) sites_add(&expected, part->take[k]);
  }
  for (int i = 0; i < turn->captures; i++)
    if (turn->captured[i].site >= 0) sites_add(&taken, turn->captured[i].site);
  *missing = named ? sites_minus(expected, taken) : sites_none();
  *surplus = named ? sites_minus(taken, expected) : sites_none();
  return sites_is_empty(missing) && sites_is_empty(surplus);
}
