/* The compiled game: everything the program knows about a game, as plain data. Made once by
 * the front end (params folded, names resolved, expressions typed), read-only afterwards and
 * shared by threads. It lives in one arena; nothing here points into the syntax tree except
 * the scenarios, which keep their tree to be run. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/diag.h"
#include "base/sites.h"
#include "front/tree.h"

enum {
  SEATS_MAX = 8,    /* players at the board */
  PLANES_MAX = 32,  /* kinds times owners */
  DIRS_MAX = 16,    /* directions of a board */
  PATHS_MAX = 32,
  ATOMS_MAX = SITES_MAX, /* different values (names) in a game */
  DICE_MAX = 8,     /* dice in a pool at any time, doubles counted */
  FACES_MAX = 64,
  DIE_MAX = 100,    /* the greatest number that a die or a throw shows */
  THROWS_MAX = 20000, /* different throws of a pool */
  PATH_MAX = 512,   /* stops on a path */
  CELLS_MAX = 4096, /* cells of state in a position */
  RULES_MAX = 512,
  PHASES_MAX = 64,
  OFFERS_MAX = 32,
  CHOICES_MAX = SITES_MAX,
  WORD_LENGTH_MAX = 60 /* letters of a name */
};

typedef enum Type {
  TYPE_POISON, /* an expression that was complained of; silent */
  TYPE_SITES,
  TYPE_PIECES,
  TYPE_PLAYERS,
  TYPE_WAYS,
  TYPE_NUMBER,
  TYPE_CONDITION,
  TYPE_VALUES,
  TYPE_RANGE /* only while resolving */
} Type;

typedef enum ExprOp {
#define EXPR(op, type, meaning) X_##op,
#include "front/exprs.def"
#undef EXPR
  X_COUNT_OF_OPS
} ExprOp;

/* In a set of players, the bit that stands for `nobody` (a state of players that holds none). It
 * is a member like a seat for = != in +, and no player for anything else. */
enum { SEAT_NOBODY = 1 << SEATS_MAX };

/* What the value of an expression depends on; 0 for a constant. */
enum {
  DEP_POSITION = 1 << 0, /* pieces, states, players, counters */
  DEP_HERE = 1 << 1,
  DEP_EACH = 1 << 2,
  DEP_VICTIM = 1 << 3,
  DEP_ORIGIN = 1 << 4,
  DEP_TARGET = 1 << 5, /* target and between */
  DEP_DIE = 1 << 6,
  DEP_CHOSEN = 1 << 7,
  DEP_LAST = 1 << 8,    /* moved, previous, victims: the last step of this turn */
  DEP_HISTORY = 1 << 9, /* repeats, last_origin, last_target */
  DEP_SLOW = 1 << 10,   /* stuck, dead_position, a hook */
  DEP_ANSWERER = 1 << 11,
  DEP_OUTCOME = 1 << 12, /* winners, outcome */
  DEP_STEP = DEP_ORIGIN | DEP_TARGET | DEP_DIE | DEP_CHOSEN
};

typedef struct Expr Expr;
struct Expr {
  uint8_t op;   /* ExprOp */
  uint8_t type; /* Type */
  uint16_t deps;
  int32_t a, b;
  const Expr *kid[3]; /* unused ones are NULL */
  const void *data;
  double cost; /* an upper bound of the work, for the limit; see COST_MAX */
  Span span;   /* what the author wrote */
};
#define COST_MAX 2e7

/* A picture: consecutive sites, cell by cell. */
typedef struct LineCell {
  const Expr *expr; /* S, or P for a marked cell of a line of pieces */
  int run;          /* 0: one site; N: a run of N or more */
  bool marked;
} LineCell;
typedef struct LineShape {
  int n;
  bool any_marked;
  LineCell cell[16];
} LineShape;

/* The board: sites 0 .. squares-1, then the pockets. Board order is: for grids a1, b1, … then
 * rank by rank; points 1 …; graphs in order of first mention. */
typedef enum BoardShape { BOARD_GRID, BOARD_POINTS, BOARD_GRAPH } BoardShape;
typedef struct Board {
  BoardShape shape;
  int squares; /* board sites (holes are no sites) */
  int sites;   /* with pockets */
  int files, ranks; /* grids; else 0 */
  const char **name; /* per site: "e5", "24", a pocket's name */
  int16_t *file_of, *rank_of; /* grids and graphs whose names look like squares; else -1 */
  int dirs;    /* grids: 8, clockwise from north; points: 2 (up, down); graphs: 2 per class of rows */
  int16_t *next[DIRS_MAX];  /* per site: the neighbour in that direction or -1 */
  uint32_t adjacent;   /* the directions that make neighbours */
  uint32_t orthogonal, diagonal;
  SiteSet all;       /* the squares */
  SiteSet pockets;
  SiteSet edge, corners;
  SiteSet *neighbours; /* per site */
} Board;

