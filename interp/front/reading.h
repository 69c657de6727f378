/* What the scanner, the token feed, the grammar and the messages share while one text is
 * read. Internal to the parser: everybody else includes front/parse.h. */
#ifndef READING_H
#define READING_H

#include <stdbool.h>
#include <stddef.h>
#include "base/diag.h"
#include "base/text.h"
#include "front/tree.h"

enum { READING_STACK = 3000, READING_BRACKETS = TREE_MAX_DEPTH, NUMBER_MAX = 1000000000 };

/* What a bracket holds; it decides which words may follow and where reading goes on after
 * a mistake. */
typedef enum Inside {
  IN_FILE,
  IN_ITEMS,
  IN_RECORD,
  IN_STEPS,
  IN_LAYOUT,
  IN_BRACKETS
} Inside;

typedef struct Bracket {
  Inside inside;
  char sign;     /* ( [ or {; it may have been put in where the text has none */
  Span span;  /* of the opening bracket */
  int indent; /* of the line it stands on */
} Bracket;

typedef union YYSTYPE YYSTYPE;

typedef struct FeedToken {
  int kind;
  Span span;
  const char *text;
} FeedToken;

typedef struct Reading {
  Diags *diags; /* NULL: tokens only, silently */
  Names *names;
  Arena *arena;
  int file;
  const char *text;
  size_t length;
  Node *tree;

  void *scanner;
  int at;          /* the scanner's place */
  int start_token; /* delivered first: WHOLE_FILE or EXPRESSION; 0 afterwards */

  /* the feed: two tokens of lookahead, the open brackets, and what to skip */
  FeedToken ahead[2];
  int ahead_n;
  FeedToken last;   /* the one delivered last */
  FeedToken before; /* and the one before it */
  Bracket open[READING_BRACKETS];
  int depth;
  int head; /* the token that began the present item or unit */
  Span head_span;
  bool skipping; /* after a mistake: to the next token that can begin something */
  int skip_depth;
  Bracket unclosed; /* a ( or [ that the token at `unclosed_at` has left open */
  int unclosed_at;
  Bracket crooked; /* the innermost { that closed at a lesser indent, or none */
  bool is_crooked;
  bool surplus; /* a } too many has been dropped */
  bool ended;
  int taken;         /* tokens delivered or skipped */
  int complained_at; /* that number at the last complaint */
  int complaints;
  bool stuck; /* two complaints without a step between: the parser helps itself */

  int strange_line; /* line of the last bad character: no second complaint about it */
  int strange_end;  /* and where it ends */
  bool too_deep;
} Reading;

/* ---- the scanner (grammar/lexer.l) ---- */
void *lexer_open(Reading *reading, const char *text, size_t length);
void lexer_close(void *scanner);
int lexer_scan(YYSTYPE *value, Span *span, void *scanner);

/* What the scanner asks of us. */
void reading_advance(Reading *reading, Span *span, int length);
const char *reading_intern(Reading *reading, const char *text, size_t length);
/* A name, interned; of one that is too long what the limit allows, after a complaint. */
const char *reading_name(Reading *reading, Span span, const char *text, int length);
int reading_keyword(const Reading *reading, const char *text);
void reading_strange(Reading *reading, Span span, const char *text, int length);
bool reading_is_letters(const char *text);
/* Reports a text without end; how many of its bytes are taken for it. */
/* Where a text ends that runs on to the quotation mark of the next one, because its own is
 * missing before a tag; 0: it does not. Complains. */
int reading_run_on_text(Reading *reading, Span *span, const char *text, int length);
int reading_unclosed_text(Reading *reading, Span *span, const char *text, int length);

/* ---- the feed (feed.c) ---- */
/* What a token can begin: a file's game, house or library; a definition, a rule or a change; a clause
 * of a rule; a step of a scenario. */
bool feed_is_unit(int kind);
bool feed_is_item(int kind);
bool feed_is_clause(int kind);
bool feed_is_step(int kind);
int feed_next(Reading *reading, YYSTYPE *value, Span *span);
/* ---- slips.c ---- */
/* Whether the token is a word of the language. */
bool slip_is_word(const Reading *reading, const FeedToken *token);
/* What people write elsewhere in place of a word of this language; NULL if it is no such. */
const char *slip_habit(Reading *reading, const FeedToken *token, const bool *expected);
/* Advice about the token that fits nowhere, or NULL. */
const char *slip_advice(Reading *reading, const FeedToken *token, const bool *expected,
                        bool only_text);

Span reading_start(const Reading *reading);
/* After a mistake: makes the feed skip to where reading can go on. */
void feed_recover(Reading *reading);
void reading_too_deep(Reading *reading, Span span);
bool reading_is_first(const Reading *reading, Span span); /* on its line */
int reading_line(const Reading *reading, int offset);

/* ---- messages (complain.c) ---- */
/* The parser's report of a token that fits nowhere; `expected` by the parser's symbol
 * numbers. */
void complain(Reading *reading, int symbol, Span span, const bool *expected);

/* ---- the parser (grammar/parser.y) ---- */
int parser_symbols(void);
const char *parser_symbol_name(int symbol);
int parser_symbol(int token);

/* ---- constructors (build.c), in the grammar's words ---- */
Node *build(Reading *reading, NodeKind kind, Span span, Span name, const char *text,
            const char *tag, Node **kids, size_t n);
Node *leaf(Reading *reading, NodeKind kind, const char *text, Span span);
Node *wrap(Reading *reading, NodeKind kind, Node *kid);
Node *rekind(Node *node, NodeKind kind);
/* Adds a kid; the list then reaches to the end of `span`. */
Node *add(Reading *reading, Node *list, Node *kid, Span span);
/* Moves all kids of `list` to the end of `node`. */
Node *adopt(Reading *reading, Node *node, Node *list);
/* Reads digits (of a number, of a board row's rank) into node->number. */
Node *number(Reading *reading, Node *node, const char *digits, Span span);
Node *fraction(Reading *reading, Node *node);
Node *length(Reading *reading, Node *cell, const char *digits, Span span);
Node *placed(Node *node, int n);
Node *named(Reading *reading, const char *text, Span start, Span end);
Node *owned(Reading *reading, const char *text, Span span);
Node *extended(Reading *reading, const char *title, Span span);
Node *hook_file(Reading *reading, const char *name, Span span);
Node *no_doc(Reading *reading, Span span);
Node *answer(Reading *reading, Node *node);
Node *in_brackets(Node *node, Span span);
const char *title(const Node *doc);
Span first_of_doc(const Node *doc);

#endif
