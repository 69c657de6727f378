/* Texts with names in braces, filled in. */
#include "play/words.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *english, *russian;
} words[] = {
#define WORDS(id, english, russian) {english, russian},
#include "play/words.def"
#undef WORDS
};

const char *words_text(WordsId id, bool russian) {
  return russian ? words[id].russian : words[id].english;
}

/* Which of the names of a text, from 1, is the one that begins at `name`. */
static int place_of(const char *text, const char *name, size_t length) {
  int place = 1;
  for (const char *at = text; (at = strchr(at, '{')); place++, at++)
    if (strncmp(at, name, length) == 0) break;
  return place;
}

size_t words_write(char *text, size_t room, WordsId id, bool russian,
                   const char *const *put_in) {
  size_t n = 0;
  if (room == 0) return 0;
  for (const char *at = words_text(id, russian); *at && n + 1 < room;) {
    if (*at != '{') {
      text[n++] = *at++;
      continue;
    }
    size_t length = strcspn(at, "}") + 1;
    const char *in = put_in[place_of(words[id].english, at, length)];
    for (; *in && n + 1 < room; in++) text[n++] = *in;
    at += length;
  }
  if (n + 1 == room) { /* perhaps within a character */
    while (n > 0 && ((unsigned char)text[n - 1] & 0xC0) == 0x80) n--;
    if (n > 0 && (unsigned char)text[n - 1] >= 0xC0) n--;
  }
  text[n] = 0;
  return n;
}

const char *words_number(char text[24], long long number) {
  snprintf(text, 24, "%lld", number);
  return text;
}
