#include "unit.h"
#include "front/parse.h"

#include <glob.h>

static Sources sources;
static Diags diags;
static Names *names;

static int set_up(void **state) {
  (void)state;
  memset(&sources, 0, sizeof sources);
  sources.arena = arena_new("test");
  diags_init(&diags, &sources, sources.arena);
  names = names_new(sources.arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(sources.arena);
  return 0;
}

static int take(const char *text, size_t length) {
  int file;
  assert_int_equal(source_from_text(&sources, "a.tavl", text, length, &file), SOURCE_OK);
  return file;
}

static Node *parse(const char *text) {
  return parse_file(&diags, names, sources.arena, take(text, strlen(text)));
}

static void assert_messages(const char *text, const char *expected) {
  parse(text);
  CAPTURE(printed, out, diags_print(&diags, out, false));
  assert_string_equal(printed, expected);
  free(printed);
}

/* ---- brackets of expressions ---- */

static void expressions_are_bracketed_as_the_golden_file_says(void **state) {
  (void)state;
  FILE *in = fopen("tests/grammar/expressions.golden", "r");
  assert_non_null(in);
  char line[1024];
  char golden[1024];
  int n = 0;
  for (; fgets(line, sizeof line, in); n++) {
    line[strcspn(line, "\n")] = '\0';
    assert_non_null(fgets(golden, sizeof golden, in));
    golden[strcspn(golden, "\n")] = '\0';
    const Node *tree =
        parse_expression(&diags, names, sources.arena, take(line, strlen(line)));
    CAPTURE(printed, out, tree_print_infix(tree, out));
    assert_string_equal(printed, golden + 4);
    free(printed);
  }
  fclose(in);
  assert_true(n > 50);
  assert_int_equal(diags.errors, 0);
}

/* ---- shapes ---- */

static void assert_tree(const char *text, const char *expected) {
  const Node *tree = parse(text);
  CAPTURE(printed, out, tree_print(tree, out));
  /* compared without indentation */
  size_t n = 0;
  for (const char *c = printed; *c; c++)
    if (*c == '\n') {
      printed[n++] = ' ';
      while (c[1] == ' ') c++;
    } else {
      printed[n++] = *c;
    }
  while (n && printed[n - 1] == ' ') n--;
  printed[n] = '\0';
  assert_string_equal(printed, expected);
  assert_int_equal(diags.errors, 0);
  free(printed);
}

static void tagged_texts(void **state) {
  (void)state;
  assert_tree(
      "game \"A\" ru \"Б\" is \"C\" no \"D\" see \"X-1\" { param clock_ = on | off \"s\" "
      "option \"clock\" see \"X-2\" }",
      "(FILE (GAME A (DOC (DOC_TEXT A) (DOC_TEXT Б :ru) (DOC_TEXT C :is) (DOC_TEXT D "
      ":no) (DOC_TEXT X-1 :see)) "
      "(ITEMS (PARAM clock_ (SPEC_VALUES (VALUE on) (VALUE off)) "
      "(DOC (DOC_TEXT s) (DOC_TEXT clock :option) (DOC_TEXT X-2 :see))))))");
}

static void values_that_are_words(void **state) {
  (void)state;
  assert_tree(
      "library l { param opening = reroll | use_dice param ends = draw | lose | 1 set "
      "ends = draw "
      "move m { if opening = reroll do set x = no, set y = draw } }",
      "(FILE (LIBRARY l (ITEMS (PARAM opening (SPEC_VALUES (VALUE reroll) (VALUE "
      "use_dice))) "
      "(PARAM ends (SPEC_VALUES (VALUE draw) (VALUE lose) (VALUE 1))) (SET ends (VALUE "
      "draw)) "
      "(RULE m :move (CLAUSES (CLAUSE if (E_EQ (E_NAME opening) (E_WORD reroll))) "
      "(CLAUSE do (DO_SET (TARGET x) (E_WORD no)) (DO_SET (TARGET y) (E_WORD "
      "draw))))))))");
}

static void named_numbers(void **state) {
  (void)state;
  assert_tree(
      "library l { param king_range = 3 in 1 .. 8 | unlimited = 8 | short = 2 \"Far.\" }",
      "(FILE (LIBRARY l (ITEMS (PARAM king_range (SPEC_RANGE (VALUE 3) (BODY (E_RANGE "
      "(E_INT 1) (E_INT 8))) "
      "(NAMED unlimited #8) (NAMED short #2)) (DOC (DOC_TEXT Far.))))))");
}

static void moves_of_hops_and_picks(void **state) {
  (void)state;
  assert_tree(
      "library l { scenario \"s\" { given { place 2 man of white on a1, bar if x = no "
      "set y = 1 } dice 6, 1 "
      "play roll_bonus = 6, 1-7-tray, king hand-a1 illegal pass because turn.again legal "
      "a1-a2 answer accept } }",
      "(FILE (LIBRARY l (ITEMS (SCENARIO s (DOC (DOC_TEXT s)) (STEPS (ST_GIVEN (LAYOUT "
      "(PLACE man :white #2 (BODY (E_NAME a1) (E_NAME bar)) (IF (E_EQ (E_NAME x) (E_WORD "
      "no)))) "
      "(PUT_STATE (TARGET y) (E_INT 1)))) (ST_DICE (E_INT 6) (E_INT 1)) "
      "(ST_PLAY (MOVE (PICK roll_bonus :6) (HOP (WORD 1) (WORD 7) (WORD tray)) (HOP king "
      "(WORD hand) (WORD a1)))) "
      "(ST_ILLEGAL (MOVE (PICK pass)) (BECAUSE turn :again)) (ST_LEGAL (MOVE (HOP (WORD "
      "a1) (WORD a2)))) "
      "(ST_ANSWER accept))))))");
}

static void layers(void **state) {
  (void)state;
  assert_tree(
      "house \"H\" extends \"G\" { remove scenario \"s t\" change turn { remove again } "
      "replace region x = a1 "
      "before y win z { when gained } remove board change settle q { do gain 6, storm } "
      "}",
      "(FILE (HOUSE H (DOC (DOC_TEXT H)) (EXTENDS G) (ITEMS (REMOVE (HEAD \"s t\" "
      ":scenario)) "
      "(CHANGE (HEAD :turn) (CLAUSES (CLAUSE_REMOVE again))) (REPLACE (REGION x (BODY "
      "(E_NAME a1)))) "
      "(BEFORE y (RULE z :win (CLAUSES (CLAUSE when (E_NAME gained))))) (REMOVE (HEAD "
      ":board)) "
      "(CHANGE (HEAD q :settle) (CLAUSES (CLAUSE do (DO_GAIN (E_INT 6)) (DO_HOOK "
      "storm)))))))");
}

static void every_node_has_a_place(void **state) {
  (void)state;
  const char *text = "game \"T\" {\n  region castle of white = throne + e5 \"Here.\"\n}";
  const Node *tree = parse(text);
  const Node *region = node_find(tree->kid, N_ITEMS)->kid;
  assert_int_equal(region->kind, N_REGION);
  assert_memory_equal(text + region->span.start,
                      "region castle of white = throne + e5 \"Here.\"", 43);
  assert_int_equal(region->span.end - region->span.start, 44);
  assert_memory_equal(text + region->name.start, "castle of", 9);
  assert_int_equal(region->name.end - region->name.start, 6);
  const Node *sum = node_find(region, N_BODY)->kid;
  assert_int_equal(sum->kind, N_E_ADD);
  assert_memory_equal(text + sum->span.start, "throne + e5 ", 12);
  assert_int_equal(sum->span.end - sum->span.start, 11);
  assert_string_equal(node_doc(region, NULL), "Here.");
  assert_null(node_doc(region, "ru"));
  assert_int_equal(node_count(sum), 2);
  assert_ptr_equal(node_kid(sum, 1), sum->last);
}

/* ---- messages, word for word ---- */

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
  tear_down(NULL);
  set_up(NULL);
  assert_messages("region x = a1\n",
                  "a.tavl:1:1: error[E100]: `region` cannot stand here; expected `game`, "
                  "`house` or `library`\n"
                  "    region x = a1\n"
                  "    ^^^^^^\n"
                  "1 error\n");
  tear_down(NULL);
  set_up(NULL);
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

/* ---- hostile texts: a message, in time, and a tree ---- */

static void repeat(const char *before, const char *part, int times, const char *after) {
  size_t n = strlen(part);
  size_t length = strlen(before) + n * (size_t)times + strlen(after);
  char *text = malloc(length + 1);
  char *at = stpcpy(text, before);
  for (int i = 0; i < times; i++) at = mempcpy(at, part, n);
  strcpy(at, after);
  int file = take(text, length);
  free(text);
  const Node *tree = parse_file(&diags, names, sources.arena, file);
  assert_int_equal(tree->kind, N_FILE);
  assert_true(tree->depth <= TREE_MAX_DEPTH + 20);
}

static void too_deep(const char *before, const char *part, int times, const char *after) {
  tear_down(NULL);
  set_up(NULL);
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
    tear_down(NULL);
    set_up(NULL);
    repeat(i % 2 ? "game \"T\" {" : "", parts[i], 300000 / (int)strlen(parts[i]), "");
    assert_true(diags.errors > 0);
  }
}

