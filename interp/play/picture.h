/* Pictures: `line […]` matched on the board, and `braced`. */
#ifndef PICTURE_H
#define PICTURE_H

#include "play/eval.h"

/* The value of X_LINE_SITES: marked cells of all matches, or all cells if none is marked. */
SiteSet picture_sites(EvalCtx *ctx, const Expr *e);
/* The value of X_LINE_PIECES: the pieces of the marked cells on the matched sites. */
void picture_pieces(EvalCtx *ctx, const Expr *e, PieceSet *out);
/* The largest part of `x` each member of which has, on every axis of the board's ways, at
 * least one side that is off the board, in `safe`, or in the part. */
SiteSet picture_braced(const Rules *rules, SiteSet x, SiteSet safe);

#endif
