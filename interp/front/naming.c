/* Names of a finished game: sites and their synonyms, kinds, players, rules. */
#include "front/load.h"

#include <string.h>

int rules_site(const Rules *rules, const char *name) {
  for (int s = 0; s < rules->board.sites; s++)
    if (!strcmp(rules->board.name[s], name)) return s;
  for (int l = 0; l < rules->labels; l++) {
    const Label *label = &rules->label[l];
    if (label->type != TYPE_VALUES) continue;
    int at = -1, n = 0;
    for (int s = 0; s < rules->board.sites; s++)
      if (label->value[s] >= 0 && !strcmp(rules->atom[label->value[s]], name)) {
        at = s;
        n++;
      }
    if (n == 1) return at;
  }
  return -1;
}

int rules_kind(const Rules *rules, const char *name) {
  for (int i = 0; i < rules->kinds; i++)
    if (!strcmp(rules->kind[i].name, name)) return i;
  return -1;
}

int rules_player(const Rules *rules, const char *name) {
  for (int i = 0; i < rules->players; i++)
    if (!strcmp(rules->player[i], name)) return i;
  return -1;
}

int rules_rule(const Rules *rules, const char *name) {
  for (int i = 0; i < rules->rules; i++)
    if (!strcmp(rules->rule[i].name, name)) return i;
  return -1;
}
