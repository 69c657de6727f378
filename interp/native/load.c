/* Compiling and loading. Machine code lies in ${XDG_CACHE_HOME:-~/.cache}/tavl, one file for each
 * hash of source, compiler, flags and processor. The folder is the user's alone; files of anybody
 * else are not touched. A file comes into being under another name and is sealed and renamed when it
 * is whole, so any number of processes may do this at once. What is not as it was sealed is made anew. */
#include "native/native.h"

#ifdef TAVL_NO_NATIVE

bool native_use(Kernel *kernel, bool cached_only, char *why, size_t room) {
  (void)kernel;
  (void)cached_only;
  snprintf(why, room, "this program was built without machine code");
  return false;
}

#else

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

extern char **environ;

enum { PATH_ROOM = 1024, TEXT_ROOM = 4096, WORDS_MOST = 64, LEFT_FOR_DEAD = 24 * 3600 /* seconds */ };

/* ---- the folder ---- */

static bool make_folder(const char *path) {
  struct stat s;
  if (mkdir(path, 0700) == 0) return true;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool cache_folder(char *path, size_t room, char *why, size_t why_room) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n;
  if (cache && cache[0] == '/') {
    n = snprintf(path, room, "%s", cache);
  } else if (home && home[0] == '/') {
    n = snprintf(path, room, "%s/.cache", home);
  } else {
    snprintf(why, why_room, "there is no folder for machine code: neither XDG_CACHE_HOME nor HOME is set");
    return false;
  }
  struct stat s;
  bool good = n > 0 && (size_t)n + 8 < room && make_folder(path);
  if (good) {
    snprintf(path + n, room - (size_t)n, "/tavl");
    good = make_folder(path) && lstat(path, &s) == 0;
  }
  if (!good || !S_ISDIR(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & 077)) {
    snprintf(why, why_room, "the folder %s for machine code is missing, somebody else's, or open to others", path);
    return false;
  }
  return true;
}

/* ---- the compiler ---- */

typedef struct Compiler {
  char path[PATH_ROOM];
  char text[TEXT_ROOM]; /* $CC, cut into words */
  char more[TEXT_ROOM]; /* $TAVL_CFLAGS, likewise */
  char *word[WORDS_MOST];
  int words;
  bool plain; /* knows few flags */
} Compiler;

