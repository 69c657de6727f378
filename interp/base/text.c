/* Text: UTF-8, interned names, and the nearest word to a misspelt one. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

int text_char(const char *text, size_t length) {
  if (length == 0) return 0;
  unsigned char a = (unsigned char)text[0];
  if (a < 0x80) return 1;
  int n = a >= 0xC2 && a <= 0xDF   ? 2
          : a >= 0xE0 && a <= 0xEF ? 3
          : a >= 0xF0 && a <= 0xF4 ? 4
                                   : 0;
  if (n == 0 || (size_t)n > length) return 0;
  for (int i = 1; i < n; i++)
    if (((unsigned char)text[i] & 0xC0) != 0x80) return 0;
  unsigned char b = (unsigned char)text[1];
  if (a == 0xE0 && b < 0xA0) return 0; /* overlong */
  if (a == 0xED && b > 0x9F) return 0; /* a surrogate */
  if (a == 0xF0 && b < 0x90) return 0; /* overlong */
  if (a == 0xF4 && b > 0x8F) return 0; /* beyond the last character */
  return n;
}

uint32_t text_code(const char *text, int bytes) {
  unsigned char first = (unsigned char)text[0];
  uint32_t code = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (int i = 1; i < bytes; i++) code = code << 6 | ((unsigned char)text[i] & 0x3F);
  return code;
}

/* Not here: the joiners U+200C and U+200D and the variants of signs, which shape letters. */
static const struct Unseen {
  uint32_t first, last;
  const char *name;
} unseen[] = { /* in ascending order */
    {0x00, 0x00, "null"},
    {0x01, 0x06, "control character"},
    {0x07, 0x07, "bell"},
    {0x08, 0x08, "backspace"},
    {0x0B, 0x0B, "vertical tab"},
    {0x0C, 0x0C, "form feed"},
    {0x0D, 0x0D, "carriage return without line feed"},
    {0x0E, 0x1A, "control character"},
    {0x1B, 0x1B, "escape"},
    {0x1C, 0x1F, "control character"},
    {0x7F, 0x9F, "control character"},
    {0xAD, 0xAD, "soft hyphen"},
    {0x61C, 0x61C, "Arabic letter mark"},
    {0x115F, 0x1160, "filler of Hangul"},
    {0x180E, 0x180E, "Mongolian vowel separator"},
    {0x200B, 0x200B, "zero width space"},
    {0x200E, 0x200E, "left-to-right mark"},
    {0x200F, 0x200F, "right-to-left mark"},
    {0x2028, 0x2028, "line separator"},
    {0x2029, 0x2029, "paragraph separator"},
    {0x202A, 0x202A, "left-to-right embedding"},
    {0x202B, 0x202B, "right-to-left embedding"},
    {0x202C, 0x202C, "end of embedding or override"},
    {0x202D, 0x202D, "left-to-right override"},
    {0x202E, 0x202E, "right-to-left override"},
    {0x2060, 0x2060, "word joiner"},
    {0x2061, 0x2065, "invisible operator"},
    {0x2066, 0x2066, "left-to-right isolate"},
    {0x2067, 0x2067, "right-to-left isolate"},
    {0x2068, 0x2068, "first strong isolate"},
    {0x2069, 0x2069, "end of isolate"},
    {0x206A, 0x206F, "old control of shaping"},
    {0x3164, 0x3164, "filler of Hangul"},
    {0xFEFF, 0xFEFF, "byte order mark"},
    {0xFFA0, 0xFFA0, "filler of Hangul"},
    {0xFFF9, 0xFFFB, "mark of annotation"},
    {0xE0000, 0xE007F, "invisible tag"},
};

const char *text_unseen(uint32_t code) {
  if (code == '\t' || code == '\n' || (code >= ' ' && code < 0x7F)) return NULL; /* most text by far */
  for (size_t i = 0; i < sizeof unseen / sizeof *unseen && code >= unseen[i].first; i++)
    if (code <= unseen[i].last) return unseen[i].name;
  return NULL;
}

void text_tame(char *text) {
  char *to = text;
  for (size_t length = strlen(text); length > 0;) {
    int n = text_char(text, length);
    int bytes = n ? n : 1;
    if (n == 0 || text_unseen(text_code(text, n))) {
      *to++ = '?';
    } else if (*text == '\t' || *text == '\n') {
      *to++ = ' ';
    } else {
      memmove(to, text, (size_t)bytes);
      to += bytes;
    }
    text += bytes;
    length -= (size_t)bytes;
  }
  *to = 0;
}

bool text_latin(const char *word, char *latin, size_t room) {
  static const char cyrillic[] = "аеорсхукіѕјАВЕКМНОРСТХУІЅЈ"; /* two bytes each */
  static const char like_them[] = "aeopcxykisjABEKMHOPCTXYISJ";
  bool any = false;
  size_t n = 0;
  for (size_t left = strlen(word); left > 0;) {
    int bytes = text_char(word, left);
    char letter = bytes == 1 ? *word : 0;
    for (size_t i = 0; bytes == 2 && like_them[i]; i++)
      if (memcmp(word, cyrillic + 2 * i, 2) == 0) letter = like_them[i];
    if (!letter || n + 1 >= room) return false;
    any = any || bytes == 2;
    latin[n++] = letter;
    word += bytes;
    left -= (size_t)bytes;
  }
  latin[n] = 0;
  return any;
}

