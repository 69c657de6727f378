/* Whether a kernel finds the turns that the reference finds. */
#ifndef AGREE_H
#define AGREE_H

#include "play/lister.h"

/* Compares the turns of p as the engine and as the lister (of the same engine) find them: where they lead, what
 * their steps lead to and how many pieces are taken on the way. False: `why` names one turn that differs and who
 * (`other`: a name for the lister's kernel) has it. Where the reference has too many turns or a script of it errs,
 * which is found again by whoever asks for the turns, there is nothing to compare. */
bool agree(Engine *engine, Lister *lister, const char *other, const Position *p, char *why, size_t room);

#endif
