/* Diagnostics: collected while a file is read and checked, printed in order of place. */
#include "base/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"

typedef struct Note Note;
struct Note {
  const char *text;
  Span span;
  bool placed;
  Note *next;
};

struct Diag {
  DiagCode code;
  Span span;
  const char *message;
  Note *note, *last_note;
  int number; /* order of report, for equal places */
  Diag *next;
};

static const struct {
  const char *code;
  const char *severity;
  const char *help;
} about[] = {
#define DIAG(name, code, severity, help) {code, severity, help},
#include "base/diags.def"
#undef DIAG
};

const char *diag_code(DiagCode code) {
  return about[code].code;
}
const char *diag_severity(DiagCode code) {
  return about[code].severity;
}
const char *diag_help(DiagCode code) {
  return about[code].help;
}

void diags_init(Diags *diags, Sources *sources, Arena *arena) {
  memset(diags, 0, sizeof *diags);
  diags->sources = sources;
  diags->arena = arena;
}

static bool is_error(DiagCode code) {
  return about[code].severity[0] == 'e';
}

static Diag *find_same(const Diags *diags, DiagCode code, Span span) {
  for (Diag *d = diags->first; d; d = d->next)
    if (d->code == code && d->span.file == span.file && d->span.start == span.start &&
        d->span.end == span.end)
      return d;
  return NULL;
}

/* Whatever the words of a message come from, they do not steer the terminal. */
static const char *write_tame(Arena *arena, const char *format, va_list arguments) {
  char *text = arena_vprintf(arena, format, arguments);
  text_tame(text);
  return text;
}

Diag *diag_report(Diags *diags, DiagCode code, Span span, const char *format, ...) {
  if ((diags->muted && diags->muted[code]) || find_same(diags, code, span)) {
    Diag *unread = ARENA_NEW(diags->arena, Diag);
    return unread; /* the first stands; notes to this one are lost */
  }
  if (is_error(code)) {
    diags->errors++;
  } else {
    diags->warnings++;
  }
  Diag *diag = ARENA_NEW(diags->arena, Diag);
  if (diags->errors + diags->warnings > DIAG_MOST) {
    diags->dropped++;
    return diag;
  }
  diag->code = code;
  diag->span = span;
  diag->number = diags->errors + diags->warnings;
  va_list arguments;
  va_start(arguments, format);
  diag->message = write_tame(diags->arena, format, arguments);
  va_end(arguments);
  if (diags->last) {
    diags->last->next = diag;
  } else {
    diags->first = diag;
  }
  diags->last = diag;
  return diag;
}

static Note *add_note(Diags *diags, Diag *diag) {
  Note *note = ARENA_NEW(diags->arena, Note);
  if (diag->last_note) {
    diag->last_note->next = note;
  } else {
    diag->note = note;
  }
  diag->last_note = note;
  return note;
}

bool diags_has_error_in(const Diags *diags, int file) {
  for (const Diag *d = diags->first; d; d = d->next)
    if (d->span.file == file && !strcmp(about[d->code].severity, "error")) return true;
  return false;
}

void diag_note(Diags *diags, Diag *diag, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_note(diags, diag)->text = write_tame(diags->arena, format, arguments);
  va_end(arguments);
}

void diag_note_at(Diags *diags, Diag *diag, Span span, const char *format, ...) {
  Note *note = add_note(diags, diag);
  va_list arguments;
  va_start(arguments, format);
  note->text = write_tame(diags->arena, format, arguments);
  va_end(arguments);
  note->span = span;
  note->placed = span.file >= 0;
}

/* ---- files that cannot be read ---- */

/* "U+202E, right-to-left override," or "the byte FF" */
static const char *bad_words(const Diags *diags, const BadChar *bad) {
  if (bad->is_byte) return arena_printf(diags->arena, "the byte %02X", bad->code);
  return arena_printf(diags->arena, "U+%04X, %s,", bad->code, text_unseen(bad->code));
}

static Span place_of(int file, const BadChar *bad) {
  Span span = {file, bad->offset, bad->offset + 1};
  return span;
}

/* What is to be done; true if that mends all of them at once. */
static bool note_remedy(Diags *diags, Diag *d, const BadChar *first) {
  const char *remedy = "delete it: it is not seen itself, and can hide what else is there";
  bool all = true;
  if (first->is_byte ? first->code >= 0xFE && first->offset == 0 : !first->code)
    remedy = "this looks like UTF-16, or is no text at all: save it as UTF-8";
  else if (first->is_byte)
    remedy = "save it as UTF-8: this looks like Windows-1251 or the like";
  else if (first->code == '\r')
    remedy = "save it with the line ends LF or CR LF";
  else
    all = false;
  diag_note(diags, d, "%s", remedy);
  return all;
}