int text_columns(const char *text, size_t length) {
  int columns = 0;
  for (size_t i = 0; i < length; i++)
    if (((unsigned char)text[i] & 0xC0) != 0x80) columns++;
  return columns;
}

/* ---- numbers ---- */

bool text_digits(const char **at, int64_t most, int64_t *number) {
  int64_t n = 0;
  const char *digit = *at;
  for (; *digit >= '0' && *digit <= '9'; digit++) {
    int64_t d = *digit - '0';
    if (n > (most - d) / 10) return false;
    n = n * 10 + d;
  }
  if (digit == *at) return false;
  *at = digit;
  *number = n;
  return true;
}

bool text_number(const char *text, int64_t low, int64_t high, int64_t *number) {
  bool minus = *text == '-' && low < 0;
  int64_t n;
  if (minus) text++;
  if (!text_digits(&text, INT64_MAX, &n) || *text) return false;
  if (minus) n = -n;
  if (n < low || n > high) return false;
  *number = n;
  return true;
}

const char *text_digits_of(const char *text) {
  static const char *const words[] = {"zero", "one", "two", "three", "four", "five", "six",
                                      "seven", "eight", "nine", "ten", "eleven", "twelve"};
  static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6",
                                       "7", "8", "9", "10", "11", "12"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], text)) return digits[i];
  return NULL;
}

bool text_fail(char *why, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, room, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- interned names ---- */

struct Names {
  Arena *arena;
  const char **slots; /* open addressing, a power of two of them */
  size_t room;
  size_t n;
};

enum { FIRST_ROOM = 256 };

Names *names_new(Arena *arena) {
  Names *names = ARENA_NEW(arena, Names);
  names->arena = arena;
  names->room = FIRST_ROOM;
  names->slots = ARENA_ARRAY(arena, const char *, names->room);
  return names;
}

static const char **find_slot(const char **slots, size_t room, const char *text,
                              size_t length) {
  size_t i = (size_t)XXH3_64bits(text, length) & (room - 1);
  while (slots[i] && (strncmp(slots[i], text, length) != 0 || slots[i][length]))
    i = (i + 1) & (room - 1);
  return &slots[i];
}

static void grow(Names *names) {
  size_t room = names->room * 2;
  const char **slots = ARENA_ARRAY(names->arena, const char *, room);
  for (size_t i = 0; i < names->room; i++)
    if (names->slots[i])
      *find_slot(slots, room, names->slots[i], strlen(names->slots[i])) = names->slots[i];
  names->slots = slots;
  names->room = room;
}

const char *names_intern(Names *names, const char *text, size_t length) {
  const char **slot = find_slot(names->slots, names->room, text, length);
  if (*slot) return *slot;
  if (names->n * 2 >= names->room) {
    grow(names);
    slot = find_slot(names->slots, names->room, text, length);
  }
  names->n++;
  return *slot = arena_text(names->arena, text, length);
}

const char *names_intern0(Names *names, const char *text) {
  return names_intern(names, text, strlen(text));
}

/* ---- did you mean ---- */

enum { WORD_MAX = 63 };

int text_distance(const char *a, const char *b, int most) {
  size_t n = strlen(a);
  size_t m = strlen(b);
  size_t gap = n > m ? n - m : m - n;
  if (most < 0 || n > WORD_MAX || m > WORD_MAX || gap > (size_t)most)
    return strcmp(a, b) == 0 ? 0 : most + 1;

  /* rows[k] is the row of the matrix k rows back from the present one */
  int rows[3][WORD_MAX + 1] = {0};
  int *old = rows[2], *last = rows[1], *now = rows[0];
  for (size_t j = 0; j <= m; j++) last[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    now[0] = (int)i;
    int best = now[0];
    for (size_t j = 1; j <= m; j++) {
      int d = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < d) d = last[j] + 1;
      if (now[j - 1] + 1 < d) d = now[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && old[j - 2] + 1 < d) d = old[j - 2] + 1;
      now[j] = d;
      if (d < best) best = d;
    }
    if (best > most) return most + 1;
    int *spare = old;
    old = last;
    last = now;
    now = spare;
  }
  return last[m] > most ? most + 1 : last[m];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t n) {
  char latin[WORD_MAX + 1];
  if (text_latin(word, latin, sizeof latin)) word = latin; /* nobody sees the difference */
  size_t length = strlen(word);
  int most = length < 3 ? 0 : length <= 4 ? 1 : length <= 8 ? 2 : 3;
  const char *nearest = NULL;
  int least = most + 1;
  for (size_t i = 0; i < n; i++) {
    const char *candidate = candidates[i];
    if (!candidate) continue;
    int d = strcasecmp(word, candidate) == 0 ? 0 : text_distance(word, candidate, most);
    /* a beginning of the word, or the word and an ending, is as good as one slip */
    size_t other = strlen(candidate);
    size_t shorter = length < other ? length : other;
    if (d > 1 && shorter >= 3 && strncmp(word, candidate, shorter) == 0) d = 1;
    if (d < least) {
      least = d;
      nearest = candidate;
    }
  }
  return nearest;
}
