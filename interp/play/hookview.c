/* The view of a position that hooks see. Everything is copied into fresh Lua values; the view
 * itself is a userdata that scripts can only ask. */
#include "play/hookview.h"

#include <lauxlib.h>
#include <string.h>

#include "front/load.h"

static EvalCtx *view(lua_State *L) { return *(EvalCtx **)lua_touserdata(L, 1); }

static EvalCtx *check_view(lua_State *L) {
  if (lua_type(L, 1) != LUA_TUSERDATA)
    luaL_error(L, "functions of the position are called with a colon, as in p:sites(…)");
  return view(L);
}

/* ---- names ---- */

/* The text at `at`; numbers (points) count as texts. */
static const char *name_at(lua_State *L, int at, const char *what) {
  if (lua_type(L, at) != LUA_TSTRING && !lua_isinteger(L, at))
    luaL_error(L, "%s must be a name, not a %s", what, luaL_typename(L, at));
  return lua_tostring(L, at);
}

int hookview_site(lua_State *L, EvalCtx *ctx, int at, const char *what) {
  const char *name = name_at(L, at, what);
  int site = rules_site(ctx->rules, name);
  if (site < 0) luaL_error(L, "%s: there is no site `%s`", what, name);
  return site;
}

static int check_player(lua_State *L, EvalCtx *ctx, int at, const char *what) {
  const char *name = name_at(L, at, what);
  int seat = rules_player(ctx->rules, name);
  if (seat < 0) luaL_error(L, "%s: there is no player `%s`", what, name);
  return seat;
}

/* "KIND of OWNER", "KIND", "pieces of OWNER", "pieces" as a set of planes. */
static uint32_t planes_at(lua_State *L, EvalCtx *ctx, int at, const char *what) {
  const Rules *rules = ctx->rules;
  char text[128];
  const char *name = name_at(L, at, what);
  if (strlen(name) >= sizeof text) luaL_error(L, "%s: the name is too long", what);
  strcpy(text, name);
  char *of = strstr(text, " of ");
  int seat = -1, kind = -1;
  if (of) {
    *of = 0;
    seat = rules_player(rules, of + 4);
    if (seat < 0) luaL_error(L, "%s: there is no player `%s`", what, of + 4);
  }
  if (strcmp(text, "pieces")) {
    kind = rules_kind(rules, text);
    if (kind < 0) luaL_error(L, "%s: there is no piece `%s`", what, text);
  }
  uint32_t planes = 0;
  for (int i = 0; i < rules->planes; i++)
    if ((seat < 0 || rules->plane[i].owner == seat) &&
        (kind < 0 || rules->plane[i].kind == kind))
      planes |= 1u << i;
  return planes;
}

int hookview_plane(lua_State *L, EvalCtx *ctx, int at, const char *what) {
  uint32_t planes = planes_at(L, ctx, at, what);
  if (!planes || planes & (planes - 1))
    luaL_error(L, "%s must name one kind of one player, as in \"KIND of PLAYER\"; `%s` is not",
               what, lua_tostring(L, at));
  return __builtin_ctz(planes);
}

static void push_sites(lua_State *L, const Rules *rules, SiteSet set) {
  sandbox_charge(L, sites_count(&set));
  lua_createtable(L, sites_count(&set), 0);
  lua_Integer n = 0;
  SITES_FOR(site, set) {
    lua_pushstring(L, rules->board.name[site]);
    lua_seti(L, -2, ++n);
  }
}

static void push_site(lua_State *L, const Rules *rules, int site) {
  if (site < 0)
    lua_pushnil(L);
  else
    lua_pushstring(L, rules->board.name[site]);
}

static void push_seat(lua_State *L, const Rules *rules, int seat) {
  if (seat < 0)
    lua_pushnil(L);
  else
    lua_pushstring(L, rules->player[seat]);
}

static void push_seats(lua_State *L, const Rules *rules, uint32_t seats) {
  lua_newtable(L);
  lua_Integer n = 0;
  for (int s = 0; s < rules->seats; s++) {
    if (!((seats >> s) & 1)) continue;
    lua_pushstring(L, rules->player[s]);
    lua_seti(L, -2, ++n);
  }
}

/* ---- sites, pieces ---- */

