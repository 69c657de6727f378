/* Any bytes: a tree and messages, or a refusal; never a crash. */
#include <stdint.h>
#include "front/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new("fuzz");
  Sources sources = {.arena = arena};
  Diags diags;
  diags_init(&diags, &sources, arena);
  int file;
  if (source_from_text(&sources, "fuzz", (const char *)data, size, &file) == SOURCE_OK) {
    Names *names = names_new(arena);
    const Node *tree = parse_file(&diags, names, arena, file);
    parse_expression(&diags, names, arena, file);
    FILE *out = fopen("/dev/null", "w");
    if (out) {
      tree_print(tree, out);
      diags_print(&diags, out, true);
      fclose(out);
    }
    diags_json(&diags);
  }
  arena_free(arena);
  return 0;
}
