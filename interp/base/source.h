/* Source files and spans. A span is a file number and two byte offsets; line and column
 * are computed only when something is printed. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

typedef struct Span {
  int file;  /* index into Sources; -1: no place (a built-in) */
  int start; /* first byte */
  int end;   /* one past the last byte */
} Span;

/* What is no text, or may not stand in one. */
typedef struct BadChar {
  int offset;
  uint32_t code; /* of the character, or the byte */
  bool is_byte;  /* a byte that belongs to no character */
} BadChar;
enum { BAD_CHARS_KEPT = 5 };

typedef struct Source {
  const char *name; /* as it is shown to the user: tame */
  const char *path; /* as it was opened */
  const char *text; /* zero-terminated; `?` for what may not stand there */
  size_t length;
  BadChar bad[BAD_CHARS_KEPT]; /* the first of them, in order */
  int bads;                    /* how many there are */
  int *lines; /* offsets of line starts, `line_count` of them */
  int line_count;
} Source;

typedef struct Sources {
  Arena *arena;
  Source *at;
  int n, room;
} Sources;

enum { SOURCE_MAX_BYTES = 1 << 20 }; /* a rules file is a page; a megabyte is the limit */

typedef enum SourceStatus {
  SOURCE_OK,
  SOURCE_MISSING,   /* cannot be opened; errno says why */
  SOURCE_TOO_BIG,   /* more than SOURCE_MAX_BYTES */
  SOURCE_NOT_TEXT,  /* it has bad characters */
  SOURCE_UNREADABLE /* a directory, a read error */
} SourceStatus;

/* Reads a file; its number goes to *file. A file already read (same path) is not read again. */
SourceStatus source_read(Sources *sources, const char *path, int *file);
/* Takes a text as a file named `name`. Same checks. */
SourceStatus source_from_text(Sources *sources, const char *name, const char *text,
                              size_t length, int *file);
/* 1-based line and column (columns count characters, not bytes). */
void source_locate(const Sources *sources, Span span, int *line, int *column);
/* The 1-based line alone; cheap even where a line is long. */
int source_line_of(const Sources *sources, int file, int offset);
/* The line's text without its newline; length to *length. */
const char *source_line(const Sources *sources, int file, int line, size_t *length);

static inline Span span_join(Span a, Span b) {
  Span s = {a.file, a.start, b.end};
  return s;
}

#endif
