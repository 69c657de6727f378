/* Positions drawn: in the terminal and as SVG. Grids as boards with ranks and files,
 * points as two rows that run round, graphs by the places of their sites. */
#ifndef DRAW_H
#define DRAW_H

#include <stdio.h>
#include "play/engine.h"

typedef struct DrawStyle {
  bool colour;
  bool ascii;   /* no characters beyond ASCII, save names of the game */
  bool russian; /* captions */
} DrawStyle;

/* Draws a position, what is off the board, states that are not as at the start, and whose
 * turn it is. */
void draw_position(FILE *out, Engine *engine, const Position *p, DrawStyle style);
/* A whole SVG document. */
void draw_svg(FILE *out, Engine *engine, const Position *p, DrawStyle style);

/* -- what both have in common (draw_parts.c) -- */
enum { DRAW_TINTS = 6 };
typedef struct DrawParts {
  const Rules *rules;
  const Layout *layout;
  const Position *p;
  DrawStyle style;
  int tint[SITES_MAX];         /* 0, or 1 + the number of a special region */
  bool turned[SITES_MAX];      /* some state of the site is not as at the start */
  const char *rune[SITES_MAX]; /* a name that stands on this site alone, or NULL */
  char glyph[PLANES_MAX][8];   /* of each plane, in the terminal */
} DrawParts;
void draw_parts(DrawParts *parts, Engine *engine, const Position *p, DrawStyle style);
/* The colour of a seat: 0 white, 1 black, 2 green, 3 blue, 4 red, 5 yellow, then others;
 * by the players' names if these are colours. */
int draw_hue(const Rules *rules, int seat);
/* Columns of a text in a terminal, near enough. */
int draw_width(const char *text);
/* Pieces on a site, all planes. */
int draw_count(const DrawParts *parts, int site);
/* Whether the setup sets this state. */
bool draw_set_at_start(const Rules *rules, int state);
/* What each seat has off the board; states; the mover. */
void draw_captions(FILE *out, const DrawParts *parts);
/* The states and the mover only. */
void draw_captions_below(FILE *out, const DrawParts *parts);

#endif
