/* Source to tree. Reentrant; mistakes go to the diags, parsing goes on after them. */
#ifndef PARSE_H
#define PARSE_H

#include "base/diag.h"
#include "base/text.h"
#include "front/tree.h"

/* The tree of a whole file (N_FILE); never NULL, whatever the text is. */
Node *parse_file(Diags *diags, Names *names, Arena *arena, int file);
/* One expression (for tests and `expect` on the command line); E_ERROR if unreadable. */
Node *parse_expression(Diags *diags, Names *names, Arena *arena, int file);

/* The tokens of a file in order, comments not among them (they live in the gaps). */
typedef struct Token {
  int kind; /* the grammar's number */
  int start, end;
} Token;
typedef struct Tokens {
  Token *at;
  int n;
} Tokens;
Tokens parse_tokens(Arena *arena, const Sources *sources, int file);
/* "IDENT", "move", "{": for dump tokens. */
const char *parse_token_name(int kind);
/* Reserved words: the i-th, or NULL at the end; class goes to *group. For suggestions,
 * editors and the test that clause words and built-in names are disjoint. */
const char *parse_keyword(int i, const char **group);
/* The token of the i-th reserved word; several words may share one. */
int parse_keyword_token(int i);

#endif
