/* What is said of words and signs that cannot stand where they stand, word for word. */
#include "unit_parse.h"

static void misspelt_words(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  regoin throne = e5\n"
      "  region exits = corners \"Where.\"\n"
      "  regoin castle = throne\n"
      "  move walk is slide \"Men.\" {\n"
      "    who man\n"
      "    whne man = 3\n"
      "    to empty excpt throne\n"
      "  }\n"
      "  scenario \"s\" {\n"
      "    epxect outcome = x\n"
      "    illegal a1-a3 becuase walk.reach\n"
      "  }\n"
      "}\n",
      "a.tavl:2:3: error[E100]: `regoin` cannot stand here; expected a definition, a "
      "rule or `}`\n"
      "      regoin throne = e5\n"
      "      ^^^^^^\n"
      "  note: did you mean `region`?\n"
      "a.tavl:4:3: error[E100]: `regoin` cannot stand here\n"
      "      regoin castle = throne\n"
      "      ^^^^^^\n"
      "  note: did you mean `region`?\n"
      "a.tavl:7:5: error[E100]: `whne` cannot stand here; expected a clause, `,` or `}`\n"
      "        whne man = 3\n"
      "        ^^^^\n"
      "  note: did you mean `when`?\n"
      "a.tavl:8:14: error[E100]: `excpt` cannot stand here; expected a clause, `,` or "
      "`}`\n"
      "        to empty excpt throne\n"
      "                 ^^^^^\n"
      "  note: did you mean `except`?\n"
      "a.tavl:11:5: error[E100]: `epxect` cannot stand here; expected a step of the "
      "scenario or `}`\n"
      "        epxect outcome = x\n"
      "        ^^^^^^\n"
      "  note: did you mean `expect`?\n"
      "a.tavl:12:19: error[E100]: `becuase` cannot stand here; expected `,`, `-` or "
      "`because`\n"
      "        illegal a1-a3 becuase walk.reach\n"
      "                      ^^^^^^^\n"
      "  note: did you mean `because`?\n"
      "6 errors\n");
}

static void slips_of_other_languages(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  let line = 5\n"
      "  let a = b == c; // same\n"
      "  let b = c => d or e ≠ f\n"
      "  let c = 1 ... 3\n"
      "  piece человек of white\n"
      "  setup {\n"
      "    2 | . aa |\n"
      "  }\n"
      "  win w “Won” { when x }\n"
      "}\n",
      "a.tavl:2:7: error[E100]: `line` cannot stand here; expected a name\n"
      "      let line = 5\n"
      "          ^^^^\n"
      "  note: `line` is a word of the language and cannot be a name\n"
      "a.tavl:3:14: error[E100]: `=` cannot stand here; expected an expression\n"
      "      let a = b == c; // same\n"
      "                 ^\n"
      "  note: equality is written with one `=`\n"
      "a.tavl:3:17: error[E010]: `;` means nothing here\n"
      "      let a = b == c; // same\n"
      "                    ^\n"
      "  note: clauses and items are not separated by anything\n"
      "a.tavl:3:19: error[E010]: `/` means nothing here\n"
      "      let a = b == c; // same\n"
      "                      ^\n"
      "  note: a comment begins with #\n"
      "a.tavl:4:14: error[E100]: `>` cannot stand here; expected an expression\n"
      "      let b = c => d or e ≠ f\n"
      "                 ^\n"
      "  note: the signs are `<=` and `>=`\n"
      "a.tavl:4:23: error[E010]: `≠` means nothing here\n"
      "      let b = c => d or e ≠ f\n"
      "                          ^\n"
      "  note: differs is written !=\n"
      "a.tavl:5:13: error[E010]: `...` means nothing here\n"
      "      let c = 1 ... 3\n"
      "                ^^^\n"
      "  note: a range is written with two dots: 1 .. 8\n"
      "a.tavl:6:9: error[E010]: `человек` means nothing here\n"
      "      piece человек of white\n"
      "            ^^^^^^^\n"
      "  note: names are made of a to z, A to Z, 0 to 9 and _; texts and comments may "
      "hold anything\n"
      "a.tavl:8:5: error[E100]: `2` cannot stand here; expected a board row, `place`, "
      "`set` or `}`\n"
      "        2 | . aa |\n"
      "        ^\n"
      "  note: a board row is its rank, `|`, at least two cells of one sign each with "
      "blanks between, and `|`\n"
      "a.tavl:10:9: error[E010]: `“Won”` means nothing here\n"
      "      win w “Won” { when x }\n"
      "            ^^^^^\n"
      "  note: texts stand between straight quotation marks: \"…\"\n"
      "10 errors\n");
}

static void a_word_of_the_language_as_the_name_of_a_rule(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  win row \"Three in a row.\" { when x }\n"
      "  turn first white }\n"
      "  move who { }\n"
      "}\n",
      "a.tavl:2:7: error[E100]: `row` cannot stand here; expected a name\n"
      "      win row \"Three in a row.\" { when x }\n"
      "          ^^^\n"
      "  note: `row` is a word of the language and cannot be a name\n"
      "a.tavl:3:8: error[E101]: a `{` is missing before `first`, after the head of the "
      "rule\n"
      "      turn first white }\n"
      "           ^^^^^\n"
      "a.tavl:4:8: error[E100]: `who` cannot stand here; expected a name\n"
      "      move who { }\n"
      "           ^^^\n"
      "  note: `who` is a word of the language and cannot be a name\n"
      "3 errors\n");
}

