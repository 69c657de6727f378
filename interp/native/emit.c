/* The list of operations printed as C: every section a function, every register a variable. Sections of several
 * seats that differ in nothing but operands are one function (native/seats.h). */
#include <string.h>

#include "native/print.h"
#include "native/seats.h"

static const char *const section_name[] = {
    "GEN", "MAKE", "LEAVES", "JUDGE_STEP", "JUDGE_END", "JUDGE_START", "SCORE",
    "GOING", "SETTLE", "NEXT", "REROLL", "CALM", "FORBIDDEN"};

typedef struct Printer {
  const Program *p;
  const Seats *seats;
  FILE *out;
  const Op *op; /* in hand */
  int depth;
} Printer;

static void indent(const Printer *w) { fprintf(w->out, "%*s", 2 * w->depth, ""); }

static void print_number(const Printer *w, int64_t n) {
  if (n >= -2147483647 && n <= 2147483647)
    fprintf(w->out, "%lld", (long long)n);
  else
    fprintf(w->out, "(Num)0x%llxu", (unsigned long long)n);
}

/* Sets of one word are plain numbers in a section: compilers are done with them much sooner. */
static bool is_plain(const Printer *w) { return w->p->words == 1; }

/* Operations on such numbers as C; $0 … are the operands. */
static const struct Plain {
  int code;
  const char *text;
} plain[] = {
    {O_load_set, "$0->s[$1].w[0]"},
    {O_store_set, "$0->s[$1].w[0] = $2"},
    {O_load_num, "$0->n[$1]"},
    {O_store_num, "$0->n[$1] = (int32_t)$2"},
    {O_var_set, "$0"},
    {O_var_num, "$0"},
    {O_set_and, "$0 & $1"},
    {O_set_or, "$0 | $1"},
    {O_set_xor, "$0 ^ $1"},
    {O_set_minus, "$0 & ~$1"},
    {O_set_if, "$1 ? $0 : 0"},
    {O_set_some, "$0 != 0"},
    {O_set_within, "($0 & ~$1) == 0"},
    {O_set_meet, "($0 & $1) != 0"},
    {O_set_same, "$0 == $1"},
    {O_set_count, "bits_count($0)"},
    {O_num_and, "$0 & $1"},
    {O_num_or, "$0 | $1"},
    {O_num_minus, "$0 & ~(Num)$1"},
    {O_num_eq, "$0 == $1"},
    {O_num_lt, "$0 < $1"},
    {O_num_le, "$0 <= $1"},
    {O_num_not, "!$0"},
    {O_num_shift, "(Num)((uint64_t)$0 << $1)"},
    {O_num_pick, "$0 ? $1 : $2"},
};

static const char *plain_text(const Printer *w, int code) {
  for (size_t i = 0; is_plain(w) && i < sizeof plain / sizeof *plain; i++)
    if (plain[i].code == code) return plain[i].text;
  return NULL;
}

/* A register of sets where sets are plain numbers. */
static void print_plain_set(const Printer *w, int32_t a) {
  if (a < w->p->const_sets)
    fprintf(w->out, "(uint64_t)0x%llxu", (unsigned long long)w->p->const_set[a].w[0]);
  else
    fprintf(w->out, "s%d", a);
}
static void print_set(const Printer *w, int32_t a) {
  if (is_plain(w) && a >= w->p->const_sets)
    fprintf(w->out, "SET(s%d)", a);
  else
    fprintf(w->out, a < w->p->const_sets ? "K%d" : "s%d", a);
}
static void print_num(const Printer *w, int32_t a) {
  if (a < w->p->const_nums) print_number(w, w->p->const_num[a]);
  else fprintf(w->out, "n%d", a);
}

/* Operand k of the operation in hand, whose registers are printed by `print`: one, or one for each seat. */
static void print_register(const Printer *w, int k, void (*print)(const Printer *w, int32_t a)) {
  const int64_t *of = seats_pick(w->seats, (int)(w->op - w->p->op), k);
  if (!of) {
    print(w, w->op->a[k]);
    return;
  }
  int last = w->p->rules->seats - 1;
  fprintf(w->out, "(");
  for (int seat = 0; seat < last; seat++) {
    if (of[seat] == of[last]) continue;
    fprintf(w->out, "seat == %d ? ", seat);
    print(w, (int32_t)of[seat]);
    fprintf(w->out, " : ");
  }
  print(w, (int32_t)of[last]);
  fprintf(w->out, ")");
}
static int table_row(const Printer *w, int k) { return seats_row(w->seats, (int)(w->op - w->p->op), k); }

static void print_set_value(const Printer *w, int k) {
  int row = table_row(w, k);
  if (row >= 0) fprintf(w->out, "z->s[%d].w[0]", row);
  else print_register(w, k, print_plain_set);
}

