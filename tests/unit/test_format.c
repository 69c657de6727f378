#include "unit_text.h"
#include "front/format.h"

#include <glob.h>
#include "front/parse.h"

static int count(const char *text, const char *part) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, part)); at++) n++;
  return n;
}

/* A fixed point, with the same tokens and the same comments. */
static const char *assert_stable(int file) {
  char *once = format_source(sources.arena, &sources, file, &diags);
  if (!once) return NULL;
  int again = take(once);
  char *twice = format_source(sources.arena, &sources, again, &diags);
  assert_non_null(twice);
  assert_string_equal(once, twice);
  Tokens a = parse_tokens(sources.arena, &sources, file);
  Tokens b = parse_tokens(sources.arena, &sources, again);
  const char *before = sources.at[file].text;
  assert_int_equal(a.n, b.n);
  for (int i = 0; i < a.n; i++) {
    assert_int_equal(a.at[i].kind, b.at[i].kind);
    assert_int_equal(a.at[i].end - a.at[i].start, b.at[i].end - b.at[i].start);
    assert_memory_equal(before + a.at[i].start, once + b.at[i].start,
                        (size_t)(a.at[i].end - a.at[i].start));
  }
  assert_int_equal(count(before, "#"), count(once, "#"));
  return once;
}

static void the_examples_come_out_as_written(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob("tests/format/*.in", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char path[256];
    snprintf(path, sizeof path, "%.*s.out", (int)strlen(found.gl_pathv[i]) - 3, found.gl_pathv[i]);
    int wanted = diags_open(&diags, path);
    assert_true(wanted >= 0);
    const char *got = assert_stable(diags_open(&diags, found.gl_pathv[i]));
    assert_non_null(got);
    assert_string_equal(got, sources.at[wanted].text);
  }
  globfree(&found);
}

static void the_games_are_stable(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob("stdlib/*.tavl", 0, NULL, &found), 0);
  glob("rules/*/*.tavl", GLOB_APPEND, NULL, &found);
  glob("rules/*/house/*.tavl", GLOB_APPEND, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++) assert_stable(diags_open(&diags, found.gl_pathv[i]));
  globfree(&found);
}

/* However the blanks and line ends of a game are shuffled, tokens and comments survive. */
static void shuffled_blanks(void **state) {
  (void)state;
  int file = diags_open(&diags, "rules/tafl/tavlei.tavl");
  assert_true(file >= 0);
  const char *text = sources.at[file].text;
  unsigned seed = 12345;
  for (int round = 0; round < 40; round++) {
    char *shuffled = arena_alloc(sources.arena, sources.at[file].length * 4 + 16);
    char *out = shuffled;
    bool in_text = false, in_comment = false, in_row = false;
    for (const char *c = text; *c; c++) {
      if (*c == '"' && !in_comment) in_text = !in_text;
      if (*c == '#' && !in_text) in_comment = true;
      if (*c == '|' && !in_comment) in_row = !in_row;
      bool blank = *c == ' ' || *c == '\n';
      bool held = in_text || in_comment || in_row || c[1] == '|'; /* rows are one token */
      if (*c == '\n') {
        *out++ = *c;
        in_comment = in_row = false;
      } else if (!blank || held) {
        *out++ = *c;
        continue;
      }
      static const char *const blanks[] = {" ",  "  ",   "\n",     "\n\n\n",
                                           "\t", "\r\n", " \n  ", "   "};
      seed = seed * 1664525u + 1013904223u;
      out = stpcpy(out, blanks[seed >> 29]);
    }
    *out = '\0';
    assert_non_null(assert_stable(take(shuffled)));
  }
}

static void a_file_with_mistakes_is_left_alone(void **state) {
  (void)state;
  assert_null(format_source(sources.arena, &sources, take("game \"T\" { regoin x = a1 }"), &diags));
  assert_int_equal(diags.errors, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_examples_come_out_as_written),
      TEST(the_games_are_stable),
      TEST(shuffled_blanks),
      TEST(a_file_with_mistakes_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
