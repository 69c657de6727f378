#include "unit.h"
#include "play/words.h"

/* "{site}{set}", each name once, to `list`; returns how many there are. */
static int names_of(const char *text, char names[8][32]) {
  int n = 0;
  for (const char *at = text; (at = strchr(at, '{')); at++) {
    size_t length = strcspn(at, "}") + 1;
    assert_true(length < 32 && n < 8);
    memcpy(names[n], at, length);
    names[n++][length] = 0;
  }
  return n;
}

static void both_languages_have_the_same_names(void **state) {
  (void)state;
  for (int id = 0; id < WORDS_COUNT; id++) {
    char english[8][32], russian[8][32];
    int n = names_of(words_text((WordsId)id, false), english);
    assert_int_equal(names_of(words_text((WordsId)id, true), russian), n);
    for (int i = 0; i < n; i++) {
      int found = 0, again = 0;
      for (int k = 0; k < n; k++) found += !strcmp(english[i], russian[k]);
      for (int k = 0; k < n; k++) again += !strcmp(english[i], english[k]);
      if (found != 1 || again != 1)
        fail_msg("%s: %s", words_text((WordsId)id, false), english[i]);
    }
  }
}

/* What goes on in one language goes on in the other. */
static void both_end_alike(void **state) {
  (void)state;
  for (int id = 0; id < WORDS_COUNT; id++) {
    const char *english = words_text((WordsId)id, false), *russian = words_text((WordsId)id, true);
    assert_int_equal(english[strlen(english) - 1] == ' ', russian[strlen(russian) - 1] == ' ');
    assert_int_equal(english[0] == ',' || english[0] == ';', russian[0] == ',' || russian[0] == ';');
  }
}

static void filling_in(void **state) {
  (void)state;
  char text[80];
  assert_int_equal(WORDS_WRITE(text, sizeof text, false, IS_IN, "e5", "`edge`"), 15);
  assert_string_equal(text, "e5 is in `edge`");
  WORDS_WRITE(text, sizeof text, true, IS_IN, "e5", "`edge`");
  assert_string_equal(text, "e5 входит в `edge`");
  WORDS_WRITE(text, sizeof text, true, NO_WAY, "a1", "b3");
  assert_string_equal(text, "по этому правилу с a1 на b3 пути нет");
  WORDS_WRITE(text, sizeof text, false, OVER);
  assert_string_equal(text, "the game is over");
  assert_string_equal(WORDS_NUMBER(-7), "-7");
}

static void a_text_that_does_not_fit(void **state) {
  (void)state;
  char text[16];
  for (size_t room = 0; room <= sizeof text; room++) {
    memset(text, 'x', sizeof text);
    size_t n = WORDS_WRITE(text, room, true, OVER);
    assert_true(n < room || room == 0);
    if (room) assert_int_equal(strlen(text), n);
    assert_int_equal(n % 2, n > 12); /* whole letters; the blank stands behind six of them */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_languages_have_the_same_names), cmocka_unit_test(both_end_alike),
      cmocka_unit_test(filling_in), cmocka_unit_test(a_text_that_does_not_fit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
