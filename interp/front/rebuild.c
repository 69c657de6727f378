/* Walking expressions that are made: once over every node, or anew with `here` known. */
#include "front/resolve.h"

static const Expr *fold_label(Build *build, const Expr *e, const Expr *of) {
  const SiteSet *sites = constant_sites(of);
  const Label *label = &build->label[e->a];
  if (!sites) return NULL;
  int s = sites_first(sites);
  if (label->type == TYPE_NUMBER)
    return make_number(build, s < 0 ? 0 : label->value[s], e->span);
  int atom = s < 0 ? -1 : label->value[s];
  return make_values(build, atom < 0 ? sites_none() : sites_one(atom), domain_of(e),
                     e->span);
}

/* Rebuilds what depends on `here`; lets are looked through. Bounded by the depth and cost
 * limits of the expression, which the caller has checked. */
const Expr *make_here(Build *build, const Expr *e, int site) {
  if (!(e->deps & DEP_HERE)) return e;
  if (e->op == X_HERE) return make_sites(build, sites_one(site), e->span);
  if (e->op == X_LET) return make_here(build, e->kid[0], site);
  if (e->op == X_LET_BY || e->op == X_LINE_SITES || e->op == X_LINE_PIECES) return e;
  const Expr *a = e->kid[0] ? make_here(build, e->kid[0], site) : NULL;
  const Expr *b = e->kid[1];
  if (b && !(e->op == X_WHERE && e->type != TYPE_PLAYERS)) b = make_here(build, b, site);
  if (e->op == X_LABEL_NUMBER || e->op == X_LABEL_VALUE) {
    const Expr *folded = fold_label(build, e, a);
    if (folded) return folded;
  }
  if (e->data || e->a || e->b) {
    Expr *copy = make_raw(build, (ExprOp)e->op, (Type)e->type, e->span, a, b);
    copy->a = e->a;
    copy->b = e->b;
    copy->data = e->data;
    ((Made *)(void *)copy)->domain = domain_of(e);
    return make_finish(build, copy);
  }
  if (b) return make2(build, (ExprOp)e->op, (Type)e->type, e->span, a, b);
  return make1(build, (ExprOp)e->op, (Type)e->type, e->span, a);
}

void expr_visit(Build *build, const Expr *e, void (*visit)(void *, const Expr *),
                void *data) {
  if (!e) return;
  Made *m = (Made *)(uintptr_t)(const void *)e;
  if (m->mark == build->mark) return;
  m->mark = build->mark;
  visit(data, e);
  for (int i = 0; i < 3; i++) expr_visit(build, e->kid[i], visit, data);
  if (e->op == X_LINE_SITES || e->op == X_LINE_PIECES) {
    const LineShape *shape = e->data;
    for (int i = 0; i < shape->n; i++)
      expr_visit(build, shape->cell[i].expr, visit, data);
  }
  if (e->op == X_LET_BY)
    for (int s = 0; s < SEATS_MAX; s++)
      expr_visit(build, ((const Expr *const *)e->data)[s], visit, data);
}
