/* The grammar of the language: LALR(1), no conflicts, reentrant. Every action is one constructor call;
 * the shapes of the tree are in front/nodes.def. The tokens come through front/feed.c, which knows
 * brackets and mends the usual slips; messages are made in front/complain.c. */
%code requires {
#include "front/reading.h"
}
%define api.pure full
%define parse.error custom
%define parse.lac full
%locations
%define api.location.type {Span}
%param {Reading *reading}
%expect 0
%union { const char *text; Node *node; }
%initial-action { @$ = reading_start(reading); }

%code {
#include "base/arena.h"
#define YYLLOC_DEFAULT(Cur, Rhs, N)                                                      \
  do {                                                                                   \
    (Cur).file = YYRHSLOC(Rhs, (N) ? 1 : 0).file;                                        \
    (Cur).start = (N) ? YYRHSLOC(Rhs, 1).start : YYRHSLOC(Rhs, 0).end;                   \
    (Cur).end = (N) ? YYRHSLOC(Rhs, N).end : YYRHSLOC(Rhs, 0).end;                       \
  } while (0)
#define YYMALLOC(size) memory_resize(NULL, size)
#define YYFREE(block) memory_resize(block, 0)
#define YYMAXDEPTH READING_STACK

/* A node of kind K over the whole production, with its kids (NULLs are left out). */
#define N(K, ...) \
  build(reading, N_##K, yyloc, yyloc, NULL, NULL, (Node *[]){__VA_ARGS__, NULL}, \
        sizeof((Node *[]){__VA_ARGS__}) / sizeof(Node *))
/* The same with the name (and the place of the name) that it carries. */
#define NAMED(K, text, at, ...) \
  build(reading, N_##K, yyloc, at, text, NULL, (Node *[]){__VA_ARGS__, NULL}, \
        sizeof((Node *[]){__VA_ARGS__}) / sizeof(Node *))
#define TAGGED(K, text, at, tag, ...) \
  build(reading, N_##K, yyloc, at, text, tag, (Node *[]){__VA_ARGS__, NULL}, \
        sizeof((Node *[]){__VA_ARGS__}) / sizeof(Node *))
#define LEAF(K, text) build(reading, N_##K, yyloc, yyloc, text, NULL, NULL, 0)
#define ADD(list, kid) add(reading, list, kid, yyloc)

/* After a mistake the feed has found where to go on: every further mistake is worth a report. */
#define MEND                            \
  do {                                  \
    if (reading->stuck) break;          \
    if (reading->skipping) yyclearin;   \
    yyerrok;                            \
  } while (0)

static int yylex(YYSTYPE *value, Span *span, Reading *reading) {
  return feed_next(reading, value, span);
}
static void yyerror(const Span *span, Reading *reading, const char *message) {
  (void)message;
  reading_too_deep(reading, *span);
}
}

%token WHOLE_FILE EXPRESSION
%token <text> IDENT "name" INT "number" FRACTION "fraction" STRING "text" ROW "board row" THROW "dice"
%token <text> KIND "rule kind" CLAUSE "clause" TAKE "take" EFFECTS "do" OWNER "friend" IF "if"
%token <text> ON "on" NO "no" ALL "all" SOME "some" IS "is" AS "as" OR "or" CHOOSE "choose" TURN "turn"
%token <text> REGION "region" LET "let" PATH "path" PIECE "piece" PARAM "param" STATE "state" LABEL "label"
%token <text> DICE "dice_" POCKET "pocket" PHASE "phase" HOOK "hook" BOARD "board" SETUP "setup" SCENARIO "scenario"
%token <text> PLAYERS "players"
%token GAME "game" HOUSE "house" LIBRARY "library" EXTENDS "extends" USE "use" NEEDS "needs"
%token SYMBOL "symbol" PLACE "place" PATTERN "pattern"
%token SET "set" CHANGE "change" REPLACE "replace" REMOVE "remove" BEFORE "before"
%token PUT "put" MAKE "make" INTO "into" RAISE "raise" LOWER "lower" BY "by" GAIN "gain"
%token LINE "line" RUN "run"
%token GIVEN "given" PLAY "play" LEGAL "legal" ILLEGAL "illegal" BECAUSE "because" ANSWER "answer" EXPECT "expect"
%token AND "and" NOT "not" EXCEPT "except" IN "in" OF "of" AT "at" WHERE "where" COUNT "count"
%token DOTDOT ".." NE "!=" LE "<=" GE ">="

