/* What a person types. Every question takes every command. */
#include "face/talk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "face/prompt.h"
#include "face/reason.h"
#include "play/notation.h"

static const char *say(const Game *game, const char *english, const char *russian) {
  return game->style.russian ? russian : english;
}

void talk_welcome(const Game *game) {
  printf("%s\n", say(game, "Type a move, or `help`.", "Введите ход или `help`."));
}

static void print_help(const Game *game) {
  printf("%s",
         say(game,
             "  a move         as in e5-e9, or a number after `moves`\n"
             "  moves          the legal turns, numbered\n"
             "  why MOVE       why it is legal, or is not\n"
             "  hint           a turn that looks good at once\n"
             "  board          draw the board\n"
             "  undo           take back, to your last turn\n"
             "  save FILE      write the record;  load FILE  go on with a saved game\n"
             "  resign, quit\n",
             "  ход            как e5-e9, или номер после `moves`\n"
             "  moves          возможные ходы с номерами\n"
             "  why ХОД        почему можно или нельзя\n"
             "  hint           ход, который хорош на первый взгляд\n"
             "  board          показать доску\n"
             "  undo           вернуться к своему прошлому ходу\n"
             "  save ФАЙЛ      записать партию;  load ФАЙЛ  продолжить записанную\n"
             "  resign, quit   сдаться, выйти\n"));
  for (int i = 0; i < game->rules->of_kind_n[RULE_OFFER]; i++) {
    const Rule *rule = &game->rules->rule[game->rules->of_kind[RULE_OFFER][i]];
    printf("  %-14s %s\n", rule->name,
           call_sentence(game->call, rule->doc, rule->doc_ru));
  }
}

static void list_turns(const Game *game, const Turns *turns) {
  for (int i = 0; i < turns->n; i++) {
    char move[MOVE_TEXT_MAX];
    turn_write(game->rules, engine_layout(game->engine), game->p, &turns->at[i], move,
               sizeof move);
    printf("%4d  %s\n", i + 1, move);
  }
}

static void explain(Game *game, const char *text, bool complete) {
  char why[512];
  Move *move = memory_resize(NULL, sizeof *move);
  Reason *reason = memory_resize(NULL, sizeof *reason);
  if (!move_read(game->rules, game->style.russian, text, move, why, sizeof why)) {
    call_say(stdout, "%s", why);
  } else if (engine_needs_dice(game->engine, game->p)) {
    printf("%s\n",
           say(game, "The dice have not been thrown yet.", "Кости ещё не брошены."));
  } else {
    explain_move(game->engine, game->p, move, complete, reason);
    const char *complaint = engine_complaint(game->engine);
    if (complaint)
      call_say(stdout, "%s", complaint);
    else
      reason_print(game->call, text, reason, false, stdout);
  }
  memory_resize(move, 0);
  memory_resize(reason, 0);
}

static void hint(Game *game, const Turns *turns) {
  if (!turns) {
    printf("%s\n", say(game, "Throw first.", "Сначала бросьте кости."));
    return;
  }
  int best = player_kind_find("greedy")->pick(game->engine, game->p, turns, &game->mind);
  char move[MOVE_TEXT_MAX];
  turn_write(game->rules, engine_layout(game->engine), game->p, &turns->at[best], move,
             sizeof move);
  printf("%s\n", move);
}

static void save(Game *game, const char *path) {
  char why[256];
  if (!*path)
    printf("save FILE\n");
  else if (game_save(game, path, why, sizeof why))
    call_say(stdout, "%s %s", say(game, "saved:", "записано:"), path);
  else
    call_say(stdout, "%s: %s", path, why);
}

static bool load(Game *game, const char *path) {
  char why[512];
  if (!*path) {
    printf("load FILE\n");
    return false;
  }
  if (game_load(game, path, why, sizeof why)) return true;
  call_say(stdout, "%s: %s", path, why);
  return true; /* the position is another object, if the same */
}

static void resign(Game *game) {
  char word[128];
  int seat = game->p->mover;
  snprintf(word, sizeof word, "%s:resign", game->rules->player[seat]);
  game_note(game, word, game->p);
  engine_resign(game->engine, game->p, seat);
}

/* ---- offers ---- */

bool talk_wants_offers(const Game *game) {
  Offer list[CHOICES_MAX];
  return engine_offers(game->engine, game->p, list, CHOICES_MAX) > 0;
}

static void offer_word(const Game *game, const Offer *offer, char *text, size_t room) {
  const Rule *rule = &game->rules->rule[offer->rule];
  char value[64] = "";
  if (offer->choice >= 0)
    chosen_write(game->rules, rule, offer->chosen, value, sizeof value);
  snprintf(text, room, "%s%s%s", rule->name, *value ? "=" : "", value);
}

/* The others answer one by one; the first who declines decides. Computer players accept.
 */
