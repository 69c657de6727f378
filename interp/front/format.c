/* The canonical layout. First every token and comment becomes a piece that knows what it
 * begins and what it stands in; then the pieces are written line by line; then the lines
 * of a list are aligned. */
#include "front/format.h"

#include <assert.h>
#include <string.h>
#include "base/vec.h"
#include "front/parse.h"
#include "front/reading.h"
#include "parser.h"

enum { WIDTH = 90, STEP = 2, COMMENT = -1, LIST_SPREAD = 20 };

typedef enum Holds { FILE_, ITEMS, RECORD, PLAIN, SCENARIO_, LAYOUT_ } Holds;

typedef struct Piece {
  int kind; /* token, or COMMENT */
  const char *text;
  int length;
  int breaks;  /* line ends before it in the source: 0, 1, or 2 for a blank line */
  Holds in;    /* what the braces around it hold */
  int depth;   /* how many there are */
  int pair;    /* of a brace: the index of the other one */
  bool begins; /* an item, a clause, a step or a line of a position */
  bool in_move;
  bool one_line; /* of an opening brace: its contents stay on the line */
  int pad;       /* of an opening brace: column of what follows the first words */
} Piece;

typedef struct Line {
  size_t start, end; /* in the text */
  size_t equals;     /* of a definition: where its = stands, else 0 */
  int head;          /* the word that it begins with */
  int indent;
} Line;

typedef struct Layout {
  VEC(Piece) pieces;
  VEC(char) text;
  VEC(Line) lines;
} Layout;

/* ---- reading: pieces ---- */

static void add_comments(Layout *l, const char *text, int from, int to, int *breaks) {
  for (int i = from; i < to;) {
    if (text[i] == '\n') (*breaks)++;
    if (text[i] != '#') {
      i++;
      continue;
    }
    int end = i;
    while (end < to && text[end] != '\n') end++;
    Piece piece = {.kind = COMMENT, .text = text + i, .length = end - i};
    while (piece.length > 1 && strchr(" \t\r", piece.text[piece.length - 1]))
      piece.length--;
    piece.breaks = *breaks > 2 ? 2 : *breaks;
    VEC_PUSH(l->pieces, piece);
    *breaks = 0;
    i = end;
  }
}

static void read_pieces(Layout *l, const Source *source, Tokens tokens) {
  int at = 0;
  for (int i = 0; i <= tokens.n; i++) {
    int breaks = 0;
    int end = i < tokens.n ? tokens.at[i].start : (int)source->length;
    add_comments(l, source->text, at, end, &breaks);
    if (i == tokens.n) return;
    const Token *t = &tokens.at[i];
    Piece piece = {
        .kind = t->kind, .text = source->text + t->start, .length = t->end - t->start};
    piece.breaks = breaks > 2 ? 2 : breaks;
    VEC_PUSH(l->pieces, piece);
    at = t->end;
  }
}

/* ---- what begins where ---- */

static bool is_taken(int before) {
  return before == '=' || before == NE || before == '|' || before == '.' || before == OF;
}

static bool begins_item(int kind, int before, int before2) {
  if (is_taken(before) || before2 == BEFORE) return false;
  switch (before) {
    case CHANGE:
    case REPLACE:
    case REMOVE:
    case PATTERN:
    case BEFORE:
      return false;
    default:
      break;
  }
  return feed_is_item(kind);
}

static bool begins_clause(int kind, int before) {
  if (is_taken(before) || before == ',' || before == EFFECTS || before == REMOVE)
    return false;
  return feed_is_clause(kind) || kind == REMOVE;
}

static bool begins_step(int kind, int before) {
  return !is_taken(before) && before != BECAUSE && feed_is_step(kind);
}

