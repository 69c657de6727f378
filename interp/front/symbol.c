/* The symbol table of a build: names, rules and patterns (three spaces), built-in names
 * and atoms. Entered from the flat game; also finds the word that was probably meant. */
#include "front/resolve.h"

#include <string.h>

static const struct Builtin {
  const char *word, *form, *help;
} builtins[] = {
#define NAME(id, word, form, type, help) {word, form, help},
#include "front/names.def"
#undef NAME
};

BuiltinId builtin_find(const char *word) {
  for (int i = 0; i < BUILTIN_COUNT; i++)
    if (!strcmp(builtins[i].word, word)) return (BuiltinId)i;
  return BUILTIN_COUNT;
}
const char *builtin_word(BuiltinId id) {
  return builtins[id].word;
}
const char *builtin_form(BuiltinId id) {
  return builtins[id].form;
}
const char *builtin_help(BuiltinId id) {
  return builtins[id].help;
}

static unsigned slot_of(const char *name) {
  uintptr_t p = (uintptr_t)name; /* interned: the address is the name */
  return (unsigned)((p >> 3) ^ (p >> 13)) % SYMBOL_SLOTS;
}

Symbol *symbol_find(const Build *build, int space, const char *name) {
  if (!name) return NULL;
  for (Symbol *s = build->slot[space][slot_of(name)]; s; s = s->next)
    if (s->name == name) return s;
  return NULL;
}

static int space_of(NodeKind kind) {
  return kind == N_RULE ? SPACE_RULES : kind == N_PATTERN ? SPACE_PATTERNS : SPACE_NAMES;
}

/* Players are named in one line, so that linking does not meet their names. */
static void say_taken(Build *build, const Symbol *first, NodeKind kind, const char *name,
                      Span span) {
  Diag *d = diag_report(build->diags, DIAG_DEFINED_TWICE, span,
                        "the name `%s` is taken already", name);
  diag_note_at(build->diags, d, first->def->span, "as a %s, here",
               symbol_kind_word(first->kind));
  if (kind == N_PIECE || first->kind == N_PIECE)
    diag_note(build->diags, d,
              "a player and a piece need two names, as in `piece stag of prey`");
}

static Symbol *enter(Build *build, const char *name, NodeKind kind, Def *def, Span span) {
  int space = space_of(kind);
  Symbol *s = symbol_find(build, space, name);
  if (s && (s->kind == N_PLAYERS) != (kind == N_PLAYERS)) say_taken(build, s, kind, name, span);
  if (s) return s; /* a further owner; other clashes were reported while linking */
  s = ARENA_NEW(build->arena, Symbol);
  s->name = name;
  s->kind = kind;
  s->def = def;
  s->index = -1;
  Symbol **slot = &build->slot[space][slot_of(name)];
  s->next = *slot;
  *slot = s;
  build->symbols++;
  return s;
}

static void refuse_builtin(Build *build, const Def *def, const char *name, Span span) {
  if (!name || def->kind == N_RULE || def->kind == N_PATTERN) return;
  BuiltinId id = builtin_find(name);
  if (id == BUILTIN_COUNT) return;
  Diag *d =
      diag_report(build->diags, DIAG_NAME_IS_BUILTIN, span,
                  "`%s` is a word of the language and cannot be defined again", name);
  diag_note(build->diags, d, "`%s`: %s", name, builtin_help(id));
}

void symbols_enter(Build *build) {
  for (Def *d = build->flat->first; d; d = d->next) {
    if (d->removed) continue;
    if (d->kind == N_PLAYERS) {
      const Node *names = node_find(d->node, N_NAMES);
      for (const Node *w = names ? names->kid : NULL; w; w = w->next) {
        refuse_builtin(build, d, w->text, w->span);
        enter(build, w->text, N_PLAYERS, d, w->span);
      }
      continue;
    }
    if (!d->name || d->kind == N_SCENARIO || d->kind == N_NEEDS ||
        (d->kind == N_RULE && d->rule == RULE_TURN))
      continue;
    refuse_builtin(build, d, d->name, d->span);
    enter(build, d->name, d->kind, d, d->span);
  }
}

const char *symbol_kind_word(NodeKind kind) {
  switch (kind) {
    case N_PLAYERS:
      return "player";
    case N_PIECE:
      return "piece";
    case N_REGION:
      return "region";
    case N_LET:
      return "let";
    case N_PATH:
      return "path";
    case N_PARAM:
      return "param";
    case N_STATE:
      return "state";
    case N_LABEL:
      return "label";
    case N_DICE:
      return "dice";
    case N_HOOK:
      return "hook";
    case N_PHASE:
      return "phase";
    case N_POCKET:
      return "pocket";
    case N_PATTERN:
      return "pattern";
    case N_RULE:
      return "rule";
    default:
      return "definition";
  }
}

int atom_find(const Build *build, const char *name) {
  for (int i = 0; i < build->atoms; i++)
    if (build->atom[i] == name) return i;
  return -1;
}

int atom_of(Build *build, const char *name, Span span) {
  int i = atom_find(build, name);
  if (i >= 0) return i;
  if (build->atoms == ATOMS_MAX) {
    if (!build->failed)
      diag_report(
          build->diags, DIAG_TOO_MANY, span,
          "more than %d different values (of params, states and labels, names of rules)",
          ATOMS_MAX);
    build->failed = true;
    return 0;
  }
  build->atom[build->atoms] = name;
  return build->atoms++;
}

const char *symbol_nearest(const Build *build, const char *name, const Domain *hint) {
  if (build->diags->errors > DIAG_MOST) return NULL; /* nobody will see it */
  const char **all = ARENA_ARRAY(build->arena, const char *,
                                 build->symbols + BUILTIN_COUNT + ATOMS_MAX + 3);
  size_t n = 0;
  if (hint && hint->type == TYPE_VALUES) {
    for (int i = 0; i < build->atoms; i++)
      if (sites_has(&hint->atoms, i)) all[n++] = build->atom[i];
    const char *found = n ? text_nearest(name, all, n) : NULL;
    if (found) return found;
  }
  for (int i = 0; i < SYMBOL_SLOTS; i++)
    for (const Symbol *s = build->slot[SPACE_NAMES][i]; s; s = s->next)
      all[n++] = s->name;
  for (int i = 0; i < BUILTIN_COUNT; i++) all[n++] = builtins[i].word;
  all[n++] = "friend";
  all[n++] = "enemy";
  return text_nearest(name, all, n);
}
