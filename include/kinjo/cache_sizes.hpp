/// What computations block for: the bytes of one cache of each level.
#pragma once

#include <cstddef>

#include <kinjo/topology.hpp>

namespace kinjo {

/// Bytes of one cache of each level; L3 stands for the last level. Where a level is not known or
/// not there, what most machines have.
struct CacheSizes {
  std::size_t l1 = std::size_t{32} << 10;
  std::size_t l2 = std::size_t{512} << 10;
  std::size_t l3 = std::size_t{16} << 20;
  bool operator==(const CacheSizes&) const = default;
};
/// The smallest of each level.
CacheSizes cache_sizes(const Topology& machine);
/// Of this machine, which is asked once; the defaults where it cannot be discovered. Throws only
/// for want of memory, and asks again then.
const CacheSizes& cache_sizes();

}  // namespace kinjo
