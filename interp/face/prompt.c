/* Line editing and history by libedit, only when there is a terminal on both sides. */
#include "face/prompt.h"

#include <editline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "face/call.h"

static const char *edited(const char *prompt) {
  static char *line;
  free(line);
  line = readline(prompt);
  if (line && *line) add_history(line);
  return line;
}

static const char *failure;

static const char *plain(const char *prompt) {
  static char *line;
  static size_t room;
  fputs(prompt, stdout);
  fflush(stdout);
  if (file_line(stdin, &line, &room, &failure) < 0) return NULL;
  line[strcspn(line, "\r\n")] = 0;
  return line;
}

const char *prompt_line(const char *prompt) {
  fflush(stdout);
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? edited(prompt) : plain(prompt);
}

const char *prompt_failure(void) {
  return failure;
}