static bool ask_others(Game *game, const char *word, bool *accepted, int *answerer) {
  *accepted = true;
  *answerer = game->p->mover;
  for (int i = 1; i < game->rules->seats && *accepted; i++) {
    int seat = (game->p->mover + i) % game->rules->seats;
    if (!((game->p->active >> seat) & 1)) continue;
    *answerer = seat;
    if (game->player[seat]) continue;
    char prompt[256];
    snprintf(prompt, sizeof prompt, "%s: %s? %s ", game->rules->player[seat], word,
             say(game, "(yes/no)", "(да/нет)"));
    for (;;) {
      const char *line = prompt_line(prompt);
      if (!line || strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0) return false;
      bool yes = *line == 'y' || strncmp(line, "д", 2) == 0 || strcmp(line, "accept") == 0;
      bool no = *line == 'n' || strncmp(line, "н", 2) == 0 || strcmp(line, "decline") == 0;
      if (!yes && !no) continue;
      *accepted = yes;
      break;
    }
  }
  return true;
}

/* Makes the offer that the text names; false if it names none that can be made now. */
static bool try_offer(Game *game, const char *text, TalkResult *result) {
  Offer list[CHOICES_MAX];
  int n = engine_offers(game->engine, game->p, list, CHOICES_MAX);
  for (int i = 0; i < n; i++) {
    char word[192], record[224];
    offer_word(game, &list[i], word, sizeof word);
    if (strcmp(word, text) != 0) continue;
    bool accepted;
    int answerer;
    *result = TALK_AGAIN;
    if (!ask_others(game, word, &accepted, &answerer)) {
      *result = TALK_QUIT;
      return true;
    }
    snprintf(record, sizeof record, "%s:%s", word, accepted ? "accept" : "decline");
    game_note(game, record, game->p);
    engine_offer(game->engine, game->p, &list[i], accepted, answerer);
    printf("%s: %s\n", word,
           accepted ? say(game, "accepted", "принято") : say(game, "declined", "отказ"));
    return true;
  }
  return false;
}

/* ---- one line ---- */

typedef enum Did { DID_NOTHING, DID_ANSWER, DID_CHANGE, DID_QUIT } Did;

/* A command, with `turns` if they are known. DID_NOTHING: the line is none. */
static Did command(Game *game, const char *line, const Turns *turns) {
  char word[32];
  size_t length = strcspn(line, " \t");
  snprintf(word, sizeof word, "%.*s", (int)length, line);
  const char *rest = line + length + strspn(line + length, " \t");
  TalkResult result;
  if (strcmp(word, "quit") == 0 || strcmp(word, "exit") == 0) return DID_QUIT;
  if (strcmp(word, "help") == 0 || strcmp(word, "?") == 0)
    print_help(game);
  else if (strcmp(word, "board") == 0)
    draw_position(stdout, game->engine, game->p, game->style);
  else if (strcmp(word, "why") == 0 && *rest)
    explain(game, rest, true);
  else if (strcmp(word, "hint") == 0)
    hint(game, turns);
  else if (strcmp(word, "save") == 0)
    save(game, rest);
  else if (strcmp(word, "load") == 0)
    return load(game, rest) ? DID_CHANGE : DID_ANSWER;
  else if (strcmp(word, "undo") == 0) {
    if (game_undo(game)) return DID_CHANGE;
    printf("%s\n", say(game, "There is nothing to take back.", "Возвращать нечего."));
  } else if (strcmp(word, "resign") == 0 && game->p->stage != STAGE_ENDED) {
    resign(game);
    return DID_CHANGE;
  } else if (strcmp(word, "moves") == 0 && turns) {
    list_turns(game, turns);
  } else if (game->p->stage != STAGE_ENDED && try_offer(game, line, &result)) {
    return result == TALK_QUIT ? DID_QUIT : DID_CHANGE;
  } else {
    return DID_NOTHING;
  }
  return DID_ANSWER;
}

/* Whether what was done leaves the question without an answer, and with which result then. */
static bool ends_question(Did did, TalkResult *result) {
  *result = did == DID_QUIT ? TALK_QUIT : TALK_AGAIN;
  return did == DID_QUIT || did == DID_CHANGE;
}

/* Blanks off both ends; valid until this asks again. */
static const char *ask(const char *prompt) {
  static char *text;
  const char *line = prompt_line(prompt);
  if (!line) return NULL;
  line += strspn(line, " \t");
  size_t n = strlen(line);
  while (n > 0 && isspace((unsigned char)line[n - 1])) n--;
  text = memory_resize(text, n + 1);
  memcpy(text, line, n);
  text[n] = 0;
  return text;
}

static int find_number(const char *line, int n) {
  int64_t number;
  return text_number(line, 1, n, &number) ? (int)number - 1 : -1;
}

