/* What the tests of the parser share. */
#ifndef UNIT_PARSE_H
#define UNIT_PARSE_H

#include "unit_text.h"
#include "front/parse.h"

static inline Node *parse(const char *text) {
  return parse_file(&diags, names_new(sources.arena), sources.arena, take(text));
}

static inline void assert_messages(const char *text, const char *expected) {
  parse(text);
  assert_printed(expected);
}

#endif