/* from loosest to tightest: binder, conditions, comparisons, quantifiers, sets, arithmetic, of */
%left WHERE
%left OR
%left AND
%precedence NOT
%nonassoc '=' NE '<' '>' LE GE IN
%precedence ALL SOME NO
%precedence COUNT
%left AT EXCEPT
%nonassoc DOTDOT
%left '+' '-'
%left '*'
%right OF

%type <node> file unit extends_opt items item def items_in head owner_opt scope_opt if_opt doc_opt doc doc_text
%type <node> names spec values spreads spread named value symbol_opt rule pattern_opt args_opt record clauses clause
%type <node> effects effect target edit layout layout_part exprs expr cells cell steps step ints because mv part hop
%type <node> ways_opt site
%type <text> word plain_word free_word tag head_name

%%

top: WHOLE_FILE file                         { reading->tree = $file; }
   | EXPRESSION expr                         { reading->tree = $expr; }
   ;

/* ---- units ---- */

file: %empty                                 { $$ = LEAF(FILE, NULL); }
   | file unit                               { yyerrok; $$ = ADD($1, $2); }
   | file error                              { $$ = $1; MEND; }
   ;
unit: GAME doc extends_opt items_in          { $$ = NAMED(GAME, title($2), first_of_doc($2), $2, $3, $4); }
   | HOUSE doc EXTENDS STRING items_in       { $$ = NAMED(HOUSE, title($2), first_of_doc($2), $2, extended(reading, $4, @4), $5); }
   | LIBRARY IDENT doc_opt items_in          { $$ = NAMED(LIBRARY, $2, @2, $3, $4); }
   | GAME error items_in                {  $$ = NAMED(GAME, "", @1, no_doc(reading, @1), $3); }
   | HOUSE error items_in                {  $$ = NAMED(HOUSE, "", @1, no_doc(reading, @1), extended(reading, "", @1), $3); }
   | LIBRARY error items_in                {  $$ = NAMED(LIBRARY, "", @1, $3); }
   ;
extends_opt: %empty                          { $$ = NULL; }
   | EXTENDS STRING                          { $$ = extended(reading, $2, @2); }
   ;
items_in: '{' items '}'                      { $$ = $2; }
   ;
items: %empty                                { $$ = LEAF(ITEMS, NULL); }
   | items item                              { yyerrok; $$ = ADD($1, $2); }
   | items error                             { $$ = $1; MEND; }
   ;
item: def | edit
   ;

/* ---- definitions ---- */

def: USE STRING                              { $$ = NAMED(USE, $2, @2, NULL); }
   | NEEDS names doc_opt                     { $$ = N(NEEDS, $2, $3); }
   | PLAYERS names                           { $$ = N(PLAYERS, $2); }
   | BOARD IDENT record                      { $$ = NAMED(BOARD, $2, @2, $3); }
   | POCKET names doc_opt                    { $$ = N(POCKET, $2, $3); }
   | REGION IDENT owner_opt '=' expr doc_opt { $$ = NAMED(REGION, $2, @2, $3, wrap(reading, N_BODY, $5), $6); }
   | LET IDENT owner_opt '=' expr doc_opt    { $$ = NAMED(LET, $2, @2, $3, wrap(reading, N_BODY, $5), $6); }
   | PATH IDENT owner_opt '=' exprs doc_opt  { $$ = NAMED(PATH, $2, @2, $3, $5, $6); }
   | PIECE names OF IDENT symbol_opt doc_opt { $$ = N(PIECE, $2, owned(reading, $4, @4), $5, $6); }
   | PARAM IDENT '=' spec doc_opt            { $$ = NAMED(PARAM, $2, @2, $4, $5); }
   | STATE IDENT scope_opt '=' spec doc_opt  { $$ = NAMED(STATE, $2, @2, $3, $5, $6); }
   | LABEL IDENT scope_opt '=' spec doc_opt  { $$ = NAMED(LABEL, $2, @2, $3, $5, $6); }
   | DICE IDENT record                       { $$ = NAMED(DICE, $2, @2, $3); }
   | SETUP '{' layout '}'                    { $$ = NAMED(SETUP, NULL, @1, $3); }
   | HOOK IDENT IS IDENT STRING doc_opt      { $$ = TAGGED(HOOK, $2, @2, $4, hook_file(reading, $5, @5), $6); }
   | PATTERN KIND IDENT args_opt doc_opt record { $$ = TAGGED(PATTERN, $3, @3, $2, $4, $5, $6); }
   | PHASE IDENT if_opt doc_opt items_in     { $$ = NAMED(PHASE, $2, @2, $3, $4, $5); }
   | SCENARIO doc '{' steps '}'              { $$ = NAMED(SCENARIO, title($2), first_of_doc($2), $2, $4); }
   | rule
   ;
