/// Graphs made by rule from two seeds: the same edges for every number of threads.
#pragma once

#include <cstdint>

#include <kinjo/graph.hpp>

namespace kinjo::graph {

/// What a generator's random numbers depend on.
struct Seeds {
  std::uint64_t first = 2;
  std::uint64_t second = 3;
};

/// Who is numbered how.
enum class Labels {
  scrambled,  ///< by a pseudorandom permutation
  plain,      ///< as the rule has them
};

/// Graph500's Kronecker graph: 2^scale vertices, edge_factor · 2^scale edges. Each edge goes down
/// `scale` levels of a square that is cut into quarters, of which it takes one with probabilities
/// A = 0.57, B = 0.19, C = 0.19 and D = 0.05 (Graph500 specification, section 3). Edges are drawn
/// independently of each other and so are in no order.
struct Kronecker {
  unsigned scale = 16;
  std::uint64_t edge_factor = 16;
  Labels labels = Labels::scrambled;
};

/// 2^scale vertices and edge_factor · 2^scale edges whose ends are drawn from all vertices alike.
struct Uniform {
  unsigned scale = 16;
  std::uint64_t edge_factor = 16;
};

/// rows × columns vertices, each joined to the next in its row and in its column; plain labels run
/// through the rows.
struct Grid {
  std::uint64_t rows = 256;
  std::uint64_t columns = 256;
  Labels labels = Labels::plain;
};

/// What a road network looks like: a grid of rows × columns crossings, of whose streets `kept` of
/// 2¹⁶ are there, all of every eighth row and column among them (main roads, which keep most of it
/// together). Planar, mean degree about 2.5, diameter of the order of rows + columns.
struct Road {
  std::uint64_t rows = 256;
  std::uint64_t columns = 256;
  std::uint32_t kept = 37500;
  Labels labels = Labels::plain;
};

/// The edges, written by the team's threads in blocks of the list. Each throws `Error`
/// (`invalid_argument` for more vertices than 32 bits number, or none; `out_of_memory`).
EdgeList generate(Team& team, const Kronecker& rule, const Seeds& seeds = {});
EdgeList generate(Team& team, const Uniform& rule, const Seeds& seeds = {});
EdgeList generate(Team& team, const Grid& rule, const Seeds& seeds = {});
EdgeList generate(Team& team, const Road& rule, const Seeds& seeds = {});
/// The same edges in as many bits as asked for; a wide list may have 2⁴⁸ vertices.
AnyEdgeList generate(Team& team, const Kronecker& rule, const Seeds& seeds, Width width);
AnyEdgeList generate(Team& team, const Uniform& rule, const Seeds& seeds, Width width);
AnyEdgeList generate(Team& team, const Grid& rule, const Seeds& seeds, Width width);
AnyEdgeList generate(Team& team, const Road& rule, const Seeds& seeds, Width width);

}  // namespace kinjo::graph
