/* The Lua sandbox. The library functions that remain are wrapped where they could work long
 * without executing instructions, or show something that differs from run to run. */
#include "play/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

Sandbox *sandbox_of(lua_State *L) { return *(Sandbox **)lua_getextraspace(L); }

void sandbox_charge(lua_State *L, double units) {
  Sandbox *box = sandbox_of(L);
  if (units < 1) units = 1;
  if (units > (double)box->work) {
    box->work = 0;
    luaL_error(L, "too much work in library functions");
  }
  box->work -= (long)units;
}

/* ---- budgets ---- */

/* The line that the script is at; reads the call stack only. */
static int current_line(lua_State *L) {
  lua_Debug ar;
  for (int level = 0; level < 8 && lua_getstack(L, level, &ar); level++)
    if (lua_getinfo(L, "l", &ar) && ar.currentline > 0) return ar.currentline;
  return 0;
}

static void *refuse_memory(Sandbox *box, bool text) {
  box->full = true;
  box->text_too_long = text;
  if (box->L) box->line = current_line(box->L);
  return NULL;
}

static void *allocate(void *user, void *block, size_t old, size_t size) {
  Sandbox *box = user;
  if (size == 0) {
    if (block) box->held -= old;
    free(block);
    return NULL;
  }
  size_t had = block ? old : 0;
  if (!block && old == LUA_TSTRING && size > SANDBOX_TEXT) return refuse_memory(box, true);
  if (size > SANDBOX_BLOCK) return refuse_memory(box, false);
  if (size > had && (box->held - had + size > SANDBOX_MEMORY ||
                     box->traffic + size > SANDBOX_TRAFFIC))
    return refuse_memory(box, false);
  void *at = realloc(block, size);
  if (!at) return refuse_memory(box, false);
  box->held = box->held - had + size;
  if (size > had) box->traffic += size;
  return at;
}

static void out_of_instructions(lua_State *L, lua_Debug *ar) {
  lua_getinfo(L, "Sl", ar);
  lua_pushfstring(L, "%s:%d: more than %d instructions", ar->short_src, ar->currentline,
                  SANDBOX_INSTRUCTIONS);
  lua_error(L);
}

/* ---- order: a stable merge sort, used by table.sort and pairs ---- */

typedef enum SortBy { SORT_LESS, SORT_FUNCTION, SORT_KEYS } SortBy;

static int key_rank(lua_State *L, int at) {
  int type = lua_type(L, at);
  return type == LUA_TBOOLEAN ? 0 : type == LUA_TNUMBER ? 1 : 2;
}

/* Whether the value at `a` comes before the value at `b` (absolute indices). */
static bool comes_before(lua_State *L, SortBy by, int function, int a, int b) {
  if (by == SORT_FUNCTION) {
    lua_pushvalue(L, function);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
  }
  if (by == SORT_KEYS) {
    int ra = key_rank(L, a), rb = key_rank(L, b);
    if (ra != rb) return ra < rb;
    if (ra == 0) return lua_toboolean(L, a) < lua_toboolean(L, b);
  }
  return lua_compare(L, a, b, LUA_OPLT);
}

/* Merges from[lo..mid) and from[mid..hi) into to[lo..hi); both are tables on the stack. */
static void merge(lua_State *L, SortBy by, int function, int from, int to, lua_Integer lo,
                  lua_Integer mid, lua_Integer hi) {
  lua_Integer i = lo, j = mid;
  for (lua_Integer k = lo; k < hi; k++) {
    bool right = i >= mid;
    if (!right && j < hi) {
      lua_geti(L, from, i);
      lua_geti(L, from, j);
      int top = lua_gettop(L);
      right = comes_before(L, by, function, top, top - 1);
      lua_pop(L, 2);
    }
    lua_geti(L, from, right ? j++ : i++);
    lua_seti(L, to, k);
  }
}

/* Sorts the array at `table` (absolute index), n long. */
static void sort_array(lua_State *L, int table, lua_Integer n, SortBy by, int function) {
  double units = 4;
  for (lua_Integer w = 1; w < n; w *= 2) units += (double)n * 4;
  sandbox_charge(L, units);
  luaL_checkstack(L, 16, NULL);
  lua_createtable(L, (int)n, 0);
  int extra = lua_gettop(L), from = table, to = extra;
  for (lua_Integer width = 1; width < n; width *= 2) {
    for (lua_Integer lo = 1; lo <= n; lo += 2 * width) {
      lua_Integer mid = lo + width <= n + 1 ? lo + width : n + 1;
      lua_Integer hi = lo + 2 * width <= n + 1 ? lo + 2 * width : n + 1;
      merge(L, by, function, from, to, lo, mid, hi);
    }
    int swap = from;
    from = to;
    to = swap;
  }
  if (from != table)
    for (lua_Integer i = 1; i <= n; i++) {
      lua_geti(L, from, i);
      lua_seti(L, table, i);
    }
  lua_remove(L, extra);
}