static void report_bad_text(Diags *diags, int file, Span asked) {
  const Source *source = &diags->sources->at[file];
  const BadChar *first = &source->bad[0];
  Diag *d = diag_report(diags, DIAG_FILE_NOT_TEXT, place_of(file, first),
                        first->is_byte ? "%s is no text in UTF-8"
                                       : "%s may not stand in a rules file",
                        bad_words(diags, first));
  if (!note_remedy(diags, d, first)) {
    for (int i = 1; i < source->bads && i < BAD_CHARS_KEPT; i++)
      diag_note_at(diags, d, place_of(file, &source->bad[i]), "%s too",
                   bad_words(diags, &source->bad[i]));
    if (source->bads > BAD_CHARS_KEPT)
      diag_note(diags, d, "and %d more", source->bads - BAD_CHARS_KEPT);
  }
  if (asked.file >= 0) diag_note_at(diags, d, asked, "the file is named here");
}

void diag_unreadable(Diags *diags, SourceStatus status, const char *path, int file,
                     Span asked) {
  int why = errno;
  if (status == SOURCE_NOT_TEXT) {
    report_bad_text(diags, file, asked);
    return;
  }
  Span span = asked;
  if (span.file < 0) {
    if (file < 0) source_from_text(diags->sources, path, "", 0, &file);
    span = (Span){file, 0, 0};
  }
  if (status == SOURCE_TOO_BIG)
    diag_report(diags, DIAG_FILE_TOO_BIG, span,
                "%s is larger than %d bytes, which no rules file needs", path,
                SOURCE_MAX_BYTES);
  else
    diag_report(diags, DIAG_FILE_MISSING, span, "%s cannot be opened: %s", path,
                why == EISDIR ? "it is a folder" : strerror(why));
}

int diags_open(Diags *diags, const char *path) {
  int file;
  Span nowhere = {-1, 0, 0};
  SourceStatus status = source_read(diags->sources, path, &file);
  if (status == SOURCE_OK) return file;
  diag_unreadable(diags, status, path, file, nowhere);
  return -1;
}

/* ---- printing ---- */

static const char *file_name(const Diags *diags, Span span) {
  if (span.file < 0 || span.file >= diags->sources->n) return "(built in)";
  return diags->sources->at[span.file].name;
}

