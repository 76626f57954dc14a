#include "graph/validate.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include <fmt/format.h>
#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>

namespace kinjo::graph::detail {

namespace {

using Depths = std::vector<std::int32_t>;

/// A fault of an edge, by its place among the edges, so that the first one is named whoever finds
/// it.
struct EdgeFault {
  EdgeCount index = ~EdgeCount{0};
  Edge edge;
};

/// An edge list, and a graph's rows, as something that is looked at in slices.
struct ListedEdges {
  const EdgeList& edges;
  Sense sense = Sense::symmetric;

  template <class F>
  void look(std::size_t slice, std::size_t slices, const F& f) const {
    const Range range = Partition::block(edges.size(), slices).piece(slice, 0);
    const auto all = edges.all();
    for (std::size_t i = range.begin; i < range.end; ++i) f(i, all[i]);
  }
};

struct RowEdges {
  const Graph& graph;
  Sense sense = graph.sense();

  template <class F>
  void look(std::size_t slice, std::size_t slices, const F& f) const {
    const Range range = Partition::block(graph.vertices(), slices).piece(slice, 0);
    const auto outside = graph.to_caller();
    const auto name = [&](Vertex v) { return outside.empty() ? v : outside[v]; };
    for (std::size_t v = range.begin; v < range.end; ++v) {
      for (const Vertex u : graph.neighbours(static_cast<Vertex>(v))) {
        f(v, Edge{name(static_cast<Vertex>(v)), name(u)});
      }
    }
  }
};

/// Checks 1 and 2; the depths that follow from the parents go to `depths`.
std::optional<std::string> check_tree(const Claim& claim, Depths& depths) {
  const auto& [root, parents, given] = claim;
  if (root >= parents.size() || parents[root] != static_cast<std::int64_t>(root)) {
    return fmt::format("the root {} is not its own parent", root);
  }
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (v != root && parents[v] == static_cast<std::int64_t>(v)) {
      return fmt::format("vertex {} is its own parent: expected the root {} alone to be", v, root);
    }
  }
  try {
    depths_of(parents, depths);
  } catch (const Error& error) {
    return error.what();
  }
  for (std::size_t v = 0; v < given.size(); ++v) {
    if (given[v] != depths[v]) {
      return fmt::format("vertex {} has the depth {}: expected {}, one more than its parent", v,
                         given[v], depths[v]);
    }
  }
  return {};
}

/// Whether an edge agrees with the depths of its ends: checks 3 and 4.
bool fits(const Edge& edge, const Depths& depths, Sense sense) {
  const std::int32_t from = depths[edge.from], to = depths[edge.to];
  const auto leads = [](std::int32_t a, std::int32_t b) {  // from a reached vertex at depth a
    return a < 0 || (b >= 0 && b <= a + 1);
  };
  return leads(from, to) && (sense == Sense::directed || leads(to, from));
}

std::string describe(const Edge& edge, const Depths& depths) {
  const std::int32_t from = depths[edge.from], to = depths[edge.to];
  if (from < 0 || to < 0) {
    return fmt::format("the edge {} {} leads out of the tree: vertex {} is not reached", edge.from,
                       edge.to, from < 0 ? edge.from : edge.to);
  }
  return fmt::format("the edge {} {} joins depths {} and {}: expected at most 1 between them",
                     edge.from, edge.to, from, to);
}

/// Marks vertices whose edge to the parent is there; several threads may mark one.
class Joined {
 public:
  explicit Joined(std::span<const std::int64_t> parents)
      : parents_(parents), marks_(parents.size()) {}
  void look_at(Vertex parent, Vertex child) {
    if (parents_[child] != static_cast<std::int64_t>(parent)) return;
    std::atomic_ref(marks_[child]).store(1, std::memory_order_relaxed);
  }
  /// The first vertex that has no edge to its parent.
  std::optional<Vertex> missing(std::uint64_t root) const {
    for (std::size_t v = 0; v < marks_.size(); ++v) {
      if (!marks_[v] && v != root && parents_[v] >= 0) return static_cast<Vertex>(v);
    }
    return {};
  }

