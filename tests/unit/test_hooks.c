#include "unit_load.h"
#include "play/hooks.h"
#include "play/inside.h"
#include "study/scenario.h"

#define FOLDER "tests/hooks/"

static const Rules *rules;
static Engine *engine;
static Position *p;

static int set_up(void **state) {
  (void)state;
  rules = load(FOLDER "hooks.tavl");
  engine = engine_new(rules);
  p = engine_position(engine);
  engine_start(engine, p, 0);
  return 0;
}

static int end(void **state) {
  free(p);
  engine_free(engine);
  return tear_down(state);
}

static int hook(const char *name) {
  for (int i = 0; i < rules->hooks; i++)
    if (!strcmp(rules->hook[i].name, name)) return i;
  fail_msg("no hook %s", name);
  return -1;
}

/* Calls a hook as what it is declared to be; false if it fails. */
static bool call(int index) {
  Hooks *hooks = engine_hooks(engine);
  EvalCtx ctx = eval_context(engine, p);
  const HookChange *list;
  int n;
  bool yes;
  int64_t number;
  SiteSet sites;
  if (rules->hook[index].effect) return hooks_effect(hooks, index, &ctx, &list, &n);
  if (rules->hook[index].type == TYPE_CONDITION)
    return hooks_condition(hooks, index, &ctx, &yes) && yes;
  if (rules->hook[index].type == TYPE_NUMBER)
    return hooks_number(hooks, index, &ctx, &number);
  return hooks_sites(hooks, index, &ctx, &sites);
}

/* ---- scripts that work ---- */

static void the_view(void **state) {
  (void)state;
  bool good = call(hook("view"));
  const char *complaint = engine_complaint(engine);
  if (!good) fail_msg("%s", complaint ? complaint : "false");
}

static void answers(void **state) {
  (void)state;
  Hooks *hooks = engine_hooks(engine);
  EvalCtx ctx = eval_context(engine, p);
  SiteSet sites;
  int64_t number;
  assert_true(hooks_sites(hooks, hook("places"), &ctx, &sites));
  assert_int_equal(sites_count(&sites), 3);
  assert_true(sites_has(&sites, rules_site(rules, "d4")));
  assert_true(hooks_number(hooks, hook("doubled"), &ctx, &number));
  assert_int_equal(number, 12);
  for (int i = 0; i < 3; i++) {
    assert_true(hooks_number(hooks, hook("counter"), &ctx, &number));
    assert_int_equal(number, 21);
  }
}

static void effects(void **state) {
  (void)state;
  Position *q = engine_position(engine);
  position_copy(q, p);
  Effect effect;
  memset(&effect, 0, sizeof effect);
  effect.op = EFFECT_HOOK;
  effect.hook = hook("effect");
  Effects list = {&effect, 1};
  EvalCtx ctx = eval_context(engine, p);
  effects_apply(engine, &list, &ctx, q);
  const char *complaint = engine_complaint(engine);
  if (complaint) fail_msg("%s", complaint);
  const Layout *layout = engine_layout(engine);
  const uint16_t *count = position_count(layout, q);
  const int32_t *cells = position_cells(layout, q);
  int white = rules->kind[rules_kind(rules, "man")].plane[0];
  int king = rules->kind[rules_kind(rules, "king")].plane[1];
  assert_int_equal(count[white * rules->board.sites + rules_site(rules, "a1")], 0);
  assert_int_equal(count[white * rules->board.sites + rules_site(rules, "hand")], 1);
  assert_int_equal(count[white * rules->board.sites + rules_site(rules, "c2")], 2);
  assert_int_equal(count[king * rules->board.sites + rules_site(rules, "d4")], 1);
  for (int i = 0; i < rules->states; i++) {
    const State *s = &rules->state[i];
    if (!strcmp(s->name, "lives")) {
      assert_int_equal(cells[s->cell], 5); /* 3 + 9, stopped at the end of the range */
      assert_int_equal(cells[s->cell + 1], 2);
    }
    if (!strcmp(s->name, "stake")) assert_int_equal(cells[s->cell], 4);
    if (!strcmp(s->name, "holder")) assert_int_equal(cells[s->cell], 1);
  }
  free(q);
}

/* ---- scripts that do not ---- */

