#include "unit_text.h"

static Diag *report(int file, int start, int end, const char *message) {
  Span span = {file, start, end};
  return diag_report(&diags, DIAG_SYNTAX, span, "%s", message);
}

static void in_order_of_place_with_carets(void **state) {
  (void)state;
  int file = take("ab князь cd\n\twho\tman\n");
  report(file, 22, 25, "second"); /* the tab stays a tab */
  Diag *diag = report(file, 3, 13, "first");
  Span span = {file, 18, 21};
  diag_note(&diags, diag, "because of %s", "this");
  diag_note_at(&diags, diag, span, "and that");
  assert_printed(
      "a.tavl:1:4: error[E100]: first\n"
      "    ab князь cd\n"
      "       ^^^^^\n"
      "  note: because of this\n"
      "  note: a.tavl:2: and that\n"
      "a.tavl:2:6: error[E100]: second\n"
      "    \twho\tman\n"
      "    \t   \t^^^\n"
      "2 errors\n");
}

static void the_end_and_beyond_one_line(void **state) {
  (void)state;
  int file = take("ab {\n cd\n}");
  report(file, 3, 10, "over several lines");
  report(file, 10, 10, "at the end");
  assert_printed(
      "a.tavl:1:4: error[E100]: over several lines\n"
      "    ab {\n"
      "       ^\n"
      "a.tavl:3:2: error[E100]: at the end\n"
      "    }\n"
      "     ^\n"
      "2 errors\n");
}

static void long_lines_are_cut(void **state) {
  (void)state;
  char text[1001];
  for (int i = 0; i < 1000; i++) text[i] = (char)('a' + i % 26);
  text[1000] = '\0';
  int file = take(text);
  report(file, 500, 503, "in the middle");
  CAPTURE(printed, out, diags_print(&diags, out, false));
  char *line = strchr(printed, '\n') + 1;
  char *carets = strchr(line, '\n') + 1;
  assert_memory_equal(line, "    …", 7);
  assert_true(carets - line < 120);
  char *caret = strchr(carets, '^');
  assert_memory_equal(caret, "^^^\n", 4);
  /* the caret stands under byte 500: the … takes three bytes and one column */
  assert_memory_equal(line + (caret - carets) + 2, text + 500, 3);
  free(printed);
}

static void the_same_once_and_fifty_at_most(void **state) {
  (void)state;
  int file =
      take("0123456789012345678901234567890123456789012345678901234567890123456789");
  for (int i = 0; i < 60; i++) {
    report(file, i, i + 1, "this");
    if (i < DIAG_MOST) report(file, i, i + 1, "again");
  }
  assert_int_equal(diags.errors, 60);
  assert_int_equal(diags.dropped, 10);
  CAPTURE(text, out, diags_print(&diags, out, false));
  assert_null(strstr(text, "again"));
  assert_non_null(strstr(text, "… and 10 more\n60 errors\n"));
  free(text);
}

static void as_json(void **state) {
  (void)state;
  int file = take("say \"я\"\\\n");
  diag_note(&diags, report(file, 4, 8, "a \"quoted\"\ttext"), "a note");
  assert_string_equal(
      diags_json(&diags),
      "[{\"file\": \"a.tavl\", \"line\": 1, \"column\": 5, \"end_column\": 8, "
      "\"severity\": \"error\", \"code\": \"E100\", "
      "\"message\": \"a \\\"quoted\\\" text\", \"notes\": [\"a note\"]}]");
}

static void a_file_that_cannot_be_read(void **state) {
  (void)state;
  assert_int_equal(diags_open(&diags, "no/such.tavl"), -1);
  assert_printed(
      "no/such.tavl:1:1: error[E001]: no/such.tavl cannot be opened: No such file or "
      "directory\n1 error\n");
}

static void codes_are_unique(void **state) {
  (void)state;
  for (int i = 0; i < DIAG_COUNT; i++) {
    assert_int_equal(strlen(diag_code((DiagCode)i)), 4);
    assert_true(strlen(diag_help((DiagCode)i)) > 10);
    const char *severity = diag_severity((DiagCode)i);
    assert_true(strcmp(severity, "error") == 0 || strcmp(severity, "warning") == 0);
    assert_int_equal(diag_code((DiagCode)i)[0], severity[0] == 'e' ? 'E' : 'W');
    for (int k = 0; k < i; k++)
      assert_string_not_equal(diag_code((DiagCode)i), diag_code((DiagCode)k));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(in_order_of_place_with_carets),
      TEST(the_end_and_beyond_one_line),
      TEST(long_lines_are_cut),
      TEST(the_same_once_and_fifty_at_most),
      TEST(as_json),
      TEST(a_file_that_cannot_be_read),
      cmocka_unit_test(codes_are_unique),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
