/* tavl play: a game in the terminal. Here: who plays, chance, the course of the game;
 * what a person types is in talk.c. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "face/call.h"
#include "face/commit.h"
#include "face/engine.h"
#include "face/game.h"
#include "face/given.h"
#include "face/prompt.h"
#include "face/talk.h"
#include "mind/chance.h"
#include "mind/player.h"
#include "play/eval.h"
#include "play/notation.h"
#include "play/words.h"

static const char about[] =
    "Plays a game in the terminal. Moves are typed as the game writes them, or chosen by "
    "number\n"
    "after `moves`; `help` lists what else can be typed. Without a terminal the computer "
    "plays a\n"
    "whole game by itself and prints the moves, the boards and the result.\n\n"
    "  tavl play GAME\n"
    "  tavl play GAME --as white=human --as black=random\n"
    "  tavl play GAME --dice typed          you throw, and type what fell\n"
    "  tavl play GAME --commit              dice that everyone can recompute "
    "afterwards\n\n"
    "Players: human, random (any legal turn), greedy (looks one turn ahead). Without "
    "--as a\n"
    "person has the first seat and greedy the others. --engine finds the turns of computer players: "
    "they\n"
    "play the same by every engine; auto is the reference.";

/* ---- printing ---- */

static void print_turn(const Game *game, const Position *before, const Turn *turn) {
  const Rules *rules = game->rules;
  char dice[64], move[MOVE_TEXT_MAX];
  game_dice_word(before, dice, sizeof dice);
  turn_write(rules, engine_layout(game->engine), before, turn, move, sizeof move);
  printf("%d. %s %s%s%s", game->turns, rules->player[before->mover], dice,
         *dice ? " " : "",
         turn->steps           ? move
         : game->style.russian ? "пас"
                               : "pass");
  for (int i = 0; i < turn->captures; i++) {
    char piece[128];
    const Plane *plane = &rules->plane[turn->captured[i].plane];
    WORDS_WRITE(piece, sizeof piece, game->style.russian, PIECE,
                rules->kind[plane->kind].name, rules->player[plane->owner]);
    printf("%s%s %s %s",
           i                     ? ", "
           : game->style.russian ? "  берёт: "
                                 : "  takes ",
           piece, game->style.russian ? "на" : "on",
           rules->board.name[turn->captured[i].site]);
  }
  printf("\n");
}

static void print_end(const Game *game) {
  const Position *p = game->p;
  const Rules *rules = game->rules;
  bool ru = game->style.russian;
  if (p->stage != STAGE_ENDED) {
    printf("%s\n", ru ? "Партия не окончена." : "The game is not finished.");
    return;
  }
  if (p->drawn) {
    printf("%s", ru ? "Ничья." : "A draw.");
  } else {
    printf("%s", ru ? "Победа:" : "Won by");
    for (int s = 0; s < rules->seats; s++)
      if ((p->winners >> s) & 1) printf(" %s", rules->player[s]);
    printf(".");
  }
  for (int s = 0; s < rules->seats; s++)
    printf("%s %s %g",
           s    ? ","
           : ru ? " Счёт:"
                : " Score:",
           rules->player[s], p->score[s]);
  printf("\n");
  if (p->end_rule < 0) return;
  const Rule *rule = &rules->rule[p->end_rule];
  printf("%s: %s\n", rule->name, call_sentence(game->call, rule->doc, rule->doc_ru));
}

/* ---- the course of the game ---- */

typedef enum Course { COURSE_ON, COURSE_QUIT, COURSE_FAILED } Course;

static Course fail(const Game *game, const char *why) {
  call_fail(game->call, EXIT_COULD_NOT, "%s", why);
  return COURSE_FAILED;
}

static void take_turn(Game *game, const PlayerKind *player, Turn *turn) {
  char dice[64], move[MOVE_TEXT_MAX], word[MOVE_TEXT_MAX + 64];
  if (player) given_make(game->call, game->p, turn);
  game_dice_word(game->p, dice, sizeof dice);
  turn_write(game->rules, engine_layout(game->engine), game->p, turn, move, sizeof move);
  snprintf(word, sizeof word, "%s%s", dice, move);
  game_note(game, word, game->p);
  game->turns++;
  print_turn(game, game->p, turn);
  position_copy(game->p, turn->after);
  game_stands(game);
}

static void overrun(Game *game) {
  char dice[64], word[80];
  game_dice_word(game->p, dice, sizeof dice);
  snprintf(word, sizeof word, "%soverrun", dice);
  game_note(game, word, game->p);
  printf("%s\n", game->style.russian ? "Время вышло: ход пропал."
                                     : "Time is up: the turn is void.");
  engine_overrun(game->engine, game->p);
  game_stands(game);
}

static int64_t clock_of(const Game *game) {
  const Expr *clock = game->rules->phase[game->p->phase].turn.clock;
  if (!clock) return 0;
  EvalCtx ctx = eval_context(game->engine, game->p);
  return eval_number(&ctx, clock);
}

/* The turn that a person or a computer player picks: its index, or what else was decided.
 */
