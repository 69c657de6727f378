/* The whole resolution, in order: players, board, pieces; then everything by name, on
 * demand; then phases, turns, rules, the setup; then what the game mentions, and the
 * checks. */
#include "front/resolve.h"

#include <string.h>

static int count(const Build *build, NodeKind kind) {
  int n = 1;
  for (const Def *d = build->flat->first; d; d = d->next)
    n += !d->removed && d->kind == kind;
  return n;
}

static void make_room(Build *build) {
  Arena *a = build->arena;
  build->kind = ARENA_ARRAY(a, Kind, PLANES_MAX);
  build->state = ARENA_ARRAY(a, State, count(build, N_STATE));
  build->label = ARENA_ARRAY(a, Label, count(build, N_LABEL));
  build->region = ARENA_ARRAY(a, Region, count(build, N_REGION));
  build->let = ARENA_ARRAY(a, Let, count(build, N_LET));
  build->path = ARENA_ARRAY(a, Path, PATHS_MAX);
  build->path_name = ARENA_ARRAY(a, const char *, count(build, N_PATH));
  build->pool = ARENA_ARRAY(a, DicePool, count(build, N_DICE));
  build->param = ARENA_ARRAY(a, Param, count(build, N_PARAM));
  build->hook = ARENA_ARRAY(a, Hook, count(build, N_HOOK));
  build->phase = ARENA_ARRAY(a, Phase, count(build, N_PHASE) + 1);
  build->rule = ARENA_ARRAY(a, Rule, RULES_MAX);
  build->rule_by_params = ARENA_ARRAY(a, bool, RULES_MAX);
  build->phase_by_params = ARENA_ARRAY(a, bool, count(build, N_PHASE) + 1);
}

static void hand_over(Build *build) {
  Rules *r = build->rules;
  r->kind = build->kind;
  r->state = build->state;
  r->label = build->label;
  r->region = build->region;
  r->let = build->let;
  r->path = build->path;
  r->path_name = build->path_name;
  r->pool = build->pool;
  r->param = build->param;
  r->hook = build->hook;
  r->phase = build->phase;
  r->rule = build->rule;
  r->atom = build->atom;
  r->atoms = build->atoms;
}

static void check_options(Build *build) {
  Span title = build->flat->unit->node->name;
  const char **names = ARENA_ARRAY(build->arena, const char *, build->rules->params + 1);
  for (int i = 0; i < build->rules->params; i++) names[i] = build->param[i].option;
  for (int i = 0; i < build->option_n; i++) {
    bool known = false;
    for (int p = 0; p < build->rules->params; p++)
      known |= !strcmp(build->param[p].name, build->options[i].name) ||
               !strcmp(build->param[p].option, build->options[i].name);
    if (known) continue;
    Diag *d = diag_report(build->diags, DIAG_BAD_OPTION, title,
                          "the game has no option `%s`", build->options[i].name);
    const char *near =
        text_nearest(build->options[i].name, names, (size_t)build->rules->params);
    if (near)
      diag_note(build->diags, d, "did you mean `%s`?", near);
    else if (build->rules->params)
      diag_note(build->diags, d, "`tavl show` lists the options of a game");
  }
}

static void list_scenarios(Build *build) {
  Rules *rules = build->rules;
  ScenarioText *list = ARENA_ARRAY(build->arena, ScenarioText, count(build, N_SCENARIO));
  for (const Def *d = build->flat->first; d; d = d->next) {
    if (d->removed || d->kind != N_SCENARIO) continue;
    ScenarioText *s = &list[rules->scenarios++];
    s->title = d->name;
    s->title_ru = node_doc(d->node, names_intern0(build->names, "ru"));
    s->see = node_see(build->arena, d->node);
    s->node = d->node;
    s->unit = d->unit->title;
    s->inherited = d->unit->node != build->flat->unit->node;
    s->span = d->span;
  }
  rules->scenario = list;
}

static void name_game(Build *build) {
  Rules *rules = build->rules;
  const Node *unit = build->flat->unit->node;
  rules->title = unit->text;
  rules->title_ru = node_doc(unit, names_intern0(build->names, "ru"));
  rules->see = node_see(build->arena, unit);
  rules->sources = &build->loading->sources;
  rules->file = build->loading->sources.at[build->flat->unit->file].path;
}

static void check_game(Build *build) {
  Rules *rules = build->rules;
  if (rules->of_kind_n[RULE_MOVE] + rules->of_kind_n[RULE_CHOICE] > 0) return;
  for (int i = 0; i < rules->rules; i++)
    if (build->rule[i].kind == RULE_MOVE || build->rule[i].kind == RULE_CHOICE) return;
  Diag *d =
      diag_report(build->diags, DIAG_MISSING_DEFINITION, build->flat->unit->node->name,
                  "the game has no `move` rule, so nobody can do anything");
  diag_note(build->diags, d,
            "move step_on is step \"To a neighbouring square.\" { who piece_name }");
}

static void count_offers(Build *build) {
  int offers = 0;
  for (int i = 0; i < build->rules->rules; i++) {
    if (build->rule[i].kind != RULE_OFFER || ++offers <= OFFERS_MAX) continue;
    diag_report(build->diags, DIAG_TOO_MANY, build->rule[i].span, "more than %d offers",
                OFFERS_MAX);
    build->failed = true;
    return;
  }
}

Rules *build_rules(Build *build) {
  int errors = build->diags->errors;
  build->rules = ARENA_NEW(build->arena, Rules);
  build->rules->arena = build->arena;
  name_game(build);
  make_room(build);
  symbols_enter(build);
  enter_atoms(build);
  define_players(build);
  define_board(build);
  if (build->failed) return NULL;
  define_pieces(build);
  number_phases(build);
  number_rules(build);
  count_offers(build);
  if (build->failed) return NULL;
  define_rest(build);
  place_cells(build);
  check_options(build);
  if (build->failed) return NULL;
  define_phases(build);
  define_turns(build);
  define_rules(build);
  define_setup(build);
  list_scenarios(build);
  hand_over(build);
  check_game(build);
  define_mentions(build);
  if (build->scenes) check_scenarios(build);
  if (build->lint && build->diags->errors == 0) lint_rules(build);
  hand_over(build);
  return build->diags->errors == errors ? build->rules : NULL;
}