static int table_sort(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  bool given = !lua_isnoneornil(L, 2);
  if (given) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  lua_Integer n = luaL_len(L, 1);
  luaL_argcheck(L, n < 1 << 20, 1, "array too big");
  if (n > 1) sort_array(L, 1, n, given ? SORT_FUNCTION : SORT_LESS, 2);
  return 0;
}

/* pairs: the keys at the time of the call, booleans, numbers, texts, each in order. */
static int next_pair(lua_State *L) {
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(3)) + 1;
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(3));
  if (lua_geti(L, lua_upvalueindex(2), i) == LUA_TNIL) return 1;
  lua_pushvalue(L, -1);
  lua_rawget(L, lua_upvalueindex(1));
  return 2;
}

static int sorted_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_newtable(L);
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, 1);) {
    lua_pop(L, 1);
    int type = lua_type(L, -1);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
      return luaL_error(L, "pairs: a key is a %s; keys must be texts, numbers or booleans",
                        lua_typename(L, type));
    lua_pushvalue(L, -1);
    lua_seti(L, 2, ++n);
    sandbox_charge(L, 1);
  }
  if (n > 1) sort_array(L, 2, n, SORT_KEYS, 0);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

/* ---- no addresses ---- */

static void push_plain(lua_State *L, int at) {
  int type = lua_type(L, at);
  if (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TNIL)
    luaL_tolstring(L, at, NULL);
  else
    lua_pushstring(L, lua_typename(L, type));
}

static int plain_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  push_plain(L, 1);
  return 1;
}

/* string.format without %p; tables and functions show only what they are. */
static int plain_format(lua_State *L) {
  const char *format = luaL_checkstring(L, 1);
  for (const char *c = format; *c; c++) {
    if (*c != '%') continue;
    c++;
    c += strspn(c, "-+ #0123456789.");
    if (*c == 'p') return luaL_error(L, "string.format: %%p shows addresses and is not allowed");
    if (!*c) break;
  }
  double units = (double)strlen(format);
  int n = lua_gettop(L);
  for (int i = 2; i <= n; i++) {
    int type = lua_type(L, i);
    if (type == LUA_TSTRING) units += (double)lua_rawlen(L, i);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA) {
      push_plain(L, i);
      lua_replace(L, i);
    }
  }
  sandbox_charge(L, units / 8);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

/* ---- library functions that could work long ---- */

typedef enum Charge {
  CHARGE_LENGTH,  /* the texts given */
  CHARGE_REP,     /* length times number */
  CHARGE_PATTERN, /* the worst that matching can cost */
  CHARGE_TABLE,   /* the table's length */
  CHARGE_SPAN     /* table, from, to */
} Charge;

static double pattern_cost(lua_State *L) {
  size_t length, pattern_length;
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  luaL_checklstring(L, 1, &length);
  double cost = (double)length + 1, whole = cost;
  for (size_t i = 0; i < pattern_length; i++)
    if (strchr("*+-?", pattern[i]) || (i > 0 && pattern[i - 1] == '%' &&
                                       strchr("b0123456789", pattern[i])))
      cost *= whole;
  return cost * (double)(pattern_length + 1) / 8;
}

static double cost_of(lua_State *L, Charge charge) {
  double units = 1;
  size_t length;
  switch (charge) {
    case CHARGE_LENGTH:
      for (int i = 1; i <= lua_gettop(L); i++) {
        units += 1;
        if (lua_type(L, i) == LUA_TSTRING) units += (double)lua_rawlen(L, i) / 8;
      }
      return units;
    case CHARGE_REP:
      luaL_checklstring(L, 1, &length);
      units += (double)lua_rawlen(L, 3) + (double)length;
      return 1 + units * (double)luaL_checkinteger(L, 2) / 8;
    case CHARGE_PATTERN:
      return pattern_cost(L);
    case CHARGE_TABLE:
      luaL_checktype(L, 1, LUA_TTABLE);
      return 1 + (double)luaL_len(L, 1);
    case CHARGE_SPAN:
      luaL_checktype(L, 1, LUA_TTABLE);
      units += (double)luaL_len(L, 1);
      if (lua_isnumber(L, 2) && lua_isnumber(L, 3))
        units += lua_tonumber(L, 3) - lua_tonumber(L, 2);
      return units;
  }
  return units;
}

