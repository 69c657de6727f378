/* Sets of up to SITES_MAX small numbers (sites, values) as bit words. Plain values. */
#ifndef SITES_H
#define SITES_H

#include <stdbool.h>
#include <stdint.h>

enum { SITE_WORDS = 6, SITES_MAX = SITE_WORDS * 64 };

typedef struct SiteSet {
  uint64_t w[SITE_WORDS];
} SiteSet;

static inline SiteSet sites_none(void) {
  SiteSet s = {{0}};
  return s;
}
static inline SiteSet sites_one(int site) {
  SiteSet s = {{0}};
  s.w[site >> 6] = (uint64_t)1 << (site & 63);
  return s;
}
static inline bool sites_has(const SiteSet *s, int site) {
  return (s->w[site >> 6] >> (site & 63)) & 1;
}
static inline void sites_add(SiteSet *s, int site) {
  s->w[site >> 6] |= (uint64_t)1 << (site & 63);
}
static inline void sites_remove(SiteSet *s, int site) {
  s->w[site >> 6] &= ~((uint64_t)1 << (site & 63));
}
static inline bool sites_is_empty(const SiteSet *s) {
  uint64_t all = 0;
  for (int i = 0; i < SITE_WORDS; i++) all |= s->w[i];
  return all == 0;
}
static inline SiteSet sites_or(SiteSet a, SiteSet b) {
  for (int i = 0; i < SITE_WORDS; i++) a.w[i] |= b.w[i];
  return a;
}
static inline SiteSet sites_and(SiteSet a, SiteSet b) {
  for (int i = 0; i < SITE_WORDS; i++) a.w[i] &= b.w[i];
  return a;
}
static inline SiteSet sites_minus(SiteSet a, SiteSet b) {
  for (int i = 0; i < SITE_WORDS; i++) a.w[i] &= ~b.w[i];
  return a;
}
static inline bool sites_equal(const SiteSet *a, const SiteSet *b) {
  uint64_t d = 0;
  for (int i = 0; i < SITE_WORDS; i++) d |= a->w[i] ^ b->w[i];
  return d == 0;
}
/* Every member of a is in b. */
static inline bool sites_within(const SiteSet *a, const SiteSet *b) {
  uint64_t d = 0;
  for (int i = 0; i < SITE_WORDS; i++) d |= a->w[i] & ~b->w[i];
  return d == 0;
}
static inline bool sites_meet(const SiteSet *a, const SiteSet *b) {
  uint64_t d = 0;
  for (int i = 0; i < SITE_WORDS; i++) d |= a->w[i] & b->w[i];
  return d != 0;
}
static inline int sites_count(const SiteSet *s) {
  int n = 0;
  for (int i = 0; i < SITE_WORDS; i++) n += __builtin_popcountll(s->w[i]);
  return n;
}
/* The first member at or after `from`, or -1. */
static inline int sites_next(const SiteSet *s, int from) {
  if (from >= SITES_MAX) return -1;
  int i = from >> 6;
  uint64_t w = s->w[i] & (~(uint64_t)0 << (from & 63));
  while (!w) {
    if (++i == SITE_WORDS) return -1;
    w = s->w[i];
  }
  return i * 64 + __builtin_ctzll(w);
}
static inline int sites_first(const SiteSet *s) { return sites_next(s, 0); }

#define SITES_FOR(site, set) \
  for (int site = sites_first(&(set)); site >= 0; site = sites_next(&(set), site + 1))

#endif
