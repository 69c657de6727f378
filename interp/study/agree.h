/* Whether a kernel finds the turns that the reference finds. */
#ifndef AGREE_H
#define AGREE_H

#include "play/lister.h"

/* Compares the turns of p as the engine and as the lister (of the same engine) find them: where they lead, what
 * their steps lead to and how many pieces are taken on the way. False: `why` names one turn that differs and who
 * (`other`: a name for the lister's kernel) has it, or who alone
 * comes upon a script that errs or effects that contradict each other. Where the reference has too many turns or the kernel
 * cannot hold the position there is nothing to compare. The engine's complaint is taken away: whoever asks for the turns of
 * the position finds it again. */
bool agree(Engine *engine, Lister *lister, const char *other, const Position *p, char *why, size_t room);

#endif
