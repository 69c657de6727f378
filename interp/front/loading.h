/* What the parts behind load.h share about files: units read, and where to find others.
 */
#ifndef LOADING_H
#define LOADING_H

#include "base/text.h"
#include "front/link.h"

typedef struct Build Build;

typedef struct File { /* a parsed file */
  int file;
  const char *path;
  const Node *tree;
  Unit *unit; /* `units` of them */
  int units;
  bool quiet; /* parsed for its titles only; its mistakes were not reported */
} File;

struct Loading {
  Arena *arena;
  Sources sources;
  Diags diags;
  Names *names;
  const char *home; /* NULL: not found */
  File **file;
  int files, file_room;
  const char **shipped; /* paths of all .tavl files under rules/ and stdlib/, sorted */
  int shipped_n;
  bool scanned;
  const char **games; /* names of the files under rules/ */
  int game_n;
  Build **build; /* one for each Rules that was made */
  int builds, build_room;
  bool unread; /* something could not be read in full, or not be found */
};

/* Says that it is so. */
void loading_is_unread(Loading *loading);
/* Where that is so, names that seem to be missing say nothing: the codes to mute. */
const bool *loading_follow_ups(void);

/* The file, parsed and its mistakes reported; NULL (and a diag at `span`) if unreadable.
 */
File *loading_file(Loading *loading, const char *path, Span span);
/* The path of a game given by path or name; NULL, with a diagnostic, if there is none. */
const char *loading_game(Loading *loading, const char *game);
/* The game or house of that title, near the file `from` or under rules/; NULL, with a
 * diagnostic at `span`, if there is none. */
const Unit *loading_title(Loading *loading, const char *title, int from, Span span);
/* The library of that name: in the same file, stdlib/NAME.tavl, or the rules folders. */
const Unit *loading_library(Loading *loading, const char *name, int from, Span span);
/* A hook's file, beside the file that names it or in the library and rules folders; NULL
 * if there is none. One that is a link out of its folder is none: *outside says where to. */
const char *loading_hook(Loading *loading, const char *name, int from,
                         const char **outside);
/* The build that made these rules, or NULL. */
Build *loading_build(const Loading *loading, const Rules *rules);
/* False for names that lead out of their folder. */
bool loading_name_is_safe(const char *name);

#endif
