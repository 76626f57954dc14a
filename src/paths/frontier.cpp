#include "paths/frontier.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>

namespace kinjo::paths::detail {

namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// Slots that are free, the lowest first.
class Slots {
 public:
  std::uint32_t take() {
    if (free_.empty()) return used_++;
    std::ranges::pop_heap(free_, std::greater{});
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::uint32_t slot) {
    free_.push_back(slot);
    std::ranges::push_heap(free_, std::greater{});
  }
  /// Slots that were in use together.
  std::uint32_t used() const { return used_; }
  std::uint32_t in_use() const { return used_ - static_cast<std::uint32_t>(free_.size()); }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

/// The last item of each vertex.
std::vector<std::uint32_t> last_items(const Network& network,
                                      const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> last(network.vertices, kNever);
  for (std::uint32_t item = 0; item < order.size(); ++item) {
    const Edge& edge = network.edges[order[item]];
    last[edge.from] = last[edge.to] = item;
  }
  return last;
}

}  // namespace

Frontier make_frontier(const Network& network, const std::vector<std::uint32_t>& order,
                       std::uint32_t most) {
  const std::vector<std::uint32_t> last = last_items(network, order);
  std::vector<std::uint32_t> slot_of(network.vertices, kNever);
  Slots slots;
  Frontier frontier;
  const auto end_at = [&](Vertex v, std::uint32_t item) {
    const bool enters = slot_of[v] == kNever;
    if (enters) slot_of[v] = slots.take();
    return End{v, static_cast<std::uint16_t>(slot_of[v]), enters, last[v] == item};
  };
  for (std::uint32_t item = 0; item < order.size(); ++item) {
    const Edge& edge = network.edges[order[item]];
    const Step step{end_at(edge.from, item), end_at(edge.to, item)};
    if (slots.used() > most) {
      throw Error(
          Errc::invalid_argument,
          fmt::format("the frontier of this graph needs more than {} vertices at edge {} of {}, "
                      "whatever is counted: its states would be too many; another order of the "
                      "edges, or fewer edges, may do",
                      most, item + 1, order.size()));
    }
    frontier.steps.push_back(step);
    for (const End& end : {step.a, step.b}) {
      if (end.leaves) slots.give_back(end.slot);
    }
    frontier.sizes.push_back(slots.in_use());
  }
  frontier.slots = slots.used();
  return frontier;
}

}  // namespace kinjo::paths::detail
