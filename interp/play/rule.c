/* What every kind of rule shares: its conditions, and the members of its `for`. */
#include "play/inside.h"

bool rule_holds(EvalCtx *ctx, const Rule *rule) {
  return (!rule->when || eval_condition(ctx, rule->when)) &&
         (!rule->unless || !eval_condition(ctx, rule->unless));
}

/* Whether a condition is the same for every member and victim. */
static bool is_common(const Expr *e) {
  return e && !(e->deps & (DEP_EACH | DEP_HERE | DEP_VICTIM | DEP_SLOW));
}

/* Whether the rule can hold for no member, which need not be looked for then. */
static bool holds_for_none(EvalCtx *ctx, const Rule *rule) {
  return (is_common(rule->when) && !eval_condition(ctx, rule->when)) ||
         (is_common(rule->unless) && eval_condition(ctx, rule->unless));
}

void rule_each(EvalCtx *ctx, const Rule *rule, RuleMember *member, void *with) {
  if (!rule->for_) {
    member(ctx, rule, with);
  } else if (holds_for_none(ctx, rule)) {
    return;
  } else if (rule->for_->type == TYPE_PLAYERS) {
    uint32_t members = eval_players(ctx, rule->for_);
    for (int s = 0; s < ctx->rules->seats; s++) {
      ctx->each = s;
      if ((members >> s) & 1) member(ctx, rule, with);
    }
    ctx->each = -1;
  } else {
    SiteSet members = eval_sites(ctx, rule->for_);
    SITES_FOR(s, members) {
      ctx->here = s;
      member(ctx, rule, with);
    }
    ctx->here = -1;
  }
}
