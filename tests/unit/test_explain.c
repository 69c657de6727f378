#include "unit_load.h"
#include "play/explain.h"

/* What needs more than one call of `tavl why` (tests/explain has those, word for word). */

static Engine *engine;
static Position *p;
static const Rules *rules;
static Reason *reason;
static char why[256];

static int set_up(void **state) {
  (void)state;
  reason = memory_resize(NULL, sizeof *reason);
  return 0;
}

static int end(void **state) {
  memory_resize(reason, 0);
  return tear_down(state);
}

static void open_game(const char *path) {
  rules = load(path);
  engine = engine_new(rules);
  p = engine_position(engine);
  engine_start(engine, p, 0);
}

static void close_game(void) {
  assert_null(engine_complaint(engine));
  free(p);
  engine_free(engine);
}

static void put(const char *kind, int seat, const char *site, int number) {
  int plane = rules->kind[rules_kind(rules, kind)].plane[seat];
  position_add(rules, engine_layout(engine), p, plane, rules_site(rules, site), number);
}

static void set_state(const char *name, int32_t value) {
  for (int i = 0; i < rules->states; i++)
    if (!strcmp(rules->state[i].name, name))
      position_cells(engine_layout(engine), p)[rules->state[i].cell] = value;
}

static void explain(const char *text, bool complete) {
  static Move move;
  if (!move_read(rules, false, text, &move, why, sizeof why)) fail_msg("%s: %s", text, why);
  explain_move(engine, p, &move, complete, reason);
}

static void says(const char *text, const char *expected) {
  char line[1200];
  explain(text, true);
  explain_write(reason, false, line, sizeof line);
  assert_false(reason->legal);
  assert_string_equal(line, expected);
}

static void offers(void **state) {
  (void)state;
  open_game("tests/explain/dice.tavl");
  explain("double", true);
  assert_true(reason->legal);
  assert_string_equal(reason->line[0], "double: may be offered");
  explain("treble = 3", true);
  assert_true(reason->legal);
  says("treble = 2", "treble.choose: … or set at once. 2 is not among the choices: 3, 4");
  says("bar-3", "turn.roll: the dice have not been thrown");
  says("double, bar-3", "double: The stake may be doubled. an offer stands alone, before the steps");
  set_state("refuser", 0);
  says("double", "double.unless: The stake may be doubled. `refuser` is white, as is `mover`");
  set_state("stake", 4);
  says("double", "double.when: The stake may be doubled. `stake` is 4, not less than 4");
  assert_true(engine_set_dice(engine, p, (int[]){4, 3}, 2, why, sizeof why));
  says("double", "double.if: The stake may be doubled. offers are made before the throw");
  close_game();
}

static void ended(void **state) {
  (void)state;
  open_game("tests/explain/board.tavl");
  engine_resign(engine, p, 0);
  says("a2-a3", "the game is over");
  close_game();
}

/* Whole turns and beginnings of turns. */
static void beginnings(void **state) {
  (void)state;
  open_game("tests/explain/dice.tavl");
  assert_true(engine_set_dice(engine, p, (int[]){4, 3}, 2, why, sizeof why));
  explain("bar-4", false);
  assert_true(reason->legal);
  assert_true(reason->beginning);
  explain("bar-4", true);
  assert_false(reason->legal);
  assert_true(explain_says(rules, reason, "turn", CLAUSE_ROLL));
  assert_true(explain_says(rules, reason, "all_dice", CLAUSE_MAXIMIZE));
  assert_string_equal(reason->better, "bar-4 bar-3");
  explain("bar-3 bar-4", true);
  assert_true(reason->legal);
  assert_false(reason->beginning);
  close_game();
}

/* Every rule that refuses is known, the first of them is the reason. */
static void all_refusals(void **state) {
  (void)state;
  open_game("tests/explain/board.tavl");
  put("man", 0, "a1", 1);
  explain("a1-b1", true);
  assert_string_equal(reason->rule_name, "stay_home");
  assert_int_equal(reason->clause, CLAUSE_WHO);
  assert_true(explain_says(rules, reason, "stay_home", CLAUSE_COUNT));
  assert_true(explain_says(rules, reason, "stay_home", CLAUSE_FROM));
  assert_true(explain_says(rules, reason, "stay_home", CLAUSE_WHEN));
  assert_true(explain_says(rules, reason, "no_return", CLAUSE_TO));
  assert_true(explain_says(rules, reason, "no_return", CLAUSE_UNLESS));
  assert_false(explain_says(rules, reason, "no_return", CLAUSE_FROM));
  assert_false(explain_says(rules, reason, "walk", CLAUSE_COUNT));
  assert_true(sites_has(&reason->witness, rules_site(rules, "a1")));
  assert_true(reason->where.file >= 0);
  close_game();
}

