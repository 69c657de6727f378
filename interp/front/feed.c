/* From the scanner to the grammar: the stream of words, with its brackets watched.
 *
 * The feed knows which bracket is open and what it holds. So it can put in a bracket that
 * was forgotten, drop one that is too many, and after a mistake skip to the next word
 * that can begin something, without falling out of the braces it was in. Everything it
 * mends it has reported. */
#include <string.h>
#include "front/reading.h"
#include "parser.h"

int reading_line(const Reading *r, int offset) {
  return source_line_of(r->diags->sources, r->file, offset);
}

Span reading_start(const Reading *r) {
  Span span = {r->file, 0, 0};
  return span;
}

bool reading_is_first(const Reading *r, Span span) {
  int at = span.start;
  while (at > 0 && (r->text[at - 1] == ' ' || r->text[at - 1] == '\t')) at--;
  return at == 0 || r->text[at - 1] == '\n';
}

/* Blanks that the line of this place begins with. */
static int indent_at(const Reading *r, int offset) {
  enum { MOST = 200 };
  const Source *source = &r->diags->sources->at[r->file];
  int start = source->lines[reading_line(r, offset) - 1];
  int indent = 0;
  while (indent < MOST &&
         (r->text[start + indent] == ' ' || r->text[start + indent] == '\t'))
    indent++;
  return indent;
}

/* ---- which words begin what ---- */

bool feed_is_unit(int kind) {
  return kind == GAME || kind == HOUSE || kind == LIBRARY;
}

bool feed_is_item(int kind) {
  switch (kind) {
    case USE:
    case NEEDS:
    case PLAYERS:
    case BOARD:
    case POCKET:
    case REGION:
    case LET:
    case PATH:
    case PIECE:
    case PARAM:
    case STATE:
    case LABEL:
    case DICE:
    case SETUP:
    case HOOK:
    case PATTERN:
    case PHASE:
    case SCENARIO:
    case KIND:
    case TURN:
    case SET:
    case CHANGE:
    case REPLACE:
    case REMOVE:
    case BEFORE:
      return true;
    default:
      return false;
  }
}

bool feed_is_clause(int kind) {
  return kind == CLAUSE || kind == TAKE || kind == EFFECTS || kind == CHOOSE ||
         kind == IF;
}

bool feed_is_step(int kind) {
  switch (kind) {
    case GIVEN:
    case PLAY:
    case LEGAL:
    case ILLEGAL:
    case ANSWER:
    case EXPECT:
    case TURN:
    case DICE:
    case SET:
      return true;
    default:
      return false;
  }
}

/* After these a word of the language is a value, or the object of an edit, and begins
 * nothing. */
static bool is_taken(int before) {
  return before == '=' || before == NE || before == '|' || before == '.' ||
         before == ANSWER;
}

static Inside inside(const Reading *r) {
  return r->depth ? r->open[r->depth - 1].inside : IN_FILE;
}

/* A word that can only begin an item although the braces of something smaller are open.
 */
static bool begins_item(const Reading *r, const FeedToken *t, int before) {
  if (!reading_is_first(r, t->span) || is_taken(before)) return false;
  if (feed_is_unit(t->kind)) return true;
  bool given = inside(r) == IN_LAYOUT;
  bool steps = inside(r) == IN_STEPS;
  switch (t->kind) {
    case SET:
      return false;
    case REMOVE:
      return given || steps;
    case DICE:
    case TURN:
      return !steps;
    case PHASE:
      return before != SET && before != RAISE && before != LOWER;
    default:
      return feed_is_step(t->kind) ? given : feed_is_item(t->kind);
  }
}

/* Where reading can go on after a mistake. */
static bool is_refuge(const Reading *r, const FeedToken *t, int before) {
  if (t->kind == YYEOF) return true;
  if (t->kind == '}') return inside(r) != IN_FILE;
  if (is_taken(before)) return false;
  bool fresh = reading_is_first(r, t->span) || before == '}' || before == '{';
  switch (inside(r)) {
    case IN_FILE:
      return feed_is_unit(t->kind) || (t->kind == '{' && feed_is_unit(r->head));
    case IN_ITEMS:
      return fresh && feed_is_item(t->kind);
    case IN_RECORD:
      return (feed_is_clause(t->kind) && before != ',' && before != EFFECTS) ||
             t->kind == REMOVE;
    case IN_STEPS:
      return feed_is_step(t->kind);
    case IN_LAYOUT:
      return t->kind == ROW || t->kind == PLACE || t->kind == SET;
    case IN_BRACKETS:
      return false;
  }
  return false;
}

/* ---- lookahead and brackets ---- */

static const FeedToken *peek(Reading *r, int i) {
  while (r->ahead_n <= i) {
    FeedToken *t = &r->ahead[r->ahead_n++];
    YYSTYPE value = {0};
    t->kind = lexer_scan(&value, &t->span, r->scanner);
    t->text = value.text;
    if (t->kind == 0)
      t->span.file = r->file, t->span.start = t->span.end = (int)r->length;
  }
  return &r->ahead[i];
}

