/* The flat game, printed as a game that could be read again: definitions as they were
 * written, rules clause by clause with those of their patterns filled in, each with its
 * origin. */
#include "front/resolve.h"

#include <ctype.h>
#include <string.h>

typedef struct Show {
  Build *build;
  FILE *out;
  bool origins;
} Show;

const char *expr_op_name(int op) {
  static const char *const names[] = {
#define EXPR(name, type, meaning) #name,
#include "front/exprs.def"
#undef EXPR
  };
  return op >= 0 && op < X_COUNT_OF_OPS ? names[op] : "?";
}

/* The source between two offsets on one line, comments left out. */
static const char *one_line(const Show *show, Span span) {
  const Source *source = &show->build->loading->sources.at[span.file];
  char *text = arena_alloc(show->build->arena, (size_t)(span.end - span.start) + 2);
  int n = 0;
  bool quoted = false;
  for (int i = span.start; i < span.end; i++) {
    char c = source->text[i];
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '#')
      while (i < span.end && source->text[i] != '\n') i++;
    if (i >= span.end) break;
    c = source->text[i];
    if (!quoted && (c == '\n' || c == '\t' || c == '\r')) c = ' ';
    if (!quoted && c == ' ' && n && text[n - 1] == ' ') continue;
    text[n++] = c;
  }
  while (n && text[n - 1] == ' ') n--;
  text[n] = 0;
  return text;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void origin(const Show *show, Span span, const char *note) {
  if (show->origins && span.file >= 0) {
    int line, column;
    source_locate(&show->build->loading->sources, span, &line, &column);
    fprintf(show->out, "  # %s:%d%s%s",
            base_name(show->build->loading->sources.at[span.file].name), line,
            note ? ", " : "", note ? note : "");
  } else if (note) {
    fprintf(show->out, "  # %s", note);
  }
  fputc('\n', show->out);
}

/* The text with the pattern's words replaced by what the rule gives for them. */
static const char *with_arguments(const Show *show, const char *text, const Node *params,
                                  const Node *args) {
  Arena *arena = show->build->arena;
  const char *out = "";
  for (const char *p = text; *p;) {
    const char *q = p;
    if (!isalpha((unsigned char)*p) && *p != '_') {
      while (*q && !isalpha((unsigned char)*q) && *q != '_') q++;
      out = arena_printf(arena, "%s%.*s", out, (int)(q - p), p);
      p = q;
      continue;
    }
    while (isalnum((unsigned char)*q) || *q == '_') q++;
    const Node *arg = args ? args->kid : NULL, *found = NULL;
    for (const Node *k = params ? params->kid : NULL; k && arg;
         k = k->next, arg = arg->next)
      if (strlen(k->text) == (size_t)(q - p) && !strncmp(k->text, p, (size_t)(q - p)))
        found = arg;
    if (found) {
      const char *given = one_line(show, found->span);
      bool simple = !strchr(given, ' ');
      out = arena_printf(arena, simple ? "%s%s" : "%s(%s)", out, given);
    } else {
      out = arena_printf(arena, "%s%.*s", out, (int)(q - p), p);
    }
    p = q;
  }
  return out;
}

static void show_clause(const Show *show, const FlatClause *c, const Def *def,
                        const Def *pattern, const char *indent) {
  const Node *first = c->node->kid;
  if (!first) return;
  Span value = {c->node->span.file, c->node->name.end, c->node->span.end};
  const char *text = one_line(show, value);
  while (*text == ' ') text++;
  if (pattern)
    text = with_arguments(show, text, node_find(pattern->node, N_ARGS),
                          def->is ? node_find(def->is, N_ARGS) : NULL);
  fprintf(show->out, "%s  %-8s %s", indent, c->word, text);
  origin(show, c->node->span,
         pattern ? arena_printf(show->build->arena, "pattern %s", pattern->name) : NULL);
}

static void show_doc(const Show *show, const char *doc, const char *ru) {
  if (doc) fprintf(show->out, " \"%s\"", doc);
  if (doc && ru) fprintf(show->out, " ru \"%s\"", ru);
}

static const char *russian(const Show *show, const Node *node) {
  return node_doc(node, names_intern0(show->build->names, "ru"));
}

static const Def *pattern_of(const Show *show, const Def *def) {
  return def->is ? flat_find(show->build->flat, N_PATTERN, def->is->text, NULL) : NULL;
}