static void print_operand(const Printer *w, char type, int k) {
  int row = table_row(w, k);
  switch (type) {
    case 'S':
      if (row >= 0) fprintf(w->out, "z->s[%d]", row);
      else print_register(w, k, print_set);
      break;
    case 'N':
      if (row >= 0) fprintf(w->out, "z->n[%d]", row);
      else print_register(w, k, print_num);
      break;
    case 'P': fprintf(w->out, w->op->a[k] ? "q" : "p"); break;
    default:
      if (row >= 0) fprintf(w->out, "(int)z->n[%d]", row);
      else fprintf(w->out, "%d", w->op->a[k]);
  }
}

static void print_result(const Printer *w, const Op *op) {
  const char *form = op_form(op->code);
  if (form[0] == '_') return;
  fprintf(w->out, form[0] != 'S' ? "Num n%d = " : is_plain(w) ? "uint64_t s%d = " : "Set s%d = ", op->a[0]);
}

static void print_plain(const Printer *w, const Op *op, const char *text) {
  const char *form = op_form(op->code);
  print_result(w, op);
  for (; *text; text++) {
    if (*text != '$') {
      fputc(*text, w->out);
      continue;
    }
    int i = *++text - '0', k = i + (form[0] != '_');
    if (form[2 + i] == 'S')
      print_set_value(w, k);
    else
      print_operand(w, form[2 + i], k);
  }
  fprintf(w->out, ";\n");
}

static void print_call(const Printer *w, const Op *op) {
  const char *form = op_form(op->code), *text = plain_text(w, op->code);
  if (text) {
    print_plain(w, op, text);
    return;
  }
  int at = form[0] != '_';
  print_result(w, op);
  fprintf(w->out, "%s(c", op_name(op->code));
  for (int i = 0; form[2 + i] && form[2 + i] != '0'; i++) {
    fprintf(w->out, ", ");
    print_operand(w, form[2 + i], at + i);
  }
  fprintf(w->out, form[0] == 'S' && is_plain(w) ? ").w[0];\n" : ");\n");
}

static void print_op(Printer *w, const Op *op) {
  const int32_t *a = op->a;
  w->op = op;
  if (op->code == O_nothing) return;
  if (op->code == O_else_ || op->code == O_end_if || op->code == O_end_sites ||
      op->code == O_end_dice || op->code == O_end_steps)
    w->depth--;
  indent(w);
  switch (op->code) {
    case O_if_:
      fprintf(w->out, "if (");
      print_operand(w, 'N', 0);
      fprintf(w->out, ") {\n");
      w->depth++;
      break;
    case O_else_:
      fprintf(w->out, "} else {\n");
      w->depth++;
      break;
    case O_end_if:
    case O_end_sites: fprintf(w->out, "}\n"); break;
    case O_end_dice:
    case O_end_steps: fprintf(w->out, "}}\n"); break;
    case O_for_sites:
      if (is_plain(w)) {
        fprintf(w->out, "for (uint64_t s%d = ", a[1]);
        print_set_value(w, 2);
        fprintf(w->out, "; s%d;) {\n", a[1]);
        w->depth++;
        indent(w);
        fprintf(w->out, "Num n%d = bits_first(s%d);\n", a[0], a[1]);
        indent(w);
        fprintf(w->out, "s%d &= s%d - 1;\n", a[1], a[1]);
        break;
      }
      fprintf(w->out, "for (Set s%d = ", a[1]);
      print_operand(w, 'S', 2);
      fprintf(w->out, "; set_some(c, s%d);) {\n", a[1]);
      w->depth++;
      indent(w);
      fprintf(w->out, "Num n%d = set_take(&s%d);\n", a[0], a[1]);
      break;
    case O_for_dice:
      if (w->p->plain_dice) {
        fprintf(w->out, "{ for (c->slot = 0; c->slot < DICE_SLOTS; c->slot++) {\n");
        w->depth++;
        indent(w);
        fprintf(w->out, "if (!(c->slots >> c->slot & 1)) continue;\n");
        indent(w);
        fprintf(w->out, "Num n%d = c->slot_die[c->slot];\n", a[0]);
        break;
      }
      fprintf(w->out,
              "{ uint64_t d%d = dice_of(p), e%d = 0; for (; d%d; e%d = d%d & 255, d%d >>= 8) {\n",
              a[0], a[0], a[0], a[0], a[0], a[0]);
      w->depth++;
      indent(w);
      fprintf(w->out, "if ((d%d & 255) == e%d || (d%d & 255) == 1) continue;\n", a[0], a[0], a[0]);
      indent(w);
      fprintf(w->out, "Num n%d = (Num)(d%d & 255) - 1;\n", a[0], a[0]);
      break;
    case O_for_steps:
      fprintf(w->out, "for (Num n%d = ", a[2]);
      print_operand(w, 'N', 4);
      fprintf(w->out, "; n%d < c->bundles; n%d++) { Set t%d = c->bundle[n%d].to; while (set_some(c, t%d)) {\n",
              a[2], a[2], a[2], a[2], a[2]);
      w->depth++;
      indent(w);
      fprintf(w->out, "Num n%d = set_take(&t%d);\n", a[1], a[2]);
      indent(w);
      fprintf(w->out, "Num n%d = c->bundle[n%d].by ? n%d - c->bundle[n%d].by : c->bundle[n%d].origin;\n",
              a[0], a[2], a[1], a[2], a[2]);
      break;
    case O_return_:
      fprintf(w->out, "return ");
      print_operand(w, 'N', 0);
      fprintf(w->out, ";\n");
      break;
    case O_put_set:
      fprintf(w->out, "s%d = ", a[0]);
      if (is_plain(w))
        print_set_value(w, 1);
      else
        print_operand(w, 'S', 1);
      fprintf(w->out, ";\n");
      break;
    case O_put_num:
      fprintf(w->out, "n%d = ", a[0]);
      print_operand(w, 'N', 1);
      fprintf(w->out, ";\n");
      break;
    default: print_call(w, op);
  }
}

