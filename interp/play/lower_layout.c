/* The layout of a position: which numbers a game needs, in which zone; and the last touches to
 * the list, when it is known: fields become slots, what nobody asks for goes. */
#include "play/lower.h"

#include <string.h>

static int give_slot(Program *p, int f) {
  if (p->slot[f] < 0) p->slot[f] = (int16_t)p->nums++;
  return p->slot[f];
}
static void give_row(Program *p, int f, int n) {
  for (int i = 0; i < n; i++) give_slot(p, f + i);
}
static bool row_read(const Lower *l, int f, int n) {
  for (int i = 0; i < n; i++)
    if (l->field_read[f + i]) return true;
  return false;
}

/* The section that each operation belongs to. */
void lower_find_sections(Program *p) {
  p->section_of = ARENA_ARRAY(p->arena, int8_t, p->ops + 1);
  for (int i = 0; i < p->ops; i++) p->section_of[i] = -1;
  for (int s = 0; s < p->rules->seats; s++)
    for (int k = 0; k < SECTION_MAX; k++)
      if (p->section[s][k] >= 0 && p->section[s][k] < p->ops) p->section_of[p->section[s][k]] = (int8_t)k;
  for (int i = 1; i < p->ops; i++)
    if (p->section_of[i] < 0) p->section_of[i] = p->section_of[i - 1];
}
int lower_section_of(const Program *p, int at) { return p->section_of[at]; }

/* Which fields a step may change. */
static void find_changes(const Lower *l, bool *changes) {
  const Program *p = l->p;
  bool ends = false;
  for (int f = 0; p->hosted && f < F_COUNT; f++) changes[f] = true;
  for (int s = 0; s < l->rules->seats; s++) ends |= p->section[s][SECTION_JUDGE_STEP] >= 0;
  if (ends && l->step_varying) {
    static const int end[] = {F_END_RULE, F_MOVER, F_WINNERS, F_ACTIVE};
    for (int i = 0; i < 4; i++) changes[end[i]] = true;
    for (int s = 0; s < l->rules->seats; s++) changes[F_SCORE + s] = true;
  }
  for (int i = 0; i < p->ops; i++) {
    const Op *op = &p->op[i];
    if (op->code != O_store_num && op->code != O_store_cells && op->code != O_list_cell) continue;
    if (lower_section_of(p, i) != SECTION_MAKE) continue;
    int field = op->a[op->code != O_list_cell];
    changes[field] = true;
    if (op->code == O_store_num) continue;
    for (int k = 0; k < l->rules->states; k++) {
      const State *state = &l->rules->state[k];
      if (F_CELL + state->cell != field) continue;
      for (int c = 0; c < state->cells; c++) changes[F_CELL + state->cell + c] = true;
    }
  }
}

/* Which fields are read when a turn is over. */
static void find_late(const Program *p, bool *late) {
  for (int f = 0; p->hosted && f < F_COUNT; f++) late[f] = true;
  for (int i = 0; i < p->ops; i++) {
    const Op *op = &p->op[i];
    int section = lower_section_of(p, i);
    if (section != SECTION_SETTLE && section != SECTION_NEXT && section != SECTION_SCORE &&
        (section < SECTION_JUDGE_STEP || section > SECTION_JUDGE_START))
      continue;
    if (op->code == O_load_num) late[op->a[2]] = true;
    if (op->code != O_load_cell && op->code != O_old_cell && op->code != O_cells_in && op->code != O_old_cells_in)
      continue;
    for (int k = 0; k < p->rules->states; k++) {
      const State *state = &p->rules->state[k];
      for (int c = 0; F_CELL + state->cell == op->a[2] && c < state->cells; c++)
        late[F_CELL + state->cell + c] = true;
    }
  }
}

static const int told[] = {F_LAST_RULE,   F_LAST_PLANE, F_LAST_ORIGIN, F_LAST_TARGET, F_TAKEN_N,
                           F_PREV_TARGET, F_CAPTURED,   F_STEPS,       F_TURN_ORIGIN, F_TURN_TARGET};