static const struct {
  const char *name, *message;
} bad[] = {
    {"syntax", "hook `syntax`: syntax.lua:2: <eof> expected near 'end'"},
    {"nothing", "hook `nothing`: nothing.lua: the script must return one function, not a nil"},
    {"errs", "hook `errs`: errs.lua:3: attempt to index a nil value (local 'x')"},
    {"throws", "hook `throws`: throws.lua:2: an error was raised that is no text but a table"},
    {"wrong_condition", "hook `wrong_condition`: wrong_condition.lua: the function returned a number; a hook that is a condition returns true or false"},
    {"wrong_nil", "hook `wrong_nil`: wrong_nil.lua: the function returned nothing; a hook that is a condition returns true or false"},
    {"wrong_number", "hook `wrong_number`: wrong_number.lua: the function returned 1.5; a hook that is a number returns a whole number within 31 bits"},
    {"big_number", "hook `big_number`: big_number.lua: the function returned 1099511627776; a hook that is a number returns a whole number within 31 bits"},
    {"text_number", "hook `text_number`: text_number.lua: the function returned a string; a hook that is a number returns a whole number"},
    {"wrong_sites", "hook `wrong_sites`: wrong_sites.lua: the function returned a string; a hook that is sites returns a list of names of sites"},
    {"no_site", "hook `no_site`: no_site.lua: site 2 of the list: there is no site `z9`"},
    {"odd_site", "hook `odd_site`: odd_site.lua: site 2 of the list must be a name, not a table"},
    {"map_sites", "hook `map_sites`: map_sites.lua: the sites must be a list, as in {\"a1\"}"},
    {"loops", "hook `loops`: loops.lua:2: more than 1000000 instructions"},
    {"recursion", "hook `recursion`: recursion.lua:1: out of memory: a script may use 8 MiB, and 128 KiB in one table"},
    {"hoards", "hook `hoards`: hoards.lua:3: out of memory: a script may use 8 MiB, and 128 KiB in one table"},
    {"long_text", "hook `long_text`: long_text.lua:3: a text of more than 4096 bytes"},
    {"long_rep", "hook `long_rep`: long_rep.lua:2: too much work in library functions"},
    {"slow_pattern", "hook `slow_pattern`: slow_pattern.lua:3: too much work in library functions"},
    {"slow_move", "hook `slow_move`: slow_move.lua:2: too much work in library functions"},
    {"unpacks", "hook `unpacks`: unpacks.lua:2: too many results to unpack"},
    {"address", "hook `address`: address.lua:2: string.format: %p shows addresses and is not allowed"},
    {"odd_keys", "hook `odd_keys`: odd_keys.lua:2: pairs: a key is a table; keys must be texts, numbers or booleans"},
    {"changes", "hook `changes`: changes.lua:2: the position cannot be changed by a script"},
    {"no_field", "hook `no_field`: no_field.lua:2: the position has no `secret`"},
    {"no_colon", "hook `no_colon`: no_colon.lua:2: functions of the position are called with a colon, as in p:sites(…)"},
    {"no_region", "hook `no_region`: no_region.lua:2: there is no region, let or site `yrad`"},
    {"no_piece", "hook `no_piece`: no_piece.lua:2: p:count: there is no piece `mann`"},
    {"no_player", "hook `no_player`: no_player.lua:2: p:count: there is no player `red`"},
    {"no_state", "hook `no_state`: no_state.lua:2: there is no state `live`"},
    {"of_nobody", "hook `of_nobody`: of_nobody.lua:2: state `lives` belongs to a player: say of which"},
    {"unbound", "hook `unbound`: unbound.lua:2: `around` speaks of `origin`, which means nothing where the hook is called"},
    {"no_list", "hook `no_list`: no_list.lua: the function returned a number; a hook that is an effect returns a list of effects"},
    {"no_effect", "hook `no_effect`: no_effect.lua: effect 1 must have one of take, put, make, set, raise, lower"},
    {"two_effects", "hook `two_effects`: two_effects.lua: effect 1 must have one of take, put, make, set, raise, lower"},
    {"extra_field", "hook `extra_field`: extra_field.lua: an effect `take` has no `from`"},
    {"no_place", "hook `no_place`: no_place.lua: an effect `put` needs `on`"},
    {"vague", "hook `vague`: vague.lua: take must name one kind of one player, as in \"KIND of PLAYER\"; `man` is not"},
    {"too_many", "hook `too_many`: too_many.lua: take: only 1 stand on a1, not 2"},
    {"twice", "hook `twice`: twice.lua: two effects speak of the same pieces on a1"},
    {"bad_value", "hook `bad_value`: bad_value.lua: state `sea` cannot be `wet`"},
    {"out_of_range", "hook `out_of_range`: out_of_range.lua: state `lives` cannot be `99`"},
    {"raises_word", "hook `raises_word`: raises_word.lua: state `sea` is no number: it cannot be raised or lowered"},
    {"has_io", "hook `has_io`: has_io.lua:2: attempt to index a nil value (global 'io')"},
    {"has_os", "hook `has_os`: has_os.lua:2: attempt to index a nil value (global 'os')"},
    {"has_load", "hook `has_load`: has_load.lua:2: attempt to call a nil value (global 'load')"},
    {"has_require", "hook `has_require`: has_require.lua:2: attempt to call a nil value (global 'require')"},
    {"has_dofile", "hook `has_dofile`: has_dofile.lua:2: attempt to call a nil value (global 'dofile')"},
    {"has_loadfile", "hook `has_loadfile`: has_loadfile.lua:2: attempt to call a nil value (global 'loadfile')"},
    {"has_debug", "hook `has_debug`: has_debug.lua:2: attempt to index a nil value (global 'debug')"},
    {"has_package", "hook `has_package`: has_package.lua:2: attempt to index a nil value (global 'package')"},
    {"has_pcall", "hook `has_pcall`: has_pcall.lua:2: attempt to call a nil value (global 'pcall')"},
    {"has_xpcall", "hook `has_xpcall`: has_xpcall.lua:2: attempt to call a nil value (global 'xpcall')"},
    {"has_coroutine", "hook `has_coroutine`: has_coroutine.lua:2: attempt to index a nil value (global 'coroutine')"},
    {"has_collectgarbage", "hook `has_collectgarbage`: has_collectgarbage.lua:2: attempt to call a nil value (global 'collectgarbage')"},
    {"has_print", "hook `has_print`: has_print.lua:2: attempt to call a nil value (global 'print')"},
    {"has_setmetatable", "hook `has_setmetatable`: has_setmetatable.lua:2: attempt to call a nil value (global 'setmetatable')"},
    {"has_getmetatable", "hook `has_getmetatable`: has_getmetatable.lua:2: attempt to call a nil value (global 'getmetatable')"},
    {"has_rawset", "hook `has_rawset`: has_rawset.lua:2: attempt to call a nil value (global 'rawset')"},
    {"has_next", "hook `has_next`: has_next.lua:2: attempt to call a nil value (global 'next')"},
    {"has_dump", "hook `has_dump`: has_dump.lua:2: attempt to call a nil value (field 'dump')"},
    {"has_random", "hook `has_random`: has_random.lua:2: attempt to call a nil value (field 'random')"},
    {"has_pack", "hook `has_pack`: has_pack.lua:2: attempt to call a nil value (field 'pack')"},
    {"bytecode", "hook `bytecode`: attempt to load a binary chunk (mode is 't')"},
};

