/* What is said about positions and moves, in English or Russian, from the one list
 * words.def. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum WordsId {
#define WORDS(id, english, russian) WORDS_##id,
#include "play/words.def"
#undef WORDS
  WORDS_COUNT
} WordsId;

/* The text itself, with its {names}. */
const char *words_text(WordsId id, bool russian);
/* Writes the text into `text`, cut where it is full; returns how long it is there.
 * `put_in[i]`, i from 1, stands for the i-th name of the English text. */
size_t words_write(char *text, size_t room, WordsId id, bool russian,
                   const char *const *put_in);
/* words_write with what is put in as arguments. */
#define WORDS_WRITE(text, room, russian, id, ...)    \
  words_write((text), (room), WORDS_##id, (russian), \
              (const char *const[]){NULL, __VA_ARGS__})

/* A number as a text, good to the end of the block. */
#define WORDS_NUMBER(n) words_number((char[24]){0}, (n))
const char *words_number(char text[24], long long number);

#endif
