/// Whether a graph's edges may as well be decided in an order that is at hand.
#pragma once

#include <cstdint>

#include "paths/family.hpp"

namespace kinjo::paths::detail {

/// Whether a sweep by the caller meets no more than about so many states, over all levels; it ends
/// where it has met more, twice as many at most. Throws `Error` (`out_of_memory`).
bool has_few_states(const Steps& steps, std::uint64_t most);

}  // namespace kinjo::paths::detail
