/* The usual slips of people who write other languages, and what to write instead. Looks
 * at the word that fits nowhere, the one before it, and what the grammar would have
 * taken. */
#include <string.h>
#include "front/parse.h"
#include "front/reading.h"
#include "parser.h"

bool slip_is_word(const Reading *r, const FeedToken *t) {
  int length = t->span.end - t->span.start;
  return t->kind != IDENT && length > 0 && (r->text[t->span.start] | 0x20) >= 'a' &&
         (r->text[t->span.start] | 0x20) <= 'z';
}

static bool bar_follows(const Reading *r, Span span) {
  int at = span.end;
  while (r->text[at] == ' ' || r->text[at] == '\t') at++;
  return r->text[at] == '|';
}

static bool is_comparison(int kind) {
  return kind == '=' || kind == NE || kind == '<' || kind == '>' || kind == LE ||
         kind == GE || kind == IN;
}

static bool is_effect(int kind) {
  return kind == PUT || kind == MAKE || kind == RAISE || kind == LOWER || kind == GAIN ||
         kind == SET || kind == TAKE;
}

/* What people write elsewhere in place of a word of this language: in a record (c), among
 * items (i), in the steps of a scenario (s), among effects (e). */
static const struct Habit {
  char place;
  const char *word, *advice;
} habits[] = {
    {'c', "points", "the points of a win are said by `worth`"},
    {'c', "wins", "who wins is said by `winner`"},
    {'c', "loses", "who is out is said by `loser`"},
    {'c', "starts", "who begins is said by `first`"},
    {'c', "begins", "who begins is said by `first`"},
    {'c', "captures", "what is taken is said by `take`, in a rule `capture`"},
    {'c', "range", "how far a piece goes is said by `reach 1 .. 3`"},
    {'c', "distance", "how far a piece goes is said by `reach 1 .. 3`"},
    {'c', "direction", "the ways of a move are said by `along orthogonal`"},
    {'c', "then", "what a rule does stands in `do`, when it does so in `when`"},
    {'c', "else",
     "there is no `else`: write two rules, one with `when`, one with `unless`"},
    {'i', "include", "a library is fetched by `use`, as in `use \"moves\"`"},
    {'i', "import", "a library is fetched by `use`, as in `use \"moves\"`"},
    {'i', "require", "a library is fetched by `use`, as in `use \"moves\"`"},
    {'i', "uses", "a library is fetched by `use`, as in `use \"moves\"`"},
    {'i', "end", "braces close what they open: `}`"},
    {'s', "roll", "a throw is written `dice 6, 1`"},
    {'s', "throw", "a throw is written `dice 6, 1`"},
    {'s', "move", "a turn is played by `play`"},
    {'s', "assert", "what holds is said by `expect`"},
    {'s', "check", "what holds is said by `expect`"},
    {'e', "increase", "a number goes up by `raise … by …`"},
    {'e', "add", "a number goes up by `raise … by …`"},
    {'e', "decrease", "a number goes down by `lower … by …`"},
    {'e', "reduce", "a number goes down by `lower … by …`"},
    {'e', "kill", "pieces are taken by `take`"},
    {'e', "capture", "pieces are taken by `take`"},
    {'e', "move", "pieces are put elsewhere by `put … on …`"},
    {'e', "promote", "pieces turn into others by `make … into …`"},
    {'e', "turn", "pieces turn into others by `make … into …`"},
};

static const char *habit(char place, const char *word) {
  for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
    if (habits[i].place == place && !strcmp(habits[i].word, word))
      return habits[i].advice;
  return NULL;
}

/* Words that count members and are none of the language. */
static const char *quantity(const char *word) {
  static const struct {
    const char *word, *instead;
  } words[] = {{"any", "some"},   {"exists", "some"}, {"every", "all"},
               {"none", "no"},    {"my", "friend"},   {"own", "friend"},
               {"your", "enemy"}, {"their", "enemy"}, {"hostile", "enemy"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i].word, word)) return words[i].instead;
  return NULL;
}

/* Whether a sign of one letter follows, as in a row of a board. */
static bool cell_follows(const Reading *r, Span span) {
  int at = span.end;
  while (r->text[at] == ' ' || r->text[at] == '\t') at++;
  return at > span.end && r->text[at] && strchr(" \t|", r->text[at + 1]);
}

/* Whether a word follows on the line. */
static bool word_follows(const Reading *r, Span span) {
  int at = span.end;
  while (r->text[at] == ' ' || r->text[at] == '\t') at++;
  unsigned char c = (unsigned char)r->text[at];
  return at > span.end && ((c | 0x20) >= 'a' ? (c | 0x20) <= 'z' || c >= 0x80 : false);
}

