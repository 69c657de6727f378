/* What drawing needs to know about a game: special regions, glyphs, states off their
 * start. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "face/draw.h"
#include "front/load.h"

enum { HUES = 6, SPECIAL_MOST = 5 }; /* a region of more sites is not drawn apart */

/* Small constant regions are special; of two where one holds the other, the smaller. */
static int special_sets(const Rules *rules, SiteSet *list, int most) {
  int n = 0;
  SiteSet found[64];
  int founds = 0;
  for (int i = 0; i < rules->regions && founds < 64; i++)
    if (!rules->region[i].by_player) found[founds++] = rules->region[i].sites[0];
  for (int i = 0; i < rules->lets && founds < 64; i++) {
    const Expr *e = rules->let[i].by_player ? NULL : rules->let[i].expr;
    if (e && e->op == X_SITES_CONST && e->data)
      found[founds++] = *(const SiteSet *)e->data;
  }
  for (int i = 0; i < founds && n < most; i++) {
    int size = sites_count(&found[i]);
    bool special =
        size > 0 && size <= SPECIAL_MOST && sites_within(&found[i], &rules->board.all);
    for (int k = 0; k < founds && special; k++) {
      int other = sites_count(&found[k]);
      bool smaller = other > 0 && (other < size || (other == size && k < i));
      if (k != i && smaller && sites_within(&found[k], &found[i])) special = false;
    }
    if (special) list[n++] = found[i];
  }
  return n;
}

static void note_tints(DrawParts *parts) {
  const Rules *rules = parts->rules;
  if (rules->board.shape == BOARD_POINTS) return;
  SiteSet set[DRAW_TINTS];
  int n = special_sets(rules, set, DRAW_TINTS);
  for (int i = n - 1; i >= 0; i--) SITES_FOR(site, set[i]) parts->tint[site] = i + 1;
}

static void note_runes(DrawParts *parts) {
  const Rules *rules = parts->rules;
  for (int l = 0; l < rules->labels; l++) {
    const Label *label = &rules->label[l];
    if (label->type != TYPE_VALUES) continue;
    for (int site = 0; site < rules->board.squares; site++) {
      if (label->value[site] < 0 || parts->rune[site]) continue;
      const char *word = rules->atom[label->value[site]];
      if (rules_site(rules, word) == site) parts->rune[site] = word;
    }
  }
}

/* A state that the setup sets has no one value to differ from. */
bool draw_set_at_start(const Rules *rules, int state) {
  for (int i = 0; i < rules->start_effects.n; i++) {
    const Effect *e = &rules->start_effects.at[i];
    if (e->target == TARGET_STATE && e->op == EFFECT_SET && e->state == state)
      return true;
  }
  return false;
}

static void note_turned(DrawParts *parts) {
  const Rules *rules = parts->rules;
  for (int i = 0; i < rules->states; i++) {
    const State *state = &rules->state[i];
    if (state->scope != SCOPE_SITE || draw_set_at_start(rules, i)) continue;
    const int32_t *cell = position_cells(parts->layout, parts->p) + state->cell;
    for (int c = 0; c < state->cells && c < rules->board.squares; c++)
      if (cell[c] != state->start && state->type == TYPE_VALUES) parts->turned[c] = true;
  }
}

/* The kind that most pieces of an owner are of: drawn as a plain disc. */
static int common_kind(const Rules *rules, int seat) {
  int best = -1, most = 0;
  for (int plane = 0; plane < rules->planes; plane++) {
    if (rules->plane[plane].owner != seat) continue;
    int n = 0;
    for (int s = 0; s < rules->board.sites; s++)
      n += rules->start_count[plane * rules->board.sites + s];
    if (n > most || best < 0) {
      most = n;
      best = rules->plane[plane].kind;
    }
  }
  return best;
}

static void note_glyphs(DrawParts *parts) {
  static const char *const discs[] = {"○", "●", "▲", "■", "◆", "▼", "★", "◇"};
  static const char letters[] = "oxvnmuwz";
  const Rules *rules = parts->rules;
  for (int plane = 0; plane < rules->planes; plane++) {
    int seat = rules->plane[plane].owner;
    const Kind *kind = &rules->kind[rules->plane[plane].kind];
    char *glyph = parts->glyph[plane];
    if (kind->symbol[seat] > ' ') {
      snprintf(glyph, 8, "%c", kind->symbol[seat]);
    } else if (common_kind(rules, seat) == rules->plane[plane].kind) {
      if (parts->style.ascii)
        snprintf(glyph, 8, "%c", letters[seat]);
      else
        snprintf(glyph, 8, "%s", discs[seat]);
    } else {
      int c = kind->name[0];
      if (seat == 0 && c >= 'a' && c <= 'z') c += 'A' - 'a';
      snprintf(glyph, 8, "%c", c);
    }
  }
}

