/* Calling hooks: read the script once, run it in a fresh sandbox for every call, read the
 * answer. Nothing is changed here; effects are returned as a list. */
#include "play/hooks.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "play/hookview.h"

enum { SCRIPT_MOST = 64 << 10, NESTED_MOST = 4 };

typedef struct Script {
  char *text;
  size_t length;
} Script;

struct Hooks {
  const Rules *rules;
  Script *script; /* one a hook; text NULL until read */
  int nested;     /* a let asked for by a script may call a hook again */
  char error[400];
  HookChange change[HOOK_CHANGES_MOST];
  int changes;
};

Hooks *hooks_new(const Rules *rules) {
  Hooks *hooks = memory_resize(NULL, sizeof *hooks);
  memset(hooks, 0, sizeof *hooks);
  hooks->rules = rules;
  size_t room = ((size_t)rules->hooks + 1) * sizeof(Script);
  hooks->script = memory_resize(NULL, room);
  memset(hooks->script, 0, room);
  return hooks;
}

void hooks_free(Hooks *hooks) {
  if (!hooks) return;
  for (int i = 0; i < hooks->rules->hooks; i++) memory_resize(hooks->script[i].text, 0);
  memory_resize(hooks->script, 0);
  memory_resize(hooks, 0);
}

const char *hooks_error(const Hooks *hooks) { return hooks->error; }

__attribute__((format(printf, 3, 4))) static bool fail(Hooks *hooks, int hook,
                                                       const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = snprintf(hooks->error, sizeof hooks->error, "hook `%s`: ",
                   hooks->rules->hook[hook].name);
  vsnprintf(hooks->error + n, sizeof hooks->error - (size_t)n, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- the script ---- */

static bool read_script(Hooks *hooks, int hook) {
  const Hook *h = &hooks->rules->hook[hook];
  Script *script = &hooks->script[hook];
  if (script->text) return true;
  const char *path = h->path ? h->path : h->file;
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file) return fail(hooks, hook, "%s: %s", h->file, strerror(errno));
  if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
    fclose(file);
    return fail(hooks, hook, "%s: not a file", h->file);
  }
  char *text = memory_resize(NULL, SCRIPT_MOST + 1);
  size_t n = fread(text, 1, SCRIPT_MOST + 1, file);
  fclose(file);
  if (n > SCRIPT_MOST) {
    memory_resize(text, 0);
    return fail(hooks, hook, "%s: a script has at most %d bytes", h->file, SCRIPT_MOST);
  }
  script->text = text;
  script->length = n;
  return true;
}

/* Adds the place to messages that have none: those of wrapped library functions. */
static int place_message(lua_State *L) {
  const char *text = lua_tostring(L, 1);
  if (!text) {
    lua_pushfstring(L, "an error was raised that is no text but a %s", luaL_typename(L, 1));
    text = lua_tostring(L, -1);
  }
  lua_Debug ar;
  for (int level = 0; level < 12 && lua_getstack(L, level, &ar); level++) {
    if (!lua_getinfo(L, "Sl", &ar) || ar.currentline <= 0) continue;
    size_t n = strlen(ar.short_src);
    if (!strncmp(text, ar.short_src, n) && text[n] == ':') break;
    lua_pushfstring(L, "%s:%d: %s", ar.short_src, ar.currentline, text);
    return 1;
  }
  lua_pushstring(L, text);
  return 1;
}

static bool fail_lua(Hooks *hooks, int hook, const Sandbox *box, int status) {
  const Hook *h = &hooks->rules->hook[hook];
  const char *text = lua_tostring(box->L, -1);
  if (status == LUA_ERRMEM || (box->full && text && strstr(text, "not enough memory"))) {
    char line[16] = "";
    if (box->line) snprintf(line, sizeof line, "%d:", box->line);
    if (box->text_too_long)
      return fail(hooks, hook, "%s:%s a text of more than %d bytes", h->file, line, SANDBOX_TEXT);
    return fail(hooks, hook, "%s:%s out of memory: a script may use %d MiB, and %d KiB in one table",
                h->file, line, SANDBOX_MEMORY >> 20, SANDBOX_BLOCK >> 10);
  }
  return fail(hooks, hook, "%s", text ? text : "an error that is no text");
}

