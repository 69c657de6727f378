/* From rules to the list of operations: registers, blocks, and the sections of a game one by
 * one. Reads Rules; makes a Program. A section with something that cannot be lowered, such as a
 * script, is one operation: the reference does it. */
#include "play/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *op_name(int code) {
  static const char *const name[] = {
#define OP(name, form) #name,
#include "play/ops.def"
#undef OP
  };
  return name[code];
}
const char *op_form(int code) {
  static const char *const form[] = {
#define OP(name, form) #form,
#include "play/ops.def"
#undef OP
  };
  return form[code];
}

bool op_acts(int code) {
  return op_form(code)[0] == '_' || code == O_put_out || code == O_ask_section || code == O_host_fire ||
         code == O_host_section;
}

void lower_leave(Lower *l, bool whole_game, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(l->why, sizeof l->why, format, args);
  va_end(args);
  longjmp(whole_game ? l->give_up : l->refuse, 1);
}

/* ---- constants ---- */

Reg reg_num(Lower *l, int64_t n) {
  Program *p = l->p;
  for (int i = 0; i < p->const_nums; i++)
    if (p->const_num[i] == n) return -1 - i;
  if ((p->const_nums & (p->const_nums - 1)) == 0)
    p->const_num = memory_resize(p->const_num,
                                 sizeof *p->const_num * (size_t)(p->const_nums * 2 + 1));
  p->const_num[p->const_nums] = n;
  return -1 - p->const_nums++;
}

Reg reg_set(Lower *l, SiteSet set) {
  Program *p = l->p;
  for (int i = 0; i < p->const_sets; i++)
    if (sites_equal(&p->const_set[i], &set)) return -1 - i;
  if ((p->const_sets & (p->const_sets - 1)) == 0)
    p->const_set = memory_resize(p->const_set,
                                 sizeof *p->const_set * (size_t)(p->const_sets * 2 + 1));
  p->const_set[p->const_sets] = set;
  return -1 - p->const_sets++;
}

bool num_known(const Lower *l, Reg r, int64_t *n) {
  if (r >= 0) return false;
  *n = l->p->const_num[-1 - r];
  return true;
}
const SiteSet *set_known(const Lower *l, Reg r) {
  return r < 0 ? &l->p->const_set[-1 - r] : NULL;
}
bool num_is(const Lower *l, Reg r, int64_t n) { return r < 0 && l->p->const_num[-1 - r] == n; }
bool set_is_none(const Lower *l, Reg r) { return r < 0 && sites_is_empty(set_known(l, r)); }

/* ---- blocks ---- */

static Block *block_new(Lower *l, Block *parent, bool loop) {
  Block *b = ARENA_NEW(l->scratch, Block);
  b->parent = parent;
  b->loop = loop;
  return b;
}
static bool is_inside(const Block *outer, const Block *inner) {
  while (inner && inner != outer) inner = inner->parent;
  return inner == outer;
}
/* Of two blocks on one branch the inner one. */
static Block *deeper(Block *a, Block *b) { return is_inside(a, b) ? b : a; }

static Reg new_reg(Lower *l, char type, Block *block) {
  if (type == 'S') {
    VEC_PUSH(l->set_block, block);
    return (Reg)l->set_block.n - 1;
  }
  VEC_PUSH(l->num_block, block);
  return (Reg)l->num_block.n - 1;
}
Reg fresh_num(Lower *l) { return new_reg(l, 'N', l->block); }

static Op op_new(const Lower *l, int code, int n, const int32_t *args) {
  Op op;
  memset(&op, 0, sizeof op);
  op.code = (uint16_t)code;
  op.rule = (int16_t)l->rule;
  op.clause = (int16_t)l->clause;
  int at = op_form(code)[0] == '_' ? 0 : 1;
  for (int i = 0; i < n; i++) op.a[at + i] = args[i];
  return op;
}

static void append(Lower *l, Block *block, Op op, Block *body, Block *other) {
  Item item = {op, body, other};
  VEC_PUSH_IN(l->scratch, block->items, item);
}

static bool reads_position(int code) { return strchr(op_form(code), 'P') != NULL; }

