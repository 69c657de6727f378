/* The option --engine, and what the commands about engines share. */
#ifndef FACE_ENGINE_H
#define FACE_ENGINE_H

#include "face/call.h"
#include "study/fast.h"

/* Reads --engine; false after telling. */
bool call_engine(const Call *call, EngineChoice *choice, int *status);
/* call_load for a command that lists turns: its lister lists by the engine of --engine. Left to
 * choose it is the reference, which has listed a position before a kernel is made. */
bool call_open(Call *call, const char *game, int *status);
/* Whether --engine leaves the choice to the program. */
bool call_left_to_choose(const Call *call);
/* Prints the operations of the game loaded, or its C. */
int dump_kernel(const Call *call, bool native, FILE *out);

#endif
