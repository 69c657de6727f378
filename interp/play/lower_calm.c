/* What a step leaves as it is. Of a seat whose steps are dice spent along one path (lower_flags.c) the candidates
 * come from a few sets: where its pieces stand, where they may begin, where they may end. Read here are the
 * operations that make these sets, one by one:
 *
 *   FIXED     no step of the turn changes it
 *   FOREIGN   site by site a matter of what the other plane has there: a step changes it only where the piece
 *             has landed among enemies, and where these go to, which is nowhere on the path (lower_flags.c).
 *             There it is what it was if it is the same without them
 *   OWN       the seat's pieces, on FIXED sites: a step changes it by the step itself
 *   FIRST     … the first of them along the path
 *
 * A condition that asks whether OWN is empty is FIXED as long as no step empties or enters the sites in question:
 * that is left to calm_region, which finds the steps that do. Anything else is LOST; if the candidates depend on
 * what is LOST there is no section, and turns are told by making their steps.                               */
#include "play/lower.h"

#include <string.h>

typedef enum Way { LOST, FIXED, FOREIGN, OWN, FIRST, ASKED } Way;
typedef struct Seen {
  Way way;
  Reg value;       /* the same register in the new section */
  Reg where;       /* OWN, FIRST: the FIXED sites; ASKED: the region, NO_REG if it is not of the seat's pieces */
  Reg bare;        /* FOREIGN, FIXED: the value where nobody else stands */
  Reg of;          /* ASKED: the old register that is empty or not, if that is the question */
} Seen;

enum { REGIONS_MOST = 32, DEPTH_MOST = 16 };
typedef struct Calm {
  Lower *l;
  Seen *set, *num; /* by old register */
  int plane, path, foreign;
  Reg region[REGIONS_MOST];
  int regions;
  Reg guard[DEPTH_MOST]; /* of the blocks round the operation; NO_REG: a loop over dice */
  int depth;
  bool exact, high;
  Reg begin, end, bare, high_begin, high_end;
} Calm;

static Seen fixed(Reg r) {
  Seen s = {FIXED, r, NO_REG, r, NO_REG};
  return s;
}
static Seen set_seen(const Calm *c, Reg r) { return r < 0 ? fixed(r) : c->set[r]; }

/* Whether any piece of the seat stands on these sites: known, but for the steps that the region is about. */
static bool add_region(Calm *c, Reg where) {
  if (set_is_none(c->l, where)) return true;
  for (int i = 0; i < c->regions; i++)
    if (c->region[i] == where) return true;
  if (c->regions == REGIONS_MOST) return false;
  c->region[c->regions++] = where;
  return true;
}
static Seen num_seen(Calm *c, Reg r) {
  if (r < 0) return fixed(r);
  Seen *s = &c->num[r];
  if (s->way != ASKED) return *s;
  if (s->where == NO_REG || !add_region(c, s->where)) return (Seen){0};
  s->way = FIXED;
  return *s;
}

/* ---- sets ---- */

/* Where pieces of a plane stand: any of them, for `some`. */
static Seen plane_seen(Calm *c, int plane, bool some, Reg value) {
  Lower *l = c->l;
  if (plane == c->plane) {
    Seen s = {some ? OWN : LOST, value, all_sites(l), NO_REG, NO_REG};
    return s;
  }
  if (l->rules->plane[plane].owner == l->seat || (c->foreign >= 0 && c->foreign != plane)) return (Seen){0};
  c->foreign = plane;
  Seen s = {FOREIGN, value, NO_REG, no_sites(l), NO_REG};
  return s;
}
static Seen load_seen(Calm *c, const Op *op) {
  int slices = c->l->p->slices;
  if (op->a[1] || op->a[2] >= c->l->p->plane_sets) return (Seen){0};
  return plane_seen(c, op->a[2] / slices, slices == 1, MAKE(c->l, load_set, 0, op->a[2]));
}
static Seen any_seen(Calm *c, const Op *op) {
  return op->a[1] ? (Seen){0} : plane_seen(c, op->a[2], true, MAKE(c->l, load_any, 0, op->a[2]));
}
static Seen least_seen(Calm *c, const Op *op) {
  uint32_t planes = (uint32_t)op->a[2];
  if (op->a[1] || op->a[3] < 1 || planes & (planes - 1) || !planes) return (Seen){0};
  return plane_seen(c, __builtin_ctz(planes), op->a[3] == 1, MAKE(c->l, sites_least, 0, op->a[2], op->a[3]));
}
static Seen joined(Calm *c, int code, Seen a, Seen b) {
  Lower *l = c->l;
  if (a.way == LOST || b.way == LOST) return (Seen){0};
  Seen s = {LOST, set_fold(l, code, a.value, b.value), NO_REG, NO_REG, NO_REG};
  if (a.way <= FOREIGN && b.way <= FOREIGN) {
    s.way = a.way > b.way ? a.way : b.way;
    s.bare = s.way == FIXED ? s.value : set_fold(l, code, a.bare, b.bare);
    return s;
  }
  if (code == O_set_and && a.way == FIXED) return joined(c, code, b, a);
  if (a.way != OWN && a.way != FIRST) return (Seen){0};
  if (b.way == FIXED && (code == O_set_and || code == O_set_minus)) {
    s.way = a.way;
    s.where = set_fold(l, code, a.where, b.value);
  } else if (code == O_set_and && (b.way == OWN || b.way == FIRST)) {
    s.way = a.way > b.way ? a.way : b.way;
    s.where = set_fold(l, code, a.where, b.where);
  }
  return s;
}
static Seen when_seen(Calm *c, Seen a, Seen yes) {
  Lower *l = c->l;
  if (a.way == LOST || yes.way != FIXED) return (Seen){0};
  a.value = set_when(l, a.value, yes.value);
  if (a.way == FIXED) a.bare = a.value;
  if (a.way == FOREIGN) a.bare = set_when(l, a.bare, yes.value);
  if (a.way == OWN || a.way == FIRST) a.where = set_when(l, a.where, yes.value);
  return a;
}