static int pick(Game *game, const Turns *turns, TalkResult *result) {
  const PlayerKind *player = game->player[game->p->mover];
  *result = TALK_TURN;
  if (player) return player_pick(player, game->engine, game->p, turns, &game->mind);
  if (turns->n == 1 && turns->at[0].steps == 0 && game->talks) {
    printf("%s\n", game->style.russian ? "Ходов нет: пас." : "There is no move: a pass.");
    return 0;
  }
  int chosen = 0;
  *result = talk_turn(game, turns, &chosen);
  return chosen;
}

static Course play_turn(Game *game) {
  Engine *engine = game->engine;
  const PlayerKind *player = game->player[game->p->mover];
  int64_t clock = player ? 0 : clock_of(game);
  double begun = clock_now();
  Mark mark = engine_mark(engine);
  Turns turns = player ? lister_turns(game->call->lister, game->p, LISTER_TAKEN) : engine_turns(engine, game->p);
  const char *complaint = engine_complaint(engine);
  Course course = COURSE_ON;
  if (complaint) {
    course = fail(game, complaint);
  } else if (turns.n < 1 || turns.too_many) {
    course = fail(game, turns.too_many ? "the position has too many turns"
                                       : "the position has no turn");
  } else {
    TalkResult result;
    int chosen = pick(game, &turns, &result);
    if (result == TALK_QUIT)
      course = COURSE_QUIT;
    else if (result == TALK_TURN && clock > 0 && clock_now() - begun > (double)clock)
      overrun(game);
    else if (result == TALK_TURN)
      take_turn(game, player, &turns.at[chosen]);
  }
  engine_release(engine, mark);
  return course;
}

static Course throw_dice(Game *game) {
  char why[256];
  if (game->typed) {
    TalkResult result = talk_dice(game);
    return result == TALK_QUIT ? COURSE_QUIT : COURSE_ON;
  }
  if (!chance_throw(game->engine, game->p, &game->rng, NULL, why, sizeof why))
    return fail(game, why);
  return COURSE_ON;
}

static Course play_game(Game *game, int cap) {
  if (!game->talks) draw_position(stdout, game->engine, game->p, game->style);
  for (;;) {
    Course course = COURSE_ON;
    while (game->p->stage != STAGE_ENDED && course == COURSE_ON && game->turns < cap) {
      bool person = !game->player[game->p->mover];
      bool before_dice = engine_needs_dice(game->engine, game->p);
      if (before_dice && person && talk_wants_offers(game)) {
        TalkResult result = talk_offers(game);
        if (result == TALK_QUIT) course = COURSE_QUIT;
        if (result == TALK_AGAIN) continue;
      }
      if (course == COURSE_ON && game->p->stage != STAGE_ENDED &&
          engine_needs_dice(game->engine, game->p))
        course = throw_dice(game);
      if (course != COURSE_ON || game->p->stage == STAGE_ENDED ||
          engine_needs_dice(game->engine, game->p))
        continue;
      course = play_turn(game);
      if (!game->talks && game->turns % 20 == 0 && game->p->stage != STAGE_ENDED)
        draw_position(stdout, game->engine, game->p, game->style);
    }
    if (course != COURSE_ON) return course;
    draw_position(stdout, game->engine, game->p, game->style);
    print_end(game);
    if (!game->talks || !talk_after(game)) return COURSE_ON;
  }
}

/* ---- setting up ---- */

/* "white, black" */
static const char *seats_of(const Rules *rules, char list[512]) {
  size_t n = 0;
  *list = 0;
  for (int s = 0; s < rules->seats && n + WORD_LENGTH_MAX + 3 < 512; s++)
    n += (size_t)snprintf(list + n, 512 - n, "%s%s", s ? ", " : "", rules->player[s]);
  return list;
}

static bool seat_players(Game *game) {
  const Rules *rules = game->rules;
  const char *kinds[32] = {"human"};
  int n = 1;
  for (; player_kind(n - 1) && n < 32; n++) kinds[n] = player_kind(n - 1)->name;
  bool person = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  for (int s = 0; s < rules->seats; s++)
    game->player[s] = s == 0 && person ? NULL : player_kind_find("greedy");
  for (int i = 0; i < game->call->as_n; i++) {
    const char *text = game->call->as[i], *equals = strchr(text, '=');
    int seat = -1;
    for (int s = 0; equals && s < rules->seats; s++)
      if (strlen(rules->player[s]) == (size_t)(equals - text) &&
          strncmp(rules->player[s], text, (size_t)(equals - text)) == 0)
        seat = s;
    if (seat < 0 && equals) {
      char given[64];
      snprintf(given, sizeof given, "%.*s", (int)(equals - text), text);
      char list[512];
      const char *near = text_nearest(given, rules->player, (size_t)rules->players);
      call_fail(game->call, EXIT_COULD_NOT, "there is no seat `%s`%s%s%s", given,
                near ? "; did you mean `" : "; there are: ", near ? near : seats_of(rules, list),
                near ? "`?" : "");
      return false;
    }
    if (seat < 0) {
      call_fail(game->call, EXIT_COULD_NOT,
                "--as wants SEAT=PLAYER, for example %s=human; not `%s`",
                rules->player[0], text);
      return false;
    }
    const char *name = equals + 1;
    game->player[seat] = player_kind_find(name);
    if (game->player[seat] || strcmp(name, "human") == 0) continue;
    const char *near = text_nearest(name, kinds, (size_t)n);
    char list[256];
    call_fail(game->call, EXIT_COULD_NOT,
              "nobody plays by the name `%s`; a seat is taken by %s%s%s%s", name,
              player_list("human", list, sizeof list), near ? "; did you mean `" : "", near ? near : "",
              near ? "`?" : "");
    return false;
  }
  for (int s = 0; s < rules->seats; s++) game->talks = game->talks || !game->player[s];
  return true;
}

