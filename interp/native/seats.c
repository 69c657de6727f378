/* Comparing the sections of seats, operation by operation. */
#include "native/seats.h"

#include <string.h>

#include "base/vec.h"

typedef struct Row { /* an operand, for every seat: a number, or which constant set; or a register */
  int64_t of[SEATS_MAX];
} Row;
typedef VEC(Row) Rows;

struct Seats {
  const Program *p;
  int of[SEATS_MAX][SECTION_MAX];
  bool differ[SEATS_MAX][SECTION_MAX];
  Rows nums, sets, picks;
  int32_t *row; /* of each operand of each operation, one more; 0: none; below: of `picks`, -1 the first */
};

/* Which register of another section stands for a register of this one, and the other way round; 0: none yet. */
typedef struct Names {
  int32_t *there, *back;
} Names;

static Names names_new(int registers) {
  Names n;
  n.there = memory_resize(NULL, sizeof(int32_t) * 2 * (size_t)(registers + 1));
  memset(n.there, 0, sizeof(int32_t) * 2 * (size_t)(registers + 1));
  n.back = n.there + registers + 1;
  return n;
}

static void names_free(Names n) { memory_resize(n.there, 0); }

typedef enum Likeness { UNLIKE, ALIKE, BUT_FOR_OPERANDS } Likeness;

/* Registers a here and b there. Both hold the same from where they are set; a use may mean another one that is known. */
static Likeness registers(Names n, int32_t a, int32_t b, bool use) {
  if (!use && !n.there[a] && !n.back[b]) {
    n.there[a] = b + 1;
    n.back[b] = a + 1;
  }
  if (n.there[a] == b + 1 && n.back[b] == a + 1) return ALIKE;
  return use && n.back[b] ? BUT_FOR_OPERANDS : UNLIKE;
}

/* One is a constant. */
static Likeness constants(Names n, int32_t a, int32_t b, int consts, bool use) {
  if (a == b) return ALIKE;
  return use && (b < consts || n.back[b]) ? BUT_FOR_OPERANDS : UNLIKE;
}

static Likeness operands(const Program *p, char type, int32_t a, int32_t b, Names n, bool use) {
  int consts = type == 'S' ? p->const_sets : p->const_nums;
  switch (type) {
    case 'S':
    case 'N': return a < consts || b < consts ? constants(n, a, b, consts, use) : registers(n, a, b, use);
    case 'I': return a == b ? ALIKE : BUT_FOR_OPERANDS;
    case 'P': return a == b ? ALIKE : UNLIKE;
    default: return ALIKE; /* places to jump to */
  }
}

/* The operands of an operation as a text of their types, the result first; how many. */
static int operand_types(int code, char *type) {
  const char *form = op_form(code);
  int n = 0;
  if (form[0] != '_') type[n++] = form[0];
  for (form += 2; *form && *form != '0'; form++) type[n++] = *form;
  return n;
}

/* Whether operand k is read, and not what the operation sets. */
static bool is_use(int code, int k) {
  if (code == O_for_sites) return k == 2;
  if (code == O_for_steps) return k == 4;
  if (code == O_for_dice) return false;
  return k > 0 || op_form(code)[0] == '_';
}

/* A section beside the same of another seat, operation by operation. */
typedef struct Pair {
  const Program *p;
  Names sets, nums;
} Pair;

static Pair pair_new(const Program *p) { return (Pair){p, names_new(p->set_regs), names_new(p->num_regs)}; }
static void pair_free(Pair *pair) {
  names_free(pair->sets);
  names_free(pair->nums);
}
static Names pair_names(const Pair *pair, char type) { return type == 'S' ? pair->sets : pair->nums; }

static Likeness pair_step(const Pair *pair, const Op *a, const Op *b) {
  Likeness all = ALIKE;
  char type[OP_ARGS + 1];
  if (a->code != b->code) return UNLIKE;
  for (int k = operand_types(a->code, type) - 1; k >= 0 && all != UNLIKE; k--) { /* what is set comes last */
    Likeness here = operands(pair->p, type[k], a->a[k], b->a[k], pair_names(pair, type[k]), is_use(a->code, k));
    if (here != ALIKE) all = here;
  }
  return all;
}

static Likeness sections(const Program *p, int a, int b) {
  int end = op_section_end(p->op, a, p->ops);
  if (op_section_end(p->op, b, p->ops) - b != end - a) return UNLIKE;
  Likeness all = ALIKE;
  Pair pair = pair_new(p);
  for (; a <= end && a < p->ops && b < p->ops && all != UNLIKE; a++, b++) {
    Likeness here = pair_step(&pair, &p->op[a], &p->op[b]);
    if (here != ALIKE) all = here;
  }
  pair_free(&pair);
  return all;
}

/* The place of the row among the others. */
static int place_of(Rows *rows, const Row *row) {
  for (size_t i = 0; i < rows->n; i++)
    if (memcmp(&rows->at[i], row, sizeof *row) == 0) return (int)i;
  VEC_PUSH(*rows, *row);
  return (int)rows->n - 1;
}

