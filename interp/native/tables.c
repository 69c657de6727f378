/* The constants of a game printed as C: board, paths, labels, dice, the fields of a position. */
#include <string.h>

#include "native/print.h"

static void print_set(const Program *p, const SiteSet *s, FILE *out) {
  fprintf(out, "{{");
  for (int i = 0; i < p->words; i++) fprintf(out, "%s0x%llxu", i ? ", " : "", (unsigned long long)s->w[i]);
  fprintf(out, "}}");
}

static void define(FILE *out, const char *name, int64_t n) { fprintf(out, "#define %s %lld\n", name, (long long)n); }

static const struct { const char *name; int field; } field_names[] = {
#define FIELD(f) {#f, f}
    FIELD(F_MOVER), FIELD(F_END_RULE), FIELD(F_WINNERS), FIELD(F_DRAWN), FIELD(F_ACTIVE),
    FIELD(F_PHASE), FIELD(F_TURN_PHASE), FIELD(F_STARTER), FIELD(F_ROLLED), FIELD(F_DICE0),
    FIELD(F_DICE1), FIELD(F_DOUBLED), FIELD(F_STEPS), FIELD(F_DICE_USED), FIELD(F_PIPS_USED),
    FIELD(F_CAPTURED), FIELD(F_LAST_RULE), FIELD(F_LAST_PLANE), FIELD(F_LAST_ORIGIN),
    FIELD(F_LAST_TARGET), FIELD(F_LAST_DIE), FIELD(F_PREV_TARGET), FIELD(F_TAKEN_N),
    FIELD(F_TURN_COUNT), FIELD(F_QUIET), FIELD(F_PASSES), FIELD(F_OVER), FIELD(F_TURN_ORIGIN),
    FIELD(F_TURN_TARGET), FIELD(F_THROWN0), FIELD(F_THROWN1), FIELD(F_SCORE), FIELD(F_TURNS), FIELD(F_OVERRUNS),
    FIELD(F_LAST_ORIGIN_OF), FIELD(F_LAST_TARGET_OF),
#undef FIELD
};

