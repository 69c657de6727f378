/* Resolving: from the flat game to Rules. What the parts define, express, rule, board,
 * layout, scene and lint share. A Build stays with its Rules, so that scenarios and
 * positions can be resolved later in the same names. */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "front/loading.h"

enum {
  DEFS_MAX = 4096,      /* definitions of a flat game */
  NESTING_MAX = 1200,   /* expressions and lets within each other, while resolving */
  EXPR_DEPTH_MAX = 400, /* the same in what is handed to the evaluator */
  FOLD_MOST = 1000000   /* steps of work put into finding sets that are constant */
};

/* In addition to rules.h: asks which moves there are, so moves cannot ask it; asks whose turn is next, so
 * what decides that cannot ask it. */
enum { DEP_MOVES = 1 << 13, DEP_NEXT = 1 << 14 };

/* Which values a name may stand for: what the other side of a comparison can be. */
typedef struct Domain {
  Type type;     /* VALUES; NUMBER with named numbers; SITES or PLAYERS with `none` */
  SiteSet atoms; /* VALUES */
  const Param *param; /* named numbers */
  bool rules;         /* names of rules, and `nothing` */
  const char *what;   /* "param `mode`": for messages */
} Domain;

/* An expression as it is made here: with what only the resolver needs to know. */
typedef struct Made {
  Expr expr;
  const Domain *domain;
  int depth;
  int mark;
  bool sum; /* numbers that were written joined by + */
} Made;

typedef enum SymbolState { SYMBOL_NEW, SYMBOL_BUSY, SYMBOL_READY } SymbolState;
typedef struct Symbol Symbol;
struct Symbol {
  const char *name;
  NodeKind kind; /* N_PLAYERS, N_PIECE, N_REGION, N_LET, N_PATH, N_PARAM, N_STATE,
                    N_LABEL, N_DICE, N_HOOK, N_PHASE, N_POCKET; N_RULE and N_PATTERN in
                    spaces of their own */
  Def *def;      /* the first of that name */
  int index;     /* into the list of Rules that it belongs to */
  SymbolState state;
  const Expr *made; /* lets and regions without owner; constant params */
  const Domain *domain;
  int used;
  bool by_params; /* its value depends on a param */
  Symbol *next;   /* of the same hash */
};

enum { SYMBOL_SLOTS = 1024 };

struct Build {
  Loading *loading;
  Arena *arena;
  Diags *diags;
  Names *names;
  const Flat *flat;
  Rules *rules;
  const OptionSetting *options;
  int option_n;
  bool lint;
  bool scenes;                   /* check the scenarios, too */
  Symbol *slot[3][SYMBOL_SLOTS]; /* names, rules, patterns */
  const char *atom[ATOMS_MAX];
  int atoms;
  int depth; /* nesting at present */
  int mark;
  int symbols;
  uint32_t seated; /* seats at the table */
  bool by_params;  /* a param was asked since this was last reset */
  /* arrays that Rules points to, with their room */
  Kind *kind;
  State *state;
  Label *label;
  Region *region;
  Let *let;
  Path *path;
  const char **path_name;
  DicePool *pool;
  Param *param;
  Hook *hook;
  Phase *phase;
  Rule *rule;
  const Domain *rule_domain, *phase_domain;
  bool *rule_by_params, *phase_by_params; /* whether params play a part in it */
  double folded;                          /* work put into folding so far */
  bool failed;                            /* too many of something: stop defining */
  bool bad_pieces;                        /* players or pieces are wrong already */
  bool unknown_symbol[256];               /* drawn, of no piece, and complained of */
};

/* Where an expression stands. */
typedef struct Scope {
  Build *build;
  uint32_t allowed; /* DEP_* that mean something here; DEP_POSITION off: constants only */
  const Domain *hint;     /* of the other side, looked up first */
  const char *place;      /* "`take` of capture `x`": for messages */
  const Node *params;     /* the pattern's ARGS, or NULL */
  const Node *args;       /* what the rule gives for them */
  const char *chosen;     /* the name that choose binds, or NULL */
  const Expr *chosen_one; /* a member of its list: gives type and domain */
  bool scenario;          /* names of scenarios are known */
  bool made;              /* the step is over: moved and victims tell of it */
  bool maximize;          /* a condition counts as a number */
  bool fractions;         /* halves may be written */
} Scope;