/* The index of the turn that the line means, or -1 after saying why it means none. */
static int find_turn(Game *game, const char *line, const Turns *turns) {
  static const char *const words[] = {"moves", "why",  "hint",   "board", "undo",
                                      "save",  "load", "resign", "quit",  "help"};
  int found = find_number(line, turns->n);
  if (found >= 0) return found;
  char why[512];
  Move *move = memory_resize(NULL, sizeof *move);
  bool readable = move_read(game->rules, game->style.russian, line, move, why, sizeof why);
  found = readable ? move_find(game->engine, game->p, turns, move) : -1;
  SiteSet missing, surplus;
  if (found >= 0 && !move_captures(move, &turns->at[found], &missing, &surplus)) {
    printf("%s\n", say(game, "It takes other pieces than you say.",
                       "Этот ход берёт другие фишки."));
    found = -1;
  } else if (found == -2) {
    printf(
        "%s\n",
        say(game, "Several turns can be meant: write every stop, and the kind of piece.",
            "Можно понять по-разному: назовите все остановки и род фишки."));
  } else if (found < 0 && readable) {
    explain(game, line, true);
  } else if (!readable) {
    const char *near = text_nearest(line, words, sizeof words / sizeof *words);
    if (near)
      printf("%s `%s`?\n", say(game, "did you mean", "может быть,"), near);
    else
      call_say(stdout, "%s", why);
  }
  memory_resize(move, 0);
  return found < 0 ? -1 : found;
}

TalkResult talk_turn(Game *game, const Turns *turns, int *chosen) {
  draw_position(stdout, game->engine, game->p, game->style);
  char prompt[128];
  snprintf(prompt, sizeof prompt, "%s> ", game->rules->player[game->p->mover]);
  TalkResult result;
  for (;;) {
    const char *line = ask(prompt);
    if (!line) return TALK_QUIT;
    if (!*line) continue;
    Did did = command(game, line, turns);
    if (ends_question(did, &result)) return result;
    if (did == DID_ANSWER) continue;
    *chosen = find_turn(game, line, turns);
    if (*chosen >= 0) return TALK_TURN;
  }
}

TalkResult talk_dice(Game *game) {
  char prompt[128];
  snprintf(prompt, sizeof prompt, "%s, %s> ", game->rules->player[game->p->mover],
           say(game, "dice", "кости"));
  TalkResult result;
  for (;;) {
    const char *line = ask(prompt);
    if (!line) return TALK_QUIT;
    int faces[DICE_MAX], n;
    char why[256];
    if (dice_read(line, faces, &n)) {
      if (!engine_stands(game->engine, game->p, faces, n)) {
        Position *copy = engine_position(game->engine);
        position_copy(copy, game->p);
        bool possible = engine_set_dice(game->engine, copy, faces, n, why, sizeof why);
        printf("%s\n", possible ? say(game, "This throw is thrown again.",
                                      "Этот бросок перебрасывают.")
                                : why);
        free(copy);
      } else if (engine_set_dice(game->engine, game->p, faces, n, why, sizeof why)) {
        return TALK_TURN;
      } else {
        printf("%s\n", why);
      }
      continue;
    }
    Did did = command(game, line, NULL);
    if (ends_question(did, &result)) return result;
    if (did == DID_NOTHING)
      printf("%s\n", say(game, "The dice as numbers: 6,3", "Кости числами: 6,3"));
  }
}

TalkResult talk_offers(Game *game) {
  Offer list[CHOICES_MAX];
  int n = engine_offers(game->engine, game->p, list, CHOICES_MAX);
  draw_position(stdout, game->engine, game->p, game->style);
  char prompt[512], word[192];
  size_t at = (size_t)snprintf(prompt, sizeof prompt, "%s (%s",
                               game->rules->player[game->p->mover],
                               say(game, "Enter throws", "Enter — бросок"));
  for (int i = 0; i < n && at + 200 < sizeof prompt; i++) {
    offer_word(game, &list[i], word, sizeof word);
    at += (size_t)snprintf(prompt + at, sizeof prompt - at, ", %s", word);
  }
  snprintf(prompt + at, sizeof prompt - at, ")> ");
  TalkResult result;
  for (;;) {
    const char *line = ask(prompt);
    if (!line) return TALK_QUIT;
    if (!*line || strcmp(line, "throw") == 0 || strcmp(line, "roll") == 0)
      return TALK_TURN;
    Did did = command(game, line, NULL);
    if (ends_question(did, &result)) return result;
    if (did == DID_NOTHING)
      printf("%s\n", say(game, "Enter throws the dice; `help` for the rest.",
                         "Enter бросает кости; `help` — остальное."));
  }
}

bool talk_after(Game *game) {
  TalkResult result;
  for (;;) {
    const char *line = ask(say(game, "(undo, save FILE, load FILE, quit)> ",
                               "(undo, save ФАЙЛ, load ФАЙЛ, quit)> "));
    if (!line) return false;
    if (!*line) return false;
    Did did = command(game, line, NULL);
    if (ends_question(did, &result)) return result == TALK_AGAIN;
    if (did == DID_NOTHING) print_help(game);
  }
}
