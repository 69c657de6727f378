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
  char *shown = arena_text(sources->arena, name, strlen(name));
  text_tame(shown);
  source->name = shown;
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

static void note_bad(Source *source, size_t offset, uint32_t code, bool is_byte) {
  if (source->bads < BAD_CHARS_KEPT)
    source->bad[source->bads] = (BadChar){(int)offset, code, is_byte};
  source->bads++;
}

/* The character at `text`, its bytes to *bytes, is all right. A carriage return is, as part
 * of a line end. */
static bool is_good(const char *text, size_t length, int *bytes, uint32_t *code) {
  *bytes = text_char(text, length);
  *code = *bytes ? text_code(text, *bytes) : (unsigned char)*text;
  if (*bytes == 0) return false;
  bool line_end = *code == '\r' && (length == 1 || text[1] == '\n');
  return line_end || !text_unseen(*code);
}

/* Keeps the text, a question mark for each bad character. */
static SourceStatus take_text(Sources *sources, int file, const char *text,
                              size_t length) {
  Source *source = &sources->at[file];
  bool too_big = false;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    length -= 3;
  }
  if (length > SOURCE_MAX_BYTES) {
    too_big = true;
    length = 0;
  }
  char *copy = arena_alloc(sources->arena, length + 1);
  size_t n = 0;
  for (size_t i = 0; i < length;) {
    int bytes;
    uint32_t code;
    while (i < length && text[i] >= ' ' && text[i] < 0x7F) copy[n++] = text[i++]; /* most text by far */
    if (i == length) break;
    if (is_good(text + i, length - i, &bytes, &code)) {
      memcpy(copy + n, text + i, (size_t)bytes);
      n += (size_t)bytes;
    } else {
      note_bad(source, n, code, bytes == 0);
      copy[n++] = '?';
    }
    i += bytes ? (size_t)bytes : 1;
  }
  source->text = copy;
  source->length = n;
  find_lines(sources, source);
  return too_big ? SOURCE_TOO_BIG : source->bads ? SOURCE_NOT_TEXT : SOURCE_OK;
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
