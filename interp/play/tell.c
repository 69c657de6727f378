/* Conditions and sets in words. Every function here only evaluates, with the same evaluator
 * that plays, and says what it found. */
#include "play/tell.h"

#include <stdio.h>
#include <string.h>

#include "play/inside.h"

enum { DEPTH_MOST = 8, NAMED_MOST = 6 };

Telling telling(const EvalCtx *ctx, char *text, size_t room) {
  Telling t;
  memset(&t, 0, sizeof t);
  t.ctx = *ctx;
  t.text = text;
  t.room = room;
  t.russian = ctx->engine->russian;
  if (room) *text = 0;
  return t;
}

void tell_say(Telling *t, WordsId id, const char *const *put_in) {
  if (t->used + 1 < t->room)
    t->used += words_write(t->text + t->used, t->room - t->used, id, t->russian, put_in);
}

void tell(Telling *t, const char *format, ...) {
  if (t->used + 1 >= t->room) return;
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(t->text + t->used, t->room - t->used, format, arguments);
  va_end(arguments);
  if (n > 0) t->used += (size_t)n;
  if (t->used >= t->room) t->used = t->room - 1;
}

const char *tell_words(const Rules *rules, Span span, char text[80]) {
  enum { MOST = 60 };
  *text = 0;
  if (!rules->sources || span.file < 0 || span.file >= rules->sources->n) return text;
  const Source *source = &rules->sources->at[span.file];
  if (span.start < 0 || span.end > (int)source->length || span.start >= span.end) return text;
  int n = 0;
  for (int i = span.start; i < span.end && n < MOST; i++) {
    char c = source->text[i];
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    if (c == ' ' && (n == 0 || text[n - 1] == ' ')) continue;
    text[n++] = c;
  }
  while (n > 0 && (text[n - 1] == ' ' || (text[n - 1] & 0xC0) == 0x80)) n--;
  text[n] = 0;
  if (n >= MOST - 1) strcpy(text + n, "…");
  return text;
}

const char *tell_quote(const Telling *t, const Expr *e, char text[96]) {
  char words[80];
  tell_words(t->ctx.rules, e->span, words);
  size_t n = strlen(words);
  if (*words == '(' && words[n - 1] == ')' && strchr(words, ')') == words + n - 1)
    snprintf(text, 96, "`%.*s`", (int)n - 2, words + 1);
  else if (*words)
    snprintf(text, 96, "`%s`", words);
  else
    snprintf(text, 96, "%s", words_text(WORDS_IT, t->russian));
  return text;
}
#define QUOTE(e) tell_quote(t, (e), (char[96]){0})

const char *tell_piece(const Telling *t, int plane, char text[128]) {
  const Rules *rules = t->ctx.rules;
  WORDS_WRITE(text, 128, t->russian, PIECE, rules->kind[rules->plane[plane].kind].name,
              rules->player[rules->plane[plane].owner]);
  return text;
}

static const char *site_name(const Telling *t, int site) {
  return t->ctx.rules->board.name[site];
}

static void note(Telling *t, int site) {
  if (site >= 0) sites_add(&t->witness, site);
}

void tell_sites(Telling *t, const SiteSet *set) {
  int n = sites_count(set), i = 0;
  if (n == 0) SAY(t, NOTHING);
  SITES_FOR(site, *set) {
    if (i == NAMED_MOST && n > NAMED_MOST + 1) {
      SAY(t, AND_MORE, WORDS_NUMBER(n - i));
      return;
    }
    tell(t, "%s%s", i ? ", " : "", site_name(t, site));
    i++;
  }
}

static int count_on(const Telling *t, int plane, int site) {
  return position_count(t->ctx.layout,
                        t->ctx.pos)[plane * t->ctx.rules->board.sites + site];
}

/* "2 stone of black" */
static void tell_pieces(Telling *t, int plane, int n) {
  char piece[128];
  if (n > 1) tell(t, "%d ", n);
  tell(t, "%s", tell_piece(t, plane, piece));
}

/* What is told by `what` of a site or an expression, as a text to be put in; the sites that it
 * shows are noted. */
typedef void Told(Telling *t, const void *what);
static const char *told(Telling *t, Told *what, const void *of, char *text, size_t room) {
  Telling part = telling(&t->ctx, text, room);
  what(&part, of);
  t->witness = sites_or(t->witness, part.witness);
  return text;
}

