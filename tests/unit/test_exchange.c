/* Positions as JSON: what is read, what is refused and with which words, and that what is
 * written reads back as the same position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "face/exchange.h"
#include "front/load.h"
#include "mind/chance.h"

typedef struct Table { /* a game on the table */
  Loading *loading;
  const Rules *rules;
  Engine *engine;
  Exchange *x;
  Position *p;
  char why[512];
} Table;

static Table open_table(const char *game) {
  Table t = {.loading = loading_new(".")};
  assert_int_equal(load_game(t.loading, game, NULL, 0, false, &t.rules), LOAD_OK);
  t.engine = engine_new(t.rules);
  t.x = exchange_new(t.engine);
  t.p = engine_position(t.engine);
  return t;
}

static void close_table(Table *t) {
  free(t->p);
  exchange_free(t->x);
  engine_free(t->engine);
  loading_free(t->loading);
}

static bool reads(Table *t, const char *text) {
  t->why[0] = 0;
  return exchange_read_text(t->x, text, strlen(text), t->p, t->why, sizeof t->why);
}

static void refuses(Table *t, const char *text, const char *words) {
  if (reads(t, text)) fail_msg("accepted: %s", text);
  if (!strstr(t->why, words)) fail_msg("%s\n  says: %s\n  not:  %s", text, t->why, words);
}

static void board_positions_are_refused_with_reasons(void **state) {
  (void)state;
  Table t = open_table("tavlei");
  assert_true(reads(
      &t, "{\"to_move\":\"defenders\",\"pieces\":{\"king of defenders\":{\"e5\":1}}}"));
  refuses(&t, "{", "not JSON: line 1");
  refuses(&t, "[]", "is a JSON object");
  refuses(&t, "{\"pieces\":{}}", "`to_move` is missing");
  refuses(&t, "{\"to_move\":\"attackers\"}", "`pieces` is missing");
  refuses(&t, "{\"to_move\":\"atackers\",\"pieces\":{}}", "did you mean `attackers`?");
  refuses(&t, "{\"to_move\":\"attackers\",\"pieces\":{},\"moves\":1}",
          "no field `moves`");
  refuses(&t, "{\"to_move\":\"attackers\",\"pieces\":{}}",
          "the king of defenders is missing");
  refuses(&t, "{\"to_move\":\"attackers\",\"pieces\":{\"kign of defenders\":{}}}",
          "did you mean `king`?");
  refuses(&t, "{\"to_move\":\"attackers\",\"pieces\":{\"king\":{}}}",
          "pieces are named like");
  refuses(&t, "{\"to_move\":\"attackers\",\"pieces\":{\"king of attackers\":{}}}",
          "has no king");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of defenders\":{\"Z99\":1}}}",
          "no site `Z99`");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of "
          "defenders\":{\"e5\":1,\"e6\":1}}}",
          "there are 2 king of defenders");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of defenders\":{\"e5\":1},\"man "
          "of attackers\":{\"e5\":1}}}",
          "room for one");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of "
          "defenders\":{\"e5\":1,\"e5\":1}}}",
          "duplicate");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of defenders\":{\"e5\":-1}}}",
          "negative");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of defenders\":{\"e5\":1.0}}}",
          "whole number");
  refuses(&t,
          "{\"to_move\":\"attackers\",\"pieces\":{\"king of "
          "defenders\":{\"e5\":4000000000}}}",
          "too large");
  refuses(&t,
          "{\"to_move\":\"defenders\",\"pieces\":{\"king of "
          "defenders\":{\"e5\":1}},\"dice\":[1]}",
          "no dice");
  assert_true(reads(&t, "{\"to_move\":null,\"pieces\":{}}"));
  assert_int_equal(t.p->stage, STAGE_ENDED);
  close_table(&t);
}

