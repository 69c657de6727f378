/* What the files of the evaluator share and nobody else needs. */
#ifndef EVALUATING_H
#define EVALUATING_H

#include "play/eval.h"

struct LetCache { /* one entry a let */
  uint64_t stamp; /* of the context in which it was evaluated */
  int64_t number;
  SiteSet sites;
  PieceSet *pieces; /* NULL but for a let of pieces */
};

/* The entry of a LET whose value may be kept, or NULL. */
LetCache *eval_kept(EvalCtx *ctx, const Expr *e);
/* The cell that a state's expression reads; what it holds, or 0 if there is none. */
int32_t eval_cell(EvalCtx *ctx, const Expr *e, bool *found);
/* Those of the sites that meet the condition, which may look at `here`. */
SiteSet eval_where(EvalCtx *ctx, SiteSet all, const Expr *condition);
/* The first of the paths, or NULL. */
const Path *eval_path(EvalCtx *ctx, const Expr *e);

/* The expression that a LET or LET_BY stands for, for each seat of the set in turn. */
static inline const Expr *eval_let_of(const Expr *e, int seat) {
  return ((const Expr *const *)e->data)[seat];
}

/* One member, or for -1 none. */
static inline SiteSet eval_maybe(int member) {
  return member >= 0 ? sites_one(member) : sites_none();
}

#endif