static void push(Reading *r, Inside what, const FeedToken *t) {
  Span span = t->span;
  if (r->depth == READING_BRACKETS) {
    reading_too_deep(r, span);
    r->ended = true;
    return;
  }
  Bracket *bracket = &r->open[r->depth++];
  bracket->inside = what;
  bracket->sign = (char)t->kind;
  bracket->span = span;
  bracket->indent = indent_at(r, span.start);
}

static Inside braces_hold(const Reading *r) {
  if (r->last.kind == GIVEN) return IN_LAYOUT;
  if (inside(r) == IN_FILE) return IN_ITEMS;
  if (inside(r) != IN_ITEMS) return IN_RECORD;
  return r->head == PHASE      ? IN_ITEMS
         : r->head == SCENARIO ? IN_STEPS
         : r->head == SETUP    ? IN_LAYOUT
                               : IN_RECORD;
}

static void pop_brace(Reading *r, Span span) {
  while (inside(r) == IN_BRACKETS) r->depth--;
  if (r->depth == 0) return;
  const Bracket *opener = &r->open[--r->depth];
  bool first = reading_is_first(r, span);
  int indent = indent_at(r, span.start);
  bool other_line = reading_line(r, span.start) != reading_line(r, opener->span.start);
  if (first && other_line && indent < opener->indent && !r->is_crooked) {
    r->is_crooked = true;
    r->crooked = *opener;
  }
  r->head = 0;
}

/* Takes a token out of the stream and keeps the books. */
static FeedToken take(Reading *r, FeedToken t) {
  bool outside = inside(r) == IN_FILE || inside(r) == IN_ITEMS;
  bool object =
      is_taken(r->last.kind) || r->last.kind == REMOVE; /* of an edit: opens nothing */
  if (outside && !object && (feed_is_item(t.kind) || feed_is_unit(t.kind))) {
    r->head = t.kind;
    r->head_span = t.span;
  }
  if (t.kind == '{') push(r, braces_hold(r), &t);
  if (t.kind == '(' || t.kind == '[') push(r, IN_BRACKETS, &t);
  if ((t.kind == ')' || t.kind == ']') && inside(r) == IN_BRACKETS) r->depth--;
  if (t.kind == '}') pop_brace(r, t.span);
  r->before = r->last;
  r->last = t;
  r->taken++;
  return t;
}

static void drop_next(Reading *r) {
  r->ahead[0] = r->ahead[1];
  r->ahead_n--;
}

static FeedToken take_next(Reading *r) {
  FeedToken t = *peek(r, 0);
  drop_next(r);
  return take(r, t);
}

/* A bracket that the author forgot, in front of the next token. */
static FeedToken put_in(Reading *r, int kind) {
  FeedToken t = {kind, {r->file, r->last.span.end, r->last.span.end}, NULL};
  return take(r, t);
}

/* ---- mending ---- */

static void report_open(Reading *r, const FeedToken *t, const Bracket *opener) {
  int line = reading_line(r, opener->span.start);
  int length = t->span.end - t->span.start;
  Diag *diag =
      diag_report(r->diags, DIAG_UNCLOSED_BRACE, t->span,
                  "`%.*s` cannot stand here: the `%c` of line %d is not closed", length,
                  r->text + t->span.start, opener->sign, line);
  diag_note_at(r->diags, diag, opener->span, "opened here");
}

static void report_end(Reading *r) {
  const Bracket *opener = &r->open[r->depth - 1];
  int line = reading_line(r, opener->span.start);
  int end = r->last.span.end;
  Span span = {r->file, end > 0 ? end - 1 : 0, end};
  Diag *diag = diag_report(r->diags, DIAG_UNCLOSED_BRACE, span,
                           "the text ends, but the `%c` of line %d is not closed",
                           opener->sign, line);
  diag_note_at(r->diags, diag, opener->span, "opened here");
  if (r->is_crooked && r->crooked.span.start != opener->span.start)
    diag_note_at(r->diags, diag, r->crooked.span,
                 "more likely it is this `{`: the next `}` stands further left");
}

static void report_surplus(Reading *r, Span span) {
  const Bracket *opener = &r->open[0];
  Diag *diag = diag_report(r->diags, DIAG_UNCLOSED_BRACE, span,
                           "this `}` closes the `{` of line %d, but more follows",
                           reading_line(r, opener->span.start));
  diag_note(r->diags, diag, "one `}` too many, here or before");
}

static void report_missing(Reading *r, const FeedToken *t, const char *after) {
  diag_report(r->diags, DIAG_UNCLOSED_BRACE, t->span,
              "a `{` is missing before `%.*s`, %s", t->span.end - t->span.start,
              r->text + t->span.start, after);
}

/* Round brackets end at the latest where a clause, an item or a brace begins. */
static void leave_brackets(Reading *r, const FeedToken *t) {
  if (inside(r) != IN_BRACKETS || is_taken(r->last.kind)) return;
  bool ends = t->kind == '{' || t->kind == '}' || feed_is_clause(t->kind) ||
              feed_is_unit(t->kind) || (feed_is_item(t->kind) && reading_is_first(r, t->span));
  if (!ends) return;
  r->unclosed = r->open[r->depth - 1];
  r->unclosed_at = t->span.start;
  while (inside(r) == IN_BRACKETS) r->depth--;
}

