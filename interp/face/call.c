/* The command line: options by getopt_long from the one list, messages, help. */
#include "face/call.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/text.h"
#include "play/explain.h"
#include "play/kernel.h"

static const CommandInfo commands[] = {
#define COMMAND(name, operands, summary) {#name, operands, summary, command_##name},
#include "face/commands.def"
#undef COMMAND
};

const CommandInfo *command_info(int i) {
  return i >= 0 && i < (int)(sizeof commands / sizeof *commands) ? &commands[i] : NULL;
}

static const struct {
  const char *name;
  int letter;
  const char *argument;
  const char *help;
} about_option[] = {
#define OPTION(id, name, letter, argument, help) {name, letter, argument, help},
#include "face/options.def"
#undef OPTION
};

static bool takes(const Call *call, int id) {
  return (call->options >> id) & 1;
}

static void print_help(const Call *call) {
  printf("usage: tavl %s %s [OPTION]…\n\n%s\n\noptions:\n", call->info->name,
         call->info->operands, call->about);
  for (int i = 0; i < OPT_COUNT; i++) {
    if (!takes(call, i)) continue;
    char left[64];
    char letter[8] = "    ";
    if (about_option[i].letter)
      snprintf(letter, sizeof letter, "-%c, ", about_option[i].letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, about_option[i].name,
             about_option[i].argument ? " " : "",
             about_option[i].argument ? about_option[i].argument : "");
    int columns = text_columns(left, strlen(left));
    printf("  %s%*s  %s\n", left, columns < 28 ? 28 - columns : 0, "",
           about_option[i].help);
  }
  printf("%s", strstr(call->info->operands, "GAME")
                   ? "\nGAME is a rules file, or the name of a game found under rules/.\n"
                   : "\n");
  printf(
      "exit status: 0 fine, 1 the answer is no, 2 it could not be done\n");
}

json_t *call_text(const char *text) {
  char clean[2048];
  size_t n = 0, length = strlen(text);
  for (size_t i = 0; i < length && n + 4 < sizeof clean;) {
    int size = text_char(text + i, length - i);
    if (size == 0) {
      clean[n++] = '?';
      i++;
      continue;
    }
    for (int k = 0; k < size; k++) clean[n++] = text[i++];
  }
  return json_stringn(clean, n);
}

static void say(FILE *out, const char *before, const char *format, va_list arguments) {
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) return;
  text_tame(text);
  fprintf(out, "%s%s\n", before, text);
  free(text);
}

void call_say(FILE *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(out, "", format, arguments);
  va_end(arguments);
}

int call_fail(const Call *call, int status, const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  va_start(arguments, format);
  say(stderr, "tavl: ", format, arguments);
  va_end(arguments);
  if (call->json) {
    char text[2048];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_tame(text);
    call_print(json_pack("{s:o}", "error", call_text(text)));
  }
  return status;
}

/* JSON as text: what is not seen, or steers a terminal, is written by its number. */
static void print_seen(const char *text, FILE *out) {
  const char *from = text, *at = text;
  for (size_t left = strlen(text); left > 0;) {
    int n = text_char(at, left);
    uint32_t code = text_code(at, n);
    at += n; /* what is below a blank is escaped already */
    if ((n > 1 || code == 0x7F) && text_unseen(code)) {
      fwrite(from, 1, (size_t)(at - n - from), out);
      if (code > 0xFFFF)
        fprintf(out, "\\u%04x\\u%04x", 0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF));
      else
        fprintf(out, "\\u%04x", code);
      from = at;
    }
    left -= (size_t)n;
  }
  fwrite(from, 1, (size_t)(at - from), out);
}

/* JSON_PRESERVE_ORDER is jansson's default since 2.8 and a no-op after; named for
 * readers. */
void call_print(json_t *value) {
  char *text =
      value ? json_dumps(value, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15)) : NULL;
  if (!text) {
    fprintf(stderr, "tavl: out of memory\n");
    exit(EXIT_COULD_NOT);
  }
  print_seen(text, stdout);
  putchar('\n');
  free(text);
  json_decref(value);
}

