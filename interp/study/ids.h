/* Positions of two-player race games as the texts that other programs exchange:
 *
 *   position ID  4HPwATDgc/ABMA    14 characters, base64 of 80 bits: for the player not
 * on roll, then for the player on roll, for each of his points 1 … 24 and his entry
 * pocket as many ones as pieces stand there, and a zero match ID     cAkAAAAAAAAA      12
 * characters, base64 of 66 bits and one more: stake, its holder, who is on roll, the
 * throw, the score of a match, Jacoby's rule XGID
 * XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 26 places (A-P one player, a-p the
 * other), stake, holder, turn, throw, score of both, rule, match length, largest stake
 *
 * Sources: the GNU project's gnubg manual, "A technical description of the Position ID"
 * and "… of the Match ID" (https://www.gnu.org/software/gnubg/manual/), checked against
 * gnubg 1.07 itself, which writes the board of the player *not* on roll first and the
 * Jacoby flag as bit 67, 0 for on; and the help of eXtreme Gammon 2, "XGID format"
 * (https://www.extremegammon.com). gnubg's player 1 and the XGID's upper-case player, who
 * sits at the bottom, are our first seat.
 *
 * Which games have such positions is derived from their data, not from their names. */
#ifndef IDS_H
#define IDS_H

#include "play/position.h"

enum { ID_POINTS = 24, ID_PLACES = 25, ID_PIECES = 15 };
enum { ID_POSITION_LENGTH = 14, ID_MATCH_LENGTH = 12, ID_XG_ROOM = 96 };

/* How a game's places lie in an ID. point[seat][n - 1] is the seat's n-th point from the
 * end of its path. */
typedef struct IdShape {
  int plane[2];
  int total[2]; /* pieces at the start */
  int16_t entry[2], exit[2], point[2][ID_POINTS];
  int stake, holder; /* states of the game, or -1 */
} IdShape;

/* What an ID says. */
typedef struct IdPosition {
  uint8_t count[2][ID_PLACES]; /* by seat: points 1 … 24, then the entry pocket */
  int mover;                   /* seat on roll */
  int dice[2];                 /* 0: not thrown */
  int stake_power;             /* the stake is 2 to this power */
  int holder;                  /* seat, or -1 */
  int length;                  /* of the match; 0: played for points */
  int score[2];
  bool over;
} IdPosition;

/* Whether positions of this game can be written as IDs; else a sentence that says what is
 * missing. */
bool ids_shape(const Rules *rules, IdShape *shape, char *why, size_t room);

/* Whether a text is meant as an ID: "id:…" or "XGID=…". */
bool ids_is_id(const char *text);
/* Reads POSITION, POSITION:MATCH or XGID=…, each also after "id:". False and a sentence.
 */
bool ids_read(const char *text, IdPosition *id, char *why, size_t room);
/* Whether the game can stand so: numbers of pieces, points held by both, stake and
 * holder. */
bool ids_fits(const Rules *rules, const IdShape *shape, const IdPosition *id, char *why,
              size_t room);
/* Whether the pieces stand as at the start of the game. */
bool ids_is_start(const Rules *rules, const IdShape *shape, const IdPosition *id);

/* The ID of a position of the game; false and a sentence if it cannot be expressed.
 * Pieces that are nowhere count as having left the board. */
bool ids_of(const Rules *rules, const Layout *layout, const IdShape *shape,
            const Position *p, IdPosition *id, char *why, size_t room);
void ids_write_position(const IdPosition *id, char text[ID_POSITION_LENGTH + 1]);
void ids_write_match(const IdPosition *id, char text[ID_MATCH_LENGTH + 1]);
void ids_write_xg(const IdPosition *id, char text[ID_XG_ROOM]);

#endif
