/* The list of operations as text, for people: registers, operands, and the rule and clause that
 * each operation came from. */
#include <stdio.h>

#include "play/program.h"

static const char *const section_names[] = {"steps", "make",   "leaves", "judge step", "judge end", "judge start",
                                            "score", "going on", "settle", "next",       "reroll",    "calm",      "forbidden"};

int op_deepens(int code) {
  switch (code) {
    case O_if_:
    case O_for_sites:
    case O_for_dice:
    case O_for_steps: return 1;
    case O_end_if:
    case O_end_sites:
    case O_end_dice:
    case O_end_steps: return -1;
    default: return 0;
  }
}
int op_section_end(const Op *op, int at, int ops) {
  for (int depth = 0; at < ops && !(op[at].code == O_return_ && depth == 0); at++) depth += op_deepens(op[at].code);
  return at;
}

const char *program_section_name(int kind) { return kind < SECTION_MUST ? section_names[kind] : "must"; }

static void print_set(const Program *p, const SiteSet *s, FILE *out) {
  fprintf(out, "{");
  int n = 0, total = sites_count(s);
  SITES_FOR(site, *s) {
    if (n == 6 && total > 8) {
      fprintf(out, " … %d", total);
      break;
    }
    fprintf(out, "%s%s", n++ ? " " : "", p->rules->board.name[site]);
  }
  fprintf(out, "}");
}

static void print_operand(const Program *p, char type, int32_t a, FILE *out) {
  switch (type) {
    case 'S':
      if (a < p->const_sets) print_set(p, &p->const_set[a], out);
      else fprintf(out, "s%d", a - p->const_sets);
      break;
    case 'N':
      if (a < p->const_nums) fprintf(out, "%lld", (long long)p->const_num[a]);
      else fprintf(out, "n%d", a - p->const_nums);
      break;
    case 'P': fprintf(out, a ? "before" : "now"); break;
    default: fprintf(out, "#%d", a);
  }
}

static void print_op(const Program *p, const Op *op, int depth, FILE *out) {
  const char *form = op_form(op->code);
  int column = 2 * depth, at = 0;
  fprintf(out, "    %*s", column, "");
  if (form[0] != '_') {
    print_operand(p, form[0], op->a[0], out);
    fprintf(out, " = ");
    at = 1;
  }
  fprintf(out, "%s", op_name(op->code));
  for (int i = 0; form[2 + i] && form[2 + i] != '0' && form[2 + i] != 'J'; i++) {
    fprintf(out, i ? ", " : " ");
    print_operand(p, form[2 + i], op->a[at + i], out);
  }
  if (op->rule >= 0) {
    fprintf(out, "    ; %s", p->rules->rule[op->rule].name);
    if (op->clause >= 0) fprintf(out, ".%s", clause_word((ClauseId)op->clause));
  }
  fprintf(out, "\n");
}

static void print_section(const Program *p, int at, FILE *out) {
  int depth = 0, end = op_section_end(p->op, at, p->ops);
  for (int i = at; i <= end && i < p->ops; i++) {
    const Op *op = &p->op[i];
    int deeper = op_deepens(op->code);
    if (op->code != O_nothing) print_op(p, op, depth - (deeper < 0 || op->code == O_else_), out);
    depth += deeper;
  }
}

void program_print(const Program *p, FILE *out) {
  fprintf(out, "%d operations, sets of %d words; a position: %d sets, %d numbers\n", p->ops, p->words, p->sets,
          p->nums);
  fprintf(out, "turns: %s\n", p->direct   ? "one step each, all different: one is picked without making the others"
                              : p->single ? "one step each"
                              : p->late   ? "made, told apart, finished when one is picked"
                                          : "made, finished, told apart");
  for (int seat = 0; seat < p->rules->seats; seat++)
    for (int k = 0; k < SECTION_MUST + 2 * p->musts; k++) {
      if (p->section[seat][k] < 0) continue;
      if (k < SECTION_MUST)
        fprintf(out, "%s, %s:\n", p->rules->player[seat], section_names[k]);
      else
        fprintf(out, "%s, must %s, %s:\n", p->rules->player[seat],
                p->rules->rule[p->rules->of_kind[RULE_MUST][(k - SECTION_MUST) / 2]].name,
                (k - SECTION_MUST) & 1 ? "value" : "concerned");
      if (p->hosted_why[seat][k])
        fprintf(out, "  slow, by the reference engine: %s%s%s\n", p->hosted_why[seat][k],
                p->hosted_rule[seat][k] < 0 ? "" : ", in ",
                p->hosted_rule[seat][k] < 0 ? "" : p->rules->rule[p->hosted_rule[seat][k]].name);
      print_section(p, p->section[seat][k], out);
    }
}
