/* Choice of width, and positions to and from the reference's. What only the reference can do is in host.c. */
#include "play/kernel.h"

#include <stddef.h>
#include <string.h>

#include "play/inside.h"
#include "play/kernel_bits.h"

/* ---- tables ---- */

static int32_t value_of(const Program *p, int atom) { return atom < 0 ? -1 : p->value_of_atom[atom]; }

int32_t *program_label(const Program *p, int label, Arena *arena) {
  const Label *l = &p->rules->label[label];
  int sites = p->rules->board.sites;
  int32_t *list = ARENA_ARRAY(arena, int32_t, sites + 1);
  list[0] = l->type == TYPE_VALUES ? -1 : 0;
  for (int s = 0; s < sites; s++)
    list[s + 1] = l->type == TYPE_VALUES ? value_of(p, l->value[s]) : l->value[s];
  return list;
}

int32_t *program_turn_start(const Program *p, Arena *arena) {
  const Rules *rules = p->rules;
  int32_t *list = ARENA_ARRAY(arena, int32_t, rules->all_cells - rules->cells + 1);
  for (int i = 0; i < rules->states; i++) {
    const State *s = &rules->state[i];
    if (s->scope != SCOPE_TURN) continue;
    for (int k = 0; k < s->cells; k++)
      list[s->cell + k - rules->cells] = s->type == TYPE_VALUES ? value_of(p, s->start) : s->start;
  }
  return list;
}

/* ---- making ---- */

static const KernelWidth *kernel_width(int words) {
#ifdef KERNEL_BITS
  if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    return words <= 1 ? &kernel_1_bits : words <= 2 ? &kernel_2_bits : words <= 4 ? &kernel_4_bits : &kernel_8_bits;
#endif
  return words <= 1 ? &kernel_1 : words <= 2 ? &kernel_2 : words <= 4 ? &kernel_4 : &kernel_8;
}

Kernel *kernel_new(const Rules *rules, char *why, size_t room) { return kernel_new_hosted(rules, 0, why, room); }
Kernel *kernel_new_hosted(const Rules *rules, uint64_t hosted, char *why, size_t room) {
  Program *program = program_lower(rules, hosted);
  if (program->refused) {
    const char *rule = program->refused_rule >= 0 ? rules->rule[program->refused_rule].name : "the game";
    snprintf(why, room, "%s: %s", rule, program->refused);
    program_free(program);
    return NULL;
  }
  Kernel *k = memory_resize(NULL, sizeof *k);
  memset(k, 0, sizeof *k);
  k->rules = rules;
  k->program = program;
  const KernelWidth *width = kernel_width(program->words);
  k->words = width->api.words;
  k->api = &width->api;
  k->game = width->game(program, program->arena);
  k->size = ((size_t)program->sets * (size_t)k->words * 8 + (size_t)program->nums * 4 + 7) & ~(size_t)7;
  return k;
}

void kernel_use(Kernel *k, const MachineApi *api) {
  k->api = api;
  k->words = api->words;
  k->native = true;
  k->size = ((size_t)k->program->sets * (size_t)k->words * 8 + (size_t)k->program->nums * 4 + 7) & ~(size_t)7;
}

void kernel_free(Kernel *k) {
  if (!k) return;
  program_free(k->program);
  memory_resize(k, 0);
}

/* ---- positions ---- */

static uint64_t *set_at(const Kernel *k, const void *position, int i) {
  return (uint64_t *)(uintptr_t)position + (size_t)i * (size_t)k->words;
}
static int32_t *nums_of(const Kernel *k, const void *position) {
  return (int32_t *)(void *)set_at(k, position, k->program->sets);
}
static void put(const Kernel *k, int32_t *nums, int f, int32_t n) {
  if (k->program->slot[f] >= 0) nums[k->program->slot[f]] = n;
}

static bool load_pieces(const Kernel *k, const Layout *layout, const Position *p, void *to) {
  const Rules *rules = k->rules;
  const uint16_t *count = position_count(layout, p);
  int slices = k->program->slices;
  for (int plane = 0; plane < rules->planes; plane++)
    for (int s = 0; s < rules->board.sites; s++) {
      int n = count[plane * rules->board.sites + s];
      for (int b = 0; b < slices; b++)
        if ((n >> b) & 1) set_at(k, to, plane * slices + b)[s >> 6] |= (uint64_t)1 << (s & 63);
    }
  for (int seat = 0; seat < rules->seats; seat++) {
    int total = 0;
    for (int plane = 0; plane < rules->planes; plane++)
      if (rules->plane[plane].owner == seat) total += position_total(rules, layout, p, plane);
    if (rules->stacks && total >= 1 << slices) return false;
  }
  if (!k->program->keeps_taken) return true;
  for (int plane = 0; plane < rules->planes; plane++)
    memcpy(set_at(k, to, k->program->plane_sets + plane), &position_taken(layout, p)[plane],
           (size_t)(k->words < SITE_WORDS ? k->words : SITE_WORDS) * 8);
  return true;
}

