/* The way in: a text becomes a tree, or a list of tokens. */
#include "front/parse.h"

#include <pthread.h>
#include <string.h>
#include "base/vec.h"
#include "front/reading.h"
#include "front/rules.h"
#include "parser.h"

static const struct {
  const char *text;
  int token;
  const char *group;
} keywords[] = {
#define KEYWORD(spelling, token, group) {spelling, token, group},
#include "keywords.def"
#undef KEYWORD
};

enum { KEYWORD_COUNT = sizeof keywords / sizeof *keywords };

const char *parse_keyword(int i, const char **group) {
  if (i < 0 || i >= KEYWORD_COUNT) return NULL;
  *group = keywords[i].group;
  return keywords[i].text;
}

int parse_keyword_token(int i) {
  return i < 0 || i >= KEYWORD_COUNT ? 0 : keywords[i].token;
}

/* Keywords by their first letter, all of them ASCII: the first, and for each the next. */
static int16_t keyword_first[128], keyword_next[KEYWORD_COUNT];
static pthread_once_t keywords_sorted = PTHREAD_ONCE_INIT;
static void sort_keywords(void) {
  memset(keyword_first, -1, sizeof keyword_first);
  for (int i = KEYWORD_COUNT - 1; i >= 0; i--) {
    int16_t *first = &keyword_first[(unsigned char)keywords[i].text[0] & 127];
    keyword_next[i] = *first;
    *first = (int16_t)i;
  }
}

int reading_keyword(const Reading *reading, const char *text) {
  (void)reading;
  pthread_once(&keywords_sorted, sort_keywords);
  for (int i = keyword_first[(unsigned char)*text & 127]; i >= 0; i = keyword_next[i])
    if (strcmp(keywords[i].text, text) == 0) return keywords[i].token;
  return IDENT;
}

const char *reading_intern(Reading *reading, const char *text, size_t length) {
  return reading->names ? names_intern(reading->names, text, length) : NULL;
}

const char *reading_name(Reading *reading, Span span, const char *text, int length) {
  if (length > WORD_LENGTH_MAX) {
    if (reading->diags)
      diag_report(reading->diags, DIAG_NAME_TOO_LONG, span,
                  "a name has at most %d letters, and this one %d", WORD_LENGTH_MAX, length);
    length = WORD_LENGTH_MAX;
  }
  return reading_intern(reading, text, (size_t)length);
}

void reading_advance(Reading *reading, Span *span, int length) {
  span->file = reading->file;
  span->start = reading->at;
  reading->at += length;
  span->end = reading->at;
}

/* ---- trees ---- */

static void start(Reading *reading, Diags *diags, Names *names, Arena *arena, int file) {
  const Source *source = &diags->sources->at[file];
  memset(reading, 0, sizeof *reading);
  reading->diags = diags;
  reading->names = names;
  reading->arena = arena;
  reading->file = file;
  reading->text = source->text;
  reading->length = source->length;
  reading->last.span.file = file;
}

static Node *parse(Reading *reading, int start_token) {
  reading->start_token = start_token;
  reading->scanner = lexer_open(reading, reading->text, reading->length);
  int status = yyparse(reading);
  lexer_close(reading->scanner);
  return status == 0 ? reading->tree : NULL;
}

Node *parse_file(Diags *diags, Names *names, Arena *arena, int file) {
  Reading *reading = ARENA_NEW(arena, Reading);
  start(reading, diags, names, arena, file);
  int errors = diags->errors;
  Node *tree = parse(reading, WHOLE_FILE);
  Span all = {file, 0, (int)reading->length};
  if (!tree) tree = leaf(reading, N_FILE, NULL, all);
  tree->span = tree->name = all;
  if (!tree->kid && diags->errors == errors) {
    Span span = {file, 0, 0};
    Diag *diag = diag_report(diags, DIAG_EMPTY_FILE, span, "the file is empty");
    diag_note(diags, diag, "a file holds a game, a house or a library");
  }
  return tree;
}

Node *parse_expression(Diags *diags, Names *names, Arena *arena, int file) {
  Reading *reading = ARENA_NEW(arena, Reading);
  start(reading, diags, names, arena, file);
  int errors = diags->errors;
  Node *tree = parse(reading, EXPRESSION);
  Span all = {file, 0, (int)reading->length};
  if (tree && diags->errors == errors) return tree;
  return leaf(reading, N_E_ERROR, NULL, all);
}

/* ---- tokens ---- */

Tokens parse_tokens(Arena *arena, const Sources *sources, int file) {
  const Source *source = &sources->at[file];
  Reading *reading = ARENA_NEW(arena, Reading);
  reading->file = file;
  reading->text = source->text;
  reading->length = source->length;
  /* keywords are told from names by their text, so names are needed for a while */
  reading->names = names_new(arena);
  reading->scanner = lexer_open(reading, source->text, source->length);
  VEC(Token) list = {0};
  YYSTYPE value;
  Span span;
  for (int kind; (kind = lexer_scan(&value, &span, reading->scanner)) != 0;) {
    Token token = {kind, span.start, span.end};
    VEC_PUSH(list, token);
  }
  lexer_close(reading->scanner);
  Tokens tokens = {ARENA_ARRAY(arena, Token, list.n + 1), (int)list.n};
  if (list.n) memcpy(tokens.at, list.at, list.n * sizeof *list.at);
  VEC_FREE(list);
  return tokens;
}

const char *parse_token_name(int kind) {
  if (kind < 0) return "?";
  if (kind == 0) return "end";
  return parser_symbol_name(parser_symbol(kind));
}