/* ---- words ---- */

static void clause_words_and_names_are_disjoint(void **state) {
  (void)state;
  static const char *const built_in[] = {
#define NAME(id, word, form, type, help) word,
#include "front/names.def"
#undef NAME
  };
  const char *group;
  const char *word;
  for (int i = 0; (word = parse_keyword(i, &group)); i++)
    for (size_t k = 0; k < sizeof built_in / sizeof *built_in; k++)
      assert_string_not_equal(word, built_in[k]);
}

static void keywords_stand_once(void **state) {
  (void)state;
  const char *group;
  const char *a;
  const char *b;
  for (int i = 0; (a = parse_keyword(i, &group)); i++)
    for (int k = 0; k < i && (b = parse_keyword(k, &group)); k++)
      assert_string_not_equal(a, b);
}

static void all_clauses_are_words(void **state) {
  (void)state;
  static const char *const clauses[] = {
#define CLAUSE(id, word, kinds, type, help) word,
#include "front/clauses.def"
#undef CLAUSE
  };
  for (size_t k = 0; k < sizeof clauses / sizeof *clauses; k++) {
    const char *group = "";
    const char *word;
    bool found = false;
    for (int i = 0; (word = parse_keyword(i, &group)); i++)
      if (strcmp(word, clauses[k]) == 0 && strcmp(group, "clause") == 0) found = true;
    assert_true(found);
  }
}

