/* Positions in the terminal. */
#include "face/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- colours ---- */

/* In the order of draw_hue, but white and black as they can be told apart on any ground.
 */
static const char *seat_colour(const DrawParts *parts, int seat) {
  static const char *const codes[] = {"\033[1;31m", "\033[1;36m", "\033[1;32m",
                                      "\033[1;94m", "\033[1;31m", "\033[1;33m",
                                      "\033[1;35m", "\033[1;90m"};
  return codes[draw_hue(parts->rules, seat) % 8];
}

static const char *tint_colour(int tint) {
  static const char *const codes[] = {"",
                                      "\033[48;5;94m",
                                      "\033[48;5;22m",
                                      "\033[48;5;17m",
                                      "\033[48;5;53m",
                                      "\033[48;5;58m",
                                      "\033[48;5;23m"};
  return codes[tint % 7];
}

static void put(FILE *out, const DrawParts *parts, const char *colour, const char *text) {
  if (parts->style.colour && *colour)
    fprintf(out, "%s%s\033[0m", colour, text);
  else
    fputs(text, out);
}

/* ---- grids ---- */

/* The piece to show on a site: its glyph and seat; false if there is none. */
static bool top_piece(const DrawParts *parts, int site, int *plane, int *n) {
  const uint16_t *count = position_count(parts->layout, parts->p);
  *n = 0;
  for (int i = 0; i < parts->rules->planes; i++) {
    int here = count[i * parts->rules->board.sites + site];
    if (here && *n == 0) *plane = i;
    *n += here;
  }
  return *n > 0;
}

static const char *empty_mark(const DrawParts *parts, int site) {
  if (parts->tint[site]) return parts->style.ascii ? "+" : "×";
  return parts->style.ascii ? "." : "·";
}

static void draw_cell(FILE *out, const DrawParts *parts, int site) {
  int plane, n;
  const char *tint = tint_colour(parts->tint[site]);
  if (parts->style.colour && *tint) fputs(tint, out);
  fputc(parts->turned[site] ? '~' : ' ', out);
  if (top_piece(parts, site, &plane, &n)) {
    if (parts->style.colour)
      fputs(seat_colour(parts, parts->rules->plane[plane].owner), out);
    fputs(parts->glyph[plane], out);
    if (n > 9)
      fputc('+', out);
    else if (n > 1)
      fprintf(out, "%d", n);
    else
      fputc(' ', out);
  } else {
    fprintf(out, "%s ", empty_mark(parts, site));
  }
  if (parts->style.colour) fputs("\033[0m", out);
}

static void draw_files(FILE *out, const Board *board) {
  fputs("   ", out);
  for (int f = 0; f < board->files; f++) {
    if (f < 26)
      fprintf(out, " %c ", 'a' + f);
    else
      fprintf(out, " %c%c", 'a', 'a' + f - 26);
  }
  fputc('\n', out);
}

static void site_table(const Board *board, int *at) {
  for (int i = 0; i < board->files * board->ranks; i++) at[i] = -1;
  for (int s = 0; s < board->squares; s++)
    if (board->file_of[s] >= 0)
      at[board->rank_of[s] * board->files + board->file_of[s]] = s;
}

static void draw_grid(FILE *out, const DrawParts *parts) {
  const Board *board = &parts->rules->board;
  int *at = memory_resize(NULL, sizeof *at * (size_t)(board->files * board->ranks));
  site_table(board, at);
  draw_files(out, board);
  for (int r = board->ranks - 1; r >= 0; r--) {
    fprintf(out, "%2d ", r + 1);
    for (int f = 0; f < board->files; f++) {
      int site = at[r * board->files + f];
      if (site < 0)
        fputs("   ", out);
      else
        draw_cell(out, parts, site);
    }
    fprintf(out, " %d\n", r + 1);
  }
  draw_files(out, board);
  memory_resize(at, 0);
}

/* ---- points ---- */

enum { STACK_SHOWN = 5, POINT_COLUMNS = 4 };

/* The i-th piece from the bottom of a stack, or -1. */
static int stacked(const DrawParts *parts, int site, int i) {
  const uint16_t *count = position_count(parts->layout, parts->p);
  for (int plane = 0; plane < parts->rules->planes; plane++) {
    int n = count[plane * parts->rules->board.sites + site];
    if (i < n) return plane;
    i -= n;
  }
  return -1;
}

