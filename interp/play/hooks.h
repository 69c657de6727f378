/* Hooks: names whose value a sandboxed Lua script computes. One Lua state for each call; a hook
 * that errs, loops or returns the wrong type sets the engine's trouble (engine_trouble) with
 * hook, file and line, and the call returns false. */
#ifndef HOOKS_H
#define HOOKS_H

#include "play/eval.h"

typedef struct Hooks Hooks;

/* One change that an effect hook asks for; all of a list are carried out together. */
typedef enum HookOp { HOOK_TAKE, HOOK_PUT, HOOK_MAKE, HOOK_SET, HOOK_RAISE, HOOK_LOWER } HookOp;
typedef struct HookChange {
  HookOp op;
  int plane, site, count; /* TAKE, PUT, MAKE: which pieces */
  int to_site;            /* PUT */
  int to_plane;           /* MAKE */
  int cell;               /* SET, RAISE, LOWER */
  int32_t value;          /* number, atom, seat or site; amount */
} HookChange;

Hooks *hooks_new(const Rules *rules);
void hooks_free(Hooks *hooks);
bool hooks_condition(Hooks *hooks, int hook, const EvalCtx *ctx, bool *yes);
bool hooks_sites(Hooks *hooks, int hook, const EvalCtx *ctx, SiteSet *sites);
bool hooks_number(Hooks *hooks, int hook, const EvalCtx *ctx, int64_t *number);
/* The list belongs to the hooks and holds until the next call. */
bool hooks_effect(Hooks *hooks, int hook, const EvalCtx *ctx, const HookChange **list, int *n);

#endif