/* The outermost block where all that the operation needs is there, if that saves a loop. */
static Block *place(Lower *l, const Op *op) {
  const char *form = op_form(op->code) + 2;
  Block *need = reads_position(op->code) ? l->fresh : l->root;
  for (int i = 0; form[i] && form[i] != '0'; i++) {
    int32_t r = op->a[1 + i];
    if (r < 0) continue;
    if (form[i] == 'S') need = deeper(need, l->set_block.at[r]);
    if (form[i] == 'N') need = deeper(need, l->num_block.at[r]);
  }
  Block *best = l->block;
  for (Block *b = l->block; b != need; b = b->parent)
    if (b->loop) best = b->parent;
  return best;
}

static unsigned op_hash(const Op *op) {
  unsigned h = (unsigned)op->code * 2654435761u;
  for (int i = 1; i < OP_ARGS; i++) h = (h ^ (unsigned)op->a[i]) * 16777619u;
  return (h ^ (h >> 15)) & 1023u;
}

Reg make(Lower *l, int code, int n, const int32_t *args) {
  Op op = op_new(l, code, n, args);
  int version = reads_position(code) ? l->version : 0;
  unsigned h = op_hash(&op);
  for (int i = l->bucket[h]; i; i = l->known.at[i - 1].next) {
    const Known *k = &l->known.at[i - 1];
    if (k->op.code == op.code && k->version == version && is_inside(k->block, l->block) &&
        !memcmp(k->op.a + 1, op.a + 1, sizeof op.a - sizeof op.a[0]))
      return k->op.a[0];
  }
  Block *block = place(l, &op);
  op.a[0] = new_reg(l, op_form(code)[0], block);
  append(l, block, op, NULL, NULL);
  Known known = {op, version, block, l->bucket[h]};
  VEC_PUSH(l->known, known);
  l->bucket[h] = (int)l->known.n;
  return op.a[0];
}

Reg act(Lower *l, int code, int n, const int32_t *args) {
  Op op = op_new(l, code, n, args);
  char type = op_form(code)[0];
  if (type != '_') op.a[0] = new_reg(l, type, l->block);
  append(l, l->block, op, NULL, NULL);
  return type == '_' ? NO_REG : op.a[0];
}

/* ---- control ---- */

static void open_block(Lower *l, Op op, bool loop) {
  Block *body = block_new(l, l->block, loop);
  Block *holder = block_new(l, l->block, false); /* keeps the head until the end is known */
  append(l, holder, op, body, NULL);
  append(l, body, op, holder, NULL);
  l->block = body;
}
void block_if(Lower *l, Reg yes) {
  Op op = op_new(l, O_if_, 1, (int32_t[]){yes});
  open_block(l, op, false);
}
void block_else(Lower *l) {
  Block *body = l->block, *holder = body->items.at[0].body;
  Block *other = block_new(l, body->parent, false);
  holder->items.at[0].other = other;
  append(l, other, body->items.at[0].op, holder, NULL);
  if (is_inside(body, l->fresh)) {
    l->fresh = body->parent;
    l->version++;
  }
  l->block = other;
}
void block_end(Lower *l) {
  Block *body = l->block, *holder = body->items.at[0].body;
  Item head = holder->items.at[0];
  l->block = body->parent;
  append(l, l->block, head.op, head.body, head.other);
  if (is_inside(body, l->fresh)) {
    l->fresh = l->block;
    l->version++;
  }
}
void block_unless_sure(Lower *l, Reg yes) {
  if (!num_is(l, yes, 1)) block_if(l, yes);
}
void block_end_unless_sure(Lower *l, Reg yes) {
  if (!num_is(l, yes, 1)) block_end(l);
}
Reg loop_sites(Lower *l, Reg set) {
  Op op = op_new(l, O_for_sites, 0, NULL);
  open_block(l, op, true);
  Op *head = &l->block->items.at[0].body->items.at[0].op;
  head->a[0] = new_reg(l, 'N', l->block);
  head->a[1] = new_reg(l, 'S', l->block);
  head->a[2] = set;
  return head->a[0];
}
Reg loop_dice(Lower *l) {
  Op op = op_new(l, O_for_dice, 0, NULL);
  open_block(l, op, true);
  Op *head = &l->block->items.at[0].body->items.at[0].op;
  head->a[0] = new_reg(l, 'N', l->block);
  head->a[1] = new_reg(l, 'N', l->block);
  return head->a[0];
}
void loop_steps(Lower *l, Reg mark, Reg *origin, Reg *target, Reg *placed) {
  Op op = op_new(l, O_for_steps, 0, NULL);
  open_block(l, op, true);
  Op *head = &l->block->items.at[0].body->items.at[0].op;
  *origin = head->a[0] = new_reg(l, 'N', l->block);
  *target = head->a[1] = new_reg(l, 'N', l->block);
  *placed = head->a[2] = new_reg(l, 'N', l->block);
  head->a[3] = new_reg(l, 'N', l->block); /* what is left of the bundle: candidates seen */
  head->a[4] = mark;
}

