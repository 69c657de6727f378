/* One position looked at by a kernel and by the reference: the turns and where they lead, the
 * steps that the kernel names, its counts, and the choices of its random games. */
#include "differ.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mind/chance.h"
#include "native/native.h"
#include "play/inside.h"
#include "play/notation.h"
#include "study/perft.h"

enum { STEPS_ROOM = 512, LAWFUL_MOST = 6, PICKED_MOST = 24 };

/* ---- pairs ---- */

static Kernel *open_kernel(const Rules *rules, KernelPlayer *player, Side side, uint64_t hosted, char *why,
                           size_t room) {
  Kernel *k = kernel_new_hosted(rules, hosted, why, room);
  if (k && side == SIDE_BULKY) k->program->bulky = true;
  if (k && side != SIDE_KERNEL && !native_use(k, false, why, room)) {
    kernel_free(k);
    return NULL;
  }
  if (k) kernel_open(k, player);
  return k;
}

bool pair_open(Pair *pair, const Rules *rules, Side side, uint64_t hosted, char *why, size_t room) {
  memset(pair, 0, sizeof *pair);
  pair->rules = rules;
  pair->hosted = hosted;
  pair->side = side;
  pair->kernel = open_kernel(rules, &pair->player, side, hosted, why, room);
  if (!pair->kernel) return false;
  kernel_open(pair->kernel, &pair->chancer);
  if (side != SIDE_KERNEL) pair->plain = open_kernel(rules, &pair->plainly, SIDE_KERNEL, hosted, why, room);
  pair->engine = engine_new(rules);
  pair->back = engine_position(pair->engine);
  pair->made = engine_position(pair->engine);
  pair->next = engine_position(pair->engine);
  return true;
}

void pair_close(Pair *pair) {
  pair_forget(pair);
  memory_resize(pair->past, 0);
  kernel_close(&pair->player);
  kernel_close(&pair->chancer);
  kernel_free(pair->kernel);
  if (pair->plain) kernel_close(&pair->plainly);
  kernel_free(pair->plain);
  free(pair->back);
  free(pair->made);
  free(pair->next);
  engine_free(pair->engine);
}

const char *pair_side(const Pair *pair) { return pair->kernel->native ? "machine code" : "kernel"; }

void pair_forget(Pair *pair) {
  for (; pair->pasts; engine_pop(pair->engine)) free(pair->past[--pair->pasts]);
  pair->kernel->api->forget(pair->player.ctx);
}

void pair_push(Pair *pair, const Position *p) {
  engine_push(pair->engine, p);
  if (pair->pasts == pair->past_room) {
    pair->past_room = pair->past_room ? pair->past_room * 2 : 64;
    pair->past = memory_resize(pair->past, sizeof *pair->past * (size_t)pair->past_room);
  }
  Position *kept = pair->past[pair->pasts++] = engine_position(pair->engine);
  position_copy(kept, p);
  void *now = kernel_load(pair->kernel, engine_layout(pair->engine), p);
  if (now) pair->kernel->api->push(pair->player.ctx, now);
  memory_resize(now, 0);
}

/* ---- saying ---- */

static bool differ(Difference *d, DifferenceKind kind, int rule, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  d->kind = kind;
  d->rule = rule;
  d->text = strdup(text);
  return true;
}

static void write_steps(const Pair *pair, const Position *p, const Step *step, int n, char *text, size_t room) {
  const Turn turn = {.step = step, .steps = n, .after = (Position *)(uintptr_t)p};
  turn_write(pair->rules, engine_layout(pair->engine), p, &turn, text, room);
  for (int i = 0; i < n; i++) {
    size_t at = strlen(text);
    snprintf(text + at, room - at, "%s%s", i ? ", " : " by ", pair->rules->rule[step[i].rule].name);
  }
}

