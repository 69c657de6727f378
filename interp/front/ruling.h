/* One rule, or the turn, at work: shared by rule.c and turn.c. */
#ifndef RULING_H
#define RULING_H

#include "front/resolve.h"

typedef struct Ruling {
  Build *build;
  Def *def;
  const Def *pattern;
  Rule *rule;
  TurnShape *turn;
  uint32_t members; /* HERE or EACH, bound by `for` */
  bool whole_turns;
} Ruling;

/* "move `walk`", "turn": for messages. */
const char *ruling_name(const Ruling *r);
/* The clause as written, else the pattern's; NULL if there is none. */
const FlatClause *ruling_clause(const Ruling *r, ClauseId id);
/* What is known in that clause. */
Scope ruling_scope(const Ruling *r, ClauseId id);
/* The one expression of a clause, typed; NULL if the clause is not there or faulty. */
const Expr *ruling_value(const Ruling *r, ClauseId id, Type type);
/* The same for players, and not for nobody. */
const Expr *ruling_players(const Ruling *r, ClauseId id);
/* A number or a range, from 1. */
void ruling_range(const Ruling *r, ClauseId id, const Expr **low, const Expr **high);
/* Whether its constant `if` holds. */
bool ruling_exists(const Ruling *r, ClauseId id);
/* Complains of clauses that the kind does not have. */
void check_words(Build *build, const Def *def, RuleKind kind);
ClauseId clause_of(const char *word);

#endif
