/* From a file or a name to Rules: read, parse, link layers and libraries, resolve, check. */
#ifndef LOAD_H
#define LOAD_H

#include "front/rules.h"

/* Everything that a loading leaves behind: sources for carets, diagnostics, the rules. */
typedef struct Loading Loading;

typedef struct OptionSetting { /* -o name=value, or `set` in a scenario */
  const char *name, *value;
} OptionSetting;

/* Where libraries and rules are looked for: $TAVL_HOME, else folders beside the program
 * (DIR/stdlib, DIR/rules with DIR the source tree or PREFIX/share/tavl). `home` NULL: found
 * from /proc/self/exe. */
Loading *loading_new(const char *home);
void loading_free(Loading *loading);

typedef enum LoadStatus {
  LOAD_OK,      /* rules usable (there may be warnings) */
  LOAD_FAULTY,  /* diagnostics with errors; exit 1 for check, 2 for other commands */
  LOAD_MISSING  /* no such file or game; the diags say what was looked for, with suggestions */
} LoadStatus;

/* Loads GAME (a path, or a name found under rules/ and house/ folders). `lint` adds the
 * findings (warnings) of check; without it only errors are sought. The result belongs to
 * the loading. A bad option (unknown name, value out of range) is an error without a span
 * that names the option and what is possible. */
LoadStatus load_game(Loading *loading, const char *game, const OptionSetting *options,
                     int option_n, bool lint, const Rules **rules);
/* The same game with other options (scenarios set params): everything parsed stays. */
LoadStatus load_again(Loading *loading, const Rules *rules, const OptionSetting *options,
                      int option_n, const Rules **again);
/* Checks a file that holds only a library: parsed, and its names resolved as far as a
 * library can be without a game. */
LoadStatus load_check(Loading *loading, const char *path);

Diags *loading_diags(Loading *loading);
Sources *loading_sources(Loading *loading);
/* Names of all games found under rules/, sorted; count to *n. */
const char *const *loading_games(Loading *loading, int *n);

/* An expression of a scenario (expect …, set … = …), with the scenario's extra names
 * (legal_turns, points, outcome, victims, moved …). NULL and diags on error. */
const Expr *load_expression(Loading *loading, const Rules *rules, const Node *node, Type wanted);
/* `set` and `place` of a scenario or a `given`: effects that may also set turn_count, turns,
 * starter, overruns, passes, quiet and phase. */
bool load_effect(Loading *loading, const Rules *rules, const Node *put_state, Effect *effect);
/* A layout (`given { … }`) as counts [planes][sites] and effects; false and diags on error. */
bool load_layout(Loading *loading, const Rules *rules, const Node *layout, uint16_t *count,
                 Effects *effects);
/* A site or synonym (D5), kind, player by name; -1 if there is none. */
int rules_site(const Rules *rules, const char *name);
int rules_kind(const Rules *rules, const char *name);
int rules_player(const Rules *rules, const char *name);
int rules_rule(const Rules *rules, const char *name);

/* The flat game after inheritance, with the origin of each rule and clause, for `show` and
 * `dump rules`. */
void load_print_rules(Loading *loading, const Rules *rules, bool origins, FILE *out);

#endif