/* A let may be asked for if all words that it speaks of mean something here. */
static void check_let(lua_State *L, EvalCtx *ctx, const Expr *e, const char *name) {
  struct {
    int dep;
    bool bound;
    const char *word;
  } words[] = {{DEP_HERE, ctx->here >= 0, "here"},
               {DEP_EACH, ctx->each >= 0, "each"},
               {DEP_VICTIM, ctx->victim_site >= 0, "victim"},
               {DEP_ORIGIN, ctx->origin >= 0, "origin"},
               {DEP_TARGET, ctx->target >= 0, "target"},
               {DEP_DIE, ctx->die >= 0, "die"},
               {DEP_ANSWERER, ctx->answerer >= 0, "answerer"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (e->deps & words[i].dep && !words[i].bound)
      luaL_error(L, "`%s` speaks of `%s`, which means nothing where the hook is called", name,
                 words[i].word);
  sandbox_charge(L, 50 + e->cost);
}

static const Expr *find_let(EvalCtx *ctx, const char *name, int seat) {
  for (int i = 0; i < ctx->rules->lets; i++) {
    const Let *let = &ctx->rules->let[i];
    if (strcmp(let->name, name)) continue;
    return let->by_player ? let->by[seat >= 0 ? seat : 0] : let->expr;
  }
  return NULL;
}

/* A set of sites by its name: a region, a let, a site, a word of the language. */
static bool named_sites(lua_State *L, EvalCtx *ctx, const char *whole, SiteSet *set) {
  const Rules *rules = ctx->rules;
  char name[128];
  int seat = ctx->pos->mover;
  if (strlen(whole) >= sizeof name) return false;
  strcpy(name, whole);
  char *of = strstr(name, " of ");
  if (of) {
    *of = 0;
    seat = rules_player(rules, of + 4);
    if (seat < 0) luaL_error(L, "there is no player `%s`", of + 4);
  }
  for (int i = 0; i < rules->regions; i++)
    if (!strcmp(rules->region[i].name, name)) {
      int which = rules->region[i].by_player ? (seat < 0 ? 0 : seat) : 0;
      *set = rules->region[i].sites[which];
      return true;
    }
  const Expr *let = find_let(ctx, name, seat);
  if (let && (let->type == TYPE_SITES || let->type == TYPE_PIECES)) {
    check_let(L, ctx, let, name);
    if (let->type == TYPE_SITES) {
      *set = eval_sites(ctx, let);
    } else {
      PieceSet pieces;
      eval_pieces(ctx, let, &pieces);
      *set = pieces_sites(&pieces);
    }
    return true;
  }
  if (of) return false;
  const Board *board = &rules->board;
  SiteSet empty = board->all;
  for (int i = 0; i < rules->planes; i++)
    empty = sites_minus(empty, position_occupied(ctx->layout, ctx->pos)[i]);
  *set = !strcmp(name, "sites")        ? board->all
         : !strcmp(name, "everywhere") ? sites_or(board->all, board->pockets)
         : !strcmp(name, "empty")      ? empty
         : !strcmp(name, "edge")       ? board->edge
         : !strcmp(name, "corners")    ? board->corners
                                       : sites_none();
  if (!sites_is_empty(set) || !strcmp(name, "empty")) return true;
  int site = rules_site(rules, name);
  if (site >= 0) *set = sites_one(site);
  return site >= 0;
}

static SiteSet check_sites(lua_State *L, EvalCtx *ctx, int at) {
  const char *name = name_at(L, at, "the sites");
  SiteSet set;
  if (!named_sites(L, ctx, name, &set))
    luaL_error(L, "there is no region, let or site `%s`", name);
  return set;
}

static int view_sites(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  push_sites(L, ctx->rules, check_sites(L, ctx, 2));
  return 1;
}

/* Calls back for every stack of the planes on the sites. */
static int total(EvalCtx *ctx, uint32_t planes, int site) {
  int n = 0;
  for (uint32_t m = planes; m; m &= m - 1)
    n += position_count(ctx->layout,
                        ctx->pos)[__builtin_ctz(m) * ctx->rules->board.sites + site];
  return n;
}

static int view_pieces(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  uint32_t planes = planes_at(L, ctx, 2, "p:pieces");
  sandbox_charge(L, ctx->rules->board.sites);
  lua_newtable(L);
  for (int site = 0; site < ctx->rules->board.sites; site++) {
    int n = total(ctx, planes, site);
    if (!n) continue;
    lua_pushinteger(L, n);
    lua_setfield(L, -2, ctx->rules->board.name[site]);
  }
  return 1;
}

static int view_count(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  uint32_t planes = planes_at(L, ctx, 2, "p:count");
  SiteSet where = sites_or(ctx->rules->board.all, ctx->rules->board.pockets);
  if (!lua_isnoneornil(L, 3)) where = check_sites(L, ctx, 3);
  sandbox_charge(L, sites_count(&where));
  int n = 0;
  SITES_FOR(site, where) n += total(ctx, planes, site);
  lua_pushinteger(L, n);
  return 1;
}

static int view_at(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  const Rules *rules = ctx->rules;
  int site = hookview_site(L, ctx, 2, "p:at");
  lua_newtable(L);
  lua_Integer n = 0;
  for (int i = 0; i < rules->planes; i++) {
    int count = total(ctx, 1u << i, site);
    if (!count) continue;
    lua_createtable(L, 0, 3);
    lua_pushstring(L, rules->kind[rules->plane[i].kind].name);
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, rules->player[rules->plane[i].owner]);
    lua_setfield(L, -2, "owner");
    lua_pushinteger(L, count);
    lua_setfield(L, -2, "count");
    lua_seti(L, -2, ++n);
  }
  return 1;
}

static int view_neighbours(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  int site = hookview_site(L, ctx, 2, "p:neighbours");
  push_sites(L, ctx->rules, ctx->rules->board.neighbours[site]);
  return 1;
}

/* ---- states, labels, params, lets ---- */

const State *hookview_state(lua_State *L, EvalCtx *ctx, int at) {
  const char *name = name_at(L, at, "the state");
  for (int i = 0; i < ctx->rules->states; i++)
    if (!strcmp(ctx->rules->state[i].name, name)) return &ctx->rules->state[i];
  luaL_error(L, "there is no state `%s`", name);
  return NULL;
}

int hookview_cell(lua_State *L, EvalCtx *ctx, const State *state, int of) {
  bool given = of > 0 && !lua_isnoneornil(L, of);
  if (state->scope == SCOPE_SITE || state->scope == SCOPE_PLAYER) {
    if (!given)
      luaL_error(L, "state `%s` belongs to a %s: say of which", state->name,
                 state->scope == SCOPE_SITE ? "site" : "player");
    int member = state->scope == SCOPE_SITE ? hookview_site(L, ctx, of, state->name)
                                            : check_player(L, ctx, of, state->name);
    if (member >= state->cells)
      luaL_error(L, "state `%s` says nothing about `%s`", state->name, lua_tostring(L, of));
    return state->cell + member;
  }
  if (given) luaL_error(L, "state `%s` belongs to the game: it is of nothing", state->name);
  return state->cell;
}

static void push_state_value(lua_State *L, EvalCtx *ctx, const State *state, int32_t v) {
  if (state->type == TYPE_NUMBER)
    lua_pushinteger(L, v);
  else if (state->type == TYPE_PLAYERS)
    push_seat(L, ctx->rules, v);
  else if (state->type == TYPE_SITES)
    push_site(L, ctx->rules, v);
  else if (v < 0)
    lua_pushnil(L);
  else
    lua_pushstring(L, ctx->rules->atom[v]);
}

static int32_t no_such_value(lua_State *L, const State *state, int at) {
  return luaL_error(L, "state `%s` cannot be `%s`", state->name, luaL_tolstring(L, at, NULL));
}

int32_t hookview_value(lua_State *L, EvalCtx *ctx, const State *state, int at) {
  const Rules *rules = ctx->rules;
  if (state->type == TYPE_NUMBER) {
    if (!lua_isinteger(L, at))
      luaL_error(L, "state `%s` is a whole number, not a %s", state->name,
                 luaL_typename(L, at));
    lua_Integer v = lua_tointeger(L, at);
    if (v < state->low || v > state->high) return no_such_value(L, state, at);
    return (int32_t)v;
  }
  const char *name = name_at(L, at, state->name);
  if (state->type == TYPE_PLAYERS || state->type == TYPE_SITES) {
    if (state->nobody && (!strcmp(name, "nobody") || !strcmp(name, "none"))) return -1;
    int v = state->type == TYPE_PLAYERS ? rules_player(rules, name) : rules_site(rules, name);
    if (v < 0 || !sites_has(&state->values, v)) return no_such_value(L, state, at);
    return v;
  }
  for (int v = 0; v < rules->atoms; v++)
    if (sites_has(&state->values, v) && !strcmp(rules->atom[v], name)) return v;
  return no_such_value(L, state, at);
}

static int view_state(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  const State *state = hookview_state(L, ctx, 2);
  int cell = hookview_cell(L, ctx, state, 3);
  push_state_value(L, ctx, state, position_cells(ctx->layout, ctx->pos)[cell]);
  return 1;
}

static int view_label(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  const char *name = name_at(L, 2, "the label");
  for (int i = 0; i < ctx->rules->labels; i++) {
    const Label *label = &ctx->rules->label[i];
    if (strcmp(label->name, name)) continue;
    int32_t v = label->value[hookview_site(L, ctx, 3, name)];
    if (label->type == TYPE_NUMBER)
      lua_pushinteger(L, v);
    else if (v < 0)
      lua_pushnil(L);
    else
      lua_pushstring(L, ctx->rules->atom[v]);
    return 1;
  }
  return luaL_error(L, "there is no label `%s`", name);
}

static int view_param(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  const char *name = name_at(L, 2, "the param");
  for (int i = 0; i < ctx->rules->params; i++) {
    const Param *param = &ctx->rules->param[i];
    if (strcmp(param->name, name) && (!param->option || strcmp(param->option, name))) continue;
    if (param->type == TYPE_NUMBER)
      lua_pushinteger(L, param->value);
    else if (param->type == TYPE_SITES)
      push_site(L, ctx->rules, param->value);
    else
      lua_pushstring(L, param->values[param->value]);
    return 1;
  }
  return luaL_error(L, "there is no param `%s`", name);
}

static int view_value(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  const char *name = name_at(L, 2, "the let");
  int seat = lua_isnoneornil(L, 3) ? ctx->pos->mover : check_player(L, ctx, 3, name);
  const Expr *e = find_let(ctx, name, seat);
  if (!e) return luaL_error(L, "there is no let `%s`", name);
  check_let(L, ctx, e, name);
  PieceSet pieces;
  switch ((Type)e->type) {
    case TYPE_NUMBER: lua_pushinteger(L, eval_number(ctx, e)); break;
    case TYPE_CONDITION: lua_pushboolean(L, eval_condition(ctx, e)); break;
    case TYPE_PLAYERS: push_seats(L, ctx->rules, eval_players(ctx, e)); break;
    case TYPE_SITES: push_sites(L, ctx->rules, eval_sites(ctx, e)); break;
    case TYPE_PIECES:
      eval_pieces(ctx, e, &pieces);
      push_sites(L, ctx->rules, pieces_sites(&pieces));
      break;
    default: return luaL_error(L, "`%s` is nothing that a script can hold", name);
  }
  return 1;
}

/* ---- the step ---- */

static void set_site(lua_State *L, EvalCtx *ctx, const char *field, int site) {
  push_site(L, ctx->rules, site);
  lua_setfield(L, -2, field);
}

static int view_last(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  const Position *p = ctx->pos;
  if (p->last_rule < 0) {
    lua_pushnil(L);
    return 1;
  }
  lua_createtable(L, 0, 6);
  lua_pushstring(L, ctx->rules->rule[p->last_rule].name);
  lua_setfield(L, -2, "rule");
  set_site(L, ctx, "origin", p->last_origin);
  set_site(L, ctx, "target", p->last_target);
  set_site(L, ctx, "previous", p->prev_target);
  if (p->last_die >= 0) {
    lua_pushinteger(L, p->last_die);
    lua_setfield(L, -2, "die");
  }
  if (p->last_plane >= 0) {
    lua_pushstring(L, ctx->rules->kind[ctx->rules->plane[p->last_plane].kind].name);
    lua_setfield(L, -2, "piece");
  }
  return 1;
}

static int view_origin(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  push_site(L, ctx->rules, ctx->origin);
  return 1;
}
static int view_target(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  push_site(L, ctx->rules, ctx->target);
  return 1;
}
static int view_here(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  push_site(L, ctx->rules, ctx->here);
  return 1;
}
static int view_victim(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  push_site(L, ctx->rules, ctx->victim_site);
  return 1;
}
static int view_each(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  push_seat(L, ctx->rules, ctx->each);
  return 1;
}
static int view_die(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  if (ctx->die < 0)
    lua_pushnil(L);
  else
    lua_pushinteger(L, ctx->die);
  return 1;
}
static int view_turns(lua_State *L) {
  EvalCtx *ctx = check_view(L);
  lua_pushinteger(L, ctx->pos->turns[check_player(L, ctx, 2, "p:turns")]);
  return 1;
}

/* ---- fields ---- */

typedef enum Field {
  FIELD_MOVER, FIELD_PLAYERS, FIELD_ACTIVE, FIELD_STARTER, FIELD_PHASE, FIELD_DICE,
  FIELD_THROWN, FIELD_DOUBLE, FIELD_TURN_COUNT, FIELD_QUIET, FIELD_PASSES, FIELD_STEPS,
  FIELD_DICE_USED, FIELD_PIPS_USED, FIELD_CAPTURED, FIELD_COUNT
} Field;
static const char *const field_names[FIELD_COUNT] = {
    "mover",  "players",    "active", "starter", "phase", "dice",      "thrown",  "double",
    "turn_count", "quiet", "passes", "steps", "dice_used", "pips_used", "captured"};

static void push_dice(lua_State *L, const uint8_t *dice, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_pushinteger(L, dice[i]);
    lua_seti(L, -2, i + 1);
  }
}