/* ---- symbols (symbol.c) */
enum { SPACE_NAMES, SPACE_RULES, SPACE_PATTERNS };
Symbol *symbol_find(const Build *build, int space, const char *name);
void symbols_enter(Build *build);
/* The nearest known word, or NULL; built-in names and atoms among them. */
const char *symbol_nearest(const Build *build, const char *name, const Domain *hint);
const char *symbol_kind_word(NodeKind kind);
int atom_of(Build *build, const char *name, Span span);
int atom_find(const Build *build, const char *name);
typedef enum BuiltinId {
#define NAME(id, word, form, type, help) BUILTIN_##id,
#include "front/names.def"
#undef NAME
  BUILTIN_COUNT
} BuiltinId;
/* The built-in name, or BUILTIN_COUNT. */
BuiltinId builtin_find(const char *word);
const char *builtin_word(BuiltinId id);
const char *builtin_form(BuiltinId id);
const char *builtin_help(BuiltinId id);

/* ---- making expressions (make.c): typed, folded, with deps and cost */
const Expr *make_poison(Build *build, Span span);
const Expr *make0(Build *build, ExprOp op, Type type, Span span);
const Expr *make1(Build *build, ExprOp op, Type type, Span span, const Expr *a);
const Expr *make2(Build *build, ExprOp op, Type type, Span span, const Expr *a,
                  const Expr *b);
/* With immediates and data; not folded further. */
Expr *make_raw(Build *build, ExprOp op, Type type, Span span, const Expr *a,
               const Expr *b);
const Expr *make_finish(Build *build, Expr *expr);
const Expr *make_sites(Build *build, SiteSet sites, Span span);
const Expr *make_players(Build *build, uint32_t seats, Span span);
const Expr *make_values(Build *build, SiteSet atoms, const Domain *domain, Span span);
const Expr *make_number(Build *build, int number, Span span);
const Expr *make_truth(Build *build, bool truth, Span span);
const Expr *make_ways(Build *build, uint64_t ways, Span span);
const Expr *make_pieces(Build *build, uint32_t kinds, const Expr *owners, Span span);
const Domain *domain_of(const Expr *expr);
bool is_constant(const Expr *expr);
bool is_true(const Expr *expr);
bool is_false(const Expr *expr);
const SiteSet *constant_sites(const Expr *expr); /* NULL if not */
bool constant_empty(const Expr *expr);           /* a set that can have no member */
bool constant_nobody(const Expr *expr);          /* players of whom there is none */
/* The expression with `here` being that site. */
const Expr *make_here(Build *build, const Expr *expr, int site);
/* Every node once: calls visit on the DAG below. */
void expr_visit(Build *build, const Expr *expr,
                void (*visit)(void *data, const Expr *expr), void *data);

/* ---- expressions (express.c, builtin.c) */
const Expr *express(const Scope *scope, const Node *node);
/* Typed as wanted, coerced if possible, else a diagnostic and poison. */
const Expr *express_as(const Scope *scope, const Node *node, Type wanted);
const Expr *coerce(const Scope *scope, const Expr *expr, Type wanted, const char *who);
/* Pieces, numbers and ranges as sites; NULL if they cannot be. */
const Expr *to_sites(Build *build, const Expr *expr);
bool is_set(Type type); /* sites, pieces, players, values */
const Expr *express_name(const Scope *scope, const Node *node, const char *text);
const Expr *express_builtin(const Scope *scope, const Node *node, BuiltinId id);
const Expr *express_builtin_of(const Scope *scope, const Node *node, BuiltinId id,
                               const Node *right);
