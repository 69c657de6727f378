/* The generator: published vectors of Philox 4x32-10, independence of order, no bias. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "mind/chance.h"

/* The vectors that Random123 publishes (kat_vectors): counter, key, output. */
static void known_vectors(void **state) {
  (void)state;
  Rng zeros = rng_for(0, 0);
  assert_int_equal(rng_next(&zeros), 0x6627e8d5u);
  assert_int_equal(rng_next(&zeros), 0xe169c58du);
  assert_int_equal(rng_next(&zeros), 0xbc57ac4cu);
  assert_int_equal(rng_next(&zeros), 0x9b00dbd8u);
  Rng ones = rng_for(UINT64_MAX, UINT64_MAX);
  ones.block = UINT64_MAX;
  assert_int_equal(rng_next(&ones), 0x408f276du);
  assert_int_equal(rng_next(&ones), 0x41c83b0eu);
  assert_int_equal(rng_next(&ones), 0xa20bc7c6u);
  assert_int_equal(rng_next(&ones), 0x6d5451fdu);
  Rng pi = rng_for(0x299f31d0a4093822u, 0x0370734413198a2eu);
  pi.block = 0x85a308d3243f6a88u;
  assert_int_equal(rng_next(&pi), 0xd16cfe09u);
  assert_int_equal(rng_next(&pi), 0x94fdccebu);
  assert_int_equal(rng_next(&pi), 0x5001e420u);
  assert_int_equal(rng_next(&pi), 0x24126ea1u);
}

static void games_do_not_depend_on_each_other(void **state) {
  (void)state;
  Rng first = rng_for(7, 1), second = rng_for(7, 2);
  uint32_t a = rng_next(&first), b = rng_next(&second);
  for (int i = 0; i < 1000; i++) rng_next(&first);
  Rng again = rng_for(7, 2);
  assert_int_equal(rng_next(&again), b);
  assert_int_not_equal(a, b);
}

static void below_nothing_draws_nothing(void **state) {
  (void)state;
  Rng rng = rng_for(1, 1), same = rng_for(1, 1);
  assert_int_equal(rng_below(&rng, 0), 0);
  assert_int_equal(rng_below(&rng, 1), 0);
  assert_int_equal(rng_next(&rng), rng_next(&same));
}

/* For n just above 2^31 a modulo would give the low half twice as often as the high one.
 */
static void no_modulo_bias(void **state) {
  (void)state;
  enum { DRAWS = 100000 };
  const uint32_t n = 0x80000001u + 0x40000000u; /* three quarters of 2^32 */
  Rng rng = rng_for(20260, 0);
  int64_t third[3] = {0};
  for (int i = 0; i < DRAWS; i++) {
    uint32_t x = rng_below(&rng, n);
    assert_true(x < n);
    third[x / (n / 3 + 1)]++;
  }
  double likelihood;
  chance_chi_square(third, 3, &likelihood);
  assert_true(likelihood > 0.001);
}

static void dice_are_fair(void **state) {
  (void)state;
  Rng rng = rng_for(20261, 0);
  int64_t face[6] = {0}, pair[36] = {0};
  for (int i = 0; i < 360000; i++) {
    uint32_t a = rng_below(&rng, 6), b = rng_below(&rng, 6);
    face[a]++;
    face[b]++;
    pair[a * 6 + b]++;
  }
  double faces, pairs;
  chance_chi_square(face, 6, &faces);
  chance_chi_square(pair, 36, &pairs);
  assert_true(faces > 0.001 && faces < 0.999);
  assert_true(pairs > 0.001 && pairs < 0.999);
}

static void the_test_of_dice_sees_a_loaded_die(void **state) {
  (void)state;
  int64_t face[6] = {1000, 1000, 1000, 1000, 1000, 1200};
  double likelihood;
  double chi = chance_chi_square(face, 6, &likelihood);
  assert_true(chi > 32.2 && chi < 32.4);
  assert_true(likelihood < 0.0001);
  int64_t even[6] = {5, 5, 5, 5, 5, 5};
  assert_true(chance_chi_square(even, 6, &likelihood) < 1e-9 && likelihood > 0.99);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_vectors),
      cmocka_unit_test(games_do_not_depend_on_each_other),
      cmocka_unit_test(below_nothing_draws_nothing),
      cmocka_unit_test(no_modulo_bias),
      cmocka_unit_test(dice_are_fair),
      cmocka_unit_test(the_test_of_dice_sees_a_loaded_die),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