static int field_number(const Position *p, Field field) {
  switch (field) {
    case FIELD_DOUBLE: return p->doubled;
    case FIELD_TURN_COUNT: return p->turn_count;
    case FIELD_QUIET: return p->quiet;
    case FIELD_PASSES: return p->passes;
    case FIELD_STEPS: return p->steps;
    case FIELD_DICE_USED: return p->dice_used;
    case FIELD_PIPS_USED: return p->pips_used;
    default: return p->captured;
  }
}

static void push_field(lua_State *L, EvalCtx *ctx, Field field) {
  const Position *p = ctx->pos;
  switch (field) {
    case FIELD_MOVER: push_seat(L, ctx->rules, p->mover); break;
    case FIELD_PLAYERS: push_seats(L, ctx->rules, (1u << ctx->rules->seats) - 1); break;
    case FIELD_ACTIVE: push_seats(L, ctx->rules, p->active); break;
    case FIELD_STARTER: push_seat(L, ctx->rules, p->starter); break;
    case FIELD_PHASE:
      if (p->phase >= 0 && ctx->rules->phase[p->phase].name &&
          *ctx->rules->phase[p->phase].name)
        lua_pushstring(L, ctx->rules->phase[p->phase].name);
      else
        lua_pushnil(L);
      break;
    case FIELD_DICE: push_dice(L, p->die, p->dice); break;
    case FIELD_THROWN: push_dice(L, p->thrown, p->thrown_n); break;
    default: lua_pushinteger(L, field_number(p, field));
  }
}

