/* Scenarios, as far as they can be checked without playing. */
#include "front/resolve.h"

void check_scenarios(Build *build) { (void)build; }
void check_library(Loading *loading, const Unit *unit) { (void)loading; (void)unit; }
