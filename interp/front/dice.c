/* Dice: what is thrown, and what the throw shows. */
#include "front/resolve.h"

#include <string.h>

static bool read_throw(Build *build, const FlatClause *c, DicePool *pool) {
  const Node *n = c && c->node ? c->node->kid : NULL;
  if (!n) return false;
  if (n->kind != N_E_THROW ||
      sscanf(n->text, "%4dd%4d", &pool->dice, &pool->faces) != 2) {
    if (n->kind != N_E_ERROR)
      diag_report(build->diags, DIAG_BAD_DICE, n->span,
                  "dice are thrown like this: throw 2d6");
    return false;
  }
  if (pool->dice < 1 || pool->dice > DICE_MAX || pool->faces < 1 ||
      pool->faces > FACES_MAX) {
    diag_report(build->diags, DIAG_BAD_DICE, n->span,
                "1 to %d dice of 1 to %d faces can be thrown, not %s", DICE_MAX,
                FACES_MAX, n->text);
    return false;
  }
  return true;
}

static int dice_number(Build *build, const Node *n, int low, int high, const char *what) {
  Scope scope = scope_constant(build, what);
  const Expr *e = express_as(&scope, n, TYPE_NUMBER);
  if (e->op == X_NUMBER && e->type == TYPE_NUMBER && e->a >= low && e->a <= high)
    return e->a;
  if (e->type != TYPE_POISON)
    diag_report(build->diags, DIAG_BAD_DICE, n->span, "%s is a number in %d .. %d", what,
                low, high);
  return high; /* no blank: that would be another mistake */
}

/* How many different throws there are, the order of the dice aside. */
static int64_t count_throws(const DicePool *pool) {
  int values = 0;
  for (int i = 0; i < pool->faces; i++) {
    bool met = false;
    for (int k = 0; k < i; k++) met |= pool->face[k] == pool->face[i];
    values += !met;
  }
  int64_t n = 1;
  for (int i = 1; i <= pool->dice; i++) n = n * (values - 1 + i) / i;
  return n;
}

static void check_throws(Build *build, const DicePool *pool, const FlatClause *thrown) {
  int64_t n = count_throws(pool);
  if (pool->total || n <= THROWS_MAX || !thrown || !thrown->node) return;
  diag_report(build->diags, DIAG_BAD_DICE, thrown->node->span,
              "these dice can fall in %lld different ways; %d is the limit", (long long)n,
              THROWS_MAX);
}

/* Dice that show nothing but blanks are good for nothing. */
static void check_blank(Build *build, const int *number, int n, Span span,
                        const char *what) {
  for (int i = 0; i < n; i++)
    if (number[i]) return;
  Diag *d = diag_report(build->diags, DIAG_BAD_DICE, span,
                        "every %s shows 0: no die could ever be played", what);
  diag_note(build->diags, d, "a 0 is a blank; at least one %s shows a number", what);
}

static void read_gives(Build *build, const FlatClause *c, DicePool *pool) {
  if (!c || !c->node) return;
  pool->total = true;
  int low = 0, high = 0;
  for (int i = 0; i < pool->faces; i++) {
    int f = pool->face[i];
    if (i == 0 || f * pool->dice < low) low = f * pool->dice;
    if (f * pool->dice > high) high = f * pool->dice;
  }
  pool->total_low = low;
  pool->total_high = high;
  pool->total_value = ARENA_ARRAY(build->arena, int, high - low + 1);
  for (int i = low; i <= high; i++) pool->total_value[i - low] = i;
  const Node *n = c->node->kid;
  if (n->kind == N_E_NAME && !strcmp(n->text, "total") && !n->next) {
    if (high > DIE_MAX)
      diag_report(build->diags, DIAG_BAD_DICE, c->node->span,
                  "a throw shows at most %d, and the total can be %d", DIE_MAX, high);
    return;
  }
  int given = node_count(c->node);
  if (given != high - low + 1) {
    diag_report(build->diags, DIAG_BAD_DICE, c->node->span,
                "the totals are %d to %d, so `gives` wants %d numbers, not %d", low, high,
                high - low + 1, given);
    return;
  }
  int i = 0;
  for (; n; n = n->next)
    pool->total_value[i++] = dice_number(build, n, 0, DIE_MAX, "what a total gives");
  check_blank(build, pool->total_value, i, c->node->span, "total");
}

void define_dice(Build *build, Symbol *symbol) {
  DicePool *pool = &build->pool[build->rules->pools];
  const Def *def = symbol->def;
  symbol->index = build->rules->pools++;
  pool->name = symbol->name;
  pool->span = def->span;
  pool->dice = 1;
  pool->faces = 6;
  static const char *const words[] = {"throw", "faces", "doubles", "gives"};
  for (const FlatClause *c = def->clauses; c; c = c->next) {
    bool known = !c->node;
    for (int i = 0; i < 4; i++) known |= !strcmp(words[i], c->word);
    if (known) continue;
    Diag *d = diag_report(build->diags, DIAG_CLAUSE_WRONG_KIND, c->node->name,
                          "dice have no `%s`", c->word);
    diag_note(build->diags, d, "they may have: throw, faces, doubles, gives");
  }
  const FlatClause *thrown = def_clause(def, "throw");
  if (!thrown || !thrown->node)
    diag_report(build->diags, DIAG_CLAUSE_MISSING, def->span, "dice `%s` need `throw`",
                pool->name);
  read_throw(build, thrown, pool);
  if (pool->dice < 1 || pool->dice > DICE_MAX) pool->dice = 1;
  if (pool->faces < 1 || pool->faces > FACES_MAX) pool->faces = 6;
  for (int i = 0; i < pool->faces; i++) pool->face[i] = i + 1;
  const FlatClause *faces = def_clause(def, "faces");
  if (faces && faces->node) {
    int n = node_count(faces->node);
    if (n != pool->faces)
      diag_report(build->diags, DIAG_BAD_DICE, faces->node->span,
                  "a die of %d faces has %d numbers on them, not %d", pool->faces,
                  pool->faces, n);
    int i = 0;
    for (const Node *f = faces->node->kid; f && i < pool->faces; f = f->next)
      pool->face[i++] = dice_number(build, f, 0, DIE_MAX, "a face");
    check_blank(build, pool->face, i, faces->node->span, "face");
  }
  const FlatClause *doubles = def_clause(def, "doubles");
  if (doubles && doubles->node)
    pool->doubles = dice_number(build, doubles->node->kid, 1, DICE_MAX,
                                "how often an equal throw is played");
  read_gives(build, def_clause(def, "gives"), pool);
  check_throws(build, pool, thrown);
  for (int i = 0; i < pool->faces; i++)
    if (pool->face[i] > pool->largest) pool->largest = pool->face[i];
  if (pool->total) {
    pool->largest = 0;
    for (int i = 0; i <= pool->total_high - pool->total_low; i++)
      if (pool->total_value[i] > pool->largest) pool->largest = pool->total_value[i];
  }
}
