/* Diagnostics: every complaint of the front end goes through diag_report, carries a stable
 * code from diags.def and a span, and never stops the run. Printed in order of place.
 *
 *   game.tavl:31:5: error[E204]: a `win` rule has no `reach`
 *       reach   1 .. 4
 *       ^^^^^
 *     note: a `win` rule may have: when, winner, worth
 */
#ifndef DIAG_H
#define DIAG_H

#include <stdbool.h>
#include <stdio.h>
#include "base/source.h"

typedef enum DiagCode {
#define DIAG(name, code, severity, help) DIAG_##name,
#include "base/diags.def"
#undef DIAG
  DIAG_COUNT
} DiagCode;

typedef struct Diag Diag; /* one report; filled further with diag_note */

typedef struct Diags {
  Sources *sources;
  Arena *arena;
  Diag *first, *last;
  int errors, warnings;
  int dropped; /* reports beyond DIAG_MOST, counted but not kept */
  const bool *muted; /* by code: those that only follow from another mistake; or NULL */
} Diags;

enum { DIAG_MOST = 50 };

void diags_init(Diags *diags, Sources *sources, Arena *arena);
/* Reports; the message is a printf text without the code or a final stop. Returns the
 * report for notes (never NULL; notes to a dropped report are dropped too). A report of
 * the same code at the same span is kept once. */
Diag *diag_report(Diags *diags, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Whether an error has been kept whose place is in this file. */
bool diags_has_error_in(const Diags *diags, int file);
/* Adds a note below the caret; without a place. */
void diag_note(Diags *diags, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A note that points at a place ("first defined here"): prints its file:line. */
void diag_note_at(Diags *diags, Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Says why source_read has refused a file: at the place in it, else where it was asked for
 * (file -1: nowhere), else at its top. `file` is what source_read gave; errno still stands. */
void diag_unreadable(Diags *diags, SourceStatus status, const char *path, int file,
                     Span asked);
/* Reads a file; its number, or -1 after the reason has been reported at a place in it. */
int diags_open(Diags *diags, const char *path);
/* Prints all reports in order of file and place, then one line with the counts if any. */
void diags_print(const Diags *diags, FILE *out, bool colour);
/* As a JSON array text (for check --json): objects {file,line,column,end_column,severity,
 * code,message,notes:[…]}. In the arena of the diags. */
const char *diags_json(const Diags *diags);
/* "E204", "error" or "warning", and the page text of a code. */
const char *diag_code(DiagCode code);
const char *diag_severity(DiagCode code);
const char *diag_help(DiagCode code);

#endif
