/* Prints what play/explain has found out. */
#include "face/reason.h"

#include <string.h>
#include "face/exchange.h"

void reason_name(const Reason *reason, char *text, size_t room) {
  const char *rule = reason->rule_name ? reason->rule_name : "";
  bool clause = *rule && reason->clause >= 0;
  snprintf(text, room, "%s%s%s", rule, clause ? "." : "",
           clause ? clause_word((ClauseId)reason->clause) : "");
}

void reason_line(const Call *call, const Reason *reason, char *text, size_t room) {
  char name[128];
  reason_name(reason, name, sizeof name);
  const char *sentence = call_sentence(call, reason->sentence, reason->sentence_ru);
  snprintf(text, room, "%s%s%s%s%s%s%s", name, *name ? ": " : "", sentence,
           *sentence && reason->detail[0] ? " — " : "", reason->detail,
           reason->better[0] ? "; better: " : "", reason->better);
}

static void print_source(const Call *call, Span where, FILE *out) {
  const Sources *sources = loading_sources(call->loading);
  if (where.file < 0 || where.file >= sources->n) return;
  int line, column;
  source_locate(sources, where, &line, &column);
  size_t length;
  const char *text = source_line(sources, where.file, line, &length);
  Span end = {where.file, where.end, where.end};
  int end_line, end_column;
  source_locate(sources, end, &end_line, &end_column);
  fprintf(out, "  %s:%d:%d\n    %.*s\n    ", sources->at[where.file].name, line, column,
          (int)length, text);
  for (int i = 1; i < column; i++)
    fputc(i <= (int)length && text[i - 1] == '\t' ? '\t' : ' ', out);
  int width = end_line == line ? end_column - column : 1;
  for (int i = 0; i < width || i < 1; i++) fputc('^', out);
  fputc('\n', out);
}

/* A line of a legal move with the sentence of its rule. */
static void write_line(const Call *call, const Reason *reason, int i, char *text,
                       size_t room) {
  int rule = reason->line_rule[i];
  const char *sentence = "";
  if (rule >= 0)
    sentence = call_sentence(call, call->rules->rule[rule].doc, call->rules->rule[rule].doc_ru);
  snprintf(text, room, "%s%s%s", reason->line[i], *sentence ? " — " : "", sentence);
}

void reason_print(const Call *call, const char *move, const Reason *reason, bool source,
                  FILE *out) {
  char name[128];
  bool ru = call->russian;
  reason_name(reason, name, sizeof name);
  const char *verdict =
      reason->legal ? (ru ? "можно" : "is legal") : (ru ? "нельзя" : "is not legal");
  call_say(out, "%s %s%s%s", move, verdict, *name ? ": " : "", name);
  const char *sentence = call_sentence(call, reason->sentence, reason->sentence_ru);
  if (*sentence) fprintf(out, "  %s\n", sentence);
  if (reason->detail[0]) call_say(out, "  %s", reason->detail);
  if (!sites_is_empty(&reason->witness)) {
    fprintf(out, "  %s", ru ? "поля:" : "see:");
    SITES_FOR(site, reason->witness)
    if (site < call->rules->board.sites)
      fprintf(out, " %s", call->rules->board.name[site]);
    fprintf(out, "\n");
  }
  if (reason->better[0])
    fprintf(out, "  %s %s\n", ru ? "лучше:" : "better:", reason->better);
  char line[1024];
  for (int i = 0; i < reason->lines; i++) {
    write_line(call, reason, i, line, sizeof line);
    fprintf(out, "  %s\n", line);
  }
  if (source) print_source(call, reason->where, out);
}

static json_t *text_or_null(const char *text) {
  return text && *text ? call_text(text) : json_null();
}

static json_t *source_json(const Call *call, Span where) {
  const Sources *sources = loading_sources(call->loading);
  if (where.file < 0 || where.file >= sources->n) return json_null();
  int line, column;
  source_locate(sources, where, &line, &column);
  return json_pack("{s:s, s:i, s:i}", "file", sources->at[where.file].name, "line", line,
                   "column", column);
}

json_t *reason_json(const Call *call, struct Exchange *x, const char *move,
                    const Reason *reason) {
  json_t *json = json_object(), *witness = json_array(), *lines = json_array();
  SITES_FOR(site, reason->witness)
  if (site < x->rules->board.sites)
    json_array_append_new(witness, json_string(x->rules->board.name[site]));
  char line[1024];
  for (int i = 0; i < reason->lines; i++) {
    write_line(call, reason, i, line, sizeof line);
    json_array_append_new(lines, text_or_null(line));
  }
  json_object_set_new(json, "move", text_or_null(move));
  json_object_set_new(json, "legal", json_boolean(reason->legal));
  json_object_set_new(json, "rule", text_or_null(reason->rule_name));
  json_object_set_new(
      json, "clause",
      text_or_null(reason->clause >= 0 ? clause_word((ClauseId)reason->clause) : NULL));
  json_object_set_new(
      json, "sentence",
      text_or_null(call_sentence(call, reason->sentence, reason->sentence_ru)));
  json_object_set_new(json, "detail", text_or_null(reason->detail));
  json_object_set_new(json, "witness", witness);
  json_object_set_new(json, "better", text_or_null(reason->better));
  json_object_set_new(json, "lines", lines);
  json_object_set_new(json, "source", source_json(call, reason->where));
  return json;
}
