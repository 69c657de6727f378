/* Growable arrays: `VEC(Type) name = {0};` then VEC_PUSH(name, value); name.at[i]; name.n.
 * Freed with VEC_FREE. Memory comes from memory_resize. VEC_PUSH_IN grows in an arena instead and is
 * never freed: what it has outgrown stays there until the arena goes. */
#ifndef VEC_H
#define VEC_H

#include <string.h>

#include "base/arena.h"

#define VEC(Type) \
  struct {        \
    Type *at;     \
    size_t n;     \
    size_t room;  \
  }

#define VEC_PUSH(vec, value)                                                           \
  do {                                                                                 \
    if ((vec).n == (vec).room) {                                                       \
      (vec).room = (vec).room ? (vec).room * 2 : 8;                                    \
      (vec).at = memory_resize((vec).at, (vec).room * sizeof *(vec).at);               \
    }                                                                                  \
    (vec).at[(vec).n++] = (value);                                                     \
  } while (0)

#define VEC_PUSH_IN(arena, vec, value)                                                 \
  do {                                                                                 \
    if ((vec).n == (vec).room) {                                                       \
      (vec).room = (vec).room ? (vec).room * 2 : 8;                                    \
      void *vec_new_ = arena_alloc((arena), (vec).room * sizeof *(vec).at);            \
      if ((vec).n) memcpy(vec_new_, (vec).at, (vec).n * sizeof *(vec).at);             \
      (vec).at = vec_new_;                                                             \
    }                                                                                  \
    (vec).at[(vec).n++] = (value);                                                     \
  } while (0)

#define VEC_FREE(vec)                          \
  do {                                         \
    (vec).at = memory_resize((vec).at, 0);     \
    (vec).n = (vec).room = 0;                  \
  } while (0)

#endif