enum { TOLD = sizeof told / sizeof *told };

/* Whether an operation that looks back at a step asks which one it was, or reads what it took; and whether one
 * does when the turn is over. */
static void find_last(const Program *p, bool *read, bool *late) {
  for (int i = 0; i < p->ops; i++) {
    int section = lower_section_of(p, i);
    *read |= section == SECTION_FORBIDDEN && p->op[i].code >= O_step_rule && p->op[i].code <= O_step_between;
    if (p->op[i].code != O_load_set || p->op[i].a[2] < p->plane_sets) continue;
    if (section == SECTION_GEN || section == SECTION_MAKE || section == SECTION_LEAVES) continue;
    *read = true;
    *late |= section != SECTION_GOING && section < SECTION_FORBIDDEN;
  }
}

/* What tells turns and their moments apart though no operation reads it: steps where they are counted, how many
 * pieces were taken where that chooses among ways, which step it was that took something, and what later turns may
 * remember. */
static void find_memory(const Lower *l, bool *read, bool *late) {
  bool last = false, last_late = false;
  find_last(l->p, &last, &last_late);
  memcpy(read, l->field_read, sizeof l->field_read);
  read[F_STEPS] = false;
  for (int i = 0; i < l->rules->phases; i++) read[F_STEPS] |= l->rules->phase[i].turn.steps_low != NULL;
  for (int f = F_LAST_RULE; f <= F_LAST_TARGET; f++) {
    read[f] |= last;
    late[f] |= last_late;
  }
  read[F_TAKEN_N] |= last;
  late[F_TAKEN_N] |= last_late;
  if (l->rules->mentions & MENTION_LAST)
    read[F_TURN_ORIGIN] = read[F_TURN_TARGET] = late[F_TURN_ORIGIN] = late[F_TURN_TARGET] = true;
  read[F_CAPTURED] |= l->p->takes;
  if (l->rules->mentions & MENTION_QUIET) read[F_CAPTURED] = late[F_CAPTURED] = true;
}

/* What tells apart two moments of one turn; of that what is read when the turn is over, or else the rest. */
static void turn_fields(const Lower *l, const bool *read, const bool *late, bool now) {
  Program *p = l->p;
  const Rules *rules = l->rules;
  bool gains = false, many = false, cells = false;
  for (int i = rules->cells; i < rules->all_cells; i++) cells |= late[F_CELL + i];
  if (cells == now) give_row(p, F_CELL + rules->cells, rules->all_cells - rules->cells);
  for (int i = 0; i < p->ops; i++) gains |= p->op[i].code == O_gain_die || p->op[i].code == O_list_gain || p->hosted;
  for (int i = 0; i < rules->pools; i++) many |= rules->pool[i].dice > 4 || rules->pool[i].doubles > 4;
  bool dice = late[F_DICE0] || late[F_DICE1];
  if (rules->pools && dice == now) give_slot(p, F_DICE0);
  if (rules->pools && dice == now && (many || gains)) give_slot(p, F_DICE1);
  for (size_t i = 0; i < TOLD; i++)
    if (read[told[i]] && late[told[i]] == now) give_slot(p, told[i]);
  if (read[F_PREV_TARGET] && !now) give_slot(p, F_LAST_TARGET);
  for (int i = 0; i < rules->rules; i++)
    if (read[F_USES + i] && late[F_USES + i] == now) give_slot(p, F_USES + i);
  for (int f = F_DICE_USED; f <= F_PIPS_USED; f++) /* unless dice are gained they go with the dice left */
    if (read[f] && late[f] == now && (gains || now)) give_slot(p, f);
}