/* "2 stone of black and queen of white", or nothing */
static void tell_stack(Telling *t, const void *what) {
  int site = *(const int *)what;
  for (int plane = 0; plane < t->ctx.rules->planes; plane++) {
    int n = count_on(t, plane, site);
    if (!n) continue;
    if (t->used) SAY(t, AND);
    tell_pieces(t, plane, n);
  }
}

void tell_holds(Telling *t, int site) {
  char pieces[256];
  note(t, site);
  told(t, tell_stack, &site, pieces, sizeof pieces);
  if (*pieces)
    SAY(t, HOLDS, site_name(t, site), pieces);
  else
    SAY(t, IS_EMPTY, site_name(t, site));
}

bool tell_contains(EvalCtx *ctx, const Expr *e, int site) {
  SiteSet set;
  if (e->type == TYPE_PIECES) {
    PieceSet pieces;
    eval_pieces(ctx, e, &pieces);
    set = pieces_sites(&pieces);
  } else {
    set = eval_sites(ctx, e);
  }
  return sites_has(&set, site);
}

/* ---- sets ---- */

/* The smallest region within a constant set that holds the site: the author's word for it. */
static const char *region_name(const Rules *rules, const SiteSet *set, int site) {
  const char *name = NULL;
  int least = SITES_MAX + 1;
  for (int i = 0; i < rules->regions; i++) {
    const Region *r = &rules->region[i];
    for (int s = 0; s < (r->by_player ? rules->seats : 1); s++) {
      int n = sites_count(&r->sites[s]);
      if (n >= least || !sites_has(&r->sites[s], site) || !sites_within(&r->sites[s], set))
        continue;
      name = r->name;
      least = n;
    }
  }
  return name;
}

static void tell_belongs(Telling *t, int site, bool in, const char *set) {
  note(t, site);
  if (in)
    SAY(t, IS_IN, site_name(t, site), set);
  else
    SAY(t, NOT_IN, site_name(t, site), set);
}

static void tell_constant(Telling *t, const Expr *e, int site, bool in) {
  const SiteSet *set = e->data;
  const char *name = in ? region_name(t->ctx.rules, set, site) : NULL;
  char quoted[96];
  if (name) snprintf(quoted, sizeof quoted, "`%s`", name);
  tell_belongs(t, site, in, name ? quoted : QUOTE(e));
}

static bool is_constant(const Expr *e) { return e->deps == 0; }

/* A let by its name, then the part of it that decides. */
static void tell_let(Telling *t, const Expr *e, int site, bool in) {
  char quoted[96];
  snprintf(quoted, sizeof quoted, "`%s`", t->ctx.rules->let[e->a].name);
  tell_belongs(t, site, in, quoted);
  if (is_constant(e) || t->depth >= DEPTH_MOST) return;
  tell(t, " (");
  if (in)
    tell_inside(t, e->kid[0], site);
  else
    tell_outside(t, e->kid[0], site);
  tell(t, ")");
}

static void tell_where(Telling *t, const Expr *e, int site, bool truth) {
  int here = t->ctx.here;
  t->ctx.here = site;
  note(t, site);
  if (e->kid[1]->deps & DEP_HERE)
    tell(t, "%s: ", site_name(t, site));
  tell_condition(t, e->kid[1], truth);
  t->ctx.here = here;
}

void tell_outside(Telling *t, const Expr *e, int site) {
  if (++t->depth > DEPTH_MOST) {
    tell_belongs(t, site, false, QUOTE(e));
    t->depth--;
    return;
  }
  switch (e->op) {
    case X_SITES_CONST: tell_constant(t, e, site, false); break;
    case X_SITES_EMPTY:
      if (sites_has(&t->ctx.rules->board.pockets, site))
        SAY(t, OFF_BOARD, site_name(t, site));
      else
        tell_holds(t, site);
      break;
    case X_SITES_OF: tell_outside(t, e->kid[0], site); break;
    case X_PIECES_KIND:
    case X_PIECES_CONST:
      tell_holds(t, site);
      SAY(t, AND_NOT_SET, QUOTE(e));
      break;
    case X_UNION:
      tell_outside(t, e->kid[0], site);
      if (e->kid[1]->op == X_SITES_CONST && sites_is_empty(e->kid[1]->data)) break;
      SAY(t, AND_ALSO);
      tell_outside(t, e->kid[1], site);
      break;
    case X_MINUS:
    case X_PIECES_OFF:
      if (!tell_contains(&t->ctx, e->kid[0], site))
        tell_outside(t, e->kid[0], site);
      else
        tell_inside(t, e->kid[1], site);
      break;
    case X_MEET:
    case X_PIECES_AT:
      if (!tell_contains(&t->ctx, e->kid[0], site))
        tell_outside(t, e->kid[0], site);
      else
        tell_outside(t, e->kid[1], site);
      break;
    case X_WHERE:
      if (!tell_contains(&t->ctx, e->kid[0], site))
        tell_outside(t, e->kid[0], site);
      else
        tell_where(t, e, site, false);
      break;
    case X_LET: tell_let(t, e, site, false); break;
    default: tell_belongs(t, site, false, QUOTE(e));
  }
  t->depth--;
}

