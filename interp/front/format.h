/* The canonical layout of a rules file, made from its tokens. Comments, blank lines (one
 * at most) and the author's line breaks are kept; indentation, spacing and the columns of
 * clauses are ours. Formatting twice changes nothing more, and the tokens before and
 * after are the same. */
#ifndef FORMAT_H
#define FORMAT_H

#include "base/diag.h"

/* The text in its canonical layout, in the arena; NULL if the file has mistakes in its
 * grammar (reported). */
char *format_source(Arena *arena, const Sources *sources, int file, Diags *diags);

#endif
