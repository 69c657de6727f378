/* Random games by a kernel: simulate_run without players to ask. */
#ifndef QUICK_H
#define QUICK_H

#include "study/fast.h"
#include "study/simulate.h"

/* False: this order is not for a kernel (players that think, checks) or the kernel cannot;
 * nothing has been counted then. */
bool quick_run(const Rules *rules, const SimulateOrder *order, SimulateResult *result);

#endif
