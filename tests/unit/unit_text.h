/* What the tests of texts share: one text after another as a file `a.tavl`, and what is said of it. */
#ifndef UNIT_TEXT_H
#define UNIT_TEXT_H

#include "unit.h"
#include "base/diag.h"

static Sources sources;
static Diags diags;

static inline int set_up(void **state) {
  (void)state;
  memset(&sources, 0, sizeof sources);
  sources.arena = arena_new("test");
  diags_init(&diags, &sources, sources.arena);
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  arena_free(sources.arena);
  return 0;
}

/* Within a test: another text, as if nothing had been read or said before. */
static inline void start_afresh(void) {
  tear_down(NULL);
  set_up(NULL);
}

static inline int take(const char *text) {
  int file;
  assert_int_equal(source_from_text(&sources, "a.tavl", text, strlen(text), &file), SOURCE_OK);
  return file;
}

static inline void assert_printed(const char *expected) {
  CAPTURE(printed, out, diags_print(&diags, out, false));
  assert_string_equal(printed, expected);
  free(printed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
