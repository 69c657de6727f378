/* The talk with a person who plays: moves, commands, dice, offers. */
#ifndef TALK_H
#define TALK_H

#include "face/game.h"

typedef enum TalkResult {
  TALK_TURN,  /* a turn was chosen; or nothing else stands in the way */
  TALK_AGAIN, /* the position is another one now: begin anew */
  TALK_QUIT
} TalkResult;

void talk_welcome(const Game *game);
/* Which turn: its index in *chosen with TALK_TURN. */
TalkResult talk_turn(Game *game, const Turns *turns, int *chosen);
/* The dice that were thrown by hand. */
TalkResult talk_dice(Game *game);
/* Whether the person to move could offer something. */
bool talk_wants_offers(const Game *game);
/* Asks before the throw: a throw, an offer, or any command. */
TalkResult talk_offers(Game *game);
/* After the end: true to go on (undo, load). */
bool talk_after(Game *game);

#endif
