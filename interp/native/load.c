/* Compiling and loading. Machine code lies in ${XDG_CACHE_HOME:-~/.cache}/tavl, one file for each
 * hash of source, compiler, flags and processor. The folder is the user's alone; files of anybody
 * else are not touched. A file comes into being under another name and is renamed when it is
 * whole, so any number of processes may do this at once. */
#include "native/native.h"

#ifdef TAVL_NO_NATIVE

bool native_use(Kernel *kernel, bool cached_only, char *why, size_t room) {
  (void)kernel;
  (void)cached_only;
  snprintf(why, room, "this program was built without machine code");
  return false;
}

#else

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

extern char **environ;

enum { PATH_ROOM = 1024, WORDS_MOST = 24 };

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
  char text[PATH_ROOM]; /* $CC, cut into words */
  char more[PATH_ROOM]; /* $TAVL_CFLAGS, likewise */
  char *word[WORDS_MOST];
  int words;
  bool plain; /* knows few flags */
} Compiler;

static bool find_program(const char *name, char *path, size_t room) {
  if (strchr(name, '/')) {
    snprintf(path, room, "%s", name);
    return access(path, X_OK) == 0;
  }
  for (const char *at = getenv("PATH"); at && *at;) {
    size_t n = strcspn(at, ":");
    snprintf(path, room, "%.*s/%s", (int)n, at, name);
    if (n && access(path, X_OK) == 0) return true;
    at += n + (at[n] == ':');
  }
  return false;
}

static void add_words(Compiler *c, char *text, int most) {
  for (char *w = strtok(text, " \t"); w && c->words < most; w = strtok(NULL, " \t"))
    c->word[c->words++] = w;
}

/* $CC or the first there is; our flags; then $TAVL_CFLAGS, which so have the last word. */
static bool find_compiler(Compiler *c, const char *effort) {
  static const char *const names[] = {"cc", "clang", "gcc", "tcc"};
  const char *wanted = getenv("CC"), *more = getenv("TAVL_CFLAGS");
  for (int i = -1; i < 4; i++) {
    if (i < 0 && (!wanted || !*wanted)) continue;
    snprintf(c->text, sizeof c->text, "%s", i < 0 ? wanted : names[i]);
    c->words = 0;
    add_words(c, c->text, 8);
    if (!c->words || !find_program(c->word[0], c->path, sizeof c->path)) continue;
    const char *base = strrchr(c->path, '/');
    c->plain = base && strncmp(base + 1, "tcc", 3) == 0;
    const char *const flags[] = {"-std=c11", effort, "-march=native", "-w", "-shared", "-fPIC"};
    for (size_t k = c->plain ? 4 : 0; k < sizeof flags / sizeof *flags; k++)
      c->word[c->words++] = (char *)(uintptr_t)flags[k];
    snprintf(c->more, sizeof c->more, "%s", more ? more : "");
    add_words(c, c->more, WORDS_MOST);
    return true;
  }
  return false;
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
  bool started = posix_spawn(&pid, c->path, &files, NULL, word, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  return started && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
  char about[PATH_ROOM * 2];
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

/* ---- loading ---- */

static const MachineApi *load_object(const char *path, const Kernel *kernel) {
  struct stat s;
  if (lstat(path, &s) || !S_ISREG(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & 022)) return NULL;
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

static const MachineApi *compile(const Kernel *kernel, const Compiler *c, const char *folder, const char *name,
                                 const char *text, size_t size) {
  char source[PATH_ROOM * 2], object[PATH_ROOM * 2], path[PATH_ROOM * 2];
  snprintf(source, sizeof source, "%s/%s.%ld.c", folder, name, (long)getpid());
  snprintf(object, sizeof object, "%s/%s.%ld.so", folder, name, (long)getpid());
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  unlink(source);
  const MachineApi *api = NULL;
  if (write_source(source, text, size) && run_compiler(c, source, object) && chmod(object, 0700) == 0 &&
      rename(object, path) == 0)
    api = load_object(path, kernel);
  unlink(source);
  unlink(object);
  return api;
}

bool native_use(Kernel *kernel, bool cached_only, char *why, size_t room) {
  char folder[PATH_ROOM], name[64], path[PATH_ROOM * 2];
  Compiler c;
  if (!cache_folder(folder, sizeof folder, why, room)) return false;
  if (!find_compiler(&c, native_effort(kernel))) {
    snprintf(why, room, "there is no C compiler (CC, cc, clang, gcc, tcc)");
    return false;
  }
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return false;
  native_print(kernel, NULL, -1, out);
  fclose(out);
  hash_name(text, size, &c, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  const MachineApi *api = load_object(path, kernel);
  if (!api && !cached_only) api = compile(kernel, &c, folder, name, text, size);
  free(text);
  if (!api) {
    snprintf(why, room, cached_only ? "no machine code is in the cache" : "%s could not compile the game", c.path);
    return false;
  }
  kernel_use(kernel, api);
  return true;
}

#endif