owner_opt: %empty                            { $$ = NULL; }
   | OF IDENT                                { $$ = owned(reading, $2, @2); }
   ;
scope_opt: owner_opt
   | OF TURN                                 { $$ = owned(reading, $2, @2); }
   ;
if_opt: %empty                               { $$ = NULL; }
   | IF expr                                 { $$ = wrap(reading, N_BODY, $2); }
   ;
symbol_opt: %empty                           { $$ = NULL; }
   | SYMBOL names                            { $$ = rekind($2, N_SYMBOLS); }
   ;
doc_opt: %empty                              { $$ = NULL; }
   | doc
   ;
doc: STRING                                  { $$ = N(DOC, LEAF(DOC_TEXT, $1)); }
   | doc doc_text                            { $$ = ADD($1, $2); }
   ;
doc_text: tag STRING                         { $$ = TAGGED(DOC_TEXT, $2, @2, $1, NULL); }
   ;
tag: IDENT | NO | IS | AS | OR               /* languages are named no, is, as and or, too */
   ;
names: IDENT                                 { $$ = N(NAMES, LEAF(WORD, $1)); }
   | names ',' IDENT                         { $$ = ADD($1, leaf(reading, N_WORD, $3, @3)); }
   ;

spec: value                                  { $$ = N(SPEC_ONE, $1); }
   | value IN expr                           { $$ = N(SPEC_RANGE, $1, wrap(reading, N_BODY, $3)); }
   | value IN expr named                     { $$ = adopt(reading, N(SPEC_RANGE, $1, wrap(reading, N_BODY, $3)), $4); }
   | values
   | spreads
   ;
named: '|' free_word '=' INT                 { $$ = N(NAMES, number(reading, NAMED(NAMED, $2, @2, NULL), $4, @4)); }
   | named '|' free_word '=' INT             { $$ = ADD($1, number(reading, named(reading, $3, @3, @5), $5, @5)); }
   ;
values: value '|' value                      { $$ = N(SPEC_VALUES, $1, $3); }
   | values '|' value                        { $$ = ADD($1, $3); }
   ;
spreads: spread                              { $$ = N(SPEC_SPREAD, $1); }
   | spreads ',' spread                      { $$ = ADD($1, $3); }
   ;
spread: value ON expr                        { $$ = N(SPREAD, $1, wrap(reading, N_BODY, $3)); }
   ;
value: INT                                   { $$ = number(reading, LEAF(VALUE, $1), $1, @1); }
   | FRACTION                                { $$ = fraction(reading, LEAF(VALUE, $1)); }
   | free_word                               { $$ = LEAF(VALUE, $1); $$->number = -1; }
   ;
free_word: IDENT | plain_word
   ;
plain_word: word | ON | NO | ALL | SOME | KIND        /* words of the language that are values, too */
   ;

/* ---- rules ---- */

rule: KIND IDENT pattern_opt doc_opt record  { $$ = TAGGED(RULE, $2, @2, $1, $3, $4, $5); }
   | TURN pattern_opt doc_opt record         { $$ = TAGGED(RULE, $1, @1, $1, $2, $3, $4); }
   ;
pattern_opt: %empty                          { $$ = NULL; }
   | IS IDENT args_opt                       { $$ = NAMED(IS, $2, @2, $3); }
   ;
args_opt: %empty                             { $$ = NULL; }
   | '(' exprs ')'                           { $$ = rekind($2, N_ARGS); }
   ;
record: '{' clauses '}'                      { $$ = $2; }
   ;
