#include "unit_load.h"
#include "play/notation.h"

static const Rules *board, *dice, *chain;

static int set_up(void **state) {
  (void)state;
  board = load("tests/explain/board.tavl");
  dice = load("tests/explain/dice.tavl");
  chain = load("tests/explain/chain.tavl");
  return 0;
}

static Move move;
static char why[256];

static void reads(const Rules *rules, const char *text) {
  if (!move_read(rules, false, text, &move, why, sizeof why)) fail_msg("%s: %s", text, why);
}

static void refuses(const Rules *rules, const char *text, const char *reason) {
  assert_false(move_read(rules, false, text, &move, why, sizeof why));
  assert_string_equal(why, reason);
}

static int site(const Rules *rules, const char *name) { return rules_site(rules, name); }

static void hops(void **state) {
  (void)state;
  reads(board, "a2-a3");
  assert_int_equal(move.n, 1);
  assert_int_equal(move.part[0].stops, 2);
  assert_int_equal(move.part[0].stop[1], site(board, "a3"));
  assert_int_equal(move.part[0].kind, -1);
  assert_int_equal(move.part[0].takes, -1);
  reads(board, "king a2-b4");
  assert_int_equal(move.part[0].kind, rules_kind(board, "king"));
  reads(dice, "bar/3/7 2-6, 5-8");
  assert_int_equal(move.n, 3);
  assert_int_equal(move.part[0].stops, 3);
  reads(dice, "  8/5*   6/5(2) ");
  assert_int_equal(move.n, 3);
  assert_int_equal(move.part[2].stop[1], site(dice, "5"));
}

static void captures(void **state) {
  (void)state;
  reads(board, "d3-d2xc2xb2");
  assert_int_equal(move.part[0].takes, 2);
  assert_int_equal(move.part[0].take[1], site(board, "b2"));
  reads(board, "d3-d2xc2, a1-a2");
  assert_int_equal(move.n, 2);
}

static void picks(void **state) {
  (void)state;
  reads(board, "ring = 2");
  assert_int_equal(move.part[0].rule, rules_rule(board, "ring"));
  assert_string_equal(move.part[0].chosen, "2");
  reads(board, "ring=1");
  assert_string_equal(move.part[0].chosen, "1");
  reads(dice, "double");
  assert_int_equal(move.part[0].chosen_n, 0);
}

static void passes(void **state) {
  (void)state;
  reads(board, "pass");
  assert_int_equal(move.n, 0);
  refuses(board, "pass a1-a2", "nothing can follow `pass`");
}

static void mistakes(void **state) {
  (void)state;
  refuses(board, "", "a move is missing (`pass` if nothing can be done)");
  refuses(board, "a2-a9", "there is no site `a9` here");
  refuses(board, "a2-", "the move breaks off: a site is missing at its end");
  refuses(board, "a2-?", "a site was expected at `?`");
  refuses(board, "a2", "a move goes from one site to another, as in `a2-a1`");
  refuses(board, "rign = 1", "`rign` is no site, piece or choice here; did you mean `ring`?");
  refuses(board, "ring =", "a value was expected after `ring =`");
  refuses(board, "a2-a3,", "a move is missing after the comma");
  refuses(board, "a2-a3!", "`!` cannot follow a move; parts stand apart by spaces or commas");
  refuses(dice, "8/5(0)", "`(` after a move wants a small number and `)`, as in `(2)`");
  refuses(dice, "8/5(2", "`(` after a move wants a small number and `)`, as in `(2)`");
  char text[2000] = "1";
  for (int i = 0; i < 100; i++) strcat(text, "-2");
  refuses(dice, text, "a chain has at most 64 stops");
  text[0] = 0;
  for (int i = 0; i < 40; i++) strcat(text, "1-2 ");
  refuses(dice, text, "a move has at most 32 parts");
}

/* Whatever bytes come, reading ends with an answer. */
static void noise(void **state) {
  (void)state;
  unsigned seed = 7;
  static const char alphabet[] = "a1b2-/x,*( )=pass king ring 24\xD0\xB6";
  for (int i = 0; i < 20000; i++) {
    char text[40];
    size_t n = 0;
    for (; n < sizeof text - 1; n++) {
      seed = seed * 1103515245u + 12345u;
      text[n] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
    }
    text[n] = 0;
    move_read(board, false, text, &move, why, sizeof why);
    assert_true(move.n <= MOVE_PARTS_MAX);
  }
}

