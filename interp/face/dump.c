/* tavl dump: what the program sees in a file or a game. */
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "face/call.h"
#include "face/engine.h"
#include "front/parse.h"

static const char about[] =
    "Looks inside:\n"
    "  tavl dump tokens FILE     the words of a file, with their places\n"
    "  tavl dump tree FILE       the syntax tree\n"
    "  tavl dump rules GAME      the flat game after inheritance, with the origin of "
    "each clause\n"
    "  tavl dump kernel GAME     the operations it is lowered to\n"
    "  tavl dump native GAME     the same printed as C";

static void print_tokens(const Sources *sources, const Tokens *tokens, int file) {
  for (int i = 0; i < tokens->n; i++) {
    const Token *token = &tokens->at[i];
    int line, column;
    source_locate(sources, (Span){file, token->start, token->end}, &line, &column);
    printf("%d:%d\t%s\t%.*s\n", line, column, parse_token_name(token->kind),
           token->end - token->start, sources->at[file].text + token->start);
  }
}

static int dump_file(const Call *call, const char *path, bool tree) {
  Arena *arena = arena_new("dump");
  Sources sources = {.arena = arena};
  Diags diags;
  diags_init(&diags, &sources, arena);
  int file = diags_open(&diags, path);
  if (file >= 0 && tree) {
    tree_print(parse_file(&diags, names_new(arena), arena, file), stdout);
  } else if (file >= 0) {
    Tokens tokens = parse_tokens(arena, &sources, file);
    print_tokens(&sources, &tokens, file);
  }
  diags_print(&diags, stderr, isatty(STDERR_FILENO) && call_colour(call));
  int status = file < 0 ? EXIT_COULD_NOT : diags.errors ? EXIT_NO : EXIT_FINE;
  arena_free(arena);
  return status;
}

int command_dump(int argc, char **argv) {
  static const char *const what[] = {"tokens", "tree", "rules", "kernel", "native"};
  Call call;
  int status;
  uint64_t options = OPT_BIT(HELP) | OPT_BIT(SET) | OPT_BIT(PLAIN);
  if (!call_begin(&call, "dump", options, about, 2, 2, argc, argv, &status))
    return status;
  const char *word = call.operand[0];
  if (strcmp(word, "tokens") == 0) return dump_file(&call, call.operand[1], false);
  if (strcmp(word, "tree") == 0) return dump_file(&call, call.operand[1], true);
  if (strcmp(word, "rules") == 0) {
    if (!call_load(&call, call.operand[1], &status)) return call_end(&call, status);
    load_print_rules(call.loading, call.rules, true, stdout);
    return call_end(&call, EXIT_FINE);
  }
  if (strcmp(word, "kernel") == 0 || strcmp(word, "native") == 0) {
    if (!call_load(&call, call.operand[1], &status)) return call_end(&call, status);
    return call_end(&call, dump_kernel(&call, word[0] == 'n', stdout));
  }
  const char *near = text_nearest(word, what, 5);
  return call_fail(&call, EXIT_COULD_NOT, "dump: tokens, tree, rules, kernel or native, not `%s`%s%s%s",
                   word, near ? "; did you mean `" : "", near ? near : "",
                   near ? "`?" : "");
}