static const luaL_Reg functions[] = {
    {"sites", view_sites},   {"pieces", view_pieces}, {"count", view_count},
    {"at", view_at},         {"state", view_state},   {"label", view_label},
    {"param", view_param},   {"value", view_value},   {"neighbours", view_neighbours},
    {"last", view_last},     {"origin", view_origin}, {"target", view_target},
    {"here", view_here},     {"each", view_each},     {"victim", view_victim},
    {"die", view_die},       {"turns", view_turns},   {NULL, NULL}};

static int view_index(lua_State *L) {
  EvalCtx *ctx = view(L);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  for (int i = 0; i < FIELD_COUNT; i++)
    if (!strcmp(field_names[i], name)) {
      push_field(L, ctx, (Field)i);
      return 1;
    }
  for (const luaL_Reg *f = functions; f->name; f++)
    if (!strcmp(f->name, name)) {
      lua_pushcfunction(L, f->func);
      return 1;
    }
  return luaL_error(L, "the position has no `%s`", name);
}

static int view_newindex(lua_State *L) {
  return luaL_error(L, "the position cannot be changed by a script");
}

void hookview_push(lua_State *L, EvalCtx *ctx) {
  EvalCtx **box = lua_newuserdatauv(L, sizeof(EvalCtx *), 0);
  *box = ctx;
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, view_index);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, view_newindex);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}
