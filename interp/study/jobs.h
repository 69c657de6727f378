/* The same work for several workers at once. */
#ifndef JOBS_H
#define JOBS_H

#include <stddef.h>

typedef void JobWork(void *worker);
/* Calls `work` for each of n workers, which are `size` bytes each, and returns when all are done: the
 * first works here, the others in threads, or one by one where no thread is to be had. */
void jobs_run(void *worker, size_t size, int n, JobWork *work);

#endif
