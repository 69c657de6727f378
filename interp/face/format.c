/* tavl format: the canonical layout of rules files. */
#include "front/format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "face/call.h"

static const char about[] =
    "Prints rules files in their canonical layout. Comments stay, and the words are "
    "never\n"
    "changed; formatting twice changes nothing more. --write rewrites the files in "
    "place,\n"
    "--check only says which are not in canonical layout (exit 1).";

/* 0, 1 or 2 for one file. */
static int format_file(const Call *call, const char *path) {
  Arena *arena = arena_new("format");
  Sources sources = {.arena = arena};
  Diags diags;
  diags_init(&diags, &sources, arena);
  int status = EXIT_FINE;
  int file = diags_open(&diags, path);
  char *text = file < 0 ? NULL : format_source(arena, &sources, file, &diags);
  if (!text) {
    diags_print(&diags, stderr, isatty(STDERR_FILENO) && call_colour(call));
    status = EXIT_COULD_NOT;
  } else {
    const Source *source = &sources.at[file];
    size_t length = strlen(text);
    bool same = length == source->length && memcmp(text, source->text, length) == 0;
    if (call->value[OPT_COMPARE]) {
      if (!same) call_say(stdout, "%s is not in canonical layout", path);
      status = same ? EXIT_FINE : EXIT_NO;
    } else if (!call->value[OPT_WRITE]) {
      fwrite(text, 1, length, stdout);
    } else if (!same && !file_write(path, text, length)) {
      status = call_fail(call, EXIT_COULD_NOT, "%s cannot be written: %s", path,
                         strerror(errno));
    }
  }
  arena_free(arena);
  return status;
}

int command_format(int argc, char **argv) {
  Call call;
  int status;
  uint64_t options = OPT_BIT(HELP) | OPT_BIT(PLAIN) | OPT_BIT(COMPARE) | OPT_BIT(WRITE);
  if (!call_begin(&call, "format", options, about, 1, -1, argc, argv, &status))
    return status;
  if (call.value[OPT_COMPARE] && call.value[OPT_WRITE])
    return call_fail(&call, EXIT_COULD_NOT,
                     "--check writes nothing: not together with --write");
  int worst = EXIT_FINE;
  for (int i = 0; i < call.n; i++) {
    status = format_file(&call, call.operand[i]);
    if (status > worst) worst = status;
  }
  return worst;
}