clauses: %empty                              { $$ = LEAF(CLAUSES, NULL); }
   | clauses clause                          { yyerrok; $$ = ADD($1, $2); }
   | clauses error                           { $$ = $1; MEND; }
   ;
clause: CLAUSE exprs                         { $$ = adopt(reading, NAMED(CLAUSE, $1, @1, NULL), $2); }
   | IF expr                                 { $$ = NAMED(CLAUSE, $1, @1, $2); }
   | TAKE expr                               { $$ = NAMED(CLAUSE, $1, @1, $2); }
   | CHOOSE IDENT IN exprs                   { $$ = adopt(reading, TAGGED(CLAUSE, $1, @1, $2, NULL), $4); }
   | EFFECTS effects                         { $$ = adopt(reading, NAMED(CLAUSE, $1, @1, NULL), $2); }
   | REMOVE word                             { $$ = NAMED(CLAUSE_REMOVE, $2, @2, NULL); }
   ;
word: CLAUSE | TAKE | EFFECTS | IF | CHOOSE
   ;
effects: effect                              { $$ = N(CLAUSES, $1); }
   | effects ',' effect                      { $$ = ADD($1, $3); }
   ;
effect: TAKE expr                            { $$ = N(DO_TAKE, $2); }
   | PUT expr ON expr                        { $$ = N(DO_PUT, $2, $4); }
   | MAKE expr INTO expr                     { $$ = N(DO_MAKE, $2, $4); }
   | SET target '=' expr                     { $$ = N(DO_SET, $2, $4); }
   | SET target '=' plain_word                { $$ = N(DO_SET, $2, leaf(reading, N_E_WORD, $4, @4)); }
   | RAISE target BY expr                    { $$ = N(DO_RAISE, $2, $4); }
   | LOWER target BY expr                    { $$ = N(DO_LOWER, $2, $4); }
   | GAIN expr                               { $$ = N(DO_GAIN, $2); }
   | IDENT                                   { $$ = LEAF(DO_HOOK, $1); }
   ;
target: IDENT                                { $$ = LEAF(TARGET, $1); }
   | IDENT OF expr                           { $$ = NAMED(TARGET, $1, @1, $3); }
   | PHASE                                   { $$ = LEAF(TARGET, $1); }
   ;

/* ---- layers ---- */

edit: SET IDENT '=' value                    { $$ = NAMED(SET, $2, @2, $4); }
   | CHANGE head doc_opt record              { $$ = N(CHANGE, $2, $3, $4); }
   | REPLACE def                             { $$ = N(REPLACE, $2); }
   | REMOVE head                             { $$ = N(REMOVE, $2); }
   | BEFORE IDENT rule                       { $$ = NAMED(BEFORE, $2, @2, $3); }
   ;
head: IDENT                                  { $$ = NAMED(HEAD, $1, @1, NULL); } /* refused with what it is */
   | KIND IDENT                              { $$ = TAGGED(HEAD, $2, @2, $1, NULL); }
   | head_name IDENT                         { $$ = TAGGED(HEAD, $2, @2, $1, NULL); }
   | SCENARIO STRING                         { $$ = TAGGED(HEAD, $2, @2, $1, NULL); }
   | TURN                                    { $$ = TAGGED(HEAD, NULL, @1, $1, NULL); }
   | BOARD                                   { $$ = TAGGED(HEAD, NULL, @1, $1, NULL); }
   | SETUP                                   { $$ = TAGGED(HEAD, NULL, @1, $1, NULL); }
   ;
head_name: REGION | LET | PATH | PIECE | PARAM | STATE | LABEL | DICE | POCKET | PHASE | HOOK
   ;

/* ---- positions ---- */

layout: %empty                               { $$ = LEAF(LAYOUT, NULL); }
   | layout layout_part                      { yyerrok; $$ = ADD($1, $2); }
   | layout error                            { $$ = $1; MEND; }
   ;
layout_part: ROW                             { $$ = number(reading, LEAF(ROW, $1), $1, @1); }
   | PLACE IDENT OF IDENT ON exprs if_opt    { $$ = placed(TAGGED(PLACE, $2, @2, $4, $6, rekind($7, N_IF)), 1); }
   | PLACE INT IDENT OF IDENT ON exprs if_opt { $$ = number(reading, TAGGED(PLACE, $3, @3, $5, $7, rekind($8, N_IF)), $2, @2); }
   | SET target '=' expr                     { $$ = N(PUT_STATE, $2, $4); }
   | SET target '=' plain_word                { $$ = N(PUT_STATE, $2, leaf(reading, N_E_WORD, $4, @4)); }
   ;

