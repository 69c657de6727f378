/* Effects: take, put, make, set, raise, lower, gain, hooks; and `set` in layouts and
 * scenarios, which may also set what no rule can (turn_count, starter …). */
#include "front/resolve.h"

#include <string.h>

static const struct Counter {
  const char *word;
  TargetKind target;
  bool of_player;
} counters[] = {
    {"turn_count", TARGET_TURN_COUNT, false}, {"turns", TARGET_TURNS, true},
    {"starter", TARGET_STARTER, false},       {"overruns", TARGET_OVERRUNS, true},
    {"passes", TARGET_PASSES, false},         {"quiet", TARGET_QUIET, false}};

static void set_value(const Scope *scope, Effect *effect, const Node *value, Type type,
                      const Domain *domain, const char *what) {
  Scope inner = *scope;
  inner.hint = domain;
  const Expr *e = express(&inner, value);
  effect->b = coerce(&inner, e, type, what);
  if (effect->b->op == X_OPPONENT && scope->build->rules->seats > 2) {
    diag_report(scope->build->diags, DIAG_NOT_SINGLE, value->span,
                "`opponent` may be several players here, and %s wants one", what);
    effect->b = make_poison(scope->build, value->span);
  }
  if (effect->b->type == TYPE_VALUES && !in_domain(&inner, effect->b, domain))
    effect->b = make_poison(scope->build, value->span);
}

static bool set_phase(const Scope *scope, const Node *target, const Node *value,
                      EffectOp op, Effect *effect) {
  Build *build = scope->build;
  effect->target = TARGET_PHASE;
  if (op != EFFECT_SET) {
    diag_report(build->diags, DIAG_BAD_EFFECT, target->span,
                "a phase is no number; write `set phase = …`");
    return false;
  }
  if (sites_is_empty(&build->phase_domain->atoms)) {
    diag_report(build->diags, DIAG_UNKNOWN_NAME, value->span, "the game has no phases");
    return false;
  }
  set_value(scope, effect, value, TYPE_VALUES, build->phase_domain, "`set phase`");
  if (effect->b->op == X_VALUES_CONST && value->text) {
    Symbol *symbol = symbol_find(build, SPACE_NAMES, value->text);
    if (symbol && symbol->kind == N_PHASE && !scope->scenario) symbol->used++;
  }
  return effect->b->type != TYPE_POISON;
}

static bool set_counter(const Scope *scope, const struct Counter *c, const Node *target,
                        const Node *value, EffectOp op, Effect *effect) {
  Build *build = scope->build;
  effect->target = c->target;
  if (op != EFFECT_SET) return false;
  if (c->of_player != (target->kid != NULL)) {
    diag_report(build->diags, DIAG_BAD_OF, target->span,
                c->of_player ? "`%s` of whom? write `%s of …`"
                             : "`%s` belongs to nobody; write it alone",
                c->word, c->word);
    return false;
  }
  if (c->of_player) effect->of = express_as(scope, target->kid, TYPE_PLAYERS);
  set_value(scope, effect, value,
            c->target == TARGET_STARTER ? TYPE_PLAYERS : TYPE_NUMBER, NULL, "`set`");
  return effect->b->type != TYPE_POISON;
}

static void check_number(Build *build, const State *state, const Expr *value,
                         EffectOp op) {
  if (op != EFFECT_SET || value->op != X_NUMBER || state->type != TYPE_NUMBER) return;
  if (value->a >= state->low && value->a <= state->high) return;
  Diag *d = diag_report(build->diags, DIAG_OUT_OF_RANGE, value->span,
                        "%d is outside the range of state `%s`", value->a, state->name);
  diag_note(build->diags, d, "it goes from %d to %d", state->low, state->high);
}

/* By how much a number goes up or down. */
static void check_amount(Build *build, const Node *written, const Expr *e,
                         const char *effect) {
  if (written->kind == N_E_INT && e->op == X_NUMBER && e->a == 0)
    diag_report(build->diags, DIAG_BAD_EFFECT, written->span,
                "to %s by 0 changes nothing", effect);
}

