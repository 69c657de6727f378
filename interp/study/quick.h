/* Random games by a kernel: simulate_run without players to ask. */
#ifndef QUICK_H
#define QUICK_H

#include "study/fast.h"
#include "study/simulate.h"

typedef enum Quick {
  QUICK_NOT,   /* this order is not for a kernel (players that think, checks), or the kernel cannot; nothing is counted */
  QUICK_DONE,
  QUICK_FAILED /* a game cannot be played: a sentence in `why` */
} Quick;
Quick quick_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result, char *why, size_t room);

#endif
