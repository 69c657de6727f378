/* tavl replay: checks recorded games, one a line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "face/call.h"
#include "face/engine.h"
#include "face/exchange.h"
#include "face/match.h"
#include "face/record.h"

static const char about[] =
    "Checks recorded games, one a line (`-`: standard input). Turns are separated by "
    "blanks;\n"
    "blank lines and lines that begin with # are skipped. Exit 1 if any game is "
    "refused, 2 if\n"
    "the rules themselves err or a position has too many turns.\n\n"
    "  d6-d9 e4-c4 d6-d9xc8xe8       captures after x are checked when they are written\n"
    "  6,3:24-18,13-10 5,5:pass      dice first; `white=6,3:…` says who begins by lot\n"
    "  double:accept                 an offer and its answer\n"
    "  resign                        the player to move resigns\n\n"
    "A file that begins like a match (.mat: `7 point match`, `Game 1`) is read as such, "
    "a "
    "line\n"
    "of the answer for each of its games; the left column is the first player.\n\n"
    "--json prints a line a game: {\"game\", \"ok\": true, \"turns\", \"captures\", "
    "\"ends\"} or\n"
    "{\"game\", \"ok\": false, \"turn\", \"move\", \"why\", \"rule\"}.\n\n"
    "--engine: who finds the turns; reasons are the reference's. Where a turn of several steps can "
    "be\n"
    "made in several ways, `captures` may be those of another way by kernel and native; for such "
    "games\n"
    "auto is the reference.";

enum { MATCH_BYTES_MAX = 64 << 20 };

typedef struct Replay {
  const Call *call;
  Exchange *x;
  Position *p;
  int64_t games, refused;
  bool faulty; /* the game itself erred, not a record of it */
  bool tries; /* no engine was chosen */
  Trial trial;
} Replay;

static void print_refusal(const Replay *r, int turn, const char *word,
                          const RecordStep *step) {
  if (!r->call->json) {
    call_say(stdout, "%lld: refused at turn %d, %.200s: %s", (long long)r->games, turn,
             word, step->why);
    return;
  }
  json_t *line =
      json_pack("{s:I, s:b, s:i, s:o, s:o}", "game", (json_int_t)r->games, "ok", 0,
                "turn", turn, "move", call_text(word), "why", call_text(step->why));
  json_object_set_new(line, "rule",
                      step->rule[0] ? json_string(step->rule) : json_null());
  if (step->clause[0]) json_object_set_new(line, "clause", json_string(step->clause));
  call_print(line);
}

static void print_accepted(const Replay *r, int turns, json_t *captures) {
  const Rules *rules = r->call->rules;
  const Position *p = r->p;
  if (r->call->json) {
    call_print(json_pack("{s:I, s:b, s:i, s:O, s:o}", "game", (json_int_t)r->games, "ok",
                         1, "turns", turns, "captures", captures, "ends",
                         exchange_ends(r->x, p)));
    return;
  }
  printf("%lld: ok, %d turn%s", (long long)r->games, turns, turns == 1 ? "" : "s");
  if (p->stage == STAGE_ENDED) {
    printf(", %s", p->drawn ? "a draw" : "won by");
    for (int s = 0; s < rules->seats && !p->drawn; s++)
      if ((p->winners >> s) & 1) printf(" %s", rules->player[s]);
    if (p->end_rule >= 0) printf(" (%s)", rules->rule[p->end_rule].name);
  }
  printf("\n");
}

static void play_line(Replay *r, char *line) {
  double begun = clock_now();
  r->games++;
  record_start(r->x->engine, r->p);
  json_t *captures = r->call->json ? json_array() : NULL;
  int turns = 0;
  bool good = true, first = true;
  char *rest;
  for (char *word = strtok_r(line, " \t\r\n", &rest); word && good;
       word = strtok_r(NULL, " \t\r\n", &rest)) {
    RecordStep step;
    good = record_play(r->call, r->x, r->p, word, first, captures != NULL, &step);
    first = false;
    if (!good) {
      r->faulty |= step.faulty;
      print_refusal(r, turns + 1, word, &step);
    } else if (step.kind == RECORD_TURN) {
      turns++;
      if (captures) json_array_append_new(captures, step.captures);
    }
  }
  if (good) print_accepted(r, turns, captures);
  if (!good) r->refused++;
  if (r->tries) trial_game(&r->trial, clock_now() - begun, turns);
  json_decref(captures);
}

