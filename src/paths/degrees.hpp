/// Sets of edges of which each vertex has a number that it is allowed, matchings among them, as a
/// specification: a vertex of the frontier is marked by the number of its edges so far.
#pragma once

#include <memory>

#include "paths/frontier.hpp"
#include "paths/marks.hpp"

namespace kinjo::paths::detail {

struct DegreeSteps {
  Frontier frontier;
  /// By number of edges, whether a vertex may have so many; the last one is true.
  std::vector<bool> allowed;
};

template <unsigned Bits, std::size_t Words>
class Degrees {
 public:
  using M = Marks<Bits, Words>;
  using State = typename M::State;
  static constexpr unsigned kSlots = M::kFields;
  /// Edges of one vertex that this can count to.
  static constexpr unsigned kMostEdges = M::kCodes - 1;

  explicit Degrees(std::shared_ptr<const DegreeSteps> steps) : steps_(std::move(steps)) {}

  std::size_t items() const { return steps_->frontier.steps.size(); }
  State root() const { return {}; }

  Outcome skip(std::size_t item, State& state) const { return leave(item, state); }

  Outcome take(std::size_t item, State& state) const {
    const Step& step = steps_->frontier.steps[item];
    for (const End* end : {&step.a, &step.b}) {
      const unsigned edges = M::get(state, end->slot) + 1;
      if (edges >= steps_->allowed.size()) return Outcome::dead;
      M::set(state, end->slot, edges);
    }
    return leave(item, state);
  }

  /// Where a vertex may have one edge at most, it cannot take another.
  bool stays(std::size_t item) const {
    const Step& step = steps_->frontier.steps[item];
    return steps_->allowed.size() <= 2 && !step.a.leaves && !step.b.leaves;
  }

 private:
  Outcome leave(std::size_t item, State& state) const {
    const Step& step = steps_->frontier.steps[item];
    for (const End* end : {&step.a, &step.b}) {
      if (!end->leaves) continue;
      if (!steps_->allowed[M::get(state, end->slot)]) return Outcome::dead;
      M::set(state, end->slot, 0);
    }
    return Outcome::alive;
  }

  std::shared_ptr<const DegreeSteps> steps_;
};

}  // namespace kinjo::paths::detail
