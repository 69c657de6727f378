/* Trees: brackets of expressions, shapes, places; the words of the language; the games that there are. */
#include "unit_parse.h"

#include <glob.h>

/* ---- brackets of expressions ---- */

static void expressions_are_bracketed_as_the_golden_file_says(void **state) {
  (void)state;
  FILE *in = fopen("tests/grammar/expressions.golden", "r");
  assert_non_null(in);
  char line[1024];
  char golden[1024];
  Names *names = names_new(sources.arena);
  int n = 0;
  for (; fgets(line, sizeof line, in); n++) {
    line[strcspn(line, "\n")] = '\0';
    assert_non_null(fgets(golden, sizeof golden, in));
    golden[strcspn(golden, "\n")] = '\0';
    const Node *tree = parse_expression(&diags, names, sources.arena, take(line));
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
  Tokens list = parse_tokens(sources.arena, &sources, take(text));
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
  Names *names = names_new(sources.arena);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(expressions_are_bracketed_as_the_golden_file_says),
      TEST(tagged_texts),
      TEST(values_that_are_words),
      TEST(named_numbers),
      TEST(moves_of_hops_and_picks),
      TEST(layers),
      TEST(every_node_has_a_place),
      TEST(clause_words_and_names_are_disjoint),
      TEST(keywords_stand_once),
      TEST(all_clauses_are_words),
      TEST(tokens),
      TEST(the_games_have_no_mistakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