/* Where the single fields are in a Position of the reference. */
static const struct {
  int field, size;
  size_t at;
} places[] = {
#define PLACE(f, member) {f, (int)sizeof(((Position *)0)->member), offsetof(Position, member)}
    PLACE(F_MOVER, mover), PLACE(F_END_RULE, end_rule), PLACE(F_WINNERS, winners), PLACE(F_DRAWN, drawn),
    PLACE(F_ACTIVE, active), PLACE(F_PHASE, phase), PLACE(F_STARTER, starter), PLACE(F_ROLLED, rolled),
    PLACE(F_DOUBLED, doubled), PLACE(F_STEPS, steps), PLACE(F_DICE_USED, dice_used),
    PLACE(F_PIPS_USED, pips_used), PLACE(F_CAPTURED, captured), PLACE(F_LAST_RULE, last_rule),
    PLACE(F_LAST_PLANE, last_plane), PLACE(F_LAST_ORIGIN, last_origin), PLACE(F_LAST_TARGET, last_target),
    PLACE(F_LAST_DIE, last_die), PLACE(F_PREV_TARGET, prev_target), PLACE(F_TAKEN_N, taken_n),
    PLACE(F_TURN_COUNT, turn_count), PLACE(F_QUIET, quiet), PLACE(F_PASSES, passes), PLACE(F_OVER, over),
    PLACE(F_TURN_ORIGIN, turn_origin), PLACE(F_TURN_TARGET, turn_target),
#undef PLACE
};
enum { PLACES = (int)(sizeof places / sizeof *places) };

static int32_t get_place(const Position *p, int i) {
  const char *at = (const char *)p + places[i].at;
  bool plain = places[i].field == F_WINNERS || places[i].field == F_ACTIVE;
  if (places[i].size == 1) return plain ? (int32_t)*(const uint8_t *)at : (int32_t)*(const int8_t *)at;
  if (places[i].size == 2) return *(const int16_t *)(const void *)at;
  return *(const int32_t *)(const void *)at;
}
static void set_place(Position *p, int i, int32_t n) {
  char *at = (char *)p + places[i].at;
  if (places[i].size == 1) *(int8_t *)at = (int8_t)n;
  else if (places[i].size == 2) *(int16_t *)(void *)at = (int16_t)n;
  else *(int32_t *)(void *)at = n;
}

static void load_cells(const Kernel *k, const Layout *layout, const Position *p, int32_t *nums) {
  const Rules *rules = k->rules;
  const int32_t *cells = position_cells(layout, p);
  for (int i = 0; i < rules->states; i++)
    for (int c = 0; c < rules->state[i].cells; c++) {
      int at = rules->state[i].cell + c;
      bool values = rules->state[i].type == TYPE_VALUES;
      put(k, nums, F_CELL + at, values ? value_of(k->program, cells[at]) : cells[at]);
    }
}

static uint64_t pack(const uint8_t *face, int n) {
  uint64_t dice = 0;
  for (int i = 0; i < n; i++) dice |= (uint64_t)(face[i] + 1) << (8 * i);
  return dice;
}
static int unpack(uint64_t dice, uint8_t *face) {
  int n = 0;
  for (; dice; dice >>= 8) face[n++] = (uint8_t)((dice & 255) - 1);
  return n;
}
static uint64_t two(const Kernel *k, const int32_t *nums, int f) {
  const int16_t *slot = k->program->slot;
  uint64_t n = slot[f] >= 0 ? (uint32_t)nums[slot[f]] : 0;
  return slot[f + 1] >= 0 ? n | (uint64_t)(uint32_t)nums[slot[f + 1]] << 32 : n;
}
static void put_two(const Kernel *k, int32_t *nums, int f, uint64_t n) {
  put(k, nums, f, (int32_t)(uint32_t)n);
  put(k, nums, f + 1, (int32_t)(uint32_t)(n >> 32));
}