static bool in_follows(const Reading *r, Span span) {
  int at = span.end;
  while (r->text[at] == ' ' || r->text[at] == '\t') at++;
  return strncmp(r->text + at, "in ", 3) == 0;
}

/* `repeats = 3` among clauses: a built-in name begins no clause. */
static bool is_builtin(const FeedToken *t) {
  static const char *const words[] = {
#define NAME(id, word, form, type, help) word,
#include "front/names.def"
#undef NAME
  };
  for (size_t i = 0; t->kind == IDENT && i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], t->text)) return true;
  return false;
}

/* Whether the next effect of a list could follow. */
static bool in_effects(const bool *expected) {
  return expected[parser_symbol(',')] && expected[parser_symbol(CLAUSE)] &&
         !expected[parser_symbol(AND)] && !expected[parser_symbol('+')];
}

const char *slip_habit(Reading *r, const FeedToken *t, const bool *expected) {
  bool clause = expected[parser_symbol(CLAUSE)], step = expected[parser_symbol(GIVEN)];
  const char *advice = NULL;
  bool operand = t->kind == IDENT || t->kind == INT || t->kind == OWNER;
  if (r->before.kind == IDENT && operand && in_effects(expected))
    advice = habit('e', r->before.text);
  if (!advice && step && (t->kind == IDENT || t->kind == CLAUSE))
    advice = habit('s', t->text);
  if (advice || t->kind != IDENT) return advice;
  if (clause) advice = habit('c', t->text);
  if (!advice && expected[parser_symbol(REGION)]) advice = habit('i', t->text);
  if (!advice && clause && r->before.kind != '.' && r->head != DICE && is_builtin(t))
    advice = arena_printf(r->arena, "a clause begins with its word, as in `when %s …`",
                          t->text);
  return advice;
}