static void counts_of_a_dice_game_are_checked(void **state) {
  (void)state;
  Table t = open_table("hypernardy");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{\"checker of white\":{\"24\":4}}}",
          "white has 4 pieces, and the game has 3");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"dice\":[6,0]}", "0");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"dice\":[6,6,6]}",
          "3 numbers given");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"dice\":\"6,3\"}",
          "list of numbers");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"state\":{\"stake\":3000000000}}",
          "stake");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"state\":{\"stake\":\"two\"}}",
          "whole number");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"state\":{\"holder\":\"whit\"}}",
          "did you mean `white`?");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"state\":{\"stack\":2}}",
          "did you mean `stake`?");
  refuses(&t, "{\"to_move\":\"white\",\"pieces\":{},\"state\":{\"turns\":2}}",
          "turns of white");
  assert_true(reads(&t,
                    "{\"to_move\":\"white\",\"pieces\":{\"checker of "
                    "white\":{\"bar\":1}},\"dice\":[6,3],"
                    "\"state\":{\"stake\":8,\"holder\":\"nobody\",\"turn_count\":9}}"));
  assert_true(t.p->rolled);
  assert_int_equal(t.p->turn_count, 9);
  close_table(&t);
}

static void states_are_read_by_synonyms_too(void **state) {
  (void)state;
  Table t = open_table("nordy-loki");
  assert_true(reads(&t,
                    "{\"to_move\":\"red\",\"pieces\":{\"konung of "
                    "red\":{\"kenaz\":1},\"konung of blue\":{\"hand\":1}},"
                    "\"state\":{\"ship of kenaz\":\"ghost\",\"lives of red\":6}}"));
  json_t *json = exchange_position(t.x, t.p);
  const json_t *states = json_object_get(json, "state");
  assert_string_equal(json_string_value(json_object_get(states, "ship of kenaz")),
                      "ghost");
  assert_int_equal(json_integer_value(json_object_get(states, "lives of red")), 6);
  json_decref(json);
  refuses(&t, "{\"to_move\":\"red\",\"pieces\":{},\"state\":{\"ship\":\"ghost\"}}",
          "of whom?");
  refuses(&t,
          "{\"to_move\":\"red\",\"pieces\":{},\"state\":{\"ship of oden\":\"ghost\"}}",
          "no site `oden`");
  refuses(&t, "{\"to_move\":\"red\",\"pieces\":{},\"state\":{\"lives of red\":8}}",
          "from 0 to 7");
  refuses(&t, "{\"to_move\":\"green\",\"pieces\":{}}", "green does not play");
  refuses(&t, "{\"to_move\":\"red\",\"pieces\":{\"konung of red\":{\"1\":1,\"2\":1}}}",
          "only one");
  close_table(&t);
}

/* Every position of random games reads back as the same one, and writes the same text. */
static void what_is_written_reads_back(void **state) {
  (void)state;
  static const char *const games[] = {"tavlei", "throne-and-bones", "hypernardy",
                                      "long-nardy", "nordy-loki"};
  for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
    Table t = open_table(games[g]);
    Position *back = engine_position(t.engine);
    Position *now = engine_position(t.engine);
    Rng rng = rng_for(99, g);
    engine_start(t.engine, now, chance_first(t.engine, &rng));
    for (int turn = 0; turn < 60 && now->stage != STAGE_ENDED; turn++) {
      json_t *json = exchange_position(t.x, now);
      assert_true(exchange_read(t.x, json, back, t.why, sizeof t.why));
      assert_true(position_same(t.rules, engine_layout(t.engine), now, back));
      json_t *again = exchange_position(t.x, back);
      assert_true(json_equal(json, again));
      json_decref(json);
      json_decref(again);
      if (engine_needs_dice(t.engine, now))
        assert_true(chance_throw(t.engine, now, &rng, NULL, t.why, sizeof t.why));
      Mark mark = engine_mark(t.engine);
      Turns turns = engine_turns(t.engine, now);
      position_copy(now, turns.at[rng_below(&rng, (uint32_t)turns.n)].after);
      engine_release(t.engine, mark);
    }
    free(back);
    free(now);
    close_table(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(board_positions_are_refused_with_reasons),
      cmocka_unit_test(counts_of_a_dice_game_are_checked),
      cmocka_unit_test(states_are_read_by_synonyms_too),
      cmocka_unit_test(what_is_written_reads_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
