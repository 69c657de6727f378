/* Linking: from units to one flat list of definitions. Libraries in the order of `use`,
 * then the base, then the layer; set, change, replace, remove and before already carried
 * out. Every clause still points to the node, and so to the file, that wrote it. Options
 * play no part yet: one flat game serves any number of resolutions. */
#ifndef LINK_H
#define LINK_H

#include "front/rules.h"
#include "front/load.h"

typedef struct Unit { /* a game, house or library in a file */
  const Node *node;
  const char *title; /* of a game or house; name of a library */
  int file;
} Unit;

typedef struct FlatClause FlatClause;
struct FlatClause {
  const char *word;
  const Node *node; /* N_CLAUSE; NULL: removed, and not to be filled in by the pattern */
  const Unit *unit; /* who wrote it */
  FlatClause *next;
};

typedef struct Def Def;
struct Def {
  NodeKind kind;     /* N_REGION … N_RULE, N_PATTERN, N_PHASE, N_SCENARIO, N_NEEDS */
  RuleKind rule;     /* of a rule or pattern */
  const char *name;  /* NULL for board, setup, players, needs */
  const char *owner; /* after `of`, or NULL */
  const Node *node;
  int which; /* the how-manieth name of the node (pieces, pockets, needs) */
  const Node *is, *doc;
  const Node *said; /* whose sentence counts: `node`, or a later `change` with a text */
  FlatClause *clauses, *last_clause; /* rules, turn, board, dice, patterns */
  const char *phase;                 /* the phase it stands in, or NULL */
  const Unit *unit;
  const Node *set; /* param: the VALUE of a `set`, or NULL */
  bool partial;    /* the turn of a phase: only what it changes */
  bool removed;
  bool touched; /* changed, replaced or set by a later unit */
  Span span;    /* of its name */
  Def *next;
};

typedef struct Flat {
  Arena *arena;
  const Unit *unit;  /* the game or house that was asked for */
  Def *first, *last; /* in order of evaluation; removed ones still in it */
  int n;             /* definitions not removed */
} Flat;

/* Links the unit with its bases and libraries. Never NULL; mistakes go to the diags, with
 * `lint` also findings about layers that change nothing. */
Flat *link_unit(Loading *loading, const Unit *unit, bool lint);
/* Written alike, word for word. Bounded by the depth of trees. */
bool nodes_equal(const Node *a, const Node *b);

/* The definition of that kind and name (and owner, if not NULL), or NULL. */
Def *flat_find(const Flat *flat, NodeKind kind, const char *name, const char *owner);
/* The clause of a definition, or NULL. */
const FlatClause *def_clause(const Def *def, const char *word);
/* "region", "move", "turn": how the author calls such a definition. */
const char *def_word(const Def *def);
const char *article(const char *word); /* "a" or "an" */
/* The rule kind of a word, or RULE_KINDS. */
RuleKind rule_kind_of(const char *word);

#endif