void print_constants(const Program *p, FILE *out) {
  const Rules *rules = p->rules;
  const Board *b = &rules->board;
  bool linear = true;
  for (int d = 0; d < b->dirs; d++) {
    bool any = false;
    for (int s = 0; s < b->squares; s++) any |= b->next[d][s] >= 0;
    if ((b->adjacent >> d) & 1 && !p->linear[d] && any) linear = false;
  }
  int longest = 1;
  for (int i = 0; i < rules->paths; i++)
    if (rules->path[i].n > longest) longest = rules->path[i].n;
  define(out, "SITES", b->sites);
  define(out, "SQUARES", b->squares);
  define(out, "SEATS", rules->seats);
  define(out, "SLICES", p->slices);
  define(out, "SLICES_ROOM", p->slices);
  define(out, "PLANES_ROOM", rules->planes);
  define(out, "PLANE_SETS", p->plane_sets);
  define(out, "SETS", p->sets);
  define(out, "NUMS", p->nums);
  define(out, "ZONE_0", p->zone_0);
  define(out, "ZONE_A", p->zone_a);
  define(out, "ZONE_B", p->zone_b);
  define(out, "ZONE_E", p->zone_e);
  define(out, "ZONE_S", p->zone_s);
  define(out, "KEEPS_TAKEN", p->keeps_taken);
  define(out, "TAKES", p->takes);
  define(out, "LEAVES", p->leaves);
  define(out, "JUDGED_END", p->judged_end);
  define(out, "STARTS", p->starts);
  bool judged = false;
  for (int s = 0; s < rules->seats; s++) judged |= p->section[s][SECTION_JUDGE_STEP] >= 0;
  define(out, "STEP_JUDGED", judged);
  int asked = 0; /* of the step in hand: nothing, the target, anything */
  for (int i = 0; i < p->ops; i++) {
    int code = p->op[i].code;
    if (code == O_step_target && !asked) asked = 1;
    else if ((code >= O_step_rule && code <= O_step_between && code != O_step_target) || code == O_host_section) asked = 2;
  }
  define(out, "STEP_ASKED", asked);
  define(out, "REPEATS", p->repeats);
  define(out, "REPEATS_EARLY", p->repeats_early);
  define(out, "HOSTED", p->hosted);
  define(out, "HOSTED_STEPS", p->hosted_steps);
  define(out, "SINGLE", p->single);
  define(out, "DIRECT", p->direct);
  define(out, "WHOLE", p->whole);
  define(out, "LONE", p->lone);
  define(out, "LATE", p->late);
  define(out, "WANDERS", p->wanders);
  fprintf(out, "#define COUNTED_PHASES 0x%llxu\n#define BOUNDED_PHASES 0x%llxu\n", (unsigned long long)p->counted_phases,
          (unsigned long long)p->bounded_phases);
  define(out, "ALL_DICE", p->all_dice);
  define(out, "SPENDS", p->spends);
  define(out, "APART", p->apart);
  define(out, "TOLD_EARLY", p->told_early);
  define(out, "PIECES_STAY", p->pieces_stay);
  define(out, "PLAIN_DICE", p->plain_dice);
  define(out, "CALM", p->calm);
  define(out, "DICE_SLOTS", p->dice_slots);
  define(out, "FRAME_SLOTS", p->dice_slots > 2 ? p->dice_slots : 2);
  define(out, "FRAME_SITES", p->plain_dice ? b->sites : 1);
  define(out, "MUSTS", p->musts);
  define(out, "POOLS", rules->pools);
  define(out, "GAME_CELLS", rules->cells);
  define(out, "CELLS_FROM", p->cells_from);
  define(out, "TURN_CELLS", rules->all_cells - rules->cells);
  define(out, "TURN_CELLS_FROM", rules->all_cells > rules->cells ? p->slot[F_CELL + rules->cells] : 0);
  define(out, "DIRS", b->dirs);
  fprintf(out, "#define ADJACENT 0x%xu\n", b->adjacent);
  define(out, "AXES", b->shape == BOARD_GRID ? 4 : b->dirs / 2);
  define(out, "AXIS_STEP", b->shape == BOARD_GRID ? 1 : 2);
  define(out, "AXIS_BACK", b->shape == BOARD_GRID ? 4 : 1);
  define(out, "ALL_LINEAR", linear);
  define(out, "LINEAR_DIRS", (int)p->linear_dirs);
  define(out, "PATHS", rules->paths);
  define(out, "PATH_LONGEST", longest);
  define(out, "HOP_STEPS", p->hop_steps);
  define(out, "WORTH_UNIT", WORTH_UNIT);
  fprintf(out, "enum {\n");
  for (size_t i = 0; i < sizeof field_names / sizeof *field_names; i++)
    fprintf(out, "  %s = %d,\n", field_names[i].name, p->slot[field_names[i].field]);
  fprintf(out, "};\n");
}

/* ---- tables ---- */

static void print_row(const int16_t *list, int n, FILE *out) {
  fprintf(out, "  {");
  for (int i = 0; i < n; i++) fprintf(out, "%s%d", i ? "," : "", list[i]);
  fprintf(out, "},\n");
}

static void print_board(const Program *p, FILE *out) {
  const Board *b = &p->rules->board;
  SiteSet all = sites_none();
  fprintf(out, "static const int16_t dir_next[DIRS + 1][SITES] = {\n");
  for (int d = 0; d < b->dirs; d++) print_row(b->next[d], b->squares, out);
  fprintf(out, "  {0}};\nstatic const int dir_by[DIRS + 1] = {");
  for (int d = 0; d < b->dirs; d++) fprintf(out, "%d,", p->linear[d]);
  fprintf(out, "0}, dir_long[DIRS + 1] = {");
  for (int d = 0; d < b->dirs; d++) fprintf(out, "%d,", p->longest[d]);
  fprintf(out, "0}, dir_back[DIRS + 1] = {");
  for (int d = 0; d < b->dirs; d++) fprintf(out, "%d,", p->back[d]);
  fprintf(out, "0};\nstatic const Set dir_has[DIRS + 1] = {\n");
  for (int d = 0; d < b->dirs; d++) {
    SiteSet has = sites_none();
    for (int s = 0; s < b->squares; s++)
      if (b->next[d][s] >= 0) sites_add(&has, s);
    print_set(p, &has, out);
    fprintf(out, ",\n");
  }
  fprintf(out, "{{0}}}, dir_into[DIRS + 1] = {\n");
  for (int d = 0; d < b->dirs; d++) {
    SiteSet into = sites_none();
    for (int s = 0; s < b->squares; s++)
      if (b->next[d][s] >= 0) sites_add(&into, b->next[d][s]);
    print_set(p, &into, out);
    fprintf(out, ",\n");
  }
  fprintf(out, "{{0}}};\nstatic const Set near_[SITES] = {\n");
  for (int s = 0; s < b->sites; s++) {
    sites_add(&all, s);
    print_set(p, &b->neighbours[s], out);
    fprintf(out, ",\n");
  }
  fprintf(out, "};\nstatic const Set board_ = ");
  print_set(p, &b->all, out);
  fprintf(out, ";\nstatic const Set everywhere = ");
  print_set(p, &all, out);
  fprintf(out, ";\n");
}

