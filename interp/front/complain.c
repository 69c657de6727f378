/* Messages about words that fit nowhere, and about characters that are no words.
 * The grammar knows exactly which tokens could stand at a place; here they are put
 * together into what an author calls them, and the nearest word among them is offered. */
#include <stdio.h>
#include <string.h>
#include "front/parse.h"
#include "front/reading.h"
#include "parser.h"

/* ---- strange characters ---- */

static const struct {
  const char *text;
  const char *advice;
} strange[] = {
    {"“", "texts stand between straight quotation marks: \"…\""},
    {"”", "texts stand between straight quotation marks: \"…\""},
    {"„", "texts stand between straight quotation marks: \"…\""},
    {"«", "texts stand between straight quotation marks: \"…\""},
    {"»", "texts stand between straight quotation marks: \"…\""},
    {"'", "texts stand between double quotation marks: \"…\""},
    {"–", "a step is written with a plain hyphen: a1-a4"},
    {"—", "a step is written with a plain hyphen: a1-a4"},
    {"−", "minus is written with a plain hyphen"},
    {"×", "product is written *; a captured piece is not written in a rules file"},
    {"≠", "differs is written !="},
    {"≤", "at most is written <="},
    {"≥", "at least is written >="},
    {"...", "a range is written with two dots: 1 .. 8"},
    {"…", "a range is written with two dots: 1 .. 8"},
    {"!", "differs is written !=, and the opposite of a condition begins with not"},
    {"/", "a comment begins with #"},
    {";", "clauses and items are not separated by anything"},
    {":", "nothing is written with a colon: leave it out"},
    {"&", "conditions are joined with and"},
    {"\u00A0", "this is a no-break space; an ordinary one will do"},
};

bool reading_is_letters(const char *text) {
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
    if (strncmp(text, strange[i].text, strlen(strange[i].text)) == 0) return false;
  return true;
}

/* What to write instead of a sign that begins the text or, between letters, stands in it. */
static const char *advice_on_sign(const char *text, int length, char next) {
  if (*text == '/' && next != '/' && next != '*')
    return "nothing is divided; halves are written 1/2 and 3/2, in `worth`";
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
    if (strncmp(text, strange[i].text, strlen(strange[i].text)) == 0)
      return strange[i].advice;
  for (int at = 1; at < length; at++)
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
      size_t n = strlen(strange[i].text);
      if ((strange[i].text[0] & 0x80) && at + (int)n <= length &&
          memcmp(text + at, strange[i].text, n) == 0)
        return strange[i].advice;
    }
  return NULL;
}

/* Letters of another alphabet that look like Latin ones: nobody can see what is wrong. A word
 * that is Russian altogether is left as it is. */
enum { LETTERS_MOST = 80 };
static const char *advice_on_letters(Reading *r, const char *text, int length) {
  char word[LETTERS_MOST + 1], latin[LETTERS_MOST + 1];
  if (length > LETTERS_MOST) return NULL;
  memcpy(word, text, (size_t)length);
  word[length] = 0;
  bool plain = false;
  for (int i = 0; i < length; i++) plain = plain || !(text[i] & 0x80);
  if (!plain || !text_latin(word, latin, sizeof latin)) return NULL;
  return arena_printf(r->arena,
                      "some of its letters are Cyrillic and only look like Latin ones: write "
                      "`%s` anew",
                      latin);
}