static bool set_state(const Scope *scope, Symbol *symbol, const Node *target,
                      const Node *value, EffectOp op, Effect *effect) {
  Build *build = scope->build;
  if (!define_symbol(build, symbol, target->span)) return false;
  const State *state = &build->state[symbol->index];
  effect->target = TARGET_STATE;
  effect->state = symbol->index;
  Scope inner = *scope;
  const Node *of = target->kid;
  bool owned = state->scope == SCOPE_SITE || state->scope == SCOPE_PLAYER;
  if (of && !owned) {
    diag_report(build->diags, DIAG_BAD_OF, target->span,
                "state `%s` belongs to %s; write it alone", state->name,
                state->scope == SCOPE_TURN ? "the turn" : "the whole game");
    return false;
  }
  if (!of && state->scope == SCOPE_SITE) {
    diag_report(build->diags, DIAG_BAD_OF, target->span,
                "state `%s` belongs to sites; say of which: `set %s of … = …`",
                state->name, state->name);
    return false;
  }
  if (of)
    effect->of = coerce(&inner, express(&inner, of),
                        state->scope == SCOPE_SITE ? TYPE_SITES : TYPE_PLAYERS,
                        arena_printf(build->arena, "`%s of …`", state->name));
  else if (owned)
    effect->of = make0(build, X_MOVER, TYPE_PLAYERS, target->span);
  if (owned) inner.allowed |= state->scope == SCOPE_SITE ? DEP_HERE : DEP_EACH;
  if (op != EFFECT_SET && state->type != TYPE_NUMBER) {
    diag_report(build->diags, DIAG_BAD_EFFECT, target->span,
                "state `%s` is no number that could be %s; write `set %s = …`",
                state->name, op == EFFECT_RAISE ? "raised" : "lowered", state->name);
    return false;
  }
  if (state->type == TYPE_POISON) return false;
  set_value(&inner, effect, value, state->type, symbol->domain,
            arena_printf(build->arena, "state `%s`", state->name));
  check_number(build, state, effect->b, op);
  if (op != EFFECT_SET)
    check_amount(build, value, effect->b, op == EFFECT_RAISE ? "raise" : "lower");
  return effect->b->type != TYPE_POISON &&
         (!effect->of || effect->of->type != TYPE_POISON);
}

bool make_set(const Scope *scope, const Node *node, bool position, Effect *effect) {
  Build *build = scope->build;
  const Node *target = node_find(node, N_TARGET), *value = target ? target->next : NULL;
  memset(effect, 0, sizeof *effect);
  effect->op = node->kind == N_DO_RAISE   ? EFFECT_RAISE
               : node->kind == N_DO_LOWER ? EFFECT_LOWER
                                          : EFFECT_SET;
  effect->span = node->span;
  effect->hook = effect->kind = -1;
  if (!target || !value) return false;
  if (!strcmp(target->text, "phase"))
    return set_phase(scope, target, value, effect->op, effect);
  for (size_t i = 0; position && i < sizeof counters / sizeof *counters; i++)
    if (!strcmp(counters[i].word, target->text))
      return set_counter(scope, &counters[i], target, value, effect->op, effect);
  Symbol *symbol = symbol_find(build, SPACE_NAMES, target->text);
  if (symbol && symbol->kind == N_STATE)
    return set_state(scope, symbol, target, value, effect->op, effect);
  Diag *d;
  if (symbol) {
    d = diag_report(build->diags, DIAG_BAD_EFFECT, target->span,
                    "`%s` is a %s; only states can be set as the game goes on",
                    target->text, symbol_kind_word(symbol->kind));
    diag_note_at(build->diags, d, symbol->def->span, "it is defined here");
    return false;
  }
  d = diag_report(build->diags, scope->scenario ? DIAG_SCENE_NAME : DIAG_UNKNOWN_NAME,
                  target->span, "there is no state `%s`", target->text);
  const char **names = ARENA_ARRAY(build->arena, const char *, build->rules->states + 1);
  for (int i = 0; i < build->rules->states; i++) names[i] = build->state[i].name;
  const char *near = text_nearest(target->text, names, (size_t)build->rules->states);
  if (near) diag_note(build->diags, d, "did you mean `%s`?", near);
  return false;
}

/* The one kind that an expression without owner names, or -1 after a complaint. */
static int one_kind(const Scope *scope, const Node *node) {
  const Expr *e = express(scope, node);
  if (e->type == TYPE_POISON) return -1;
  if (e->op == X_PIECES_CONST && e->b && !(e->b & (e->b - 1)))
    return __builtin_ctz((uint32_t)e->b);
  diag_report(scope->build->diags, DIAG_BAD_EFFECT, node->span,
              "`into` wants one kind of piece, as in `into %s`",
              scope->build->rules->kinds ? scope->build->kind[0].name : "token");
  return -1;
}