static void draw_stack_row(FILE *out, const DrawParts *parts, int site, int row) {
  int n = draw_count(parts, site);
  char text[16] = "";
  int plane = row < n ? stacked(parts, site, row) : -1;
  if (row == STACK_SHOWN) { /* the line beyond the last: how many there are */
    if (n > STACK_SHOWN) snprintf(text, sizeof text, "%d", n);
    plane = -1;
  } else if (plane >= 0) {
    snprintf(text, sizeof text, "%s", parts->glyph[plane]);
  } else if (row == 0) {
    snprintf(text, sizeof text, "%s", parts->style.ascii ? "." : "·");
  }
  int width = draw_width(text);
  fprintf(out, "%*s", POINT_COLUMNS - 1 - width, "");
  put(out, parts, plane >= 0 ? seat_colour(parts, parts->rules->plane[plane].owner) : "",
      text);
  fputc(' ', out);
}

static void draw_gap(FILE *out, const DrawParts *parts, int column, int columns) {
  if (columns % 2 == 0 && columns >= 8 && column == columns / 2)
    fputs(parts->style.ascii ? "|" : "│", out);
}

static void draw_point_names(FILE *out, const DrawParts *parts, int from, int step,
                             int columns) {
  for (int c = 0; c < columns; c++) {
    int site = from + step * c;
    draw_gap(out, parts, c, columns);
    char name[16];
    snprintf(name, sizeof name, "%s%s", parts->turned[site] ? "~" : "",
             parts->rules->board.name[site]);
    fprintf(out, "%*s ", POINT_COLUMNS - 1, name);
  }
  fputc('\n', out);
}

/* The first letters of the names that the points bear. */
static void draw_runes(FILE *out, const DrawParts *parts, int from, int step,
                       int columns) {
  bool any = false;
  for (int c = 0; c < columns; c++) any = any || parts->rune[from + step * c];
  if (!any) return;
  for (int c = 0; c < columns; c++) {
    const char *rune = parts->rune[from + step * c];
    draw_gap(out, parts, c, columns);
    fprintf(out, "%3.3s ", rune ? rune : "");
  }
  fputc('\n', out);
}

static void draw_half(FILE *out, const DrawParts *parts, bool top, int columns) {
  int from = top ? columns : columns - 1, step = top ? 1 : -1;
  int highest = 0;
  for (int c = 0; c < columns; c++) {
    int n = draw_count(parts, from + step * c);
    if (n > highest) highest = n;
  }
  int rows = highest > STACK_SHOWN ? STACK_SHOWN + 1 : highest < 1 ? 1 : highest;
  if (top) {
    draw_point_names(out, parts, from, step, columns);
    draw_runes(out, parts, from, step, columns);
  }
  for (int i = 0; i < rows; i++) {
    int row = top ? i : rows - 1 - i;
    for (int c = 0; c < columns; c++) {
      draw_gap(out, parts, c, columns);
      draw_stack_row(out, parts, from + step * c, row);
    }
    fputc('\n', out);
  }
  if (top) return;
  draw_runes(out, parts, from, step, columns);
  draw_point_names(out, parts, from, step, columns);
}

/* Sites one by one: for rings and graphs that have no places on the page. */
static void draw_list(FILE *out, const DrawParts *parts) {
  const Board *board = &parts->rules->board;
  int shown = 0;
  for (int site = 0; site < board->squares; site++) {
    int n = draw_count(parts, site);
    if (n == 0) continue;
    fprintf(out, "%s%s:", shown % 8 == 0 ? (shown ? "\n  " : "  ") : "  ",
            board->name[site]);
    for (int i = 0; i < n && i < STACK_SHOWN; i++) {
      int plane = stacked(parts, site, i);
      put(out, parts, seat_colour(parts, parts->rules->plane[plane].owner),
          parts->glyph[plane]);
    }
    if (n > STACK_SHOWN) fprintf(out, "(%d)", n);
    shown++;
  }
  fputs(shown ? "\n" : "  (the board is empty)\n", out);
}

static void draw_points(FILE *out, const DrawParts *parts) {
  int squares = parts->rules->board.squares;
  if (squares > 40 || squares % 2) {
    draw_list(out, parts);
    return;
  }
  draw_half(out, parts, true, squares / 2);
  fputc('\n', out);
  draw_half(out, parts, false, squares / 2);
}

/* ---- graphs ---- */

typedef struct Canvas {
  int width, height;
  int *site;         /* per cell: a site, or -1 */
  const char **mark; /* per cell: a piece of a line, or NULL */
} Canvas;

enum { GRAPH_WIDE = 4, GRAPH_HIGH = 2 };

static void line_to(Canvas *canvas, const DrawParts *parts, int x, int y, int x2,
                    int y2) {
  int dx = x2 > x ? 1 : x2 < x ? -1 : 0, dy = y2 > y ? 1 : y2 < y ? -1 : 0;
  int across = abs(x2 - x), down = abs(y2 - y);
  bool ascii = parts->style.ascii;
  const char *mark = !dy        ? (ascii ? "-" : "─")
                     : !dx      ? (ascii ? "|" : "│")
                     : dx == dy ? (ascii ? "\\" : "╲")
                                : (ascii ? "/" : "╱");
  if (dx && dy && across != down * GRAPH_WIDE / GRAPH_HIGH) return;
  int step = dx && dy ? GRAPH_WIDE / GRAPH_HIGH : 1;
  int length = dy ? down : across;
  for (int i = 1; i < length; i++) {
    int at = (y + dy * i) * canvas->width + x + dx * i * step;
    if (!canvas->mark[at]) canvas->mark[at] = mark;
  }
}

