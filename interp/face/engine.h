/* The option --engine, and what the commands about engines share. */
#ifndef FACE_ENGINE_H
#define FACE_ENGINE_H

#include "face/call.h"
#include "study/fast.h"

/* Reads --engine; false after telling. */
bool call_engine(const Call *call, EngineChoice *choice, int *status);
/* Prints the operations of the game loaded, or its C. */
int dump_kernel(const Call *call, bool native, FILE *out);

#endif