bool kernel_load_into(const Kernel *k, const Layout *layout, const Position *p, void *to) {
  const Rules *rules = k->rules;
  memset(to, 0, k->size);
  int32_t *nums = nums_of(k, to);
  if (!load_pieces(k, layout, p, to)) return false;
  load_cells(k, layout, p, nums);
  for (int i = 0; i < PLACES; i++) put(k, nums, places[i].field, get_place(p, i));
  if (rules->phases > 1) put(k, nums, F_TURN_PHASE, p->turn_phase);
  put_two(k, nums, F_DICE0, pack(p->die, p->dice));
  put_two(k, nums, F_THROWN0, pack(p->thrown, p->thrown_n));
  for (int s = 0; s < rules->seats; s++) {
    double worth = p->score[s] * WORTH_UNIT;
    put(k, nums, F_SCORE + s, (int32_t)(worth + (worth < 0 ? -0.5 : 0.5)));
    put(k, nums, F_TURNS + s, p->turns[s]);
    put(k, nums, F_OVERRUNS + s, p->overruns[s]);
    put(k, nums, F_LAST_ORIGIN_OF + s, p->last_origin_of[s]);
    put(k, nums, F_LAST_TARGET_OF + s, p->last_target_of[s]);
  }
  for (int i = 0; i < rules->rules; i++) put(k, nums, F_USES + i, p->steps ? position_uses(layout, p)[i] : 0);
  return true;
}

void *kernel_load(const Kernel *k, const Layout *layout, const Position *p) {
  void *to = memory_resize(NULL, k->size);
  if (kernel_load_into(k, layout, p, to)) return to;
  memory_resize(to, 0);
  return NULL;
}

static void store_pieces(const Kernel *k, const Layout *layout, const void *position, Position *p) {
  const Rules *rules = k->rules;
  int slices = k->program->slices, words = (rules->board.sites + 63) / 64;
  for (int plane = 0; plane < rules->planes; plane++) {
    uint16_t *count = position_count(layout, p) + plane * rules->board.sites;
    for (int w = 0; w < words; w++) {
      uint64_t any = 0;
      for (int b = 0; b < slices; b++) any |= set_at(k, position, plane * slices + b)[w];
      position_occupied(layout, p)[plane].w[w] = any;
      for (; any; any &= any - 1) {
        int bit = __builtin_ctzll(any), n = 0;
        for (int b = 0; b < slices; b++) n |= (int)((set_at(k, position, plane * slices + b)[w] >> bit) & 1) << b;
        count[w * 64 + bit] = (uint16_t)n;
      }
    }
  }
}

void kernel_store(const Kernel *k, const Layout *layout, const void *position, Position *p) {
  const Rules *rules = k->rules;
  const int32_t *nums = nums_of(k, position);
  const int16_t *slot = k->program->slot;
  memset(p, 0, layout->size);
  p->size = (uint32_t)layout->size;
  store_pieces(k, layout, position, p);
  for (int i = 0; i < rules->states; i++)
    for (int c = 0; c < rules->state[i].cells; c++) {
      int at = rules->state[i].cell + c;
      int32_t v = nums[slot[F_CELL + at]];
      position_cells(layout, p)[at] =
          rules->state[i].type == TYPE_VALUES && v >= 0 ? k->program->atom_of_value[v] : v;
    }
  for (int i = 0; i < PLACES; i++)
    if (slot[places[i].field] >= 0) set_place(p, i, nums[slot[places[i].field]]);
  p->stage = p->end_rule >= 0 ? STAGE_ENDED : STAGE_TURN;
  p->turn_mover = p->mover;
  p->turn_phase = (int8_t)nums[slot[F_TURN_PHASE]];
  for (int s = 0; s < rules->seats; s++) {
    p->score[s] = (double)nums[slot[F_SCORE + s]] / WORTH_UNIT;
    if (slot[F_TURNS] >= 0) p->turns[s] = nums[slot[F_TURNS + s]];
    if (slot[F_OVERRUNS] >= 0) p->overruns[s] = nums[slot[F_OVERRUNS + s]];
    if (slot[F_LAST_ORIGIN_OF] >= 0) p->last_origin_of[s] = (int16_t)nums[slot[F_LAST_ORIGIN_OF + s]];
    if (slot[F_LAST_TARGET_OF] >= 0) p->last_target_of[s] = (int16_t)nums[slot[F_LAST_TARGET_OF + s]];
  }
  p->dice = (int8_t)unpack(two(k, nums, F_DICE0), p->die);
  p->thrown_n = (int8_t)unpack(two(k, nums, F_THROWN0), p->thrown);
  for (int i = 0; i < rules->rules; i++)
    if (slot[F_USES + i] >= 0) position_uses(layout, p)[i] = (uint16_t)nums[slot[F_USES + i]];
  if (!k->program->keeps_taken) return;
  for (int plane = 0; plane < rules->planes; plane++)
    memcpy(&position_taken(layout, p)[plane], set_at(k, position, k->program->plane_sets + plane),
           (size_t)(k->words < SITE_WORDS ? k->words : SITE_WORDS) * 8);
}

const char *kernel_complaint(const KernelPlayer *player) {
  switch (player->kernel->api->trouble(player->ctx)) {
    case MACHINE_MANY: return "a position has too many turns";
    case MACHINE_AGAIN: return "every throw is thrown again";
    case MACHINE_PLACES: return "two effects send one piece to different places";
    default: return player->complaint;
  }
}