/* ---- scenarios ---- */

steps: %empty                                { $$ = LEAF(STEPS, NULL); }
   | steps step                              { yyerrok; $$ = ADD($1, $2); }
   | steps error                             { $$ = $1; MEND; }
   ;
step: GIVEN IDENT                            { $$ = NAMED(ST_GIVEN, $2, @2, NULL); }
   | GIVEN '{' layout '}'                    { $$ = N(ST_GIVEN, $3); }
   | SET target '=' expr                     { $$ = N(ST_SET, $2, $4); }
   | SET target '=' plain_word                { $$ = N(ST_SET, $2, leaf(reading, N_E_WORD, $4, @4)); }
   | DICE ints                               { $$ = adopt(reading, N(ST_DICE, NULL), $2); }
   | TURN IDENT                              { $$ = NAMED(ST_TURN, $2, @2, NULL); }
   | PLAY mv                                 { $$ = N(ST_PLAY, $2); }
   | LEGAL mv                                { $$ = N(ST_LEGAL, $2); }
   | ILLEGAL mv BECAUSE because              { $$ = N(ST_ILLEGAL, $2, $4); }
   | ANSWER EFFECTS                          { $$ = answer(reading, NAMED(ST_ANSWER, $2, @2, NULL)); }
   | EXPECT expr                             { $$ = N(ST_EXPECT, $2); }
   ;
ints: INT                                    { $$ = N(BODY, number(reading, LEAF(E_INT, $1), $1, @1)); }
   | ints ',' INT                            { $$ = ADD($1, number(reading, leaf(reading, N_E_INT, $3, @3), $3, @3)); }
   ;
because: IDENT                               { $$ = LEAF(BECAUSE, $1); }
   | IDENT '.' word                          { $$ = TAGGED(BECAUSE, $1, @1, $3, NULL); }
   | TURN                                    { $$ = LEAF(BECAUSE, $1); }
   | TURN '.' word                           { $$ = TAGGED(BECAUSE, $1, @1, $3, NULL); }
   ;
mv: part                                     { $$ = N(MOVE, $1); }
   | mv ',' part                             { $$ = ADD($1, $3); }
   ;
part: hop
   | IDENT                                   { $$ = LEAF(PICK, $1); }
   | IDENT '=' INT                           { $$ = TAGGED(PICK, $1, @1, $3, NULL); }
   | IDENT '=' free_word                     { $$ = TAGGED(PICK, $1, @1, $3, NULL); }
   ;
hop: site '-' site                           { $$ = NAMED(HOP, NULL, @1, $1, $3); }
   | IDENT site '-' site                     { $$ = NAMED(HOP, $1, @1, $2, $4); }
   | hop '-' site                            { $$ = ADD($1, $3); }
   ;
site: IDENT                                  { $$ = LEAF(WORD, $1); }
   | INT                                     { $$ = LEAF(WORD, $1); }
   ;

/* ---- expressions ---- */

exprs: expr                                  { $$ = N(BODY, $1); }
   | exprs ',' expr                          { $$ = ADD($1, $3); }
   ;
