/* Random play with self-check: the input chooses a game and then a turn after a turn; after
 * each the position checks itself, and every listed turn is taken apart into single steps that
 * the engine must allow. Nothing may crash, hang or leave a position that contradicts itself. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "front/load.h"
#include "play/engine.h"

enum { GAMES_MOST = 64, TURNS_EACH = 60 };

static const Rules *game[GAMES_MOST];
static Engine *engine[GAMES_MOST];
static int games;

static void load_all(void) {
  Loading *loading = loading_new(NULL);
  int n;
  const char *const *name = loading_games(loading, &n);
  for (int i = 0; i < n && games < GAMES_MOST; i++)
    if (load_game(loading, name[i], NULL, 0, false, &game[games]) == LOAD_OK) {
      engine[games] = engine_new(game[games]);
      games++;
    }
}

static void must_hold(const Rules *rules, Engine *e, const Position *p) {
  char why[128];
  if (position_check(rules, engine_layout(e), p, why, sizeof why)) return;
  fprintf(stderr, "%s: %s\n", rules->title, why);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!games) load_all();
  if (size < 2 || !games) return 0;
  int g = data[0] % games;
  const Rules *rules = game[g];
  Engine *e = engine[g];
  Position *p = engine_position(e);
  int first = engine_first(e);
  engine_start(e, p, first < 0 ? data[1] % rules->seats : first);
  size_t at = 2;
  for (int t = 0; t < TURNS_EACH && at + 1 < size && p->stage == STAGE_TURN; t++) {
    must_hold(rules, e, p);
    Mark mark = engine_mark(e);
    if (engine_needs_dice(e, p)) {
      int n;
      int64_t total;
      const Roll *roll = engine_rolls(e, p, &n, &total);
      if (n == 0) break;
      Roll r = roll[data[at++] % n];
      char why[128];
      if (!engine_set_dice(e, p, r.face, r.n, why, sizeof why)) abort();
    }
    Turns turns = engine_turns(e, p);
    if (turns.n == 0) abort();
    const Turn *turn = &turns.at[(data[at] * 256u + (at + 1 < size ? data[at + 1] : 0)) % (unsigned)turns.n];
    at += 2;
    must_hold(rules, e, turn->after);
    position_copy(p, turn->after);
    engine_push(e, p);
    engine_release(e, mark);
    if (engine_complaint(e)) break;
  }
  free(p);
  return 0;
}