/* Loads the chunk; its function is on top. */
static bool load_script(Hooks *hooks, int hook, Sandbox *box) {
  const Hook *h = &hooks->rules->hook[hook];
  const Script *script = &hooks->script[hook];
  char name[128];
  snprintf(name, sizeof name, "@%s", h->file);
  lua_pushcfunction(box->L, place_message);
  int status = luaL_loadbufferx(box->L, script->text, script->length, name, "t");
  if (status != LUA_OK) return fail_lua(hooks, hook, box, status);
  return true;
}

/* ---- answers ---- */

static bool wrong_type(Hooks *hooks, int hook, lua_State *L, const char *wanted) {
  return fail(hooks, hook, "%s: the function returned %s%s; a hook that %s",
              hooks->rules->hook[hook].file, lua_isnil(L, -1) ? "" : "a ",
              lua_isnil(L, -1) ? "nothing" : luaL_typename(L, -1), wanted);
}

/* Protected: the list on top of the stack as sites; the set goes to the user pointer. */
static int read_sites(lua_State *L) {
  EvalCtx *ctx = lua_touserdata(L, 1);
  SiteSet *set = lua_touserdata(L, 2);
  *set = sites_none();
  lua_Integer n = (lua_Integer)lua_rawlen(L, 3);
  if (n > SITES_MAX) return luaL_error(L, "the list of sites is too long");
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, 3, i);
    char what[48];
    snprintf(what, sizeof what, "site %d of the list", (int)i);
    sites_add(set, hookview_site(L, ctx, lua_gettop(L), what));
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  if (n == 0 && lua_next(L, 3)) return luaL_error(L, "the sites must be a list, as in {\"a1\"}");
  return 0;
}

/* ---- effects ---- */

typedef struct Listing {
  Hooks *hooks;
  EvalCtx *ctx;
} Listing;

/* The field of the table at `t`, pushed; its index, or 0 if it is not there. */
static int field(lua_State *L, int t, const char *name) {
  if (lua_getfield(L, t, name) != LUA_TNIL) return lua_gettop(L);
  return 0;
}

static int number_field(lua_State *L, int t, const char *name, int otherwise) {
  int at = field(L, t, name);
  if (!at) return otherwise;
  int exact;
  lua_Integer v = lua_tointegerx(L, at, &exact);
  if (!exact || v < 0 || v > INT32_MAX)
    luaL_error(L, "`%s` must be a whole number from 0", name);
  return (int)v;
}

static void only_fields(lua_State *L, int t, const char *const *known) {
  for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
    bool met = false;
    for (int i = 0; known[i]; i++)
      met |= lua_type(L, -2) == LUA_TSTRING && !strcmp(known[i], lua_tostring(L, -2));
    if (met) continue;
    if (lua_type(L, -2) == LUA_TSTRING)
      luaL_error(L, "an effect `%s` has no `%s`", known[0], lua_tostring(L, -2));
    luaL_error(L, "an effect `%s` has something without a name", known[0]);
  }
}

static void read_pieces(lua_State *L, Listing *to, int t, HookOp op, HookChange *c) {
  static const char *const take[] = {"take", "at", "n", NULL};
  static const char *const put[] = {"put", "from", "on", "n", NULL};
  static const char *const make[] = {"make", "at", "into", "n", NULL};
  const char *const *known = op == HOOK_TAKE ? take : op == HOOK_PUT ? put : make;
  EvalCtx *ctx = to->ctx;
  only_fields(L, t, known);
  c->plane = (int16_t)hookview_plane(L, ctx, field(L, t, known[0]), known[0]);
  int at = field(L, t, known[1]);
  if (!at) luaL_error(L, "an effect `%s` needs `%s`", known[0], known[1]);
  c->site = (int16_t)hookview_site(L, ctx, at, known[1]);
  if (op != HOOK_TAKE) {
    at = field(L, t, known[2]);
    if (!at) luaL_error(L, "an effect `%s` needs `%s`", known[0], known[2]);
    if (op == HOOK_PUT) {
      c->to_site = (int16_t)hookview_site(L, ctx, at, known[2]);
    } else {
      if (!strstr(luaL_tolstring(L, at, NULL), " of ")) {
        const Rules *rules = ctx->rules;
        lua_pushfstring(L, "%s of %s", lua_tostring(L, at),
                        rules->player[rules->plane[c->plane].owner]);
        at = lua_gettop(L);
      }
      c->to_plane = (int16_t)hookview_plane(L, ctx, at, known[2]);
    }
  }
  int there = position_count(ctx->layout,
                             ctx->pos)[c->plane * ctx->rules->board.sites + c->site];
  c->count = number_field(L, t, "n", there);
  if (c->count > there)
    luaL_error(L, "%s: only %d stand on %s, not %d", known[0], there,
               ctx->rules->board.name[c->site], c->count);
  for (int i = 0; i < to->hooks->changes; i++) {
    const HookChange *o = &to->hooks->change[i];
    if (o->op > HOOK_MAKE || o->plane != c->plane || o->site != c->site) continue;
    if (o->op == op || o->count != c->count || (o->op != HOOK_MAKE && op != HOOK_MAKE))
      luaL_error(L, "two effects speak of the same pieces on %s",
                 ctx->rules->board.name[c->site]);
  }
}