static void failures(void **state) {
  (void)state;
  Position *before = engine_position(engine);
  position_copy(before, p);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(call(hook(bad[i].name)));
    assert_string_equal(hooks_error(engine_hooks(engine)), bad[i].message);
    assert_string_equal(engine_complaint(engine), bad[i].message);
    assert_memory_equal(before, p, p->size);
  }
  free(before);
}

/* A rule that asks a failing hook: the engine complains, the position is as before. */
static void in_a_rule(void **state) {
  (void)state;
  Position *before = engine_position(engine);
  position_copy(before, p);
  Mark mark = engine_mark(engine);
  engine_turns(engine, p);
  assert_non_null(engine_complaint(engine));
  assert_null(engine_complaint(engine));
  assert_memory_equal(before, p, p->size);
  engine_release(engine, mark);
  free(before);
}

/* Hooks in the rules of a game: its scenarios hold. */
static void in_a_game(void **state) {
  (void)state;
  const Rules *game = load(FOLDER "step.tavl");
  for (int i = 0; i < game->scenarios; i++) {
    ScenarioResult result;
    scenario_run(loading, game, i, NULL, 0, NULL, &result);
    if (!result.ok) fail_msg("%s: %s", game->scenario[i].title, result.message);
  }
}

static void checked_without_a_call(void **state) {
  (void)state;
  Hooks *hooks = hooks_new(rules);
  assert_true(hooks_check(hooks, hook("view")));
  assert_true(hooks_check(hooks, hook("loops")));
  assert_false(hooks_check(hooks, hook("syntax")));
  assert_false(hooks_check(hooks, hook("bytecode")));
  hooks_free(hooks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_view), cmocka_unit_test(answers),   cmocka_unit_test(effects),
      cmocka_unit_test(failures), cmocka_unit_test(in_a_rule), cmocka_unit_test(in_a_game),
      cmocka_unit_test(checked_without_a_call),
  };
  return cmocka_run_group_tests(tests, set_up, end);
}
