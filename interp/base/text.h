/* Text: interned names and "did you mean". An interned name is equal to another exactly
 * when the pointers are equal. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

typedef struct Names Names; /* an interning table; lives in its arena */

Names *names_new(Arena *arena);
/* The one copy of this text. */
const char *names_intern(Names *names, const char *text, size_t length);
const char *names_intern0(Names *names, const char *text);

/* Bytes of the character at `text` (1 to 4), or 0 if it is not well-formed UTF-8. */
int text_char(const char *text, size_t length);
/* The number of the character at `text`, which has so many bytes. */
uint32_t text_code(const char *text, int bytes);
/* What a character is that may not stand in a text, "right-to-left override": it steers a
 * terminal, turns the direction of writing or is not seen at all. NULL for those that may;
 * tabs and line feeds may. */
const char *text_unseen(uint32_t code);
/* Makes a text fit for a line on a terminal: `?` for what may not stand in a text and for
 * bytes that are no character, blanks for tabs and line feeds. It never gets longer. */
void text_tame(char *text);
/* A word with Latin letters for the Cyrillic ones that look like them, to `latin`; false if it
 * has none of these, or other letters that are not Latin. */
bool text_latin(const char *word, char *latin, size_t room);
/* Characters in a piece of well-formed UTF-8. */
int text_columns(const char *text, size_t length);

/* Decimal digits at *at, which goes past them; false if there are none, or more than `most`
 * comes out. */
bool text_digits(const char **at, int64_t most, int64_t *number);
/* A text that is a whole number within low .. high and nothing else: no blanks, no plus, no
 * other base; a minus where low is below zero. */
bool text_number(const char *text, int64_t low, int64_t high, int64_t *number);

/* "3" for "three"; NULL if the word is no small number. */
const char *text_digits_of(const char *word);

/* Writes the reason and returns false. */
bool text_fail(char *why, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Damerau-Levenshtein distance, at most `most` + 1. */
int text_distance(const char *a, const char *b, int most);
/* The nearest of `n` candidates (NULLs skipped) that is near enough to be a slip of the
 * pen (distance at most 1 for 3 or 4 letters, 2 up to 8, then 3; prefix counts), or NULL. */
const char *text_nearest(const char *word, const char *const *candidates, size_t n);

#endif
