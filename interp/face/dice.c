/* tavl dice: recomputes what fell in a saved game. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "face/call.h"
#include "face/commit.h"
#include "face/exchange.h"
#include "face/game.h"
#include "face/record.h"
#include "mind/chance.h"

static const char about[] =
    "  tavl dice verify GAME FILE [COMMITMENT]\n\n"
    "Recomputes every throw of a game that `tavl play --save FILE` has written, from the "
    "seed or\n"
    "the secret seed in its header, and compares it with the record. With the COMMITMENT "
    "that was\n"
    "printed before the game it also checks that the secret is the one promised: a "
    "BLAKE2b hash\n"
    "of the secret under the key \"tavl promise of dice\". Exit 1 if something differs.";

typedef struct Saved { /* what the file of a game says */
  char secret[COMMIT_SECRET];
  bool has_seed;
  uint64_t seed;
  char *line; /* of the turns; in the text of the file */
} Saved;

static void read_header(const char *line, Saved *saved) {
  if (strncmp(line, "# secret: ", 10) == 0) {
    snprintf(saved->secret, sizeof saved->secret, "%s", line + 10);
    saved->seed = commit_seed(saved->secret);
    saved->has_seed = true;
  } else if (strncmp(line, "# seed: ", 8) == 0) {
    int64_t seed;
    saved->has_seed = text_number(line + 8, 0, INT64_MAX, &seed);
    if (saved->has_seed) saved->seed = (uint64_t)seed;
  }
}

static void read_saved(char *text, Saved *saved) {
  char *rest;
  for (char *line = strtok_r(text, "\r\n", &rest); line;
       line = strtok_r(NULL, "\r\n", &rest)) {
    if (*line == '#')
      read_header(line, saved);
    else if (!saved->line && line[strspn(line, " \t")])
      saved->line = line;
  }
}

/* Whether a word of the record begins with these dice. */
static bool same_dice(const char *word, const char *dice) {
  const char *equals = strchr(word, '=');
  const char *colon = strchr(word, ':');
  if (equals && colon && equals < colon) word = equals + 1;
  return strncmp(word, dice, strlen(dice)) == 0;
}

/* Compares one throw; false if the record says another. */
static bool compare(const Call *call, const Position *p, Rng *rng, const char *word,
                    int turn) {
  char why[256], dice[64];
  Position *thrown = engine_position(call->engine);
  position_copy(thrown, p);
  bool good = chance_throw(call->engine, thrown, rng, NULL, why, sizeof why);
  if (good) {
    game_dice_word(thrown, dice, sizeof dice);
    good = same_dice(word, dice);
    if (!good) call_say(stdout, "turn %d: %.60s is in the record, and %s fell", turn, word, dice);
  } else {
    call_say(stdout, "turn %d: %s", turn, why);
  }
  free(thrown);
  return good;
}

static int verify_turns(const Call *call, Exchange *x, const Saved *saved) {
  Rng rng = rng_for(saved->seed, 0);
  Position *p = engine_position(call->engine);
  int first = chance_first(call->engine, &rng);
  engine_start(call->engine, p, first);
  int turn = 0, status = EXIT_FINE;
  char *rest;
  bool begins = true;
  for (char *word = strtok_r(saved->line, " \t", &rest); word && status == EXIT_FINE;
       word = strtok_r(NULL, " \t", &rest)) {
    RecordStep step;
    bool offer =
        strstr(word, ":accept") || strstr(word, ":decline") || strstr(word, "resign");
    if (!offer && engine_needs_dice(call->engine, p) &&
        !compare(call, p, &rng, word, ++turn)) {
      status = EXIT_NO;
    } else if (!record_play(call, x, p, word, begins, false, &step)) {
      call_say(stdout, "turn %d: %.60s: %s", turn, word, step.why);
      status = EXIT_NO;
    } else if (begins && engine_first(call->engine) < 0) {
      const char *name = call->rules->player[first];
      if (strncmp(word, name, strlen(name)) != 0 || word[strlen(name)] != '=') {
        call_say(stdout, "the lot fell on %s, and the record begins with %.60s", name,
                 word);
        status = EXIT_NO;
      }
    }
    begins = false;
  }
  if (status == EXIT_FINE) printf("%d throw%s as recorded\n", turn, turn == 1 ? "" : "s");
  free(p);
  return status;
}

static int verify_promise(const Saved *saved, const char *promise) {
  char own[COMMIT_PROMISE];
  if (!saved->secret[0]) {
    printf("the file holds no secret seed to compare the commitment with\n");
    return EXIT_NO;
  }
  commit_promise(saved->secret, own);
  bool same = strcmp(own, promise) == 0;
  printf("the secret seed is %s one promised\n", same ? "the" : "not the");
  return same ? EXIT_FINE : EXIT_NO;
}

static int verify(const Call *call) {
  size_t length;
  const char *why;
  char *text = file_read(call->operand[2], 1 << 24, &length, &why);
  if (!text)
    return call_fail(call, EXIT_COULD_NOT, "%s cannot be read: %s", call->operand[2],
                     why);
  Saved saved = {.has_seed = false};
  read_saved(text, &saved);
  int status;
  if (!saved.line || !saved.has_seed) {
    status = call_fail(call, EXIT_COULD_NOT, "%s holds no %s", call->operand[2],
                       saved.line ? "seed" : "game");
  } else {
    status = call->n > 3 ? verify_promise(&saved, call->operand[3]) : EXIT_FINE;
    Exchange *x = exchange_new(call->engine);
    int turns = verify_turns(call, x, &saved);
    if (turns > status) status = turns;
    exchange_free(x);
  }
  memory_resize(text, 0);
  return status;
}

int command_dice(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_BIT(HELP) | OPT_BIT(SET) | OPT_BIT(LANG);
  if (!call_begin(&call, "dice", options, about, 3, 4, argc, argv, &status))
    return status;
  if (strcmp(call.operand[0], "verify") != 0)
    return call_fail(&call, EXIT_COULD_NOT, "dice: there is `verify`, not `%s`",
                     call.operand[0]);
  if (!call_load(&call, call.operand[1], &status)) return call_end(&call, status);
  return call_end(&call, verify(&call));
}
