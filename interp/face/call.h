/* One call of the program: a command with its options, its game, and how it answers.
 * Commands return an exit status: 0 fine, 1 the answer is no, 2 could not. */
#ifndef CALL_H
#define CALL_H

#include <jansson.h>
#include <stdio.h>
#include "front/load.h"
#include "play/lister.h"

enum { EXIT_FINE = 0, EXIT_NO = 1, EXIT_COULD_NOT = 2 };
enum { CALL_VALUES_MAX = 64 };
#define TAVL_VERSION "0.1"

typedef enum OptionId {
#define OPTION(id, name, letter, argument, help) OPT_##id,
#include "face/options.def"
#undef OPTION
  OPT_COUNT
} OptionId;
#define OPT_BIT(id) ((uint64_t)1 << OPT_##id)
#define OPT_GAME \
  (OPT_BIT(HELP) | OPT_BIT(JSON) | OPT_BIT(SET) | OPT_BIT(LANG) | OPT_BIT(PLAIN))

typedef struct CommandInfo {
  const char *name, *operands, *summary;
  int (*run)(int argc, char **argv);
} CommandInfo;
#define COMMAND(name, operands, summary) int command_##name(int argc, char **argv);
#include "face/commands.def"
#undef COMMAND
/* The i-th command, or NULL at the end. */
const CommandInfo *command_info(int i);

typedef struct Call {
  const CommandInfo *info;
  uint64_t options;  /* those the command takes */
  const char *about; /* text of its --help, below the usage line */
  const char
      *value[OPT_COUNT]; /* of the options given; "" without an argument; else NULL */
  OptionSetting setting[CALL_VALUES_MAX]; /* -o, in order */
  int settings;
  const char *as[CALL_VALUES_MAX]; /* --as, in order */
  int as_n;
  int n; /* operands */
  char **operand;
  bool json, russian, plain;
  Loading *loading;
  const Rules *rules;
  Engine *engine;
  Lister *lister; /* of commands that let the engine be chosen: call_open */
  Kernel *kernel; /* … and what it lists by, or NULL */
} Call;

/* Reads the command line. True: go on; false: the command is over with *status (help
 * shown, or a usage error told). `least` and `most` operands; `most` -1: any number. */
bool call_begin(Call *call, const char *name, uint64_t options, const char *about,
                int least, int most, int argc, char **argv, int *status);
/* Loads the game named and makes an engine; else tells why and sets *status. */
bool call_load(Call *call, const char *game, int *status);
/* Whether the word is the name of a game under rules/, or of a rules file. */
bool call_names_game(const char *word);
/* Frees what the call holds; passes the status on. */
int call_end(Call *call, int status);

/* Tells what went wrong: on standard error, with --json also as {"error": …}. Returns
 * the status (EXIT_COULD_NOT or EXIT_NO). */
int call_fail(const Call *call, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints a line in which something stands that comes from outside: a path, a typed line, a
 * word of a record, a message of a script. It is made fit for a terminal. */
void call_say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a JSON value and a newline on standard output, and frees it. Fields keep their
 * order. */
void call_print(json_t *value);
/* Any bytes as a JSON string: what is no UTF-8 becomes `?`, and a text of thousands is cut. */
json_t *call_text(const char *text);
/* The value of an option as a whole number within low .. high; `otherwise` if not given.
 * False after telling. */
bool call_number(const Call *call, OptionId id, int64_t low, int64_t high,
                 int64_t otherwise, int64_t *number);
/* Reads dice as "6,3" (a comma, a hyphen or blanks between); at most DICE_MAX. False: not
 * dice. */
bool dice_read(const char *text, int *faces, int *n);
/* The sentence of a rule in the language of the call, or "". */
const char *call_sentence(const Call *call, const char *english, const char *russian);
/* Whether standard output takes colour and UTF-8. */
bool call_colour(const Call *call);
/* A whole file, or standard input for "-"; memory_resize(…, 0) frees it. NULL and *why on
 * failure. The text is zero-terminated; NUL bytes are kept. */
char *file_read(const char *path, size_t most, size_t *length, const char **why);
/* The next line, as getline, which frees it too; -1 at the end or *why. A line has at most
 * FILE_LINE_MAX bytes. */
enum { FILE_LINE_MAX = 16 << 20 };
ssize_t file_line(FILE *file, char **line, size_t *room, const char **why);
/* Writes a file under a temporary name and renames it. False and errno. */
bool file_write(const char *path, const char *text, size_t length);

#endif
