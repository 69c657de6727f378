/* Counting by plain recursion over the reference engine. */
#include "study/perft.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct Count {
  Engine *engine;
  PerftLine *line;
  int depth;
  bool bare;
  bool failed;
  Position *held[PERFT_DEPTH_MAX + 1]; /* positions with the dice on the table */
} Count;

int64_t perft_add(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t perft_multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static void walk(Count *count, const Position *p, int depth, int64_t ways);

static void tally(Count *count, const Turn *turn, int depth, int64_t ways) {
  PerftLine *line = &count->line[depth];
  line->leaves = perft_add(line->leaves, 1);
  line->weighted = perft_add(line->weighted, ways);
  for (int i = 0; i < turn->captures; i++)
    line->captures = perft_add(line->captures, turn->captured[i].count);
  const Position *after = turn->after;
  if (after->stage != STAGE_ENDED) return;
  const Rules *rules = engine_rules(count->engine);
  if (after->end_rule < 0 || rules->rule[after->end_rule].judged != JUDGED_START)
    line->ended = perft_add(line->ended, 1);
}

/* The turns of a position whose dice lie on the table. */
static void walk_turns(Count *count, const Position *p, int depth, int64_t ways) {
  Engine *engine = count->engine;
  bool last = depth == count->depth;
  if (last) engine_judge_next(engine, false);
  if (last && count->bare) {
    int64_t n = engine_count_turns(engine, p);
    count->line[depth].leaves = perft_add(count->line[depth].leaves, n);
    count->line[depth].weighted =
        perft_add(count->line[depth].weighted, perft_multiply(n, ways));
    engine_judge_next(engine, true);
    return;
  }
  Mark mark = engine_mark(engine);
  Turns turns = engine_turns(engine, p);
  if (last) engine_judge_next(engine, true);
  if (turns.too_many || engine_complains(engine)) count->failed = true;
  for (int i = 0; i < turns.n && !count->failed; i++) {
    tally(count, &turns.at[i], depth, ways);
    if (last || turns.at[i].after->stage == STAGE_ENDED) continue;
    engine_push(engine, turns.at[i].after);
    walk(count, turns.at[i].after, depth + 1, ways);
    engine_pop(engine);
  }
  engine_release(engine, mark);
}

static void walk_rolls(Count *count, const Position *p, int depth, int64_t ways) {
  int n;
  int64_t total;
  const Roll *seen = engine_rolls(count->engine, p, &n, &total);
  Roll *roll = memory_resize(NULL, sizeof *roll * (size_t)(n > 0 ? n : 1));
  for (int i = 0; i < n; i++)
    roll[i] = seen[i]; /* the engine's list lives until the next call */
  Position *held = count->held[depth];
  for (int i = 0; i < n && !count->failed; i++) {
    char why[256];
    position_copy(held, p);
    if (engine_set_dice(count->engine, held, roll[i].face, roll[i].n, why, sizeof why)) {
      walk_turns(count, held, depth, perft_multiply(ways, roll[i].ways));
    } else {
      count->failed = true;
    }
  }
  memory_resize(roll, 0);
}

static void walk(Count *count, const Position *p, int depth, int64_t ways) {
  if (p->stage == STAGE_ENDED || count->failed) return;
  if (engine_needs_dice(count->engine, p)) {
    walk_rolls(count, p, depth, ways);
  } else {
    walk_turns(count, p, depth, ways);
  }
}

bool perft_count(Engine *engine, const Position *p, int depth, bool bare,
                 PerftLine *line) {
  Count count = {.engine = engine, .line = line, .depth = depth, .bare = bare};
  for (int i = 0; i <= depth; i++) {
    line[i] = (PerftLine){0};
    count.held[i] = engine_position(engine);
  }
  walk(&count, p, 1, 1);
  for (int i = 0; i <= depth; i++) free(count.held[i]);
  return !count.failed && !engine_complains(engine);
}
