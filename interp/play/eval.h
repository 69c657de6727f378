/* Evaluation of expressions, literally. A context says on which position and with which words
 * bound (here, each, victim, origin …). Evaluation never changes the position; a hook that
 * fails sets the trouble of the engine and counts as false, empty or 0. */
#ifndef EVAL_H
#define EVAL_H

#include "play/engine.h"

/* Pieces by plane: only planes in the mask have a valid set, and it is not empty. */
typedef struct PieceSet {
  uint32_t planes;
  SiteSet at[PLANES_MAX];
} PieceSet;

enum { WAY_ANYWHERE = 16, WAY_PATHS = 32 }; /* bits of ways: 0..15 directions */

typedef struct LetCache LetCache;

typedef struct EvalCtx {
  Engine *engine;      /* for history, stuck, next player, hooks */
  const Rules *rules;
  const Layout *layout;
  const Position *pos;
  LetCache *cache;     /* values of lets on this very position, or NULL */
  uint64_t stamp;      /* which the cache is valid for */
  bool scenario;        /* moved and victims speak of the turn before, too */
  bool made;           /* the step in progress has been made: previous is the one before it */
  /* bound words; -1 where unbound */
  int here, each;
  int victim_plane, victim_site;
  int origin, target;
  const SiteSet *between; /* NULL: empty */
  int die;
  int choice_type;     /* Type of `chosen` */
  int32_t chosen;      /* site, seat, number or atom */
  int answerer;        /* seat */
} EvalCtx;

/* A context for a position with nothing bound. */
EvalCtx eval_context(Engine *engine, const Position *p);

bool eval_condition(EvalCtx *ctx, const Expr *e);
SiteSet eval_sites(EvalCtx *ctx, const Expr *e);
int eval_site(EvalCtx *ctx, const Expr *e); /* the first of them, or -1 */
void eval_pieces(EvalCtx *ctx, const Expr *e, PieceSet *out);
uint32_t eval_players(EvalCtx *ctx, const Expr *e); /* bits; SEAT_NOBODY may be among them */
int64_t eval_number(EvalCtx *ctx, const Expr *e);   /* within +-2^31 */
double eval_worth(EvalCtx *ctx, const Expr *e);     /* numbers with fractions */
SiteSet eval_values(EvalCtx *ctx, const Expr *e);   /* atoms */
uint64_t eval_ways(EvalCtx *ctx, const Expr *e);

SiteSet pieces_sites(const PieceSet *p);
int pieces_count(const EvalCtx *ctx, const PieceSet *p); /* one by one */

/* An empty cache for the lets of a game. */
LetCache *eval_cache_new(const Rules *rules);
void eval_cache_free(LetCache *cache, const Rules *rules);

/* What the evaluator asks of the engine (engine.c). */
bool engine_stuck(Engine *engine, const Position *p);
bool engine_dead(Engine *engine, const Position *p);
int engine_repeats(Engine *engine, const Position *p);
int engine_next_seat(Engine *engine, const Position *p); /* -1: nobody */
bool engine_round_over(Engine *engine, const Position *p);
int64_t engine_legal_turns(Engine *engine, const Position *p);
void engine_trouble(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));
LetCache *engine_let_cache(Engine *engine);
uint64_t engine_stamp(Engine *engine); /* a fresh one */
struct Hooks *engine_hooks(Engine *engine);

#endif