void changed(Lower *l) {
  l->version++;
  l->fresh = l->block;
}

/* ---- variables ---- */

Reg var_num_in(Lower *l, Block *block, int64_t start) {
  Op op = op_new(l, O_var_num, 1, (int32_t[]){reg_num(l, start)});
  op.a[0] = new_reg(l, 'N', block);
  append(l, block, op, NULL, NULL);
  return op.a[0];
}
Reg var_set_in(Lower *l, Block *block) {
  Op op = op_new(l, O_var_set, 1, (int32_t[]){reg_set(l, sites_none())});
  op.a[0] = new_reg(l, 'S', block);
  append(l, block, op, NULL, NULL);
  return op.a[0];
}
static void put(Lower *l, int code, Reg var, Reg value) {
  Op op = op_new(l, code, 1, (int32_t[]){value});
  op.a[0] = var;
  append(l, l->block, op, NULL, NULL);
}
void var_num_put(Lower *l, Reg var, Reg value) { put(l, O_put_num, var, value); }
void var_set_put(Lower *l, Reg var, Reg value) { put(l, O_put_set, var, value); }
Reg var_num_get(Lower *l, Reg var) { return ACT(l, var_num, var); }
Reg var_set_get(Lower *l, Reg var) { return ACT(l, var_set, var); }

/* ---- fields ---- */

/* What may differ between two complete turns from one position though pieces and cells agree. (How many
 * passes there have been does not: who may pass has no other turn.) */
static bool varies_in_turn(int f) {
  return (f >= F_ROLLED && f <= F_TAKEN_N) || f == F_QUIET || f == F_TURN_ORIGIN ||
         f == F_TURN_TARGET || (f >= F_LAST_ORIGIN_OF && f < F_CELL);
}

Reg field(Lower *l, int f) {
  l->field_read[f] = true;
  if (l->section != SECTION_GEN && l->section != SECTION_MAKE && l->section != SECTION_LEAVES &&
      l->section != SECTION_JUDGE_STEP && l->section != SECTION_GOING &&
      l->section != SECTION_REROLL && l->section < SECTION_FORBIDDEN && varies_in_turn(f))
    l->varying_read = true;
  if (l->section == SECTION_JUDGE_STEP && varies_in_turn(f)) l->step_varying = true;
  if (f == F_ACTIVE && l->rules->seats == 2) return reg_num(l, 3);
  return MAKE(l, load_num, l->base, f);
}
void set_field(Lower *l, int f, Reg value) {
  ACT(l, store_num, 0, f, value);
  changed(l);
}

int value_number(Lower *l, int atom) {
  Program *p = l->p;
  if (p->value_of_atom[atom] >= 0) return p->value_of_atom[atom];
  if (p->atoms == 64) lower_give_up(l, "more than 64 values are compared");
  p->atom_of_value[p->atoms] = (int16_t)atom;
  return p->value_of_atom[atom] = (int16_t)p->atoms++;
}

Reg phase_open(Lower *l, const Rule *rule) {
  if (rule->phase < 0 || l->rules->phases == 1) return reg_num(l, 1);
  return MAKE(l, num_eq, field(l, F_TURN_PHASE), reg_num(l, rule->phase));
}

/* ---- from blocks to a list ---- */

