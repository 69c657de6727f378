/* The syntax tree: finding one's way in it, and printing it. */
#include "front/tree.h"

#include <string.h>

const char *node_kind_name(NodeKind kind) {
  static const char *const names[] = {
#define NODE(kind, shape) #kind,
#include "front/nodes.def"
#undef NODE
  };
  return kind >= 0 && kind < N_COUNT ? names[kind] : "?";
}

const Node *node_find(const Node *node, NodeKind kind) {
  if (!node) return NULL;
  for (const Node *kid = node->kid; kid; kid = kid->next)
    if (kid->kind == kind) return kid;
  return NULL;
}

const Node *node_kid(const Node *node, int i) {
  if (!node || i < 0) return NULL;
  const Node *kid = node->kid;
  while (kid && i-- > 0) kid = kid->next;
  return kid;
}

int node_count(const Node *node) {
  int n = 0;
  if (node)
    for (const Node *kid = node->kid; kid; kid = kid->next) n++;
  return n;
}

const char *node_doc(const Node *node, const char *tag) {
  const Node *doc = node_find(node, N_DOC);
  if (!doc) return NULL;
  for (const Node *text = doc->kid; text; text = text->next) {
    bool same = tag ? text->tag && strcmp(text->tag, tag) == 0 : text->tag == NULL;
    if (same) return text->text;
  }
  return NULL;
}

const char *node_see(Arena *arena, const Node *node) {
  const Node *doc = node_find(node, N_DOC);
  const char *all = NULL;
  for (const Node *text = doc ? doc->kid : NULL; text; text = text->next)
    if (text->tag && !strcmp(text->tag, "see"))
      all = all ? arena_printf(arena, "%s, %s", all, text->text) : text->text;
  return all;
}

/* ---- printing ---- */

static void print_text(const char *text, FILE *out) {
  bool plain = *text != '\0';
  for (const char *c = text; *c; c++)
    if (strchr(" \t()\"", *c)) plain = false;
  fprintf(out, plain ? "%s" : "\"%s\"", text);
}

static void print_node(const Node *node, int indent, FILE *out) {
  fprintf(out, "%*s(%s", indent, "", node_kind_name(node->kind));
  if (node->text) {
    fputc(' ', out);
    print_text(node->text, out);
  }
  if (node->tag) fprintf(out, " :%s", node->tag);
  if (node->number && node->kind != N_VALUE && node->kind != N_E_INT &&
      node->kind != N_ROW)
    fprintf(out, " #%d", node->number);
  if (node->parens) fprintf(out, " ()");
  for (const Node *kid = node->kid; kid; kid = kid->next) {
    fputc('\n', out);
    print_node(kid, indent + 2, out);
  }
  fputc(')', out);
}

void tree_print(const Node *node, FILE *out) {
  print_node(node, 0, out);
  fputc('\n', out);
}

const char *node_operator(NodeKind kind) {
  switch (kind) {
    case N_E_OF:
      return "of";
    case N_E_AT:
      return "at";
    case N_E_EXCEPT:
      return "except";
    case N_E_WHERE:
      return "where";
    case N_E_ADD:
      return "+";
    case N_E_SUB:
      return "-";
    case N_E_MUL:
      return "*";
    case N_E_RANGE:
      return "..";
    case N_E_EQ:
      return "=";
    case N_E_NE:
      return "!=";
    case N_E_LT:
      return "<";
    case N_E_GT:
      return ">";
    case N_E_LE:
      return "<=";
    case N_E_GE:
      return ">=";
    case N_E_IN:
      return "in";
    case N_E_AND:
      return "and";
    case N_E_OR:
      return "or";
    case N_E_NOT:
      return "not";
    case N_E_COUNT:
      return "count";
    case N_E_ALL:
      return "all";
    case N_E_SOME:
      return "some";
    case N_E_NO:
      return "no";
    default:
      return NULL;
  }
}

static void print_list(const Node *kid, FILE *out) {
  for (bool first = true; kid; kid = kid->next, first = false) {
    if (!first) fprintf(out, ", ");
    tree_print_infix(kid, out);
  }
}

void tree_print_infix(const Node *node, FILE *out) {
  const char *word = node_operator(node->kind);
  if (word && node->kid && node->kid->next) {
    fputc('(', out);
    tree_print_infix(node->kid, out);
    fprintf(out, " %s ", word);
    tree_print_infix(node->kid->next, out);
    fputc(')', out);
    return;
  }
  if (word && node->kid) {
    fprintf(out, "(%s ", word);
    tree_print_infix(node->kid, out);
    fputc(')', out);
    return;
  }
  switch (node->kind) {
    case N_E_OWNER:
      fprintf(out, "%s%s%s", node->text, node->tag ? " " : "",
              node->tag ? node->tag : "");
      return;
    case N_E_CALL:
      fprintf(out, "%s(", node->text);
      print_list(node->kid, out);
      fputc(')', out);
      return;
    case N_E_LINE: {
      const Node *cell = node->kid;
      fprintf(out, "line");
      if (cell && cell->kind == N_LINE_WAYS) {
        fputc('(', out);
        tree_print_infix(cell->kid, out);
        fputc(')', out);
        cell = cell->next;
      }
      fprintf(out, " [");
      print_list(cell, out);
      fputc(']', out);
      return;
    }
    case N_CELL:
      tree_print_infix(node->kid, out);
      if (node->number) fprintf(out, " run %d", node->number);
      if (node->text) fprintf(out, " as %s", node->text);
      return;
    case N_E_ERROR:
      fputc('?', out);
      return;
    default:
      fprintf(out, "%s", node->text ? node->text : node_kind_name(node->kind));
  }
}
