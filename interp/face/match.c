/* Reads records of matches. A turn is found by the position that its hops lead to, since
 * the form leaves out the order of the dice; the words of our own records serve for the
 * reasons. */
#include "face/match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "face/given.h"
#include "play/notation.h"
#include "study/ids.h"

struct Match {
  const Call *call;
  Exchange *x;
  IdShape shape;
  char *rest;   /* of the text */
  bool at_game; /* the header of the next game has been read */
  int games;
  bool first;     /* no turn has been played in this game */
  int doubled_by; /* seat whose double waits for an answer, or -1 */
  Position *p;
  MatchGame *game;
};

enum {
  HOPS_MOST = 64,
  COLUMN = 20 /* what begins further right is the second player's */
};

static bool refuse(Match *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(Match *m, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(m->game->step.why, sizeof m->game->step.why, format, arguments);
  va_end(arguments);
  m->game->good = false;
  return false;
}

/* ---- lines ---- */

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t') at++;
  return at;
}

/* "7 point match", "7 points match" */
static bool is_header(const char *line) {
  const char *at = skip_blanks(line);
  if (!isdigit((unsigned char)*at)) return false;
  while (isdigit((unsigned char)*at)) at++;
  return strncmp(skip_blanks(at), "point", 5) == 0;
}

static bool is_game(const char *line) {
  const char *at = skip_blanks(line);
  return strncmp(at, "Game ", 5) == 0 && isdigit((unsigned char)*skip_blanks(at + 5));
}

bool match_begins(const char *line) {
  return *skip_blanks(line) == ';' || is_header(line) || is_game(line);
}

static char *next_line(Match *m) {
  if (!m->rest || !*m->rest) return NULL;
  char *line = m->rest, *end = strchr(line, '\n');
  m->rest = end ? end + 1 : NULL;
  if (end) *end = 0;
  size_t n = strlen(line);
  while (n > 0 && isspace((unsigned char)line[n - 1])) line[--n] = 0;
  return line;
}

Match *match_new(const Call *call, Exchange *x, char *text, char *why, size_t room) {
  IdShape shape;
  if (!ids_shape(x->rules, &shape, why, room)) return NULL;
  Match *m = memory_resize(NULL, sizeof *m);
  *m = (Match){.call = call, .x = x, .shape = shape, .rest = text};
  return m;
}

void match_free(Match *m) {
  memory_resize(m, 0);
}

/* ---- a turn ---- */

typedef struct Hop {
  int from, to; /* own numbers: 25 entry … 0 exit */
  bool hit;     /* marked */
} Hop;
typedef struct Hops {
  Hop at[HOPS_MOST];
  int n;
  bool marked;
} Hops;

