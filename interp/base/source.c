/* Source files: reading, checking that they are text, and finding lines and columns. */
#include "base/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "base/text.h"
#include "base/vec.h"

static int add_source(Sources *sources, const char *name, const char *path) {
  if (sources->n == sources->room) {
    int room = sources->room ? sources->room * 2 : 8;
    Source *at = ARENA_ARRAY(sources->arena, Source, room);
    if (sources->n) memcpy(at, sources->at, sizeof *at * (size_t)sources->n);
    sources->at = at;
    sources->room = room;
  }
  Source *source = &sources->at[sources->n];
  source->name = arena_text(sources->arena, name, strlen(name));
  source->path = arena_text(sources->arena, path, strlen(path));
  source->text = "";
  return sources->n++;
}

static void find_lines(Sources *sources, Source *source) {
  int count = 1;
  for (size_t i = 0; i < source->length; i++) count += source->text[i] == '\n';
  source->lines = ARENA_ARRAY(sources->arena, int, count);
  source->line_count = count;
  int line = 1;
  for (size_t i = 0; i < source->length; i++)
    if (source->text[i] == '\n') source->lines[line++] = (int)i + 1;
}

/* Keeps as much of the text as is text; the rest, if any, is why it is refused. */
static SourceStatus take_text(Sources *sources, int file, const char *text,
                              size_t length) {
  Source *source = &sources->at[file];
  SourceStatus status = SOURCE_OK;
  size_t good = 0;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    length -= 3;
  }
  if (length > SOURCE_MAX_BYTES) {
    status = SOURCE_TOO_BIG;
    length = 0;
  }
  while (good < length) {
    int n = text[good] == '\0' ? 0 : text_char(text + good, length - good);
    if (n == 0 || text_steers(text + good, n)) {
      status = SOURCE_NOT_TEXT;
      break;
    }
    good += (size_t)n;
  }
  source->text = arena_text(sources->arena, text, good);
  source->length = good;
  find_lines(sources, source);
  return status;
}

static SourceStatus read_all(FILE *in, char **text, size_t *length) {
  enum { PIECE = 64 * 1024 };
  size_t room = 0;
  *text = NULL;
  *length = 0;
  for (;;) {
    if (*length + PIECE > room) {
      room = room ? room * 2 : 2 * PIECE;
      *text = memory_resize(*text, room);
    }
    size_t n = fread(*text + *length, 1, PIECE, in);
    *length += n;
    if (*length > SOURCE_MAX_BYTES + 3) return SOURCE_TOO_BIG;
    if (n < PIECE) return ferror(in) ? SOURCE_UNREADABLE : SOURCE_OK;
  }
}

SourceStatus source_read(Sources *sources, const char *path, int *file) {
  for (int i = 0; i < sources->n; i++) {
    if (path[0] && strcmp(sources->at[i].path, path) == 0) {
      *file = i;
      return SOURCE_OK;
    }
  }
  *file = -1;
  FILE *in = fopen(path, "rb");
  if (!in) return SOURCE_MISSING;
  struct stat about;
  if (fstat(fileno(in), &about) != 0 || S_ISDIR(about.st_mode)) {
    fclose(in);
    errno = EISDIR;
    return SOURCE_UNREADABLE;
  }
  char *text;
  size_t length;
  SourceStatus status = read_all(in, &text, &length);
  int why = errno;
  fclose(in);
  if (status == SOURCE_OK || status == SOURCE_TOO_BIG) {
    *file = add_source(sources, path, path);
    status = take_text(sources, *file, text, length);
    /* a file that was refused is refused again when it is asked for again */
    if (status != SOURCE_OK) sources->at[*file].path = "";
  }
  memory_resize(text, 0);
  errno = why;
  return status;
}

SourceStatus source_from_text(Sources *sources, const char *name, const char *text,
                              size_t length, int *file) {
  *file = add_source(sources, name, "");
  return take_text(sources, *file, text, length);
}

/* The line (from 0) that holds a byte. */
static int line_of(const Source *source, int offset) {
  int low = 0;
  int high = source->line_count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (source->lines[middle] <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

int source_line_of(const Sources *sources, int file, int offset) {
  if (file < 0 || file >= sources->n || sources->at[file].line_count == 0) return 1;
  return line_of(&sources->at[file], offset) + 1;
}

void source_locate(const Sources *sources, Span span, int *line, int *column) {
  *line = *column = 1;
  if (span.file < 0 || span.file >= sources->n) return;
  const Source *source = &sources->at[span.file];
  if (source->line_count == 0) return;
  int offset = span.start < 0 ? 0 : span.start;
  if ((size_t)offset > source->length) offset = (int)source->length;
  int at = line_of(source, offset);
  int start = source->lines[at];
  *line = at + 1;
  *column = text_columns(source->text + start, (size_t)(offset - start)) + 1;
}

const char *source_line(const Sources *sources, int file, int line, size_t *length) {
  *length = 0;
  if (file < 0 || file >= sources->n) return "";
  const Source *source = &sources->at[file];
  if (line < 1 || line > source->line_count) return "";
  size_t start = (size_t)source->lines[line - 1];
  size_t end = start;
  while (end < source->length && source->text[end] != '\n') end++;
  if (end > start && source->text[end - 1] == '\r') end--;
  *length = end - start;
  return source->text + start;
}