/* Games of a match: the first line of it is read already. */
static int run_match(Replay *r, const char *line, FILE *file) {
  char *text = NULL, buffer[4096], why[256];
  size_t length = 0, n;
  FILE *all = open_memstream(&text, &length);
  if (!all) return call_fail(r->call, EXIT_COULD_NOT, "out of memory");
  fputs(line, all);
  while (ftell(all) < MATCH_BYTES_MAX && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
    fwrite(buffer, 1, n, all);
  fclose(all);
  if (length >= MATCH_BYTES_MAX) {
    free(text);
    return call_fail(r->call, EXIT_COULD_NOT, "the match is too large");
  }
  Match *match = match_new(r->call, r->x, text, why, sizeof why);
  MatchGame game;
  for (double begun = clock_now(); match && match_next(match, r->p, r->call->json, &game); begun = clock_now()) {
    if (r->tries) trial_game(&r->trial, clock_now() - begun, game.turns);
    r->games++;
    if (game.good) print_accepted(r, game.turns, game.captures);
    if (!game.good) r->faulty |= game.step.faulty;
    if (!game.good) print_refusal(r, game.turns + 1, game.word, &game.step);
    if (!game.good) r->refused++;
    json_decref(game.step.captures);
    json_decref(game.captures);
  }
  free(text);
  if (!match) return call_fail(r->call, EXIT_COULD_NOT, "%s", why);
  match_free(match);
  return EXIT_FINE;
}

/* A byte order mark, blanks, comments: not a game. */
static char *game_of(char *line) {
  if (strncmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3;
  line += strspn(line, " \t\r\n");
  return *line && *line != '#' ? line : NULL;
}

static int run(Replay *r, FILE *file, const char *name) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  const char *why;
  while ((length = file_line(file, &line, &room, &why)) >= 0) {
    if (memchr(line, 0, (size_t)length)) {
      free(line);
      return call_fail(r->call, EXIT_COULD_NOT, "%s is not text", name);
    }
    char *game = game_of(line);
    if (game && r->games == 0 && match_begins(game)) {
      int status = run_match(r, game, file);
      if (status == EXIT_FINE) break;
      free(line);
      return status;
    }
    if (game) play_line(r, game);
    if (ferror(stdout)) break;
  }
  free(line);
  if (length < 0 && why)
    return call_fail(r->call, EXIT_COULD_NOT, "%s cannot be read: %s", name, why);
  if (!r->call->json)
    printf("%lld game%s, %lld refused\n", (long long)r->games, r->games == 1 ? "" : "s",
           (long long)r->refused);
  return r->faulty ? EXIT_COULD_NOT : r->refused ? EXIT_NO : EXIT_FINE;
}

int command_replay(int argc, char **argv) {
  Call call;
  int status;
  if (!call_begin(&call, "replay", OPT_GAME | OPT_BIT(ENGINE), about, 2, 2, argc, argv, &status))
    return status;
  if (!call_open(&call, call.operand[0], &status)) return call_end(&call, status);
  const char *name = call.operand[1];
  bool is_input = strcmp(name, "-") == 0;
  FILE *file = is_input ? stdin : fopen(name, "rb");
  if (!file)
    return call_end(&call, call_fail(&call, EXIT_COULD_NOT, "%s cannot be read: %s", name,
                                     strerror(errno)));
  Replay replay = {
      .call = &call, .x = exchange_new(call.engine), .p = engine_position(call.engine),
      .tries = call_left_to_choose(&call), .trial = {.lister = call.lister, .rules = call.rules}};
  status = run(&replay, file, name);
  trial_end(&replay.trial);
  free(replay.p);
  exchange_free(replay.x);
  if (!is_input) fclose(file);
  return call_end(&call, status);
}
