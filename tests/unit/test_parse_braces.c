/* Braces and brackets that do not match, word for word; texts of too many of them, and of too many of
 * anything: a message, in time, and a tree. */
#include "unit_parse.h"

static void a_brace_that_is_not_closed(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  move walk is slide {\n"
      "    who man\n"
      "  move ride is slide {\n"
      "    who king\n"
      "  }\n"
      "  scenario \"s\" {\n"
      "    given {\n"
      "      2 | . a |\n"
      "    turn white\n"
      "  }\n"
      "}\n",
      "a.tavl:4:3: error[E101]: `move` cannot stand here: the `{` of line 2 is not "
      "closed\n"
      "      move ride is slide {\n"
      "      ^^^^\n"
      "  note: a.tavl:2: opened here\n"
      "a.tavl:10:5: error[E101]: `turn` cannot stand here: the `{` of line 8 is not "
      "closed\n"
      "        turn white\n"
      "        ^^^^\n"
      "  note: a.tavl:8: opened here\n"
      "2 errors\n");
}

static void a_brace_at_the_end(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  phase a {\n"
      "    turn { first white }\n"
      "  phase b {\n"
      "  }\n"
      "}\n",
      "a.tavl:6:1: error[E101]: the text ends, but the `{` of line 1 is not closed\n"
      "    }\n"
      "    ^\n"
      "  note: a.tavl:1: opened here\n"
      "  note: a.tavl:2: more likely it is this `{`: the next `}` stands further left\n"
      "1 error\n");
}

static void brackets(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  win a {\n"
      "    when (count friend = 3\n"
      "    unless some line [ moved, enemy\n"
      "  }\n"
      "  region x = (a1 + b2\n"
      "  region y = a1)\n"
      "}\n",
      "a.tavl:4:5: error[E101]: `unless` cannot stand here: the `(` of line 3 is not "
      "closed\n"
      "        unless some line [ moved, enemy\n"
      "        ^^^^^^\n"
      "  note: a.tavl:3: opened here\n"
      "a.tavl:5:3: error[E101]: `}` cannot stand here: the `[` of line 4 is not closed\n"
      "      }\n"
      "      ^\n"
      "  note: a.tavl:4: opened here\n"
      "a.tavl:7:3: error[E101]: `region` cannot stand here: the `(` of line 6 is not "
      "closed\n"
      "      region y = a1)\n"
      "      ^^^^^^\n"
      "  note: a.tavl:6: opened here\n"
      "a.tavl:7:16: error[E100]: `)` cannot stand here; expected a definition, a rule, "
      "`}` or a text in quotation marks\n"
      "      region y = a1)\n"
      "                   ^\n"
      "4 errors\n");
}

static void braces_too_many_or_missing(void **state) {
  (void)state;
  assert_messages(
      "game \"T\"\n"
      "  region x = a1\n"
      "  win a } \n"
      "  move b who man }\n"
      "  lose c { when x } }\n"
      "  draw d { when x }\n"
      "}\n"
      "}\n",
      "a.tavl:2:3: error[E101]: a `{` is missing before `region`, after the title\n"
      "      region x = a1\n"
      "      ^^^^^^\n"
      "a.tavl:3:9: error[E101]: a `{` is missing before `}`, after the head of the rule\n"
      "      win a } \n"
      "            ^\n"
      "a.tavl:4:10: error[E101]: a `{` is missing before `who`, after the head of the "
      "rule\n"
      "      move b who man }\n"
      "             ^^^\n"
      "a.tavl:5:21: error[E101]: this `}` closes the `{` of line 1, but more follows\n"
      "      lose c { when x } }\n"
      "                        ^\n"
      "  note: one `}` too many, here or before\n"
      "a.tavl:7:1: error[E101]: this `}` closes the `{` of line 1, but more follows\n"
      "    }\n"
      "    ^\n"
      "  note: one `}` too many, here or before\n"
      "5 errors\n");
}

/* ---- hostile texts ---- */

static void repeat(const char *before, const char *part, int times, const char *after) {
  size_t n = strlen(part);
  size_t length = strlen(before) + n * (size_t)times + strlen(after);
  char *text = malloc(length + 1);
  char *at = stpcpy(text, before);
  for (int i = 0; i < times; i++) at = mempcpy(at, part, n);
  strcpy(at, after);
  const Node *tree = parse(text);
  free(text);
  assert_int_equal(tree->kind, N_FILE);
  assert_true(tree->depth <= TREE_MAX_DEPTH + 20);
}

static void too_deep(const char *before, const char *part, int times, const char *after) {
  start_afresh();
  repeat(before, part, times, after);
  CAPTURE(printed, out, diags_print(&diags, out, false));
  assert_non_null(
      strstr(printed, "error[E013]: this is nested too deeply or is too long a chain"));
  assert_true(diags.errors <= 2);
  free(printed);
}

static void deep_nesting_is_refused(void **state) {
  (void)state;
  const char *let = "game \"T\" {\n let x = ";
  too_deep(let, "(", 10000, "a");
  too_deep(let, "not ", 100000, "a\n}");
  too_deep(let, "a + ", 100000, "a\n}");
  too_deep(let, "a of ", 100000, "a\n}");
  too_deep(let, "f(", 10000, "a");
  too_deep("game \"T\" {\n", "phase p {\n", 10000, "");
  too_deep("", "{", 100000, "");
}

static void long_texts_take_no_time(void **state) {
  (void)state;
  repeat("game \"T\" {\n path x = a", ",a", 400000, "\n}");
  assert_int_equal(diags.errors, 0);
  const char *parts[] = {
      "}",   "{}",          "let ",        ";",      "(",    ")",       "\"", "game ",
      "a\n", "let x=a b\n", "move x{who}", "9|. .|", "1/0 ", "\n\n#\n", "=",  "x{"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    start_afresh();
    repeat(i % 2 ? "game \"T\" {" : "", parts[i], 300000 / (int)strlen(parts[i]), "");
    assert_true(diags.errors > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_brace_that_is_not_closed),
      TEST(a_brace_at_the_end),
      TEST(brackets),
      TEST(braces_too_many_or_missing),
      TEST(deep_nesting_is_refused),
      TEST(long_texts_take_no_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