static bool commit(Game *game) {
  char promise[COMMIT_PROMISE];
  if (!commit_draw(game->secret) || !commit_promise(game->secret, promise)) {
    call_fail(game->call, EXIT_COULD_NOT, "the system gives no random numbers");
    return false;
  }
  game->seed = commit_seed(game->secret);
  printf("%s %s\n", game->style.russian ? "обязательство:" : "commitment:", promise);
  return true;
}

static bool choose_seed(Game *game) {
  int64_t seed;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  int64_t clock = game->talks ? (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 : 1;
  if (!call_number(game->call, OPT_SEED, 0, INT64_MAX, clock, &seed)) return false;
  game->seed = (uint64_t)seed;
  if (game->call->value[OPT_COMMIT]) {
    if (game->call->value[OPT_SEED]) {
      call_fail(game->call, EXIT_COULD_NOT,
                "--commit draws its own secret seed: not together with --seed");
      return false;
    }
    if (!commit(game)) return false;
  } else if (!game->typed) {
    printf("%s %lld\n", game->style.russian ? "зерно:" : "seed:", (long long)seed);
  }
  game->rng = rng_for(game->seed, 0);
  game->mind = rng_for(game->seed ^ 0x6d696e64u, 1);
  return true;
}

static bool choose_dice(Game *game) {
  const char *text = game->call->value[OPT_THROWS];
  if (!text || strcmp(text, "throw") == 0) return true;
  game->typed = strcmp(text, "typed") == 0;
  if (!game->typed)
    call_fail(game->call, EXIT_COULD_NOT, "--dice is throw or typed, not `%s`", text);
  if (game->typed && !game->talks) {
    call_fail(game->call, EXIT_COULD_NOT, "--dice typed wants a person in some seat");
    return false;
  }
  return game->typed;
}

static int run(Call *call) {
  Game game = {
      .call = call,
      .engine = call->engine,
      .rules = call->rules,
      .style = {
          .colour = call_colour(call), .ascii = call->plain, .russian = call->russian}};
  int64_t cap;
  if (!call_number(call, OPT_CAP, 1, 1000000, 10000, &cap)) return EXIT_COULD_NOT;
  if (!seat_players(&game) || !choose_dice(&game)) return EXIT_COULD_NOT;
  printf("%s\n", call_sentence(call, game.rules->title, game.rules->title_ru));
  if (!choose_seed(&game)) return EXIT_COULD_NOT;
  game.x = exchange_new(game.engine);
  game.p = engine_position(game.engine);
  game.lot = engine_first(game.engine) < 0;
  game_start(&game, chance_first(game.engine, &game.rng));
  if (game.lot)
    printf("%s %s\n", game.style.russian ? "Начинает" : "The lot falls on",
           game.rules->player[game.p->mover]);
  if (game.talks) talk_welcome(&game);
  Course course = play_game(&game, (int)cap);
  if (game.secret[0])
    printf("%s %s\n", game.style.russian ? "тайное зерно:" : "secret seed:", game.secret);
  int status = course == COURSE_FAILED ? EXIT_COULD_NOT : EXIT_FINE;
  if (prompt_failure())
    status = call_fail(call, EXIT_COULD_NOT, "standard input cannot be read: %s",
                       prompt_failure());
  const char *path = call->value[OPT_SAVE];
  char why[256];
  if (path && !game_save(&game, path, why, sizeof why))
    status = call_fail(call, EXIT_COULD_NOT, "%s cannot be written: %s", path, why);
  game_free(&game);
  exchange_free(game.x);
  return status;
}

int command_play(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_BIT(HELP) | OPT_BIT(SET) | OPT_BIT(LANG) | OPT_BIT(PLAIN) |
                     OPT_BIT(AS) | OPT_BIT(SEED) | OPT_BIT(COMMIT) | OPT_BIT(THROWS) |
                     OPT_BIT(CAP) | OPT_BIT(SAVE) | OPT_BIT(ENGINE);
  if (!call_begin(&call, "play", options, about, 1, 1, argc, argv, &status))
    return status;
  if (!call_open(&call, call.operand[0], &status)) return call_end(&call, status);
  return call_end(&call, run(&call));
}