static bool wants_brace(const Reading *r, const FeedToken *t) {
  if (is_taken(r->last.kind) || r->skipping) return false;
  if (r->last.kind == KIND || r->last.kind == BOARD || r->last.kind == DICE) return false;
  if (inside(r) == IN_FILE)
    return feed_is_unit(r->head) && feed_is_item(t->kind) && r->last.kind == STRING;
  if (inside(r) != IN_ITEMS) return false;
  if (r->head == KIND || r->head == TURN || r->head == BOARD || r->head == DICE)
    return t->kind == '}' || (feed_is_clause(t->kind) && t->kind != IF) ||
           (t->kind == IF && reading_is_first(r, t->span));
  if (r->head == SCENARIO) return t->kind == GIVEN || t->kind == EXPECT;
  return false;
}

static void skip(Reading *r) {
  while (r->skipping && !r->ended) {
    const FeedToken *t = peek(r, 0);
    leave_brackets(r, t);
    if (t->kind == YYEOF || r->depth < r->skip_depth ||
        (r->depth == r->skip_depth && is_refuge(r, t, r->last.kind)) ||
        begins_item(r, t, r->last.kind)) {
      r->skipping = false;
      return;
    }
    take_next(r);
  }
}

static FeedToken end_token(Reading *r) {
  FeedToken t = {YYEOF, {r->file, r->last.span.end, r->last.span.end}, NULL};
  return t;
}

/* `gane "Title" {`: what is meant is clear, and all that follows hangs on it. */
static bool mend_unit(Reading *r) {
  if (inside(r) != IN_FILE || r->ended || peek(r, 0)->kind != IDENT ||
      peek(r, 1)->kind != STRING)
    return false;
  FeedToken *t = &r->ahead[0];
  static const char *const units[] = {"game", "house", "library"};
  const char *near = text_nearest(t->text, units, 3);
  if (!near) return false;
  Diag *d = diag_report(r->diags, DIAG_SYNTAX, t->span,
                        "`%s` cannot stand here; expected `game`, `house` or `library`",
                        t->text);
  diag_note(r->diags, d, "did you mean `%s`?", near);
  t->kind = reading_keyword(r, near);
  return true;
}

static FeedToken next_token(Reading *r) {
  skip(r);
  if (r->diags) mend_unit(r);
  if (r->ended) {
    if (r->depth == 0) return end_token(r);
    while (inside(r) == IN_BRACKETS) r->depth--;
    return r->depth ? put_in(r, '}') : end_token(r);
  }
  const FeedToken *t = peek(r, 0);
  leave_brackets(r, t);
  if (t->kind == YYEOF) {
    if (r->depth && !(r->surplus && r->depth == 1)) report_end(r);
    r->ended = true;
    return next_token(r);
  }
  Inside now = inside(r);
  bool small = now == IN_RECORD || now == IN_STEPS || now == IN_LAYOUT;
  if (small && begins_item(r, t, r->last.kind)) {
    /* a brace that was put in has been complained of */
    const Bracket *opener = &r->open[r->depth - 1];
    if (opener->span.end > opener->span.start) report_open(r, t, &r->open[r->depth - 1]);
    return put_in(r, '}');
  }
  if (now == IN_ITEMS && feed_is_unit(t->kind) && reading_is_first(r, t->span)) {
    if (!r->surplus) report_open(r, t, &r->open[r->depth - 1]);
    return put_in(r, '}');
  }
  if (wants_brace(r, t)) {
    report_missing(r, t,
                   now == IN_FILE ? "after the title" : "after the head of the rule");
    return put_in(r, '{');
  }
  if (t->kind == '}' && r->depth == 1 && now == IN_ITEMS) {
    int next = peek(r, 1)->kind;
    if (next == '}' || feed_is_item(next)) {
      report_surplus(r, r->ahead[0].span);
      r->surplus = true;
      drop_next(r);
      return next_token(r);
    }
  }
  return take_next(r);
}

int feed_next(Reading *r, YYSTYPE *value, Span *span) {
  if (r->start_token) {
    int kind = r->start_token;
    r->start_token = 0;
    *span = reading_start(r);
    return kind;
  }
  FeedToken t = next_token(r);
  value->text = t.text;
  *span = t.span;
  return t.kind;
}

/* Called with the token that fits nowhere already taken. */
void feed_recover(Reading *r) {
  r->stuck = r->taken == r->complained_at;
  r->complained_at = r->taken;
  if (r->last.kind == '{') {
    r->skip_depth = r->depth - 1;
    r->skipping = true;
    return;
  }
  while (inside(r) == IN_BRACKETS) r->depth--;
  r->skip_depth = r->depth;
  r->skipping = !is_refuge(r, &r->last, r->before.kind);
}
