/* Scenarios: the tests that stand in the rules files. Each runs on a fresh engine; a scenario
 * that sets params runs on the game resolved again with them. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "front/load.h"

typedef struct ScenarioResult {
  bool ok;
  Span where;         /* of the step that failed, else of the title */
  char message[1600]; /* what happened instead; "" if ok */
} ScenarioResult;

/* Runs a scenario of the rules. `options`: those with which the rules were loaded; what the
 * scenario sets comes after them. */
void scenario_run(Loading *loading, const Rules *rules, int index, const OptionSetting *options,
                  int option_n, ScenarioResult *result);

#endif
