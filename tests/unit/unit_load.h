/* What the tests of games share: games of one loading, which tear_down gives back. */
#ifndef UNIT_LOAD_H
#define UNIT_LOAD_H

#include "unit.h"
#include "front/load.h"

static Loading *loading;

static inline const Rules *load(const char *path) {
  const Rules *rules;
  if (!loading) loading = loading_new(".");
  assert_int_equal(load_game(loading, path, NULL, 0, false, &rules), LOAD_OK);
  return rules;
}

static inline int tear_down(void **state) {
  (void)state;
  loading_free(loading);
  loading = NULL;
  return 0;
}

#endif
