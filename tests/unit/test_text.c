#include "unit.h"
#include "base/text.h"

static void characters(void **state) {
  (void)state;
  assert_int_equal(text_char("a", 1), 1);
  assert_int_equal(text_char("я", 2), 2);
  assert_int_equal(text_char("…", 3), 3);
  assert_int_equal(text_char("\xF0\x9F\x91\x91", 4), 4);
  assert_int_equal(text_char("я", 1), 0);                /* cut off */
  assert_int_equal(text_char("\x80", 1), 0);             /* a tail without a head */
  assert_int_equal(text_char("\xC0\xAF", 2), 0);         /* overlong */
  assert_int_equal(text_char("\xE0\x80\xAF", 3), 0);     /* overlong */
  assert_int_equal(text_char("\xED\xA0\x80", 3), 0);     /* half of a surrogate pair */
  assert_int_equal(text_char("\xF4\x90\x80\x80", 4), 0); /* beyond the last character */
  assert_int_equal(text_char("", 0), 0);
  assert_int_equal(text_columns("князь K", 12), 7);
}

static void fit_for_a_terminal(void **state) {
  (void)state;
  assert_null(text_unseen('a'));
  assert_null(text_unseen('\n'));
  assert_null(text_unseen(0x200D)); /* joins letters */
  assert_null(text_unseen(0xA0));   /* a blank, if a hard one */
  assert_string_equal(text_unseen(0x1B), "escape");
  assert_string_equal(text_unseen(0x202E), "right-to-left override");
  assert_string_equal(text_unseen(0xE0041), "invisible tag");
  assert_int_equal(text_code("\xF3\xA0\x81\x81", 4), 0xE0041);
  assert_int_equal(text_code("я", 2), 0x44F);
  char text[] = "я\x1B[2J\tb\nc\r\xFF\u202Ed\xC2\x9B\U0001F451";
  text_tame(text);
  assert_string_equal(text, "я?[2J b c???d?\U0001F451");
}

static void look_alike_letters(void **state) {
  (void)state;
  char latin[16];
  assert_true(text_latin("а5", latin, sizeof latin)); /* the first letter is Cyrillic */
  assert_string_equal(latin, "a5");
  assert_true(text_latin("wаlk", latin, sizeof latin));
  assert_string_equal(latin, "walk");
  assert_false(text_latin("walk", latin, sizeof latin));
  assert_false(text_latin("ход", latin, sizeof latin));
  assert_false(text_latin("аааааааааааааааааааа", latin, sizeof latin)); /* no room */
  const char *const sites[] = {"a5", "b5"};
  assert_string_equal(text_nearest("а5", sites, 2), "a5");
}

static bool reads(const char *text, int64_t low, int64_t high, int64_t want) {
  int64_t number = -77;
  return text_number(text, low, high, &number) && number == want;
}

static void numbers(void **state) {
  (void)state;
  int64_t n = -77;
  assert_true(reads("0", 0, 9, 0));
  assert_true(reads("007", 0, 9, 7));
  assert_true(reads("-5", -5, 5, -5));
  assert_true(reads("9223372036854775807", 0, INT64_MAX, INT64_MAX));
  static const char *const none[] = {"",   "-",   "+5",  " 5", "5 ", "5x", "0x5", "5e0",
                                     "5.", "\t5", "--5", "10", "-1", "9223372036854775808",
                                     "18446744073709551621"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    assert_false(text_number(none[i], 0, 9, &n));
  assert_int_equal(n, -77);
  const char *at = "63:";
  assert_true(text_digits(&at, 99, &n));
  assert_int_equal(n, 63);
  assert_string_equal(at, ":");
  assert_false(text_digits(&at, 99, &n));
}

static void one_copy_of_each_name(void **state) {
  (void)state;
  Arena *arena = arena_new("test");
  Names *names = names_new(arena);
  const char *man = names_intern0(names, "man");
  assert_ptr_equal(names_intern(names, "manly", 3), man);
  assert_ptr_not_equal(names_intern0(names, "manly"), man);
  char word[16];
  for (int i = 0; i < 5000; i++) {
    snprintf(word, sizeof word, "name%d", i);
    names_intern0(names, word);
  }
  for (int i = 0; i < 5000; i++) {
    snprintf(word, sizeof word, "name%d", i);
    const char *name = names_intern0(names, word);
    assert_string_equal(name, word);
    assert_ptr_equal(name, names_intern0(names, word));
  }
  assert_ptr_equal(names_intern0(names, "man"), man);
  arena_free(arena);
}

static void distances(void **state) {
  (void)state;
  assert_int_equal(text_distance("king", "king", 3), 0);
  assert_int_equal(text_distance("king", "kings", 3), 1);
  assert_int_equal(text_distance("region", "regoin", 3), 1);
  assert_int_equal(text_distance("king", "", 9), 4);
  assert_int_equal(text_distance("kitten", "sitting", 3), 3);
  assert_int_equal(text_distance("kitten", "sitting", 2), 3);
  assert_int_equal(text_distance("a", "b", 0), 1);
  char many[200];
  memset(many, 'x', sizeof many - 1);
  many[sizeof many - 1] = '\0';
  assert_int_equal(text_distance(many, many, 2), 0);
  assert_int_equal(text_distance(many, many + 1, 2), 3); /* too long to be looked at */
}

static void nearest_words(void **state) {
  (void)state;
  const char *const words[] = {"region", "when", NULL, "attackers", "to", "king"};
  assert_string_equal(text_nearest("regoin", words, 6), "region");
  assert_string_equal(text_nearest("wehn", words, 6), "when");
  assert_string_equal(text_nearest("atackers", words, 6), "attackers");
  assert_string_equal(text_nearest("attacker", words, 6), "attackers");
  assert_string_equal(text_nearest("KING", words, 6), "king");
  assert_null(text_nearest("zzz", words, 6));
  assert_null(text_nearest("ti", words, 6));
  assert_null(text_nearest("", words, 6));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters), cmocka_unit_test(numbers), cmocka_unit_test(look_alike_letters), cmocka_unit_test(fit_for_a_terminal),
      cmocka_unit_test(one_copy_of_each_name),
      cmocka_unit_test(distances),
      cmocka_unit_test(nearest_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