const char *slip_advice(Reading *r, const FeedToken *t, const bool *expected,
                        bool only_text) {
  const FeedToken *before = &r->before;
  int first = before->kind;
  int second = t->kind;
#define CAN(token) expected[parser_symbol(token)]
  if (first == '=' && second == '=') return "equality is written with one `=`";
  if (first == '=' && (second == '<' || second == '>'))
    return "the signs are `<=` and `>=`";
  if (first == '<' && second == '>') return "differs is written `!=`";
  if (second == IS && CAN(AND))
    return in_follows(r, t->span) ? "leave out `is`" : "equality is written with `=`";
  if (second == '=' && first == CLAUSE && CAN(COUNT))
    return "a clause has no `=`: its value stands right behind its word";
  if (second == AT && CAN(ON) && !CAN(AND)) return "where pieces are put is said by `on`";
  if (second == ON && CAN(AT))
    return "the part of a set on some sites is written with `at`";
  if (first == REMOVE && CAN(CLAUSE) && !CAN(KIND))
    return "`remove` takes a clause away; pieces are taken by `take`";
  if (first == IDENT && (second == IDENT || second == OWNER) && CAN(AND) &&
      quantity(before->text))
    return arena_printf(r->arena, "for `%s` write `%s`", before->text,
                        quantity(before->text));
  if (first == IDENT && second == IDENT && text_digits_of(before->text))
    return arena_printf(r->arena, "numbers are written in digits: %s",
                        text_digits_of(before->text));
  if (first == INT && second == IDENT && t->text[0] == 'd' && !t->text[1])
    return "two dice of six faces are written 2d6";
  if (first == OF && CAN(TURN) && CAN(IDENT))
    return "a state is one of `site`, of `player` or of `turn`";
  if (second == ',' && CAN('|')) return "values are separated by `|`";
  if (second == CLAUSE && first != INT && CAN('=')) return "a value is given by `=`";
  if ((second == OF || second == '=') && first == IDENT && in_effects(expected))
    return arena_printf(r->arena, "a state gets its value by `set`, as in `set %s = …`",
                        before->text);
  if (second == '-' && first == INT && CAN(GIVEN) && !CAN('-'))
    return "the dice of a throw are separated by commas: dice 6, 1";
  if ((second == INT || second == IDENT) && CAN('-') && CAN(GIVEN))
    return "the steps of a turn are separated by commas: play 1-7, 1-2";
  if (second == FRACTION && CAN(IDENT) && CAN(INT) && !CAN(COUNT))
    return "a step is written with a hyphen: 1-7";
  if (second == IDENT && first == IDENT && (r->head == REMOVE || r->head == CHANGE) &&
      !CAN(AND))
    return arena_printf(
        r->arena,
        "`%s` is no kind of rule or definition: leave it out, or say whether "
        "`%s` is a move, a region, …",
        before->text, t->text);
  if (second == EXTENDS && CAN(REGION))
    return "`extends` stands behind the title: house \"…\" extends \"…\" { … }";
  if (first == IDENT && second == IDENT && CAN('=') && CAN(OF) && !CAN(AND))
    return arena_printf(r->arena, "a name is one word, as in `%s_%s`", before->text,
                        t->text);
  if (first == IDENT && second == '-' && CAN('=') && !CAN(AND))
    return "a name has no hyphen; it may have `_`";
  if (second == ',' && CAN('+'))
    return first == INT
               ? "several points are written sites(5, 10), several sets are joined by `+`"
               : "several sets are joined by `+`";
  if (is_comparison(second) && CAN(AND) && !CAN(IN))
    return "there is a comparison before it: put brackets round what is compared, or "
           "join "
           "two comparisons by `and`";
  if (is_effect(second) && CAN(',') && !CAN(PUT))
    return "effects are separated by commas";
  if (first == REPLACE && second == IDENT)
    return arena_printf(
        r->arena,
        "its kind stands before its name, as in `replace region %s = …` or "
        "`replace win %s …`",
        t->text, t->text);
  if (r->head == BEFORE && first == IDENT && CAN(KIND))
    return arena_printf(
        r->arena,
        "a new rule stands behind, as in `before %s forbid name …`; to alter "
        "`%s` itself write `change`",
        before->text, before->text);
  if (second == '=' && first == IDENT && CAN('{') && CAN(STRING))
    return arena_printf(r->arena, "a param is set by `set %s = …`", before->text);
  if (second == '{' && first == CLAUSE)
    return "the value stands right behind, as in `size 9`";
  if (second == DICE && first == INT) return "two dice of six faces are written 2d6";
  if (second == DICE && first == CLAUSE)
    return "dice have names: `roll pips` after `dice pips { throw 2d6 }`";
  if (second == '-' && CAN(COUNT)) return "there are no numbers below 0";
  if (second == '.' && first == INT) return "halves are written 1/2 and 3/2, in `worth`";
  if (second == IDENT && CAN(PLACE))
    return arena_printf(r->arena, "pieces are put down by `place %s of … on …`", t->text);
  if (first == '.' && CAN(CLAUSE))
    return "after the point stands a clause of the rule, such as who, reach, through or "
           "to";
  if (first == INT && second == CLAUSE && t->span.end - t->span.start == 2)
    return "a range is written with two dots, as in `1 .. 8`";
  if (slip_is_word(r, t) && CAN(COUNT) && CAN(IDENT) &&
      (second == GAME || second == HOUSE || second == LIBRARY || second == DICE ||
       second == TURN || second == BOARD || second == SETUP || second == SCENARIO ||
       second == PIECE || second == PLAYERS || second == STATE || second == LABEL ||
       second == POCKET || second == PHASE || second == PATH || second == PARAM ||
       second == REGION || second == KIND))
    return arena_printf(r->arena, "`%.*s` is a word of the language and cannot be a name",
                        t->span.end - t->span.start, r->text + t->span.start);
  if (second == IDENT && CAN(IS) && CAN(STRING) && word_follows(r, t->span))
    return "a sentence stands in quotation marks: \"…\"";
  if (second == IDENT && CAN(IS) && CAN('{'))
    return arena_printf(r->arena, "a pattern stands after `is`: is %s", t->text);
  if (second == INT && CAN('{') && !CAN(IS)) return "as in `{ size 9 }`";
  if (only_text && second == IDENT)
    return arena_printf(r->arena, "in quotation marks: \"%s\"", t->text);
  if ((second == '|' && first == INT && reading_is_first(r, before->span)) ||
      (second == INT &&
       (bar_follows(r, t->span) || (CAN(ROW) && cell_follows(r, t->span)))))
    return "a board row is its rank, `|`, at least two cells of one sign each with "
           "blanks "
           "between, and `|`";
  if (second == INT && CAN(PLACE))
    return "pieces are put down by `place`, as in `place 5 token of red on …`";
  if (slip_is_word(r, t) && CAN(IDENT) && !CAN('('))
    return arena_printf(r->arena, "`%.*s` is a word of the language and cannot be a name",
                        t->span.end - t->span.start, r->text + t->span.start);
#undef CAN
  return NULL;
}
