/* tavl: finds the command and runs it; sees to it that what was printed has arrived. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "face/call.h"

/* The names of the games that are installed, a few a line. */
static void print_games(FILE *out) {
  enum { WIDTH = 78 };
  Loading *loading = loading_new(NULL);
  int n;
  size_t column = 0;
  const char *const *games = loading_games(loading, &n);
  for (int i = 0; i < n; i++) {
    size_t length = strlen(games[i]) + 1;
    bool fresh = column == 0 || column + length > WIDTH;
    fprintf(out, "%s%s%s", fresh ? (i ? "\n  " : "\nGames:\n  ") : " ", games[i],
            i + 1 < n ? "," : "\n");
    column = fresh ? 2 + length : column + 1 + length;
  }
  loading_free(loading);
}

static void print_help(FILE *out) {
  fprintf(out,
          "tavl: a language for old board games, and the program that runs it\n\n"
          "usage: tavl COMMAND … [OPTION]…\n\n");
  for (int i = 0; command_info(i); i++)
    fprintf(out, "  %-9s %s\n", command_info(i)->name, command_info(i)->summary);
  fprintf(out,
          "\ntavl help COMMAND tells more. tavl --version prints the version.\n"
          "GAME is a rules file, or the name of a game found under rules/;\n"
          "-o PARAM=VALUE sets an option of the game; tavl show GAME lists them.\n");
  print_games(out);
}

static const CommandInfo *find_command(const char *word) {
  for (int i = 0; command_info(i); i++)
    if (strcmp(command_info(i)->name, word) == 0) return command_info(i);
  return NULL;
}

static int unknown_command(const char *word) {
  const char *names[64];
  char list[1024];
  size_t n = 0, length = 0;
  *list = 0;
  for (int i = 0; command_info(i) && n < 64; i++) {
    names[n++] = command_info(i)->name;
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "",
                               command_info(i)->name);
  }
  const char *near = text_nearest(word, names, n);
  if (near)
    call_say(stderr, "tavl: there is no command `%s`; did you mean `%s`? (see tavl --help)",
             word, near);
  else if (call_names_game(word))
    call_say(stderr, "tavl: `%s` is a game; a command stands before it, as in tavl play %s",
             word, word);
  else
    call_say(stderr, "tavl: there is no command `%s`; there are: %s (see tavl --help)",
             word, list);
  return EXIT_COULD_NOT;
}

/* `tavl help COMMAND` is `tavl COMMAND --help`. */
static int help(const char *word) {
  char flag[] = "--help", *argv[] = {NULL, flag, NULL};
  if (!word) {
    print_help(stdout);
    return EXIT_FINE;
  }
  const CommandInfo *command = find_command(word);
  if (!command) return unknown_command(word);
  argv[0] = (char *)(uintptr_t)word;
  return command->run(2, argv);
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return EXIT_COULD_NOT;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
      strcmp(word, "help") == 0)
    return help(argv[2]);
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("tavl %s\n", TAVL_VERSION);
    return EXIT_FINE;
  }
  const CommandInfo *command = find_command(word);
  if (command) return command->run(argc - 1, argv + 1);
  if (word[0] != '-') return unknown_command(word);
  call_say(stderr, "tavl: there is no option `%s` before a command (see tavl --help)",
           word);
  return EXIT_COULD_NOT;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is told like a full disk */
  setlocale(LC_CTYPE, "");
  int status = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "tavl: standard output cannot be written: %s\n", strerror(errno));
    return EXIT_COULD_NOT;
  }
  return status;
}
