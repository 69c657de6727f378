/* The engine through its public interface: throws and their odds, repetition, whole turns and
 * their single steps, offers, resignation, the clock, positions that check themselves. */
#include "unit_load.h"
#include "play/engine.h"

static const Rules *race, *turns_game, *pictures;
static Engine *engine;
static Position *p;
static char why[256];

static int set_up(void **state) {
  (void)state;
  race = load("tests/constructs/dice.tavl");
  turns_game = load("tests/constructs/turns.tavl");
  pictures = load("tests/constructs/pictures.tavl");
  return 0;
}

static void begin(const Rules *rules) {
  engine = engine_new(rules);
  p = engine_position(engine);
  int first = engine_first(engine);
  engine_start(engine, p, first < 0 ? 0 : first);
}

static void end(void) {
  assert_true(position_check(engine_rules(engine), engine_layout(engine), p, why, sizeof why));
  assert_null(engine_complaint(engine));
  free(p);
  engine_free(engine);
}

static void throws_and_their_odds(void **state) {
  (void)state;
  begin(race);
  int n;
  int64_t total, ways = 0;
  /* the first throw is no double: 15 throws of 2 ways each */
  const Roll *roll = engine_rolls(engine, p, &n, &total);
  assert_int_equal(n, 15);
  assert_int_equal(total, 30);
  for (int i = 0; i < n; i++) {
    assert_int_equal(roll[i].ways, 2);
    assert_true(roll[i].face[0] > roll[i].face[1]);
  }
  p->turn_count = 2; /* later: 21 throws, 36 ways, doubles 1 way each */
  roll = engine_rolls(engine, p, &n, &total);
  assert_int_equal(n, 21);
  assert_int_equal(total, 36);
  for (int i = 0; i < n; i++) {
    ways += roll[i].ways;
    assert_int_equal(roll[i].ways, roll[i].face[0] == roll[i].face[1] ? 1 : 2);
  }
  assert_int_equal(ways, total);
  end();
}

static void throws_that_cannot_be(void **state) {
  (void)state;
  begin(race);
  assert_false(engine_set_dice(engine, p, (int[]){6}, 1, why, sizeof why));
  assert_string_equal(why, "1 number given, but a throw shows 2");
  assert_false(engine_set_dice(engine, p, (int[]){7, 1}, 2, why, sizeof why));
  assert_string_equal(why, "no die of `pips` shows 7");
  assert_false(engine_set_dice(engine, p, (int[]){0, 1}, 2, why, sizeof why));
  assert_true(engine_needs_dice(engine, p));
  assert_true(engine_set_dice(engine, p, (int[]){3, 3}, 2, why, sizeof why));
  assert_int_equal(p->dice, 3); /* a double is played three times here */
  assert_int_equal(p->doubled, 3);
  assert_false(engine_needs_dice(engine, p));
  end();
}

static void no_dice_where_there_are_none(void **state) {
  (void)state;
  begin(turns_game);
  assert_false(engine_set_dice(engine, p, (int[]){1}, 1, why, sizeof why));
  assert_string_equal(why, "this game has no dice");
  end();
}

static void every_step_of_a_legal_turn_is_a_legal_step(void **state) {
  (void)state;
  begin(race);
  assert_true(engine_set_dice(engine, p, (int[]){2, 1}, 2, why, sizeof why));
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, p);
  assert_int_equal(turns.n, 2);
  Steps steps = engine_steps(engine, p);
  for (int t = 0; t < turns.n; t++) {
    bool found = false;
    for (int i = 0; i < steps.n; i++)
      found |= memcmp(&steps.at[i], &turns.at[t].step[0], sizeof(Step)) == 0;
    assert_true(found);
    assert_int_equal(turns.at[t].after->mover, 1);
    assert_int_equal(turns.at[t].after->turns[1], 1);
  }
  engine_release(engine, mark);
  end();
}

static void a_position_that_comes_back_is_counted(void **state) {
  (void)state;
  begin(pictures);
  uint64_t start = position_key(pictures, engine_layout(engine), p, p->mover);
  const char *there_and_back[] = {"a1", "a2", "a7", "a6", "a2", "a1", "a6", "a7"};
  for (int k = 0; k < 4; k++) {
    Mark mark = engine_mark(engine);
    Turns turns = engine_turns(engine, p);
    int from = rules_site(pictures, there_and_back[2 * k]);
    int to = rules_site(pictures, there_and_back[2 * k + 1]);
    bool found = false;
    for (int t = 0; t < turns.n && !found; t++)
      if (turns.at[t].step[0].origin == from && turns.at[t].step[0].target == to) {
        position_copy(p, turns.at[t].after);
        found = true;
      }
    assert_true(found);
    if (k < 3) engine_push(engine, p);
    engine_release(engine, mark);
  }
  assert_true(position_key(pictures, engine_layout(engine), p, p->mover) == start);
  end();
}

static void offers_are_made_once_a_turn(void **state) {
  (void)state;
  begin(turns_game);
  Offer list[8];
  assert_int_equal(engine_offers(engine, p, list, 8), 1);
  engine_offer(engine, p, &list[0], true, 2);
  assert_int_equal(engine_offers(engine, p, list, 8), 0);
  end();
}

static void resigning_leaves_the_others_or_a_winner(void **state) {
  (void)state;
  begin(turns_game);
  int mover = p->mover;
  engine_resign(engine, p, mover);
  assert_int_equal(p->stage, STAGE_TURN);
  assert_int_not_equal(p->mover, mover);
  engine_resign(engine, p, p->mover);
  assert_int_equal(p->stage, STAGE_ENDED);
  assert_int_equal(p->mover, -1);
  assert_int_equal(__builtin_popcount(p->winners), 1);
  assert_int_equal(engine_turns(engine, p).n, 0);
  end();
}

static void an_overrun_voids_the_turn(void **state) {
  (void)state;
  begin(race);
  assert_true(engine_set_dice(engine, p, (int[]){2, 1}, 2, why, sizeof why));
  engine_overrun(engine, p);
  assert_int_equal(p->mover, 1);
  assert_int_equal(p->overruns[0], 1);
  assert_int_equal(p->passes, 1);
  assert_true(engine_needs_dice(engine, p));
  end();
}

static void self_check_notices(void **state) {
  (void)state;
  begin(pictures);
  const Layout *l = engine_layout(engine);
  position_count(l, p)[0] += 1; /* no stacks in this game */
  assert_false(position_check(pictures, l, p, why, sizeof why));
  position_count(l, p)[0] -= 1;
  position_count(l, p)[20] = 1; /* a count that no set knows of */
  assert_false(position_check(pictures, l, p, why, sizeof why));
  position_count(l, p)[20] = 0;
  p->mover = 7;
  assert_false(position_check(pictures, l, p, why, sizeof why));
  p->mover = 0;
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(throws_and_their_odds),
      cmocka_unit_test(throws_that_cannot_be),
      cmocka_unit_test(no_dice_where_there_are_none),
      cmocka_unit_test(every_step_of_a_legal_turn_is_a_legal_step),
      cmocka_unit_test(a_position_that_comes_back_is_counted),
      cmocka_unit_test(offers_are_made_once_a_turn),
      cmocka_unit_test(resigning_leaves_the_others_or_a_winner),
      cmocka_unit_test(an_overrun_voids_the_turn),
      cmocka_unit_test(self_check_notices),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