void tell_inside(Telling *t, const Expr *e, int site) {
  if (++t->depth > DEPTH_MOST) {
    tell_belongs(t, site, true, QUOTE(e));
    t->depth--;
    return;
  }
  switch (e->op) {
    case X_SITES_CONST: tell_constant(t, e, site, true); break;
    case X_SITES_EMPTY:
    case X_PIECES_KIND:
    case X_PIECES_CONST: tell_holds(t, site); break;
    case X_SITES_OF: tell_inside(t, e->kid[0], site); break;
    case X_UNION:
      tell_inside(t, tell_contains(&t->ctx, e->kid[0], site) ? e->kid[0] : e->kid[1], site);
      break;
    case X_MINUS:
    case X_PIECES_OFF: tell_inside(t, e->kid[0], site); break;
    case X_MEET:
    case X_PIECES_AT:
      if (e->kid[0]->op != X_SITES_CONST || e->kid[1]->op != X_SITES_CONST) {
        tell_inside(t, e->kid[0], site);
        SAY(t, AND);
      }
      tell_inside(t, e->kid[1], site);
      break;
    case X_WHERE:
      if (e->kid[1]->deps & DEP_HERE)
        tell_where(t, e, site, true);
      else
        tell_inside(t, e->kid[0], site);
      break;
    case X_LET: tell_let(t, e, site, true); break;
    default: tell_belongs(t, site, true, QUOTE(e));
  }
  t->depth--;
}

/* ---- values in words ---- */

static void tell_players(Telling *t, uint32_t players) {
  bool any = false;
  for (int s = 0; s < t->ctx.rules->players; s++) {
    if (!((players >> s) & 1)) continue;
    tell(t, "%s%s", any ? ", " : "", t->ctx.rules->player[s]);
    any = true;
  }
  if (any && players & SEAT_NOBODY) tell(t, ", ");
  if (!any || players & SEAT_NOBODY) SAY(t, NOBODY);
}

static void tell_atoms(Telling *t, SiteSet atoms) {
  int n = 0;
  SITES_FOR(a, atoms) tell(t, "%s%s", n++ ? ", " : "", t->ctx.rules->atom[a]);
  if (!n) SAY(t, NOTHING);
}

static void tell_value(Telling *t, const void *what) {
  const Expr *e = what;
  PieceSet pieces;
  SiteSet set;
  switch ((Type)e->type) {
    case TYPE_NUMBER: tell(t, "%lld", (long long)eval_number(&t->ctx, e)); break;
    case TYPE_PLAYERS: tell_players(t, eval_players(&t->ctx, e)); break;
    case TYPE_VALUES: tell_atoms(t, eval_values(&t->ctx, e)); break;
    case TYPE_PIECES:
      eval_pieces(&t->ctx, e, &pieces);
      set = pieces_sites(&pieces);
      t->witness = sites_or(t->witness, set);
      tell_sites(t, &set);
      break;
    case TYPE_SITES:
      set = eval_sites(&t->ctx, e);
      t->witness = sites_or(t->witness, set);
      tell_sites(t, &set);
      break;
    default: tell(t, "%s", QUOTE(e));
  }
}
#define VALUE(e) told(t, tell_value, (e), (char[160]){0}, 160)

static void tell_set(Telling *t, const void *what) {
  tell_sites(t, what);
}