/* Every legal turn, written and read again, is that turn. */
static void comes_back(const Rules *rules, Engine *engine, const Position *p) {
  Turns turns = engine_turns(engine, p);
  for (int i = 0; i < turns.n; i++) {
    char text[MOVE_TEXT_MAX];
    turn_write(rules, engine_layout(engine), p, &turns.at[i], text, sizeof text);
    reads(rules, text);
    int found = move_find(engine, p, &turns, &move);
    if (found != i) fail_msg("%s is turn %d, found as %d", text, i, found);
  }
}

static void round_trip(void **state) {
  (void)state;
  const Rules *all[] = {board, chain, load("rules/tafl/tavlei.tavl")};
  for (int g = 0; g < 3; g++) {
    Engine *engine = engine_new(all[g]);
    Position *p = engine_position(engine);
    engine_start(engine, p, 0);
    for (int turn = 0; turn < 10 && p->stage != STAGE_ENDED; turn++) {
      Mark mark = engine_mark(engine);
      comes_back(all[g], engine, p);
      Turns turns = engine_turns(engine, p);
      position_copy(p, turns.at[(turn * 7) % turns.n].after);
      engine_release(engine, mark);
    }
    free(p);
    engine_free(engine);
  }
}

static void round_trip_with_dice(void **state) {
  (void)state;
  const Rules *all[] = {dice, load("rules/nordic/nordy-loki.tavl")};
  for (int g = 0; g < 2; g++) {
    Engine *engine = engine_new(all[g]);
    Position *p = engine_position(engine);
    engine_start(engine, p, 0);
    for (int turn = 0; turn < 6 && p->stage != STAGE_ENDED; turn++) {
      Mark mark = engine_mark(engine);
      int n;
      int64_t total;
      const Roll *rolls = engine_rolls(engine, p, &n, &total);
      Roll roll = rolls[(turn * 5 + 3) % n];
      assert_true(engine_set_dice(engine, p, roll.face, roll.n, why, sizeof why));
      comes_back(all[g], engine, p);
      Turns turns = engine_turns(engine, p);
      position_copy(p, turns.at[(turn * 7) % turns.n].after);
      engine_release(engine, mark);
    }
    free(p);
    engine_free(engine);
  }
}

/* A stop may be left out where that can mean only one thing. */
static void left_out(void **state) {
  (void)state;
  Engine *engine = engine_new(dice);
  Position *p = engine_position(engine);
  engine_start(engine, p, 0);
  assert_true(engine_set_dice(engine, p, (int[]){6, 5}, 2, why, sizeof why));
  Turns turns = engine_turns(engine, p);
  reads(dice, "bar-6 bar-5");
  int whole = move_find(engine, p, &turns, &move);
  assert_true(whole >= 0);
  reads(dice, "bar-5, bar-6");
  assert_int_equal(move_find(engine, p, &turns, &move), whole);
  reads(dice, "bar-11");
  assert_int_equal(move_find(engine, p, &turns, &move), -1); /* others wait on the bar */
  free(p);
  engine_free(engine);
}

static void compares_captures(void **state) {
  (void)state;
  Captured taken[] = {{(int16_t)site(board, "c2"), 0, 1, 0, 0}};
  Turn turn = {NULL, 1, taken, 1, NULL};
  SiteSet missing, surplus;
  reads(board, "d3-d2");
  assert_true(move_captures(&move, &turn, &missing, &surplus));
  reads(board, "d3-d2xc2");
  assert_true(move_captures(&move, &turn, &missing, &surplus));
  reads(board, "d3-d2xb2");
  assert_false(move_captures(&move, &turn, &missing, &surplus));
  assert_int_equal(sites_first(&missing), site(board, "b2"));
  assert_int_equal(sites_first(&surplus), site(board, "c2"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hops),          cmocka_unit_test(captures),
      cmocka_unit_test(picks),         cmocka_unit_test(passes),
      cmocka_unit_test(mistakes),      cmocka_unit_test(noise),
      cmocka_unit_test(round_trip),    cmocka_unit_test(round_trip_with_dice),
      cmocka_unit_test(left_out),      cmocka_unit_test(compares_captures),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
