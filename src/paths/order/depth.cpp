#include "paths/order/depth.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kinjo::paths::detail {

namespace {

class DepthFirst {
 public:
  explicit DepthFirst(const Neighbours& neighbours)
      : neighbours_(neighbours),
        met_(neighbours.size(), kNever),
        below_(neighbours.size()),
        left_(neighbours.size()),
        needed_(neighbours.size()) {}

  std::vector<Vertex> run(Vertex first) {
    search(first);
    for (Vertex v = 0; v < neighbours_.size(); ++v) search(v);
    // Whoever is met later hangs below, or elsewhere.
    for (auto v = order_of_meeting_.rbegin(); v != order_of_meeting_.rend(); ++v) weigh(*v);
    for (const Vertex root : roots_) finish(root);
    return std::move(finished_);
  }

 private:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  void meet(Vertex v) {
    met_[v] = static_cast<std::uint32_t>(order_of_meeting_.size());
    order_of_meeting_.push_back(v);
  }

  void search(Vertex root) {
    if (met_[root] != kNever) return;
    roots_.push_back(root);
    meet(root);
    std::vector<std::pair<Vertex, std::uint32_t>> way{{root, 0}};  // and which neighbour is next
    while (!way.empty()) {
      auto& [v, next] = way.back();
      if (next == neighbours_.degree(v)) {
        way.pop_back();
        continue;
      }
      const Vertex u = neighbours_.of(v)[next++];
      if (met_[u] != kNever) continue;
      meet(u);
      below_[v].push_back(u);
      way.emplace_back(u, 0);
    }
  }

  /// Sorts what hangs below a vertex, all of which has been weighed.
  void weigh(Vertex v) {
    std::ranges::stable_sort(below_[v], std::ranges::greater(), [&](Vertex u) {
      return std::int64_t{needed_[u]} - std::int64_t{left_[u]};
    });
    std::uint32_t left = 0, needed = 0;
    for (const Vertex u : below_[v]) {
      needed = std::max(needed, left + needed_[u]);
      left += left_[u];
    }
    std::uint32_t above = 0, under = 0;
    for (const Vertex u : neighbours_.of(v)) (met_[u] < met_[v] ? above : under) += 1;
    left_[v] = left + above - under;
    needed_[v] = std::max(needed, left_[v] + 1);
  }

  void finish(Vertex root) {
    std::vector<std::pair<Vertex, std::uint32_t>> way{{root, 0}};
    while (!way.empty()) {
      auto& [v, next] = way.back();
      if (next < below_[v].size()) {
        way.emplace_back(below_[v][next++], 0);
        continue;
      }
      finished_.push_back(v);
      way.pop_back();
    }
  }

  const Neighbours& neighbours_;
  std::vector<std::uint32_t> met_;
  std::vector<Vertex> order_of_meeting_, roots_, finished_;
  std::vector<std::vector<Vertex>> below_;
  std::vector<std::uint32_t> left_;    ///< edges from a vertex and what is below it to those above
  std::vector<std::uint32_t> needed_;  ///< frontier, about
};

}  // namespace

std::vector<Vertex> depth_order(const Neighbours& neighbours, Vertex first) {
  if (neighbours.size() == 0) return {};
  return DepthFirst(neighbours).run(first);
}

}  // namespace kinjo::paths::detail
