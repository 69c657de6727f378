/* Scopes, and bringing an expression to the type that its place wants; the complaints
 * when that cannot be, in the author's words. */
#include "front/resolve.h"

#include <string.h>

const char *words_at(const Build *build, Span span) {
  if (span.file < 0 || span.file >= build->loading->sources.n) return "this";
  const Source *source = &build->loading->sources.at[span.file];
  int length = span.end - span.start;
  bool cut = length > 44;
  if (cut) length = 40;
  if (length <= 0) return "this";
  char *text = arena_text(build->arena, source->text + span.start, (size_t)length);
  size_t n = 0;
  for (size_t i = 0; text[i]; i++) { /* one line, single spaces */
    char c = text[i] == '\n' || text[i] == '\t' || text[i] == '\r' ? ' ' : text[i];
    if (c == ' ' && n && text[n - 1] == ' ') continue;
    text[n++] = c;
  }
  while (cut && n && ((unsigned char)text[n - 1] & 0xC0) == 0x80)
    n--; /* no torn character */
  text[n] = 0;
  return cut ? arena_printf(build->arena, "%s…", text) : text;
}

const char *type_name(Type type) {
  static const char *const names[] = {"nothing", "sites",     "pieces", "players", "ways",
                                      "number",  "condition", "values", "range"};
  return names[type];
}

const char *type_words(Type type) {
  static const char *const names[] = {
      "nothing",  "a set of sites", "a set of pieces", "a set of players",  "ways",
      "a number", "a condition",    "a value",         "a range of numbers"};
  return names[type];
}

Scope scope_constant(Build *build, const char *place) {
  Scope scope = {0};
  scope.build = build;
  scope.place = place;
  return scope;
}

Scope scope_open(Build *build, const char *place) {
  Scope scope = scope_constant(build, place);
  scope.allowed = 0xFFFF;
  return scope;
}

/* ---- coercions ---- */

bool is_set(Type type) {
  return type == TYPE_SITES || type == TYPE_PIECES || type == TYPE_PLAYERS ||
         type == TYPE_VALUES;
}

static bool is_sum(const Expr *e) {
  return e->type == TYPE_NUMBER && ((const Made *)(const void *)e)->sum;
}

/* `5 + 10` where points are wanted is the point 15, which nobody means. */
static void refuse_sum(Build *build, const Expr *e) {
  if (build->rules->board.shape != BOARD_POINTS) return;
  const Expr *sum = is_sum(e) ? e : NULL;
  for (int i = 0; e->type == TYPE_RANGE && i < 2; i++)
    if (is_sum(e->kid[i])) sum = e->kid[i];
  if (!sum) return;
  const char *text = words_at(build, e->span), *list = "";
  for (const char *p = text; *p; p++)
    list = *p == '+' ? arena_printf(build->arena, "%s,", list)
           : *p == ' ' && p[1] == '+' ? list
                                      : arena_printf(build->arena, "%s%c", list, *p);
  Diag *d = diag_report(build->diags, DIAG_WRONG_TYPE, e->span,
                        "numbers are added: as a point `%s` is %d",
                        words_at(build, sum->span), sum->a);
  diag_note(build->diags, d, "for several points write `sites(%s)`", list);
}

const Expr *to_sites(Build *build, const Expr *e) {
  refuse_sum(build, e);
  switch (e->type) {
    case TYPE_SITES:
      return e;
    case TYPE_PIECES:
      return make1(build, X_SITES_OF, TYPE_SITES, e->span, e);
    case TYPE_NUMBER:
      if (build->rules->board.shape != BOARD_POINTS) return NULL;
      return make1(build, X_POINT, TYPE_SITES, e->span, e);
    case TYPE_RANGE:
      if (build->rules->board.shape != BOARD_POINTS) return NULL;
      return make2(build, X_POINT_RANGE, TYPE_SITES, e->span, e->kid[0], e->kid[1]);
    default:
      return NULL;
  }
}

