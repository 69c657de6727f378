/* Reasons in words and in JSON. */
#ifndef REASON_H
#define REASON_H

#include "face/call.h"
#include "play/explain.h"

struct Exchange;

/* A reason over several lines; with `source` the place in the rules file, with a caret.
 */
void reason_print(const Call *call, const char *move, const Reason *reason, bool source,
                  FILE *out);
json_t *reason_json(const Call *call, struct Exchange *x, const char *move,
                    const Reason *reason);
/* In one line, for records. */
void reason_line(const Call *call, const Reason *reason, char *text, size_t room);
/* "rule.clause", "rule", or "". */
void reason_name(const Reason *reason, char *text, size_t room);

#endif