static void things_left_out(void **state) {
  (void)state;
  assert_messages(
      "game \"Q\" {\n"
      "  use moves\n"
      "  board square 9\n"
      "  piece man\n"
      "  region throne = e5, e6\n"
      "  move walk slide { who man }\n"
      "  capture c { do take victim raise x by 1 }\n"
      "  win w {\n"
      "    when some man at e5 and\n"
      "    unless x = 1 = 2\n"
      "  }\n"
      "  let c = a is b\n"
      "  must m maximize captured\n"
      "  draw d { when x }\n"
      "}\n",
      "a.tavl:2:7: error[E100]: `moves` cannot stand here; expected a text in quotation "
      "marks\n"
      "      use moves\n"
      "          ^^^^^\n"
      "  note: in quotation marks: \"moves\"\n"
      "a.tavl:3:16: error[E100]: `9` cannot stand here; expected `{`\n"
      "      board square 9\n"
      "                   ^\n"
      "  note: as in `{ size 9 }`\n"
      "a.tavl:4:12: error[E100]: something is missing here; expected `,` or `of`\n"
      "      piece man\n"
      "               ^\n"
      "a.tavl:5:21: error[E100]: `,` cannot stand here; expected a definition, a rule, "
      "`}` or a text in quotation marks\n"
      "      region throne = e5, e6\n"
      "                        ^\n"
      "  note: several sets are joined by `+`\n"
      "a.tavl:6:13: error[E100]: `slide` cannot stand here; expected `{`, a text in "
      "quotation marks or `is`\n"
      "      move walk slide { who man }\n"
      "                ^^^^^\n"
      "  note: a pattern stands after `is`: is slide\n"
      "a.tavl:7:30: error[E100]: `raise` cannot stand here; expected a clause, `,` or "
      "`}`\n"
      "      capture c { do take victim raise x by 1 }\n"
      "                                 ^^^^^\n"
      "  note: effects are separated by commas\n"
      "a.tavl:9:28: error[E100]: something is missing here; expected an expression\n"
      "        when some man at e5 and\n"
      "                               ^\n"
      "a.tavl:10:18: error[E100]: `=` cannot stand here; expected a clause, `,` or `}`\n"
      "        unless x = 1 = 2\n"
      "                     ^\n"
      "  note: there is a comparison before it: put brackets round what is compared, or "
      "join two comparisons by `and`\n"
      "a.tavl:12:13: error[E100]: `is` cannot stand here; expected a definition, a rule, "
      "`}` or a text in quotation marks\n"
      "      let c = a is b\n"
      "                ^^\n"
      "  note: equality is written with `=`\n"
      "a.tavl:13:10: error[E101]: a `{` is missing before `maximize`, after the head of "
      "the rule\n"
      "      must m maximize captured\n"
      "             ^^^^^^^^\n"
      "10 errors\n");
}

static void texts_and_numbers(void **state) {
  (void)state;
  assert_messages(
      "game \"T\" {\n"
      "  win a \"Never closed {\n"
      "    when x = 1000000001\n"
      "    worth 1/0\n"
      "  }\n"
      "  scenario \"s\" { answer do }\n"
      "  let x = line [ a run 0 ]\n"
      "}\n",
      "a.tavl:2:9: error[E011]: the text that begins here is not closed on its line\n"
      "      win a \"Never closed {\n"
      "            ^\n"
      "a.tavl:3:14: error[E012]: numbers go up to 1000000000\n"
      "        when x = 1000000001\n"
      "                 ^^^^^^^^^^\n"
      "a.tavl:4:11: error[E100]: `1/0` has a zero after the `/`\n"
      "        worth 1/0\n"
      "              ^^^\n"
      "a.tavl:6:25: error[E100]: an answer is `accept` or `decline`\n"
      "      scenario \"s\" { answer do }\n"
      "                            ^^\n"
      "a.tavl:7:24: error[E100]: a run has at least one cell\n"
      "      let x = line [ a run 0 ]\n"
      "                           ^\n"
      "5 errors\n");
}

static void files_without_a_unit(void **state) {
  (void)state;
  assert_messages("",
                  "a.tavl:1:1: error[E102]: the file is empty\n  note: a file holds a "
                  "game, a house or a library\n1 error\n");
  start_afresh();
  assert_messages("region x = a1\n",
                  "a.tavl:1:1: error[E100]: `region` cannot stand here; expected `game`, "
                  "`house` or `library`\n"
                  "    region x = a1\n"
                  "    ^^^^^^\n"
                  "1 error\n");
  start_afresh();
  assert_messages(
      "game Title { win a { whn x } }\n",
      "a.tavl:1:6: error[E100]: `Title` cannot stand here; expected a text in quotation "
      "marks\n"
      "    game Title { win a { whn x } }\n"
      "         ^^^^^\n"
      "  note: in quotation marks: \"Title\"\n"
      "a.tavl:1:22: error[E100]: `whn` cannot stand here; expected a clause or `}`\n"
      "    game Title { win a { whn x } }\n"
      "                         ^^^\n"
      "  note: did you mean `when`?\n"
      "2 errors\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(misspelt_words),
      TEST(slips_of_other_languages),
      TEST(a_word_of_the_language_as_the_name_of_a_rule),
      TEST(things_left_out),
      TEST(texts_and_numbers),
      TEST(files_without_a_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
