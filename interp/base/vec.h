/* Growable arrays: `VEC(Type) name = {0};` then VEC_PUSH(name, value); name.at[i]; name.n.
 * Freed with VEC_FREE. Memory comes from memory_resize. */
#ifndef VEC_H
#define VEC_H

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

#define VEC_FREE(vec)                          \
  do {                                         \
    (vec).at = memory_resize((vec).at, 0);     \
    (vec).n = (vec).room = 0;                  \
  } while (0)

#endif
