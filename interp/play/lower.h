/* What the files of the lowering share. Operations are put into a tree of blocks; an operation
 * without side effects is made once wherever its value is at hand, and stands outside the loops
 * on which it does not depend. */
#ifndef LOWER_H
#define LOWER_H

#include <setjmp.h>

#include "base/vec.h"
#include "play/machine.h"
#include "play/program.h"

typedef int32_t Reg; /* while lowering, constants are negative: -1 - index */
enum { NO_REG = INT32_MIN };

typedef struct Block Block;
typedef struct Item {
  Op op;
  Block *body, *other; /* of if_ and the loops */
} Item;
struct Block {
  Block *parent;
  bool loop;
  VEC(Item) items;
};

typedef struct Known { /* an operation whose value is in a register */
  Op op;
  int version;
  Block *block;
  int next;
} Known;

typedef struct Pieces { /* sets of pieces, plane by plane */
  uint32_t planes;
  Reg at[PLANES_MAX];
} Pieces;

typedef enum VictimMode { VICTIM_NONE, VICTIM_ONE, VICTIM_ALL } VictimMode;

/* Changes that effects ask for, gathered while the position stands. */
typedef struct PieceMove {
  int plane, to_plane;
  Reg to_site; /* NO_REG: stays; GONE_REG: leaves the game */
  Reg set;     /* a variable */
} PieceMove;
enum { GONE_REG = INT32_MIN + 1 };
typedef struct CellMove {
  int state, cell;
  bool add;
  Reg value, yes; /* variables */
} CellMove;
typedef struct Moves {
  Block *block; /* where the variables are */
  VEC(PieceMove) pieces;
  VEC(CellMove) cells;
  Reg phase, phase_yes;
  struct { Reg value, yes; } gain[DICE_MAX];
  int gains;
  bool kept; /* the old cells have been put aside */
} Moves;

typedef struct Lower {
  Program *p;
  const Rules *rules;
  Arena *scratch;   /* blocks and what is gathered in them: gone when the game is lowered */
  VEC(Op) list;
  jmp_buf refuse;   /* to the section in hand, which is left to the reference then */
  jmp_buf give_up;
  uint64_t hosted;  /* sections that are not to be lowered, as bits */
  char why[200];
  int rule, clause;
  /* the section in hand */
  SectionKind section;
  int seat;
  int planes[PLANES_MAX]; /* the planes in the order of PLANES_FOR */
  Block *root, *block;
  VEC(Block *) set_block; /* of every register: where it was made */
  VEC(Block *) num_block;
  VEC(Known) known;
  int bucket[1024];
  int version;
  Block *fresh; /* loads of the present version are good from here */
  /* words bound */
  int base; /* 0: p, 1: q */
  Reg here, origin, target, die, chosen;
  Reg place; /* of the candidate's bundle; NO_REG: there is none */
  int each, choice_type;
  VictimMode victim_mode;
  int victim_plane;
  Reg victim;
  Pieces victims; /* VICTIM_ALL */
  bool made;       /* the step in progress has been made */
  bool step_known; /* … and is the step in hand */
  bool intact;     /* … and nothing but the piece has moved since */
  bool in_old;     /* cells are read as they were before the effects in hand */
  bool listed;     /* effects of this section are put on a list while the game is played */
  bool wants_list; /* … and so they should be */
  Pieces taken;    /* by the step in hand, in MAKE */
  bool taken_known;
  Reg taken_n;
  /* the whole game */
  uint32_t movable[SEATS_MAX];  /* planes that some move of the seat moves */
  int emitters[SEATS_MAX][PLANES_MAX];
  bool own_changed; /* effects touch pieces of the mover or that he can move, or make pieces into others */
  bool step_effects;
  bool field_read[F_COUNT], varying_read;
  bool script_read[F_USES]; /* by scripts alone, when a rule of theirs fires */
  bool step_varying; /* ends judged after a step look at more than the position */
} Lower;

/* Seats, and planes of one kind after those of another, from the mover on: sections of different seats then are the same
 * operations but for their operands (native/seats.h). For what is asked or done in no order. */
