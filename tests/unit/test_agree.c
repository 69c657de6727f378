/* Turns found twice: agreement is seen, and so is each way of differing. */
#include "unit_load.h"

#include "play/kernel.h"
#include "study/agree.h"
#include "study/scenario.h"

#define FILE_NAME "tests/scenario/wide.tavl"

static const Rules *with(const char *value) {
  OptionSetting setting = {"far_off", value};
  const Rules *rules;
  assert_int_equal(load_game(loading, FILE_NAME, &setting, 1, false, &rules), LOAD_OK);
  return rules;
}

/* The start of the game with one value, listed by a kernel of it with another. */
static bool agrees(const char *mine, const char *other, char *text, size_t room) {
  char why[256];
  load(FILE_NAME);
  const Rules *rules = with(mine), *others = with(other);
  Engine *engine = engine_new(rules);
  Lister *lister = lister_new(engine);
  Kernel *kernel = kernel_new(others, why, sizeof why);
  assert_non_null(kernel);
  lister_use(lister, kernel);
  Position *p = engine_position(engine);
  engine_start(engine, p, 0);
  bool same = agree(engine, lister, "kernel", p, text, room);
  free(p);
  lister_free(lister);
  kernel_free(kernel);
  engine_free(engine);
  return same;
}

static void the_same_rules(void **state) {
  (void)state;
  char why[256] = "";
  assert_true(agrees("no", "no", why, sizeof why));
  assert_true(agrees("yes", "yes", why, sizeof why));
  assert_string_equal(why, "");
}

static void other_rules(void **state) {
  (void)state;
  char why[256];
  assert_false(agrees("no", "yes", why, sizeof why));
  assert_string_equal(why, "only the kernel has the turn a1-c1");
  assert_false(agrees("yes", "no", why, sizeof why));
  assert_string_equal(why, "only the reference has the turn a1-c1");
}

/* A position at which one of them errs: effects contradict each other by the rules of one param only. */
static void one_of_them_errs(void **state) {
  (void)state;
  char why[256];
  assert_true(agrees("broken", "broken", why, sizeof why));
  assert_false(agrees("no", "broken", why, sizeof why));
  assert_string_equal(why, "only for the kernel: two effects send one piece to different places");
  assert_false(agrees("broken", "no", why, sizeof why));
  assert_string_equal(why, "only for the reference: two effects send the man on b1 to different places");
}

/* A scenario fails where they differ, at the step that asks; for what it sets there is a kernel of its own. */
static void in_a_scenario(void **state) {
  (void)state;
  const Rules *rules = load(FILE_NAME);
  char why[256];
  ScenarioBy right = {.choice = ENGINE_KERNEL}, wrong = {ENGINE_KERNEL, rules, kernel_new(with("yes"), why, sizeof why)};
  ScenarioResult result;
  scenario_run(loading, rules, 0, NULL, 0, &right, &result);
  assert_true(result.ok);
  assert_non_null(right.kernel);
  scenario_run(loading, rules, 0, NULL, 0, &wrong, &result);
  assert_false(result.ok);
  assert_string_equal(result.message, "reference and kernel differ here: only the kernel has the turn a1-c1");
  const char *text = loading_sources(loading)->at[result.where.file].text;
  assert_memory_equal(text + result.where.start, "expect legal_turns = 1", 22);
  scenario_run(loading, rules, 1, NULL, 0, &wrong, &result);
  assert_true(result.ok);
  scenario_by_end(&right);
  scenario_by_end(&wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_rules), cmocka_unit_test(other_rules),
                                     cmocka_unit_test(one_of_them_errs), cmocka_unit_test(in_a_scenario)};
  return cmocka_run_group_tests(tests, NULL, tear_down);
}
