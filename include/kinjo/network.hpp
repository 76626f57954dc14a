/// Undirected graphs as a list of edges, whose subsets are counted (kinjo/paths.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/graph.hpp>
#include <kinjo/team.hpp>

namespace kinjo::paths {

using graph::Edge;
using graph::Vertex;

/// An undirected graph. Edges may be repeated, but no edge is a loop.
struct Network {
  Vertex vertices = 0;
  std::vector<Edge> edges;         ///< each once; ends in any order
  std::vector<std::string> names;  ///< of vertices; empty: their numbers

  /// A vertex' name.
  std::string name(Vertex v) const;
  /// The vertex of that name. Throws `Error` (`not_found`), which says what names there are.
  Vertex vertex(std::string_view name) const;
};

/// What is done about edges that join the same two vertices.
enum class Parallel {
  merge,  ///< the first one stays
  keep,   ///< each is an edge of its own
};

/// What was left out while a graph was read.
struct LeftOut {
  std::uint64_t loops = 0;
  std::uint64_t repeated = 0;
};

/// Leaves out loops, and repeated edges if they are to be merged; the others keep their order.
LeftOut tidy(Network& network, Parallel parallel);

/// A graph by rule, or none if `text` is no rule: `grid:RxC` (R × C squares, so (R + 1)(C + 1)
/// vertices; `grid:N` is `grid:NxN`), `king:RxC` (R × C vertices, a king's moves), `complete:N`,
/// `hypercube:N` (2^N vertices), `cycle:N`, `path:N`. Vertices are numbered from 0, rows first.
/// Throws `Error` (`invalid_argument`) for a known rule with a wrong size.
struct NamedNetwork {
  Network network;
  /// Squares of a `grid:`, whose corner-to-corner paths have a faster way; 0 for the others.
  Vertex grid_rows = 0, grid_columns = 0;
};
bool is_rule(std::string_view text);
NamedNetwork network_by_rule(std::string_view text);

/// Reads a graph: lists of edges whose vertices may have any names (`.el .txt .tsv .csv .edges`; a
/// line for each edge, `#` or `%` begins a comment), DIMACS (`.col .gr`, and its `p` and `e`/`a`
/// lines), and what kinjo/graph_files.hpp reads. Vertices are named as in the file: Matrix Market,
/// METIS and DIMACS count from 1. Throws `Error` (`cannot read 'PATH': …`) with the line.
Network read_network(Team& team, const std::string& path);

/// Orders of the edges, on which the size of a frontier depends.
enum class EdgeOrder {
  automatic,  ///< the one of the others with the smallest predicted number of states
  breadth,    ///< vertices breadth-first from a first one (Simpath's)
  frontier,   ///< vertices in an order that keeps frontiers small
  given,      ///< as they stand
};
const char* to_string(EdgeOrder order) noexcept;

/// A permutation of edges: the k-th to be decided is `edges[result[k]]`. `first` is where `breadth`
/// begins. Edges of vertices that cannot be reached from it come last, in the same manner.
std::vector<std::uint32_t> order_edges(const Network& network, EdgeOrder order, Vertex first);

/// Vertices with both decided and undecided edges, after each of `edges.size()` edges of an order.
std::vector<std::uint32_t> frontier_sizes(const Network& network,
                                          const std::vector<std::uint32_t>& order);

}  // namespace kinjo::paths