static void print_paths(const Program *p, FILE *out) {
  const Rules *rules = p->rules;
  int segments = 1;
  for (int i = 0; i < rules->paths; i++)
    if (p->segments[i] > segments) segments = p->segments[i];
  fprintf(out, "static const int path_n[PATHS + 1] = {");
  for (int i = 0; i < rules->paths; i++) fprintf(out, "%d,", rules->path[i].n);
  fprintf(out, "0}, path_wrap[PATHS + 1] = {");
  for (int i = 0; i < rules->paths; i++) fprintf(out, "%d,", rules->path[i].wrap);
  fprintf(out, "0}, path_segments[PATHS + 1] = {");
  for (int i = 0; i < rules->paths; i++) fprintf(out, "%d,", p->segments[i]);
  fprintf(out, "0};\nstatic const int16_t path_site[PATHS + 1][PATH_LONGEST] = {\n");
  for (int i = 0; i < rules->paths; i++) print_row(rules->path[i].site, rules->path[i].n, out);
  fprintf(out, "  {0}};\nstatic const int16_t path_index[PATHS + 1][SITES] = {\n");
  for (int i = 0; i < rules->paths; i++) print_row(rules->path[i].index_of, rules->board.sites, out);
  fprintf(out, "  {0}};\nstatic const Set path_segment[PATHS + 1][%d] = {\n", segments);
  for (int i = 0; i < rules->paths; i++) {
    fprintf(out, "  {");
    for (int k = 0; k < p->segments[i]; k++) {
      print_set(p, &p->segment[i][k].sites, out);
      fprintf(out, ",");
    }
    fprintf(out, "},\n");
  }
  fprintf(out, "  {{{0}}}};\nstatic const int8_t path_up[PATHS + 1][%d] = {\n", segments);
  for (int i = 0; i < rules->paths; i++) {
    fprintf(out, "  {");
    for (int k = 0; k < p->segments[i]; k++) fprintf(out, "%d,", p->segment[i][k].up);
    fprintf(out, "},\n");
  }
  fprintf(out, "  {0}};\n");
}

static void print_on_paths(const Program *p, FILE *out) {
  fprintf(out, "static const Set on_path[PATHS + 1] = {\n");
  for (int i = 0; i < p->rules->paths; i++) {
    const Path *path = &p->rules->path[i];
    SiteSet on = sites_none();
    for (int k = 0; k < path->n; k++) sites_add(&on, path->site[k]);
    print_set(p, &on, out);
    fprintf(out, ",\n");
  }
  fprintf(out, "  {{0}}};\n");
}

static void print_hops(const Program *p, FILE *out) {
  int paths = p->rules->paths, most = 1, tried[PATHS_MAX];
  fprintf(out, "static const int8_t hops_[PATHS + 1][HOP_STEPS + 1] = {\n");
  for (int i = 0; i < paths; i++) {
    fprintf(out, "  {");
    tried[i] = 0;
    for (int k = 0; k <= p->hop_steps; k++) {
      fprintf(out, "%d,", p->hops[i][k]);
      if (p->hops[i][k] > tried[i]) tried[i] = p->hops[i][k];
    }
    if (tried[i] > most) most = tried[i];
    fprintf(out, "},\n");
  }
  fprintf(out, "  {0}};\n#define HOPS_TRIED(i, k) (");
  for (int i = 0; i < paths; i++) fprintf(out, "(i) == %d ? %d : ", i, tried[i]);
  fprintf(out, "0) /* some of them empty */\n");
  fprintf(out, "static const struct { Set from; int by; } hop_[PATHS + 1][HOP_STEPS + 1][%d] = {\n", most);
  for (int i = 0; i < paths; i++) {
    fprintf(out, "  {");
    for (int k = 0; k <= p->hop_steps; k++) {
      fprintf(out, p->hops[i][k] > 0 ? "{" : "{{{{0}}, 0}");
      for (int h = 0; h < p->hops[i][k]; h++) {
        const PathHop *hop = &p->hop[i][k * HOPS_MOST + h];
        fprintf(out, "{");
        print_set(p, &hop->from, out);
        fprintf(out, ", %d},", hop->by);
      }
      fprintf(out, "},\n");
    }
    fprintf(out, "},\n");
  }
  fprintf(out, "  {{{{{0}}, 0}}}};\n");
}

