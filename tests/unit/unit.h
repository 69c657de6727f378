/* What the unit tests share: cmocka in the order that it wants, and a text file as a
 * source. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* What `print` writes to a stream, as a text to be freed. */
#define CAPTURE(text, out, print)                       \
  char *text = NULL;                                    \
  do {                                                  \
    size_t capture_length;                              \
    FILE *out = open_memstream(&text, &capture_length); \
    print;                                              \
    fclose(out);                                        \
  } while (0)

#endif
