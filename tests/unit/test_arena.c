#include "unit.h"
#include "base/arena.h"

#include <sys/wait.h>
#include <unistd.h>

static void zeroed_and_aligned(void **state) {
  (void)state;
  Arena *arena = arena_new("test");
  for (size_t size = 0; size < 200; size++) {
    unsigned char *block = arena_alloc(arena, size);
    assert_int_equal((uintptr_t)block % sizeof(max_align_t) % 16, 0);
    for (size_t i = 0; i < size; i++) {
      assert_int_equal(block[i], 0);
      block[i] = 0xFF;
    }
  }
  arena_free(arena);
}

static void blocks_do_not_overlap(void **state) {
  (void)state;
  enum { N = 500 };
  Arena *arena = arena_new("test");
  unsigned char *blocks[N];
  for (int i = 0; i < N; i++) {
    size_t size = (size_t)(i * 37 % 5000) + (i % 50 == 0 ? 100000 : 1);
    blocks[i] = arena_alloc(arena, size);
    blocks[i][0] = (unsigned char)i;
    blocks[i][size - 1] = (unsigned char)i;
  }
  for (int i = 0; i < N; i++) assert_int_equal(blocks[i][0], (unsigned char)i);
  assert_true(arena_used(arena) > 500 * 1000);
  arena_free(arena);
}

static void texts(void **state) {
  (void)state;
  Arena *arena = arena_new("test");
  assert_string_equal(arena_text(arena, "abcdef", 3), "abc");
  assert_string_equal(arena_text(arena, "", 0), "");
  assert_string_equal(arena_printf(arena, "%s-%d", "e5", 42), "e5-42");
  char *longer = arena_printf(arena, "%5000d", 7);
  assert_int_equal(strlen(longer), 5000);
  arena_free(arena);
  arena_free(NULL);
}

static void without_memory_the_program_ends_with_two(void **state) {
  (void)state;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(9);
    memory_fail_after(3);
    Arena *arena = arena_new("test");
    for (int i = 0; i < 100; i++) arena_alloc(arena, 100000);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zeroed_and_aligned),
      cmocka_unit_test(blocks_do_not_overlap),
      cmocka_unit_test(texts),
      cmocka_unit_test(without_memory_the_program_ends_with_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
