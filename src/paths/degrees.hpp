/// Sets of edges of which each vertex has a number that it is allowed, matchings among them, as a
/// specification: a vertex of the frontier is marked by the number of its edges so far.
#pragma once

#include <bitset>
#include <memory>
#include <vector>

#include "paths/frontier.hpp"
#include "paths/marks.hpp"
#include "paths/twin_order.hpp"

namespace kinjo::paths::detail {

/// By number of edges, whether a vertex may have so many.
using EdgeNumbers = std::bitset<256>;

struct DegreeSteps {
  Frontier frontier;
  EdgeNumbers allowed;
  unsigned most = 1;  ///< the greatest of them
};

/// As twins (twin_order.hpp) are read and written: each vertex is a group.
template <class M>
struct DegreeFields {
  using State = typename M::State;
  static constexpr unsigned kSlots = M::kFields;

  static TwinSeat read(const State& state, std::size_t slot) {
    const unsigned edges = M::get(state, static_cast<unsigned>(slot));
    return {static_cast<std::uint16_t>(slot), static_cast<std::uint16_t>(edges)};
  }
  static void write(State& state, std::size_t slot, const TwinSeat& seat) {
    M::set(state, static_cast<unsigned>(slot), seat.kind);
  }
};

template <unsigned Bits, std::size_t Words>
class Degrees {
 public:
  using M = Marks<Bits, Words>;
  using State = typename M::State;
  static constexpr unsigned kSlots = M::kFields;
  /// Edges of one vertex that this can count to.
  static constexpr unsigned kMostEdges = M::kCodes - 1;

  class At;

  explicit Degrees(std::shared_ptr<const DegreeSteps> steps) : steps_(std::move(steps)) {}

  std::size_t items() const { return steps_->frontier.steps.size(); }
  State root() const { return {}; }
  At at(std::size_t item) const { return At(*steps_, item); }

  /// Where a vertex may have one edge at most, it cannot take another.
  bool stays(std::size_t item) const {
    const Step& step = steps_->frontier.steps[item];
    return steps_->most <= 1 && !step.a.leaves && !step.b.leaves && !merges(item);
  }

  bool merge_twins(std::size_t first) { return twins_.find(steps_->frontier, first); }
  bool merges(std::size_t item) const { return twins_.any_after(item); }
  void merge(std::size_t item, std::span<State> states) const { twins_.order(item, states); }

  /// What of a state stays the same from one item up to another, so that states which differ in
  /// that do not become the same: the numbers of those whose edges come later.
  class Kept;
  Kept kept(std::size_t item, std::size_t end) const;

  /// See repeats.hpp.
  void sign(std::size_t item, std::vector<std::uint64_t>& signature) const {
    detail::sign(steps_->frontier.steps[item], signature);
    twins_.sign(item, signature);
  }

 private:
  std::shared_ptr<const DegreeSteps> steps_;
  TwinOrders<DegreeFields<M>> twins_;
};

template <unsigned Bits, std::size_t Words>
class Degrees<Bits, Words>::Kept {
 public:
  explicit Kept(const SlotSet& slots) : count_(slots.count()) {
    for (unsigned slot = 0; slot < M::kFields && slot < slots.size(); ++slot) {
      if (slots[slot]) M::set(fields_, slot, M::kCodes - 1);
    }
  }
  /// Vertices.
  std::size_t count() const { return count_; }
  State of(const State& state) const {
    State kept;
    for (std::size_t w = 0; w < Words; ++w) kept[w] = state[w] & fields_[w];
    return kept;
  }

 private:
  State fields_{};
  std::size_t count_;
};

template <unsigned Bits, std::size_t Words>
auto Degrees<Bits, Words>::kept(std::size_t item, std::size_t end) const -> Kept {
  for (std::size_t i = item; i < end; ++i) {
    if (merges(i)) return Kept({});
  }
  return Kept(kept_slots(steps_->frontier, item, end));
}

/// One edge.
template <unsigned Bits, std::size_t Words>
class Degrees<Bits, Words>::At {
 public:
  At(const DegreeSteps& steps, std::size_t item)
      : step_(steps.frontier.steps[item]), allowed_(steps.allowed), most_(steps.most) {}

  Outcome skip(State& state) const { return leave(state); }

  Outcome take(State& state) const {
    for (const End* end : {&step_.a, &step_.b}) {
      const unsigned edges = M::get(state, end->slot) + 1;
      if (edges > most_) return Outcome::dead;
      M::set(state, end->slot, edges);
    }
    return leave(state);
  }

 private:
  Outcome leave(State& state) const {
    for (const End* end : {&step_.a, &step_.b}) {
      if (!end->leaves) continue;
      if (!allowed_[M::get(state, end->slot)]) return Outcome::dead;
      M::set(state, end->slot, 0);
    }
    return Outcome::alive;
  }

  Step step_;
  EdgeNumbers allowed_;
  unsigned most_;
};

}  // namespace kinjo::paths::detail