/* What tells b from a, in words: pieces, cells, whose turn, ends. */
static void write_changes(const Pair *pair, const Position *a, const Position *b, char *text, size_t room) {
  const Rules *rules = pair->rules;
  const Layout *l = engine_layout(pair->engine);
  size_t at = 0;
#define SAY(...) (at += at < room ? (size_t)snprintf(text + at, room - at, __VA_ARGS__) : 0)
  *text = 0;
  for (int i = 0; i < rules->planes * rules->board.sites; i++) {
    int m = position_count(l, a)[i], n = position_count(l, b)[i];
    char plane[64];
    plane_write(rules, i / rules->board.sites, plane, sizeof plane);
    if (m != n) SAY(" %s on %s: %d, %d;", plane, rules->board.name[i % rules->board.sites], m, n);
  }
  for (int i = 0; i < rules->states; i++)
    for (int c = 0; c < rules->state[i].cells; c++) {
      int32_t m = position_cells(l, a)[rules->state[i].cell + c], n = position_cells(l, b)[rules->state[i].cell + c];
      if (m != n && rules->state[i].scope != SCOPE_TURN) SAY(" %s[%d]: %d, %d;", rules->state[i].name, c, m, n);
    }
  if (a->end_rule != b->end_rule)
    SAY(" ended by %s, %s;", a->end_rule < 0 ? "nothing" : rules->rule[a->end_rule].name,
        b->end_rule < 0 ? "nothing" : rules->rule[b->end_rule].name);
#define NUMBER(field) \
  if (a->field != b->field) SAY(" " #field ": %d, %d;", (int)a->field, (int)b->field)
  NUMBER(mover);
  NUMBER(phase);
  NUMBER(active);
  NUMBER(winners);
  for (int s = 0; s < rules->seats; s++)
    if (a->score[s] < b->score[s] || a->score[s] > b->score[s])
      SAY(" score of %s: %g, %g;", rules->player[s], a->score[s], b->score[s]);
#undef NUMBER
#undef SAY
}

/* ---- steps of the kernel in the reference's words ---- */

static int get_steps(Pair *pair, int64_t turn, Step *step) {
  MachineStep got[STEPS_ROOM];
  int n = pair->kernel->api->steps(pair->player.ctx, turn, got, STEPS_ROOM);
  for (int i = 0; i < n && i < STEPS_ROOM; i++) step[i] = kernel_step(pair->kernel, &got[i]);
  return n;
}

typedef struct Sought {
  const Step *step;
  SiteSet between;
  bool found;
} Sought;

static bool is_sought(void *with, const Step *step, const SiteSet *between) {
  Sought *s = with;
  if (!step_same(step, s->step)) return true;
  s->between = *between;
  s->found = true;
  return false;
}

/* Whether the reference would make the step in the middle of a turn. */
static bool is_lawful(Pair *pair, const Position *p, const Step *step) {
  Sought s = {.step = step};
  step_candidates(pair->engine, p, true, is_sought, &s);
  if (!s.found) return false;
  step_make(pair->engine, p, step, &s.between, pair->next, NULL);
  return !step_leaves(pair->engine, p, step, &s.between, pair->next);
}

/* The steps of the kernel's turn made by the reference: each lawful (if that is to be looked at),
 * and the position after them the kernel's. *takes: how many pieces they take. */
static bool steps_differ(Pair *pair, const Position *p, int64_t turn, bool lawful, int *takes, Difference *d) {
  Step step[STEPS_ROOM];
  char said[MOVE_TEXT_MAX + 256], changes[1024];
  int n = get_steps(pair, turn, step);
  *takes = -1;
  if (n > STEPS_ROOM) return false;
  position_copy(pair->made, p);
  for (int i = 0; i < n; i++) {
    if (lawful && !is_lawful(pair, pair->made, &step[i])) {
      write_steps(pair, p, step, n, said, sizeof said);
      return differ(d, NOT_LAWFUL, step[i].rule, "step %d of the %s's turn is not lawful by the reference: %s", i + 1,
                    pair_side(pair), said);
    }
    engine_make(pair->engine, pair->made, &step[i], pair->next, NULL, NULL);
    Position *swap = pair->made;
    pair->made = pair->next;
    pair->next = swap;
  }
  *takes = pair->made->captured;
  engine_finish(pair->engine, pair->made);
  kernel_store(pair->kernel, engine_layout(pair->engine), pair->kernel->api->turn(pair->player.ctx, turn), pair->back);
  if (position_same(pair->rules, engine_layout(pair->engine), pair->made, pair->back)) return false;
  write_steps(pair, p, step, n, said, sizeof said);
  write_changes(pair, pair->made, pair->back, changes, sizeof changes);
  return differ(d, LEADS_ELSEWHERE, -1, "%s leads elsewhere (reference, %s):%s", said, pair_side(pair), changes);
}

/* ---- turns ---- */

typedef struct Known { /* the turns of the reference by the keys of where they lead */
  const Turns *turns;
  uint64_t *key;
  bool *used;
  int *at; /* of each turn of the kernel: which it is */
} Known;

static int find(const Pair *pair, const Known *known, const Position *p) {
  const Layout *l = engine_layout(pair->engine);
  uint64_t key = position_key(pair->rules, l, p, p->mover);
  for (int i = 0; i < known->turns->n; i++)
    if (!known->used[i] && known->key[i] == key && position_same(pair->rules, l, known->turns->at[i].after, p)) return i;
  return -1;
}

static bool turn_not_there(Pair *pair, const Position *p, int64_t turn, Difference *d) {
  int takes;
  if (steps_differ(pair, p, turn, true, &takes, d)) return true;
  Step step[STEPS_ROOM];
  char said[MOVE_TEXT_MAX + 256];
  int n = get_steps(pair, turn, step);
  write_steps(pair, p, step, n < STEPS_ROOM ? n : 0, said, sizeof said);
  return differ(d, NOT_THERE, -1, "only the %s has the turn: %s", pair_side(pair), said);
}

/* Whether the kernel has a turn with those steps: then it leads elsewhere. */
static bool has_steps(Pair *pair, const Turn *turn, int64_t n) {
  Step step[STEPS_ROOM];
  for (int64_t i = 0; i < n; i++) {
    int k = 0;
    bool same = get_steps(pair, i, step) == turn->steps;
    for (; same && k < turn->steps; k++) same = step_same(&step[k], &turn->step[k]);
    if (same) return true;
  }
  return false;
}

static bool turn_not_found(Pair *pair, const Position *p, const Turn *turn, int64_t n, Difference *d) {
  char said[MOVE_TEXT_MAX + 256];
  write_steps(pair, p, turn->step, turn->steps, said, sizeof said);
  int rule = turn->steps == 1 && !has_steps(pair, turn, n) ? turn->step[0].rule : -1;
  return differ(d, NOT_FOUND, rule, "only the reference has the turn: %s", said);
}

/* `takes`: as many pieces are taken by the kernel's way to the result of this turn; -1: not known. */
static bool takes_differ(Pair *pair, const Position *p, const Turn *turn, int takes, Difference *d) {
  char said[MOVE_TEXT_MAX + 256];
  int all = 0;
  for (int i = 0; i < turn->captures; i++) all += turn->captured[i].count;
  if (takes == all || takes < 0) return false;
  write_steps(pair, p, turn->step, turn->steps, said, sizeof said);
  return differ(d, TAKES_OTHERWISE, -1, "%s takes %d; the %s comes to the same by a way that takes %d", said, all,
                pair_side(pair), takes);
}

static bool results_differ(Pair *pair, const Position *p, const Known *known, int64_t n, Difference *d) {
  const Layout *l = engine_layout(pair->engine);
  int64_t every = n / LAWFUL_MOST + 1;
  for (int64_t i = 0; i < n; i++) {
    kernel_store(pair->kernel, l, pair->kernel->api->turn(pair->player.ctx, i), pair->back);
    int at = find(pair, known, pair->back);
    if (at < 0) return turn_not_there(pair, p, i, d);
    known->used[at] = true;
    known->at[i] = at;
  }
  for (int i = 0; i < known->turns->n; i++)
    if (!known->used[i]) return turn_not_found(pair, p, &known->turns->at[i], n, d);
  for (int64_t i = 0; i < n; i++) {
    int takes;
    if (steps_differ(pair, p, i, i % every == 0, &takes, d) || takes_differ(pair, p, &known->turns->at[known->at[i]], takes, d))
      return true;
  }
  return false;
}

/* What random games choose from are the same turns, each of them once. */
static bool picks_differ(Pair *pair, const void *position, Known *known, Difference *d) {
  const MachineApi *api = pair->kernel->api;
  const Program *program = pair->kernel->program;
  int n = known->turns->n;
  if (!program->direct && !program->plain_dice && n > PICKED_MOST) return false; /* all are made for each */
  memset(known->used, 0, (size_t)n * sizeof *known->used);
  for (int k = 0; k < n; k++) {
    const void *after = api->pick(pair->player.ctx, position, k);
    if (!after) return differ(d, PLAYED_OTHERWISE, -1, "the %s cannot pick turn %d of %d", pair_side(pair), k, n);
    kernel_store(pair->kernel, engine_layout(pair->engine), after, pair->back);
    int at = find(pair, known, pair->back);
    if (at < 0)
      return differ(d, PLAYED_OTHERWISE, -1, "turn %d of %d, as random games of the %s choose it, is none of the turns or a second time the same",
                    k, n, pair_side(pair));
    known->used[at] = true;
  }
  return false;
}

static bool turns_differ(Pair *pair, const Position *p, const void *position, const Turns *turns, Difference *d) {
  int64_t n = pair->kernel->api->turns(pair->player.ctx, position, 1);
  size_t room = (size_t)turns->n + 1;
  Known known = {turns, calloc(room, sizeof(uint64_t)), calloc(room, sizeof(bool)), calloc(room, sizeof(int))};
  for (int i = 0; i < turns->n; i++) {
    const Position *after = turns->at[i].after;
    known.key[i] = position_key(pair->rules, engine_layout(pair->engine), after, after->mover);
  }
  bool differs = results_differ(pair, p, &known, n, d) || picks_differ(pair, position, &known, d);
  free(known.key);
  free(known.used);
  free(known.at);
  return differs;
}

/* ---- counts and games ---- */

static bool lines_differ(const Pair *pair, const PerftLine *a, const MachineLine *b, bool bare, Difference *d) {
  bool same = a->leaves == b->leaves && a->weighted == b->weighted &&
              (bare || (a->captures == b->captures && a->ended == b->ended));
  if (same) return false;
  return differ(d, COUNTED_OTHERWISE, -1,
                "perft %s, depth 1 (reference, %s): leaves %lld, %lld; weighted %lld, %lld; captures %lld, %lld; ended %lld, %lld",
                bare ? "--bare" : "", pair_side(pair), (long long)a->leaves, (long long)b->leaves,
                (long long)a->weighted, (long long)b->weighted, (long long)a->captures, (long long)b->captures,
                (long long)a->ended, (long long)b->ended);
}

static bool counts_differ(Pair *pair, const Position *p, const void *position, Difference *d) {
  PerftLine line[2];
  MachineLine full[2], bare[2];
  const MachineApi *api = pair->kernel->api;
  if (!perft_count(pair->engine, p, 1, false, line)) return false;
  if (!api->perft(pair->player.ctx, position, 1, 0, full) || !api->perft(pair->player.ctx, position, 1, 1, bare))
    return differ(d, COUNTED_OTHERWISE, -1, "perft: too many turns for the %s", pair_side(pair));
  return lines_differ(pair, &line[1], &full[1], false, d) || lines_differ(pair, &line[1], &bare[1], true, d);
}

static bool play_one(const Kernel *k, void *ctx, const Layout *layout, const Position *p, MachineSums *sums) {
  MachineGames games = {.seed = 1, .step = 1, .end = 3, .cap = 1, .seat = p->mover};
  void *start = kernel_load(k, layout, p);
  for (int s = 0; s < MACHINE_SEATS; s++) games.start[s] = start;
  memset(sums, 0, sizeof *sums);
  bool good = start && k->api->play(ctx, &games, sums);
  memory_resize(start, 0);
  return good;
}

/* Three random turns from here: chosen among as many as there are, and the same by machine code
 * as by the interpreter. */
static bool plays_differ(Pair *pair, const Position *p, const Turns *turns, Difference *d) {
  static MachineSums sums, plain;
  const Layout *l = engine_layout(pair->engine);
  if (!play_one(pair->kernel, pair->chancer.ctx, l, p, &sums))
    return differ(d, PLAYED_OTHERWISE, -1, "the %s cannot play from here", pair_side(pair));
  bool forgets = pair->rules->mentions & MENTION_REPEATS_EARLY; /* such a game begins without a history */
  if (sums.choices != 3 * turns->n && !forgets)
    return differ(d, PLAYED_OTHERWISE, -1, "random turns are chosen among %d (reference), %g (%s)", turns->n,
                  (double)sums.choices / 3, pair_side(pair));
  if (!pair->plain) return false;
  play_one(pair->plain, pair->plainly.ctx, l, p, &plain);
  if (!memcmp(&sums, &plain, sizeof sums)) return false;
  return differ(d, PLAYED_OTHERWISE, -1, "random turns differ between kernel and machine code");
}

bool pair_differs(Pair *pair, const Position *p, Difference *d) {
  *d = (Difference){SAME, -1, NULL};
  void *position = kernel_load(pair->kernel, engine_layout(pair->engine), p);
  if (!position) return differ(d, NOT_LOADED, -1, "the %s cannot hold the position", pair_side(pair));
  Mark mark = engine_mark(pair->engine);
  Turns turns = engine_turns(pair->engine, p);
  const char *complaint = engine_complaint(pair->engine);
  if (complaint) {
    bool alone = pair->kernel->api->turns(pair->player.ctx, position, 1) >= 0;
    if (alone) differ(d, NOT_FOUND, -1, "the reference errs, the %s does not: %s", pair_side(pair), complaint);
    else d->kind = ERRS_ALIKE;
    engine_complaint(pair->engine); /* of a script that the kernel has left to it */
    engine_release(pair->engine, mark);
    memory_resize(position, 0);
    return alone;
  }
  bool differs = !turns.too_many && (turns_differ(pair, p, position, &turns, d) ||
                                     counts_differ(pair, p, position, d) || plays_differ(pair, p, &turns, d));
  engine_release(pair->engine, mark);
  memory_resize(position, 0);
  return differs;
}

/* The first throws of three games fall alike, those that are thrown again included. */
static bool dice_differ(Pair *pair, const Position *p, Difference *d) {
  static MachineSums sums;
  Tally tally = {.throws = 0};
  char why[256];
  for (int game = 0; game < 3; game++) {
    Rng rng = rng_for(1, (uint64_t)game);
    position_copy(pair->made, p);
    if (!chance_throw(pair->engine, pair->made, &rng, &tally, why, sizeof why)) return false;
  }
  if (!play_one(pair->kernel, pair->chancer.ctx, engine_layout(pair->engine), p, &sums))
    return differ(d, PLAYED_OTHERWISE, -1, "the %s cannot play from here", pair_side(pair));
  if (sums.throws == tally.throws && !memcmp(sums.face, tally.face, sizeof sums.face) &&
      !memcmp(sums.pair, tally.pair, sizeof sums.pair))
    return false;
  return differ(d, PLAYED_OTHERWISE, -1, "the dice of one seed fall otherwise: %lld throws (reference), %lld (%s)",
                (long long)tally.throws, (long long)sums.throws, pair_side(pair));
}

bool pair_throws_differ(Pair *pair, const Position *p, Difference *d) {
  *d = (Difference){SAME, -1, NULL};
  void *position = kernel_load(pair->kernel, engine_layout(pair->engine), p);
  if (!position) return differ(d, NOT_LOADED, -1, "the %s cannot hold the position", pair_side(pair));
  bool differs = dice_differ(pair, p, d) || counts_differ(pair, p, position, d);
  memory_resize(position, 0);
  return differs;
}
