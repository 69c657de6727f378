/* A secret seed that is promised before a game and shown after it. The promise is a
 * BLAKE2b hash (libsodium) of the secret, the seed another one: see `tavl play --commit`.
 */
#ifndef COMMIT_H
#define COMMIT_H

#include <stdbool.h>
#include <stdint.h>

enum { COMMIT_SECRET = 33, COMMIT_PROMISE = 65 }; /* room for the texts, zero included */

/* Draws a secret from the system; false if it gives none. */
bool commit_draw(char secret[COMMIT_SECRET]);
/* The promise for a secret; the seed of the game that is played with it. */
bool commit_promise(const char *secret, char promise[COMMIT_PROMISE]);
uint64_t commit_seed(const char *secret);

#endif
