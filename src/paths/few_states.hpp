/// Whether a graph's edges may as well be decided in an order that is at hand.
#pragma once

#include <cstdint>

#include "paths/family.hpp"

namespace kinjo::paths::detail {

/// Whether a sweep by the caller meets no more than so many states, over all levels; it ends not
/// later than two levels behind the one at which there are more. Throws `Error` (`out_of_memory`).
bool has_few_states(const Steps& steps, std::uint64_t most);

}  // namespace kinjo::paths::detail
