#include "paths/order/breadth.hpp"

#include <algorithm>

namespace kinjo::paths::detail {

namespace {

enum class Visit { by_edges, by_degrees };

/// The order of a search, and how deep it got from its first vertex.
struct Search {
  std::vector<Vertex> order;
  std::size_t depth = 0;
  std::size_t reached = 0;  ///< vertices of the first one's component
};

class BreadthFirst {
 public:
  BreadthFirst(const Neighbours& neighbours, Visit visit)
      : neighbours_(neighbours), visit_(visit), depths_(neighbours.size(), kUnmet) {}

  Search run(Vertex first) {
    if (neighbours_.size() == 0) return {};
    Search search;
    visit_component(search.order, first);
    search.depth = depths_[search.order.back()];
    search.reached = search.order.size();
    for (Vertex v = 0; v < neighbours_.size(); ++v) visit_component(search.order, v);
    return search;
  }

 private:
  static constexpr std::uint32_t kUnmet = ~std::uint32_t{0};

  void visit_component(std::vector<Vertex>& order, Vertex first) {
    if (depths_[first] != kUnmet) return;
    depths_[first] = 0;
    std::size_t next = order.size();
    order.push_back(first);
    for (; next < order.size(); ++next) {
      const std::size_t begin = order.size();
      for (const Vertex u : neighbours_.of(order[next])) {
        if (depths_[u] != kUnmet) continue;
        depths_[u] = depths_[order[next]] + 1;
        order.push_back(u);
      }
      if (visit_ == Visit::by_edges) continue;
      std::stable_sort(
          order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
          [&](Vertex a, Vertex b) { return neighbours_.degree(a) < neighbours_.degree(b); });
    }
  }

  const Neighbours& neighbours_;
  Visit visit_;
  std::vector<std::uint32_t> depths_;
};

Search search_from(const Neighbours& neighbours, Vertex first, Visit visit) {
  return BreadthFirst(neighbours, visit).run(first);
}

}  // namespace

std::vector<Vertex> breadth_order(const Neighbours& neighbours, Vertex first) {
  return search_from(neighbours, first, Visit::by_edges).order;
}

std::vector<Vertex> peripheral_order(const Neighbours& neighbours) {
  Search best = search_from(neighbours, 0, Visit::by_degrees);
  while (best.reached > 0) {
    Search next = search_from(neighbours, best.order[best.reached - 1], Visit::by_degrees);
    if (next.depth <= best.depth) break;
    best = std::move(next);
  }
  return best.order;
}

}  // namespace kinjo::paths::detail