static int unknown_option(const Call *call, const char *word) {
  char name[64];
  snprintf(name, sizeof name, "%s", word + strspn(word, "-"));
  name[strcspn(name, "=")] = 0;
  if (strcmp(name, about_option[OPT_ENGINE].name) == 0)
    return call_fail(call, EXIT_COULD_NOT,
                     "%s: there is no option `%s`: here the reference engine does it all; an engine is chosen for "
                     "test, moves, play, replay, perft and simulate",
                     call->info->name, word);
  const char *known[OPT_COUNT];
  for (int i = 0; i < OPT_COUNT; i++)
    known[i] = takes(call, i) ? about_option[i].name : NULL;
  const char *near = text_nearest(name, known, OPT_COUNT);
  return call_fail(call, EXIT_COULD_NOT,
                   "%s: there is no option `%s`%s%s%s (see tavl %s --help)",
                   call->info->name, word, near ? "; did you mean `--" : "",
                   near ? near : "", near ? "`?" : "", call->info->name);
}

static bool split_setting(Call *call, char *word, int *status) {
  char *equals = strchr(word, '=');
  if (!equals || equals == word || call->settings == CALL_VALUES_MAX) {
    *status = call_fail(call, EXIT_COULD_NOT,
                        call->settings == CALL_VALUES_MAX
                            ? "too many options: -o %s"
                            : "-o wants PARAM=VALUE, for example -o seats=3; not `%s`",
                        word);
    return false;
  }
  *equals = 0;
  call->setting[call->settings++] = (OptionSetting){word, equals + 1};
  return true;
}

static bool take_option(Call *call, int id, char *argument, int *status) {
  if (id == OPT_SET) return split_setting(call, argument, status);
  if (id == OPT_AS) {
    if (call->as_n < CALL_VALUES_MAX) call->as[call->as_n++] = argument;
    return true;
  }
  call->value[id] = argument ? argument : "";
  if (id == OPT_LANG) {
    if (strcmp(argument, "ru") != 0 && strcmp(argument, "en") != 0) {
      *status = call_fail(call, EXIT_COULD_NOT, "--lang is en or ru, not `%s`", argument);
      return false;
    }
    call->russian = argument[0] == 'r';
  }
  return true;
}

/* The language of the environment, as for messages of any program. */
static bool speaks_russian(void) {
  const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value) return strncmp(value, "ru", 2) == 0;
  }
  return false;
}

static int build_options(const Call *call, struct option *list, char *letters) {
  int n = 0;
  char *end = letters;
  *end++ = ':';
  for (int i = 0; i < OPT_COUNT; i++) {
    if (!takes(call, i)) continue;
    bool argument = about_option[i].argument != NULL;
    list[n++] = (struct option){
        about_option[i].name, argument ? required_argument : no_argument, NULL, 256 + i};
    if (!about_option[i].letter) continue;
    *end++ = (char)about_option[i].letter;
    if (argument) *end++ = ':';
  }
  list[n] = (struct option){0};
  *end = 0;
  return n;
}

static int id_of(const Call *call, int found) {
  if (found >= 256) return found - 256;
  for (int i = 0; i < OPT_COUNT; i++)
    if (takes(call, i) && about_option[i].letter == found) return i;
  return -1;
}

/* --json decides how a mistake later on the line is told, so it is looked for first. */
static bool asks_for_json(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0) return true;
  return false;
}

bool call_begin(Call *call, const char *name, uint64_t options, const char *about,
                int least, int most, int argc, char **argv, int *status) {
  *call = (Call){.options = options, .about = about, .russian = speaks_russian()};
  for (int i = 0; command_info(i); i++)
    if (strcmp(commands[i].name, name) == 0) call->info = &commands[i];
  call->json = takes(call, OPT_JSON) && asks_for_json(argc, argv);
  struct option list[OPT_COUNT + 1];
  char letters[2 * OPT_COUNT + 2];
  build_options(call, list, letters);
  opterr = 0;
  optind = 1;
  int found;
  while ((found = getopt_long(argc, argv, letters, list, NULL)) != -1) {
    if (found == ':') {
      *status = call_fail(call, EXIT_COULD_NOT, "%s: `%s` wants a value", name,
                          argv[optind - 1]);
      return false;
    }
    if (found == '?') {
      char letter[3] = {'-', (char)optopt, 0};
      bool is_short = optopt && optopt < 256;
      *status = unknown_option(call, is_short ? letter : argv[optind - 1]);
      return false;
    }
    int id = id_of(call, found);
    if (id == OPT_HELP) {
      print_help(call);
      *status = EXIT_FINE;
      return false;
    }
    if (!take_option(call, id, optarg, status)) return false;
  }
  call->plain = call->value[OPT_PLAIN] != NULL;
  call->n = argc - optind;
  call->operand = argv + optind;
  if (call->n >= least && (most < 0 || call->n <= most)) return true;
  if (call->n > most && most >= 0) {
    *status = call_fail(call, EXIT_COULD_NOT,
                        "`%s` is one word too many; usage: tavl %s %s [OPTION]… (see tavl %s "
                        "--help)",
                        call->operand[most], name, call->info->operands, name);
    return false;
  }
  *status =
      call_fail(call, EXIT_COULD_NOT, "usage: tavl %s %s [OPTION]… (see tavl %s --help)",
                name, call->info->operands, name);
  return false;
}