static bool has_places(const Board *board) {
  if (!board->file_of || !board->rank_of) return false;
  for (int s = 0; s < board->squares; s++)
    if (board->file_of[s] < 0 || board->rank_of[s] < 0) return false;
  return board->squares > 0;
}

static void graph_size(const Board *board, int *files, int *ranks) {
  *files = *ranks = 0;
  for (int s = 0; s < board->squares; s++) {
    if (board->file_of[s] >= *files) *files = board->file_of[s] + 1;
    if (board->rank_of[s] >= *ranks) *ranks = board->rank_of[s] + 1;
  }
}

static void paint_graph(Canvas *canvas, const DrawParts *parts, int ranks) {
  const Board *board = &parts->rules->board;
  for (int s = 0; s < board->squares; s++) {
    int x = board->file_of[s] * GRAPH_WIDE,
        y = (ranks - 1 - board->rank_of[s]) * GRAPH_HIGH;
    canvas->site[y * canvas->width + x] = s;
    for (int d = 0; d < board->dirs; d++) {
      int next = board->next[d][s];
      if (next > s)
        line_to(canvas, parts, x, y, board->file_of[next] * GRAPH_WIDE,
                (ranks - 1 - board->rank_of[next]) * GRAPH_HIGH);
    }
  }
}

static void draw_graph(FILE *out, const DrawParts *parts) {
  const Board *board = &parts->rules->board;
  if (!has_places(board)) {
    draw_list(out, parts);
    return;
  }
  int files, ranks;
  graph_size(board, &files, &ranks);
  Canvas canvas = {.width = (files - 1) * GRAPH_WIDE + 1,
                   .height = (ranks - 1) * GRAPH_HIGH + 1};
  size_t cells = (size_t)(canvas.width * canvas.height);
  canvas.site = memory_resize(NULL, sizeof *canvas.site * cells);
  canvas.mark = memory_resize(NULL, sizeof *canvas.mark * cells);
  for (size_t i = 0; i < cells; i++) {
    canvas.site[i] = -1;
    canvas.mark[i] = NULL;
  }
  paint_graph(&canvas, parts, ranks);
  for (int y = 0; y < canvas.height; y++) {
    if (y % GRAPH_HIGH == 0)
      fprintf(out, "%2d  ", ranks - y / GRAPH_HIGH);
    else
      fputs("    ", out);
    for (int x = 0; x < canvas.width; x++) {
      int site = canvas.site[y * canvas.width + x], plane, n;
      const char *mark = canvas.mark[y * canvas.width + x];
      if (site >= 0 && top_piece(parts, site, &plane, &n))
        put(out, parts, seat_colour(parts, parts->rules->plane[plane].owner),
            parts->glyph[plane]);
      else if (site >= 0)
        put(out, parts, tint_colour(parts->tint[site]), empty_mark(parts, site));
      else
        fputs(mark ? mark : " ", out);
    }
    fputc('\n', out);
  }
  fputs("    ", out);
  for (int f = 0; f < files; f++) fprintf(out, "%c%*s", 'a' + f, GRAPH_WIDE - 1, "");
  fputc('\n', out);
  memory_resize(canvas.site, 0);
  memory_resize(canvas.mark, 0);
}

/* ---- all ---- */

static void draw_legend(FILE *out, const DrawParts *parts) {
  const Rules *rules = parts->rules;
  fputs("  ", out);
  for (int plane = 0; plane < rules->planes; plane++) {
    int seat = rules->plane[plane].owner;
    fputs(plane ? "  " : "", out);
    put(out, parts, seat_colour(parts, seat), parts->glyph[plane]);
    fprintf(out, " %s of %s", rules->kind[rules->plane[plane].kind].name,
            rules->player[seat]);
  }
  fputc('\n', out);
}

void draw_position(FILE *out, Engine *engine, const Position *p, DrawStyle style) {
  DrawParts *parts = memory_resize(NULL, sizeof *parts);
  draw_parts(parts, engine, p, style);
  switch (parts->rules->board.shape) {
    case BOARD_GRID:
      draw_grid(out, parts);
      break;
    case BOARD_POINTS:
      draw_points(out, parts);
      break;
    case BOARD_GRAPH:
      draw_graph(out, parts);
      break;
  }
  draw_captions(out, parts);
  draw_legend(out, parts);
  memory_resize(parts, 0);
}