static void flatten(Lower *l, const Block *b, bool root) {
  for (size_t i = root ? 0 : 1; i < b->items.n; i++) {
    const Item *item = &b->items.at[i];
    size_t head = l->list.n;
    VEC_PUSH(l->list, item->op);
    if (!item->body) continue;
    flatten(l, item->body, false);
    Op end;
    memset(&end, 0, sizeof end);
    end.rule = item->op.rule;
    end.clause = item->op.clause;
    int jump = (int)strlen(op_form(item->op.code)) - 3; /* operand that says where to go */
    if (item->op.code == O_if_) {
      if (item->other) {
        size_t middle = l->list.n;
        end.code = O_else_;
        VEC_PUSH(l->list, end);
        l->list.at[head].a[jump] = (int32_t)l->list.n;
        flatten(l, item->other, false);
        l->list.at[middle].a[0] = (int32_t)l->list.n;
      } else {
        l->list.at[head].a[jump] = (int32_t)l->list.n;
      }
      end.code = O_end_if;
      VEC_PUSH(l->list, end);
      continue;
    }
    end.code = item->op.code == O_for_sites  ? O_end_sites
               : item->op.code == O_for_dice ? O_end_dice
                                             : O_end_steps;
    end.a[0] = (int32_t)head;
    VEC_PUSH(l->list, end);
    l->list.at[head].a[jump] = (int32_t)l->list.n;
  }
}

/* ---- sections ---- */

static void order_planes(Lower *l) {
  const Rules *rules = l->rules;
  int key[PLANES_MAX];
  for (int i = 0; i < rules->planes; i++) {
    int k = i, from_mover = (rules->plane[i].owner + rules->seats - l->seat) % rules->seats;
    int own = rules->plane[i].kind * SEATS_MAX + from_mover;
    for (; k > 0 && key[k - 1] > own; k--) {
      key[k] = key[k - 1];
      l->planes[k] = l->planes[k - 1];
    }
    key[k] = own;
    l->planes[k] = i;
  }
}

static void begin_section(Lower *l, SectionKind section, int seat) {
  l->section = section;
  l->seat = seat;
  order_planes(l);
  l->root = l->block = l->fresh = block_new(l, NULL, false);
  l->known.n = 0;
  memset(l->bucket, 0, sizeof l->bucket);
  l->version = 1;
  l->base = 0;
  l->rule = l->clause = -1;
  l->each = -1;
  l->choice_type = 0;
  Reg none = reg_num(l, -1);
  l->here = l->origin = l->target = l->die = l->chosen = none;
  l->victim_mode = VICTIM_NONE;
  l->place = NO_REG;
  l->made = section != SECTION_GEN && section != SECTION_REROLL;
  l->step_known = l->intact = l->in_old = l->taken_known = l->wants_list = false;
}

static void bind_step(Lower *l) {
  l->origin = MAKE(l, step_origin);
  l->target = MAKE(l, step_target);
  l->die = MAKE(l, step_die);
  l->chosen = MAKE(l, step_chosen);
  l->step_known = true;
}

/* Whether nothing in the block does anything. */
static bool is_idle(const Block *root) {
  for (size_t i = 0; i < root->items.n; i++) {
    const Item *item = &root->items.at[i];
    if (item->body || op_acts(item->op.code)) return false;
  }
  return true;
}

static void lower_kind(Lower *l, SectionKind section) {
  const Rules *rules = l->rules;
  switch (section) {
    case SECTION_GEN: lower_gen(l); break;
    case SECTION_MAKE: bind_step(l); lower_make(l); break;
    case SECTION_LEAVES: bind_step(l); lower_leaves(l); break;
    case SECTION_JUDGE_STEP: lower_judge(l, JUDGED_STEP); break;
    case SECTION_JUDGE_END: lower_judge(l, JUDGED_END); break;
    case SECTION_JUDGE_START: lower_judge(l, JUDGED_START); break;
    case SECTION_SCORE: lower_score(l); break;
    case SECTION_GOING: lower_going(l); break;
    case SECTION_SETTLE: lower_settle(l); break;
    case SECTION_NEXT: lower_next(l); break;
    case SECTION_REROLL: lower_reroll(l); break;
    case SECTION_CALM: lower_calm(l, l->list.at, l->p->section[l->seat][SECTION_GEN], (int)l->list.n); break;
    case SECTION_FORBIDDEN: bind_step(l); lower_forbidden(l); break;
    default: {
      int i = (int)section - SECTION_MUST;
      lower_must(l, &rules->rule[rules->of_kind[RULE_MUST][i / 2]], i & 1);
    }
  }
}

