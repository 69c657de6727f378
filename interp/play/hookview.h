/* What a script sees of a position: the object `p`, its fields and functions. */
#ifndef HOOKVIEW_H
#define HOOKVIEW_H

#include "play/eval.h"
#include "play/hooks.h"
#include "play/sandbox.h"

/* Pushes the view of the context's position. It must not outlive the context. */
void hookview_push(lua_State *L, EvalCtx *ctx);

/* Names as scripts write them, read from the stack; errors in the script when unknown. `what`
 * says which value was read ("`at`", "argument 1"). */
int hookview_site(lua_State *L, EvalCtx *ctx, int at, const char *what);
/* "KIND of OWNER" with both parts: a plane. */
int hookview_plane(lua_State *L, EvalCtx *ctx, int at, const char *what);
/* A cell of a state: `of` is the stack index of its site or player (0: none given). */
int hookview_cell(lua_State *L, EvalCtx *ctx, const State *state, int of);
const State *hookview_state(lua_State *L, EvalCtx *ctx, int at);
/* The value at `at` as a value of the state. */
int32_t hookview_value(lua_State *L, EvalCtx *ctx, const State *state, int at);

#endif
