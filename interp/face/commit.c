/* Promises of dice, by libsodium. */
#include "face/commit.h"

#include <sodium.h>
#include <string.h>

bool commit_draw(char secret[COMMIT_SECRET]) {
  unsigned char bytes[16];
  if (sodium_init() < 0) return false;
  randombytes_buf(bytes, sizeof bytes);
  sodium_bin2hex(secret, COMMIT_SECRET, bytes, sizeof bytes);
  return true;
}

static void hash(const char *text, const char *key, unsigned char *out, size_t length) {
  crypto_generichash(out, length, (const unsigned char *)text, strlen(text),
                     (const unsigned char *)key, strlen(key));
}

bool commit_promise(const char *secret, char promise[COMMIT_PROMISE]) {
  unsigned char out[32];
  if (sodium_init() < 0) return false;
  hash(secret, "tavl promise of dice", out, sizeof out);
  sodium_bin2hex(promise, COMMIT_PROMISE, out, sizeof out);
  return true;
}

uint64_t commit_seed(const char *secret) {
  unsigned char out[16];
  hash(secret, "tavl seed of dice", out, sizeof out);
  uint64_t seed = 0;
  for (int i = 0; i < 8; i++) seed = seed << 8 | out[i];
  return seed;
}
