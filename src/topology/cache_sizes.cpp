/// The sizes that blocks are made for: of each level the smallest cache, so that blocks fit
/// wherever a thread runs.
#include <kinjo/cache_sizes.hpp>

#include <algorithm>
#include <atomic>
#include <memory>

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

namespace {

CacheSizes sizes_here() {
  try {
    return cache_sizes(Topology::this_machine());
  } catch (const Error& error) {
    if (error.code() == Errc::out_of_memory) throw;
    return {};
  }
}

}  // namespace

const CacheSizes& cache_sizes() {
  // Not initialised in place, see `Topology::this_machine`: it is when that is known that forks go
  // on which have waited for it.
  static std::atomic<const CacheSizes*> known{nullptr};
  const CacheSizes* sizes = known.load(std::memory_order_acquire);
  if (sizes) return *sizes;
  auto made = std::make_unique<const CacheSizes>(sizes_here());
  // Kept until the process ends; where another thread was sooner, that one's.
  if (!known.compare_exchange_strong(sizes, made.get(), std::memory_order_acq_rel)) return *sizes;
  return *made.release();
}

}  // namespace kinjo