void reading_strange(Reading *r, Span span, const char *text, int length) {
  if (!r->diags) return;
  bool again = span.start > 0 && r->strange_end == span.start && length == 1 && r->text[span.start - 1] == *text;
  r->strange_line = reading_line(r, span.start);
  r->strange_end = span.end;
  if (again) return; /* the second of two, such as // */
  const char *advice = advice_on_sign(text, length, r->text[span.end]);
  if (!advice) advice = advice_on_letters(r, text, length);
  Diag *diag;
  unsigned char first = (unsigned char)text[0];
  if (first < 0x20 || first == 0x7F) {
    diag = diag_report(r->diags, DIAG_BAD_CHARACTER, span,
                       "a control character (code %d) means nothing", first);
  } else {
    int shown = length > 40 ? 40 : length;
    while (shown < length && ((unsigned char)text[shown] & 0xC0) == 0x80) shown++;
    diag = diag_report(r->diags, DIAG_BAD_CHARACTER, span, "`%.*s%s` means nothing here",
                       shown, text, shown < length ? "…" : "");
    bool letters = first >= 0x80 || (first | 0x20) >= 'a';
    if (!advice && letters)
      advice =
          "names are made of a to z, A to Z, 0 to 9 and _; texts and comments may hold "
          "anything";
  }
  if (advice) diag_note(r->diags, diag, "%s", advice);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* The text ends at `end` as far as it can be told; what follows is read on its own. */
static int cut_text(Reading *r, Span *span, int length, int end) {
  r->at -= length - end;
  span->end = span->start + end;
  return end;
}

int reading_unclosed_text(Reading *r, Span *span, const char *text, int length) {
  /* a brace after a blank was hardly meant to be part of the text */
  int end = 1;
  while (end < length && !(strchr("{}", text[end]) && is_blank(text[end - 1]))) end++;
  while (end > 1 && is_blank(text[end - 1])) end--;
  cut_text(r, span, length, end);
  if (r->diags) {
    Span open = {span->file, span->start, span->start + 1};
    diag_report(r->diags, DIAG_UNCLOSED_TEXT, open,
                "the text that begins here is not closed on its line");
    r->strange_line = reading_line(r, span->start);
  }
  return end;
}

/* Where the tag that ends a text begins, with the blank before it; 0: it does not end so. */
static int tag_at_end(const char *text, int length) {
  int end = length - 1;
  while (end > 1 && is_blank(text[end - 1])) end--;
  int word = end;
  while (word > 1 && text[word - 1] >= 'a' && text[word - 1] <= 'z') word--;
  int letters = end - word;
  bool tag = letters == 2 || (letters == 3 && !strncmp(text + word, "see", 3)) ||
             (letters == 6 && !strncmp(text + word, "option", 6));
  if (!tag || word < 2 || !is_blank(text[word - 1])) return 0;
  while (word > 1 && is_blank(text[word - 1])) word--;
  return word;
}

int reading_run_on_text(Reading *r, Span *span, const char *text, int length) {
  char next = r->text[span->end];
  bool stuck = (next & 0x80) || (next | 0x20) >= 'a' || (next >= '0' && next <= '9');
  int end = stuck && next != '{' && next != '}' ? tag_at_end(text, length) : 0;
  if (end == 0) return 0;
  if (r->diags) {
    int word = end + (int)strspn(text + end, " \t\r"), letters = 0;
    while (text[word + letters] >= 'a' && text[word + letters] <= 'z') letters++;
    Span open = {span->file, span->start, span->start + 1};
    Diag *d = diag_report(r->diags, DIAG_UNCLOSED_TEXT, open,
                          "the text that begins here is not closed before `%.*s`", letters,
                          text + word);
    if (end < 60)
      diag_note(r->diags, d, "write %.*s\" %.*s \"…\"", end, text, letters, text + word);
  }
  return cut_text(r, span, length, end);
}

/* ---- what could stand here ---- */

typedef struct Group {
  const char *name;
  int but_not;    /* the group is another one if this token could stand here, too */
  int tokens[40]; /* all of them are dropped from the list if the first two could stand
                     here */
} Group;

static const Group groups[] = {
    {"an expression",
     0,
     {'(', COUNT, IDENT, INT, FRACTION, THROW, OWNER, LINE, ALL, SOME, NO, NOT, CLAUSE,
      TAKE, EFFECTS, IF, CHOOSE, ON, KIND}},
    {"what is to be edited, its kind and its name",
     USE,
     {KIND, HOOK, REGION, LET, PATH, PIECE, PARAM, STATE, LABEL, DICE, POCKET, PHASE,
      SCENARIO, TURN, BOARD, SETUP, IDENT}},
    {"a definition or a rule to put in its place",
     CHANGE,
     {USE,   REGION, NEEDS, PLAYERS, BOARD, POCKET,  LET,   PATH,     PIECE, PARAM,
      STATE, LABEL,  DICE,  SETUP,   HOOK,  PATTERN, PHASE, SCENARIO, KIND,  TURN}},
    {"a definition, a rule",
     0,
     {REGION, LET,   USE,   NEEDS,  PLAYERS, BOARD,  POCKET,  PATH,  PIECE,
      PARAM,  STATE, LABEL, DICE,   SETUP,   HOOK,   PATTERN, PHASE, SCENARIO,
      KIND,   TURN,  SET,   CHANGE, REPLACE, REMOVE, BEFORE}},
    {"a step of the scenario",
     0,
     {GIVEN, EXPECT, SET, DICE, TURN, PLAY, LEGAL, ILLEGAL, ANSWER}},
    {"an effect", 0, {PUT, MAKE, TAKE, SET, RAISE, LOWER, GAIN, IDENT}},
    {"a board row, `place`, `set`", 0, {ROW, PLACE, SET}},
    {"a value",
     0,
     {CLAUSE, KIND, IDENT, INT, FRACTION, TAKE, EFFECTS, IF, CHOOSE, ON, NO, ALL, SOME}},
    {"a clause", 0, {CLAUSE, TAKE, EFFECTS, IF, CHOOSE, REMOVE}},
    {"`game`, `house` or `library`", 0, {GAME, HOUSE, LIBRARY}},
    {NULL,
     0,
     {OF, AND, OR, EXCEPT, AT, WHERE, '+', '-', '*', DOTDOT, '=', NE, '<', '>', LE, GE,
      IN, '('}},
};

/* What an author calls one token. */
static const char *token_words(Reading *r, int token) {
  switch (token) {
    case IDENT:
      return "a name";
    case INT:
      return "a number";
    case STRING:
      return "a text in quotation marks";
    case ROW:
      return "a board row";
    case KIND:
      return "a kind of rule";
    case EFFECTS:
      return "`accept` or `decline`";
    case DICE:
      return "`dice`";
    default:
      break;
  }
  if (token < 256) return arena_printf(r->arena, "`%c`", token);
  return arena_printf(r->arena, "`%s`", parser_symbol_name(parser_symbol(token)));
}

/* A list in words: "a, b or c". */
static const char *list_expected(Reading *r, const bool *expected, int *n) {
  enum { MOST = 8 };
  const char *words[MOST];
  bool left[512] = {false};
  *n = 0;
  for (int s = 0; s < parser_symbols() && s < 512; s++) left[s] = expected[s];
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    const int *tokens = groups[g].tokens;
    if (!left[parser_symbol(tokens[0])] || !left[parser_symbol(tokens[1])]) continue;
    if (groups[g].but_not && expected[parser_symbol(groups[g].but_not)]) continue;
    for (int i = 0; tokens[i]; i++) left[parser_symbol(tokens[i])] = false;
    if (groups[g].name && *n < MOST) words[(*n)++] = groups[g].name;
  }
  for (int token = 1; token < 512; token++) {
    int s = parser_symbol(token);
    if (s <= 2 || s >= 512 || !left[s] || *n == MOST)
      continue; /* 0 to 2: end, error, undefined */
    left[s] = false;
    words[(*n)++] = token_words(r, token);
  }
  const char *text = "";
  for (int i = 0; i < *n; i++)
    text = arena_printf(r->arena, "%s%s%s", text,
                        i == 0        ? ""
                        : i == *n - 1 ? " or "
                                      : ", ",
                        words[i]);
  return text;
}