static bool is_program(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static bool find_program(const char *name, char *path, size_t room) {
  if (strchr(name, '/')) {
    snprintf(path, room, "%s", name);
    return is_program(path);
  }
  for (const char *at = getenv("PATH"); at && *at;) {
    size_t n = strcspn(at, ":");
    snprintf(path, room, "%.*s/%s", (int)n, at, name);
    if (n && is_program(path)) return true;
    at += n + (at[n] == ':');
  }
  return false;
}

/* Cuts a copy of `text` in `copy` (of TEXT_ROOM) into words of the command; false: there are too many. */
static bool add_words(Compiler *c, const char *text, char *copy) {
  if (snprintf(copy, TEXT_ROOM, "%s", text) >= TEXT_ROOM) return false;
  for (char *w = strtok(copy, " \t\n"); w; w = strtok(NULL, " \t\n")) {
    if (c->words == WORDS_MOST) return false;
    c->word[c->words++] = w;
  }
  return true;
}

/* $CC or the first there is; our flags; then $TAVL_CFLAGS, which so have the last word. */
static bool find_compiler(Compiler *c, const char *effort, char *why, size_t room) {
  static const char *const names[] = {"cc", "clang", "gcc", "tcc"};
  const char *wanted = getenv("CC"), *more = getenv("TAVL_CFLAGS");
  for (int i = -1; i < 4; i++) {
    if (i < 0 && (!wanted || !*wanted)) continue;
    c->words = 0;
    bool short_enough = add_words(c, i < 0 ? wanted : names[i], c->text);
    if (short_enough && (!c->words || !find_program(c->word[0], c->path, sizeof c->path))) continue;
    const char *base = strrchr(c->path, '/');
    c->plain = base && strncmp(base + 1, "tcc", 3) == 0;
    const char *const flags[] = {"-std=c11", effort, "-march=native", "-w", "-shared", "-fPIC"};
    for (size_t k = c->plain ? 4 : 0; k < sizeof flags / sizeof *flags; k++)
      if (c->words < WORDS_MOST) c->word[c->words++] = (char *)(uintptr_t)flags[k];
    if (short_enough && add_words(c, more ? more : "", c->more)) return true;
    snprintf(why, room, "CC and TAVL_CFLAGS have more words than the program can hand to a compiler");
    return false;
  }
  snprintf(why, room, "there is no C compiler (CC, cc, clang, gcc, tcc)");
  return false;
}

/* Seconds that a compiler may take: $TAVL_CC_SECONDS, else enough for the largest game on a slow machine. */
static double patience(void) {
  const char *text = getenv("TAVL_CC_SECONDS");
  int64_t n = 0;
  return text && text_digits(&text, 86400, &n) && !*text && n > 0 ? (double)n : 300;
}
/* How the process ended, or that it took too long and was ended. */
static bool wait_for(pid_t pid, int *status) {
  const struct timespec nap = {.tv_nsec = 2000000};
  double end = clock_now() + patience();
  for (pid_t ended; (ended = waitpid(pid, status, WNOHANG)) != pid; nanosleep(&nap, NULL)) {
    if (ended < 0 && errno != EINTR) return false;
    if (clock_now() < end) continue;
    kill(-pid, SIGKILL); /* with all that it has started */
    waitpid(pid, status, 0);
    errno = ETIMEDOUT;
    return false;
  }
  return true;
}

static bool run_compiler(const Compiler *c, const char *source, const char *object) {
  char *word[WORDS_MOST + 4];
  int n = 0;
  for (; n < c->words; n++) word[n] = c->word[n];
  word[n++] = (char *)(uintptr_t) "-o";
  word[n++] = (char *)(uintptr_t)object;
  word[n++] = (char *)(uintptr_t)source;
  word[n] = NULL;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  int status = 1;
  posix_spawnattr_t group;
  posix_spawnattr_init(&group);
  posix_spawnattr_setpgroup(&group, 0);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  bool started = posix_spawn(&pid, c->path, &files, &group, word, environ) == 0;
  posix_spawnattr_destroy(&group);
  posix_spawn_file_actions_destroy(&files);
  return started && wait_for(pid, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
         access(object, F_OK) == 0;
}

/* ---- names ---- */

/* What -march=native means here: another processor of the same home compiles anew. */
static XXH128_hash_t processor_hash(XXH128_hash_t seed) {
  FILE *f = fopen("/proc/cpuinfo", "r");
  char line[8192];
  int lines = 0;
  while (f && lines < 2 && fgets(line, sizeof line, f)) {
    if (strncmp(line, "model name", 10) && strncmp(line, "flags", 5)) continue;
    seed = XXH3_128bits_withSeed(line, strlen(line), seed.low64 ^ seed.high64);
    lines++;
  }
  if (f) fclose(f);
  return seed;
}

static void hash_name(const char *source, size_t size, const Compiler *c, char *name, size_t room) {
  XXH128_hash_t h = XXH3_128bits(source, size);
  struct stat s;
  char about[PATH_ROOM + 2 * TEXT_ROOM];
  int n = snprintf(about, sizeof about, "%s", c->path);
  if (stat(c->path, &s) == 0)
    n += snprintf(about + n, sizeof about - (size_t)n, " %lld %lld", (long long)s.st_size, (long long)s.st_mtime);
  for (int i = 0; i < c->words && (size_t)n < sizeof about - 1; i++)
    n += snprintf(about + n, sizeof about - (size_t)n, " %s", c->word[i]);
  XXH128_hash_t k = XXH3_128bits_withSeed(about, strlen(about), h.low64 ^ h.high64);
  k = processor_hash(k);
  snprintf(name, room, "%016llx%016llx", (unsigned long long)(h.low64 ^ k.high64),
           (unsigned long long)(h.high64 ^ k.low64));
}

/* ---- seals ---- */

/* Of machine code that is cut off or damaged a part would be run before anybody could see that: so
 * a file ends with a hash of all that stands before. */
static XXH128_canonical_t seal_of(const char *text, size_t size) {
  XXH128_canonical_t seal;
  XXH128_canonicalFromHash(&seal, XXH3_128bits_withSeed(text, size, MACHINE_VERSION));
  return seal;
}

/* The whole file, in malloc'd memory, or NULL. */
static char *read_whole(const char *path, size_t *size) {
  struct stat s;
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  if (f && fstat(fileno(f), &s) == 0 && s.st_size > 0) {
    *size = (size_t)s.st_size;
    text = malloc(*size);
    if (text && fread(text, 1, *size, f) != *size) {
      free(text);
      text = NULL;
    }
  }
  if (f) fclose(f);
  return text;
}

static bool add_seal(const char *path) {
  size_t size = 0;
  char *text = read_whole(path, &size);
  if (!text) return false;
  XXH128_canonical_t seal = seal_of(text, size);
  free(text);
  FILE *f = fopen(path, "ab");
  if (!f) return false;
  bool good = fwrite(&seal, sizeof seal, 1, f) == 1;
  return (fclose(f) == 0) & good;
}

static bool is_sealed(const char *path) {
  size_t size = 0;
  char *text = read_whole(path, &size);
  XXH128_canonical_t seal;
  bool good = text && size > sizeof seal;
  if (good) {
    seal = seal_of(text, size - sizeof seal);
    good = memcmp(&seal, text + size - sizeof seal, sizeof seal) == 0;
  }
  free(text);
  return good;
}

/* ---- loading ---- */

static const MachineApi *load_object(const char *path, const Kernel *kernel) {
  struct stat s;
  if (lstat(path, &s) || !S_ISREG(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & 022)) return NULL;
  if (!is_sealed(path)) return NULL;
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object) return NULL;
  const MachineApi *api = dlsym(object, "tavl_machine");
  if (api && api->version == MACHINE_VERSION && api->words == kernel->program->words &&
      api->sets == kernel->program->sets && api->nums == kernel->program->nums)
    return api; /* stays loaded until the program ends */
  dlclose(object);
  return NULL;
}

static bool write_source(const char *path, const char *text, size_t size) {
  int f = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (f < 0) return false;
  while (size) {
    ssize_t n = write(f, text, size);
    if (n <= 0) break;
    text += n;
    size -= (size_t)n;
  }
  return (close(f) == 0) & (size == 0);
}

/* Files of processes that were killed while they compiled: HASH.PROCESS.c and HASH.PROCESS.so. */
static void sweep(const char *folder) {
  DIR *list = opendir(folder);
  char path[PATH_ROOM * 2];
  struct stat s;
  for (struct dirent *d; list && (d = readdir(list));) {
    if (strspn(d->d_name, "0123456789abcdef") != 32 || strchr(d->d_name, '.') == strrchr(d->d_name, '.')) continue;
    snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
    if (lstat(path, &s) == 0 && S_ISREG(s.st_mode) && time(NULL) - s.st_mtime > LEFT_FOR_DEAD) unlink(path);
  }
  if (list) closedir(list);
}

static const MachineApi *compile(const Kernel *kernel, const Compiler *c, const char *folder, const char *name,
                                 const char *text, size_t size, char *why, size_t room) {
  char source[PATH_ROOM * 2], object[PATH_ROOM * 2], path[PATH_ROOM * 2];
  snprintf(source, sizeof source, "%s/%s.%ld.c", folder, name, (long)getpid());
  snprintf(object, sizeof object, "%s/%s.%ld.so", folder, name, (long)getpid());
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  sweep(folder);
  unlink(source);
  const MachineApi *api = NULL;
  errno = 0;
  if (!write_source(source, text, size))
    snprintf(why, room, "the folder %s for machine code cannot be written: %s", folder, strerror(errno));
  else if (!run_compiler(c, source, object))
    snprintf(why, room, errno == ETIMEDOUT ? "%s takes too long to compile the game" : "%s could not compile the game", c->path);
  else if (chmod(object, 0700) || !add_seal(object) || rename(object, path))
    snprintf(why, room, "the folder %s for machine code cannot be written: %s", folder, strerror(errno));
  else if (!(api = load_object(path, kernel)))
    snprintf(why, room, "what %s has made of the game does not load", c->path);
  unlink(source);
  unlink(object);
  return api;
}

bool native_use(Kernel *kernel, bool cached_only, char *why, size_t room) {
  char folder[PATH_ROOM], name[64], path[PATH_ROOM * 2];
  Compiler c;
  if (!cache_folder(folder, sizeof folder, why, room) || !find_compiler(&c, native_effort(kernel), why, room))
    return false;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return false;
  native_print(kernel, NULL, -1, out);
  fclose(out);
  hash_name(text, size, &c, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  const MachineApi *api = load_object(path, kernel);
  if (!api && cached_only)
    snprintf(why, room, "no machine code is in the cache");
  else if (!api)
    api = compile(kernel, &c, folder, name, text, size, why, room);
  free(text);
  if (api) kernel_use(kernel, api);
  return api != NULL;
}

#endif
