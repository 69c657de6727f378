/* Arenas: memory by lifetime. Everything that a loaded game owns comes from one arena and
 * goes with it; nothing is freed singly. All raw allocation of the program goes through
 * `memory_resize`, so that tests can count it, bound it and make it fail. */
#ifndef ARENA_H
#define ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

/* A new, empty arena, never NULL (see memory_resize). The caller frees it. The name must
 * outlive it. */
Arena *arena_new(const char *name);
/* Frees the arena and all that came from it. NULL is allowed. */
void arena_free(Arena *arena);
/* Zeroed memory, aligned for any type, valid until the arena is freed. Never NULL: when
 * memory runs out the program says so and exits with status 2 (nothing half-written). */
void *arena_alloc(Arena *arena, size_t size);
/* A zero-terminated copy of `length` bytes. */
char *arena_text(Arena *arena, const char *text, size_t length);
/* printf into the arena. */
char *arena_printf(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Bytes handed out so far. */
size_t arena_used(const Arena *arena);

/* The one gate: like realloc; size 0 frees and returns NULL. Never NULL otherwise (exits 2). */
void *memory_resize(void *block, size_t size);
/* For tests: let that many calls pass, then fail as if memory had run out; -1: never. */
void memory_fail_after(long calls);

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, n) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(n)))

#endif
