/* The record of a game being played; undo, save, load. */
#include "face/game.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "face/match.h"
#include "face/record.h"

static void forget(Game *game, size_t keep) {
  while (game->entry.n > keep) {
    GameEntry *entry = &game->entry.at[--game->entry.n];
    free(entry->before);
    memory_resize(entry->word, 0);
  }
}

void game_start(Game *game, int seat) {
  forget(game, 0);
  engine_start(game->engine, game->p, seat);
  game->starter = seat;
  game->turns = 0;
}

void game_free(Game *game) {
  forget(game, 0);
  VEC_FREE(game->entry);
  free(game->p);
}

void game_note(Game *game, const char *word, const Position *before) {
  GameEntry entry = {
      .before = engine_position(game->engine), .rng = game->rng, .turns = game->turns};
  position_copy(entry.before, before);
  entry.word = memory_resize(NULL, strlen(word) + 1);
  char *to = entry.word;
  for (const char *from = word; *from; from++) { /* a word of a record has no blanks */
    bool beside = from > word && (from[-1] == '=' || from[-1] == ',');
    if (*from == ' ' && (from[1] == '=' || beside)) continue;
    *to++ = *from == ' ' ? ',' : *from;
  }
  *to = 0;
  VEC_PUSH(game->entry, entry);
}

void game_stands(Game *game) {
  if (game->p->stage == STAGE_ENDED || game->entry.n == 0) return;
  engine_push(game->engine, game->p);
  game->entry.at[game->entry.n - 1].pushed = true;
}

bool game_undo(Game *game) {
  size_t at = game->entry.n;
  while (at > 0) {
    int mover = game->entry.at[at - 1].before->mover;
    at--;
    if (mover >= 0 && !game->player[mover]) break;
    if (at == 0) return false;
  }
  if (at == game->entry.n) return false;
  for (size_t i = game->entry.n; i > at; i--)
    if (game->entry.at[i - 1].pushed) engine_pop(game->engine);
  game->turns = game->entry.at[at].turns;
  position_copy(game->p, game->entry.at[at].before);
  game->rng = game->entry.at[at].rng;
  forget(game, at);
  return true;
}

void game_dice_word(const Position *p, char *text, size_t room) {
  size_t n = 0;
  *text = 0;
  for (int i = 0; p->rolled && i < p->thrown_n && n + 8 < room; i++)
    n += (size_t)snprintf(text + n, room - n, "%s%d", i ? "," : "", p->thrown[i]);
  if (n) snprintf(text + n, room - n, ":");
}

char *game_record(const Game *game) {
  char *text = NULL, *copy;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  fprintf(out, "# game: %s\n", game->rules->title);
  for (int i = 0; i < game->call->settings; i++)
    fprintf(out, "# option: %s=%s\n", game->call->setting[i].name,
            game->call->setting[i].value);
  if (game->secret[0])
    fprintf(out, "# secret: %s\n", game->secret);
  else if (!game->typed)
    fprintf(out, "# seed: %llu\n", (unsigned long long)game->seed);
  for (size_t i = 0; i < game->entry.n; i++) {
    if (i) fputc(' ', out);
    if (i == 0 && game->lot) fprintf(out, "%s=", game->rules->player[game->starter]);
    fputs(game->entry.at[i].word, out);
  }
  fputc('\n', out);
  fclose(out);
  copy = memory_resize(NULL, length + 1);
  memcpy(copy, text, length + 1);
  free(text);
  return copy;
}

bool game_save(const Game *game, const char *path, char *why, size_t room) {
  const char *dot = strrchr(path, '.');
  bool as_match = dot && strcmp(dot, ".mat") == 0;
  snprintf(why, room, "out of memory");
  char *text = as_match ? match_write(game, why, room) : game_record(game);
  if (!text) return false;
  bool good = file_write(path, text, strlen(text));
  if (!good) snprintf(why, room, "%s", strerror(errno));
  memory_resize(text, 0);
  return good;
}

/* ---- loading ---- */

/* The first line that is a game; checks the header's game on the way. */
static char *find_game(const Game *game, char *text, char *why, size_t room) {
  char *rest;
  for (char *line = strtok_r(text, "\r\n", &rest); line;
       line = strtok_r(NULL, "\r\n", &rest)) {
    if (strncmp(line, "# game: ", 8) == 0 && strcmp(line + 8, game->rules->title) != 0) {
      snprintf(why, room, "it is a game of %.100s", line + 8);
      return NULL;
    }
    if (*line != '#' && line[strspn(line, " \t")]) return line;
  }
  snprintf(why, room, "there is no game in it");
  return NULL;
}

static bool play_words(Game *game, char *line, char *why, size_t room) {
  char *rest;
  bool first = true;
  Position *before = engine_position(game->engine);
  bool good = true;
  for (char *word = strtok_r(line, " \t", &rest); word && good;
       word = strtok_r(NULL, " \t", &rest)) {
    RecordStep step;
    position_copy(before, game->p);
    good = record_play(game->call, game->x, game->p, word, first, false, &step);
    if (!good) {
      snprintf(why, room, "%.60s: %.400s", word, step.why);
      break;
    }
    const char *equals = first ? strchr(word, '=') : NULL;
    for (int s = 0; equals && s < game->rules->seats; s++)
      if (strlen(game->rules->player[s]) == (size_t)(equals - word) &&
          strncmp(word, game->rules->player[s], (size_t)(equals - word)) == 0) {
        game->starter = s;
        word = word + (equals - word) + 1;
        engine_start(game->engine, before, s);
        if (game->p->stage != STAGE_ENDED && step.kind == RECORD_TURN)
          engine_push(game->engine, game->p);
        break;
      }
    game_note(game, word, before);
    if (step.kind == RECORD_TURN) {
      game->turns++;
      game->entry.at[game->entry.n - 1].pushed = game->p->stage != STAGE_ENDED;
    }
    first = false;
  }
  free(before);
  return good;
}

bool game_load(Game *game, const char *path, char *why, size_t room) {
  size_t length;
  const char *problem;
  char *text = file_read(path, 1 << 24, &length, &problem);
  if (!text) {
    snprintf(why, room, "%s", problem);
    return false;
  }
  char *old = game_record(game); /* to go back to */
  char *line = find_game(game, text, why, room);
  bool good = line != NULL;
  if (good) {
    record_start(game->engine, game->p);
    game_start(game, game->p->mover);
    good = play_words(game, line, why, room);
  }
  if (!good && line && old) {
    char lost[64];
    char *last = strrchr(old, '\n');
    if (last) *last = 0;
    last = strrchr(old, '\n');
    record_start(game->engine, game->p);
    game_start(game, game->p->mover);
    play_words(game, last ? last + 1 : old, lost, sizeof lost);
  }
  memory_resize(old, 0);
  memory_resize(text, 0);
  return good;
}
