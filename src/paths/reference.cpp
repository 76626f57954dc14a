#include "paths/reference.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"

namespace kinjo::paths::detail {

namespace {

/// One set of edges of a problem's network.
class Chosen {
 public:
  Chosen(const Problem& problem, std::uint32_t set)
      : problem_(problem), degree_(problem.network.vertices), root_(problem.network.vertices) {
    std::iota(root_.begin(), root_.end(), Vertex{0});
    for (std::size_t e = 0; e < problem.network.edges.size(); ++e) {
      if ((set >> e & 1) != 0) take(problem.network.edges[e]);
    }
  }

  bool is_member() const {
    for (const Vertex v : problem_.avoid) {
      if (degree_[v] != 0) return false;
    }
    switch (problem_.kind) {
      case Kind::path:
        return visits(problem_.through) &&
               (problem_.from == problem_.to ? is_cycle() && reachable(problem_.from, first_)
                                             : is_path());
      case Kind::hamiltonian_path:
        return is_path() && visits_all();
      case Kind::cycle:
        return is_cycle() && visits(problem_.through);
      case Kind::hamiltonian_cycle:
        return is_cycle() && visits_all();
      case Kind::forest:
        return !cyclic_;
      case Kind::spanning_tree:
        return !cyclic_ && components() == 1;
      case Kind::matching:
        return std::ranges::all_of(degree_, [](unsigned d) { return d <= 1; });
      case Kind::components:
        return components() == problem_.components;
      case Kind::degrees:
        return has_allowed_degrees();
    }
    return false;
  }

 private:
  void take(const Edge& edge) {
    ++edges_;
    first_ = edge.from;
    ++degree_[edge.from];
    ++degree_[edge.to];
    if (same(edge.from, edge.to)) cyclic_ = true;
    const Vertex old = root_[edge.from];
    std::ranges::replace(root_, old, root_[edge.to]);
  }

  bool same(Vertex a, Vertex b) const { return root_[a] == root_[b]; }
  /// Over the edges that may be taken.
  bool reachable(Vertex from, Vertex to) const {
    std::vector<bool> reached(degree_.size());
    reached[from] = true;
    for (std::size_t round = 0; round < reached.size(); ++round) {
      for (const auto& [a, b] : problem_.network.edges) {
        if (is_there(a) && is_there(b) && (reached[a] || reached[b]))
          reached[a] = reached[b] = true;
      }
    }
    return reached[to];
  }
  bool is_there(Vertex v) const { return !std::ranges::count(problem_.avoid, v); }

  std::uint64_t components() const {
    std::uint64_t count = 0;
    for (Vertex v = 0; v < root_.size(); ++v) {
      bool first = is_there(v);
      for (Vertex u = 0; u < v; ++u) first = first && !(is_there(u) && same(u, v));
      count += first;
    }
    return count;
  }

  /// All edges are in one component, whose vertices have degree 2 but for `ends`.
  bool is_line(const std::vector<Vertex>& ends) const {
    if (edges_ == 0) return false;
    for (Vertex v = 0; v < degree_.size(); ++v) {
      const unsigned wanted = std::ranges::count(ends, v) ? 1 : 2;
      if (degree_[v] == 0 ? wanted == 1 : degree_[v] != wanted || !same(v, first_)) return false;
    }
    return true;
  }
  bool is_path() const { return is_line({problem_.from, problem_.to}); }
  bool is_cycle() const { return is_line({}); }

  bool visits(const std::vector<Vertex>& vertices) const {
    return std::ranges::all_of(vertices, [&](Vertex v) { return degree_[v] != 0; });
  }
  bool visits_all() const {
    for (Vertex v = 0; v < degree_.size(); ++v) {
      if (is_there(v) && degree_[v] == 0) return false;
    }
    return true;
  }
  bool has_allowed_degrees() const {
    for (Vertex v = 0; v < degree_.size(); ++v) {
      if (is_there(v) && !std::ranges::count(problem_.degrees, degree_[v])) return false;
    }
    return true;
  }

  const Problem& problem_;
  std::vector<unsigned> degree_;
  std::vector<Vertex> root_;
  std::size_t edges_ = 0;
  Vertex first_ = 0;  ///< a vertex with an edge, if there is one
  bool cyclic_ = false;
};

}  // namespace

std::vector<std::uint32_t> members_by_definition(const Problem& problem) {
  KINJO_ASSERT(problem.network.edges.size() <= 24);
  std::vector<std::uint32_t> members;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << problem.network.edges.size(); ++set) {
    if (Chosen(problem, set).is_member()) members.push_back(set);
  }
  return members;
}

}  // namespace kinjo::paths::detail