static bool begins(Holds in, int kind, int before, int before2) {
  switch (in) {
    case FILE_:
      return feed_is_unit(kind);
    case ITEMS:
      return begins_item(kind, before, before2);
    case RECORD:
    case PLAIN:
      return begins_clause(kind, before);
    case SCENARIO_:
      return begins_step(kind, before);
    case LAYOUT_:
      return kind == ROW || kind == PLACE || (kind == SET && !is_taken(before));
  }
  return false;
}

static Holds braces_hold(Holds in, int head, int before) {
  if (before == GIVEN) return LAYOUT_;
  if (in == FILE_) return ITEMS;
  switch (head) {
    case PHASE:
      return ITEMS;
    case SCENARIO:
      return SCENARIO_;
    case SETUP:
      return LAYOUT_;
    case BOARD:
    case DICE:
      return PLAIN;
    default:
      return RECORD;
  }
}

static void place_pieces(Layout *l) {
  enum { DEEPEST = 256 };
  int open[DEEPEST];
  Holds holds[DEEPEST] = {FILE_};
  int depth = 0, before = 0, before2 = 0, head = 0;
  bool in_move = false;
  for (size_t i = 0; i < l->pieces.n; i++) {
    Piece *p = &l->pieces.at[i];
    if (p->kind == '}' && depth > 0) {
      depth--;
      p->pair = open[depth];
      l->pieces.at[open[depth]].pair = (int)i;
    }
    p->in = holds[depth];
    p->depth = depth;
    if (p->kind == COMMENT) continue;
    p->begins = begins(p->in, p->kind, before, before2);
    if (p->begins || p->kind == BECAUSE)
      in_move = p->kind == PLAY || p->kind == LEGAL || p->kind == ILLEGAL;
    p->in_move = in_move;
    if (p->begins) head = p->kind;
    bool object = before == CHANGE ||
                  before == REPLACE; /* their braces are those of what they edit */
    if (p->in == ITEMS && object) head = p->kind;
    if (p->kind == '{' && depth < DEEPEST - 1) {
      open[depth] = (int)i;
      holds[depth + 1] = braces_hold(p->in, head, before);
      depth++;
    }
    before2 = before;
    before = p->kind;
  }
}

/* ---- spacing ---- */

/* Blanks between two pieces on one line. */
static int blanks(const Piece *a, const Piece *b) {
  if (b->kind == COMMENT) return 2;
  if (b->begins && a->kind != '{') return 2;
  if (b->in_move && (b->kind == '-' || a->kind == '-')) return 0;
  if (a->kind == '.' || b->kind == '.') return 0;
  if (b->kind == ',' || b->kind == ')') return 0;
  if (a->kind == '(') return 0;
  if (b->kind == '(' && (a->kind == IDENT || a->kind == LINE)) return 0;
  return 1;
}

static int columns(const Piece *p) {
  int n = 0;
  for (int i = 0; i < p->length; i++)
    if (((unsigned char)p->text[i] & 0xC0) != 0x80) n++;
  return n;
}

/* Braces stay on one line if they were on one line, without comments, and are not too
 * wide. */
static void find_one_line(Layout *l) {
  for (size_t i = 0; i < l->pieces.n; i++) {
    Piece *open = &l->pieces.at[i];
    if (open->kind != '{') continue;
    int width = 1;
    open->one_line = true;
    for (int j = (int)i + 1; j <= open->pair && open->one_line; j++) {
      const Piece *p = &l->pieces.at[j];
      width += blanks(p - 1, p) + columns(p);
      if (p->breaks || p->kind == COMMENT || p->kind == ROW ||
          width > WIDTH - STEP * open->depth)
        open->one_line = false;
    }
  }
}

/* In a brace of several lines the words after the first ones stand below each other. */
static void find_pads(Layout *l) {
  for (size_t i = 0; i < l->pieces.n; i++) {
    Piece *open = &l->pieces.at[i];
    if (open->kind != '{' || open->one_line) continue;
    for (int j = (int)i + 1; j < open->pair; j++) {
      const Piece *p = &l->pieces.at[j];
      if (p->depth != open->depth + 1 || !p->begins) continue;
      int width = p->kind == ROW ? (int)strspn(p->text, "0123456789") : p->length;
      bool counts = p->kind == ROW || p->in != LAYOUT_;
      if (counts && p->in != ITEMS && width > open->pad) open->pad = width;
    }
  }
}

