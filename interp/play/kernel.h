/* The kernels: games lowered to operations on site sets, played by the interpreter or by
 * machine code. Both have one interface (MachineApi) and one layout of positions but for the
 * width of sets; the same seed gives the same games with both.
 *
 * Life of a kernel: kernel_new → kernel_native (optional) → kernel_load, api calls → kernel_free. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdio.h>

#include "play/engine.h"
#include "play/machine.h"
#include "play/program.h"

typedef struct KernelWidth { /* the interpreter for sets of so many words */
  MachineApi api;
  const void *(*game)(const Program *program, Arena *arena); /* what api.open wants */
} KernelWidth;
extern const KernelWidth kernel_1, kernel_2, kernel_4, kernel_8;
extern const KernelWidth kernel_1_bits, kernel_2_bits, kernel_4_bits, kernel_8_bits; /* see kernel_bits.h */

typedef struct Kernel {
  const Rules *rules;
  Program *program;
  const MachineApi *api;
  const void *game;  /* what api->open wants */
  int words;         /* of a set in positions of this api */
  size_t size;       /* of a position */
  bool native;
} Kernel;

/* Lowers the game for the interpreter. NULL if something in it is not lowered: then a sentence
 * in `why` names the rule. */
Kernel *kernel_new(const Rules *rules, char *why, size_t room);
/* The same, and the sections in `hosted` (bits) are left to the reference: to test what is done so. */
Kernel *kernel_new_hosted(const Rules *rules, uint64_t hosted, char *why, size_t room);
void kernel_free(Kernel *kernel);
/* From now on the machine code behind `api` (made of this kernel's program) is used. */
void kernel_use(Kernel *kernel, const MachineApi *api);

/* A context for one thread, and an engine for what only the reference can do; both are given
 * back with kernel_close. */
typedef struct KernelPlayer {
  const Kernel *kernel;
  void *ctx;
  Engine *engine; /* NULL: not needed */
  Position *p, *before;
  char complaint[512]; /* of the engine: MACHINE_HOST */
} KernelPlayer;
void kernel_open(const Kernel *kernel, KernelPlayer *player);
void kernel_close(KernelPlayer *player);
/* Why the last call of the player's api failed, in a sentence. */
const char *kernel_complaint(const KernelPlayer *player);

/* A position of the reference as one of the kernel's, in memory_resize'd memory of
 * kernel->size, or NULL: it holds more pieces than the kernel counts. Between turns or with
 * the dice thrown. */
void *kernel_load(const Kernel *kernel, const Layout *layout, const Position *p);
/* The same into memory of the caller's; false: it holds more pieces than the kernel counts. */
bool kernel_load_into(const Kernel *kernel, const Layout *layout, const Position *p, void *to);
/* And back: everything that position_same compares and all else that the kernel keeps. `p` is a
 * position of the game. */
void kernel_store(const Kernel *kernel, const Layout *layout, const void *position, Position *p);

/* A step of the machine as one of the reference's. */
Step kernel_step(const Kernel *kernel, const MachineStep *step);
/* Whether the step's way leads from its origin to its target, and over which sites. */
bool kernel_way(const Rules *rules, const MachineStep *step, SiteSet *between);

/* What the rules mean in the numbers of the kernel; shared by interpreter and printer. */
int32_t *program_label(const Program *program, int label, Arena *arena); /* [site + 1] */
int32_t *program_turn_start(const Program *program, Arena *arena);

#endif
