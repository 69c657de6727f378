/* Files and names: where games, libraries and hooks are found, and what was read already.
 * Knows folders and titles; knows nothing of what the units mean. */
#include "front/loading.h"
#include "front/parse.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHIPPED_MAX = 2000, FOLDER_DEPTH = 6 };

static const Span nowhere = {-1, 0, 0}; /* a built-in place */

/* ---- paths ---- */

static bool is_folder(const char *path) {
  struct stat s;
  return path && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}
static bool is_file(const char *path) {
  struct stat s;
  return path && stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static const char *folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return slash == path ? "/" : arena_text(arena, path, (size_t)(slash - path));
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

bool loading_name_is_safe(const char *name) {
  if (!name || !*name || *name == '/' || strlen(name) > 200) return false;
  if (strchr(name, '\\')) return false;
  for (const char *p = name; p;) {
    if (!strncmp(p, "..", 2) && (p[2] == '/' || !p[2])) return false;
    p = strchr(p, '/');
    if (p) p++;
  }
  return true;
}

static const char *find_home(Arena *arena, const char *given) {
  if (given) return given;
  const char *env = getenv("TAVL_HOME");
  if (env && *env) return arena_text(arena, env, strlen(env));
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return NULL;
  self[n] = 0;
  const char *up = folder_of(arena, folder_of(arena, self));
  if (is_folder(arena_printf(arena, "%s/stdlib", up))) return up;
  const char *share = arena_printf(arena, "%s/share/tavl", up);
  if (is_folder(arena_printf(arena, "%s/stdlib", share))) return share;
  up = folder_of(arena, up); /* build/asan/tavl */
  return is_folder(arena_printf(arena, "%s/stdlib", up)) ? up : NULL;
}

Loading *loading_new(const char *home) {
  Arena *arena = arena_new("loading");
  if (!arena) return NULL;
  Loading *loading = ARENA_NEW(arena, Loading);
  loading->arena = arena;
  loading->sources.arena = arena;
  loading->names = names_new(arena);
  loading->home = find_home(arena, home);
  diags_init(&loading->diags, &loading->sources, arena);
  return loading;
}

void loading_free(Loading *loading) {
  if (loading) arena_free(loading->arena);
}

const bool *loading_follow_ups(void) {
  static const bool muted[DIAG_COUNT] = {
      [DIAG_UNKNOWN_NAME] = true,     [DIAG_NEEDS] = true,
      [DIAG_NOT_THERE] = true,        [DIAG_MISSING_DEFINITION] = true,
      [DIAG_SCENE_NAME] = true,       [DIAG_SCENE_BECAUSE] = true,
      [DIAG_REMOVE_NOTHING] = true,   [DIAG_CLAUSE_MISSING] = true,
      [DIAG_UNKNOWN_SYMBOL] = true,   [DIAG_UNUSED] = true,
      [DIAG_NEVER_APPLIES] = true,    [DIAG_NEVER_MOVES] = true,
      [DIAG_NEVER_WINS] = true,       [DIAG_NO_END] = true,
      [DIAG_SAME_RULES] = true,       [DIAG_UNREACHABLE_PHASE] = true,
      [DIAG_WRONG_SORT] = true,       [DIAG_SCENE_STEP] = true,
      [DIAG_BAD_OPTION] = true,       [DIAG_BAD_EFFECT] = true,
      [DIAG_BAD_CLAUSE_VALUE] = true, [DIAG_BAD_RANGE] = true,
      [DIAG_NO_SUCH_PIECE] = true,
  };
  return muted;
}

void loading_is_unread(Loading *loading) {
  loading->unread = true;
  loading->diags.muted = loading_follow_ups();
}

Diags *loading_diags(Loading *loading) {
  return &loading->diags;
}
Sources *loading_sources(Loading *loading) {
  return &loading->sources;
}

/* ---- files ---- */

static void list_units(Loading *loading, File *file) {
  file->units = node_count(file->tree);
  file->unit = ARENA_ARRAY(loading->arena, Unit, file->units + 1);
  int n = 0;
  for (const Node *u = file->tree->kid; u; u = u->next) {
    if (u->kind != N_GAME && u->kind != N_HOUSE && u->kind != N_LIBRARY) continue;
    file->unit[n].node = u;
    file->unit[n].title = u->text ? u->text : "";
    file->unit[n++].file = file->file;
  }
  file->units = n;
}

static File *known_file(Loading *loading, const char *path) {
  for (int i = 0; i < loading->files; i++)
    if (!strcmp(loading->file[i]->path, path)) return loading->file[i];
  return NULL;
}

static File *add_file(Loading *loading, int file, const char *path, const Node *tree,
                      bool quiet) {
  File *f = ARENA_NEW(loading->arena, File);
  f->file = file;
  f->path = arena_text(loading->arena, path, strlen(path));
  f->tree = tree;
  f->quiet = quiet;
  list_units(loading, f);
  if (loading->files == loading->file_room) {
    loading->file_room = loading->file_room ? 2 * loading->file_room : 16;
    File **more = ARENA_ARRAY(loading->arena, File *, loading->file_room);
    for (int i = 0; i < loading->files; i++) more[i] = loading->file[i];
    loading->file = more;
  }
  loading->file[loading->files++] = f;
  return f;
}

/* A place in a file that has no text to show. */
static Span top_of(Loading *loading, const char *path) {
  Span span = nowhere;
  int file;
  if (source_from_text(&loading->sources, path, "", 0, &file) == SOURCE_OK)
    span.file = file;
  return span;
}

File *loading_file(Loading *loading, const char *path, Span span) {
  File *f = known_file(loading, path);
  if (f && !f->quiet) return f;
  int file;
  SourceStatus status = source_read(&loading->sources, path, &file);
  if (status != SOURCE_OK) {
    diag_unreadable(&loading->diags, status, path, file, span);
    return NULL;
  }
  int errors = loading->diags.errors;
  Node *tree = parse_file(&loading->diags, loading->names, loading->arena, file);
  if (loading->diags.errors > errors) loading_is_unread(loading);
  if (!f) return add_file(loading, file, path, tree, false);
  f->tree = tree; /* it was read for its titles only; now its mistakes count */
  f->quiet = false;
  list_units(loading, f);
  return f;
}

/* Reads a file for its titles; what is wrong in it is not our reader's concern. */
static File *glance(Loading *loading, const char *path) {
  File *f = known_file(loading, path);
  if (f) return f;
  int file;
  SourceStatus status = source_read(&loading->sources, path, &file);
  if (status != SOURCE_OK && status != SOURCE_NOT_TEXT) return NULL;
  Diags scrap;
  diags_init(&scrap, &loading->sources, loading->arena);
  return add_file(loading, file, path,
                  parse_file(&scrap, loading->names, loading->arena, file), true);
}

/* ---- what is shipped ---- */

typedef struct Walk {
  Loading *loading;
  const char *at[SHIPPED_MAX];
  int n;
} Walk;

static void walk_folder(Walk *walk, const char *folder, int depth) {
  DIR *dir = depth < FOLDER_DEPTH ? opendir(folder) : NULL;
  if (!dir) return;
  for (struct dirent *e; (e = readdir(dir)) && walk->n < SHIPPED_MAX;) {
    if (e->d_name[0] == '.') continue;
    const char *path = arena_printf(walk->loading->arena, "%s/%s", folder, e->d_name);
    if (is_folder(path))
      walk_folder(walk, path, depth + 1);
    else if (ends_with(path, ".tavl"))
      walk->at[walk->n++] = path;
  }
  closedir(dir);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *name_of_file(Arena *arena, const char *path) {
  const char *base = base_name(path);
  return arena_text(arena, base, strlen(base) - strlen(".tavl"));
}

static void scan(Loading *loading) {
  if (loading->scanned) return;
  loading->scanned = true;
  if (!loading->home) return;
  Walk *walk = ARENA_NEW(loading->arena, Walk);
  walk->loading = loading;
  walk_folder(walk, arena_printf(loading->arena, "%s/rules", loading->home), 0);
  qsort(walk->at, (size_t)walk->n, sizeof *walk->at, by_text);
  loading->shipped = walk->at;
  loading->shipped_n = walk->n;
  loading->games = ARENA_ARRAY(loading->arena, const char *, walk->n + 1);
  for (int i = 0; i < walk->n; i++)
    loading->games[i] = name_of_file(loading->arena, walk->at[i]);
  loading->game_n = walk->n;
  qsort(loading->games, (size_t)loading->game_n, sizeof *loading->games, by_text);
}

const char *const *loading_games(Loading *loading, int *n) {
  scan(loading);
  *n = loading->game_n;
  return loading->games;
}

/* ---- units ---- */

static const Unit *unit_in(const File *file, bool library, const char *title) {
  for (int i = 0; file && i < file->units; i++)
    if ((file->unit[i].node->kind == N_LIBRARY) == library &&
        !strcmp(file->unit[i].title, title))
      return &file->unit[i];
  return NULL;
}

/* The unit in a file that was only glanced at so far. */
static const Unit *unit_for_good(Loading *loading, const File *file, bool library,
                                 const char *title, Span span) {
  File *read = loading_file(loading, file->path, span);
  return unit_in(read, library, title);
}

static const File *file_number(Loading *loading, int number) {
  for (int i = 0; i < loading->files; i++)
    if (loading->file[i]->file == number) return loading->file[i];
  return NULL;
}

typedef struct Titles {
  const char **at;
  size_t n, room;
} Titles;

static void note_titles(Loading *loading, Titles *titles, const File *file,
                        bool library) {
  for (int i = 0; file && i < file->units; i++) {
    if ((file->unit[i].node->kind == N_LIBRARY) != library) continue;
    if (titles->n == titles->room) {
      titles->room = titles->room ? 2 * titles->room : 32;
      const char **more = ARENA_ARRAY(loading->arena, const char *, titles->room);
      for (size_t k = 0; k < titles->n; k++) more[k] = titles->at[k];
      titles->at = more;
    }
    titles->at[titles->n++] = file->unit[i].title;
  }
}

/* A second file of the folder with a unit of that title, such as a copy kept as a backup:
 * nobody could know which is meant. */
static void refuse_twin(Loading *loading, const Walk *walk, int first, bool library,
                        const char *title, Span span) {
  for (int i = first + 1; i < walk->n; i++) {
    if (!unit_in(glance(loading, walk->at[i]), library, title)) continue;
    Diag *d = diag_report(&loading->diags, DIAG_DEFINED_TWICE, span,
                          "two files hold \"%s\": %s and %s", title,
                          base_name(walk->at[first]), base_name(walk->at[i]));
    diag_note(&loading->diags, d,
              "give one of them another title, or put it into another folder");
    return;
  }
}

/* Looks through the .tavl files of one folder. */
static const Unit *unit_in_folder(Loading *loading, const char *folder, bool library,
                                  const char *title, Titles *titles, Span span) {
  DIR *dir = opendir(folder);
  if (!dir) return NULL;
  Walk *walk = ARENA_NEW(loading->arena, Walk);
  for (struct dirent *e; (e = readdir(dir)) && walk->n < SHIPPED_MAX;)
    if (e->d_name[0] != '.' && ends_with(e->d_name, ".tavl"))
      walk->at[walk->n++] =
          !strcmp(folder, ".") ? arena_printf(loading->arena, "%s", e->d_name)
                               : arena_printf(loading->arena, "%s/%s", folder, e->d_name);
  closedir(dir);
  qsort(walk->at, (size_t)walk->n, sizeof *walk->at, by_text);
  for (int i = 0; i < walk->n; i++) {
    const File *file = glance(loading, walk->at[i]);
    note_titles(loading, titles, file, library);
    if (!unit_in(file, library, title)) continue;
    refuse_twin(loading, walk, i, library, title, span);
    return unit_for_good(loading, file, library, title, span);
  }
  return NULL;
}

static const Unit *find_unit(Loading *loading, const char *title, bool library, int from,
                             Span span, Titles *titles) {
  const File *own = file_number(loading, from);
  const Unit *unit = unit_in(own, library, title);
  if (unit) return unit;
  note_titles(loading, titles, own, library);
  if (library && loading->home && loading_name_is_safe(title)) {
    const char *path =
        arena_printf(loading->arena, "%s/stdlib/%s.tavl", loading->home, title);
    if (is_file(path)) {
      File *file = loading_file(loading, path, span);
      unit = unit_in(file, library, title);
      if (unit) return unit;
    }
  }
  if (own) {
    unit = unit_in_folder(loading, folder_of(loading->arena, own->path), library, title,
                          titles, span);
    if (unit) return unit;
  }
  scan(loading);
  for (int i = 0; i < loading->shipped_n; i++) {
    const File *file = glance(loading, loading->shipped[i]);
    note_titles(loading, titles, file, library);
    if (unit_in(file, library, title))
      return unit_for_good(loading, file, library, title, span);
  }
  if (library && loading->home)
    unit_in_folder(loading, arena_printf(loading->arena, "%s/stdlib", loading->home),
                   library, title, titles, span);
  return NULL;
}

const Unit *loading_title(Loading *loading, const char *title, int from, Span span) {
  Titles titles = {0};
  if (!title) return NULL;
  int errors = loading->diags.errors;
  const Unit *unit = find_unit(loading, title, false, from, span, &titles);
  if (unit) return unit;
  loading_is_unread(loading);
  if (loading->diags.errors > errors) return NULL; /* it is there, and cannot be read */
  Diag *d = diag_report(&loading->diags, DIAG_NO_SUCH_UNIT, span,
                        "there is no game or house with the title \"%s\"", title);
  const char *near = text_nearest(title, titles.at, titles.n);
  if (near)
    diag_note(&loading->diags, d, "did you mean \"%s\"?", near);
  else
    diag_note(&loading->diags, d,
              "looked in this folder and in the rules folders; `extends` takes a title, "
              "not a file name");
  return NULL;
}

const Unit *loading_library(Loading *loading, const char *name, int from, Span span) {
  Titles titles = {0};
  if (!name) return NULL;
  if (!loading_name_is_safe(name)) {
    Diag *d = diag_report(&loading->diags, DIAG_NAME_UNSAFE, span,
                          "\"%s\" is no name of a library", name);
    loading_is_unread(loading);
    diag_note(&loading->diags, d,
              "a library is named without folders that lead elsewhere: use \"name\"");
    return NULL;
  }
  int errors = loading->diags.errors;
  const Unit *unit = find_unit(loading, name, true, from, span, &titles);
  if (unit) return unit;
  loading_is_unread(loading);
  if (loading->diags.errors > errors) return NULL;
  Diag *d = diag_report(&loading->diags, DIAG_NO_SUCH_UNIT, span,
                        "there is no library \"%s\"", name);
  const char *near = text_nearest(name, titles.at, titles.n);
  if (near) diag_note(&loading->diags, d, "did you mean \"%s\"?", near);
  return NULL;
}

/* Where a path leads, links followed; NULL if nowhere. */
static const char *real_path(Arena *arena, const char *path) {
  char *real = realpath(path, NULL);
  const char *text = real ? arena_text(arena, real, strlen(real)) : NULL;
  free(real);
  return text;
}

static bool lies_in(const char *real, const char *folder) {
  size_t n = folder ? strlen(folder) : 0;
  return n && !strncmp(real, folder, n) && (real[n] == '/' || folder[n - 1] == '/');
}

/* The file of that name in a folder, links followed: it may not lead out of the folder, nor
 * out of the one where `beside`, itself perhaps a link, truly lies. */
static const char *file_in(Loading *loading, const char *folder, const char *name,
                           const char *beside, const char **outside) {
  Arena *arena = loading->arena;
  const char *path = arena_printf(arena, "%s/%s", folder, name);
  const char *real = is_file(path) ? real_path(arena, path) : NULL;
  if (!real) return NULL;
  const char *own = beside ? real_path(arena, beside) : NULL;
  if (lies_in(real, real_path(arena, folder)) ||
      (own && lies_in(real, folder_of(arena, own))))
    return real;
  *outside = real;
  return NULL;
}

const char *loading_hook(Loading *loading, const char *name, int from,
                         const char **outside) {
  const File *own = file_number(loading, from);
  const char *path = NULL;
  *outside = NULL;
  if (own)
    path = file_in(loading, folder_of(loading->arena, own->path), name, own->path,
                   outside);
  static const char *const shipped[] = {"stdlib", "rules"};
  for (int i = 0; i < 2 && loading->home && !path && !*outside; i++)
    path = file_in(loading, arena_printf(loading->arena, "%s/%s", loading->home, shipped[i]),
                   name, NULL, outside);
  return path;
}

/* ---- games ---- */

static const char *find_game(Loading *loading, const char *game) {
  if (is_file(game)) return game;
  scan(loading);
  for (int i = 0; i < loading->shipped_n; i++)
    if (!strcmp(name_of_file(loading->arena, loading->shipped[i]), game))
      return loading->shipped[i];
  return NULL;
}

static const char *why_no_file(const char *path) {
  if (is_folder(path)) return "it is a folder";
  return access(path, F_OK) == 0 ? "it is no file" : strerror(errno);
}

static void say_no_game(Loading *loading, const char *game) {
  bool is_path = strchr(game, '/') || ends_with(game, ".tavl") || is_folder(game);
  Diag *d = is_path
                ? diag_report(&loading->diags, DIAG_FILE_MISSING, top_of(loading, game),
                              "%s cannot be opened: %s", game,
                              why_no_file(game))
                : diag_report(&loading->diags, DIAG_FILE_MISSING, top_of(loading, game),
                              "there is no game `%s` and no file of that name", game);
  const char *word =
      is_path && ends_with(game, ".tavl") ? name_of_file(loading->arena, game) : game;
  const char *near = text_nearest(word, loading->games, (size_t)loading->game_n);
  if (near)
    diag_note(&loading->diags, d, "did you mean `%s`?", near);
  else if (!loading->home)
    diag_note(&loading->diags, d,
              "the rules folder was not found either; TAVL_HOME may say where it is");
  else if (!is_path)
    diag_note(&loading->diags, d, "`tavl --help` lists the games");
}

const char *loading_game(Loading *loading, const char *game) {
  const char *path = find_game(loading, game);
  if (!path) say_no_game(loading, game);
  return path;
}