static int charged(lua_State *L) {
  sandbox_charge(L, cost_of(L, (Charge)lua_tointeger(L, lua_upvalueindex(2))));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

typedef struct Wrapped {
  const char *name;
  Charge charge;
} Wrapped;

static const Wrapped text_functions[] = {
    {"byte", CHARGE_LENGTH},   {"char", CHARGE_LENGTH},   {"len", CHARGE_LENGTH},
    {"lower", CHARGE_LENGTH},  {"upper", CHARGE_LENGTH},  {"reverse", CHARGE_LENGTH},
    {"sub", CHARGE_LENGTH},    {"rep", CHARGE_REP},       {"find", CHARGE_PATTERN},
    {"match", CHARGE_PATTERN}, {"gmatch", CHARGE_PATTERN}, {"gsub", CHARGE_PATTERN}};
static const Wrapped table_functions[] = {
    {"concat", CHARGE_TABLE}, {"insert", CHARGE_TABLE}, {"remove", CHARGE_TABLE},
    {"move", CHARGE_SPAN},    {"unpack", CHARGE_SPAN},  {"pack", CHARGE_LENGTH}};
static const char *const math_names[] = {
    "abs", "ceil", "floor", "max", "min", "fmod", "modf", "sqrt", "tointeger", "type", "ult",
    "huge", "pi", "maxinteger", "mininteger"};
static const char *const base_names[] = {"assert",   "error",  "ipairs", "type",
                                         "rawequal", "rawlen", "rawget"};

/* A table (on top) with the wrapped functions of the library table below it. */
static void wrap(lua_State *L, const Wrapped *list, size_t n) {
  int library = lua_gettop(L);
  lua_newtable(L);
  for (size_t i = 0; i < n; i++) {
    lua_getfield(L, library, list[i].name);
    lua_pushinteger(L, list[i].charge);
    lua_pushcclosure(L, charged, 2);
    lua_setfield(L, -2, list[i].name);
  }
}

static void copy_names(lua_State *L, int from, int to, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    lua_getfield(L, from, names[i]);
    lua_setfield(L, to, names[i]);
  }
}

#define LENGTH_OF(list) (sizeof(list) / sizeof *(list))

/* Builds the globals from scratch; what is not put there does not exist. */
static int set_up(lua_State *L) {
  lua_newtable(L);
  int globals = lua_gettop(L);

  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  copy_names(L, lua_gettop(L), globals, base_names, LENGTH_OF(base_names));
  for (int i = 0; i < 2; i++) {
    const char *name = i ? "select" : "tonumber";
    lua_getfield(L, globals + 1, name);
    lua_pushinteger(L, CHARGE_LENGTH);
    lua_pushcclosure(L, charged, 2);
    lua_setfield(L, globals, name);
  }
  lua_pushcfunction(L, sorted_pairs);
  lua_setfield(L, globals, "pairs");
  lua_pushcfunction(L, plain_tostring);
  lua_setfield(L, globals, "tostring");

  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
  wrap(L, text_functions, LENGTH_OF(text_functions));
  lua_getfield(L, -2, "format");
  lua_pushcclosure(L, plain_format, 1);
  lua_setfield(L, -2, "format");
  lua_pushliteral(L, ""); /* s:upper() finds the wrapped ones */
  lua_newtable(L);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  lua_setfield(L, globals, "string");

  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 0);
  wrap(L, table_functions, LENGTH_OF(table_functions));
  lua_pushcfunction(L, table_sort);
  lua_setfield(L, -2, "sort");
  lua_setfield(L, globals, "table");

  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
  lua_newtable(L);
  copy_names(L, lua_gettop(L) - 1, lua_gettop(L), math_names, LENGTH_OF(math_names));
  lua_setfield(L, globals, "math");

  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, globals);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  return 0;
}

bool sandbox_open(Sandbox *box, void *user) {
  memset(box, 0, sizeof *box);
  box->work = SANDBOX_WORK;
  box->user = user;
  lua_State *L = lua_newstate(allocate, box);
  if (!L) return false;
  *(Sandbox **)lua_getextraspace(L) = box;
  lua_pushcfunction(L, set_up);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
    lua_close(L);
    return false;
  }
  lua_gc(L, LUA_GCINC, 0, 0, 0);
  box->L = L;
  lua_sethook(L, out_of_instructions, LUA_MASKCOUNT, SANDBOX_INSTRUCTIONS);
  return true;
}

void sandbox_close(Sandbox *box) {
  if (!box->L) return;
  lua_State *L = box->L;
  box->L = NULL;
  lua_close(L);
}