static void print_dice(const Program *p, FILE *out) {
  const Rules *rules = p->rules;
  int totals = 1;
  for (int i = 0; i < rules->pools; i++) {
    const DicePool *pool = &rules->pool[i];
    if (pool->total && pool->total_high - pool->total_low + 1 > totals)
      totals = pool->total_high - pool->total_low + 1;
  }
  fprintf(out, "typedef struct Pool {\n  int dice, faces, doubles, total, low, n;\n  int face[%d], value[%d];\n} Pool;\n",
          FACES_MAX, totals);
  fprintf(out, "static const Pool pool_[POOLS + 1] = {\n");
  for (int i = 0; i < rules->pools; i++) {
    const DicePool *pool = &rules->pool[i];
    int n = pool->total ? pool->total_high - pool->total_low + 1 : 0;
    fprintf(out, "  {%d, %d, %d, %d, %d, %d, {", pool->dice, pool->faces, pool->doubles, pool->total,
            pool->total ? pool->total_low : 0, n);
    for (int k = 0; k < pool->faces; k++) fprintf(out, "%d,", pool->face[k]);
    fprintf(out, "}, {");
    for (int k = 0; k < n; k++) fprintf(out, "%d,", pool->total_value[k]);
    fprintf(out, "%s}},\n", n ? "" : "0");
  }
  fprintf(out, "  {0}};\nstatic const int16_t dice_of_seat[SEATS][4] = {");
  for (int s = 0; s < rules->seats; s++)
    fprintf(out, "{%d,%d,%d,%d},", p->dice_path[s], p->dice_plane[s], p->dice_exact[s], p->dice_high[s]);
  fprintf(out, "};\n");
  if (rules->phases == 1) {
    fprintf(out, "#define PHASE_POOL(i) (%d)\n", rules->phase[0].turn.pool);
    return;
  }
  fprintf(out, "#define PHASE_POOL(i) (phase_pool[i])\nstatic const int phase_pool[] = {");
  for (int i = 0; i < rules->phases; i++) fprintf(out, "%d,", rules->phase[i].turn.pool);
  fprintf(out, "};\n");
}

static void print_rules(const Program *p, FILE *out) {
  const Rules *rules = p->rules;
  Arena *arena = arena_new("tables");
  int counted = 0;
  fprintf(out, "static const int use_slot[] = {");
  for (int i = 0; i < rules->rules; i++) fprintf(out, "%d,", p->slot[F_USES + i]);
  fprintf(out, "-1};\nstatic const int counted_rule[] = {");
  for (int i = 0; i < rules->rules; i++)
    if (p->slot[F_USES + i] >= 0) {
      fprintf(out, "%d,", i);
      counted++;
    }
  fprintf(out, "0};\n#define COUNTED %d\nstatic const int8_t at_start[] = {", counted);
  for (int i = 0; i < rules->rules; i++) fprintf(out, "%d,", rules->rule[i].judged == JUDGED_START);
  fprintf(out, "0};\nstatic const int32_t turn_start[] = {");
  const int32_t *start = program_turn_start(p, arena);
  for (int i = 0; i < rules->all_cells - rules->cells; i++) fprintf(out, "%d,", start[i]);
  fprintf(out, "0};\nstatic const int32_t label_[%d][SITES + 1] = {\n", rules->labels + 1);
  for (int i = 0; i < rules->labels; i++) {
    const int32_t *list = program_label(p, i, arena);
    fprintf(out, "  {");
    for (int s = 0; s <= rules->board.sites; s++) fprintf(out, "%d,", list[s]);
    fprintf(out, "},\n");
  }
  fprintf(out, "  {0}};\n");
  for (int i = 0; i < p->const_sets; i++) {
    bool one = p->words == 1; /* most of these are printed as plain numbers */
    fprintf(out, one ? "#define K%d ((Set)" : "static const Set K%d = ", i);
    print_set(p, &p->const_set[i], out);
    fprintf(out, one ? ")\n" : ";\n");
  }
  arena_free(arena);
}

void print_tables(const Program *p, FILE *out) {
  print_board(p, out);
  print_paths(p, out);
  print_on_paths(p, out);
  print_hops(p, out);
  print_dice(p, out);
  print_rules(p, out);
}