static void tokens(void **state) {
  (void)state;
  const char *text = "game \"T\" { # c\n 12 | . a | 2d6 1/2 x }";
  Tokens list = parse_tokens(sources.arena, &sources, take(text, strlen(text)));
  const char *expected[] = {"game", "text",     "{",    "board row",
                            "dice", "fraction", "name", "}"};
  assert_int_equal(list.n, 8);
  for (int i = 0; i < list.n; i++) {
    const char *name = parse_token_name(list.at[i].kind);
    if (name[0] == '\'')
      assert_int_equal(name[1], expected[i][0]);
    else
      assert_string_equal(name, expected[i]);
  }
}

static void the_games_have_no_mistakes(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob("stdlib/*.tavl", 0, NULL, &found), 0);
  glob("rules/*/*.tavl", GLOB_APPEND, NULL, &found);
  glob("rules/*/house/*.tavl", GLOB_APPEND, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    int file = diags_open(&diags, found.gl_pathv[i]);
    assert_true(file >= 0);
    parse_file(&diags, names, sources.arena, file);
  }
  if (diags.errors) diags_print(&diags, stderr, false);
  assert_int_equal(diags.errors, 0);
  globfree(&found);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(expressions_are_bracketed_as_the_golden_file_says),
      TEST(tagged_texts),
      TEST(values_that_are_words),
      TEST(named_numbers),
      TEST(moves_of_hops_and_picks),
      TEST(layers),
      TEST(every_node_has_a_place),
      TEST(misspelt_words),
      TEST(a_brace_that_is_not_closed),
      TEST(a_brace_at_the_end),
      TEST(brackets),
      TEST(braces_too_many_or_missing),
      TEST(slips_of_other_languages),
      TEST(a_word_of_the_language_as_the_name_of_a_rule),
      TEST(things_left_out),
      TEST(texts_and_numbers),
      TEST(files_without_a_unit),
      TEST(deep_nesting_is_refused),
      TEST(long_texts_take_no_time),
      TEST(clause_words_and_names_are_disjoint),
      TEST(keywords_stand_once),
      TEST(all_clauses_are_words),
      TEST(tokens),
      TEST(the_games_have_no_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
