#include "blas1/caches.hpp"

#include <exception>

#include <kinjo/topology.hpp>

namespace kinjo::detail {

namespace {

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
  static const std::size_t caches = cache_bytes();
  return bytes > caches;
}

}  // namespace kinjo::detail