/* "stone of red stands on 6": the first of the pieces e on the sites (NULL: anywhere). */
static void tell_standing(Telling *t, const Expr *e, const SiteSet *among) {
  const Rules *rules = t->ctx.rules;
  PieceSet pieces;
  eval_pieces(&t->ctx, e, &pieces);
  SiteSet all = pieces_sites(&pieces);
  if (among) all = sites_and(all, *among);
  t->witness = sites_or(t->witness, all);
  int site = sites_first(&all), n = 0;
  char text[200], sites[120];
  Telling stack = telling(&t->ctx, text, sizeof text);
  for (int plane = 0; plane < rules->planes && site >= 0; plane++) {
    if (!((pieces.planes >> plane) & 1) || !sites_has(&pieces.at[plane], site)) continue;
    int count = count_on(t, plane, site);
    if (n) SAY(&stack, AND);
    tell_pieces(&stack, plane, count);
    n += count;
  }
  told(t, tell_set, &all, sites, sizeof sites);
  if (n > 1)
    SAY(t, STAND, text, sites);
  else
    SAY(t, STANDS, text, sites);
}

/* The members of a set that is not empty. */
static void tell_members(Telling *t, const Expr *e) {
  if (e->type == TYPE_SITES && e->op == X_SITES_OF) e = e->kid[0];
  if (e->type == TYPE_PIECES) {
    tell_standing(t, e, NULL);
    return;
  }
  tell(t, "%s: %s", QUOTE(e), VALUE(e));
}

/* A number that the count of a picture's or a set's members gives shows those members. */
static void note_counted(Telling *t, const Expr *e) {
  while (e->op == X_LET) e = e->kid[0];
  if (e->op != X_COUNT) return;
  const Expr *of = e->kid[0];
  if (of->type == TYPE_SITES) {
    t->witness = sites_or(t->witness, eval_sites(&t->ctx, of));
  } else if (of->type == TYPE_PIECES) {
    PieceSet pieces;
    eval_pieces(&t->ctx, of, &pieces);
    t->witness = sites_or(t->witness, pieces_sites(&pieces));
  }
}

/* `SUBJECT` is 3, more than `OTHER`, which is 2; without a relation, only the first half. */
static void tell_compared(Telling *t, const Expr *subject, WordsId relation,
                          const Expr *other) {
  SAY(t, IS, QUOTE(subject), VALUE(subject));
  note_counted(t, subject);
  if (relation == WORDS_COUNT) return;
  char text[300];
  if (relation == WORDS_AS_IS)
    snprintf(text, sizeof text, "%s", QUOTE(other));
  else if (is_constant(other))
    snprintf(text, sizeof text, "%s", VALUE(other));
  else
    WORDS_WRITE(text, sizeof text, t->russian, WHICH_IS, QUOTE(other), VALUE(other));
  if (!is_constant(other)) note_counted(t, other);
  tell_say(t, relation, (const char *const[]){NULL, text});
}

static void tell_order(Telling *t, const Expr *e, bool truth) {
  bool swapped = is_constant(e->kid[0]) && !is_constant(e->kid[1]);
  WordsId relation = e->op == X_LT ? (swapped ? WORDS_MORE : WORDS_LESS)
                                   : (swapped ? WORDS_AT_LEAST : WORDS_AT_MOST);
  if (!truth)
    relation = e->op == X_LT ? (swapped ? WORDS_NOT_MORE : WORDS_NOT_LESS)
                             : (swapped ? WORDS_NOT_AT_LEAST : WORDS_NOT_AT_MOST);
  tell_compared(t, e->kid[swapped], relation, e->kid[!swapped]);
}

static void tell_equal(Telling *t, const Expr *e, bool equal) {
  bool swapped = is_constant(e->kid[0]) && !is_constant(e->kid[1]);
  WordsId relation = !equal                         ? WORDS_IS_NOT
                     : is_constant(e->kid[!swapped]) ? WORDS_COUNT
                                                     : WORDS_AS_IS;
  tell_compared(t, e->kid[swapped], relation, e->kid[!swapped]);
}

/* ---- conditions ---- */

static SiteSet sites_of(Telling *t, const Expr *e) {
  if (e->type == TYPE_SITES) return eval_sites(&t->ctx, e);
  PieceSet pieces;
  eval_pieces(&t->ctx, e, &pieces);
  return pieces_sites(&pieces);
}

static bool on_board(const Expr *e) { return e->type == TYPE_SITES || e->type == TYPE_PIECES; }

