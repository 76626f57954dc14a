/// Which caches the threads of a mapping have, and which of them holds so many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

namespace kinjo {

/// One of the caches of thread 0's CPU.
struct SharedCache {
  int level = 0;
  std::uint64_t bytes = 0;
  std::size_t cores = 0;    ///< that share it
  std::size_t threads = 0;  ///< of the mapping that do
};

/// Those that hold data, from the innermost on. Threads that are not placed count as if on the
/// first CPUs that may be used.
std::vector<SharedCache> caches_of(const Topology& machine, const Mapping& mapping);

/// The innermost cache that holds `bytes` dealt evenly to the threads of a mapping: `L1`, `L2`, …,
/// or `memory`.
std::string level_of(const Topology& machine, const Mapping& mapping, std::size_t bytes);

}  // namespace kinjo