static int compare(const void *left, const void *right) {
  const Diag *a = *(const Diag *const *)left;
  const Diag *b = *(const Diag *const *)right;
  if (a->span.file != b->span.file) return a->span.file < b->span.file ? -1 : 1;
  if (a->span.start != b->span.start) return a->span.start < b->span.start ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* The reports in order of place; to be freed by the caller. */
static const Diag **sorted(const Diags *diags, size_t *n) {
  const Diag **list = NULL;
  *n = 0;
  for (const Diag *d = diags->first; d; d = d->next) (*n)++;
  if (*n == 0) return NULL;
  list = memory_resize(NULL, sizeof *list * *n);
  size_t i = 0;
  for (const Diag *d = diags->first; d; d = d->next) list[i++] = d;
  qsort(list, *n, sizeof *list, compare);
  return list;
}

enum { LINE_WIDTH = 100, LINE_BEFORE = 40 };

/* The source line and the carets under it. A long line is cut around the caret; tabs stay
 * tabs in both lines, so that the carets stand right whatever a tab is worth. */
static void print_line(const Diags *diags, Span span, FILE *out, bool colour) {
  int line, column;
  source_locate(diags->sources, span, &line, &column);
  size_t length;
  const char *text = source_line(diags->sources, span.file, line, &length);
  if (length == 0) return;

  size_t from = 0; /* byte range shown */
  size_t to = length;
  size_t caret = 0; /* byte of the first caret */
  for (int c = 1; c < column && caret < length; c++)
    caret += (size_t)text_char(text + caret, length - caret);
  bool long_line = text_columns(text, length) > LINE_WIDTH;
  if (long_line) {
    int first = column > LINE_BEFORE ? column - LINE_BEFORE : 1;
    for (int c = 1; c < first; c++) from += (size_t)text_char(text + from, length - from);
    to = from;
    for (int c = 0; c < LINE_WIDTH && to < length; c++)
      to += (size_t)text_char(text + to, length - to);
  }
  fprintf(out, "    %s", from > 0 ? "…" : "");
  fwrite(text + from, 1, to - from, out);
  fprintf(out, "%s\n    %s", to < length ? "…" : "", from > 0 ? " " : "");

  for (size_t i = from; i < caret && i < to; i += (size_t)text_char(text + i, length - i))
    fputc(text[i] == '\t' ? '\t' : ' ', out);
  size_t bytes = span.end > span.start ? (size_t)(span.end - span.start) : 1;
  size_t end = caret + bytes < to ? caret + bytes : to;
  int carets = end > caret ? text_columns(text + caret, end - caret) : 1;
  fprintf(out, "%s", colour ? "\033[1;32m" : "");
  for (int i = 0; i < carets; i++) fputc('^', out);
  fprintf(out, "%s\n", colour ? "\033[0m" : "");
}

static void print_one(const Diags *diags, const Diag *d, FILE *out, bool colour) {
  int line, column;
  source_locate(diags->sources, d->span, &line, &column);
  const char *loud = !colour ? "" : is_error(d->code) ? "\033[1;31m" : "\033[1;35m";
  const char *bold = colour ? "\033[1m" : "";
  const char *plain = colour ? "\033[0m" : "";
  fprintf(out, "%s%s:%d:%d:%s %s%s[%s]:%s %s\n", bold, file_name(diags, d->span), line,
          column, plain, loud, about[d->code].severity, about[d->code].code, plain,
          d->message);
  print_line(diags, d->span, out, colour);
  for (const Note *note = d->note; note; note = note->next) {
    fprintf(out, "  note: ");
    if (note->placed) {
      source_locate(diags->sources, note->span, &line, &column);
      fprintf(out, "%s:%d: ", file_name(diags, note->span), line);
    }
    fprintf(out, "%s\n", note->text);
  }
}

void diags_print(const Diags *diags, FILE *out, bool colour) {
  size_t n;
  const Diag **list = sorted(diags, &n);
  for (size_t i = 0; i < n; i++) print_one(diags, list[i], out, colour);
  memory_resize(list, 0);
  if (diags->dropped) fprintf(out, "… and %d more\n", diags->dropped);
  int errors = diags->errors;
  int warnings = diags->warnings;
  if (errors) fprintf(out, "%d error%s", errors, errors == 1 ? "" : "s");
  if (errors && warnings) fprintf(out, ", ");
  if (warnings) fprintf(out, "%d warning%s", warnings, warnings == 1 ? "" : "s");
  if (errors || warnings) fprintf(out, "\n");
}

/* ---- JSON ---- */

typedef VEC(char) Buffer;

static void put(Buffer *b, const char *text) {
  for (; *text; text++) VEC_PUSH(*b, *text);
}

static void put_quoted(Buffer *b, const char *text) {
  VEC_PUSH(*b, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    char escape[8];
    if (c == '"' || c == '\\') {
      VEC_PUSH(*b, '\\');
      VEC_PUSH(*b, *text);
    } else if (c < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", c);
      put(b, escape);
    } else {
      VEC_PUSH(*b, *text);
    }
  }
  VEC_PUSH(*b, '"');
}

static void put_number(Buffer *b, const char *name, int number) {
  char text[64];
  snprintf(text, sizeof text, "\"%s\": %d, ", name, number);
  put(b, text);
}

static void put_field(Buffer *b, const char *name, const char *text) {
  put_quoted(b, name);
  put(b, ": ");
  put_quoted(b, text);
  put(b, ", ");
}

static void put_diag(const Diags *diags, Buffer *b, const Diag *d) {
  int line, column, end_line, end_column;
  Span end = {d->span.file, d->span.end, d->span.end};
  source_locate(diags->sources, d->span, &line, &column);
  source_locate(diags->sources, end, &end_line, &end_column);
  if (end_line != line) {
    size_t length;
    const char *text = source_line(diags->sources, d->span.file, line, &length);
    end_column = text_columns(text, length) + 1;
  }
  put(b, "{");
  put_field(b, "file", file_name(diags, d->span));
  put_number(b, "line", line);
  put_number(b, "column", column);
  put_number(b, "end_column", end_column > column ? end_column : column + 1);
  put_field(b, "severity", about[d->code].severity);
  put_field(b, "code", about[d->code].code);
  put_field(b, "message", d->message);
  put(b, "\"notes\": [");
  for (const Note *note = d->note; note; note = note->next) {
    const char *text = note->text;
    if (note->placed) {
      source_locate(diags->sources, note->span, &line, &column);
      text = arena_printf(diags->arena, "%s:%d: %s", file_name(diags, note->span), line,
                          note->text);
    }
    put_quoted(b, text);
    if (note->next) put(b, ", ");
  }
  put(b, "]}");
}

const char *diags_json(const Diags *diags) {
  Buffer b = {0};
  size_t n;
  const Diag **list = sorted(diags, &n);
  put(&b, "[");
  for (size_t i = 0; i < n; i++) {
    if (i) put(&b, ", ");
    put_diag(diags, &b, list[i]);
  }
  put(&b, "]");
  const char *text = arena_text(diags->arena, b.at, b.n);
  VEC_FREE(b);
  memory_resize(list, 0);
  return text;
}