void draw_parts(DrawParts *parts, Engine *engine, const Position *p, DrawStyle style) {
  memset(parts, 0, sizeof *parts);
  parts->rules = engine_rules(engine);
  parts->layout = engine_layout(engine);
  parts->p = p;
  parts->style = style;
  note_tints(parts);
  note_runes(parts);
  note_turned(parts);
  note_glyphs(parts);
}

int draw_hue(const Rules *rules, int seat) {
  static const char *const names[HUES] = {"white", "black", "green",
                                          "blue",  "red",   "yellow"};
  int hue[SEATS_MAX];
  bool named = true; /* players are called after colours, or none is painted so */
  for (int s = 0; s < rules->seats; s++) {
    hue[s] = -1;
    for (int i = 0; i < HUES; i++)
      if (strcmp(rules->player[s], names[i]) == 0) hue[s] = i;
    named = named && hue[s] >= 0;
  }
  return named ? hue[seat] : seat;
}

int draw_width(const char *text) {
  return text_columns(text, strlen(text));
}

int draw_count(const DrawParts *parts, int site) {
  const uint16_t *count = position_count(parts->layout, parts->p);
  int n = 0;
  for (int plane = 0; plane < parts->rules->planes; plane++)
    n += count[plane * parts->rules->board.sites + site];
  return n;
}

static void caption_pockets(FILE *out, const DrawParts *parts, int seat) {
  const Rules *rules = parts->rules;
  const uint16_t *count = position_count(parts->layout, parts->p);
  int shown = 0;
  for (int site = rules->board.squares; site < rules->board.sites; site++)
    for (int plane = 0; plane < rules->planes; plane++) {
      int n = count[plane * rules->board.sites + site];
      if (rules->plane[plane].owner != seat || n == 0) continue;
      if (!shown) fprintf(out, "  %s:", rules->player[seat]);
      fprintf(out, "%s %s %d %s", shown ? "," : "", rules->board.name[site], n,
              parts->glyph[plane]);
      shown++;
    }
  if (shown) fprintf(out, "\n");
}

static void print_cell(FILE *out, const Rules *rules, const State *state, int32_t cell) {
  switch (state->type) {
    case TYPE_NUMBER:
      fprintf(out, "%d", cell);
      break;
    case TYPE_VALUES:
      fprintf(out, "%s", rules->atom[cell]);
      break;
    case TYPE_PLAYERS:
      fprintf(out, "%s", cell < 0 ? "nobody" : rules->player[cell]);
      break;
    default:
      fprintf(out, "%s", cell < 0 ? "nobody" : rules->board.name[cell]);
      break;
  }
}

static void caption_states(FILE *out, const DrawParts *parts) {
  const Rules *rules = parts->rules;
  const int32_t *cells = position_cells(parts->layout, parts->p);
  int shown = 0;
  for (int i = 0; i < rules->states; i++) {
    const State *state = &rules->state[i];
    if (state->scope == SCOPE_TURN || draw_set_at_start(rules, i)) continue;
    for (int c = 0; c < state->cells; c++) {
      int32_t cell = cells[state->cell + c];
      if (cell == state->start) continue;
      fprintf(out, "%s%s", shown++ ? ", " : "  ", state->name);
      if (state->scope == SCOPE_PLAYER) fprintf(out, " of %s", rules->player[c]);
      if (state->scope == SCOPE_SITE)
        fprintf(out, " of %s", parts->rune[c] ? parts->rune[c] : rules->board.name[c]);
      fprintf(out, " = ");
      print_cell(out, rules, state, cell);
    }
  }
  if (shown) fprintf(out, "\n");
}

static void caption_mover(FILE *out, const DrawParts *parts) {
  const Rules *rules = parts->rules;
  const Position *p = parts->p;
  bool ru = parts->style.russian;
  if (p->stage == STAGE_ENDED || p->mover < 0) return;
  fprintf(out, "  %s %s", ru ? "ход:" : "to move:", rules->player[p->mover]);
  for (int i = 0; p->rolled && i < p->thrown_n; i++)
    fprintf(out, "%s%d", i ? ", " : ru ? "; кости " : "; dice ", p->thrown[i]);
  fprintf(out, "\n");
}

void draw_captions_below(FILE *out, const DrawParts *parts) {
  caption_states(out, parts);
  caption_mover(out, parts);
}

void draw_captions(FILE *out, const DrawParts *parts) {
  for (int seat = 0; seat < parts->rules->seats; seat++)
    caption_pockets(out, parts, seat);
  draw_captions_below(out, parts);
}