expr: INT                                    { $$ = number(reading, LEAF(E_INT, $1), $1, @1); }
   | FRACTION                                { $$ = fraction(reading, LEAF(E_FRACTION, $1)); }
   | THROW                                   { $$ = fraction(reading, LEAF(E_THROW, $1)); }
   | IDENT                                   { $$ = LEAF(E_NAME, $1); }
   | OWNER                                   { $$ = LEAF(E_OWNER, $1); }
   | OWNER IDENT                             { $$ = TAGGED(E_OWNER, $1, @1, $2, NULL); }
   | '(' expr ')'                            { $$ = in_brackets($2, @$); }
   | IDENT '(' exprs ')'                     { $$ = adopt(reading, NAMED(E_CALL, $1, @1, NULL), $3); }
   | LINE ways_opt '[' cells ']'             { $$ = adopt(reading, NAMED(E_LINE, NULL, @1, $2), $4); }
   | COUNT expr                              { $$ = NAMED(E_COUNT, NULL, @1, $2); }
   | expr OF expr                            { $$ = NAMED(E_OF, NULL, @2, $1, $3); }
   | expr AT expr                            { $$ = NAMED(E_AT, NULL, @2, $1, $3); }
   | expr EXCEPT expr                        { $$ = NAMED(E_EXCEPT, NULL, @2, $1, $3); }
   | expr '+' expr                           { $$ = NAMED(E_ADD, NULL, @2, $1, $3); }
   | expr '-' expr                           { $$ = NAMED(E_SUB, NULL, @2, $1, $3); }
   | expr '*' expr                           { $$ = NAMED(E_MUL, NULL, @2, $1, $3); }
   | expr DOTDOT expr                        { $$ = NAMED(E_RANGE, NULL, @2, $1, $3); }
   | expr WHERE expr                         { $$ = NAMED(E_WHERE, NULL, @2, $1, $3); }
   | ALL expr                                { $$ = NAMED(E_ALL, NULL, @1, $2); }
   | SOME expr                               { $$ = NAMED(E_SOME, NULL, @1, $2); }
   | NO expr                                 { $$ = NAMED(E_NO, NULL, @1, $2); }
   | expr '=' expr                           { $$ = NAMED(E_EQ, NULL, @2, $1, $3); }
   | expr NE expr                            { $$ = NAMED(E_NE, NULL, @2, $1, $3); }
   | expr '=' plain_word                     { $$ = NAMED(E_EQ, NULL, @2, $1, leaf(reading, N_E_WORD, $3, @3)); }
   | expr NE plain_word                      { $$ = NAMED(E_NE, NULL, @2, $1, leaf(reading, N_E_WORD, $3, @3)); }
   | expr '<' expr                           { $$ = NAMED(E_LT, NULL, @2, $1, $3); }
   | expr '>' expr                           { $$ = NAMED(E_GT, NULL, @2, $1, $3); }
   | expr LE expr                            { $$ = NAMED(E_LE, NULL, @2, $1, $3); }
   | expr GE expr                            { $$ = NAMED(E_GE, NULL, @2, $1, $3); }
   | expr IN expr                            { $$ = NAMED(E_IN, NULL, @2, $1, $3); }
   | NOT expr                                { $$ = NAMED(E_NOT, NULL, @1, $2); }
   | expr AND expr                           { $$ = NAMED(E_AND, NULL, @2, $1, $3); }
   | expr OR expr                            { $$ = NAMED(E_OR, NULL, @2, $1, $3); }
   ;
ways_opt: %empty                             { $$ = NULL; }
   | '(' expr ')'                            { $$ = N(LINE_WAYS, $2); }
   ;
cells: cell                                  { $$ = N(BODY, $1); }
   | cells ',' cell                          { $$ = ADD($1, $3); }
   ;
cell: expr                                   { $$ = N(CELL, $1); }
   | expr AS IDENT                           { $$ = NAMED(CELL, $3, @3, $1); }
   | expr RUN                                { $$ = placed(N(CELL, $1), 1); }
   | expr RUN AS IDENT                       { $$ = placed(NAMED(CELL, $4, @4, $1), 1); }
   | expr RUN INT                            { $$ = length(reading, N(CELL, $1), $3, @3); }
   | expr RUN INT AS IDENT                   { $$ = length(reading, NAMED(CELL, $5, @5, $1), $3, @3); }
   ;

%%

static int yyreport_syntax_error(const yypcontext_t *context, Reading *reading) {
  enum { MOST = YYNTOKENS };
  yysymbol_kind_t wanted[MOST];
  int n = yypcontext_expected_tokens(context, wanted, MOST);
  bool expected[YYNTOKENS] = {false};
  for (int i = 0; i < n; i++) expected[wanted[i]] = true;
  complain(reading, (int)yypcontext_token(context), *yypcontext_location(context), expected);
  return 0;
}

int parser_symbols(void) {
  return YYNTOKENS;
}
const char *parser_symbol_name(int symbol) {
  return yysymbol_name((yysymbol_kind_t)symbol);
}
int parser_symbol(int token) {
  return YYTRANSLATE(token);
}
