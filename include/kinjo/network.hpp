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

/// An undirected graph. What counts takes it without loops (`tidy`); edges may be repeated, and are
/// edges of their own then.
struct Network {
  Vertex vertices = 0;                  ///< numbered from 0; some may have no edges
  std::vector<Edge> edges = {};         ///< ends in any order
  std::vector<std::string> names = {};  ///< of vertices; empty: their numbers
  Vertex first_number = 0;              ///< what vertex 0 is called where there are no names

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

/// Leaves out loops, and repeated edges (of the same two ends, in either sense) if they are to be
/// merged; the others keep their order.
LeftOut tidy(Network& network, Parallel parallel);

/// A graph by rule.
struct NamedNetwork {
  Network network;
  /// Squares of a `grid:`, whose corner-to-corner paths have a faster way; 0 for the others.
  Vertex grid_rows = 0, grid_columns = 0;
};

/// Whether `text` begins as a rule does; another one is a file's name (`./grid:…` always is).
bool is_rule(std::string_view text);

/// Makes the graph of a rule:
///
///     grid:RxC      R × C squares, so (R + 1)(C + 1) vertices
///     king:RxC      R × C vertices, joined as a king moves
///     complete:N    every two of N vertices
///     hypercube:N   2^N vertices, whose numbers differ in one bit
///     cycle:N       N ≥ 3 vertices in a ring
///     path:N        N vertices in a line
///
/// `grid:N` is `grid:NxN`, and so for `king`. Vertices are numbered from 0, row by row; edges stand
/// in the order of their lesser end, then of the other. Throws `Error` (`invalid_argument`) for
/// another name, a wrong size, and more than 2²⁴ edges.
NamedNetwork network_by_rule(std::string_view text);

/// Reads a graph, by its name's ending: lists of edges whose vertices may have any names (`.el .wel
/// .txt .tsv .csv .edges`: two names and at most a weight in a line, apart by blanks, tabs or
/// commas; `#` or `%` begins a line of comment), whose vertices are numbered as they first appear;
/// DIMACS (`.col .gr`); and what kinjo/graph_files.hpp reads. Vertices are named as in the file:
/// Matrix Market, METIS and DIMACS count from 1. Directed edges are taken without their sense, so
/// that one that stands there in both is repeated. Loops and repeated edges stay: see `tidy`. A
/// byte order mark before text is passed over. A name with a colon that no file has is a rule's.
/// Throws `Error` (`cannot read 'PATH': …`) with the line, or as `network_by_rule`.
Network read_network(Team& team, const std::string& path);

/// Orders of the edges, on which the size of a frontier depends.
enum class EdgeOrder {
  automatic,  ///< the one of the others with the smallest predicted number of states, where
              ///< `frontier` is not searched for longer than to count would take
  breadth,    ///< vertices breadth-first from a first one (Simpath's)
  frontier,   ///< vertices in an order that keeps frontiers small
  given,      ///< as they stand
};
const char* to_string(EdgeOrder order) noexcept;

/// A permutation of edges: the k-th to be decided is `edges[result[k]]`.
///
/// `breadth` numbers vertices as a breadth-first search from `first` meets them, and sorts edges by
/// the lower, then the higher number of their ends (Knuth's Simpath); what cannot be reached from
/// `first` comes last, in the same manner. `frontier` searches for
/// an order with few states. Orders are judged by the sum of 3^a 4^b over all steps, where b is the
/// number of vertices with at least two decided and two undecided edges, and a that of the others
/// in the frontier (src/paths/order/sweep.hpp says why). It takes less than a second for graphs of
/// 1000 vertices and 3000 edges, and less for larger ones by searching less. `automatic` is the
/// cheapest of simple orders, or searches some third of the time that counting paths seems to take
/// in that one: the edges as they stand; breadth-first from `first` or from a vertex at the rim,
/// sorted by the end that comes first or by the one that comes last; or by the latter from `first`
/// on in an order in which vertices soon leave the frontier. A `paths::Family` also tries what has
/// been found before it searches on. Edges must not be loops.
std::vector<std::uint32_t> order_edges(const Network& network, EdgeOrder order, Vertex first);

/// Vertices with both decided and undecided edges, after each of `edges.size()` edges of an order.
std::vector<std::uint32_t> frontier_sizes(const Network& network,
                                          const std::vector<std::uint32_t>& order);

}  // namespace kinjo::paths