/* ---- numbers ---- */

static bool is_steady(int f) {
  return f == F_MOVER || f == F_ACTIVE || f == F_PHASE || f == F_TURN_PHASE || f == F_STARTER || f == F_DOUBLED ||
         f == F_TURN_COUNT || f == F_QUIET || f == F_PASSES || f >= F_CELL;
}
/* Whether two sets meet, or one lies within the other. */
static Seen compared(Calm *c, int code, Seen a, Seen b) {
  Lower *l = c->l;
  if (code == O_set_meet && a.way == FIXED) return b.way == FIXED ? (Seen){0} : compared(c, code, b, a);
  if (a.way != OWN || b.way != FIXED) return (Seen){0};
  Reg region = set_fold(l, code == O_set_meet ? O_set_and : O_set_minus, a.where, b.value);
  return (Seen){ASKED, make(l, code, 2, (int32_t[]){a.value, b.value}), region, NO_REG, NO_REG};
}
/* Of an operation on what is FIXED the same. */
static Seen same_op(Calm *c, const Op *op) {
  const char *form = op_form(op->code);
  int32_t args[OP_ARGS];
  int n = 0;
  if (form[0] == '_' || strchr(form, 'P') || op->code == O_var_set || op->code == O_var_num) return (Seen){0};
  if (op->code >= O_step_rule && op->code <= O_bundle_between) return (Seen){0};
  for (; form[2 + n] && form[2 + n] != '0'; n++) {
    args[n] = op->a[1 + n];
    if (form[2 + n] != 'S' && form[2 + n] != 'N') continue;
    Seen s = form[2 + n] == 'S' ? set_seen(c, args[n]) : num_seen(c, args[n]);
    if (s.way != FIXED) return (Seen){0};
    args[n] = s.value;
  }
  return n ? fixed(make(c->l, op->code, n, args)) : (Seen){0};
}

static Seen see(Calm *c, const Op *op) {
  Lower *l = c->l;
  const int32_t *a = op->a;
  Seen s;
  switch (op->code) {
    case O_load_set: return load_seen(c, op);
    case O_load_any: return any_seen(c, op);
    case O_sites_least: return least_seen(c, op);
    case O_load_num: return a[1] || !is_steady(a[2]) ? (Seen){0} : fixed(MAKE(l, load_num, 0, a[2]));
    case O_set_and:
    case O_set_or:
    case O_set_xor:
    case O_set_minus: return joined(c, op->code, set_seen(c, a[1]), set_seen(c, a[2]));
    case O_set_if: return when_seen(c, set_seen(c, a[1]), num_seen(c, a[2]));
    case O_set_some:
      s = set_seen(c, a[1]);
      if (s.way == FIXED) return fixed(some_of(l, s.value));
      if (s.way == OWN) return (Seen){ASKED, some_of(l, s.value), s.where, NO_REG, a[1]};
      return (Seen){s.way == FOREIGN ? ASKED : LOST, NO_REG, NO_REG, NO_REG, a[1]};
    case O_set_within:
    case O_set_meet:
      s = compared(c, op->code, set_seen(c, a[1]), set_seen(c, a[2]));
      return s.way == LOST ? same_op(c, op) : s;
    case O_path_first:
      s = set_seen(c, a[1]);
      if (s.way != OWN || s.where != all_sites(l) || a[2] != c->path) return same_op(c, op);
      return (Seen){FIRST, MAKE(l, path_first, s.value, a[2]), s.where, NO_REG, NO_REG};
    case O_set_one:
      if (a[1] < 0 || c->num[a[1]].way != FIRST) return same_op(c, op);
      s = c->num[a[1]];
      s.value = MAKE(l, set_one, s.value);
      return s;
    default: return same_op(c, op);
  }
}