 private:
  std::span<const std::int64_t> parents_;
  std::vector<unsigned char> marks_;
};

template <class Edges>
EdgeFault look_at_edges(Team& team, const Edges& edges, const Depths& depths, Joined& joined) {
  std::vector<EdgeFault> faults(team.size());
  team.run([&](const Place& me) {
    const auto slice = static_cast<std::size_t>(me.thread);
    EdgeFault first;
    edges.look(slice, team.size(), [&](EdgeCount i, const Edge& edge) {
      joined.look_at(edge.from, edge.to);
      if (edges.sense == Sense::symmetric) joined.look_at(edge.to, edge.from);
      if (i < first.index && !fits(edge, depths, edges.sense)) first = {i, edge};
    });
    faults[slice] = first;
  });
  return *std::ranges::min_element(faults, {}, &EdgeFault::index);
}

/// The least vertex that an edge joins with `child` and that is one less deep; `kNoVertex` if none.
template <class Edges>
Vertex find_parent(Team& team, const Edges& edges, const Depths& depths, Vertex child) {
  std::vector<Vertex> found(team.size(), kNoVertex);
  team.run([&](const Place& me) {
    const auto slice = static_cast<std::size_t>(me.thread);
    Vertex least = kNoVertex;
    const auto look_at = [&](Vertex parent, Vertex end) {
      if (end == child && depths[parent] + 1 == depths[child]) least = std::min(least, parent);
    };
    edges.look(slice, team.size(), [&](EdgeCount, const Edge& edge) {
      look_at(edge.from, edge.to);
      if (edges.sense == Sense::symmetric) look_at(edge.to, edge.from);
    });
    found[slice] = least;
  });
  return *std::ranges::min_element(found);
}

/// Check 5: a vertex whose parent is no neighbour has another that may be its parent, or there is
/// no edge from that depth at all.
template <class Edges>
std::optional<std::string> check_joined(Team& team, const Edges& edges, const Depths& depths,
                                        const Joined& joined, const Claim& claim) {
  const auto child = joined.missing(claim.root);
  if (!child) return {};
  const Vertex parent = find_parent(team, edges, depths, *child);
  const std::int64_t said = claim.parents[*child];
  if (parent == kNoVertex) {
    return fmt::format(
        "vertex {} has the depth {}, and no edge joins it with its parent {} or "
        "another vertex of depth {}",
        *child, depths[*child], said, depths[*child] - 1);
  }
  return fmt::format(
      "vertex {} has the parent {}, which no edge joins with it: expected {}, or "
      "another neighbour of depth {}",
      *child, said, parent, depths[*child] - 1);
}

template <class Edges>
std::optional<std::string> check(Team& team, const Edges& edges, std::uint64_t vertices,
                                 const Claim& claim) {
  if (claim.parents.size() != vertices) {
    return fmt::format("{} parents of {} vertices", claim.parents.size(), vertices);
  }
  Depths depths(claim.parents.size());
  if (auto fault = check_tree(claim, depths)) return fault;
  Joined joined(claim.parents);
  const EdgeFault fault = look_at_edges(team, edges, depths, joined);
  if (fault.index != EdgeFault{}.index) return describe(fault.edge, depths);
  return check_joined(team, edges, depths, joined, claim);
}

}  // namespace

std::optional<std::string> validate(Team& team, const EdgeList& edges, const Claim& claim) {
  return check(team, ListedEdges{edges}, edges.vertices(), claim);
}

std::optional<std::string> validate(Team& team, const Graph& graph, const Claim& claim) {
  return check(team, RowEdges{graph}, graph.vertices(), claim);
}

EdgeCount component_edges(const Graph& graph, std::span<const std::int64_t> parents) {
  const auto degrees = graph.input_degrees();
  const auto to_internal = graph.to_internal();
  EdgeCount ends = 0;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (parents[v] < 0) continue;
    const auto internal = to_internal.empty() ? static_cast<Vertex>(v) : to_internal[v];
    ends += degrees.empty() ? graph.neighbours(internal).size() : degrees[v];
  }
  return graph.sense() == Sense::symmetric ? ends / 2 : ends;
}

}  // namespace kinjo::graph::detail