typedef struct Kind {
  const char *name;
  char symbol[SEATS_MAX]; /* per seat; 0: none */
  int plane[SEATS_MAX];   /* per seat; -1: this player has none of them */
  const char *doc, *doc_ru;
  Span span;
} Kind;
typedef struct Plane {
  int kind, owner;
} Plane;

typedef enum StateScope { SCOPE_GAME, SCOPE_PLAYER, SCOPE_SITE, SCOPE_TURN } StateScope;
typedef struct State {
  const char *name;
  StateScope scope;
  Type type;       /* NUMBER, VALUES, PLAYERS (a single seat or none = -1) or SITES (single or -1) */
  int low, high;   /* NUMBER */
  SiteSet values;  /* VALUES: the atoms; SITES: the sites; PLAYERS: seats in bits 0.. */
  bool nobody;     /* PLAYERS, SITES: may be none (-1) */
  int cell;        /* index of the first cell; SITE: one a site, PLAYER: one a seat */
  int cells;
  int start;       /* number, atom, seat or site */
  const char *doc, *doc_ru;
  Span span;
} State;

typedef struct Label {
  const char *name;
  Type type;      /* NUMBER or VALUES */
  int32_t *value; /* per site: number, or atom (-1: none) */
  Span span;
} Label;

typedef struct Path {
  int name;          /* index into path_names */
  int owner;         /* seat, or -1: everybody */
  int n;
  int wrap;          /* index at which the path goes on after its last stop, or -1 */
  int16_t *site;     /* the stops; a wrapping path holds the repeated stop only once */
  int16_t *index_of; /* per site: index, or -1 */
} Path;

typedef struct DicePool {
  const char *name;
  int dice;              /* how many are thrown */
  int faces;             /* how many faces a die has */
  int face[FACES_MAX];   /* their values, 0 allowed: such a die cannot be played */
  int doubles;           /* equal dice (all equal) are played that many times in all; 0: as thrown */
  bool total;            /* the dice show one number */
  int total_low, total_high; /* with total: range of the sum of faces */
  int *total_value;      /* [total_high - total_low + 1]: the number shown */
  int largest;           /* the greatest number a die can show */
  Span span;
} DicePool;

typedef enum EffectOp {
  EFFECT_TAKE,  /* a P */
  EFFECT_PUT,   /* a P on b S (single) */
  EFFECT_MAKE,  /* a P into kind, of owner b Y or their own */
  EFFECT_SET,   /* target, of set `of` or NULL, to value b */
  EFFECT_RAISE, /* … by b N */
  EFFECT_LOWER,
  EFFECT_GAIN,  /* a N */
  EFFECT_HOOK
} EffectOp;
typedef enum TargetKind {
  TARGET_STATE,
  TARGET_PHASE,
  /* only in setup, given and scenarios: */
  TARGET_TURN_COUNT,
  TARGET_TURNS,    /* of players */
  TARGET_STARTER,
  TARGET_OVERRUNS, /* of players */
  TARGET_PASSES,
  TARGET_QUIET
} TargetKind;
typedef struct Effect {
  EffectOp op;
  TargetKind target;
  int state;       /* TARGET_STATE */
  const Expr *of;  /* S or Y, or NULL: the game's (for SCOPE_PLAYER/SITE never NULL) */
  const Expr *a, *b;
  int kind;        /* MAKE */
  int hook;
  Span span;
} Effect;
typedef struct Effects {
  const Effect *at;
  int n;
} Effects;

typedef enum RuleKind {
  RULE_TURN, RULE_OFFER, RULE_MOVE, RULE_CHOICE, RULE_FORBID, RULE_CAPTURE, RULE_AFTER,
  RULE_MUST, RULE_SETTLE, RULE_WIN, RULE_LOSE, RULE_DRAW, RULE_SCORE, RULE_KINDS
} RuleKind;
typedef enum ClauseId {
#define CLAUSE(id, word, kinds, type, help) CLAUSE_##id,
#include "front/clauses.def"
#undef CLAUSE
  CLAUSE_COUNT
} ClauseId;
typedef enum Judged { JUDGED_END, JUDGED_STEP, JUDGED_START } Judged;

typedef struct Rule {
  RuleKind kind;
  int index;        /* in Rules.rule; `uses` counts by it */
  int atom;         /* its name as a value */
  const char *name;
  const char *doc, *doc_ru; /* or NULL */
  const char *see;  /* rulings, ", " between; or NULL */
  int phase;        /* -1: all */
  bool exists;      /* its `if` holds */
  bool has[CLAUSE_COUNT];    /* written, or filled in by a pattern */
  Span where[CLAUSE_COUNT];  /* span of the clause's value, in the file it came from */
  const char *pattern;       /* the pattern it came from, or NULL */
  Span span;        /* of its name */
  /* the clauses; NULL where not written */
  const Expr *when, *unless, *for_;  /* for_: S or Y */
  const Expr *who, *from, *along, *reach_low, *reach_high, *through, *to;
  const Expr *take, *leaves, *maximize, *winner, *loser, *among, *worth;
  const Expr *const *choose; /* list of choose_n expressions: S, Y, V or N, all of one type */
  int choose_n;
  const char *choose_name;
  Effects do_, accept, decline;
  Judged judged;
  bool takes_die;   /* reach mentions die: the step spends it */
  bool counted;     /* some `uses of` asks for it */
} Rule;

