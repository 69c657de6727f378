/* Conditions and sets in words: why a condition holds or fails on a position, why a site is or
 * is not in a set. Goes down to the part that decides and collects the sites that show it. */
#ifndef TELL_H
#define TELL_H

#include "play/eval.h"

typedef struct Telling {
  EvalCtx ctx; /* a copy: words are bound and unbound on the way down */
  SiteSet witness;
  char *text; /* zero-terminated, cut when full */
  size_t room, used;
  int depth;
} Telling;

Telling telling(const EvalCtx *ctx, char *text, size_t room);
void tell(Telling *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Why the condition is `truth` (which it is). */
void tell_condition(Telling *t, const Expr *e, bool truth);
/* Why the site is not in (is in) the sites or pieces e. */
void tell_outside(Telling *t, const Expr *e, int site);
void tell_inside(Telling *t, const Expr *e, int site);
/* "6 holds 2 stone of black", "6 is empty". */
void tell_holds(Telling *t, int site);
/* "e5, e6 and 3 more". */
void tell_sites(Telling *t, const SiteSet *set);
/* What the author wrote, blanks joined, cut at 60 characters; "" without a place. */
const char *tell_words(const Rules *rules, Span span, char text[80]);
/* Whether the site is in the sites (or under the pieces) e. */
bool tell_contains(EvalCtx *ctx, const Expr *e, int site);

#endif