/* The nearest word of the language to a misspelt one, among those that could stand here.
 */
static const char *nearest(const char *word, const bool *expected) {
  const char *words[160];
  size_t n = 0;
  const char *group;
  const char *spelling;
  for (int i = 0; n < 160 && (spelling = parse_keyword(i, &group)); i++)
    if (!expected || expected[parser_symbol(parse_keyword_token(i))])
      words[n++] = spelling;
  return text_nearest(word, words, n);
}

static const char *found_words(Reading *r, const FeedToken *t) {
  int length = t->span.end - t->span.start;
  const char *text = r->text + t->span.start;
  switch (t->kind) {
    case YYEOF:
      return "the text ends here";
    case ROW:
      return "a board row cannot stand here";
    case STRING:
      return "a text cannot stand here";
    default:
      break;
  }
  if (length == 0) return arena_printf(r->arena, "something is missing here");
  if (length > 60) length = 60;
  return arena_printf(r->arena, "`%.*s` cannot stand here", length, text);
}

/* Where a line begins with something that can follow, the line before was not finished.
 */
static bool is_unfinished(const Reading *r, const FeedToken *t) {
  bool word = t->kind == '}' || (slip_is_word(r, t) && t->kind != OWNER);
  return word && r->before.span.end > 0 && reading_is_first(r, t->span) &&
         r->before.kind != '{' && r->before.kind != '}';
}