typedef struct TurnShape {
  const Expr *first; /* Y; NULL with lot */
  bool lot;
  int pool;          /* index, or -1 */
  const Expr *reroll;
  const Expr *steps_low, *steps_high; /* NULL: one, or one per die */
  const Expr *again, *repeat, *next, *clock;
  Span where[CLAUSE_COUNT];
  bool has[CLAUSE_COUNT];
} TurnShape;

typedef struct Phase {
  const char *name;
  int atom;
  const Expr *if_; /* constant, folded; NULL: true */
  bool open;       /* its `if` holds */
  TurnShape turn;
  const char *doc, *doc_ru;
  Span span;
} Phase;

typedef struct Hook {
  const char *name;
  Type type;         /* CONDITION, SITES, NUMBER; TYPE_POISON: effect */
  bool effect;
  const char *file;  /* as written */
  const char *path;  /* where it was found */
  Span span;
} Hook;

typedef struct Region {
  const char *name;
  bool by_player;
  SiteSet sites[SEATS_MAX]; /* [0] if not by player */
  Span span;
} Region;

typedef struct Let {
  const char *name;
  bool by_player;
  const Expr *expr;              /* not by player */
  const Expr *by[SEATS_MAX];
  Span span;
} Let;

typedef struct Param {
  const char *name;
  const char *option;     /* name on the command line */
  const char *doc, *doc_ru, *see;
  Type type;              /* NUMBER, VALUES or SITES */
  int low, high;          /* NUMBER */
  const char *const *values; /* VALUES: names in order; NUMBER: named numbers */
  const int *numbers;     /* NUMBER: of the named ones */
  int value_n;
  SiteSet sites;          /* SITES: the range */
  int start, value;       /* number; index into values; site */
  Span span;
} Param;

/* A scenario keeps its tree; study/scenario runs it. */
typedef struct ScenarioText {
  const char *title, *title_ru, *see;
  const Node *node;    /* N_SCENARIO */
  const char *unit;    /* title of the unit that wrote it */
  bool inherited;      /* from a base or a library */
  Span span;
} ScenarioText;

typedef struct Rules {
  Arena *arena;
  const Sources *sources;
  const char *title, *title_ru;
  const char *file;     /* of the game or house */
  const char *see;
  Board board;
  int seats;            /* players at this table */
  int players;          /* players declared */
  const char *player[SEATS_MAX]; /* names of all declared */
  int kinds; const Kind *kind;
  int planes; Plane plane[PLANES_MAX];
  uint32_t planes_of[SEATS_MAX]; /* plane mask of each seat */
  int states; const State *state;
  int cells;            /* game cells 0 .. cells-1, then the turn's up to all_cells */
  int all_cells;
  int labels; const Label *label;
  int regions; const Region *region;
  int lets; const Let *let;
  int path_names; const char *const *path_name;
  int paths; const Path *path;
  int pools; const DicePool *pool;
  int atoms; const char *const *atom;
  int atom_nothing;     /* the value of outcome while the game goes on */
  int params; const Param *param;
  int hooks; const Hook *hook;
  int phases; const Phase *phase; /* at least one; an unnamed one if none is declared */
  int rules; const Rule *rule;    /* in order of evaluation; also those whose `if` fails */
  int of_kind_n[RULE_KINDS];
  const int *of_kind[RULE_KINDS]; /* indices of existing rules of each kind, in order */
  /* the start: pieces, then effects (set …) on the position */
  uint16_t *start_count;          /* [planes][sites] */
  Effects start_effects;
  int scenarios; const ScenarioText *scenario;
  /* what the game mentions, so that only that is kept */
  uint32_t mentions;              /* MENTION_* */
  bool stacks;                    /* some site may hold more than one piece */
} Rules;
enum {
  MENTION_REPEATS = 1 << 0,
  MENTION_LAST = 1 << 1,     /* last_origin, last_target */
  MENTION_PREVIOUS = 1 << 2, /* previous outside the step itself */
  MENTION_MOVED = 1 << 3,    /* moved or victims in again, repeat, settle, ends, later steps */
  MENTION_QUIET = 1 << 4,
  MENTION_PASSES = 1 << 5,
  MENTION_TURNS = 1 << 6,
  MENTION_ORDER = 1 << 7,    /* the order of a turn's steps matters: uses, captured */
  MENTION_STUCK = 1 << 8,
  MENTION_REPEATS_EARLY = 1 << 9 /* repeats elsewhere than in ends of a turn or a step: it may count as a turn begins */
};

const char *type_name(Type type);      /* "sites" */
const char *rule_kind_word(RuleKind kind);
const char *clause_word(ClauseId clause);
bool clause_fits(ClauseId clause, RuleKind kind);
const char *expr_op_name(int op);

#endif
