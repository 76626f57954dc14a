#include "cache_model.h"

#include <stdlib.h>
#include <string.h>

bool cache_init(struct cache* cache, struct cache_shape shape) {
  if (!shape.ways || !shape.line || shape.line & (shape.line - 1)) return false;
  cache->shape = shape;
  cache->sets = shape.bytes / (shape.ways * shape.line);
  if (!cache->sets || cache->sets * shape.ways * shape.line != shape.bytes) return false;
  cache->lines = calloc(cache->sets * shape.ways, sizeof cache->lines[0]);
  return cache->lines != NULL;
}

bool cache_access(struct cache* cache, uint64_t address, bool store, int class_index, int node,
                  struct cache_line* left) {
  const uint64_t number = address / cache->shape.line + 1;
  struct cache_line* set = cache->lines + number % cache->sets * cache->shape.ways;
  uint64_t way = 0;
  while (way < cache->shape.ways && set[way].number != number) ++way;
  const bool miss = way == cache->shape.ways;
  struct cache_line line = {number, false, class_index, node};
  if (miss)
    *left = set[--way];
  else
    line = set[way];
  line.changed |= store;
  memmove(set + 1, set, way * sizeof set[0]);
  set[0] = line;
  return miss;
}
