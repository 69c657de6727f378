/* Scenarios: the tests that stand in the rules files. Each runs on a fresh engine; a scenario
 * that sets params runs on the game resolved again with them. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "front/load.h"
#include "study/fast.h"

typedef struct ScenarioResult {
  bool ok;
  Span where;         /* of the step that failed, else of the title */
  char message[1600]; /* what happened instead; "" if ok */
} ScenarioResult;

/* Who finds the turns beside the reference, which always does. With kernel or machine code as the choice every
 * position at which a scenario asks for turns is looked at by that, too, and the scenario fails where they differ
 * (study/agree.h). Begins with choice set and nothing else; the kernel of the rules is kept from one scenario to the next. */
typedef struct ScenarioBy {
  EngineChoice choice;
  const Rules *rules;
  Kernel *kernel;
} ScenarioBy;
void scenario_by_end(ScenarioBy *by);

/* Runs a scenario of the rules. `options`: those with which the rules were loaded; what the
 * scenario sets comes after them. `by`: NULL for the reference alone. */
void scenario_run(Loading *loading, const Rules *rules, int index, const OptionSetting *options,
                  int option_n, ScenarioBy *by, ScenarioResult *result);

#endif