static bool read_word(const char **at, const char *word) {
  size_t length = strlen(word);
  if (strncasecmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

/* A number, the game's name of the pocket to enter from, or `off`. */
static bool read_point(const Match *m, const char **at, int *point) {
  *point = ID_POINTS + 1;
  if (read_word(at, m->x->rules->board.name[m->shape.entry[0]])) return true;
  *point = 0;
  if (read_word(at, "off")) return true;
  if (!isdigit((unsigned char)**at)) return false;
  for (; isdigit((unsigned char)**at); (*at)++)
    if (*point < 1000) *point = *point * 10 + (**at - '0');
  return *point <= ID_POINTS + 1;
}

/* "13/7*" or "6/4(2)" or "25/20/16" */
static bool read_chain(const Match *m, const char *word, Hops *hops) {
  const char *at = word;
  int begin = hops->n, from, to, times = 1;
  if (!read_point(m, &at, &from) || (*at != '/' && *at != '-')) return false;
  while (*at == '/' || *at == '-') {
    at++;
    if (!read_point(m, &at, &to) || hops->n == HOPS_MOST) return false;
    bool hit = *at == '*';
    if (hit) at++;
    hops->marked = hops->marked || hit;
    hops->at[hops->n++] = (Hop){from, to, hit};
    from = to;
  }
  if (*at == '(') {
    times = at[1] - '0';
    if (times < 1 || times > DICE_MAX || at[2] != ')') return false;
    at += 3;
  }
  if (*at == '*') at++, hops->marked = true, hops->at[hops->n - 1].hit = true;
  int length = hops->n - begin;
  for (int i = 1; i < times; i++)
    for (int k = 0; k < length; k++) {
      if (hops->n == HOPS_MOST) return false;
      hops->at[hops->n] = hops->at[begin + k];
      hops->at[hops->n++].hit = false;
    }
  return *at == 0;
}

static int site_of(const IdShape *shape, int seat, int point) {
  return point == 0          ? shape->exit[seat]
         : point > ID_POINTS ? shape->entry[seat]
                             : shape->point[seat][point - 1];
}

static int point_of(const IdShape *shape, int seat, int site) {
  for (int n = 0; n < ID_POINTS; n++)
    if (shape->point[seat][n] == site) return n + 1;
  return -1;
}

/* Moves a piece in the counts, sending a lone piece of the other side to where it enters;
 * false if there is no piece. */
static bool hop(const IdShape *shape, IdPosition *id, int seat, const Hop *h, bool *hit) {
  int other = 1 - seat;
  *hit = false;
  if (h->from < 1 || id->count[seat][h->from - 1] == 0) return false;
  id->count[seat][h->from - 1]--;
  if (h->to == 0) return true;
  if (h->to > ID_POINTS) return false;
  id->count[seat][h->to - 1]++;
  int theirs = point_of(shape, other, shape->point[seat][h->to - 1]);
  if (id->count[other][theirs - 1] != 1) return true;
  id->count[other][theirs - 1] = 0;
  id->count[other][ID_POINTS]++;
  *hit = true;
  return true;
}

/* The word of our own records that says the same: "6,3:24-18-15,13-10". */
static void write_word(const Match *m, int seat, const int dice[2], const Hops *hops,
                       char *word, size_t room) {
  const char *const *name = m->x->rules->board.name;
  size_t n =
      (size_t)snprintf(word, room, "%d,%d:%s", dice[0], dice[1], hops->n ? "" : "pass");
  for (int i = 0; i < hops->n && n + 2 * WORD_LENGTH_MAX + 4 < room; i++) {
    const Hop *h = &hops->at[i];
    bool goes_on =
        i > 0 && hops->at[i - 1].to == h->from && h->from > 0 && h->from <= ID_POINTS;
    if (!goes_on)
      n += (size_t)snprintf(word + n, room - n, "%s%s", i ? "," : "",
                            name[site_of(&m->shape, seat, h->from)]);
    n += (size_t)snprintf(word + n, room - n, "-%s",
                          name[site_of(&m->shape, seat, h->to)]);
  }
}

static bool same_counts(const IdPosition *a, const IdPosition *b) {
  return memcmp(a->count, b->count, sizeof a->count) == 0;
}

/* The turn that leads where the hops lead; p moves on. 0: there is none. */
static bool find_turn(Match *m, const int dice[2], const IdPosition *wanted,
                      bool want_captures) {
  Exchange *x = m->x;
  Position *thrown = engine_position(x->engine);
  position_copy(thrown, m->p);
  char why[256];
  bool found = engine_stands(x->engine, thrown, dice, 2) &&
               engine_set_dice(x->engine, thrown, dice, 2, why, sizeof why);
  Mark mark = engine_mark(x->engine);
  Turns turns = {0};
  found = found && given_turns(m->call, thrown, LISTER_PLACES, &turns, why, sizeof why);
  int at = found ? 0 : turns.n;
  for (; at < turns.n; at++) {
    IdPosition id;
    if (ids_of(x->rules, x->layout, &m->shape, turns.at[at].after, &id, why,
               sizeof why) &&
        same_counts(&id, wanted))
      break;
  }
  found = found && at < turns.n;
  if (found) {
    given_make(m->call, thrown, &turns.at[at]);
    if (want_captures) m->game->step.captures = exchange_captures(x, &turns.at[at]);
    position_copy(m->p, turns.at[at].after);
    if (m->p->stage != STAGE_ENDED) engine_push(x->engine, m->p);
  }
  engine_release(x->engine, mark);
  free(thrown);
  return found;
}

/* Words of ours say why; they also find turns that hit where the record names no stop. */
static bool play_word(Match *m, int seat, const char *word, bool want_captures) {
  char full[MOVE_TEXT_MAX + 128];
  snprintf(full, sizeof full, "%s=%s", m->x->rules->player[seat], word);
  return record_play(m->call, m->x, m->p, full, m->first, want_captures, &m->game->step);
}

static bool begin_with(Match *m, int seat) {
  if (m->p->mover == seat) return true;
  if (!m->first || engine_first(m->x->engine) >= 0)
    return refuse(m, "%s is not to move, but %s", m->x->rules->player[seat],
                  m->x->rules->player[m->p->mover]);
  engine_start(m->x->engine, m->p, seat);
  return true;
}

static bool play_turn(Match *m, int seat, const char *throw, const char *text,
                      bool want_captures) {
  int dice[2] = {throw[0] - '0', throw[1] - '0'};
  Hops hops = {.n = 0};
  char copy[256], *rest;
  snprintf(copy, sizeof copy, "%.255s", text);
  bool cannot = strncasecmp(text, "cannot", 6) == 0;
  for (char *word = strtok_r(copy, " \t", &rest); word && !cannot;
       word = strtok_r(NULL, " \t", &rest))
    if (!read_chain(m, word, &hops))
      return refuse(m, "`%s` is no move like 13/7 or 8/5*", word);
  if (!begin_with(m, seat)) return false;
  IdPosition id;
  char why[256];
  if (!ids_of(m->x->rules, m->x->layout, &m->shape, m->p, &id, why, sizeof why))
    return refuse(m, "%s", why);
  bool can = true;
  int wrong = -1; /* a mark where nothing is hit */
  for (int i = 0; i < hops.n && can; i++) {
    bool hit;
    can = hop(&m->shape, &id, seat, &hops.at[i], &hit);
    if (can && hops.at[i].hit && !hit) wrong = hops.at[i].to;
  }
  if (can && wrong >= 0) return refuse(m, "nothing is hit on his point %d", wrong);
  bool good = can && find_turn(m, dice, &id, want_captures);
  if (!good) {
    char word[MOVE_TEXT_MAX];
    write_word(m, seat, dice, &hops, word, sizeof word);
    good = play_word(m, seat, word, want_captures);
  }
  m->game->good = good;
  m->first = m->first && !good;
  return good;
}

/* ---- doubles, results ---- */

static bool play_double(Match *m, int seat, const char *text) {
  if (!begin_with(m, seat)) return false;
  m->doubled_by = seat;
  const char *arrow = strstr(text, "=>");
  if (!arrow || m->shape.stake < 0) return true;
  const int32_t *cells = position_cells(m->x->layout, m->p);
  int stake = cells[m->x->rules->state[m->shape.stake].cell];
  int64_t said = 0;
  const char *digits = skip_blanks(arrow + 2);
  if (text_digits(&digits, INT32_MAX, &said) && said == 2 * stake) return true;
  return refuse(m, "the record doubles to %.20s, and the stake is %d",
                skip_blanks(arrow + 2), stake);
}

static bool play_answer(Match *m, int seat, bool accepted) {
  const Rules *rules = m->x->rules;
  if (m->doubled_by != 1 - seat)
    return refuse(m, "there is no double for %s to answer", rules->player[seat]);
  m->doubled_by = -1;
  Offer list[8];
  int n = engine_offers(m->x->engine, m->p, list, 8);
  const char *name = n > 0 ? rules->rule[list[0].rule].name
                     : rules->of_kind_n[RULE_OFFER]
                         ? rules->rule[rules->of_kind[RULE_OFFER][0]].name
                         : NULL;
  if (!name) return refuse(m, "nothing can be offered in this game");
  char word[128];
  snprintf(word, sizeof word, "%s:%s", name, accepted ? "accept" : "decline");
  m->game->good = play_word(m, 1 - seat, word, false);
  return m->game->good;
}

/* "Wins 2 points": the other resigns, or the rules say the same. Who resigns may give more
 * than he must: twice the stake, or three times. */
static bool play_result(Match *m, int seat, const char *text) {
  const Rules *rules = m->x->rules;
  Position *p = m->p;
  int64_t points = 0;
  const char *digits = skip_blanks(text + 4);
  text_digits(&digits, INT32_MAX, &points);
  if (p->stage != STAGE_ENDED) {
    engine_resign(m->x->engine, p, 1 - seat);
    if (points > 0 && (double)points < p->score[seat])
      return refuse(m, "the record says that %s wins %d, and a resignation is worth %g",
                    rules->player[seat], (int)points, p->score[seat]);
    if (points > 0) p->score[seat] = (double)points;
    return true;
  }
  if (!((p->winners >> seat) & 1) || p->drawn)
    return refuse(m, "the record says that %s wins, and by the rules he does not",
                  rules->player[seat]);
  if (points > 0 && (double)points != p->score[seat]) {
    int rule = p->end_rule;
    if (rule >= 0)
      snprintf(m->game->step.rule, sizeof m->game->step.rule, "%s",
               rules->rule[rule].name);
    return refuse(m, "the record says that %s wins %d, and by the rules he wins %g",
                  rules->player[seat], (int)points, p->score[seat]);
  }
  return true;
}

static bool play_action(Match *m, int seat, const char *text, bool want_captures) {
  MatchGame *game = m->game;
  m->game->step = (RecordStep){0};
  snprintf(game->word, sizeof game->word, "%.255s", text);
  if (strncasecmp(text, "wins", 4) == 0) return play_result(m, seat, text);
  if (m->p->stage == STAGE_ENDED) return refuse(m, "the game is over");
  if (m->doubled_by >= 0 && isdigit((unsigned char)*text))
    return refuse(m, "the double has not been answered");
  if (strncasecmp(text, "doubles", 7) == 0) return play_double(m, seat, text);
  if (strncasecmp(text, "take", 4) == 0) return play_answer(m, seat, true);
  if (strncasecmp(text, "drop", 4) == 0 || strncasecmp(text, "pass", 4) == 0)
    return play_answer(m, seat, false);
  if (!isdigit((unsigned char)*text))
    return refuse(m, "what `%.40s` means is not known", text);
  bool good = play_turn(m, seat, text, skip_blanks(text + 3), want_captures);
  if (!good) return false;
  game->turns++;
  if (game->captures) {
    json_array_append_new(game->captures, game->step.captures);
    game->step.captures = NULL;
  }
  return true;
}

/* ---- a game ---- */

/* Whether an action begins here: a throw with a colon, or a word. */
static bool starts_action(const char *at) {
  static const char *const words[] = {"doubles", "take", "drop", "wins", "pass"};
  if (isdigit((unsigned char)at[0]) && isdigit((unsigned char)at[1]) && at[2] == ':')
    return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncasecmp(at, words[i], strlen(words[i])) == 0) return true;
  return false;
}

static char *find_action(char *at) {
  for (bool blank = true; *at; blank = isspace((unsigned char)*at), at++)
    if (blank && starts_action(at)) return at;
  return NULL;
}

/* A line ` 12) left   right`, or only a result. */
static bool play_line(Match *m, char *line, bool want_captures) {
  char *text = line, *paren = strchr(line, ')');
  const char *number = skip_blanks(line);
  if (paren && isdigit((unsigned char)*number) &&
      number + strspn(number, "0123456789") == paren)
    text = paren + 1;
  char *action = find_action(text);
  if (!action || skip_blanks(text) != action) {
    if (!*skip_blanks(text)) return true;
    snprintf(m->game->word, sizeof m->game->word, "%s", skip_blanks(text));
    return refuse(m, "what this line means is not known");
  }
  int seat = action - line >= COLUMN ? 1 : 0;
  while (action) {
    char *end = action + 1 < action + strlen(action) ? find_action(action + 1) : NULL;
    char keep[512];
    size_t n = end ? (size_t)(end - action) : strlen(action);
    if (n >= sizeof keep) n = sizeof keep - 1;
    memcpy(keep, action, n);
    while (n > 0 && isspace((unsigned char)keep[n - 1])) n--;
    keep[n] = 0;
    if (!play_action(m, seat, keep, want_captures)) return false;
    seat++;
    if (end && seat > 1) return refuse(m, "a line has two columns");
    action = end;
  }
  return true;
}

/* The line of the players and their scores, or what else is no move. */
static bool is_remark(const char *line) {
  const char *at = skip_blanks(line);
  return !*at || *at == ';' || is_header(line);
}

bool match_next(Match *m, Position *p, bool want_captures, MatchGame *game) {
  char *line;
  while (!m->at_game && (line = next_line(m))) m->at_game = is_game(line);
  if (!m->at_game) return false;
  m->at_game = false;
  *game = (MatchGame){.number = ++m->games, .good = true};
  if (want_captures) game->captures = json_array();
  m->p = p;
  m->game = game;
  m->first = true;
  m->doubled_by = -1;
  record_start(m->x->engine, p);
  bool named = false;
  while ((line = next_line(m))) {
    if (is_game(line)) {
      m->at_game = true;
      break;
    }
    if (is_remark(line) || !game->good) continue;
    if (!named && strstr(line, " : ") && !isdigit((unsigned char)*skip_blanks(line))) {
      named = true;
      continue;
    }
    play_line(m, line, want_captures);
  }
  if (game->good && m->doubled_by >= 0) {
    snprintf(game->word, sizeof game->word, "Doubles");
    refuse(m, "the double has not been answered");
  }
  return true;
}

/* ---- writing ---- */

static bool cannot(char *why, size_t room, const char *what) {
  snprintf(why, room, "a .mat record cannot say %s", what);
  return false;
}

static int own_point(const IdShape *shape, int seat, int site) {
  if (site == shape->entry[seat]) return ID_POINTS + 1;
  if (site == shape->exit[seat]) return 0;
  return point_of(shape, seat, site);
}

/* One turn as "31: 8/5 6/5*". */
static bool turn_text(const Game *game, const IdShape *shape, const GameEntry *entry,
                      char *text, size_t room, char *why, size_t why_room) {
  const Position *before = entry->before;
  int seat = before->mover;
  IdPosition id;
  if (!ids_of(game->rules, game->x->layout, shape, before, &id, why, why_room))
    return false;
  const char *colon = strchr(entry->word, ':');
  if (!colon || before->thrown_n != 2 || strcmp(colon, ":overrun") == 0)
    return cannot(why, why_room, entry->word);
  Move *move = memory_resize(NULL, sizeof *move);
  bool good = move_read(game->rules, false, colon + 1, move, why, why_room);
  size_t n = (size_t)snprintf(text, room, "%d%d:", before->thrown[0], before->thrown[1]);
  for (int i = 0; good && i < move->n; i++) {
    const MovePart *part = &move->part[i];
    for (int s = 0; s + 1 < part->stops && good; s++) {
      Hop h = {own_point(shape, seat, part->stop[s]),
               own_point(shape, seat, part->stop[s + 1]), false};
      good =
          n + 24 < room && h.from >= 0 && h.to >= 0 && hop(shape, &id, seat, &h, &h.hit);
      if (good)
        n += (size_t)snprintf(text + n, room - n, " %d/%d%s", h.from, h.to,
                              h.hit ? "*" : "");
    }
    if (!good || part->rule >= 0) good = cannot(why, why_room, entry->word);
  }
  if (good && move->n == 0) snprintf(text + n, room - n, " Cannot Move");
  memory_resize(move, 0);
  return good;
}

typedef struct Columns {
  FILE *out;
  int line;
  bool left; /* the left column of this line is written */
} Columns;

static void put_action(Columns *c, int seat, const char *text) {
  if (seat == 0) {
    if (c->left) fputc('\n', c->out);
    fprintf(c->out, "%3d) %-27s ", ++c->line, text);
  } else if (c->left) {
    fprintf(c->out, "%s\n", text);
  } else {
    fprintf(c->out, "%3d) %-27s %s\n", ++c->line, "", text);
  }
  c->left = seat == 0;
}

static bool put_offer(const Game *game, const IdShape *shape, const GameEntry *entry,
                      Columns *c) {
  const char *colon = strrchr(entry->word, ':');
  bool accepted = colon && strcmp(colon, ":accept") == 0;
  if (!colon || (!accepted && strcmp(colon, ":decline") != 0)) return false;
  char text[64] = " Doubles";
  const int32_t *cells = position_cells(game->x->layout, entry->before);
  if (shape->stake >= 0)
    snprintf(text, sizeof text, " Doubles => %d",
             2 * cells[game->rules->state[shape->stake].cell]);
  put_action(c, entry->before->mover, text);
  put_action(c, 1 - entry->before->mover, accepted ? " Takes" : " Drops");
  return true;
}

static void put_result(const Game *game, Columns *c) {
  const Position *p = game->p;
  if (c->left) fputc('\n', c->out);
  for (int seat = 0; seat < 2 && !p->drawn; seat++)
    if ((p->winners >> seat) & 1)
      fprintf(c->out, "%*sWins %g point%s\n", seat ? 34 : 6, "", p->score[seat],
              p->score[seat] == 1 ? "" : "s");
}

char *match_write(const Game *game, char *why, size_t room) {
  IdShape shape;
  if (!ids_shape(game->rules, &shape, why, room)) return NULL;
  char *text = NULL, *copy = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) {
    snprintf(why, room, "out of memory");
    return NULL;
  }
  char name[64];
  snprintf(name, sizeof name, "%s : 0", game->rules->player[0]);
  fprintf(out, " 0 point match\n\n Game 1\n %-31s%s : 0\n", name, game->rules->player[1]);
  Columns columns = {.out = out};
  bool good = true;
  for (size_t i = 0; i < game->entry.n && good; i++) {
    const GameEntry *entry = &game->entry.at[i];
    char turn[256];
    if (strstr(entry->word, ":resign") || put_offer(game, &shape, entry, &columns))
      continue;
    good = turn_text(game, &shape, entry, turn, sizeof turn, why, room);
    if (good) put_action(&columns, entry->before->mover, turn);
  }
  if (good && game->p->stage == STAGE_ENDED)
    put_result(game, &columns);
  else if (columns.left)
    fputc('\n', out);
  fclose(out);
  if (good) {
    copy = memory_resize(NULL, length + 1);
    memcpy(copy, text, length + 1);
  }
  free(text);
  return copy;
}
