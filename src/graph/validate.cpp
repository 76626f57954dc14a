#include "graph/validate.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include <fmt/format.h>
#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>

#include "graph/sorted_ids.hpp"

namespace kinjo::graph::detail {

namespace {

using Depths = std::vector<std::int32_t>;

/// A fault of an edge, by its place among the edges, so that the first one is named whoever finds
/// it.
struct EdgeFault {
  EdgeCount index = ~EdgeCount{0};
  Edge edge;
};

/// Edge lists, and a graph's rows, as something that is looked at in slices: edges between places
/// in the claim's arrays.
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

struct WideListedEdges {
  const WideEdgeList& edges;
  const SortedIds& ids;
  std::atomic<EdgeCount>& unlisted;  ///< the first edge with an end that is no place
  Sense sense = Sense::symmetric;

  template <class F>
  void look(std::size_t slice, std::size_t slices, const F& f) const {
    const Range range = Partition::block(edges.size(), slices).piece(slice, 0);
    const auto all = edges.all();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Edge edge{ids.find(all[i].from), ids.find(all[i].to)};
      if (edge.from != kNoVertex && edge.to != kNoVertex) {
        f(i, edge);
      } else {
        EdgeCount first = unlisted.load();
        while (i < first && !unlisted.compare_exchange_weak(first, i)) {
        }
      }
    }
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

/// What is claimed, by places in the arrays.
class Places {
 public:
  explicit Places(const Claim& claim) : claim_(claim), sorted_(claim.ids) {
    if (claim.ids.empty()) return;
    parents_.assign(claim.parents.begin(), claim.parents.end());
    for (std::int64_t& parent : parents_) {
      if (parent >= 0) parent = sorted_.find(static_cast<VertexId>(parent));
    }
  }

  std::span<const std::int64_t> parents() const {
    return claim_.ids.empty() ? claim_.parents : std::span<const std::int64_t>(parents_);
  }
  /// `kNoVertex`, or what is no place, if it is not listed.
  std::uint64_t root() const {
    return claim_.ids.empty() ? claim_.root : sorted_.find(claim_.root);
  }
  std::uint64_t name(std::uint64_t place) const {
    return claim_.ids.empty() ? place : claim_.ids[place];
  }
  const SortedIds& sorted() const { return sorted_; }

 private:
  const Claim& claim_;
  const SortedIds sorted_;
  std::vector<std::int64_t> parents_;
};

/// Checks 1 and 2; the depths that follow from the parents go to `depths`.
std::optional<std::string> check_tree(const Claim& claim, const Places& places, Depths& depths) {
  const auto& [root, parents, given, ids] = claim;
  const std::uint64_t top = places.root();
  if (top >= parents.size() || parents[top] != static_cast<std::int64_t>(root)) {
    return fmt::format("the root {} is not its own parent", root);
  }
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (v != top && parents[v] == static_cast<std::int64_t>(places.name(v))) {
      return fmt::format("vertex {} is its own parent: expected the root {} alone to be",
                         places.name(v), root);
    }
  }
  try {
    ids.empty() ? depths_of(parents, depths) : depths_of(ids, parents, depths);
  } catch (const Error& error) {
    return error.what();
  }
  for (std::size_t v = 0; v < given.size(); ++v) {
    if (given[v] != depths[v]) {
      return fmt::format("vertex {} has the depth {}: expected {}, one more than its parent",
                         places.name(v), given[v], depths[v]);
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

std::string describe(const Edge& edge, const Depths& depths, const Places& places) {
  const std::uint64_t begin = places.name(edge.from), end = places.name(edge.to);
  const std::int32_t from = depths[edge.from], to = depths[edge.to];
  if (from < 0 || to < 0) {
    return fmt::format("the edge {} {} leads out of the tree: vertex {} is not reached", begin, end,
                       from < 0 ? begin : end);
  }
  return fmt::format("the edge {} {} joins depths {} and {}: expected at most 1 between them",
                     begin, end, from, to);
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
                                        const Joined& joined, const Claim& claim,
                                        const Places& places) {
  const auto child = joined.missing(places.root());
  if (!child) return {};
  const Vertex parent = find_parent(team, edges, depths, *child);
  const std::int64_t said = claim.parents[*child];
  const std::uint64_t name = places.name(*child);
  if (parent == kNoVertex) {
    return fmt::format(
        "vertex {} has the depth {}, and no edge joins it with its parent {} or "
        "another vertex of depth {}",
        name, depths[*child], said, depths[*child] - 1);
  }
  return fmt::format(
      "vertex {} has the parent {}, which no edge joins with it: expected {}, or "
      "another neighbour of depth {}",
      name, said, places.name(parent), depths[*child] - 1);
}

template <class Edges>
std::optional<std::string> check(Team& team, const Edges& edges, const Claim& claim,
                                 const Places& places) {
  Depths depths(claim.parents.size());
  if (auto fault = check_tree(claim, places, depths)) return fault;
  Joined joined(places.parents());
  const EdgeFault fault = look_at_edges(team, edges, depths, joined);
  if (fault.index != EdgeFault{}.index) return describe(fault.edge, depths, places);
  return check_joined(team, edges, depths, joined, claim, places);
}

std::optional<std::string> check_sizes(const Claim& claim, std::uint64_t vertices) {
  if (claim.parents.size() == vertices) return {};
  return fmt::format("{} parents of {} vertices", claim.parents.size(), vertices);
}

/// Whether ids are a list in which others can be looked up.
std::optional<std::string> check_ids(std::span<const VertexId> ids) {
  const auto wrong = std::ranges::adjacent_find(ids, std::ranges::greater_equal{});
  if (wrong == ids.end()) return {};
  return fmt::format("the id {} is followed by {}: expected them in rising order", wrong[0],
                     wrong[1]);
}

std::string describe_unlisted(const WideEdge& edge, const SortedIds& ids) {
  return fmt::format("the edge {} {} has an end that is not listed: vertex {}", edge.from, edge.to,
                     ids.find(edge.from) == kNoVertex ? edge.from : edge.to);
}

}  // namespace

std::optional<std::string> validate(Team& team, const EdgeList& edges, const Claim& claim) {
  if (auto fault = check_sizes(claim, edges.vertices())) return fault;
  return check(team, ListedEdges{edges}, claim, Places(claim));
}

std::optional<std::string> validate(Team& team, const WideEdgeList& edges, const Claim& claim) {
  if (auto fault = check_sizes(claim, claim.ids.size())) return fault;
  if (auto fault = check_ids(claim.ids)) return fault;
  const Places places(claim);
  std::atomic<EdgeCount> unlisted = edges.size();
  const auto fault = check(team, WideListedEdges{edges, places.sorted(), unlisted}, claim, places);
  if (unlisted == edges.size()) return fault;
  return describe_unlisted(edges.all()[unlisted], places.sorted());
}

std::optional<std::string> validate(Team& team, const Graph& graph, const Claim& claim) {
  if (auto fault = check_sizes(claim, graph.vertices())) return fault;
  if (!std::ranges::equal(claim.ids, graph.ids())) return "the ids are not the graph's";
  if (auto fault = check_ids(claim.ids)) return fault;
  return check(team, RowEdges{graph}, claim, Places(claim));
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