static void read_cell(lua_State *L, Listing *to, int t, HookOp op, HookChange *c) {
  static const char *const set[] = {"set", "of", "to", NULL};
  static const char *const raise[] = {"raise", "of", "by", NULL};
  static const char *const lower[] = {"lower", "of", "by", NULL};
  const char *const *known = op == HOOK_SET ? set : op == HOOK_RAISE ? raise : lower;
  only_fields(L, t, known);
  const State *state = hookview_state(L, to->ctx, field(L, t, known[0]));
  c->cell = hookview_cell(L, to->ctx, state, field(L, t, "of"));
  if (op == HOOK_SET) {
    int at = field(L, t, "to");
    if (!at) luaL_error(L, "an effect `set` needs `to`");
    c->value = hookview_value(L, to->ctx, state, at);
    return;
  }
  if (state->type != TYPE_NUMBER)
    luaL_error(L, "state `%s` is no number: it cannot be raised or lowered", state->name);
  c->value = number_field(L, t, "by", 1);
}

static int read_effects(lua_State *L) {
  static const char *const words[] = {"take", "put", "make", "set", "raise", "lower"};
  Listing *to = lua_touserdata(L, 1);
  lua_Integer n = (lua_Integer)lua_rawlen(L, 2);
  if (n > HOOK_CHANGES_MOST)
    return luaL_error(L, "at most %d effects can be listed", HOOK_CHANGES_MOST);
  lua_pushnil(L);
  if (n == 0 && lua_next(L, 2)) return luaL_error(L, "the effects must be a list: {{take = …}}");
  lua_settop(L, 2);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_settop(L, 2);
    luaL_checkstack(L, 16, NULL);
    if (lua_rawgeti(L, 2, i) != LUA_TTABLE)
      return luaL_error(L, "effect %d is a %s, not a table", (int)i, luaL_typename(L, -1));
    int op = -1;
    for (int w = 0; w < 6; w++)
      if (field(L, 3, words[w])) op = op < 0 ? w : 6;
    if (op < 0 || op > 5)
      return luaL_error(L, "effect %d must have one of take, put, make, set, raise, lower",
                        (int)i);
    HookChange c;
    memset(&c, 0, sizeof c);
    c.op = (HookOp)op;
    c.plane = c.site = c.to_plane = c.to_site = -1;
    c.cell = -1;
    if (c.op <= HOOK_MAKE)
      read_pieces(L, to, 3, c.op, &c);
    else
      read_cell(L, to, 3, c.op, &c);
    if (c.op > HOOK_MAKE || c.count > 0) to->hooks->change[to->hooks->changes++] = c;
  }
  return 0;
}

/* ---- calls ---- */

/* Runs the script on the view; the answer is on top of the sandbox's stack. */
static bool run(Hooks *hooks, int hook, EvalCtx *ctx, Sandbox *box) {
  if (!read_script(hooks, hook)) return false;
  if (hooks->nested >= NESTED_MOST)
    return fail(hooks, hook, "hooks call each other too deeply");
  if (!sandbox_open(box, ctx)) return fail(hooks, hook, "no memory for a script");
  if (!load_script(hooks, hook, box)) return false;
  lua_State *L = box->L;
  hooks->nested++;
  int status = lua_pcall(L, 0, 1, 1);
  bool good = status == LUA_OK;
  if (good && !lua_isfunction(L, -1)) {
    hooks->nested--;
    return fail(hooks, hook, "%s: the script must return one function, not a %s",
                hooks->rules->hook[hook].file, luaL_typename(L, -1));
  }
  if (good) {
    hookview_push(L, ctx);
    status = lua_pcall(L, 1, 1, 1);
    good = status == LUA_OK;
  }
  hooks->nested--;
  return good || fail_lua(hooks, hook, box, status);
}