/* False: something in the section was refused. */
static bool try_section(Lower *l, SectionKind section, int seat) {
  begin_section(l, section, seat);
  if (setjmp(l->refuse)) return false;
  if ((l->hosted >> section) & 1) lower_refuse(l, "not lowered, as was asked for");
  lower_kind(l, section);
  return true;
}

/* The reference does the section, and may look at all that there is. */
static void host_whole(Lower *l, SectionKind section, int seat) {
  Program *p = l->p;
  p->slow = p->hosted = true;
  p->hosted_why[seat][section] = arena_printf(p->arena, "%s", l->why);
  p->hosted_rule[seat][section] = l->rule;
  int rule = l->rule, clause = l->clause;
  begin_section(l, section, seat);
  l->rule = rule;
  l->clause = clause;
  ACT(l, return_, ACT(l, host_section, 0, 1, (int)section, seat));
  p->hosted_steps |= section == SECTION_GEN;
  if (section == SECTION_GEN) l->movable[seat] = (uint32_t)((1ull << l->rules->planes) - 1);
  for (int f = 0; f < F_USES; f++) l->script_read[f] = l->field_read[f] = true;
  for (int i = 0; i < l->rules->rules; i++) {
    const Rule *r = &l->rules->rule[i];
    bool ends = r->kind == RULE_WIN || r->kind == RULE_LOSE || r->kind == RULE_DRAW || r->kind == RULE_SCORE;
    if (r->exists && (!ends || r->counted)) l->field_read[F_USES + i] = true;
  }
}

static void lower_section(Lower *l, SectionKind section, int seat) {
  l->listed = false;
  bool lowered = try_section(l, section, seat);
  if (!lowered && l->wants_list) {
    l->listed = true;
    lowered = try_section(l, section, seat);
  }
  if (!lowered && section != SECTION_CALM) host_whole(l, section, seat);
  if ((!lowered && section == SECTION_CALM) || is_idle(l->root)) {
    l->p->section[seat][section] = -1;
    return;
  }
  l->p->section[seat][section] = (int)l->list.n;
  l->rule = l->clause = -1;
  ACT(l, return_, reg_num(l, 0));
  flatten(l, l->root, true);
}

/* Registers get their final numbers: the constants first. */
static void number_registers(Lower *l) {
  Program *p = l->p;
  for (int i = 0; i < p->ops; i++) {
    const char *form = op_form(p->op[i].code);
    int at = form[0] == '_' ? 0 : 1;
    if (at) p->op[i].a[0] += form[0] == 'S' ? p->const_sets : p->const_nums;
    for (int k = 0; form[2 + k] && form[2 + k] != '0'; k++) {
      int32_t *a = &p->op[i].a[at + k];
      if (form[2 + k] == 'S') *a = *a < 0 ? -1 - *a : *a + p->const_sets;
      if (form[2 + k] == 'N') *a = *a < 0 ? -1 - *a : *a + p->const_nums;
    }
  }
  p->set_regs = (int)l->set_block.n + p->const_sets;
  p->num_regs = (int)l->num_block.n + p->const_nums;
}

/* ---- what the board and the pieces are like ---- */

static void slices(Lower *l) {
  const Rules *rules = l->rules;
  int most = 0, total[SEATS_MAX] = {0}, all = 0;
  for (int plane = 0; plane < rules->planes; plane++)
    for (int s = 0; s < rules->board.sites; s++) {
      int n = rules->start_count[plane * rules->board.sites + s];
      total[rules->plane[plane].owner] += n;
      all += n;
    }
  for (int s = 0; s < SEATS_MAX; s++) most = total[s] > most ? total[s] : most;
  for (int i = 0; i < rules->rules; i++) { /* pieces that change sides */
    const Rule *r = &rules->rule[i];
    for (int k = 0; k < r->do_.n; k++)
      if ((r->do_.at[k].op == EFFECT_MAKE && r->do_.at[k].b) || r->do_.at[k].op == EFFECT_HOOK) most = all;
  }
  l->p->slices = 1;
  if (rules->stacks)
    while ((1 << l->p->slices) <= most) l->p->slices++;
  if (l->p->slices > SLICES_MAX) lower_give_up(l, "more than 255 pieces");
  l->p->plane_sets = rules->planes * l->p->slices;
}