static void report_diags(const Call *call) {
  const Diags *diags = loading_diags(call->loading);
  diags_print(diags, stderr,
              isatty(STDERR_FILENO) && !getenv("NO_COLOR") && !call->plain);
}

bool call_names_game(const char *word) {
  size_t length = strlen(word);
  if (length > 5 && strcmp(word + length - 5, ".tavl") == 0 && access(word, R_OK) == 0)
    return true;
  Loading *loading = loading_new(NULL);
  int n;
  const char *const *games = loading_games(loading, &n);
  bool found = false;
  for (int i = 0; i < n && !found; i++) found = strcmp(games[i], word) == 0;
  loading_free(loading);
  return found;
}

/* The game was not found; it may stand in another's place, as in `why MOVE GAME`. */
static void hint_place(const Call *call, const char *game) {
  int place = 0;
  while (place < call->n && call->operand[place] != game) place++;
  for (int i = 0; i < call->n; i++)
    if (i != place && call_names_game(call->operand[i])) {
      call_say(stderr, "tavl: `%s` is a game: write tavl %s %s", call->operand[i],
               call->info->name, call->info->operands);
      return;
    }
}

bool call_load(Call *call, const char *game, int *status) {
  call->loading = loading_new(NULL);
  LoadStatus load =
      load_game(call->loading, game, call->setting, call->settings, false, &call->rules);
  if (load != LOAD_OK || !call->rules) {
    report_diags(call);
    if (load == LOAD_MISSING) hint_place(call, game);
    if (call->json) {
      json_t *found = json_loads(diags_json(loading_diags(call->loading)), 0, NULL);
      const char *message =
          json_string_value(json_object_get(json_array_get(found, 0), "message"));
      char text[1024];
      snprintf(text, sizeof text, "%s", message ? message : "the game cannot be loaded");
      json_t *error = json_pack("{s:s}", "error", text);
      if (found) json_object_set_new(error, "diagnostics", found);
      call_print(error);
    }
    *status = EXIT_COULD_NOT;
    return false;
  }
  call->engine = engine_new(call->rules);
  explain_speak(call->engine, call->russian);
  return true;
}

int call_end(Call *call, int status) {
  lister_free(call->lister);
  kernel_free(call->kernel);
  if (call->engine) engine_free(call->engine);
  if (call->loading) loading_free(call->loading);
  return status;
}

bool call_number(const Call *call, OptionId id, int64_t low, int64_t high,
                 int64_t otherwise, int64_t *number) {
  const char *text = call->value[id];
  *number = otherwise;
  if (!text) return true;
  if (text_number(text, low, high, number)) return true;
  char letter[8] = "";
  if (about_option[id].letter)
    snprintf(letter, sizeof letter, " (-%c)", about_option[id].letter);
  call_fail(call, EXIT_COULD_NOT,
            "--%s%s wants a whole number from %lld to %lld, not `%s`",
            about_option[id].name, letter, (long long)low, (long long)high, text);
  return false;
}

enum { DIE_WRITTEN_MAX = 1000000 }; /* whether it can fall is asked later */

bool dice_read(const char *text, int *faces, int *n) {
  *n = 0;
  const char *at = text + strspn(text, " ");
  for (;;) {
    int64_t face;
    if (*n == DICE_MAX || !text_digits(&at, DIE_WRITTEN_MAX, &face)) return false;
    faces[(*n)++] = (int)face;
    const char *gap = at;
    at += strspn(at, " ");
    if (*at == 0) return true;
    if (*at == ',' || *at == '-') at++;
    if (at == gap) return false;
    at += strspn(at, " ");
  }
}

const char *call_sentence(const Call *call, const char *english, const char *russian) {
  const char *best = call->russian && russian ? russian : english;
  return best ? best : russian ? russian : "";
}

bool call_colour(const Call *call) {
  const char *no = getenv("NO_COLOR");
  return !call->plain && !(no && *no) && isatty(STDOUT_FILENO);
}
