/* Whether a kernel and the reference say the same of one position; and of a position where they
 * do not, the smallest of its kind, and the rules without which they would. */
#ifndef DIFFER_H
#define DIFFER_H

#include "play/kernel.h"

typedef enum Side { SIDE_KERNEL, SIDE_NATIVE, SIDE_BULKY /* machine code as for a game of many operations */ } Side;

/* The reference and one kernel for the same rules, with the same history. */
typedef struct Pair {
  const Rules *rules;
  Engine *engine;
  uint64_t hosted;
  Side side;
  Kernel *kernel;
  KernelPlayer player;  /* its history is the engine's */
  KernelPlayer chancer; /* plays games of its own */
  Kernel *plain;        /* the interpreted kernel beside machine code; NULL: that is `kernel` */
  KernelPlayer plainly;
  Position *back, *made, *next; /* scratch */
  Position **past;      /* what has been pushed */
  int pasts, past_room;
} Pair;

/* `hosted`: sections that are left to the reference. False and a sentence: there is no kernel for the game, or no machine code. */
bool pair_open(Pair *pair, const Rules *rules, Side side, uint64_t hosted, char *why, size_t room);
void pair_close(Pair *pair);
void pair_forget(Pair *pair);
void pair_push(Pair *pair, const Position *p);
/* "kernel" or "machine code". */
const char *pair_side(const Pair *pair);

typedef enum DifferenceKind {
  SAME,
  ERRS_ALIKE,   /* no difference: a script errs, or effects contradict each other, for both */
  NOT_LOADED,   /* the kernel cannot hold the position */
  NOT_THERE,    /* a turn of the kernel that the reference does not know */
  NOT_FOUND,    /* a turn of the reference that the kernel does not know */
  NOT_LAWFUL,   /* a step of the kernel's that the reference would not make */
  LEADS_ELSEWHERE, /* the kernel's steps, made by the reference, lead to another position */
  TAKES_OTHERWISE, /* a turn of both that takes more pieces by one of them */
  COUNTED_OTHERWISE, /* perft */
  PLAYED_OTHERWISE   /* random games */
} DifferenceKind;

typedef struct Difference {
  DifferenceKind kind;
  int rule;   /* of the step that only one side makes, or -1 */
  char *text; /* what each side has; free() */
} Difference;

/* Compares what both say of a position whose dice, if it needs any, lie on the table. True: they
 * differ, and *d says how. */
bool pair_differs(Pair *pair, const Position *p, Difference *d);
/* The same for a position that waits for its dice: how they fall, and the counts of all throws. */
bool pair_throws_differ(Pair *pair, const Position *p, Difference *d);

/* Prints on standard error where they differ: the smallest position of the same difference, the
 * command that shows it, and the rules without which the two would agree. */
void differ_report(Pair *pair, const Position *p, const Difference *d, const char *game,
                   const char *options, const char *when);

#endif
