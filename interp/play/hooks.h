/* Hooks: names whose value a Lua script computes (condition, sites, number) or effects that it
 * lists. A script is run in a sandbox of its own for every call, on a read-only view of the
 * position (stdlib/hook.lua describes it for authors). A script that errs, loops or answers
 * with the wrong type makes the call fail: false is returned, the reason is in hooks_error and
 * becomes the engine's complaint, and nothing has changed. */
#ifndef HOOKS_H
#define HOOKS_H

#include "play/eval.h"

typedef struct Hooks Hooks;

/* Never NULL. Scripts are read at the first call of each. `hooks_free(NULL)` is allowed. */
Hooks *hooks_new(const Rules *rules);
void hooks_free(Hooks *hooks);

bool hooks_condition(Hooks *hooks, int hook, EvalCtx *ctx, bool *value);
bool hooks_sites(Hooks *hooks, int hook, EvalCtx *ctx, SiteSet *value);
bool hooks_number(Hooks *hooks, int hook, EvalCtx *ctx, int64_t *value);

typedef enum HookOp {
  HOOK_TAKE,  /* `count` pieces of `plane` on `site` leave the game */
  HOOK_PUT,   /* … go to `to_site` */
  HOOK_MAKE,  /* … become `to_plane` */
  HOOK_SET,   /* `cell` becomes `value` */
  HOOK_RAISE, /* `cell` rises by `value` */
  HOOK_LOWER
} HookOp;
typedef struct HookChange {
  HookOp op;
  int16_t plane, site, to_plane, to_site;
  int32_t count;
  int32_t cell, value;
} HookChange;
enum { HOOK_CHANGES_MOST = 1024 };
/* The changes that the script lists, checked against the position; valid until the next call. */
bool hooks_effect(Hooks *hooks, int hook, EvalCtx *ctx, const HookChange **list, int *n);

/* Why the last call failed: "hook `storm`: storm.lua:3: …". */
const char *hooks_error(const Hooks *hooks);
/* Reads and compiles a script without calling it, for `check`; false and the reason. */
bool hooks_check(Hooks *hooks, int hook);

#endif
