#include "unit_load.h"
#include "study/scenario.h"

#define FILE_NAME "tests/scenario/fails.tavl"

static const Rules *rules;

static int set_up(void **state) {
  (void)state;
  rules = load(FILE_NAME);
  return 0;
}

static ScenarioResult result;

static void run(const char *title) {
  for (int i = 0; i < rules->scenarios; i++)
    if (!strcmp(rules->scenario[i].title, title)) {
      scenario_run(loading, rules, i, NULL, 0, NULL, &result);
      return;
    }
  fail_msg("there is no scenario %s", title);
}

static void fails(const char *title, const char *at, const char *message) {
  run(title);
  assert_false(result.ok);
  assert_string_equal(result.message, message);
  const Source *source = &loading_sources(loading)->at[result.where.file];
  assert_memory_equal(source->text + result.where.start, at, strlen(at));
}

static void those_that_pass(void **state) {
  (void)state;
  int n = 0;
  for (int i = 0; i < rules->scenarios; i++) {
    if (strncmp(rules->scenario[i].title, "passes", 6)) continue;
    scenario_run(loading, rules, i, NULL, 0, NULL, &result);
    if (!result.ok) fail_msg("%s: %s", rules->scenario[i].title, result.message);
    assert_string_equal(result.message, "");
    n++;
  }
  assert_int_equal(n, 8);
}

static void those_that_fail(void **state) {
  (void)state;
  fails("legal", "legal bar-5",
        "bar-5 is not legal. go.reach: As far as a die shows. bar to 5 is 5, no die shows 5 "
        "(left: 4, 3)");
  fails("illegal", "illegal bar-4, bar-3", "bar-4, bar-3 is legal");
  fails("because", "illegal bar-5",
        "bar-5 is not legal, but not because of wait.from. go.reach: As far as a die shows. "
        "bar to 5 is 5, no die shows 5 (left: 4, 3)");
  fails("play", "play bar-4",
        "bar-4 cannot be played. all_dice.maximize: Play as many dice as you can. `dice_used` "
        "is 1 this way; bar-4 bar-3 makes it 2");
  fails("expect", "expect count", "`count stone of white at sites` is 0, not at least 1");
  fails("expect of and", "expect mover",
        "3 stone of black stand on bar, and bar is not in `sites`");
  fails("no dice", "play bar-4", "the dice have not been thrown");
  fails("wrong dice", "dice 7", "no die of `pips` shows 7");
  fails("too few dice", "dice 1", "1 number given, but a throw shows 2");
  fails("answer", "answer accept", "nothing has been offered");
  fails("unanswered", "play bar-1", "the offer has not been answered");
  fails("over", "legal 1-2",
        "1-2 is not legal. home: All stones are home. the game is over");
  fails("which kind", "play 1-6-7",
        "1-6-7 can be meant in several ways: name the kind, or every stop");
}

/* The options with which a game was loaded hold where a scenario does not set its own. */
static void under_options(void **state) {
  (void)state;
  OptionSetting setting = {"range", "long"};
  const Rules *other;
  assert_int_equal(load_again(loading, rules, &setting, 1, &other), LOAD_OK);
  for (int i = 0; i < other->scenarios; i++) {
    if (strcmp(other->scenario[i].title, "passes: params")) continue;
    scenario_run(loading, other, i, &setting, 1, NULL, &result);
    assert_true(result.ok);
  }
}

static void in_a_house(void **state) {
  (void)state;
  const Rules *house = load("tests/scenario/other.tavl");
  int own = 0, inherited = 0;
  for (int i = 0; i < house->scenarios; i++) {
    own += !house->scenario[i].inherited;
    inherited += house->scenario[i].inherited;
    scenario_run(loading, house, i, NULL, 0, NULL, &result);
    if (!house->scenario[i].inherited) assert_true(result.ok);
    if (!strcmp(house->scenario[i].title, "passes: params")) assert_true(result.ok);
    if (!strcmp(house->scenario[i].title, "passes: victims after the turn")) assert_false(result.ok);
  }
  assert_int_equal(own, 1);
  assert_int_equal(inherited, rules->scenarios);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(those_that_pass),
      cmocka_unit_test(those_that_fail),
      cmocka_unit_test(under_options),
      cmocka_unit_test(in_a_house),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
