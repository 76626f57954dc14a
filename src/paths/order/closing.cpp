#include "paths/order/closing.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace kinjo::paths::detail {

namespace {

constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 20;

std::uint64_t pairs(const Neighbours& neighbours) {
  std::uint64_t pairs = 0;
  for (Vertex v = 0; v < neighbours.size(); ++v) {
    pairs += std::uint64_t{neighbours.degree(v)} * neighbours.degree(v);
  }
  return pairs;
}

class BestFirst {
 public:
  explicit BestFirst(const Neighbours& neighbours)
      : neighbours_(neighbours), missing_(neighbours.size()), has_entered_(neighbours.size()) {
    for (Vertex v = 0; v < neighbours.size(); ++v) missing_[v] = neighbours.degree(v);
  }

  std::vector<Vertex> run(Vertex first) {
    visit_component(first);
    for (Vertex v = 0; v < neighbours_.size(); ++v) visit_component(v);
    return std::move(order_);
  }

 private:
  /// What the vertex that is met by misses, what the one that is met does, and that.
  using Candidate = std::tuple<std::uint32_t, std::uint32_t, Vertex>;

  void visit_component(Vertex first) {
    if (has_entered_[first]) return;
    enter(first);
    while (!candidates_.empty()) {
      const Vertex next = std::get<2>(candidates_.top());
      candidates_.pop();
      // Numbers only fall, so whoever has been met more than once was taken by the last of them.
      if (!has_entered_[next]) enter(next);
    }
  }
  void enter(Vertex v) {
    has_entered_[v] = true;
    order_.push_back(v);
    for (const Vertex u : neighbours_.of(v)) --missing_[u];
    meet_by(v);
    for (const Vertex u : neighbours_.of(v)) {
      if (has_entered_[u]) meet_by(u);
    }
  }
  void meet_by(Vertex v) {
    if (missing_[v] == 0) return;
    for (const Vertex u : neighbours_.of(v)) {
      if (!has_entered_[u]) candidates_.emplace(missing_[v], missing_[u], u);
    }
  }

  const Neighbours& neighbours_;
  std::vector<std::uint32_t> missing_;  ///< neighbours that have not entered
  std::vector<bool> has_entered_;
  std::vector<Vertex> order_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

}  // namespace

std::vector<Vertex> closing_order(const Neighbours& neighbours, Vertex first) {
  if (neighbours.size() == 0 || pairs(neighbours) > kMostPairs) return {};
  return BestFirst(neighbours).run(first);
}

}  // namespace kinjo::paths::detail