static bool make_make(const Scope *scope, const Node *node, Effect *effect) {
  Build *build = scope->build;
  const Node *kind = node_kid(node, 1);
  effect->op = EFFECT_MAKE;
  effect->a = coerce(scope, express(scope, node_kid(node, 0)), TYPE_PIECES, "`make`");
  const Node *owner = NULL;
  if (kind && kind->kind == N_E_OF) {
    owner = node_kid(kind, 1);
    kind = node_kid(kind, 0);
  }
  if (!kind || kind->kind == N_E_ERROR) return false;
  effect->kind = one_kind(scope, kind);
  if (owner)
    effect->b = coerce(scope, express(scope, owner), TYPE_PLAYERS, "`into … of`");
  if (effect->kind < 0 || effect->a->type == TYPE_POISON ||
      (effect->b && effect->b->type == TYPE_POISON))
    return false;
  uint32_t planes = 0;
  for (int s = 0; s < build->rules->seats; s++)
    if (build->kind[effect->kind].plane[s] >= 0) planes |= 1u << s;
  if (owner && effect->b->op == X_PLAYERS_CONST && effect->b->a &&
      !((uint32_t)effect->b->a & planes)) {
    diag_report(build->diags, DIAG_NO_SUCH_PIECE, owner->span, "that player has no %s",
                build->kind[effect->kind].name);
    return false;
  }
  return true;
}

static bool make_hook(const Scope *scope, const Node *node, Effect *effect) {
  Build *build = scope->build;
  Symbol *symbol = symbol_find(build, SPACE_NAMES, node->text);
  effect->op = EFFECT_HOOK;
  if (symbol && symbol->kind == N_HOOK && define_symbol(build, symbol, node->span) &&
      build->hook[symbol->index].effect) {
    symbol->used++;
    effect->hook = symbol->index;
    return true;
  }
  Diag *d = diag_report(build->diags, DIAG_BAD_EFFECT, node->span, "`%s` is no effect",
                        node->text);
  diag_note(
      build->diags, d,
      "effects are take, put, make, set, raise, lower, gain, and hooks that are effects");
  return false;
}

/* What a die shows that is gained. */
static void check_gained(Build *build, const Node *written, const Expr *e) {
  if (e->op != X_NUMBER || e->type != TYPE_NUMBER) return;
  if (e->a > DIE_MAX)
    diag_report(build->diags, DIAG_BAD_EFFECT, written->span,
                "a die shows at most %d, not %d", DIE_MAX, e->a);
  else if (e->a == 0 && written->kind == N_E_INT)
    diag_report(build->diags, DIAG_BAD_EFFECT, written->span,
                "a die that shows 0 can never be played");
}

static bool make_effect(const Scope *scope, const Node *n, Effect *effect) {
  effect->span = n->span;
  effect->kind = effect->hook = -1;
  switch (n->kind) {
    case N_DO_TAKE:
      effect->op = EFFECT_TAKE;
      effect->a = coerce(scope, express(scope, n->kid), TYPE_PIECES, "`take`");
      return effect->a->type != TYPE_POISON;
    case N_DO_PUT:
      effect->op = EFFECT_PUT;
      effect->a = coerce(scope, express(scope, node_kid(n, 0)), TYPE_PIECES, "`put`");
      effect->b = coerce(scope, express(scope, node_kid(n, 1)), TYPE_SITES, "`put … on`");
      return effect->a->type != TYPE_POISON && effect->b->type != TYPE_POISON;
    case N_DO_MAKE:
      return make_make(scope, n, effect);
    case N_DO_SET:
    case N_DO_RAISE:
    case N_DO_LOWER:
      return make_set(scope, n, false, effect);
    case N_DO_GAIN:
      effect->op = EFFECT_GAIN;
      effect->a = coerce(scope, express(scope, n->kid), TYPE_NUMBER, "`gain`");
      check_gained(scope->build, n->kid, effect->a);
      return effect->a->type != TYPE_POISON;
    case N_DO_HOOK:
      return make_hook(scope, n, effect);
    default:
      return false;
  }
}

Effects make_effects(const Scope *scope, const Node *clause) {
  Effects effects = {0};
  Effect *at = ARENA_ARRAY(scope->build->arena, Effect, node_count(clause) + 1);
  for (const Node *n = clause->kid; n; n = n->next)
    if (make_effect(scope, n, &at[effects.n])) effects.n++;
  effects.at = at;
  return effects;
}