/* Whether a section becomes part of what runs it. */
static bool is_inner(const Program *p, int kind) {
  return p->plain_dice && (kind == SECTION_GEN || kind == SECTION_MAKE || kind == SECTION_CALM);
}

enum { VAST = 4000 }; /* operations, a seat */

/* How a section is declared: what runs once a turn in a vast game is not worth much of a compiler's time. */
static const char *section_storage(const Program *p, int kind) {
  if (is_inner(p, kind)) return "INLINE";
  bool each_step = kind == SECTION_GEN || kind == SECTION_MAKE || kind == SECTION_LEAVES || kind == SECTION_JUDGE_STEP ||
                   kind == SECTION_GOING;
  if (p->bulky && p->ops / p->rules->seats > VAST && !each_step) return "BRIEF";
  return kind == SECTION_SCORE || kind >= SECTION_FORBIDDEN ? "static" : "static inline";
}

static void print_section(const Program *p, const Seats *seats, int seat, int kind, FILE *out) {
  Printer w = {p, seats, out, NULL, 1};
  fprintf(out, "%s Num section_%d_%d(Ctx *c, int seat, Pos *p, Pos *q) {\n  (void)c, (void)seat, (void)p, (void)q;\n",
          section_storage(p, kind), seat, kind);
  if (seats_differ(seats, seat, kind)) fprintf(out, "  const Seat *z = &seat_[seat];\n  (void)z;\n");
  int at = p->section[seat][kind], end = op_section_end(p->op, at, p->ops);
  for (int i = at; i <= end && i < p->ops; i++) print_op(&w, &p->op[i]);
  fprintf(out, "}\n");
}

static void print_choice(const Program *p, const Seats *seats, int kind, FILE *out) {
  int n = p->rules->seats;
  bool any = false;
  for (int s = 0; s < n; s++) {
    if (p->section[s][kind] < 0 || seats_of(seats, s, kind) != s) continue;
    if (!any) fprintf(out, "  switch (seat) {\n");
    any = true;
    for (int other = s; other < n; other++) /* together: no copy for each */
      if (p->section[other][kind] >= 0 && seats_of(seats, other, kind) == s) fprintf(out, "    case %d:\n", other);
    fprintf(out, "      return section_%d_%d(c, seat, p, q);\n", s, kind);
  }
  if (any) fprintf(out, "  }\n");
  fprintf(out, "  (void)c, (void)seat, (void)p, (void)q;\n  return 0;\n}\n");
}

void print_sections(const Program *p, FILE *out) {
  int kinds = SECTION_MUST + 2 * p->musts;
  Seats *seats = seats_compare(p, p->bulky);
  seats_print(seats, out);
  for (int k = 0; k < SECTION_MUST; k++)
    fprintf(out, "FAST Num run_SECTION_%s(Ctx *c, int seat, Pos *p, Pos *q);\n", section_name[k]);
  fprintf(out, "FAST Num run_must(Ctx *c, int k, int seat, Pos *p);\n");
  for (int s = 0; s < p->rules->seats; s++)
    for (int k = 0; k < kinds; k++)
      if (p->section[s][k] >= 0 && seats_of(seats, s, k) == s) print_section(p, seats, s, k, out);
  for (int k = 0; k < SECTION_MUST; k++) {
    fprintf(out, "%s Num run_SECTION_%s(Ctx *c, int seat, Pos *p, Pos *q) {\n",
            is_inner(p, k) ? "INLINE" : "FAST", section_name[k]);
    print_choice(p, seats, k, out);
  }
  for (int k = SECTION_MUST; k < kinds; k++) {
    fprintf(out, "FAST Num run_%d(Ctx *c, int seat, Pos *p, Pos *q) {\n", k);
    print_choice(p, seats, k, out);
  }
  fprintf(out, "FAST Num run_must(Ctx *c, int k, int seat, Pos *p) {\n  switch (k) {\n");
  for (int k = 0; k < 2 * p->musts; k++)
    fprintf(out, "    case %d: return run_%d(c, seat, p, p);\n", k, SECTION_MUST + k);
  fprintf(out, "  }\n  (void)c, (void)seat, (void)p;\n  return 0;\n}\n");
  seats_free(seats);
}
