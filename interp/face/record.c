/* Reads a word of a record and plays it. */
#include "face/record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "face/given.h"
#include "face/reason.h"
#include "play/notation.h"

typedef struct Word { /* a word taken apart */
  int seat;           /* of a player before `=`, or -1 */
  int faces[DICE_MAX];
  int dice; /* 0: none written */
  const char *move;
} Word;

static bool refuse(RecordStep *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(RecordStep *step, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(step->why, sizeof step->why, format, arguments);
  va_end(arguments);
  return false;
}

void record_start(Engine *engine, Position *p) {
  int first = engine_first(engine);
  engine_start(engine, p, first < 0 ? 0 : first);
}

static bool take_apart(const Rules *rules, const char *text, Word *word,
                       RecordStep *step) {
  *word = (Word){.seat = -1, .move = text};
  for (int seat = 0; seat < rules->seats; seat++) {
    size_t length = strlen(rules->player[seat]);
    if (strncmp(text, rules->player[seat], length) != 0 || text[length] != '=') continue;
    word->seat = seat;
    word->move = text + length + 1;
  }
  const char *colon = strchr(word->move, ':');
  if (!colon || !isdigit((unsigned char)word->move[0])) return true;
  char dice[64];
  size_t length = (size_t)(colon - word->move);
  if (length >= sizeof dice) return refuse(step, "too many dice");
  memcpy(dice, word->move, length);
  dice[length] = 0;
  if (!dice_read(dice, word->faces, &word->dice))
    return refuse(step, "`%s` is not a throw like 6,3", dice);
  word->move = colon + 1;
  return true;
}

/* A player before the first turn says who begins; later he must be the one to move. */
static bool check_seat(Engine *engine, Position *p, const Word *word, bool first,
                       RecordStep *step) {
  const Rules *rules = engine_rules(engine);
  if (word->seat < 0 || word->seat == p->mover) return true;
  if (first && engine_first(engine) < 0) {
    engine_start(engine, p, word->seat);
    return true;
  }
  return refuse(step, "%s is not to move, but %s", rules->player[word->seat],
                rules->player[p->mover]);
}

static bool put_dice(Engine *engine, Position *p, const Word *word, RecordStep *step) {
  bool needed = engine_needs_dice(engine, p);
  if (!word->dice)
    return needed ? refuse(step, "the throw is missing: 6,3:%.40s", word->move) : true;
  if (!needed) return refuse(step, "there is nothing to throw for");
  if (!engine_stands(engine, p, word->faces, word->dice)) {
    Position *copy = engine_position(engine);
    position_copy(copy, p);
    char why[256];
    bool possible =
        engine_set_dice(engine, copy, word->faces, word->dice, why, sizeof why);
    free(copy);
    if (!possible) return refuse(step, "%s", why);
    snprintf(step->rule, sizeof step->rule, "turn");
    snprintf(step->clause, sizeof step->clause, "reroll");
    return refuse(step, "turn.reroll: this throw is thrown again");
  }
  char why[256];
  if (engine_set_dice(engine, p, word->faces, word->dice, why, sizeof why)) return true;
  return refuse(step, "%s", why);
}

/* ---- a turn ---- */

static void list_sites(const Rules *rules, const SiteSet *set, char *text, size_t room) {
  size_t n = 0;
  *text = 0;
  SITES_FOR(site, *set) {
    if (site >= rules->board.sites || n + WORD_LENGTH_MAX + 3 > room) break;
    n += (size_t)snprintf(text + n, room - n, "%s%s", n ? ", " : "",
                          rules->board.name[site]);
  }
}

/* A capture is written that the rules do not make: the rule that comes nearest, and what it
 * lacks. */
static bool refuse_missing(const Call *call, Engine *engine, const Position *p,
                           const Turn *turn, int site, const char *should,
                           RecordStep *step) {
  Reason *reason = memory_resize(NULL, sizeof *reason);
  explain_capture(engine, p, turn, site, reason);
  if (reason->rule_name) {
    snprintf(step->rule, sizeof step->rule, "%s", reason->rule_name);
    if (reason->clause >= 0)
      snprintf(step->clause, sizeof step->clause, "%s",
               clause_word((ClauseId)reason->clause));
  }
  char why[800];
  reason_line(call, reason, why, sizeof why);
  memory_resize(reason, 0);
  return refuse(step, "the record takes %s, the rules take %s: %s",
                call->rules->board.name[site], should, why);
}

/* The captures written are not those made: tells which, and by which rule. */
static bool refuse_captures(const Call *call, Engine *engine, const Position *p,
                            const Turn *turn, const SiteSet *missing,
                            const SiteSet *surplus, RecordStep *step) {
  const Rules *rules = call->rules;
  char sites[256], taken[256];
  SiteSet all = sites_none();
  int by = -1;
  for (int i = 0; i < turn->captures; i++) {
    const Captured *c = &turn->captured[i];
    sites_add(&all, c->site);
    if (c->rule >= 0 && sites_has(surplus, c->site) && by < 0) by = c->rule;
  }
  list_sites(rules, &all, taken, sizeof taken);
  if (!sites_is_empty(missing))
    return refuse_missing(call, engine, p, turn, sites_first(missing),
                          turn->captures ? taken : "nothing", step);
  list_sites(rules, surplus, sites, sizeof sites);
  if (by >= 0) snprintf(step->rule, sizeof step->rule, "%s", rules->rule[by].name);
  return refuse(
      step, "%s: the record leaves out the capture on %s; the rules take %s — %s",
      step->rule, sites, taken,
      by < 0 ? "" : call_sentence(call, rules->rule[by].doc, rules->rule[by].doc_ru));
}

/* Records often leave out the capture that ends the game: a piece of a kind of which none is
 * left need not be written when the turn ends the game. */
static bool goes_without_saying(const Rules *rules, const Layout *layout, const Turn *turn,
                                const SiteSet *surplus) {
  if (turn->after->stage != STAGE_ENDED) return false;
  for (int i = 0; i < turn->captures; i++) {
    const Captured *c = &turn->captured[i];
    if (!sites_has(surplus, c->site)) continue;
    if (position_total(rules, layout, turn->after, c->plane) > 0) return false;
  }
  return true;
}

static bool refuse_move(const Call *call, Engine *engine, const Position *p,
                        const Move *move, int found, RecordStep *step) {
  Reason *reason = memory_resize(NULL, sizeof *reason);
  explain_move(engine, p, move, true, reason);
  const char *complaint = engine_complaint(engine);
  if (complaint) {
    step->faulty = true;
    refuse(step, "%s", complaint);
  } else if (reason->legal) {
    refuse(step,
           found == -2
               ? "several turns can be meant: write every stop, and the kind of piece"
               : "no legal turn is written like this");
  } else {
    reason_line(call, reason, step->why, sizeof step->why);
    if (reason->rule_name)
      snprintf(step->rule, sizeof step->rule, "%s", reason->rule_name);
    if (reason->clause >= 0)
      snprintf(step->clause, sizeof step->clause, "%s",
               clause_word((ClauseId)reason->clause));
  }
  memory_resize(reason, 0);
  return false;
}

/* A word of a record has no blanks: the comma after a kind of piece stands for one. */
static char *with_blanks(const Rules *rules, const char *text) {
  size_t length = strlen(text);
  char *copy = memory_resize(NULL, length + 1);
  memcpy(copy, text, length + 1);
  for (char *part = copy; part; part = strchr(part, ',')) {
    if (*part == ',') part++;
    char *comma = strchr(part, ',');
    if (!comma) break;
    *comma = 0;
    bool kind = rules_kind(rules, part) >= 0;
    *comma = kind ? ' ' : ',';
    part = kind ? comma : part;
  }
  return copy;
}

static bool play_move(const Call *call, Exchange *x, Position *p, const char *text,
                      bool want_captures, RecordStep *step) {
  Engine *engine = x->engine;
  Move *move = memory_resize(NULL, sizeof *move);
  char *spaced = with_blanks(x->rules, text);
  bool good = move_read(x->rules, call->russian, spaced, move, step->why, sizeof step->why);
  if (good) {
    Mark mark = engine_mark(engine);
    Turns turns;
    good = given_turns(call, p, LISTER_PLACES, &turns, step->why, sizeof step->why);
    step->faulty = !good;
    int found = good ? move_find(engine, p, &turns, move) : -1;
    if (found >= 0) given_make(call, p, &turns.at[found]);
    SiteSet missing, surplus;
    if (good && found < 0) {
      good = refuse_move(call, engine, p, move, found, step);
    } else if (good && !move_captures(move, &turns.at[found], &missing, &surplus) &&
               !(sites_is_empty(&missing) &&
                 goes_without_saying(x->rules, engine_layout(engine), &turns.at[found],
                                     &surplus))) {
      good = refuse_captures(call, engine, p, &turns.at[found], &missing, &surplus, step);
    } else if (good) {
      if (want_captures) step->captures = exchange_captures(x, &turns.at[found]);
      position_copy(p, turns.at[found].after);
      if (p->stage != STAGE_ENDED) engine_push(engine, p);
    }
    engine_release(engine, mark);
  }
  memory_resize(spaced, 0);
  memory_resize(move, 0);
  return good;
}

/* ---- offers and resignations ---- */

static const Rule *offer_rule(const Rules *rules, const char *text, size_t length) {
  for (int i = 0; i < rules->of_kind_n[RULE_OFFER]; i++) {
    const Rule *rule = &rules->rule[rules->of_kind[RULE_OFFER][i]];
    if (strlen(rule->name) == length && strncmp(rule->name, text, length) == 0)
      return rule;
  }
  return NULL;
}

/* `name:accept`, `name=value:decline`. Not an offer: *is_offer is false. */
static bool play_offer(Exchange *x, Position *p, const char *text, bool *is_offer,
                       RecordStep *step) {
  const char *colon = strrchr(text, ':');
  *is_offer = false;
  if (!colon) return false;
  size_t length = strcspn(text, "=:");
  const Rule *rule = offer_rule(x->rules, text, length);
  if (!rule) return false;
  *is_offer = true;
  step->kind = RECORD_OFFER;
  bool accepted = strcmp(colon, ":accept") == 0;
  if (!accepted && strcmp(colon, ":decline") != 0)
    return refuse(step, "an offer ends in `:accept` or `:decline`");
  Offer list[CHOICES_MAX];
  int n = engine_offers(x->engine, p, list, CHOICES_MAX);
  for (int i = 0; i < n; i++) {
    if (list[i].rule != rule->index) continue;
    char value[64] = "";
    if (list[i].choice >= 0)
      chosen_write(x->rules, rule, list[i].chosen, value, sizeof value);
    size_t written = text[length] == '=' ? (size_t)(colon - text) - length - 1 : 0;
    if (strlen(value) != written || strncmp(value, text + length + 1, written) != 0)
      continue;
    int answerer = p->mover;
    do answerer = (answerer + 1) % x->rules->seats;
    while (!((p->active >> answerer) & 1) && answerer != p->mover);
    engine_offer(x->engine, p, &list[i], accepted, answerer);
    const char *complaint = engine_complaint(x->engine);
    step->faulty = complaint != NULL;
    return complaint ? refuse(step, "%s", complaint) : true;
  }
  snprintf(step->rule, sizeof step->rule, "%s", rule->name);
  return refuse(step, "%s: %s cannot offer this now", rule->name,
                x->rules->player[p->mover]);
}

static bool resigns(const Rules *rules, const Position *p, const char *text, int *seat) {
  const char *colon = strchr(text, ':');
  *seat = p->mover;
  if (!colon)
    return strcmp(text, "resign") == 0 || strcmp(text, "resigned") == 0 ||
           strcmp(text, "timeout") == 0;
  if (strcmp(colon, ":resign") != 0) return false;
  for (int s = 0; s < rules->seats; s++)
    if (strlen(rules->player[s]) == (size_t)(colon - text) &&
        strncmp(rules->player[s], text, (size_t)(colon - text)) == 0) {
      *seat = s;
      return (p->active >> s) & 1;
    }
  return false;
}

static bool play_word(const Call *call, Exchange *x, Position *p, const char *text, bool first,
                      bool want_captures, RecordStep *step) {
  if (p->stage == STAGE_ENDED) {
    const char *rule = p->end_rule >= 0 ? x->rules->rule[p->end_rule].name : "";
    snprintf(step->rule, sizeof step->rule, "%s", rule);
    return refuse(step, "the game is over%s%s%s", *rule ? " (" : "", rule,
                  *rule ? ")" : "");
  }
  Word word;
  int seat;
  bool is_offer;
  if (!take_apart(x->rules, text, &word, step)) return false;
  if (!check_seat(x->engine, p, &word, first, step)) return false;
  if (resigns(x->rules, p, word.move, &seat)) {
    step->kind = RECORD_RESIGNATION;
    engine_resign(x->engine, p, seat);
    return true;
  }
  bool played = play_offer(x, p, word.move, &is_offer, step);
  if (is_offer) return played;
  Position *thrown = engine_position(x->engine);
  position_copy(thrown, p);
  bool good = put_dice(x->engine, thrown, &word, step);
  if (good && strcmp(word.move, "overrun") == 0) {
    step->kind = RECORD_OVERRUN;
    engine_overrun(x->engine, thrown);
  } else if (good) {
    good = play_move(call, x, thrown, word.move, want_captures, step);
  }
  if (good) position_copy(p, thrown);
  free(thrown);
  return good;
}

bool record_play(const Call *call, Exchange *x, Position *p, const char *text, bool first,
                 bool want_captures, RecordStep *step) {
  memset(step, 0, sizeof *step);
  bool good = play_word(call, x, p, text, first, want_captures, step);
  const char *complaint = good ? engine_complaint(x->engine) : NULL; /* of what came with the word: ends, a start */
  if (!complaint) return good;
  json_decref(step->captures);
  step->captures = NULL;
  step->faulty = true;
  return refuse(step, "%s", complaint);
}