/* ALL_IN, SOME_IN, NONE_IN, IS_IN between sets of sites or pieces. */
static void tell_in(Telling *t, const Expr *e, bool truth) {
  const Expr *a = e->kid[0], *b = e->kid[1];
  if (!on_board(a) || !on_board(b)) {
    if (truth == (e->op != X_NONE_IN))
      SAY(t, VALUE_IN, QUOTE(a), VALUE(a), QUOTE(b));
    else
      SAY(t, VALUE_NOT_IN, QUOTE(a), VALUE(a), QUOTE(b));
    return;
  }
  SiteSet left = sites_of(t, a), right = sites_of(t, b);
  SiteSet both = sites_and(left, right), only = sites_minus(left, right);
  if (sites_is_empty(&left)) {
    SAY(t, THERE_IS_NO, QUOTE(a));
    return;
  }
  bool inside = e->op == X_NONE_IN ? !truth : truth;
  const Expr *pieces = a->op == X_SITES_OF ? a->kid[0] : a;
  if (inside && e->op != X_ALL_IN && pieces->type == TYPE_PIECES) {
    tell_standing(t, pieces, &both);
    if (!is_constant(b)) {
      SAY(t, AND_ALSO);
      tell_inside(t, b, sites_first(&both));
    }
  } else if (inside && e->op != X_ALL_IN) {
    tell_inside(t, b, sites_first(&both));
    t->witness = sites_or(t->witness, both);
  } else if (!inside && (e->op == X_ALL_IN || sites_count(&left) == 1)) {
    if (pieces->type == TYPE_PIECES) {
      tell_standing(t, pieces, &only);
      SAY(t, AND_ALSO);
    }
    tell_outside(t, b, sites_first(&only));
    t->witness = sites_or(t->witness, only);
  } else {
    if (inside)
      SAY(t, ALL_OF, QUOTE(a), QUOTE(b));
    else
      SAY(t, NONE_OF, QUOTE(a), QUOTE(b));
    t->witness = sites_or(t->witness, left);
  }
}

static void tell_truth(Telling *t, const Expr *e, bool truth) {
  if (truth)
    SAY(t, TRUE, QUOTE(e));
  else
    SAY(t, FALSE, QUOTE(e));
}

static void tell_junction(Telling *t, const Expr *e, bool truth) {
  bool all = (e->op == X_AND) == truth; /* both kids have that truth */
  if (!all) {
    bool first = eval_condition(&t->ctx, e->kid[0]) == truth;
    tell_condition(t, e->kid[first ? 0 : 1], truth);
    return;
  }
  /* what is constant needs no words */
  if (!is_constant(e->kid[0])) tell_condition(t, e->kid[0], truth);
  if (!is_constant(e->kid[0]) && !is_constant(e->kid[1])) SAY(t, AND_ALSO);
  if (!is_constant(e->kid[1]) || is_constant(e->kid[0]))
    tell_condition(t, e->kid[1], truth);
}

void tell_condition(Telling *t, const Expr *e, bool truth) {
  if (++t->depth > DEPTH_MOST * 2) {
    tell_truth(t, e, truth);
    t->depth--;
    return;
  }
  switch (e->op) {
    case X_NOT: tell_condition(t, e->kid[0], !truth); break;
    case X_AND:
    case X_OR: tell_junction(t, e, truth); break;
    case X_LET: tell_condition(t, e->kid[0], truth); break;
    case X_SOME:
    case X_NONE:
      if ((e->op == X_SOME) == truth)
        tell_members(t, e->kid[0]);
      else
        SAY(t, THERE_IS_NO, QUOTE(e->kid[0]));
      break;
    case X_ALL_IN:
    case X_SOME_IN:
    case X_NONE_IN:
    case X_IS_IN: tell_in(t, e, truth); break;
    case X_LT:
    case X_LE: tell_order(t, e, truth); break;
    case X_EQ: tell_equal(t, e, truth); break;
    case X_NE: tell_equal(t, e, !truth); break;
    case X_STUCK:
      if (truth)
        SAY(t, NO_STEP);
      else
        SAY(t, SOME_STEP);
      break;
    case X_HOOK:
      if (truth)
        SAY(t, HOOK_YES, t->ctx.rules->hook[e->a].name);
      else
        SAY(t, HOOK_NO, t->ctx.rules->hook[e->a].name);
      break;
    default: tell_truth(t, e, truth);
  }
  t->depth--;
}
