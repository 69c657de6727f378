/* Machine code for a lowered game: its list of operations printed as C, compiled by the system's
 * compiler, loaded, and kept in the user's cache for the next time. */
#ifndef NATIVE_H
#define NATIVE_H

#include "play/kernel.h"

/* Prints the game as one C file that needs nothing but a C11 compiler. Nothing that an author
 * wrote gets into it: only numbers and names of our own. With `start`, the start positions of
 * the kernel for each seat, it has a documented interface for programs that link it; `first` is
 * the seat that begins, -1 by lot. Without, it is for native_use. */
void native_print(const Kernel *kernel, const void *const *start, int first, FILE *out);

/* How hard the compiler is to try: of long lists it takes longer than a run wins back. */
static inline const char *native_effort(const Kernel *kernel) {
  const Program *p = kernel->program;
  return !p->bulky ? "-O3" : p->ops / p->rules->seats > 4 * PROGRAM_BULKY ? "-O1" : "-O2";
}

/* Makes the kernel use machine code, from the cache or newly compiled. False and a sentence
 * when there is no compiler or no cache: then the kernel stays as it is. With `cached_only`
 * nothing is compiled. */
bool native_use(Kernel *kernel, bool cached_only, char *why, size_t room);

#endif