/* ---- captures that do not happen ---- */

static Turns only_turn(const char *text, int *found) {
  static Move move;
  assert_true(move_read(rules, false, text, &move, why, sizeof why));
  Turns turns = engine_turns(engine, p);
  *found = move_find(engine, p, &turns, &move);
  if (*found < 0) fail_msg("%s is not legal", text);
  return turns;
}

static void capture_says(const char *text, const char *site, const char *expected) {
  char line[1200];
  int found;
  Mark mark = engine_mark(engine);
  Turns turns = only_turn(text, &found);
  explain_capture(engine, p, &turns.at[found], rules_site(rules, site), reason);
  explain_write(reason, false, line, sizeof line);
  assert_string_equal(line, expected);
  engine_release(engine, mark);
}

static void nearest_capture(void **state) {
  (void)state;
  open_game("tests/explain/board.tavl");
  put("man", 0, "d3", 1);
  put("man", 1, "c2", 1);
  capture_says("d3-d2", "c2",
               "nip.take: A man is taken between two of ours. `friend` is missing: b2 is empty, "
               "not `friend`");
  capture_says("d3-e3", "c2",
               "nip.take: A man is taken between two of ours. c2 is in no `line [ moved, enemy "
               "man as victim, friend ]`");
  capture_says("d3-d2", "c4", "no rule takes anything there: c4 is empty");
  put("man", 0, "b2", 1);
  capture_says("d3-d2", "c2", "nip.take: A man is taken between two of ours.");
  assert_true(reason->legal);
  assert_string_equal(reason->line[0], "nip: takes man of black on c2");
  close_game();
}

static void nearest_capture_by_condition(void **state) {
  (void)state;
  open_game("rules/tafl/tavlei.tavl");
  int found;
  Turns turns = only_turn("d9-d7", &found);
  explain_capture(engine, p, &turns.at[found], rules_site(rules, "e7"), reason);
  assert_false(reason->legal);
  assert_string_equal(reason->rule_name, "defender_taken");
  assert_int_equal(reason->clause, CLAUSE_TAKE);
  close_game();
}

/* Whatever is asked about any pair of squares has an answer, and says legal for what is. */
static void everything(void **state) {
  (void)state;
  static const char *const games[] = {"tests/explain/board.tavl", "rules/tafl/throne-and-bones.tavl"};
  for (int g = 0; g < 2; g++) {
    open_game(games[g]);
    if (g == 0) put("man", 0, "b3", 1);
    if (g == 0) put("king", 0, "c2", 1);
    Turns turns = engine_turns(engine, p);
    int legal = 0, hops = 0, stride = g ? 5 : 1;
    for (int a = 0; a < rules->board.squares; a += stride)
      for (int b = 0; b < rules->board.squares; b++) {
        Move move = {.n = 1};
        move.part[0].rule = move.part[0].kind = move.part[0].takes = -1;
        move.part[0].stops = 2;
        move.part[0].stop[0] = a;
        move.part[0].stop[1] = b;
        explain_move(engine, p, &move, true, reason);
        legal += reason->legal;
        if (!reason->legal) assert_true(reason->detail[0]);
        if (!reason->legal && reason->rule >= 0) assert_true(reason->clause >= 0);
      }
    for (int i = 0; i < turns.n; i++)
      hops += turns.at[i].steps && turns.at[i].step[0].origin >= 0 &&
              turns.at[i].step[0].origin % stride == 0;
    assert_int_equal(legal, hops);
    close_game();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(offers),          cmocka_unit_test(ended),
      cmocka_unit_test(beginnings),      cmocka_unit_test(all_refusals),
      cmocka_unit_test(nearest_capture), cmocka_unit_test(nearest_capture_by_condition),
      cmocka_unit_test(everything),
  };
  return cmocka_run_group_tests(tests, set_up, end);
}
