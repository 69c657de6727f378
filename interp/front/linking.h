/* A linking at work: shared by link.c (units, definitions) and layer.c (edits). */
#ifndef LINKING_H
#define LINKING_H

#include "front/loading.h"

enum { CHAIN_MAX = 32, LINK_DEFS_MAX = 4096 };

typedef struct Link {
  Loading *loading;
  Flat *flat;
  const Unit *chain[CHAIN_MAX]; /* units being linked: a cycle shows here */
  int chain_n;
  const Unit **done; /* libraries linked */
  int done_n, done_room;
  const Unit *unit; /* at work */
  int edits, idle;  /* of the unit asked for: all, and those that change nothing */
  bool lint;
  bool full;
} Link;

Diags *link_diags(Link *link);
bool link_same(const char *a, const char *b);
/* The kind and rule kind that an edit's head names. */
bool link_head_kind(const Node *head, NodeKind *kind, RuleKind *rule);
/* The definition of that kind and name; a turn is that of the phase. NULL if none. */
Def *link_find(Link *link, NodeKind kind, RuleKind rule, const char *name,
               const char *phase);
void link_append(Link *link, Def *def);
/* Whether the name is taken; says so. */
bool link_clashes(Link *link, const Def *def);
void link_add_clause(Link *link, Def *def, const char *word, const Node *node);
bool link_may_repeat(const Def *def, const char *word);
Def *link_new_def(Link *link, const Node *node, const char *phase);

void edit_change(Link *link, const Node *node, const char *phase);
void edit_remove(Link *link, const Node *node, const char *phase);
void edit_set(Link *link, const Node *node);
void edit_before(Link *link, const Node *node, const char *phase);
void replace_def(Link *link, Def *def);

#endif