/* ---- writing ---- */

static void put(Layout *l, const char *text, int length) {
  for (int i = 0; i < length; i++) VEC_PUSH(l->text, text[i]);
}

static void put_blanks(Layout *l, int n) {
  for (; n > 0; n--) VEC_PUSH(l->text, ' ');
}

static void end_line(Layout *l) {
  if (l->lines.n) l->lines.at[l->lines.n - 1].end = l->text.n;
  if (l->text.n) VEC_PUSH(l->text, '\n');
}

static void start_line(Layout *l, const Piece *p, int indent) {
  Line line = {l->text.n, l->text.n, 0, p->begins ? p->kind : 0, indent};
  VEC_PUSH(l->lines, line);
  put_blanks(l, indent);
}

/* Line ends wanted before a piece. */
static int breaks_before(const Layout *l, const Piece *p, const Piece *open) {
  const Piece *before = p - 1;
  bool inside_one_line = open && open->one_line;
  if (before->kind == COMMENT) return p->breaks ? p->breaks : 1;
  if (p->kind == '{') return 0;
  if (inside_one_line) return 0;
  if (p->kind == '}') return 1;
  if (before->kind == '{') return p->kind == COMMENT && p->breaks == 0 ? 0 : 1;
  if (p->kind == COMMENT) return p->breaks;
  bool after_block = before->kind == '}' && !l->pieces.at[before->pair].one_line;
  bool forced = p->begins && (p->in == FILE_ || p->in == ITEMS || p->in == RECORD ||
                              p->in == SCENARIO_ || p->kind == ROW ||
                              before->kind == ROW || after_block);
  return forced && p->breaks == 0 ? 1 : p->breaks;
}

static void write_pieces(Layout *l) {
  const Piece *open[256] = {NULL};
  int depth = 0;
  int clause_pad = 0; /* extra indent of a clause's further lines */
  for (size_t i = 0; i < l->pieces.n; i++) {
    const Piece *p = &l->pieces.at[i];
    const Piece *around = depth ? open[depth - 1] : NULL;
    int breaks = i == 0 ? 0 : breaks_before(l, p, around);
    if (p->kind == '}' && depth) depth--;
    int indent = STEP * p->depth;
    int pad = around && p->kind != '}' ? around->pad : 0;
    bool stands_alone =
        p->begins || p->kind == '}' || p->kind == COMMENT || p->kind == '{';
    if (i == 0 || breaks) {
      bool blank = breaks == 2 && p->kind != '}' && p[-1].kind != '{';
      if (i) end_line(l);
      if (blank) VEC_PUSH(l->text, '\n');
      bool in_row = p->kind == ROW;
      int extra = stands_alone ? 0 : clause_pad;
      if (in_row) extra = pad - (int)strspn(p->text, "0123456789");
      start_line(l, p, indent + extra);
    } else {
      const Piece *before = p - 1;
      int n = blanks(before, p);
      bool first_word = before->begins && before->kind != ROW && l->lines.n &&
                        l->lines.at[l->lines.n - 1].head == before->kind &&
                        p->kind != COMMENT && p->kind != '{' &&
                        l->text.n == l->lines.at[l->lines.n - 1].start +
                                         (size_t)l->lines.at[l->lines.n - 1].indent +
                                         (size_t)before->length;
      if (first_word && before->in != ITEMS && before->in != LAYOUT_ &&
          before->in != FILE_ && pad > before->length)
        n = pad - before->length + 1;
      put_blanks(l, n);
    }
    if (p->begins)
      clause_pad =
          p->in == RECORD || p->in == SCENARIO_ || p->in == PLAIN ? pad + 1 : 2 * STEP;
    if (p->kind == '=' && l->lines.n && !l->lines.at[l->lines.n - 1].equals)
      l->lines.at[l->lines.n - 1].equals = l->text.n;
    put(l, p->text, p->length);
    if (p->kind == '{' && depth < 255) open[depth++] = p;
  }
  end_line(l);
}

