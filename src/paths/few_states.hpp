/// Whether a graph's edges may as well be decided in an order that is at hand.
#pragma once

#include <cstdint>
#include <limits>

#include "paths/family.hpp"

namespace kinjo::paths::detail {

/// Whether a sweep by the caller meets no more than so many states, over all levels, and no more
/// than `most_of_level` at a time; it ends not later than two levels behind the one at which there
/// are more. Throws `Error` (`out_of_memory`).
bool has_few_states(const Steps& steps, std::uint64_t most,
                    std::uint64_t most_of_level = std::numeric_limits<std::uint64_t>::max());

}  // namespace kinjo::paths::detail
