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

/// Gives each edge's ends their slots, edge by edge.
class Walk {
 public:
  Walk(const Network& network, const std::vector<std::uint32_t>& order, Inheritance inheritance)
      : inheritance_(inheritance),
        last_(last_items(network, order)),
        slot_of_(network.vertices, kNever) {}

  Step step(const Edge& edge, std::uint32_t item) {
    if (hands_over(edge.from, edge.to, item)) return hand_over(edge.from, edge.to, item);
    if (hands_over(edge.to, edge.from, item)) return hand_over(edge.to, edge.from, item);
    const Step step{end_at(edge.from, item), end_at(edge.to, item)};
    for (const End& end : {step.a, step.b}) {
      if (end.leaves) slots_.give_back(end.slot);
    }
    return step;
  }
  const Slots& slots() const { return slots_; }

 private:
  bool enters(Vertex v) const { return slot_of_[v] == kNever; }
  bool leaves(Vertex v, std::uint32_t item) const { return last_[v] == item; }
  bool hands_over(Vertex a, Vertex b, std::uint32_t item) const {
    return inheritance_ == Inheritance::allowed && enters(b) && !leaves(b, item) && leaves(a, item);
  }

  End end_at(Vertex v, std::uint32_t item) {
    const bool is_new = enters(v);
    if (is_new) slot_of_[v] = slots_.take();
    return {v, static_cast<std::uint16_t>(slot_of_[v]), is_new, leaves(v, item)};
  }
  Step hand_over(Vertex a, Vertex b, std::uint32_t item) {
    const End before = end_at(a, item);
    slot_of_[b] = before.slot;
    return {before, {b, before.slot, true, false}, true};
  }

  Inheritance inheritance_;
  std::vector<std::uint32_t> last_, slot_of_;
  Slots slots_;
};

}  // namespace

void sign(const Step& step, std::vector<std::uint64_t>& signature) {
  std::uint64_t all = step.hands_over ? 1 : 0;
  for (const End* end : {&step.a, &step.b}) {
    all = all << 18 | std::uint64_t{end->slot} << 2 | (end->enters ? 2U : 0U) |
          (end->leaves ? 1U : 0U);
  }
  signature.push_back(all);
}

Frontier make_frontier(const Network& network, const std::vector<std::uint32_t>& order,
                       Inheritance inheritance, std::uint32_t most) {
  Walk walk(network, order, inheritance);
  Frontier frontier;
  frontier.steps.reserve(order.size());
  frontier.sizes.reserve(order.size());
  for (std::uint32_t item = 0; item < order.size(); ++item) {
    frontier.steps.push_back(walk.step(network.edges[order[item]], item));
    frontier.sizes.push_back(walk.slots().in_use());
    if (walk.slots().used() > most) {
      throw Error(
          Errc::invalid_argument,
          fmt::format("the frontier of this graph needs more than {} vertices at edge {} of {}, "
                      "whatever is counted: its states would be too many; another order of the "
                      "edges, or fewer edges, may do",
                      most, item + 1, order.size()));
    }
  }
  frontier.slots = walk.slots().used();
  return frontier;
}

SlotSet kept_slots(const Frontier& frontier, std::size_t item, std::size_t end) {
  SlotSet kept;
  for (std::size_t i = 0; i < end; ++i) {
    const Step& step = frontier.steps[i];
    for (const End* side : {&step.a, &step.b}) {
      // After the item they only go, and who enters later is none of them.
      kept.set(side->slot, i < item && !side->leaves);
    }
  }
  return kept;
}

}  // namespace kinjo::paths::detail
