/* Conditions and sets in words: why a condition holds or fails on a position, why a site is or
 * is not in a set. Goes down to the part that decides and collects the sites that show it. */
#ifndef TELL_H
#define TELL_H

#include "play/eval.h"
#include "play/words.h"

typedef struct Telling {
  EvalCtx ctx; /* a copy: words are bound and unbound on the way down */
  SiteSet witness;
  char *text; /* zero-terminated, cut when full */
  size_t room, used;
  int depth;
  bool russian;
} Telling;

/* In the language of the context's engine. */
Telling telling(const EvalCtx *ctx, char *text, size_t room);
/* Words of the list, with what is put in: SAY(t, IS_EMPTY, site). */
#define SAY(t, id, ...) tell_say((t), WORDS_##id, (const char *const[]){NULL, __VA_ARGS__})
void tell_say(Telling *t, WordsId id, const char *const *put_in);
/* What is the same in every language: names, numbers, signs. */
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
/* The same in quotation marks, `friend at here`; "it" without a place. */
const char *tell_quote(const Telling *t, const Expr *e, char text[96]);
/* "stone of white" */
const char *tell_piece(const Telling *t, int plane, char text[128]);
/* Whether the site is in the sites (or under the pieces) e. */
bool tell_contains(EvalCtx *ctx, const Expr *e, int site);

#endif