/* Ends a call: closes the sandbox and makes a failure the engine's complaint. */
static bool done(Hooks *hooks, EvalCtx *ctx, Sandbox *box, bool good) {
  sandbox_close(box);
  if (!good && ctx->engine) engine_trouble(ctx->engine, "%s", hooks->error);
  return good;
}

bool hooks_condition(Hooks *hooks, int hook, EvalCtx *ctx, bool *value) {
  Sandbox box = {0};
  bool good = run(hooks, hook, ctx, &box);
  if (good && !lua_isboolean(box.L, -1))
    good = wrong_type(hooks, hook, box.L, "is a condition returns true or false");
  if (good) *value = lua_toboolean(box.L, -1);
  return done(hooks, ctx, &box, good);
}

bool hooks_number(Hooks *hooks, int hook, EvalCtx *ctx, int64_t *value) {
  Sandbox box = {0};
  bool good = run(hooks, hook, ctx, &box);
  if (good && lua_type(box.L, -1) != LUA_TNUMBER)
    good = wrong_type(hooks, hook, box.L, "is a number returns a whole number");
  if (good) {
    int exact;
    lua_Integer v = lua_tointegerx(box.L, -1, &exact);
    if (!exact || v < -INT32_MAX || v > INT32_MAX)
      good = fail(hooks, hook, "%s: the function returned %s; a hook that is a number returns a "
                  "whole number within 31 bits", hooks->rules->hook[hook].file,
                  lua_tostring(box.L, -1));
    else
      *value = v;
  }
  return done(hooks, ctx, &box, good);
}

bool hooks_sites(Hooks *hooks, int hook, EvalCtx *ctx, SiteSet *value) {
  Sandbox box = {0};
  bool good = run(hooks, hook, ctx, &box);
  if (good && !lua_istable(box.L, -1))
    good = wrong_type(hooks, hook, box.L, "is sites returns a list of names of sites");
  if (good) {
    lua_pushcfunction(box.L, read_sites);
    lua_pushlightuserdata(box.L, ctx);
    lua_pushlightuserdata(box.L, value);
    lua_pushvalue(box.L, -4);
    int status = lua_pcall(box.L, 3, 0, 0);
    if (status != LUA_OK)
      good = fail(hooks, hook, "%s: %s", hooks->rules->hook[hook].file,
                  lua_tostring(box.L, -1));
  }
  return done(hooks, ctx, &box, good);
}

bool hooks_effect(Hooks *hooks, int hook, EvalCtx *ctx, const HookChange **list, int *n) {
  Sandbox box = {0};
  hooks->changes = 0;
  *n = 0;
  bool good = run(hooks, hook, ctx, &box);
  if (good && !lua_istable(box.L, -1))
    good = wrong_type(hooks, hook, box.L, "is an effect returns a list of effects");
  if (good) {
    Listing listing = {hooks, ctx};
    lua_pushcfunction(box.L, read_effects);
    lua_pushlightuserdata(box.L, &listing);
    lua_pushvalue(box.L, -3);
    int status = lua_pcall(box.L, 2, 0, 0);
    if (status != LUA_OK)
      good = fail(hooks, hook, "%s: %s", hooks->rules->hook[hook].file,
                  lua_tostring(box.L, -1));
  }
  if (good) {
    *list = hooks->change;
    *n = hooks->changes;
  }
  return done(hooks, ctx, &box, good);
}

bool hooks_check(Hooks *hooks, int hook) {
  Sandbox box = {0};
  bool good = read_script(hooks, hook) && (sandbox_open(&box, NULL) ||
                                           fail(hooks, hook, "no memory for a script"));
  good = good && load_script(hooks, hook, &box);
  sandbox_close(&box);
  return good;
}