/* ---- lists: definitions of one kind on consecutive lines have their = below each other
 * ---- */

static bool in_list(const Layout *l, size_t i) {
  const Line *line = &l->lines.at[i];
  if (!line->equals) return false;
  switch (line->head) {
    case REGION:
    case LET:
    case PARAM:
    case STATE:
    case LABEL:
    case PATH:
      break;
    default:
      return false;
  }
  /* not if the line goes on, or if a blank line or another kind of line stands before */
  return true;
}

static bool same_list(const Layout *l, size_t a, size_t b) {
  const Line *x = &l->lines.at[a];
  const Line *y = &l->lines.at[b];
  return b == a + 1 && in_list(l, b) && x->head == y->head && x->indent == y->indent &&
         y->start == x->end + 1;
}

static char *align_lists(const Layout *l, Arena *arena) {
  VEC(char) out = {0};
  size_t at = 0;
  for (size_t i = 0; i < l->lines.n;) {
    size_t end = i + 1;
    if (!in_list(l, i)) {
      i = end;
      continue;
    }
    while (end < l->lines.n && same_list(l, end - 1, end)) end++;
    size_t widest = 0, least = SIZE_MAX;
    for (size_t k = i; k < end; k++) {
      size_t width = l->lines.at[k].equals - l->lines.at[k].start;
      if (width > widest) widest = width;
      if (width < least) least = width;
    }
    for (size_t k = i; k < end && widest - least <= LIST_SPREAD; k++) {
      const Line *line = &l->lines.at[k];
      for (; at < line->equals; at++) VEC_PUSH(out, l->text.at[at]);
      for (size_t n = line->equals - line->start; n < widest; n++) VEC_PUSH(out, ' ');
    }
    i = end;
  }
  for (; at < l->text.n; at++) VEC_PUSH(out, l->text.at[at]);
  char *text = arena_text(arena, out.at ? out.at : "", out.n);
  VEC_FREE(out);
  return text;
}

/* ---- all together ---- */

static bool same_tokens(Arena *arena, const Source *source, Tokens before,
                        const char *text) {
  Sources one = {.arena = arena};
  int file;
  if (source_from_text(&one, source->name, text, strlen(text), &file) != SOURCE_OK)
    return false;
  Tokens after = parse_tokens(arena, &one, file);
  if (after.n != before.n) return false;
  for (int i = 0; i < after.n; i++) {
    const Token *a = &before.at[i];
    const Token *b = &after.at[i];
    if (a->kind != b->kind || a->end - a->start != b->end - b->start) return false;
    if (memcmp(source->text + a->start, text + b->start, (size_t)(a->end - a->start)) !=
        0)
      return false;
  }
  return true;
}

char *format_source(Arena *arena, const Sources *sources, int file, Diags *diags) {
  int errors = diags->errors;
  parse_file(diags, names_new(arena), arena, file);
  if (diags->errors > errors) return NULL;

  const Source *source = &sources->at[file];
  Tokens tokens = parse_tokens(arena, sources, file);
  Layout l = {0};
  read_pieces(&l, source, tokens);
  place_pieces(&l);
  find_one_line(&l);
  find_pads(&l);
  write_pieces(&l);
  char *text = align_lists(&l, arena);
  VEC_FREE(l.pieces);
  VEC_FREE(l.text);
  VEC_FREE(l.lines);
  bool same = same_tokens(arena, source, tokens, text);
  assert(same);
  return same ? text : arena_text(arena, source->text, source->length);
}
