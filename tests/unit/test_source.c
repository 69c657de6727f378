#include "unit.h"
#include "base/source.h"

#include <unistd.h>

static Sources sources;

static int set_up(void **state) {
  (void)state;
  memset(&sources, 0, sizeof sources);
  sources.arena = arena_new("test");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(sources.arena);
  return 0;
}

static int take(const char *text, size_t length, SourceStatus expected) {
  int file = -1;
  assert_int_equal(source_from_text(&sources, "test.tavl", text, length, &file),
                   expected);
  return file;
}

static void assert_place(int file, int offset, int line, int column) {
  int l, c;
  Span span = {file, offset, offset + 1};
  source_locate(&sources, span, &l, &c);
  assert_int_equal(l, line);
  assert_int_equal(c, column);
  assert_int_equal(source_line_of(&sources, file, offset), line);
}

static void lines_and_columns(void **state) {
  (void)state;
  const char *text = "one\nдва три\n\nend";
  int file = take(text, strlen(text), SOURCE_OK);
  assert_place(file, 0, 1, 1);
  assert_place(file, 3, 1, 4);
  assert_place(file, 4, 2, 1);
  assert_place(file, 11, 2, 5); /* т: characters, not bytes */
  assert_place(file, 18, 3, 1);
  assert_place(file, 19, 4, 1);
  assert_place(file, 22, 4, 4);
  assert_place(file, 9999, 4, 4);
  size_t length;
  assert_memory_equal(source_line(&sources, file, 2, &length), "два три", 13);
  assert_int_equal(length, 13);
  source_line(&sources, file, 3, &length);
  assert_int_equal(length, 0);
  source_line(&sources, file, 99, &length);
  assert_int_equal(length, 0);
}

static void windows_files(void **state) {
  (void)state;
  const char *text = "\xEF\xBB\xBFone\r\ntwo\r\n";
  int file = take(text, strlen(text), SOURCE_OK);
  assert_string_equal(sources.at[file].text, "one\r\ntwo\r\n");
  size_t length;
  source_line(&sources, file, 1, &length);
  assert_int_equal(length, 3);
  assert_place(file, 5, 2, 1);
}

static void what_is_no_text(void **state) {
  (void)state;
  int file = take("ab\0cd", 5, SOURCE_NOT_TEXT);
  assert_string_equal(sources.at[file].text, "ab?cd"); /* to point at what is bad */
  assert_int_equal(sources.at[file].bads, 1);
  assert_int_equal(sources.at[file].bad[0].offset, 2);
  file = take("ab\xFF", 3, SOURCE_NOT_TEXT);
  assert_true(sources.at[file].bad[0].is_byte);
  assert_int_equal(sources.at[file].bad[0].code, 0xFF);
  take("ab\xD0", 3, SOURCE_NOT_TEXT);
  file = take("a\u202Eb\u00ADc\rd\r\n\r", 13, SOURCE_NOT_TEXT);
  assert_string_equal(sources.at[file].text, "a?b?c?d\r\n\r");
  assert_int_equal(sources.at[file].bads, 3);
  assert_int_equal(sources.at[file].bad[0].code, 0x202E);
  assert_int_equal(sources.at[file].bad[2].offset, 5);
  take("", 0, SOURCE_OK);
}

static void what_is_too_big(void **state) {
  (void)state;
  char *big = calloc(1, SOURCE_MAX_BYTES + 2);
  memset(big, ' ', SOURCE_MAX_BYTES + 1);
  take(big, SOURCE_MAX_BYTES, SOURCE_OK);
  take(big, SOURCE_MAX_BYTES + 1, SOURCE_TOO_BIG);
  free(big);
}

static void files(void **state) {
  (void)state;
  int file;
  assert_int_equal(source_read(&sources, "no/such/file.tavl", &file), SOURCE_MISSING);
  assert_int_equal(source_read(&sources, "/", &file), SOURCE_UNREADABLE);
  assert_int_equal(source_read(&sources, "/dev/zero", &file), SOURCE_TOO_BIG);
  char path[] = "/tmp/tavl-test-XXXXXX";
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  assert_int_equal(write(handle, "game\n", 5), 5);
  close(handle);
  int again;
  assert_int_equal(source_read(&sources, path, &file), SOURCE_OK);
  assert_int_equal(source_read(&sources, path, &again), SOURCE_OK);
  assert_int_equal(file, again);
  assert_string_equal(sources.at[file].text, "game\n");
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(lines_and_columns, set_up, tear_down),
      cmocka_unit_test_setup_teardown(windows_files, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_text, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_too_big, set_up, tear_down),
      cmocka_unit_test_setup_teardown(files, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
