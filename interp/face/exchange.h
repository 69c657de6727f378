/* Positions, turns and results as JSON, exactly as the documentation says. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <jansson.h>
#include "play/engine.h"

typedef struct Exchange
    Exchange; /* what is known about a game's positions; one per engine */

Exchange *exchange_new(Engine *engine);
void exchange_free(Exchange *x);

/* A position from JSON. `dice` in it are put on the table. False and a sentence that says
 * which name, site or count is wrong; p is then unusable. */
bool exchange_read(Exchange *x, const json_t *json, Position *p, char *why, size_t room);
/* The same from a text (duplicate names are refused). */
bool exchange_read_text(Exchange *x, const char *text, size_t length, Position *p,
                        char *why, size_t room);
/* A position, its dice if it has any; what is as at the start is left out of `state`. */
json_t *exchange_position(Exchange *x, const Position *p);
/* {"move", "captures", "position", "ends"} of a turn from `before`. */
json_t *exchange_turn(Exchange *x, const Position *before, const Turn *turn);
/* [{"site", "piece"}, …], one for each piece. */
json_t *exchange_captures(Exchange *x, const Turn *turn);
/* {"winner", "scores", "rule"}, or null while the game goes on. */
json_t *exchange_ends(Exchange *x, const Position *p);
/* A synonym of a site if it has one, else its name. */
const char *exchange_site_word(const Exchange *x, int site);

/* -- exchange_state.c -- */
typedef struct Overlay Overlay; /* what `state` sets, as effects */
struct Exchange {
  Engine *engine;
  const Rules *rules;
  const Layout *layout;
  Position *fresh[SEATS_MAX]; /* what a reading without `state` gives, by seat to move */
  int total[SEATS_MAX];       /* pieces of each seat at the start */
  bool single[PLANES_MAX];    /* one at the start, and no rule makes another */
  bool vital[PLANES_MAX];     /* … and an end rule speaks of it */
  bool makes[PLANES_MAX];     /* some rule makes pieces into this */
  bool ids;                   /* answers carry the IDs of positions */
  bool turncoats;             /* pieces may change their owner */
  const char *synonym[SITES_MAX];
  Overlay *overlay;
};
Overlay *overlay_new(void);
void overlay_free(Overlay *overlay);
/* Reads the object `state`; its effects stay in x->overlay until the next reading. */
bool exchange_read_state(Exchange *x, const json_t *state, int seat, Effects *effects,
                         uint8_t *out, char *why, size_t room);
/* The object `state` of p, or NULL if nothing differs from the start. */
json_t *exchange_state(Exchange *x, const Position *p);

#endif
