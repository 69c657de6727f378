/* The constructors that the grammar calls. They know shape and depth, nothing of meaning.
 */
#include <stdlib.h>
#include <string.h>
#include "front/reading.h"

static Node *new_node(Reading *r, NodeKind kind, Span span) {
  Node *node = ARENA_NEW(r->arena, Node);
  node->kind = kind;
  node->depth = 1;
  node->span = node->name = span;
  return node;
}

static void append(Node *node, Node *kid) {
  if (node->last) {
    node->last->next = kid;
  } else {
    node->kid = kid;
  }
  node->last = kid;
  if (kid->depth >= node->depth) node->depth = kid->depth + 1;
}

void reading_too_deep(Reading *r, Span span) {
  if (r->too_deep) return;
  r->too_deep = true;
  Diag *diag = diag_report(r->diags, DIAG_TOO_DEEP, span,
                           "this is nested too deeply or is too long a chain");
  diag_note(r->diags, diag, "at most %d levels; a `let` can give a part of it a name",
            TREE_MAX_DEPTH);
}

Node *build(Reading *r, NodeKind kind, Span span, Span name, const char *text,
            const char *tag, Node **kids, size_t n) {
  Node *node = new_node(r, kind, span);
  node->name = name;
  node->text = text;
  node->tag = tag;
  for (size_t i = 0; i < n; i++)
    if (kids[i]) append(node, kids[i]);
  if (node->depth <= TREE_MAX_DEPTH) return node;
  reading_too_deep(r, name);
  return new_node(r, N_E_ERROR, span);
}

Node *leaf(Reading *r, NodeKind kind, const char *text, Span span) {
  Node *node = new_node(r, kind, span);
  node->text = text;
  return node;
}

Node *wrap(Reading *r, NodeKind kind, Node *kid) {
  Node *node = new_node(r, kind, kid->span);
  append(node, kid);
  return node;
}

Node *rekind(Node *node, NodeKind kind) {
  if (node) node->kind = kind;
  return node;
}

Node *add(Reading *r, Node *list, Node *kid, Span span) {
  (void)r;
  append(list, kid);
  if (list->kid == kid) list->span.start = kid->span.start;
  list->span.end = span.end;
  return list;
}

Node *adopt(Reading *r, Node *node, Node *list) {
  for (Node *kid = list->kid; kid;) {
    Node *next = kid->next;
    kid->next = NULL;
    append(node, kid);
    kid = next;
  }
  if (node->depth > TREE_MAX_DEPTH) {
    reading_too_deep(r, node->name);
    node->kid = node->last = NULL;
    node->depth = 1;
    append(node, new_node(r, N_E_ERROR, list->span));
  }
  return node;
}

static int read_digits(Reading *r, const char *digits, Span span) {
  long value = 0;
  for (; *digits >= '0' && *digits <= '9'; digits++) {
    value = value * 10 + (*digits - '0');
    if (value <= NUMBER_MAX) continue;
    diag_report(r->diags, DIAG_NUMBER_TOO_BIG, span, "numbers go up to 1000000000");
    return NUMBER_MAX;
  }
  return (int)value;
}

Node *number(Reading *r, Node *node, const char *digits, Span span) {
  node->number = read_digits(r, digits, span);
  return node;
}

Node *fraction(Reading *r, Node *node) {
  const char *text = node->text;
  read_digits(r, text, node->span);
  text += strspn(text, "0123456789") + 1;
  int below = read_digits(r, text, node->span);
  if (below == 0)
    diag_report(r->diags, DIAG_SYNTAX, node->span, "`%s` has a zero after the `%c`",
                node->text, text[-1]);
  node->number = -1;
  return node;
}

Node *length(Reading *r, Node *cell, const char *digits, Span span) {
  cell->number = read_digits(r, digits, span);
  if (cell->number == 0) {
    diag_report(r->diags, DIAG_SYNTAX, span, "a run has at least one cell");
    cell->number = 1;
  }
  return cell;
}

Node *placed(Node *node, int n) {
  node->number = n;
  return node;
}

Node *named(Reading *r, const char *text, Span start, Span end) {
  Node *node = leaf(r, N_NAMED, text, span_join(start, end));
  node->name = start;
  return node;
}

Node *owned(Reading *r, const char *text, Span span) {
  return leaf(r, N_OWNED, text, span);
}

Node *extended(Reading *r, const char *text, Span span) {
  return leaf(r, N_EXTENDS, text, span);
}

Node *hook_file(Reading *r, const char *name, Span span) {
  return leaf(r, N_HOOK_FILE, name, span);
}

Node *no_doc(Reading *r, Span span) {
  return wrap(r, N_DOC, leaf(r, N_DOC_TEXT, "", span));
}

Node *answer(Reading *r, Node *node) {
  if (strcmp(node->text, "do") == 0)
    diag_report(r->diags, DIAG_SYNTAX, node->name, "an answer is `accept` or `decline`");
  return node;
}

Node *in_brackets(Node *node, Span span) {
  node->parens = true;
  node->span = span;
  return node;
}

const char *title(const Node *doc) {
  return doc->kid->text;
}

Span first_of_doc(const Node *doc) {
  return doc->kid->span;
}
