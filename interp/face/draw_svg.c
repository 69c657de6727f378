/* Positions as SVG. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "face/draw.h"

enum { CELL = 48, MARGIN = 32, RADIUS = 19, LINE = 20 };

typedef struct Sheet {
  FILE *out;
  const DrawParts *parts;
  double width, height; /* of the whole sheet */
  double below;         /* of the part below the board: pockets, states, the mover */
  bool ring;
  char *caption; /* lines of words */
} Sheet;

static const char *seat_fill(int hue) {
  static const char *const fills[] = {"#f6ead0", "#2f2a26", "#7a9e5b", "#3f6f9f",
                                      "#b5483a", "#c8a13a", "#7d5a9b", "#6b7f86"};
  return fills[hue % 8];
}

static const char *seat_ink(int hue) {
  static const char *const inks[] = {"#2f2a26", "#f6ead0", "#1f2a14", "#eef3f8",
                                     "#fbeeec", "#2a2208", "#f3eef8", "#f0f4f5"};
  return inks[hue % 8];
}

static const char *tint_fill(int tint) {
  static const char *const fills[] = {"#e9d3a6", "#c98f4e", "#9fb38a", "#a9b6c9",
                                      "#c9a3b4", "#d6c05f", "#8fb5b0"};
  return fills[tint % 7];
}

