/// Families by their definitions, set by set: what the engine is checked with.
#pragma once

#include <cstdint>
#include <vector>

#include <kinjo/paths.hpp>

namespace kinjo::paths::detail {

/// The members of a problem's family, each as a bit mask of positions of edges in its network,
/// rising. Looks at all 2^edges sets, of at most 24 edges.
std::vector<std::uint32_t> members_by_definition(const Problem& problem);

}  // namespace kinjo::paths::detail
