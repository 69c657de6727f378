/* The same turns, found twice. */
#include "study/agree.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "play/notation.h"

typedef struct Comparison {
  Engine *engine;
  Lister *lister;
  const char *other;
  const Position *p;
  Turns reference, kernel;
  uint64_t *key; /* of the reference's turns */
  bool *used;
  char *why;
  size_t room;
} Comparison;

static uint64_t key_of(const Comparison *c, const Position *p) {
  return position_same_key(engine_rules(c->engine), engine_layout(c->engine), p);
}

static int find(const Comparison *c, const Position *p) {
  uint64_t key = key_of(c, p);
  for (int i = 0; i < c->reference.n; i++)
    if (!c->used[i] && c->key[i] == key &&
        position_same(engine_rules(c->engine), engine_layout(c->engine), c->reference.at[i].after, p))
      return i;
  return -1;
}

static int taken(const Turn *turn) {
  int n = 0;
  for (int i = 0; i < turn->captures; i++) n += turn->captured[i].count;
  return n;
}

static void write_turn(const Comparison *c, const Turn *turn, char text[MOVE_TEXT_MAX]) {
  turn_write(engine_rules(c->engine), engine_layout(c->engine), c->p, turn, text, MOVE_TEXT_MAX);
}

static bool only(const Comparison *c, const char *who, const Turn *turn) {
  char text[MOVE_TEXT_MAX];
  write_turn(c, turn, text);
  snprintf(c->why, c->room, "only the %s has the turn %s", who, text);
  return false;
}

/* A turn of the kernel and that of the reference which leads to the same position. */
static bool same_turn(const Comparison *c, Turn *turn, const Turn *reference) {
  const Rules *rules = engine_rules(c->engine);
  char text[MOVE_TEXT_MAX];
  lister_make(c->lister, c->p, turn);
  bool same = position_same(rules, engine_layout(c->engine), turn->after, reference->after);
  if (same && taken(turn) == taken(reference)) return true;
  write_turn(c, turn, text);
  if (!same)
    snprintf(c->why, c->room, "%s leads elsewhere by the %s", text, c->other);
  else
    snprintf(c->why, c->room, "a turn takes %d by the reference, and %d by the %s as %s", taken(reference), taken(turn),
             c->other, text);
  return false;
}

static bool same_turns(Comparison *c) {
  for (int i = 0; i < c->kernel.n; i++) {
    int at = find(c, c->kernel.at[i].after);
    if (at < 0) return only(c, c->other, &c->kernel.at[i]);
    c->used[at] = true;
    if (!same_turn(c, &c->kernel.at[i], &c->reference.at[at])) return false;
  }
  for (int i = 0; i < c->reference.n; i++)
    if (!c->used[i]) return only(c, "reference", &c->reference.at[i]);
  return true;
}

/* `complaint`: what the reference has come upon, or NULL: then the kernel has to fail, too. */
static bool compare(Comparison *c, const char *complaint) {
  char text[512];
  const char *failed;
  if (complaint) snprintf(text, sizeof text, "%s", complaint); /* the next overwrites it */
  c->kernel = lister_turns(c->lister, c->p, LISTER_PLACES);
  engine_complaint(c->engine);
  bool listed = lister_listed(c->lister, &failed);
  if (complaint && listed) snprintf(c->why, c->room, "only for the reference: %s", text);
  if (!complaint && failed) snprintf(c->why, c->room, "only for the %s: %s", c->other, failed);
  if (complaint || !listed) return complaint ? !listed : !failed;
  size_t n = (size_t)c->reference.n + 1;
  c->key = memory_resize(NULL, sizeof *c->key * n);
  c->used = memory_resize(NULL, sizeof *c->used * n);
  memset(c->used, 0, sizeof *c->used * n);
  for (int i = 0; i < c->reference.n; i++) c->key[i] = key_of(c, c->reference.at[i].after);
  bool same = same_turns(c);
  memory_resize(c->key, 0);
  memory_resize(c->used, 0);
  return same;
}

bool agree(Engine *engine, Lister *lister, const char *other, const Position *p, char *why, size_t room) {
  Mark mark = engine_mark(engine);
  Comparison c = {.engine = engine, .lister = lister, .other = other, .p = p, .why = why, .room = room};
  c.reference = engine_turns(engine, p);
  const char *complaint = engine_complaint(engine);
  bool good = c.reference.too_many || compare(&c, complaint);
  engine_release(engine, mark);
  return good;
}