static void advise(Build *build, Diag *d, const Expr *e, Type wanted, const char *who) {
  const char *text = words_at(build, e->span);
  if (wanted == TYPE_CONDITION && is_set((Type)e->type))
    diag_note(build->diags, d, "to ask whether there is any, write `some %s`", text);
  else if (wanted == TYPE_CONDITION && e->type == TYPE_NUMBER)
    diag_note(build->diags, d, "compare it with a number: `%s > 0`", text);
  else if (wanted == TYPE_NUMBER && is_set((Type)e->type))
    diag_note(build->diags, d, "for how many there are, write `count %s`", text);
  else if (wanted == TYPE_SITES && e->type == TYPE_NUMBER && strchr(text, '-'))
    diag_note(build->diags, d, "a range is written with two dots, as in `1 .. 8`");
  else if (wanted == TYPE_PIECES && e->op == X_LINE_SITES)
    diag_note(build->diags, d,
              "mark the cell whose pieces are meant, as in `enemy as victim`");
  else if (wanted == TYPE_SITES && e->type == TYPE_NUMBER && who && !strcmp(who, "`to`"))
    diag_note(build->diags, d, "between two numbers stand two dots, as in `reach 1 .. 3`");
  else if (wanted == TYPE_SITES && (e->type == TYPE_NUMBER || e->type == TYPE_RANGE))
    diag_note(
        build->diags, d,
        "numbers are sites on a board of points only; here sites have names such as `%s`",
        build->rules->board.squares ? build->rules->board.name[0] : "a1");
  else if (wanted == TYPE_PIECES && e->type == TYPE_SITES)
    diag_note(build->diags, d, "for the pieces that stand there, write `pieces at %s`",
              text);
  else if (wanted == TYPE_PLAYERS && e->type == TYPE_PIECES)
    diag_note(build->diags, d,
              "for the players whose pieces they are, write `owner of %s`", text);
}

const Expr *coerce(const Scope *scope, const Expr *e, Type wanted, const char *who) {
  Build *build = scope->build;
  if (e->type == TYPE_POISON || e->type == wanted) return e;
  const Expr *made = NULL;
  if (wanted == TYPE_SITES) made = to_sites(build, e);
  if (wanted == TYPE_NUMBER && e->type == TYPE_CONDITION && scope->maximize)
    made = make1(build, X_BIT, TYPE_NUMBER, e->span, e);
  if (made) return made;
  if (wanted == TYPE_SITES && !build->rules->board.squares)
    return make_poison(build, e->span); /* there is no board */
  bool mixed = (wanted == TYPE_CONDITION && is_set((Type)e->type)) ||
               (is_set(wanted) && e->type == TYPE_CONDITION);
  Diag *d = diag_report(build->diags, mixed ? DIAG_SETS_AND_CONDITIONS : DIAG_WRONG_TYPE,
                        e->span, "%s wants %s, and `%s` is %s", who ? who : "this place",
                        type_words(wanted), words_at(build, e->span),
                        type_words((Type)e->type));
  advise(build, d, e, wanted, who);
  return make_poison(build, e->span);
}

const Expr *express_as(const Scope *scope, const Node *node, Type wanted) {
  return coerce(scope, express(scope, node), wanted, scope->place);
}

bool scope_allows(const Scope *scope, uint32_t deps, const char *word, Span span) {
  uint32_t missing = deps & ~scope->allowed;
  Build *build = scope->build;
  if (!missing) return true;
  static const struct Missing {
    uint32_t dep;
    const char *what;
  } words[] = {
      {DEP_HERE, "`here`, the member of `for` or `where`"},
      {DEP_EACH, "`each`, the player of `for` or `where`"},
      {DEP_VICTIM, "`victim`, the piece being taken"},
      {DEP_ORIGIN, "`origin`, where the step starts"},
      {DEP_TARGET, "`target` or `between`, where the step ends and what it passes"},
      {DEP_DIE, "`die`, the die of a step"},
      {DEP_CHOSEN, "what has been chosen"},
      {DEP_ANSWERER, "`answerer`, who answers an offer"},
      {DEP_LAST, "the step before (`moved`, `previous`, `victims`)"},
      {DEP_OUTCOME, "how the game has ended"},
      {DEP_HISTORY, "what has been played before"},
      {DEP_MOVES, "which moves there are, and moves cannot depend on that"},
      {DEP_NEXT, "whose turn is next, and that cannot depend on itself"}};
  if (!(scope->allowed & DEP_POSITION)) {
    Diag *d = diag_report(build->diags, DIAG_NOT_CONSTANT, span,
                          "%s must be constant, and `%s` changes as the game goes on",
                          scope->place ? scope->place : "this", word);
    diag_note(build->diags, d, "constant are params, sites, regions and labels");
    return false;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!(missing & words[i].dep)) continue;
    bool own = builtin_find(word) != BUILTIN_COUNT;
    Diag *d =
        diag_report(build->diags, DIAG_MEANINGLESS_HERE, span, "`%s` means nothing in %s",
                    word, scope->place ? scope->place : "this place");
    diag_note(build->diags, d, own ? "it speaks of %s" : "it is defined with %s",
              words[i].what);
    if (scope->made && (words[i].dep & (DEP_ORIGIN | DEP_TARGET)))
      diag_note(build->diags, d,
                "the step that has been made is known by `moved`, the piece at its place, "
                "and `victims`");
    return false;
  }
  return true;
}
