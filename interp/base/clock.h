/* How long something takes. */
#ifndef CLOCK_H
#define CLOCK_H

/* Seconds since some moment before the program began; never goes back. */
double clock_now(void);

#endif