static void show_rule(const Show *show, const Def *def, const char *indent) {
  const Def *pattern = pattern_of(show, def);
  const Rule *rule = NULL;
  if (def->rule != RULE_TURN) {
    int i = rules_rule(show->build->rules, def->name);
    rule = i >= 0 ? &show->build->rule[i] : NULL;
    fprintf(show->out, "%s%s %s", indent, rule_kind_word(def->rule), def->name);
    if (rule) show_doc(show, rule->doc, rule->doc_ru);
  } else {
    fprintf(show->out, "%s%s", indent, def->partial ? "change turn" : "turn");
    show_doc(show, node_doc(def->said, NULL), russian(show, def->said));
  }
  fprintf(show->out, " {");
  origin(show, def->span, rule && !rule->exists ? "not with these options" : NULL);
  for (int i = 0; i < CLAUSE_COUNT; i++) {
    const char *word = clause_word((ClauseId)i);
    const FlatClause *c = def_clause(def, word);
    if (c && c->node)
      show_clause(show, c, def, NULL, indent);
    else if (!c && pattern && (c = def_clause(pattern, word)) && c->node)
      show_clause(show, c, def, pattern, indent);
  }
  fprintf(show->out, "%s}\n", indent);
}

/* The number, name or site that a param has now, if it is not what its line says. */
static const char *param_note(const Show *show, const Def *def) {
  const Rules *rules = show->build->rules;
  for (int i = 0; i < rules->params; i++) {
    const Param *p = &rules->param[i];
    if (p->name != def->name) continue;
    const Node *spec = spec_of(def->node), *first = spec ? spec->kid : NULL;
    const char *now = p->type == TYPE_VALUES ? p->values[p->value]
                      : p->type == TYPE_SITES
                          ? rules->board.name[p->value]
                          : arena_printf(show->build->arena, "%d", p->value);
    if (first && first->text && !strcmp(first->text, now)) return NULL;
    return arena_printf(show->build->arena, "now %s", now);
  }
  return NULL;
}

static void show_record(const Show *show, const Def *def) {
  fprintf(show->out, "  %s %s {", def_word(def),
          def->kind == N_BOARD ? def->node->text : def->name);
  origin(show, def->span, NULL);
  for (const FlatClause *c = def->clauses; c; c = c->next)
    if (c->node && *c->word) show_clause(show, c, def, NULL, "  ");
  fprintf(show->out, "  }\n");
}

static void show_setup(const Show *show, const Def *def) {
  fprintf(show->out, "  setup {");
  origin(show, def->span, NULL);
  const Node *layout = node_find(def->node, N_LAYOUT);
  for (const Node *n = layout ? layout->kid : NULL; n; n = n->next)
    fprintf(show->out, "    %s\n", one_line(show, n->span));
  fprintf(show->out, "  }\n");
}

static void show_def(const Show *show, const Def *def) {
  switch (def->kind) {
    case N_RULE:
      show_rule(show, def, "  ");
      return;
    case N_BOARD:
    case N_DICE:
      show_record(show, def);
      return;
    case N_SETUP:
      show_setup(show, def);
      return;
    case N_PIECE:
    case N_POCKET:
      if (def->which > 0) return;
      break;
    default:
      break;
  }
  fprintf(show->out, "  %s", one_line(show, def->node->span));
  origin(show, def->span, def->kind == N_PARAM ? param_note(show, def) : NULL);
}

static void show_phase(const Show *show, const Def *phase) {
  const Node *body = node_find(phase->node, N_BODY);
  fprintf(show->out, "  phase %s", phase->name);
  if (body) fprintf(show->out, " if %s", one_line(show, body->kid->span));
  show_doc(show, node_doc(phase->node, NULL), russian(show, phase->node));
  fprintf(show->out, " {");
  origin(show, phase->span, NULL);
  for (const Def *d = show->build->flat->first; d; d = d->next)
    if (!d->removed && d->kind == N_RULE && d->phase == phase->name)
      show_rule(show, d, "    ");
  fprintf(show->out, "  }\n");
}

void load_print_rules(Loading *loading, const Rules *rules, bool origins, FILE *out) {
  Build *build = loading_build(loading, rules);
  if (!build) return;
  Show show = {build, out, origins};
  fprintf(out, "game \"%s\"", rules->title);
  if (rules->title_ru) fprintf(out, " ru \"%s\"", rules->title_ru);
  fprintf(out, " {\n");
  for (int part = 0; part < 2; part++) /* definitions, then rules */
    for (const Def *d = build->flat->first; d; d = d->next) {
      if (d->removed || d->kind == N_SCENARIO || d->kind == N_NEEDS ||
          d->kind == N_PATTERN)
        continue;
      bool rule = d->kind == N_RULE || d->kind == N_PHASE;
      if (rule != (part == 1)) continue;
      if (d->kind == N_PHASE)
        show_phase(&show, d);
      else if (d->kind != N_RULE || !d->phase)
        show_def(&show, d);
    }
  fprintf(out, "}\n");
}
