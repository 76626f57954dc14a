/// How many ends of fragments (mates.hpp) can still be joined.
///
/// An end needs one more of the undecided edges. Let a cover be vertices that every undecided edge
/// has at least one of: each end that is not in it takes an edge of one that is, and a path has no
/// more than two edges of a vertex: two of one that is untouched, and one of one that is an end,
/// which is an end of its own. So no more than twice the cover's vertices can be ends, and one less
/// for a terminal that has not entered, which has only one edge. States with more are dead long
/// before the vertex leaves at which that would be seen: where vertices enter one by one and leave
/// together, as in a dense graph in the order of the higher end, most are.
#pragma once

#include <vector>

#include "paths/frontier.hpp"

namespace kinjo::paths::detail {

/// Ends that every state may have.
inline constexpr unsigned kAnyEnds = ~0U;

/// By item: the most ends of fragments after it, or `kAnyEnds` where the frontier has not twice as
/// many vertices. `terminal` tells by vertex which are the ends of the paths that are looked for.
std::vector<unsigned> most_ends(const Frontier& frontier, const std::vector<bool>& terminal);

}  // namespace kinjo::paths::detail