/* ---- candidates ---- */

/* The steps of one rule, under the conditions round it. */
static bool emitted(Calm *c, const Op *op) {
  Seen from = set_seen(c, op->a[4]), to = set_seen(c, op->a[6]);
  bool exact = op->a[7] == op->a[8];
  if (from.way != (exact ? OWN : FIRST) || (to.way != FIXED && to.way != FOREIGN)) return false;
  for (int i = 0; i < c->depth; i++) {
    Reg guard = c->guard[i];
    if (guard == NO_REG) continue;
    /* where there is nothing to go to, or from, there are no steps anyway */
    if (guard >= 0 && c->num[guard].of != NO_REG && (c->num[guard].of == op->a[4] || c->num[guard].of == op->a[6])) continue;
    to = when_seen(c, to, num_seen(c, guard));
    if (to.way == LOST) return false;
  }
  if (exact ? c->exact : c->high) return false;
  if (exact) {
    c->exact = true;
    c->begin = from.where;
    c->end = to.value;
    c->bare = to.bare;
  } else {
    c->high = true;
    c->high_begin = from.where;
    c->high_end = to.value;
  }
  return true;
}

static bool look(Calm *c, const Op *op) {
  switch (op->code) {
    case O_return_:
    case O_nothing: return true;
    case O_if_:
    case O_for_dice:
      if (c->depth == DEPTH_MOST) return false;
      c->guard[c->depth++] = op->code == O_if_ ? op->a[0] : NO_REG;
      return true;
    case O_end_if:
    case O_end_dice: c->depth--; return true;
    case O_emit_path: return emitted(c, op);
    default: break;
  }
  char form = op_form(op->code)[0];
  if (op_acts(op->code) || op->code == O_put_set || op->code == O_put_num) return false;
  if (form == 'S') c->set[op->a[0]] = see(c, op);
  if (form == 'N') c->num[op->a[0]] = see(c, op);
  return true;
}

/* The one plane and path, or false. */
static bool find_path(Calm *c, const Op *op, int from, int end) {
  c->path = c->plane = c->foreign = -1;
  for (int i = from; i < end; i++) {
    if (op[i].code != O_emit_path) continue;
    if (c->path >= 0 && (c->path != op[i].a[3] || c->plane != op[i].a[1])) return false;
    c->plane = op[i].a[1];
    c->path = op[i].a[3];
  }
  return c->path >= 0;
}

void lower_calm(Lower *l, const Op *op, int from, int end) {
  Calm c;
  memset(&c, 0, sizeof c);
  c.l = l;
  if (from < 0 || l->rules->board.sites > 64) return;
  int last = op_section_end(op, from, end); /* the section's own operations: other sections follow */
  if (!find_path(&c, op, from, last)) return;
  size_t sets = l->set_block.n + 1, nums = l->num_block.n + 1;
  c.set = memory_resize(NULL, sizeof(Seen) * sets);
  c.num = memory_resize(NULL, sizeof(Seen) * nums);
  memset(c.set, 0, sizeof(Seen) * sets);
  memset(c.num, 0, sizeof(Seen) * nums);
  bool known = true;
  for (int i = from; i < last && known; i++) known = look(&c, &op[i]);
  if (known && c.exact) {
    for (int i = 0; i < c.regions; i++) ACT(l, calm_region, 0, l->seat, c.region[i]);
    ACT(l, calm_steps, 0, l->seat, c.begin, c.end, c.bare);
    if (c.high) ACT(l, calm_high, 0, l->seat, c.high_begin, c.high_end);
  }
  memory_resize(c.set, 0);
  memory_resize(c.num, 0);
}

void lower_drop_calm(Program *p) {
  for (int s = 0; s < p->rules->seats; s++) {
    int at = p->section[s][SECTION_CALM];
    p->section[s][SECTION_CALM] = -1;
    for (; at >= 0 && p->op[at].code != O_return_; at++) p->op[at].code = O_nothing;
  }
}
