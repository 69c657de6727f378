/* Arenas: chunks of memory that are freed together, and the one gate to the system's
 * memory. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 16 * 1024 };

typedef struct Chunk Chunk;
struct Chunk {
  Chunk *next;
  size_t room;
  size_t used;
  max_align_t data[];
};

struct Arena {
  const char *name;
  Chunk *chunks; /* the newest first */
  size_t used;
};

static long calls_left = -1; /* before an allocation fails on purpose; -1: never */

void memory_fail_after(long calls) {
  calls_left = calls;
}

static _Noreturn void out_of_memory(size_t size) {
  fprintf(stderr, "out of memory (%zu bytes wanted)\n", size);
  exit(2);
}

void *memory_resize(void *block, size_t size) {
  if (size == 0) {
    free(block);
    return NULL;
  }
  if (calls_left >= 0 && calls_left-- == 0) out_of_memory(size);
  void *moved = realloc(block, size);
  if (!moved) out_of_memory(size);
  return moved;
}

Arena *arena_new(const char *name) {
  Arena *arena = memory_resize(NULL, sizeof *arena);
  arena->name = name;
  arena->chunks = NULL;
  arena->used = 0;
  return arena;
}

void arena_free(Arena *arena) {
  if (!arena) return;
  for (Chunk *chunk = arena->chunks; chunk;) {
    Chunk *next = chunk->next;
    memory_resize(chunk, 0);
    chunk = next;
  }
  memory_resize(arena, 0);
}

void *arena_alloc(Arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) out_of_memory(size);
  size_t align = sizeof(max_align_t);
  size_t want = (size + align - 1) / align * align;
  if (want == 0) want = align;
  Chunk *chunk = arena->chunks;
  if (!chunk || chunk->room - chunk->used < want) {
    size_t room = want > CHUNK_SIZE ? want : CHUNK_SIZE;
    Chunk *fresh = memory_resize(NULL, sizeof *fresh + room);
    fresh->room = room;
    fresh->used = 0;
    /* A big block goes behind the current chunk, whose rest stays in use. */
    if (chunk && want > CHUNK_SIZE) {
      fresh->next = chunk->next;
      chunk->next = fresh;
    } else {
      fresh->next = chunk;
      arena->chunks = fresh;
    }
    chunk = fresh;
  }
  char *at = (char *)chunk->data + chunk->used;
  chunk->used += want;
  arena->used += want;
  return memset(at, 0, want);
}

char *arena_text(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return arena_text(arena, "", 0);
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = arena_vprintf(arena, format, arguments);
  va_end(arguments);
  return text;
}

size_t arena_used(const Arena *arena) {
  return arena->used;
}
