/* The syntax tree: what the author wrote, with a span on every node. Nodes live in the
 * arena of the parse and are never changed after it. Shapes: nodes.def. */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/arena.h"
#include "base/source.h"

typedef enum NodeKind {
#define NODE(kind, shape) N_##kind,
#include "front/nodes.def"
#undef NODE
  N_COUNT
} NodeKind;

typedef struct Node Node;
struct Node {
  NodeKind kind;
  bool parens;      /* an expression written in brackets */
  int number;
  int depth;        /* of the tree below, for the limit on nesting */
  const char *text; /* interned */
  const char *tag;  /* interned */
  Span span;        /* the whole construct */
  Span name;        /* the word that names it (`text`), for carets; else like span */
  Node *kid, *last, *next;
};

enum { TREE_MAX_DEPTH = 200 };

const char *node_kind_name(NodeKind kind);
/* The first kid of that kind, or NULL. */
const Node *node_find(const Node *node, NodeKind kind);
/* The i-th kid (from 0), or NULL. */
const Node *node_kid(const Node *node, int i);
int node_count(const Node *node);
/* The sentence of an item (its DOC's first text), or NULL; `tag` NULL for the first. */
const char *node_doc(const Node *node, const char *tag);
/* All that an item says `see` of, with commas between, or NULL. */
const char *node_see(Arena *arena, const Node *node);
/* The word or sign of an expression that has one, as `=`, `in`, `count`; or NULL. */
const char *node_operator(NodeKind kind);
/* One bracketed S-expression; `infix` prints expressions as written, fully bracketed. */
void tree_print(const Node *node, FILE *out);
void tree_print_infix(const Node *node, FILE *out);

#endif
