#ifndef KINJO_TESTS_GUEST_PLUGIN_CACHE_MODEL_H
#define KINJO_TESTS_GUEST_PLUGIN_CACHE_MODEL_H
/* A model of one CPU's cache: set-associative, least recently used line leaves first, a store
 * brings its line in, and a changed line is written back when it leaves.  No prefetching, and no
 * other CPU takes a line away: it is a model of capacity, not of a given processor. */

#include <stdbool.h>
#include <stdint.h>

struct cache_shape {
  uint64_t bytes, ways, line; /* line: a power of two; bytes: a multiple of ways * line */
};

struct cache_line {
  uint64_t number; /* address / line size + 1; 0: empty */
  bool changed;
  int8_t class_index, node; /* what it was when it came in */
};

struct cache {
  struct cache_shape shape;
  uint64_t sets;
  struct cache_line* lines; /* [set][way], most recently used first */
};

/* False if the shape is not possible or there is no memory. */
bool cache_init(struct cache* cache, struct cache_shape shape);

/* Accesses an address. Returns true if its line had to be fetched, and then sets *left to the
 * line that made room (number 0 if none did). */
bool cache_access(struct cache* cache, uint64_t address, bool store, int class_index, int node,
                  struct cache_line* left);

#endif
