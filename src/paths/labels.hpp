/// Forests, spanning trees, and sets of edges that leave so many components, by labels, as a
/// specification.
///
/// A vertex of the frontier is marked by its component: by the lowest slot of those of its vertices
/// that are in the frontier. An edge gives both ends' components the lower of their marks. When the
/// vertex that a component is marked by leaves, the next slot takes its place; when the last one
/// leaves, the component is closed.
///
/// Marks are kept as their exclusive or with the own slot, so that vertices without edges, and
/// slots that nobody is in, are zeros: entering changes nothing. Where components are counted, a
/// word of its own holds the number of those that are closed.
#pragma once

#include <memory>
#include <vector>

#include "paths/frontier.hpp"
#include "paths/marks.hpp"
#include "paths/twin_order.hpp"

namespace kinjo::paths::detail {

enum class Joining {
  forest,         ///< no cycles
  spanning_tree,  ///< no cycles, and one component
  components,     ///< a given number of components
};

struct LabelSteps {
  Frontier frontier;
  Joining joining = Joining::forest;
  /// For `components`: how many the vertices that have edges are to make.
  std::uint64_t components = 1;
};

/// As twins (twin_order.hpp) are read and written: a component is a group.
template <class M, unsigned kFields>
struct LabelFields {
  using State = typename M::State;
  static constexpr unsigned kSlots = kFields;

  static TwinSeat read(const State& state, std::size_t slot) {
    const auto own = static_cast<unsigned>(slot);
    return {static_cast<std::uint16_t>(M::get(state, own) ^ own), 0};
  }
  static void write(State& state, std::size_t slot, const TwinSeat& seat) {
    const auto own = static_cast<unsigned>(slot);
    M::set(state, own, seat.group ^ own);
  }
};

template <unsigned Bits, std::size_t Words, Joining kJoining>
class Labels {
  static constexpr bool kCounts = kJoining == Joining::components;

 public:
  using M = Marks<Bits, Words + (kCounts ? 1 : 0)>;
  using State = typename M::State;
  static constexpr unsigned kFields = Marks<Bits, Words>::kFields;
  static constexpr unsigned kSlots = kFields < M::kCodes ? kFields : M::kCodes;

  class At;

  explicit Labels(std::shared_ptr<const LabelSteps> steps) : steps_(std::move(steps)) {}

  std::size_t items() const { return steps_->frontier.steps.size(); }
  State root() const { return {}; }
  At at(std::size_t item) const { return At(*steps_, item); }

  /// An edge between vertices of one component is a cycle; where that is no death, states do not
  /// stay.
  bool stays(std::size_t item) const {
    const Step& step = steps_->frontier.steps[item];
    return !kCounts && !step.a.leaves && !step.b.leaves && !merges(item);
  }

  bool merge_twins(std::size_t first) { return twins_.find(steps_->frontier, first); }
  bool merges(std::size_t item) const { return twins_.any_after(item); }
  void merge(std::size_t item, std::span<State> states) const { twins_.order(item, states); }

  /// See repeats.hpp.
  void sign(std::size_t item, std::vector<std::uint64_t>& signature) const {
    detail::sign(steps_->frontier.steps[item], signature);
    signature.push_back(item + 1 == items() ? 1 : 0);
    twins_.sign(item, signature);
  }

 private:
  std::shared_ptr<const LabelSteps> steps_;
  TwinOrders<LabelFields<M, kFields>> twins_;
};

/// One edge.
template <unsigned Bits, std::size_t Words, Joining kJoining>
class Labels<Bits, Words, kJoining>::At {
 public:
  At(const LabelSteps& steps, std::size_t item)
      : step_(steps.frontier.steps[item]),
        last_(item + 1 == steps.frontier.steps.size()),
        slots_(steps.frontier.slots),
        components_(steps.components) {}

  Outcome skip(State& state) const { return leave(state); }

  Outcome take(State& state) const {
    const unsigned a = label(state, step_.a.slot), b = label(state, step_.b.slot);
    if (a != b) {
      replace(state, a < b ? b : a, a < b ? a : b);
    } else if constexpr (!kCounts) {
      return Outcome::dead;
    }
    return leave(state);
  }

 private:
  static unsigned label(const State& state, unsigned slot) { return M::get(state, slot) ^ slot; }

  /// Gives the label `to` to all that have `from`.
  void replace(State& state, unsigned from, unsigned to) const {
    for (unsigned slot = 0; slot < slots_; ++slot) {
      if (label(state, slot) == from) M::set(state, slot, to ^ slot);
    }
  }

  Outcome leave(State& state) const {
    for (const End* end : {&step_.a, &step_.b}) {
      if (!end->leaves) continue;
      if (!take_out(state, end->slot) && !closes(state, last_ && end == &step_.b)) {
        return Outcome::dead;
      }
    }
    if constexpr (kCounts) {
      if (last_ && state[Words] != components_) return Outcome::dead;
    }
    return Outcome::alive;
  }

  /// Takes the vertex of a slot out of its component; whether others of it are in the frontier.
  bool take_out(State& state, unsigned slot) const {
    const unsigned own = label(state, slot);
    M::set(state, slot, 0);
    unsigned next = slot;
    for (unsigned other = 0; other < slots_; ++other) {
      if (other == slot || label(state, other) != own) continue;
      if (own != slot) return true;
      if (next == slot) next = other;
      M::set(state, other, next ^ other);
    }
    return next != slot;
  }

  /// A component is closed, the last one of all if `last`; whether that may be.
  bool closes(State& state, bool last) const {
    if constexpr (kJoining == Joining::spanning_tree) return last;
    if constexpr (kCounts) return ++state[Words] <= components_;
    return true;
  }

  Step step_;
  bool last_;
  unsigned slots_;
  std::uint64_t components_;
};

}  // namespace kinjo::paths::detail
