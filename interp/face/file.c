/* Whole files in and out, for the commands. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "face/call.h"

char *file_read(const char *path, size_t most, size_t *length, const char **why) {
  bool is_input = strcmp(path, "-") == 0;
  FILE *file = is_input ? stdin : fopen(path, "rb");
  if (!file) {
    *why = strerror(errno);
    return NULL;
  }
  size_t room = 4096, n = 0;
  char *text = memory_resize(NULL, room);
  *why = NULL;
  for (;;) {
    size_t got = fread(text + n, 1, room - n - 1, file);
    n += got;
    if (n > most) {
      *why = "it is too large";
      break;
    }
    if (got == 0) {
      if (ferror(file)) *why = strerror(errno);
      break;
    }
    if (n + 1 == room) text = memory_resize(text, room *= 2);
  }
  if (!is_input) fclose(file);
  if (*why) {
    memory_resize(text, 0);
    return NULL;
  }
  text[n] = 0;
  *length = n;
  return text;
}

ssize_t file_line(FILE *file, char **line, size_t *room, const char **why) {
  size_t n = 0;
  int c;
  *why = NULL;
  flockfile(file);
  while ((c = getc_unlocked(file)) != EOF) {
    if (n == FILE_LINE_MAX) {
      *why = "a line is too long";
      break;
    }
    if (n + 1 >= *room) *line = memory_resize(*line, *room = *room ? *room * 2 : 256);
    (*line)[n++] = (char)c;
    if (c == '\n') break;
  }
  if (ferror(file)) *why = strerror(errno);
  funlockfile(file);
  if (*why || n == 0) return -1;
  (*line)[n] = 0;
  return (ssize_t)n;
}

static bool write_all(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(file, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text += n;
    length -= (size_t)n;
  }
  return true;
}

/* Beside the target, so that the renaming is one step; through a link, so that it stays
 * one. */
bool file_write(const char *path, const char *text, size_t length) {
  char *real = realpath(path, NULL);
  const char *target = real ? real : path;
  struct stat old;
  bool exists = stat(target, &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) { /* a device or a pipe is written as it is */
    int file = open(target, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && write_all(file, text, length);
    if (file >= 0 && close(file) != 0) good = false;
    free(real);
    return good;
  }
  char *name = memory_resize(NULL, strlen(target) + 8);
  sprintf(name, "%s.XXXXXX", target);
  int file = mkstemp(name);
  bool good = file >= 0;
  if (good) {
    mode_t mask = umask(0);
    umask(mask);
    fchmod(file, exists ? old.st_mode & 07777 : 0666 & ~mask);
    good = write_all(file, text, length) && fsync(file) == 0;
    if (close(file) != 0) good = false;
    if (good && rename(name, target) != 0) good = false;
    int why = errno;
    if (!good) unlink(name);
    errno = why;
  }
  memory_resize(name, 0);
  free(real);
  return good;
}
