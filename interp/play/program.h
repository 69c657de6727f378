/* The lowered game: one list of operations over site sets and small numbers, cut into
 * sections, one of each kind for every seat that may be to move. Two readers: the interpreter
 * (kernel_width.inc) and the printer of C (native/emit.c).
 *
 *   registers   s0 s1 …  site sets        n0 n1 …  numbers, conditions, sets of players or values
 *               the first `const_sets`, `const_nums` of them are constants
 *   position    set[plane * slices + k]: bit k of how many pieces of the plane stand on each site
 *               num[slot of a field]: numbers; only the fields that some operation reads exist
 *
 * The numbers of a position lie in three zones: what makes it a position of the game, what more
 * tells apart two moments of one turn, and the rest. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "front/rules.h"

typedef enum OpCode {
#define OP(name, form) O_##name,
#include "play/ops.def"
#undef OP
  O_COUNT
} OpCode;

enum { OP_ARGS = 9, PROGRAM_BULKY = 2500 /* operations */ };
typedef struct Op {
  uint16_t code;
  int16_t rule;   /* where it came from; -1: nowhere in particular */
  int16_t clause; /* ClauseId or -1 */
  int32_t a[OP_ARGS];
} Op;

/* What a register or immediate of an operation is: letters of the form, result first.
 *   S set register   N number register   I immediate   P position (0 the present, 1 the one before)
 *   _ no result                                                                             */
const char *op_name(int code);
const char *op_form(int code);
/* Whether it does something, whatever becomes of its result. */
bool op_acts(int code);
/* By how much what stands behind it lies deeper, in blocks and loops: 1, 0 or -1. */
int op_deepens(int code);
/* Of the operations from `at` on that of the return_ that ends their section; `ops` if there is none. */
int op_section_end(const Op *op, int at, int ops);

typedef enum SectionKind {
  SECTION_GEN,    /* candidate steps, into the list of bundles */
  SECTION_MAKE,   /* the step's own effects, captures, after */
  SECTION_LEAVES, /* a forbid with `leaves` holds for the step made (p: after, q: before) */
  SECTION_JUDGE_STEP, /* end rules; 1 if the game is over */
  SECTION_JUDGE_END,
  SECTION_JUDGE_START,
  SECTION_SCORE,  /* raises the scores of an ended game */
  SECTION_GOING,  /* bit 0: further steps, bit 1: may stop here */
  SECTION_SETTLE, /* 1 if the game is over */
  SECTION_NEXT,   /* the next seat */
  SECTION_REROLL,
  SECTION_CALM,   /* of plain dice: what a step leaves as it is */
  SECTION_FORBIDDEN, /* a forbid judged end holds for the complete turn */
  SECTION_MUST    /* and following: two for each must: concerned (1, 2 exempt), value */
} SectionKind;
enum { MUSTS_MAX = 12, SECTION_MAX = SECTION_MUST + 2 * MUSTS_MAX };

typedef enum Field {
  F_MOVER, F_END_RULE, F_WINNERS, F_DRAWN, F_ACTIVE, F_PHASE, F_TURN_PHASE, F_STARTER,
  F_ROLLED, F_DICE0, F_DICE1, F_DOUBLED, F_STEPS, F_DICE_USED, F_PIPS_USED, F_CAPTURED,
  F_LAST_RULE, F_LAST_PLANE, F_LAST_ORIGIN, F_LAST_TARGET, F_LAST_DIE, F_PREV_TARGET,
  F_TAKEN_N, F_TURN_COUNT, F_QUIET, F_PASSES, F_OVER, F_TURN_ORIGIN, F_TURN_TARGET, F_THROWN0, F_THROWN1,
  F_SCORE,
  F_TURNS = F_SCORE + SEATS_MAX,
  F_OVERRUNS = F_TURNS + SEATS_MAX,
  F_LAST_ORIGIN_OF = F_OVERRUNS + SEATS_MAX,
  F_LAST_TARGET_OF = F_LAST_ORIGIN_OF + SEATS_MAX,
  F_USES = F_LAST_TARGET_OF + SEATS_MAX,
  F_CELL = F_USES + RULES_MAX,
  F_COUNT = F_CELL + CELLS_MAX
} Field;

enum { WORTH_UNIT = 12 }; /* scores are kept in twelfths */
enum { SLICES_MAX = 8 };

typedef struct PathSegment { /* stops that follow each other by one site up or down */
  SiteSet sites;
  int up;
} PathSegment;

enum { HOPS_MOST = 6, HOP_STEPS_MOST = 16 };
typedef struct PathHop { /* sites of a path, and how many sites away so many stops on is */
  SiteSet from;
  int by;
} PathHop;

