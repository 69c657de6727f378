/* Conditions and sets in words. Every function here only evaluates, with the same evaluator
 * that plays, and says what it found. */
#include "play/tell.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 8, NAMED_MOST = 6 };

Telling telling(const EvalCtx *ctx, char *text, size_t room) {
  Telling t;
  memset(&t, 0, sizeof t);
  t.ctx = *ctx;
  t.text = text;
  t.room = room;
  if (room) *text = 0;
  return t;
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

/* Quotes what the author wrote for e. */
static void tell_quoted(Telling *t, const Expr *e) {
  char words[80];
  tell_words(t->ctx.rules, e->span, words);
  size_t n = strlen(words);
  if (*words == '(' && words[n - 1] == ')' && strchr(words, ')') == words + n - 1)
    tell(t, "`%.*s`", (int)n - 2, words + 1);
  else if (*words)
    tell(t, "`%s`", words);
  else
    tell(t, "it");
}

static const char *site_name(const Telling *t, int site) {
  return t->ctx.rules->board.name[site];
}

static void note(Telling *t, int site) {
  if (site >= 0) sites_add(&t->witness, site);
}

void tell_sites(Telling *t, const SiteSet *set) {
  int n = sites_count(set), i = 0;
  if (n == 0) tell(t, "nothing");
  SITES_FOR(site, *set) {
    if (i == NAMED_MOST && n > NAMED_MOST + 1) {
      tell(t, " and %d more", n - i);
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

/* "2 stone of black and queen of white"; false if nothing stands there. */
static bool tell_stack(Telling *t, int site) {
  const Rules *rules = t->ctx.rules;
  bool any = false;
  for (int plane = 0; plane < rules->planes; plane++) {
    int n = count_on(t, plane, site);
    if (!n) continue;
    tell(t, "%s", any ? " and " : "");
    if (n > 1) tell(t, "%d ", n);
    tell(t, "%s of %s", rules->kind[rules->plane[plane].kind].name,
         rules->player[rules->plane[plane].owner]);
    any = true;
  }
  return any;
}

void tell_holds(Telling *t, int site) {
  note(t, site);
  tell(t, "%s ", site_name(t, site));
  size_t used = t->used;
  tell(t, "holds ");
  if (tell_stack(t, site)) return;
  t->used = used;
  tell(t, "is empty");
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

static void tell_constant(Telling *t, const Expr *e, int site, bool in) {
  const SiteSet *set = e->data;
  const char *name = in ? region_name(t->ctx.rules, set, site) : NULL;
  note(t, site);
  tell(t, "%s is %s ", site_name(t, site), in ? "in" : "not in");
  if (name)
    tell(t, "`%s`", name);
  else
    tell_quoted(t, e);
}

static bool is_constant(const Expr *e) { return e->deps == 0; }

/* A let by its name, then the part of it that decides. */
static void tell_let(Telling *t, const Expr *e, int site, bool in) {
  tell(t, "%s is %s `%s`", site_name(t, site), in ? "in" : "not in",
       t->ctx.rules->let[e->a].name);
  note(t, site);
  if (is_constant(e) || t->depth >= DEPTH_MOST) return;
  tell(t, " (");
  if (in)
    tell_inside(t, e->kid[0], site);
  else
    tell_outside(t, e->kid[0], site);
  tell(t, ")");
}

static void tell_plainly(Telling *t, const Expr *e, int site, bool in) {
  note(t, site);
  tell(t, "%s is %s ", site_name(t, site), in ? "in" : "not in");
  tell_quoted(t, e);
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
    tell_plainly(t, e, site, false);
    t->depth--;
    return;
  }
  switch (e->op) {
    case X_SITES_CONST: tell_constant(t, e, site, false); break;
    case X_SITES_EMPTY:
      if (sites_has(&t->ctx.rules->board.pockets, site))
        tell(t, "%s is not on the board", site_name(t, site));
      else
        tell_holds(t, site);
      break;
    case X_SITES_OF: tell_outside(t, e->kid[0], site); break;
    case X_PIECES_KIND:
    case X_PIECES_CONST:
      tell_holds(t, site);
      tell(t, ", not ");
      tell_quoted(t, e);
      break;
    case X_UNION:
      tell_outside(t, e->kid[0], site);
      if (e->kid[1]->op == X_SITES_CONST && sites_is_empty(e->kid[1]->data)) break;
      tell(t, ", and ");
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
    default: tell_plainly(t, e, site, false);
  }
  t->depth--;
}

void tell_inside(Telling *t, const Expr *e, int site) {
  if (++t->depth > DEPTH_MOST) {
    tell_plainly(t, e, site, true);
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
        tell(t, " and ");
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
    default: tell_plainly(t, e, site, true);
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
  if (players & SEAT_NOBODY) tell(t, "%snobody", any ? ", " : "");
  else if (!any) tell(t, "nobody");
}

static void tell_atoms(Telling *t, SiteSet atoms) {
  int n = 0;
  SITES_FOR(a, atoms) tell(t, "%s%s", n++ ? ", " : "", t->ctx.rules->atom[a]);
  if (!n) tell(t, "nothing");
}

static void tell_value(Telling *t, const Expr *e) {
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
    default: tell_quoted(t, e);
  }
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
  for (int plane = 0; plane < rules->planes && site >= 0; plane++) {
    if (!((pieces.planes >> plane) & 1) || !sites_has(&pieces.at[plane], site)) continue;
    int count = count_on(t, plane, site);
    tell(t, "%s", n ? " and " : "");
    if (count > 1) tell(t, "%d ", count);
    tell(t, "%s of %s", rules->kind[rules->plane[plane].kind].name,
         rules->player[rules->plane[plane].owner]);
    n += count;
  }
  tell(t, " %s on ", n > 1 ? "stand" : "stands");
  tell_sites(t, &all);
}

/* The members of a set that is not empty. */
static void tell_members(Telling *t, const Expr *e) {
  if (e->type == TYPE_SITES && e->op == X_SITES_OF) e = e->kid[0];
  if (e->type == TYPE_PIECES) {
    tell_standing(t, e, NULL);
    return;
  }
  tell_quoted(t, e);
  tell(t, ": ");
  tell_value(t, e);
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

/* `SUBJECT` is 3, more than `OTHER`, which is 2 */
static void tell_compared(Telling *t, const Expr *subject, const char *relation,
                          const Expr *other) {
  tell_quoted(t, subject);
  tell(t, " is ");
  tell_value(t, subject);
  note_counted(t, subject);
  if (!relation) return;
  tell(t, ", %s", relation);
  if (is_constant(other)) {
    tell_value(t, other);
    return;
  }
  tell_quoted(t, other);
  tell(t, ", which is ");
  tell_value(t, other);
  note_counted(t, other);
}

static void tell_order(Telling *t, const Expr *e, bool truth) {
  bool swapped = is_constant(e->kid[0]) && !is_constant(e->kid[1]);
  const char *word = e->op == X_LT ? (swapped ? "more than" : "less than")
                                   : (swapped ? "at least" : "at most");
  char relation[24];
  snprintf(relation, sizeof relation, "%s%s ", truth ? "" : "not ", word);
  tell_compared(t, e->kid[swapped], relation, e->kid[!swapped]);
}

static void tell_equal(Telling *t, const Expr *e, bool equal) {
  bool swapped = is_constant(e->kid[0]) && !is_constant(e->kid[1]);
  if (equal && is_constant(e->kid[!swapped]))
    tell_compared(t, e->kid[swapped], NULL, NULL);
  else
    tell_compared(t, e->kid[swapped], equal ? "as is " : "not ", e->kid[!swapped]);
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
    tell_quoted(t, a);
    tell(t, " is ");
    tell_value(t, a);
    tell(t, truth == (e->op != X_NONE_IN) ? ", in " : ", not in ");
    tell_quoted(t, b);
    return;
  }
  SiteSet left = sites_of(t, a), right = sites_of(t, b);
  SiteSet both = sites_and(left, right), only = sites_minus(left, right);
  if (sites_is_empty(&left)) {
    tell(t, "there is no ");
    tell_quoted(t, a);
    return;
  }
  bool inside = e->op == X_NONE_IN ? !truth : truth;
  const Expr *pieces = a->op == X_SITES_OF ? a->kid[0] : a;
  if (inside && e->op != X_ALL_IN && pieces->type == TYPE_PIECES) {
    tell_standing(t, pieces, &both);
    if (!is_constant(b)) {
      tell(t, ", and ");
      tell_inside(t, b, sites_first(&both));
    }
  } else if (inside && e->op != X_ALL_IN) {
    tell_inside(t, b, sites_first(&both));
    t->witness = sites_or(t->witness, both);
  } else if (!inside && (e->op == X_ALL_IN || sites_count(&left) == 1)) {
    if (pieces->type == TYPE_PIECES) {
      tell_standing(t, pieces, &only);
      tell(t, ", and ");
    }
    tell_outside(t, b, sites_first(&only));
    t->witness = sites_or(t->witness, only);
  } else {
    tell(t, inside ? "all of " : "none of ");
    tell_quoted(t, a);
    tell(t, " is in ");
    tell_quoted(t, b);
    t->witness = sites_or(t->witness, left);
  }
}

static void tell_none(Telling *t, const Expr *set) {
  tell(t, "there is no ");
  tell_quoted(t, set);
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
  if (!is_constant(e->kid[0]) && !is_constant(e->kid[1])) tell(t, " and ");
  if (!is_constant(e->kid[1]) || is_constant(e->kid[0]))
    tell_condition(t, e->kid[1], truth);
}

void tell_condition(Telling *t, const Expr *e, bool truth) {
  if (++t->depth > DEPTH_MOST * 2) {
    tell_quoted(t, e);
    tell(t, truth ? " holds" : " does not hold");
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
        tell_none(t, e->kid[0]);
      break;
    case X_ALL_IN:
    case X_SOME_IN:
    case X_NONE_IN:
    case X_IS_IN: tell_in(t, e, truth); break;
    case X_LT:
    case X_LE: tell_order(t, e, truth); break;
    case X_EQ: tell_equal(t, e, truth); break;
    case X_NE: tell_equal(t, e, !truth); break;
    case X_STUCK: tell(t, truth ? "there is no step to make" : "there are steps to make"); break;
    case X_HOOK:
      tell(t, "hook `%s` says %s", t->ctx.rules->hook[e->a].name, truth ? "yes" : "no");
      break;
    default:
      tell_quoted(t, e);
      tell(t, truth ? " holds" : " does not hold");
  }
  t->depth--;
}
