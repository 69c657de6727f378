/* A line from the person at the terminal, with editing and history; else plain lines. */
#ifndef PROMPT_H
#define PROMPT_H

/* The line without its newline, valid until the next call; NULL at the end of the input.
 */
const char *prompt_line(const char *prompt);
/* Why no line could be read though the input had not ended; else NULL. */
const char *prompt_failure(void);

#endif
