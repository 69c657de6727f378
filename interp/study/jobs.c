#include "study/jobs.h"

#include <pthread.h>

#include "base/arena.h"

typedef struct Job {
  pthread_t thread;
  JobWork *work;
  void *worker;
} Job;

static void *run(void *argument) {
  Job *job = argument;
  job->work(job->worker);
  return NULL;
}

void jobs_run(void *worker, size_t size, int n, JobWork *work) {
  Job *job = memory_resize(NULL, sizeof *job * (size_t)n);
  for (int i = 0; i < n; i++)
    job[i] = (Job){.work = work, .worker = (char *)worker + size * (size_t)i};
  int started = 1;
  while (started < n && pthread_create(&job[started].thread, NULL, run, &job[started]) == 0) started++;
  work(job[0].worker);
  for (int i = 1; i < started; i++) pthread_join(job[i].thread, NULL);
  for (int i = started; i < n; i++) work(job[i].worker);
  memory_resize(job, 0);
}
