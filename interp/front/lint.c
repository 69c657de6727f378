/* Findings of `check`: what is allowed and most likely a mistake. */
#include "front/resolve.h"

void lint_rules(Build *build) { (void)build; }
