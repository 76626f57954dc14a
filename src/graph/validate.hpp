/// The five checks of the Graph500 specification (kernel 2, "Validation"), written without anything
/// of the search: from the edges and the parents alone.
///
///  1. parents form a tree that hangs on the root: no circles, and nobody else is his own parent;
///  2. a vertex is one deeper than its parent;
///  3. the ends of an edge differ in depth by at most one, or neither is in the tree;
///  4. the tree spans the root's component: no edge leads out of it;
///  5. a vertex and its parent are joined by an edge.
///
/// Depths follow from parents (`depths_of`), so that 2 can fail only where depths are given.
///
/// Where vertices have ids, everything is looked up in the claim's own list of them, and an edge
/// whose end is not listed is a fault as well.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <kinjo/graph.hpp>
#include <kinjo/team.hpp>

namespace kinjo::graph::detail {

/// What is claimed of a search.
struct Claim {
  std::uint64_t root = 0;
  std::span<const std::int64_t> parents;
  /// Empty, or depths that were given too, −1 where unreached.
  std::span<const std::int32_t> depths = {};
  /// What root and parents are called by, in rising order; empty: 0 to n − 1.
  std::span<const VertexId> ids = {};
};

/// The first fault that the checks find, as one line, or nothing. The edges are looked at by the
/// team. Each edge of a list may be walked in both senses; those of a directed graph in one.
std::optional<std::string> validate(Team& team, const EdgeList& edges, const Claim& claim);
std::optional<std::string> validate(Team& team, const WideEdgeList& edges, const Claim& claim);
/// The same against a graph's own rows, where there is no list of edges.
std::optional<std::string> validate(Team& team, const Graph& graph, const Claim& claim);

/// Edges of the list in the component, as Graph500 counts them: with loops and repetitions, as far
/// as the graph has kept them (`input_degrees`).
EdgeCount component_edges(const Graph& graph, std::span<const std::int64_t> parents);

}  // namespace kinjo::graph::detail