/* The cells of the states that a step changes, or of the others. */
static void game_cells(const Lower *l, const bool *changes, bool now) {
  for (int k = 0; k < l->rules->states; k++) {
    const State *state = &l->rules->state[k];
    if (state->cell >= l->rules->cells) continue;
    bool changed = false;
    for (int c = 0; c < state->cells; c++) changed |= changes[F_CELL + state->cell + c];
    if (changed == now) give_row(l->p, F_CELL + state->cell, state->cells);
  }
}

/* The numbers of a position that somebody reads, zone by zone. The cells of the game stay together. */
void lower_lay_out(Lower *l) {
  Program *p = l->p;
  const Rules *rules = l->rules;
  int seats = rules->seats;
  static bool none[F_COUNT];
  bool *changes = ARENA_ARRAY(p->arena, bool, F_COUNT);
  memcpy(changes, none, sizeof none);
  find_changes(l, changes);
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) game_cells(l, changes, true);
    static const int single[] = {F_END_RULE, F_MOVER, F_WINNERS, F_ACTIVE, F_PHASE};
    for (int i = 0; i < 5; i++)
      if (changes[single[i]] == (pass == 1)) give_slot(p, single[i]);
    if (changes[F_SCORE] == (pass == 1)) give_row(p, F_SCORE, seats);
    if (pass == 1) continue;
    if (rules->mentions & MENTION_QUIET) give_slot(p, F_QUIET);
    if (rules->mentions & MENTION_LAST) give_row(p, F_LAST_ORIGIN_OF, seats);
    if (rules->mentions & MENTION_LAST) give_row(p, F_LAST_TARGET_OF, seats);
    game_cells(l, changes, false); /* beside those that a step changes */
    p->zone_0 = p->nums;
  }
  for (int i = 0; i < rules->cells; i++)
    if (i == 0 || p->slot[F_CELL + i] < p->cells_from) p->cells_from = p->slot[F_CELL + i];
  p->zone_a = p->nums;
  bool *late = ARENA_ARRAY(p->arena, bool, F_COUNT);
  memcpy(late, none, sizeof none);
  find_late(p, late);
  bool *read = ARENA_ARRAY(p->arena, bool, F_COUNT);
  find_memory(l, read, late);
  for (int pass = 0; pass < 2; pass++) {
    turn_fields(l, read, late, pass == 0);
    if (pass == 0) p->zone_e = p->nums;
  }
  p->zone_b = p->nums;
  for (size_t i = 0; i < TOLD; i++)
    if (l->script_read[told[i]]) give_slot(p, told[i]);
  p->zone_s = p->nums;
  if (rules->pools) give_slot(p, F_ROLLED);
  give_slot(p, F_STEPS);
  give_slot(p, F_CAPTURED);
  give_slot(p, F_DRAWN);
  for (int i = 0; i < rules->rules; i++) {
    const Rule *r = &rules->rule[i];
    if (r->exists && (r->kind == RULE_MOVE || r->kind == RULE_CHOICE || r->kind == RULE_CAPTURE))
      give_slot(p, F_USES + i);
  }
  if (rules->phases > 1) give_slot(p, F_TURN_PHASE);
  static const int rest[] = {F_DICE_USED, F_PIPS_USED, F_STARTER, F_DOUBLED,  F_LAST_DIE, F_TURN_COUNT,
                             F_QUIET,     F_PASSES,    F_OVER,    F_THROWN0, F_THROWN1};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
    if (l->field_read[rest[i]] || l->script_read[rest[i]]) give_slot(p, rest[i]);
  static const int row[] = {F_TURNS, F_OVERRUNS, F_LAST_ORIGIN_OF, F_LAST_TARGET_OF};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (row_read(l, row[i], seats) || l->script_read[row[i]]) give_row(p, row[i], seats);
  if (p->slot[F_LAST_ORIGIN_OF] >= 0 || p->slot[F_LAST_TARGET_OF] >= 0) {
    give_slot(p, F_TURN_ORIGIN);
    give_slot(p, F_TURN_TARGET);
  }
  if (p->slot[F_TURN_PHASE] < 0) p->slot[F_TURN_PHASE] = p->slot[F_PHASE];
}

