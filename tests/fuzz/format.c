/* What parses is laid out, parses again to the same tokens, and is laid out as before. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "front/format.h"
#include "front/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds) {
  if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new("fuzz");
  Sources sources = {.arena = arena};
  Diags diags;
  diags_init(&diags, &sources, arena);
  int file, again;
  if (source_from_text(&sources, "fuzz", (const char *)data, size, &file) == SOURCE_OK) {
    const char *once = format_source(arena, &sources, file, &diags);
    if (once) {
      require(source_from_text(&sources, "again", once, strlen(once), &again) == SOURCE_OK);
      const char *twice = format_source(arena, &sources, again, &diags);
      require(twice && strcmp(once, twice) == 0);
      Tokens a = parse_tokens(arena, &sources, file);
      Tokens b = parse_tokens(arena, &sources, again);
      require(a.n == b.n);
      for (int i = 0; i < a.n; i++) require(a.at[i].kind == b.at[i].kind);
    }
  }
  arena_free(arena);
  return 0;
}