typedef struct Program {
  Arena *arena;
  const Rules *rules;
  const char *refused; /* a sentence: why the kernel cannot play the game; NULL if it can */
  int refused_rule, refused_clause;
  const char *hosted_why[SEATS_MAX][SECTION_MAX]; /* what in a section is left to the reference, or NULL */
  int hosted_rule[SEATS_MAX][SECTION_MAX];
  Op *op;
  int ops;
  bool bulky; /* so many that machine code is made with regard to the compiler's time */
  int section[SEATS_MAX][SECTION_MAX]; /* first operation, or -1: nothing to do, 0 */
  int8_t *section_of; /* each operation, while the list is being made */
  int set_regs, num_regs, const_sets, const_nums;
  SiteSet *const_set;
  int64_t *const_num;
  /* the position */
  int slices;
  int plane_sets, sets;      /* of a position; the planes, then what was taken */
  bool keeps_taken;
  int16_t slot[F_COUNT];     /* of a field, or -1 */
  int cells_from;            /* the first slot of the cells of the game, which lie together */
  int zone_0;                /* up to here the numbers of zone a that no step changes */
  int zone_a;                /* ends of the zones: what makes it a position of the game, */
  int zone_e;                /* what is read when the turn is over, */
  int zone_b;                /* what else tells apart two moments of one turn, */
  int zone_s;                /* and what a script may see of it */
  int nums;
  int atoms;                 /* values are numbered anew, densely */
  int16_t value_of_atom[ATOMS_MAX], atom_of_value[64];
  bool ordered;              /* the first of several values is asked for: they have to stand in the order of the game's */
  int linear[DIRS_MAX];      /* site number of the neighbour less that of the site; 0: no rule */
  uint32_t linear_dirs;      /* those with a rule, as bits */
  int longest[DIRS_MAX];     /* how many steps there are at most in a direction with a rule */
  int back[DIRS_MAX];        /* the direction that leads back from everywhere; DIRS_MAX + 1, no bit of any walk: none */
  int segments[PATHS_MAX];
  PathSegment *segment[PATHS_MAX];
  int hop_steps;             /* dice show at most that much, or the most that is tabled */
  int hops[PATHS_MAX][HOP_STEPS_MOST + 1]; /* -1: too many */
  PathHop *hop[PATHS_MAX];   /* HOPS_MOST for each number of stops */
  int words;                 /* of a set */
  /* what the drivers go by */
  bool single;      /* every turn is one step */
  bool direct;      /* … and different steps lead to different positions */
  bool whole;       /* … and nothing is asked of single candidates */
  bool lone;        /* … nor which way it went, and lines have few sites and cross but once: see lone_walk */
  bool late;        /* turns are told apart before they are finished */
  bool wanders;     /* turns may go on without spending dice: see machine_all.inc */
  uint64_t counted_phases; /* bits: their turns have a number of steps */
  uint64_t bounded_phases; /* … and nothing lets them go beyond it */
  bool takes;       /* ways to one result may take different numbers of pieces */
  bool all_dice;    /* every step spends a die */
  bool spends;      /* … and none gains any */
  bool apart;       /* … and steps with one die differ in the pieces of the mover that they lead to */
  bool told_early;  /* … and of complete turns that have spent all dice no obligation sees more than what counts in the end */
  bool pieces_stay; /* what comes after the last step of a turn moves no pieces, nor does a script come into it */
  bool commute;     /* … and two steps that are lawful in both orders come to the same */
  bool plain_dice;  /* … and they all go along one path: origin and die say which step it is */
  bool calm;        /* … and it is known which steps change what the others may do */
  int dice_path[SEATS_MAX], dice_plane[SEATS_MAX], dice_exact[SEATS_MAX], dice_high[SEATS_MAX];
  int dice_slots;   /* how many different dice may lie on the table */
  bool leaves, judged_end, starts; /* there are such rules */
  bool repeats;     /* the history is asked for */
  bool repeats_early; /* … perhaps as a turn begins */
  bool slow;        /* some operation asks the reference */
  bool hosted;      /* … to do a whole section */
  bool hosted_steps; /* … which is that of the candidates, so that it knows sooner whether there is any */
  int musts;
} Program;

/* Lowers a game; the sections in `hosted` (bits) are left to the reference though they could be
 * lowered. The program is freed with program_free; `refused` says why it may not be used. */
Program *program_lower(const Rules *rules, uint64_t hosted);
void program_free(Program *program);
/* A section in a word or two: "steps", "judge end", "must". */
const char *program_section_name(int kind);
/* The list, with the rule and clause that each operation came from. */
void program_print(const Program *program, FILE *out);

#endif