/* Notes an operand for which each seat has a register, a constant, or a number of its own. */
static void note_row(Seats *s, int op, int k, char type, const Row *ids) {
  const Program *p = s->p;
  int32_t *row = &s->row[op * OP_ARGS + k];
  int consts = type == 'S' ? p->const_sets : p->const_nums;
  Row values = *ids;
  bool picked = false;
  for (int seat = 0; seat < p->rules->seats && type != 'I'; seat++) {
    picked |= ids->of[seat] >= consts;
    if (type == 'N' && ids->of[seat] < consts) values.of[seat] = p->const_num[ids->of[seat]];
  }
  if (picked)
    *row = -1 - place_of(&s->picks, ids);
  else
    *row = 1 + place_of(type == 'S' ? &s->sets : &s->nums, &values);
}

/* Notes the operands of the section of a seat that differ for others that share it. */
static void note_rows(Seats *s, int seat, int kind) {
  const Program *p = s->p;
  Pair pair[SEATS_MAX];
  int first = p->section[seat][kind], end = op_section_end(p->op, first, p->ops);
  for (int other = 0; other < p->rules->seats; other++) pair[other] = pair_new(p);
  for (int i = first; i <= end && i < p->ops; i++) {
    const Op *op = &p->op[i];
    char type[OP_ARGS + 1];
    bool differ[OP_ARGS] = {false};
    Row ids[OP_ARGS];
    int n = operand_types(op->code, type);
    memset(ids, 0, sizeof ids);
    for (int other = 0; other < p->rules->seats; other++) {
      bool shares = p->section[other][kind] >= 0 && s->of[other][kind] == seat;
      const Op *its = shares ? &p->op[p->section[other][kind] + i - first] : op;
      pair_step(&pair[other], op, its);
      for (int k = 0; k < n; k++) {
        int64_t id = its->a[k];
        if (type[k] == 'J' || !is_use(op->code, k)) continue;
        if (type[k] == 'S' && id >= p->const_sets) id = pair[other].sets.back[id] - 1;
        if (type[k] == 'N' && id >= p->const_nums) id = pair[other].nums.back[id] - 1;
        ids[k].of[other] = id;
        differ[k] |= id != op->a[k];
      }
    }
    for (int k = 0; k < n; k++)
      if (differ[k]) note_row(s, i, k, type[k], &ids[k]);
  }
  for (int other = 0; other < p->rules->seats; other++) pair_free(&pair[other]);
}

Seats *seats_compare(const Program *p, bool tables) {
  Seats *s = memory_resize(NULL, sizeof *s);
  memset(s, 0, sizeof *s);
  s->p = p;
  s->row = memory_resize(NULL, sizeof *s->row * OP_ARGS * (size_t)(p->ops + 1));
  memset(s->row, 0, sizeof *s->row * OP_ARGS * (size_t)(p->ops + 1));
  for (int k = 0; k < SECTION_MAX; k++)
    for (int seat = 0; seat < p->rules->seats; seat++) {
      s->of[seat][k] = seat;
      for (int other = 0; other < seat && s->of[seat][k] == seat; other++) {
        if (p->section[seat][k] < 0 || p->section[other][k] < 0 || s->of[other][k] != other) continue;
        Likeness like = sections(p, p->section[other][k], p->section[seat][k]);
        if (like == UNLIKE || (like == BUT_FOR_OPERANDS && !tables)) continue;
        s->of[seat][k] = other;
        s->differ[other][k] |= like == BUT_FOR_OPERANDS;
      }
    }
  for (int k = 0; k < SECTION_MAX; k++)
    for (int seat = 0; seat < p->rules->seats; seat++)
      if (s->differ[seat][k]) note_rows(s, seat, k);
  return s;
}

void seats_free(Seats *s) {
  VEC_FREE(s->nums);
  VEC_FREE(s->sets);
  VEC_FREE(s->picks);
  memory_resize(s->row, 0);
  memory_resize(s, 0);
}

int seats_of(const Seats *s, int seat, int kind) { return s->of[seat][kind]; }
bool seats_differ(const Seats *s, int seat, int kind) { return s->differ[seat][kind]; }
int seats_row(const Seats *s, int op, int k) {
  int row = s->row[op * OP_ARGS + k];
  return row > 0 ? row - 1 : -1;
}
const int64_t *seats_pick(const Seats *s, int op, int k) {
  int row = s->row[op * OP_ARGS + k];
  return row < 0 ? s->picks.at[-1 - row].of : NULL;
}

void seats_print(const Seats *s, FILE *out) {
  const Program *p = s->p;
  if (!s->nums.n && !s->sets.n) return;
  fprintf(out, "typedef struct Seat { /* operands that differ between seats */\n  Num n[%zu];\n  Set s[%zu];\n} Seat;\n",
          s->nums.n + 1, s->sets.n + 1);
  fprintf(out, "static const Seat seat_[SEATS] = {\n");
  for (int seat = 0; seat < p->rules->seats; seat++) {
    fprintf(out, "  {{");
    for (size_t i = 0; i < s->nums.n; i++) fprintf(out, "%lld,", (long long)s->nums.at[i].of[seat]);
    fprintf(out, "0},\n   {");
    for (size_t i = 0; i < s->sets.n; i++) {
      const SiteSet *set = &p->const_set[s->sets.at[i].of[seat]];
      fprintf(out, "{{");
      for (int w = 0; w < p->words; w++) fprintf(out, "0x%llxu,", (unsigned long long)set->w[w]);
      fprintf(out, "}},");
    }
    fprintf(out, "{{0}}}},\n");
  }
  fprintf(out, "};\n");
}