/* Adds to how often the operands of an operation are asked for. */
static void count_operands(const Op *op, int32_t *sets, int32_t *nums, int by) {
  const char *form = op_form(op->code);
  const int32_t *a = op->a + (form[0] != '_');
  for (form += 2; *form && *form != '0'; form++, a++) {
    if (*a < 0) continue;
    if (*form == 'S') sets[*a] += by;
    if (*form == 'N') nums[*a] += by;
  }
}

/* Operations whose value nobody asks for. */
void lower_drop_unused(Lower *l) {
  Program *p = l->p;
  size_t sets = l->set_block.n, nums = l->num_block.n, all = sets + nums;
  int32_t *asked = memory_resize(NULL, sizeof *asked * (2 * all + 1)), *put = asked + all; /* how often, for each register */
  memset(asked, 0, sizeof *asked * (2 * all + 1));
  for (int i = 0; i < p->ops; i++) {
    const Op *op = &p->op[i];
    count_operands(op, asked, asked + sets, 1);
    if (op->code == O_put_set) put[op->a[0]]++;
    if (op->code == O_put_num) put[sets + (size_t)op->a[0]]++;
  }
  for (bool again = true; again;) {
    again = false;
    for (int i = p->ops - 1; i >= 0; i--) { /* what is asked for stands before who asks, but for variables in loops */
      Op *op = &p->op[i];
      if (op_acts(op->code)) continue;
      size_t result = (size_t)op->a[0] + (op_form(op->code)[0] == 'S' ? 0 : sets);
      bool puts = op->code == O_put_set || op->code == O_put_num, var = op->code == O_var_set || op->code == O_var_num;
      if (asked[result] || (var && put[result])) continue; /* a variable must stand where it is written */
      if (puts) put[result]--;
      count_operands(op, asked, asked + sets, -1);
      op->code = O_nothing;
      again = true;
    }
  }
  memory_resize(asked, 0);
  /* what is left, without the gaps; jumps go by the new places */
  int *place = memory_resize(NULL, sizeof *place * (size_t)(p->ops + 1)), n = 0;
  for (int i = 0; i < p->ops; i++) {
    place[i] = n;
    n += p->op[i].code != O_nothing;
  }
  place[p->ops] = n;
  for (int i = 0; i < p->ops; i++) {
    const char *jump = strchr(op_form(p->op[i].code) + 2, 'J');
    if (jump) {
      int32_t *a = &p->op[i].a[jump - op_form(p->op[i].code) - 2];
      *a = place[*a];
    }
    if (p->op[i].code != O_nothing) p->op[place[i]] = p->op[i];
  }
  for (int s = 0; s < SEATS_MAX; s++)
    for (int k = 0; k < SECTION_MAX; k++)
      if (p->section[s][k] >= 0 && p->section[s][k] <= p->ops) p->section[s][k] = place[p->section[s][k]];
  p->ops = n;
  memory_resize(place, 0);
}

/* Fields become slots; what nobody reads is not written. */
void lower_settle_fields(Lower *l) {
  Program *p = l->p;
  for (int i = 0; i < p->ops; i++) {
    Op *op = &p->op[i];
    switch (op->code) {
      case O_load_num: op->a[2] = p->slot[op->a[2]]; break;
      case O_store_num:
        op->a[1] = p->slot[op->a[1]];
        if (op->a[1] < 0) op->code = O_nothing;
        break;
      case O_load_cell:
      case O_old_cell:
      case O_cells_in:
      case O_old_cells_in: op->a[2] = p->slot[op->a[2]]; break;
      case O_store_cells: op->a[1] = p->slot[op->a[1]]; break;
      case O_list_cell: op->a[0] = p->slot[op->a[0]]; break;
      case O_count_use: op->a[1] = p->slot[F_USES + op->a[1]]; break;
      default: break;
    }
  }
}