#define SEATS_FOR(l, s) \
  for (int s##_i = 0, s; s##_i < (l)->rules->seats && (s = ((l)->seat + s##_i) % (l)->rules->seats, true); s##_i++)
#define PLANES_FOR(l, i) for (int i##_i = 0, i; i##_i < (l)->rules->planes && (i = (l)->planes[i##_i], true); i##_i++)

/* The section in hand cannot be lowered: the reference does it; or the whole game is not one for the kernel. */
void lower_leave(Lower *l, bool whole_game, const char *format, ...) __attribute__((noreturn, format(printf, 3, 4)));
#define lower_refuse(l, ...) lower_leave((l), false, __VA_ARGS__)
/* The section in hand is lowered anew, its effects put on a list while the game is played. */
#define lower_list(l) ((l)->wants_list = true, lower_refuse((l), "effects on a list"))
#define lower_give_up(l, ...) lower_leave((l), true, __VA_ARGS__)

/* -- lower.c: registers, blocks, sections -- */
Reg reg_num(Lower *l, int64_t n);
Reg reg_set(Lower *l, SiteSet set);
bool num_known(const Lower *l, Reg r, int64_t *n);
const SiteSet *set_known(const Lower *l, Reg r); /* NULL: not a constant; good until the next reg_set */
bool num_is(const Lower *l, Reg r, int64_t n);
bool set_is_none(const Lower *l, Reg r);
/* An operation without side effects: its value. */
Reg make(Lower *l, int code, int n, const int32_t *args);
#define MAKE(l, code, ...) \
  make(l, O_##code, (int)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), (int32_t[]){__VA_ARGS__})
/* An operation here and now; its result, if it has one, in a new register. */
Reg act(Lower *l, int code, int n, const int32_t *args);
#define ACT(l, code, ...) \
  act(l, O_##code, (int)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), (int32_t[]){__VA_ARGS__})
Reg fresh_num(Lower *l);
void block_if(Lower *l, Reg yes);
void block_else(Lower *l);
void block_end(Lower *l);
void block_unless_sure(Lower *l, Reg yes); /* block_if, but none if `yes` is known to hold */
void block_end_unless_sure(Lower *l, Reg yes);
Reg loop_sites(Lower *l, Reg set); /* the member; ended with block_end */
Reg loop_dice(Lower *l);
void loop_steps(Lower *l, Reg mark, Reg *origin, Reg *target, Reg *place);
void changed(Lower *l); /* the position has been changed */
Reg var_num_in(Lower *l, Block *block, int64_t start);
Reg var_set_in(Lower *l, Block *block);
void var_num_put(Lower *l, Reg var, Reg value);
void var_set_put(Lower *l, Reg var, Reg value);
Reg var_num_get(Lower *l, Reg var);
Reg var_set_get(Lower *l, Reg var);
Reg field(Lower *l, int f);
void set_field(Lower *l, int f, Reg value);
int value_number(Lower *l, int atom);
Reg phase_open(Lower *l, const Rule *rule);

/* -- lower_board.c -- */
void lower_board(Lower *l);
/* No line has more than 63 sites, and what is ahead in one direction is not ahead in another. */
bool lower_lines_lone(const Lower *l);

/* -- lower_layout.c -- */
void lower_find_sections(Program *program);
int lower_section_of(const Program *program, int at); /* the section of an operation, as long as none is dropped */
void lower_lay_out(Lower *l);
void lower_settle_fields(Lower *l);
void lower_fuse(Lower *l);
void lower_drop_unused(Lower *l);

/* -- lower_flags.c -- */
void lower_set_flags(Lower *l);

/* -- lower_fold.c: what is known before the game begins is computed while lowering -- */
Reg num_fold(Lower *l, int code, Reg a, Reg b); /* an operation on two numbers */
Reg set_fold(Lower *l, int code, Reg a, Reg b); /* … on two sets */
Reg both(Lower *l, Reg a, Reg b); /* of conditions */
Reg either(Lower *l, Reg a, Reg b);
Reg negation(Lower *l, Reg a);
Reg pick(Lower *l, Reg yes, Reg a, Reg b); /* a number */
Reg no_sites(Lower *l);
Reg all_sites(Lower *l);
Reg one_site(Lower *l, Reg site); /* none if it is -1 */
Reg set_when(Lower *l, Reg set, Reg yes);
Reg some_of(Lower *l, Reg set);
Reg seat_in(Lower *l, Reg players, int seat); /* whether the seat is among them */
Reg first_seat(Lower *l, Reg players); /* -1: none of them sits */

/* -- lower_sites.c -- */
Reg lower_sites(Lower *l, const Expr *e);
Reg lower_site(Lower *l, const Expr *e); /* of a single one its number, or -1 */
Reg lower_sites_where(Lower *l, Reg all, const Expr *condition);
Reg lower_moved_sites(Lower *l);
Reg plane_occupied(Lower *l, int plane);
Reg plane_slice(Lower *l, int plane, int k);

/* -- lower_ways.c -- */
typedef struct Ways { /* ways as in play/eval.h */
  uint64_t all, sure; /* those that may be meant, those that are */
  Reg when[64];       /* of those that may be: whether they are */
} Ways;
void lower_ways(Lower *l, const Expr *e, Ways *out);
Reg way_when(Lower *l, const Ways *ways, int way);
Reg lower_same_ways(Lower *l, const Expr *a, const Expr *b);
/* Goes through the paths among ways, from *path = -1 on: *first, whether no path before it is meant. False: no more. */
bool lower_first_path(Lower *l, const Ways *ways, int *path, Reg *first);

/* -- lower_picture.c -- */
/* The marked sites of a picture; its marked pieces, unless that is NULL. */
Reg lower_picture(Lower *l, const Expr *e, Pieces *pieces);

/* -- lower_pieces.c -- */
void lower_pieces(Lower *l, const Expr *e, Pieces *out);
Reg pieces_union(Lower *l, const Pieces *p);
Reg pieces_number(Lower *l, const Pieces *p); /* counted one by one */

/* -- lower_players.c: players and values are bits of a number -- */
Reg lower_players(Lower *l, const Expr *e);
Reg lower_values(Lower *l, const Expr *e);
Reg lower_cell(Lower *l, const Expr *e, int none); /* of a state; `none` if its member is nobody */

/* -- lower_number.c -- */
Reg lower_number(Lower *l, const Expr *e);
Reg lower_worth(Lower *l, const Expr *e); /* in twelfths */
bool lower_is_fractional(const Expr *e);  /* its worth is not that of a whole number */

/* -- lower_condition.c -- */
Reg lower_condition(Lower *l, const Expr *e); /* 0 or 1 */
Reg lower_holds(Lower *l, const Rule *rule);  /* when and not unless */
/* Opens blocks where the rule holds; how many, for block_ends; -1: none, it never holds. */
int lower_open_holds(Lower *l, const Rule *rule);
void block_ends(Lower *l, int n);
bool mentions_op(const Expr *e, int op);
bool rule_mentions(const Rule *rule, int op);

/* -- lower_where.c -- */
/* The sites for which the condition holds when they are `here`, as one set; NO_REG if that
 * must be asked site by site. */
Reg lower_where(Lower *l, const Expr *condition);

/* -- lower_step.c -- */
void lower_gen(Lower *l);
void lower_leaves(Lower *l);
void lower_forbidden(Lower *l);

/* -- lower_calm.c -- */
/* Of the steps of the seat in hand, operations from..end - 1: which of them leave the others as they are. Nothing
 * is made if that cannot be told. */
void lower_calm(Lower *l, const Op *op, int from, int end);
void lower_drop_calm(Program *program); /* after all */

/* -- lower_gather.c -- */
Moves moves_none(Lower *l); /* carried out once, in the block where it was made */
void moves_send(Lower *l, Moves *m, int plane, int to_plane, Reg to_site, Reg set);
void lower_gather(Lower *l, Moves *m, const Effects *effects);

/* -- lower_carry.c -- */
void lower_carry_out(Lower *l, Moves *m);

/* -- lower_make.c -- */
void lower_make(Lower *l);
/* A rule that fires (settle): its effects; whether it fired. */
Reg lower_fire(Lower *l, const Rule *rule);

/* -- lower_end.c -- */
void lower_judge(Lower *l, Judged judged);
void lower_score(Lower *l);
void lower_going(Lower *l);
void lower_settle(Lower *l);
void lower_next(Lower *l);
void lower_reroll(Lower *l);
void lower_must(Lower *l, const Rule *must, bool value);

#endif
