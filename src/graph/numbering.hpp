/// From ids to numbers: what is wide about a list ends here.
///
///     collect   every edge's ends → a set of ids       bits where the set of all ids is small
///     beside
///               the list (`IdBitmap`), else a hash table (`IdTable`); both by all threads
///     settle    the set → ids in rising order: id k is that of vertex k
///     rank      every edge's ends → numbers of 32 bits, in a list of their own
///
/// The result does not depend on the number of threads.
#pragma once

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

/// A wide list's vertices that have an edge, and its edges between them.
struct Numbered {
  Buffer ids;
  EdgeList edges;
};

/// Throws `Error` (`invalid_argument` for an end that is no vertex, and for more vertices with
/// edges than 32 bits number; `out_of_memory`).
Numbered number_vertices(Team& team, const WideEdgeList& edges, Pages pages);

/// Bytes that it takes at most beside the lists and the ids, if so many vertices have an edge.
std::uint64_t numbering_bytes(std::uint64_t universe, std::uint64_t vertices, EdgeCount edges);

}  // namespace kinjo::graph::detail