static void escaped(FILE *out, const char *text) {
  for (; *text; text++) {
    switch (*text) {
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '&':
        fputs("&amp;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      default:
        fputc(*text, out);
    }
  }
}

/* Centred on the place; not by dominant-baseline, which programs draw differently. */
static void text_at(const Sheet *s, double x, double y, double size, const char *fill,
                    const char *text) {
  fprintf(s->out,
          "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"%s\" "
          "text-anchor=\"middle\">",
          x, y + 0.35 * size, size, fill);
  escaped(s->out, text);
  fputs("</text>\n", s->out);
}

/* The same upside down. */
static void text_turned(const Sheet *s, double x, double y, double size, const char *fill,
                        const char *text) {
  fprintf(s->out, "<g transform=\"rotate(180 %.1f %.1f)\">", x, y);
  text_at(s, x, y, size, fill, text);
  fputs("</g>\n", s->out);
}

static void begin(const Sheet *s) {
  fprintf(s->out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
          "width=\"%.0f\" height=\"%.0f\" font-family=\"DejaVu Sans, Verdana, "
          "sans-serif\">\n<title>",
          s->width, s->height, s->width, s->height);
  escaped(s->out, s->parts->rules->title);
  fprintf(s->out,
          "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fbf7ee\"/>\n");
}

/* A piece: a disc with the letter of its kind where there is more than one, or a symbol.
 */
static void piece_at(const Sheet *s, double x, double y, double radius, int plane,
                     int n) {
  const Rules *rules = s->parts->rules;
  int seat = rules->plane[plane].owner, hue = draw_hue(rules, seat);
  const Kind *kind = &rules->kind[rules->plane[plane].kind];
  fprintf(s->out,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"#5b4a36\" "
          "stroke-width=\"1.5\"/>\n",
          x, y, radius, seat_fill(hue));
  int kinds = __builtin_popcount(rules->planes_of[seat]);
  char text[16] = "";
  if (n > 1)
    snprintf(text, sizeof text, "%d", n);
  else if (kind->symbol[seat] > ' ')
    snprintf(text, sizeof text, "%c", kind->symbol[seat]);
  else if (kinds > 1)
    snprintf(text, sizeof text, "%c", kind->name[0]);
  if (*text) text_at(s, x, y, radius, seat_ink(hue), text);
}

static void stack_on(const Sheet *s, int site, double x, double y) {
  const Rules *rules = s->parts->rules;
  const uint16_t *count = position_count(s->parts->layout, s->parts->p);
  for (int plane = 0; plane < rules->planes; plane++) {
    int n = count[plane * rules->board.sites + site];
    if (n) piece_at(s, x, y, RADIUS, plane, n);
  }
}

static void svg_grid(const Sheet *s) {
  const Board *board = &s->parts->rules->board;
  for (int site = 0; site < board->squares; site++) {
    double x = MARGIN + board->file_of[site] * CELL,
           y = MARGIN + (board->ranks - 1 - board->rank_of[site]) * CELL;
    fprintf(s->out,
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"%s\" "
            "stroke=\"#8a7250\"/>\n",
            x, y, CELL, CELL, tint_fill(s->parts->tint[site]));
    if (s->parts->tint[site])
      fprintf(s->out,
              "<path d=\"M%.0f %.0fl%d %dM%.0f %.0fl%d %d\" stroke=\"#8a7250\" "
              "stroke-opacity=\".5\"/>\n",
              x + 8, y + 8, CELL - 16, CELL - 16, x + CELL - 8, y + 8, 16 - CELL,
              CELL - 16);
    stack_on(s, site, x + CELL / 2.0, y + CELL / 2.0);
  }
  for (int f = 0; f < board->files; f++) {
    char name[3] = {(char)('a' + f % 26), 0, 0};
    text_at(s, MARGIN + f * CELL + CELL / 2.0, MARGIN + board->ranks * CELL + 14, 13,
            "#5b4a36", name);
  }
  for (int r = 0; r < board->ranks; r++) {
    char name[16];
    snprintf(name, sizeof name, "%d", r + 1);
    text_at(s, 15, MARGIN + (board->ranks - 1 - r) * CELL + CELL / 2.0, 13, "#5b4a36",
            name);
  }
}

/* ---- points: two rows, a ridge in the middle ---- */

enum { TALL = 210, RIDGE = 40, MIDDLE = 40 };

static double point_x(int column, int columns) {
  return MARGIN + column * CELL + (column >= columns / 2 ? RIDGE : 0) + CELL / 2.0;
}

static void pile(const Sheet *s, int site, double x, double base, double step) {
  const Rules *rules = s->parts->rules;
  const uint16_t *count = position_count(s->parts->layout, s->parts->p);
  int total = draw_count(s->parts, site), at = 0;
  double squeeze = total > 5 ? 5.0 / total : 1;
  for (int plane = 0; plane < rules->planes; plane++)
    for (int i = 0; i < count[plane * rules->board.sites + site]; i++)
      piece_at(s, x, base + step * squeeze * at++, RADIUS, plane, 1);
}

static void point(const Sheet *s, int site, int column, int columns, bool top) {
  double x = point_x(column, columns),
         base = top ? MARGIN : s->height - MARGIN - s->below, sign = top ? 1 : -1;
  bool turned = s->parts->turned[site];
  const char *fill = turned ? "#6d7b8a" : column % 2 ? "#c9a56b" : "#a8703f";
  fprintf(s->out,
          "<path d=\"M%.1f %.1fh%dl%.1f %.1fz\" fill=\"%s\" stroke=\"#8a7250\"/>\n",
          x - CELL / 2.0, base, CELL, -CELL / 2.0, sign * (TALL - 20), fill);
  text_at(s, x, base - sign * 12, 12, "#5b4a36", s->parts->rules->board.name[site]);
  const char *rune = s->parts->rune[site];
  if (rune && turned)
    text_turned(s, x, base + sign * (TALL - 8), 9, "#b5483a", rune);
  else if (rune)
    text_at(s, x, base + sign * (TALL - 8), 9, "#5b4a36", rune);
  pile(s, site, x, base + sign * (RADIUS + 2), sign * (2 * RADIUS));
}

static void pockets(const Sheet *s, double y) {
  const Rules *rules = s->parts->rules;
  const uint16_t *count = position_count(s->parts->layout, s->parts->p);
  double x = MARGIN + RADIUS;
  for (int site = rules->board.squares; site < rules->board.sites; site++) {
    bool named = false;
    for (int plane = 0; plane < rules->planes; plane++) {
      int n = count[plane * rules->board.sites + site];
      if (!n) continue;
      if (!named) {
        double half = (double)strlen(rules->board.name[site]) * 4.5;
        text_at(s, x + half, y, 13, "#5b4a36", rules->board.name[site]);
        x += 2 * half + RADIUS;
      }
      named = true;
      piece_at(s, x, y, RADIUS * 0.8, plane, n > 1 ? n : 1);
      x += 2 * RADIUS;
    }
    if (named) x += RADIUS;
  }
}

static void svg_points(const Sheet *s) {
  int columns = (s->parts->rules->board.squares + 1) / 2;
  fprintf(s->out,
          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%.0f\" fill=\"#e9d3a6\" "
          "stroke=\"#5b4a36\" stroke-width=\"3\"/>\n",
          MARGIN, MARGIN, columns * CELL + RIDGE, s->height - 2 * MARGIN - s->below);
  fprintf(s->out,
          "<rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%.0f\" fill=\"#8a5a34\"/>\n",
          MARGIN + columns / 2 * (double)CELL, MARGIN, RIDGE,
          s->height - 2 * MARGIN - s->below);
  for (int c = 0; c < columns; c++) {
    if (columns + c < s->parts->rules->board.squares)
      point(s, columns + c, c, columns, true);
    point(s, columns - 1 - c, c, columns, false);
  }
}

/* ---- a ring of ships: points that bear names, with one road for everybody ---- */

enum { RING_INNER = 190, RING_OUTER = 355, RING_SIZE = 420 };

static bool is_ring(const DrawParts *parts) {
  const Rules *rules = parts->rules;
  if (rules->board.shape != BOARD_POINTS || rules->board.squares < 12 ||
      rules->board.squares > 36)
    return false;
  for (int i = 0; i < rules->paths; i++)
    if (rules->path[i].owner >= 0) return false;
  for (int site = 0; site < rules->board.squares; site++)
    if (!parts->rune[site]) return false;
  return true;
}

/* Along the radius. */
static void text_along(const Sheet *s, double x, double y, double degrees, double size,
                       const char *fill, const char *text) {
  fprintf(s->out, "<g transform=\"rotate(%.1f %.1f %.1f)\">", degrees, x, y);
  text_at(s, x, y, size, fill, text);
  fputs("</g>\n", s->out);
}

static void ship(const Sheet *s, int site, double angle) {
  const DrawParts *parts = s->parts;
  bool turned = parts->turned[site];
  double degrees = angle * 57.29577951, middle = RING_SIZE;
  double mid = (RING_INNER + RING_OUTER) / 2.0, half = (RING_OUTER - RING_INNER) / 2.0;
  double wide = 0.6 * 6.283185307 * mid / parts->rules->board.squares;
  fprintf(s->out,
          "<path transform=\"translate(%.1f %.1f) rotate(%.1f)\" "
          "d=\"M0 %.1fC%.1f %.1f %.1f %.1f 0 %.1fC%.1f %.1f %.1f %.1f 0 %.1fz\" "
          "fill=\"%s\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
          middle + mid * sin(angle), middle - mid * cos(angle), degrees, -half - 14, wide,
          -half * 0.7, wide, half * 0.6, half + 12, -wide, half * 0.6, -wide, -half * 0.7,
          -half - 14,
          turned     ? "#9aa7b3"
          : site % 2 ? "#c9a56b"
                     : "#b98450",
          turned ? "#4f5d6b" : "#6b4a2a", turned ? " stroke-dasharray=\"6 4\"" : "");
  text_at(s, middle + (RING_OUTER + 28) * sin(angle),
          middle - (RING_OUTER + 28) * cos(angle), 13, "#5b4a36",
          parts->rules->board.name[site]);
  double x = middle + (RING_INNER - 48) * sin(angle),
         y = middle - (RING_INNER - 48) * cos(angle);
  bool left = sin(angle) < -1e-9;
  text_along(s, x, y, degrees + (left ? 90 : -90) + (turned ? 180 : 0), 12,
             turned ? "#b5483a" : "#5b4a36", parts->rune[site]);
}

/* The pieces of a ship sit behind one another, the first at the bow. */
static void crew(const Sheet *s, int site, double angle) {
  const Rules *rules = s->parts->rules;
  const uint16_t *count = position_count(s->parts->layout, s->parts->p);
  int total = draw_count(s->parts, site), at = 0;
  double step = total > 4 ? 4.0 * 2 * RADIUS / total : 2 * RADIUS;
  for (int plane = 0; plane < rules->planes; plane++)
    for (int i = 0; i < count[plane * rules->board.sites + site]; i++) {
      double r = RING_OUTER - RADIUS - step * at++;
      piece_at(s, RING_SIZE + r * sin(angle), RING_SIZE - r * cos(angle), RADIUS - 2,
               plane, 1);
    }
}

static void svg_ring(const Sheet *s) {
  int n = s->parts->rules->board.squares;
  fprintf(s->out,
          "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#dfe7ea\" stroke=\"#5b4a36\" "
          "stroke-width=\"3\"/>\n<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#fbf7ee\" "
          "stroke=\"#8a7250\"/>\n",
          RING_SIZE, RING_SIZE, RING_OUTER + 48, RING_SIZE, RING_SIZE, RING_INNER - 92);
  for (int site = 0; site < n; site++) {
    double angle = 6.283185307 * (site + 0.5) / n;
    ship(s, site, angle);
    crew(s, site, angle);
  }
}

/* ---- graphs ---- */

static void place(const Sheet *s, int site, double *x, double *y) {
  const Board *board = &s->parts->rules->board;
  if (board->file_of && board->file_of[site] >= 0) {
    *x = MARGIN + CELL / 2.0 + board->file_of[site] * CELL;
    *y = s->height - s->below - MARGIN - CELL / 2.0 - board->rank_of[site] * CELL;
    return;
  }
  double angle = 6.283185307 * site / board->squares; /* a ring */
  *x = s->width / 2 + (s->width / 2 - MARGIN - CELL / 2.0) * sin(angle);
  *y = (s->height - s->below) / 2 -
       ((s->height - s->below) / 2 - MARGIN - CELL / 2.0) * cos(angle);
}

static void svg_graph(const Sheet *s) {
  const Board *board = &s->parts->rules->board;
  double x, y, x2, y2;
  for (int site = 0; site < board->squares; site++)
    for (int d = 0; d < board->dirs; d++) {
      int next = board->next[d][site];
      if (next <= site) continue;
      place(s, site, &x, &y);
      place(s, next, &x2, &y2);
      fprintf(
          s->out,
          "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#5b4a36\" stroke-width=\"2\"/>\n", x,
          y, x2, y2);
    }
  for (int site = 0; site < board->squares; site++) {
    place(s, site, &x, &y);
    fprintf(s->out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\" stroke=\"#5b4a36\"/>\n",
            x, y, tint_fill(s->parts->tint[site]));
    if (draw_count(s->parts, site))
      stack_on(s, site, x, y);
    else
      text_at(s, x + 12, y - 10, 10, "#8a7250", board->name[site]);
  }
}

static void measure(Sheet *s) {
  const Board *board = &s->parts->rules->board;
  double across = 10, down = 10;
  if (s->ring) {
    s->width = 2 * RING_SIZE;
    s->height = 2 * RING_SIZE + s->below;
    return;
  }
  if (board->shape == BOARD_GRID) {
    across = board->files, down = board->ranks;
  } else if (board->shape == BOARD_POINTS) {
    across = (board->squares + 1) / 2;
    s->width = 2 * MARGIN + across * CELL + RIDGE;
    s->height = 2 * MARGIN + 2 * TALL + MIDDLE + s->below;
    return;
  } else if (board->file_of && board->squares && board->file_of[0] >= 0) {
    across = down = 1;
    for (int i = 0; i < board->squares; i++) {
      if (board->file_of[i] + 1 > across) across = board->file_of[i] + 1;
      if (board->rank_of[i] + 1 > down) down = board->rank_of[i] + 1;
    }
  }
  s->width = 2 * MARGIN + across * CELL;
  s->height = 2 * MARGIN + down * CELL + s->below;
}

/* The words that the terminal has below the board, but for what lies in pockets. */
static char *caption_lines(const DrawParts *parts, int *lines) {
  char *text = NULL;
  size_t length = 0;
  *lines = 0;
  FILE *memory = open_memstream(&text, &length);
  if (!memory) return NULL;
  draw_captions_below(memory, parts);
  if (fclose(memory) != 0) return text;
  for (size_t i = 0; i < length; i++) *lines += text[i] == '\n';
  return text;
}

static void captions(const Sheet *s) {
  double y = s->height - s->below + 58;
  for (char *line = s->caption, *end; line && (end = strchr(line, '\n'));
       line = end + 1) {
    *end = 0;
    fprintf(s->out, "<text x=\"%d\" y=\"%.1f\" font-size=\"13\" fill=\"#5b4a36\">",
            MARGIN, y + 5);
    escaped(s->out, line + strspn(line, " "));
    fputs("</text>\n", s->out);
    y += LINE;
  }
}

void draw_svg(FILE *out, Engine *engine, const Position *p, DrawStyle style) {
  DrawParts *parts = memory_resize(NULL, sizeof *parts);
  draw_parts(parts, engine, p, style);
  Sheet sheet = {.out = out, .parts = parts, .ring = is_ring(parts)};
  int lines;
  sheet.caption = caption_lines(parts, &lines);
  sheet.below = 56 + LINE * lines;
  measure(&sheet);
  begin(&sheet);
  switch (parts->rules->board.shape) {
    case BOARD_GRID:
      svg_grid(&sheet);
      break;
    case BOARD_POINTS:
      if (sheet.ring)
        svg_ring(&sheet);
      else
        svg_points(&sheet);
      break;
    case BOARD_GRAPH:
      svg_graph(&sheet);
      break;
  }
  pockets(&sheet, sheet.height - sheet.below + 30);
  captions(&sheet);
  fputs("</svg>\n", out);
  free(sheet.caption);
  memory_resize(parts, 0);
}
