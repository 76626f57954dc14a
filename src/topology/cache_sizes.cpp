/// The sizes that blocks are made for: of each level the smallest cache, so that blocks fit
/// wherever a thread runs.
#include <kinjo/cache_sizes.hpp>

#include <algorithm>

#include <kinjo/error.hpp>

namespace kinjo {

CacheSizes cache_sizes(const Topology& machine) {
  std::size_t levels[4] = {};
  int last = 0;
  for (const Cache& cache : machine.caches()) {
    if (cache.type == Cache::Type::instruction || cache.level < 1 || cache.level > 3) continue;
    std::size_t& level = levels[cache.level];
    if (cache.size_bytes == 0) continue;
    if (level == 0 || cache.size_bytes < level) level = cache.size_bytes;
    last = std::max(last, cache.level);
  }
  CacheSizes sizes;
  if (levels[1] != 0) sizes.l1 = levels[1];
  if (levels[2] != 0) sizes.l2 = levels[2];
  if (levels[3] != 0) sizes.l3 = levels[3];
  if (last == 2) sizes.l3 = sizes.l2;
  return sizes;
}

const CacheSizes& cache_sizes() {
  static const CacheSizes sizes = [] {
    try {
      return cache_sizes(Topology::this_machine());
    } catch (const Error& error) {
      if (error.code() == Errc::out_of_memory) throw;
      return CacheSizes{};
    }
  }();
  return sizes;
}

}  // namespace kinjo