static void lower_all(Lower *l, const Program *values) {
  const Rules *rules = l->rules;
  for (int atom = 0; values && atom < ATOMS_MAX; atom++)
    if (values->value_of_atom[atom] >= 0) value_number(l, atom);
  if (rules->of_kind_n[RULE_MUST] > MUSTS_MAX) lower_give_up(l, "more than %d must rules", MUSTS_MAX);
  if (rules->pools > 8) lower_give_up(l, "more than eight pools of dice");
  slices(l);
  lower_board(l);
  for (int i = 0; i < rules->states; i++)
    if (rules->state[i].type == TYPE_VALUES)
      SITES_FOR(atom, rules->state[i].values) value_number(l, atom);
  for (int i = 0; i < rules->labels; i++)
    if (rules->label[i].type == TYPE_VALUES)
      for (int s = 0; s < rules->board.sites; s++)
        if (rules->label[i].value[s] >= 0) value_number(l, rules->label[i].value[s]);
  for (int seat = 0; seat < rules->seats; seat++)
    for (int s = 0; s < SECTION_MUST + 2 * rules->of_kind_n[RULE_MUST]; s++)
      lower_section(l, (SectionKind)s, seat);
}

/* `values`: those of this program come first, in the order of the game's; or NULL. */
static Program *lower_game(const Rules *rules, uint64_t hosted, const Program *values) {
  Lower *l = memory_resize(NULL, sizeof *l);
  memset(l, 0, sizeof *l);
  Arena *arena = arena_new("program");
  Program *p = ARENA_NEW(arena, Program);
  p->arena = arena;
  p->rules = l->rules = rules;
  l->p = p;
  for (int i = 0; i < F_COUNT; i++) p->slot[i] = -1;
  memset(p->section, -1, sizeof p->section);
  for (int i = 0; i < ATOMS_MAX; i++) p->value_of_atom[i] = -1;
  p->words = (rules->board.sites + 63) / 64;
  l->scratch = arena_new("lowering");
  l->hosted = hosted;
  if (setjmp(l->give_up)) {
    p->refused = arena_printf(arena, "%s", l->why);
    p->refused_rule = l->rule;
    p->refused_clause = l->clause;
  } else {
    lower_all(l, values);
  }
  p->ops = (int)l->list.n;
  p->op = ARENA_ARRAY(arena, Op, p->ops + 1);
  if (p->ops) memcpy(p->op, l->list.at, l->list.n * sizeof *l->list.at);
  if (!p->refused) {
    lower_drop_unused(l); /* what nobody asks for tells nothing apart */
    lower_find_sections(p);
    lower_set_flags(l);
    lower_lay_out(l);
    p->keeps_taken = p->hosted;
    for (int i = 0; i < p->ops; i++)
      if (p->op[i].code == O_load_set && p->op[i].a[2] >= p->plane_sets) p->keeps_taken = true;
    p->sets = p->plane_sets + (p->keeps_taken ? rules->planes : 0);
    if (!p->keeps_taken)
      for (int i = 0; i < p->ops; i++)
        if (p->op[i].code == O_store_set && p->op[i].a[1] >= p->plane_sets)
          p->op[i].code = O_nothing;
    lower_settle_fields(l);
    lower_fuse(l);
    lower_drop_unused(l);
    number_registers(l);
    p->bulky = p->ops > PROGRAM_BULKY;
  }
  VEC_FREE(l->list);
  VEC_FREE(l->set_block);
  VEC_FREE(l->num_block);
  VEC_FREE(l->known);
  arena_free(l->scratch);
  memory_resize(l, 0);
  return p;
}

/* Values get their numbers as they are met; where their order tells all is done again, with those that were met. */
Program *program_lower(const Rules *rules, uint64_t hosted) {
  Program *p = lower_game(rules, hosted, NULL);
  bool rising = true;
  for (int i = 1; i < p->atoms; i++) rising &= p->atom_of_value[i - 1] < p->atom_of_value[i];
  if (p->refused || !p->ordered || rising) return p;
  Program *again = lower_game(rules, hosted, p);
  program_free(p);
  return again;
}

void program_free(Program *p) {
  if (!p) return;
  memory_resize(p->const_num, 0);
  memory_resize(p->const_set, 0);
  arena_free(p->arena);
}
