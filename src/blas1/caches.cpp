#include "blas1/caches.hpp"

#include <atomic>
#include <exception>
#include <limits>

#include <kinjo/topology.hpp>

namespace kinjo::detail {

namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

/// Where the machine cannot be discovered, a size that most machines' caches have.
std::size_t cache_bytes() {
  try {
    return Topology::this_machine().last_level_cache_bytes();
  } catch (const std::exception&) {
    return std::size_t{32} << 20;
  }
}

}  // namespace

bool exceeds_caches(std::size_t bytes) {
  if (fits_any_cache(bytes)) return false;
  // Not initialised in place, see `Topology::this_machine`.
  static std::atomic<std::size_t> known{kUnknown};
  std::size_t caches = known.load(std::memory_order_relaxed);
  if (caches == kUnknown) known.store(caches = cache_bytes(), std::memory_order_relaxed);
  return bytes > caches;
}

}  // namespace kinjo::detail