static void complain_of_bracket(Reading *r, const FeedToken *t, Span span) {
  const Bracket *opener = &r->unclosed;
  Diag *diag = diag_report(r->diags, DIAG_UNCLOSED_BRACE, span,
                           "%s: the `%c` of line %d is not closed", found_words(r, t),
                           opener->sign, reading_line(r, opener->span.start));
  diag_note_at(r->diags, diag, opener->span, "opened here");
}

static void complain_of_word(Reading *r, const FeedToken *t, Span span,
                             const bool *expected) {
  int n;
  const char *list = list_expected(r, expected, &n);
  bool only_text = n == 1 && expected[parser_symbol(STRING)];
  /* A misspelt word after a sentence is taken for the tag of a further text. */
  bool tag = only_text && r->before.kind == IDENT;
  const char *slip = tag ? nearest(r->before.text, NULL) : NULL;
  if (slip) {
    Diag *diag = diag_report(r->diags, DIAG_SYNTAX, r->before.span,
                             "`%s` cannot stand here", r->before.text);
    diag_note(r->diags, diag, "did you mean `%s`?", slip);
    return;
  }
  bool edited = r->before.kind == CHANGE || r->before.kind == REMOVE;
  const char *slipped = slip_habit(r, t, expected);
  const char *near =
      t->kind == IDENT && !edited && !slipped ? nearest(t->text, expected) : NULL;
  if (!near && !slipped && is_unfinished(r, t)) {
    Span end = {r->file, r->before.span.end, r->before.span.end};
    Diag *missing = diag_report(r->diags, DIAG_SYNTAX, end,
                                "something is missing here; expected %s", list);
    if (n == 1 && expected[parser_symbol('-')])
      diag_note(r->diags, missing, "a step is written with a hyphen: a1-a4");
    return;
  }
  Diag *diag = diag_report(r->diags, DIAG_SYNTAX, span, n ? "%s; expected %s" : "%s",
                           found_words(r, t), list);
  const char *note = near      ? NULL
                     : slipped ? slipped
                               : slip_advice(r, t, expected, only_text);
  bool misspelt =
      t->kind == IDENT && r->before.kind == IDENT && expected[parser_symbol(AND)];
  const char *before = misspelt ? nearest(r->before.text, NULL) : NULL;
  if (near) {
    diag_note(r->diags, diag, "did you mean `%s`?", near);
  } else if (tag) {
    diag_note(r->diags, diag, "`%s` would be the tag of a text, and no text follows",
              r->before.text);
  } else if (note) {
    diag_note(r->diags, diag, "%s", note);
  } else if (before) {
    diag_note(r->diags, diag, "perhaps `%s` should be `%s`", r->before.text, before);
  }
}

void complain(Reading *r, int symbol, Span span, const bool *expected) {
  (void)symbol;
  FeedToken t = r->last;
  if (r->ended) {
    t.kind = YYEOF;
    t.span = span;
  }
  bool silent = r->too_deep || (r->ended && (r->depth || r->diags->errors)) ||
                (r->strange_line && r->strange_line == reading_line(r, span.start));
  bool closes_nothing = t.kind == '}' && r->depth == 0 && r->before.kind != '{' &&
                        r->head == 0 && expected[parser_symbol(GAME)];
  if (silent) {
    /* said already */
  } else if (r->unclosed_at == span.start && r->unclosed_at > 0) {
    complain_of_bracket(r, &t, span);
  } else if (closes_nothing) {
    diag_report(r->diags, DIAG_UNCLOSED_BRACE, span, "this `}` closes nothing");
  } else {
    complain_of_word(r, &t, span, expected);
  }
  /* a text with so many mistakes is no rules file: enough */
  if (++r->complaints > DIAG_MOST) r->ended = true;
  feed_recover(r);
}
