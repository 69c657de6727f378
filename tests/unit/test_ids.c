/* IDs of positions: the bits by themselves, the shape of games, round trips, refusals. */
#include "unit.h"

#include "base/rng.h"
#include "front/load.h"
#include "play/engine.h"
#include "study/ids.h"

static IdPosition read_id(const char *text) {
  IdPosition id;
  char why[256] = "";
  if (!ids_read(text, &id, why, sizeof why)) fail_msg("%s: %s", text, why);
  return id;
}

static void refused(const char *text, const char *words) {
  IdPosition id;
  char why[256] = "";
  if (ids_read(text, &id, why, sizeof why)) fail_msg("accepted: %s", text);
  if (!strstr(why, words)) fail_msg("%s\n  says: %s\n  not:  %s", text, why, words);
}

/* The example of gnubg's manual, and the first position of every game. */
static void the_start(void **state) {
  (void)state;
  IdPosition id = read_id("4HPwATDgc/ABMA");
  for (int seat = 0; seat < 2; seat++) {
    assert_int_equal(id.count[seat][5], 5);
    assert_int_equal(id.count[seat][7], 3);
    assert_int_equal(id.count[seat][12], 5);
    assert_int_equal(id.count[seat][23], 2);
    assert_int_equal(id.count[seat][24], 0);
  }
  assert_int_equal(id.mover, 0);
  assert_int_equal(id.holder, -1);
  char text[ID_POSITION_LENGTH + 1], match[ID_MATCH_LENGTH + 1], xg[ID_XG_ROOM];
  ids_write_position(&id, text);
  ids_write_match(&id, match);
  ids_write_xg(&id, xg);
  assert_string_equal(text, "4HPwATDgc/ABMA");
  assert_string_equal(match, "cAkAAAAAAAAA");
  assert_string_equal(xg, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
}

/* The example of the manual's description of the match ID: a 9 point match, 2-4, player 0
 * on roll has thrown 52 and the stake of 2 is his. */
static void the_manual_match(void **state) {
  (void)state;
  IdPosition id = read_id("4HPwATDgc/ABMA:QYkqASAAIAAA");
  assert_int_equal(id.stake_power, 1);
  assert_int_equal(id.holder, 1);
  assert_int_equal(id.mover, 0);
  assert_int_equal(id.dice[0], 5);
  assert_int_equal(id.dice[1], 2);
  assert_int_equal(id.length, 9);
  assert_int_equal(id.score[1], 2);
  assert_int_equal(id.score[0], 4);
  char match[ID_MATCH_LENGTH + 1];
  ids_write_match(&id, match);
  assert_string_equal(match, "QYkqASAAIAAA");
}

static IdPosition anything(Rng *rng) {
  IdPosition id = {.mover = (int)rng_below(rng, 2), .holder = (int)rng_below(rng, 3) - 1};
  for (int seat = 0; seat < 2; seat++) {
    int pieces = (int)rng_below(rng, 16);
    for (int i = 0; i < pieces; i++) id.count[seat][rng_below(rng, ID_PLACES)]++;
  }
  /* an XGID has one letter for a place */
  for (int n = 0; n < ID_POINTS; n++)
    if (id.count[0][n]) id.count[1][ID_POINTS - 1 - n] = 0;
  if (rng_below(rng, 2))
    for (int i = 0; i < 2; i++) id.dice[i] = 1 + (int)rng_below(rng, 6);
  if (id.dice[0] < id.dice[1]) {
    int die = id.dice[0];
    id.dice[0] = id.dice[1];
    id.dice[1] = die;
  }
  id.stake_power = (int)rng_below(rng, 7);
  id.length = (int)rng_below(rng, 30);
  for (int seat = 0; seat < 2; seat++) id.score[seat] = (int)rng_below(rng, 30);
  return id;
}

static void same(const IdPosition *a, const IdPosition *b) {
  assert_memory_equal(a->count, b->count, sizeof a->count);
  assert_memory_equal(a->dice, b->dice, sizeof a->dice);
  assert_memory_equal(a->score, b->score, sizeof a->score);
  assert_int_equal(a->mover, b->mover);
  assert_int_equal(a->stake_power, b->stake_power);
  assert_int_equal(a->holder, b->holder);
  assert_int_equal(a->length, b->length);
}

static void what_is_written_is_read(void **state) {
  (void)state;
  Rng rng = rng_for(20261130, 0);
  for (int i = 0; i < 20000; i++) {
    IdPosition id = anything(&rng);
    char text[64] = "id:", xg[ID_XG_ROOM];
    ids_write_position(&id, text + 3);
    text[3 + ID_POSITION_LENGTH] = ':';
    ids_write_match(&id, text + 4 + ID_POSITION_LENGTH);
    IdPosition again = read_id(text);
    same(&id, &again);
    ids_write_xg(&id, xg);
    again = read_id(xg);
    same(&id, &again);
  }
}

/* Every text of the right length is read or refused; what is read writes the same text.
 */
static void any_text(void **state) {
  (void)state;
  static const char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Rng rng = rng_for(7, 7);
  for (int i = 0; i < 20000; i++) {
    char text[ID_POSITION_LENGTH + 1], again[ID_POSITION_LENGTH + 1], why[256];
    for (int k = 0; k < ID_POSITION_LENGTH; k++)
      text[k] = rng_below(&rng, 3) ? 'A' : letters[rng_below(&rng, 64)];
    text[ID_POSITION_LENGTH] = 0;
    IdPosition id;
    if (!ids_read(text, &id, why, sizeof why)) continue;
    ids_write_position(&id, again);
    assert_string_equal(again, text);
  }
}

static void malformed(void **state) {
  (void)state;
  refused("", "has 14 characters");
  refused("4HPwATDgc/ABMAA", "has 15");
  refused("4HPwATDgc/ABMA:", "has 12 characters");
  refused("4HPwATDgc/AB.A", "character 13");
  refused("4HPwATDgc/ABMA:AAAAAAAAAAAI", "goes on after the score");
  refused("4HPwATDgc/ABMA:IAkAAAAAAAAA", "not number 2");
  refused("4HPwATDgc/ABMA:cAEAAAAAAAAA", "nothing to be decided");
  refused("4HPwATDgc/ABMA:cIkBAAAAAAAA", "is no throw");
  refused("XGID=", "has 1");
  refused("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:99", "largest stake");
  refused("XGID=-b----E-C---eE---c-e----B-::0:1:00:0:0:0:0:10", "power of the stake");
  refused("XGID=-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10", "holder");
}

static bool has_shape(const char *game, char *why, size_t room) {
  Loading *loading = loading_new(".");
  const Rules *rules;
  IdShape shape;
  assert_int_equal(load_game(loading, game, NULL, 0, false, &rules), LOAD_OK);
  bool has = ids_shape(rules, &shape, why, room);
  loading_free(loading);
  return has;
}

static void games_with_ids(void **state) {
  (void)state;
  char why[256] = "";
  assert_true(has_shape("backgammon", why, sizeof why));
  assert_true(has_shape("nackgammon", why, sizeof why));
  assert_true(has_shape("hypernardy", why, sizeof why));
  assert_false(has_shape("long-nardy", why, sizeof why));
  assert_non_null(strstr(why, "a pocket to enter from"));
  assert_false(has_shape("tavlei", why, sizeof why));
  assert_false(has_shape("nordy-loki", why, sizeof why));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_start),
      cmocka_unit_test(the_manual_match),
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(any_text),
      cmocka_unit_test(malformed),
      cmocka_unit_test(games_with_ids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
