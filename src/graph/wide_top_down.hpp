/// A top-down step of a team over a frontier that has about as many edges as there are vertices.
///
/// Bins would then have nearly every neighbour in them, written, read and looked up a second time.
/// So each thread walks as if it were alone, on a copy of the visited bits of its own, and writes
/// parents at once: two threads may find the same vertex, and the parent that is written last
/// lasts; both are right. Behind a barrier each thread puts its share of all copies together: what
/// is new in them is the next frontier. The copies are of all vertices, which is little beside so
/// many edges, and are in a core's own cache as long as they fit.
#pragma once

#include "graph/search_state.hpp"

namespace kinjo::graph::detail {

/// Whether a step over so many edges had better be taken so.
bool is_wide(const SearchState& state, double frontier_edges);

/// Instead of measuring it, where there is one thread: all of its frontier is a chunk.
void chunk_frontier(Worker& mine);

/// Inside `Team::run`, the graph being in one part: from the threads' queues, which were measured,
/// to the set `frontier`. Counts what was found, and its edges, unless all threads together find
/// that these are more than `enough`.
void top_down_wide(SearchState& state, const Place& me, EdgeCount enough);

}  // namespace kinjo::graph::detail