const Expr *express_builtin_call(const Scope *scope, const Node *node, BuiltinId id);
const Expr *express_of(const Scope *scope, const Node *node);
const Expr *express_line(const Scope *scope, const Node *node);
const Expr *express_compare(const Scope *scope, const Node *node);
const Expr *express_in(const Scope *scope, const Node *node);
/* The pieces of those players among X. */
const Expr *restrict_owner(const Scope *scope, const Expr *pieces, const Expr *owners);
const Expr *own_pieces(const Scope *scope, const Expr *pieces);
Scope scope_constant(Build *build, const char *place);
Scope scope_open(Build *build, const char *place);
/* If the context word's dependency means nothing here: the diagnostic. */
bool scope_allows(const Scope *scope, uint32_t deps, const char *word, Span span);
/* What the rule gives for that word of its pattern, or NULL. */
const Node *argument_of(const Scope *scope, const char *text);
Scope outside_pattern(const Scope *scope);
const Domain *peek_domain(const Scope *scope, const Node *node);
const char *type_words(Type type); /* "sites", "a number": for sentences */
/* What the author wrote there, on one line and not too long: for messages. */
const char *words_at(const Build *build, Span span);
/* "upright, ghost": the values of a domain. */
const char *domain_words(const Build *build, const Domain *domain);
bool in_domain(const Scope *scope, const Expr *expr, const Domain *domain);

/* ---- definitions (define.c, state.c, board.c, path.c) */
void define_players(Build *build);
void define_board(Build *build);
void define_pieces(Build *build);
void define_rest(Build *build); /* everything that is defined on demand, in order */
/* Makes the symbol ready, whatever it is; false if it is faulty or speaks of itself. */
bool define_symbol(Build *build, Symbol *symbol, Span used_at);
void define_param(Build *build, Symbol *symbol);
void define_state(Build *build, Symbol *symbol);
void define_label(Build *build, Symbol *symbol);
void define_path(Build *build, Symbol *symbol);
void define_dice(Build *build, Symbol *symbol);
void place_cells(Build *build);
int find_site(const Build *build, const char *name);
int find_player(const Build *build, const char *name);
int find_kind(const Build *build, const char *name);
const Node *spec_of(const Node *node);
/* The first text with that tag, or all of them with ", " between; NULL if there is none.
 */
const char *tagged(Build *build, const Node *node, const char *tag);
const char *all_tagged(Build *build, const Node *node, const char *tag);
const Domain *new_domain(Build *build, Type type, SiteSet atoms, const char *what);
bool whole_number(const char *text, int *number);
/* Whether the param can have that value; else the diagnostic. */
bool param_accepts(Build *build, int param, const char *text, Span span);
bool is_each(const char *owner);
/* The seat after `of`, -1 for `each` or nobody in particular, -2 after a complaint. */
int owner_seat(Build *build, const Def *def);
void enter_atoms(Build *build);

/* ---- rules (rule.c, effect.c, layout.c) */
void number_rules(Build *build);
void number_phases(Build *build);
void define_phases(Build *build);
void define_rules(Build *build);
void define_turns(Build *build);
Effects make_effects(const Scope *scope, const Node *clause);
bool make_set(const Scope *scope, const Node *node, bool position, Effect *effect);
void define_setup(Build *build);
bool make_layout(Build *build, const Scope *scope, const Node *layout, uint16_t *count,
                 Effects *effects, bool setup);
void define_mentions(Build *build);

/* ---- checks (scene.c, lint.c) */
void check_scenarios(Build *build);
void lint_rules(Build *build);
/* What can be told from the tree alone. */
void lint_tree(Build *build, const Node *node);
/* Clauses that their kind does not have, or lacks, without a game around (rule.c). */
void check_rule_shapes(Build *build);

/* A library by itself: its clauses, kinds and constants as far as that goes without a
 * game. */
void check_library(Loading *loading, const Unit *unit);

/* The whole resolution; NULL if there were errors. */
Rules *build_rules(Build *build);

#endif
