/// Paths and cycles by mates (Knuth's Simpath, The Art of Computer Programming 7.1.4; S1 section
/// 4.2), as a specification.
///
/// The edges taken so far are fragments of paths. A vertex of the frontier is untouched, inside a
/// fragment, or an end of one, and then its mark is the slot of the other end, its mate. A terminal
/// of the paths that are looked for is an end from the beginning; the other end of its fragment is
/// outside, which is one mark for both terminals: who may join both is all that matters later.
///
/// An edge joins the fragments of its ends: their other ends become mates. It cannot be taken if an
/// end is inside a fragment. Where it joins both terminals' fragments, or closes a fragment to a
/// cycle, the set is complete, and a member if there is no other fragment, and no vertex untouched
/// that must not be. A vertex that leaves must not be the end of a fragment.
///
/// An edge to a vertex that enters in the slot of the one that leaves hands the slot over as it is:
/// who was the end of a fragment has a successor in this. A terminal that enters so ends it
/// instead.
///
/// An untouched vertex with one undecided edge left cannot be visited any more, so it is marked as
/// if it were inside a fragment; this is done when the next vertex leaves, where states change
/// anyway.
///
/// Marks are kept as their exclusive or with the own slot, so that untouched vertices, and slots
/// that nobody is in, are zeros: entering changes nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <memory>
#include <utility>

#include "paths/frontier.hpp"
#include "paths/marks.hpp"

namespace kinjo::paths::detail {

enum class Shape { path, cycle };

/// Which paths or cycles.
struct MateRules {
  Shape shape = Shape::path;
  std::vector<bool> terminal;  ///< by vertex; two of them for paths, none for cycles
  std::vector<bool> required;  ///< by vertex: must not stay untouched
};

using SlotSet = std::bitset<256>;
/// Vertices that are settled at one item; others wait for the next.
inline constexpr std::size_t kMostSettled = 6;

/// What is the same in all states.
struct MateSteps {
  MateSteps(Frontier frontier, MateRules rules);

  Frontier frontier;
  MateRules rules;
  /// By item: the slots whose vertices must not stay untouched.
  std::vector<SlotSet> required;
  /// By item: the slots of vertices that can no longer be visited if they are untouched after it.
  std::vector<std::vector<std::uint16_t>> settled;
  /// The last item at which such a vertex enters; what is complete before has missed it.
  std::size_t last_requirement = 0;
};

template <unsigned Bits, std::size_t Words>
class Mates {
 public:
  using M = Marks<Bits, Words>;
  using State = typename M::State;
  /// Marks that are no slots.
  static constexpr unsigned kInside = M::kCodes - 1;
  static constexpr unsigned kOutside = M::kCodes - 2;
  /// Slots that this can do with.
  static constexpr unsigned kSlots = M::kFields < kOutside ? M::kFields : kOutside;

  class At;

  explicit Mates(std::shared_ptr<const MateSteps> steps) : steps_(std::move(steps)) {}

  std::size_t items() const { return steps_->frontier.steps.size(); }
  State root() const { return {}; }
  At at(std::size_t item) const { return At(*steps_, item); }

  /// What an edge has made of its ends it cannot be taken for again: one is inside, or both are
  /// mates. To close a cycle so would be no death, so cycles do not stay.
  bool stays(std::size_t item) const {
    const Step& step = steps_->frontier.steps[item];
    return steps_->rules.shape == Shape::path && !step.a.leaves && !step.b.leaves &&
           !enters_as_terminal(*steps_, step.a) && !enters_as_terminal(*steps_, step.b);
  }

 private:
  static bool enters_as_terminal(const MateSteps& steps, const End& end) {
    return end.enters && steps.rules.terminal[end.vertex];
  }

  std::shared_ptr<const MateSteps> steps_;
};

/// One edge.
template <unsigned Bits, std::size_t Words>
class Mates<Bits, Words>::At {
 public:
  At(const MateSteps& steps, std::size_t item)
      : a_(steps, steps.frontier.steps[item].a),
        b_(steps, steps.frontier.steps[item].b),
        shape_(steps.rules.shape),
        hands_over_(steps.frontier.steps[item].hands_over),
        heir_is_terminal_(hands_over_ && std::exchange(b_.enters_as_terminal, false)),
        // What is not complete by the last edge will not be.
        end_(item + 1 == steps.frontier.steps.size() ? Outcome::dead : Outcome::alive),
        may_complete_(item >= steps.last_requirement),
        slots_(steps.frontier.slots),
        required_(steps.required[item]) {
    const auto& settled = steps.settled[item];
    settled_count_ = static_cast<unsigned>(settled.size());
    std::ranges::copy(settled, settled_.begin());
  }

  Outcome skip(State& state) const {
    enter(state);
    return leave(state);
  }

  Outcome take(State& state) const {
    enter(state);
    if (hands_over_) return hand_over(state);
    const unsigned mate_a = mark(state, a_.slot), mate_b = mark(state, b_.slot);
    if (mate_a == kInside || mate_b == kInside) return Outcome::dead;
    if (mate_a == b_.slot || (mate_a == kOutside && mate_b == kOutside)) {
      return closes(mate_a == b_.slot) ? completes(state) : Outcome::dead;
    }
    set_mark(state, a_.slot, kInside);
    set_mark(state, b_.slot, kInside);
    if (mate_a != kOutside) set_mark(state, mate_a, mate_b);
    if (mate_b != kOutside) set_mark(state, mate_b, mate_a);
    return leave(state);
  }

 private:
  struct Side {
    Side(const MateSteps& steps, const End& end)
        : slot(end.slot),
          enters_as_terminal(Mates::enters_as_terminal(steps, end)),
          leaves(end.leaves),
          required(steps.rules.required[end.vertex]) {}
    unsigned slot;
    bool enters_as_terminal, leaves, required;
  };

  static unsigned mark(const State& state, unsigned slot) { return M::get(state, slot) ^ slot; }
  static void set_mark(State& state, unsigned slot, unsigned mark) {
    M::set(state, slot, mark ^ slot);
  }

  void enter(State& state) const {
    if (a_.enters_as_terminal) set_mark(state, a_.slot, kOutside);
    if (b_.enters_as_terminal) set_mark(state, b_.slot, kOutside);
  }

  /// The edge from who leaves to who enters in the same slot.
  Outcome hand_over(State& state) const {
    const unsigned mate = mark(state, a_.slot);
    if (mate == kInside || mate == a_.slot) return Outcome::dead;
    if (heir_is_terminal_) {
      if (mate == kOutside) return completes(state);
      set_mark(state, mate, kOutside);
      set_mark(state, b_.slot, kInside);
    }
    return settle(state);
  }

  Outcome leave(State& state) const {
    if (a_.leaves && !leave(state, a_)) return Outcome::dead;
    if (heir_is_terminal_) set_mark(state, b_.slot, kOutside);
    if (b_.leaves && !leave(state, b_)) return Outcome::dead;
    return settle(state);
  }
  Outcome settle(State& state) const {
    for (unsigned i = 0; i < settled_count_; ++i) {
      const unsigned slot = settled_[i];
      if (mark(state, slot) != slot) continue;
      if (required_[slot]) return Outcome::dead;
      set_mark(state, slot, kInside);
    }
    return end_;
  }
  /// Whether a vertex may leave so.
  bool leave(State& state, const Side& side) const {
    const unsigned last = mark(state, side.slot);
    M::set(state, side.slot, 0);
    return last == kInside || (last == side.slot && !side.required);
  }

  /// Whether a fragment that is closed on itself, or else one from terminal to terminal, is what is
  /// looked for.
  bool closes(bool cycle) const { return (shape_ == Shape::cycle) == cycle; }

  /// Whether the ends of the edge were all that was missing.
  Outcome completes(const State& state) const {
    if (!may_complete_) return Outcome::dead;
    for (unsigned slot = 0; slot < slots_; ++slot) {
      const unsigned found = mark(state, slot);
      if (found == kInside || slot == a_.slot || slot == b_.slot) continue;
      if (found != slot || required_[slot]) return Outcome::dead;
    }
    return Outcome::accepted;
  }

  Side a_, b_;
  Shape shape_;
  bool hands_over_, heir_is_terminal_;
  Outcome end_;
  bool may_complete_;
  unsigned slots_;
  SlotSet required_;
  unsigned settled_count_ = 0;
  std::array<std::uint16_t, kMostSettled> settled_{};
};

}  // namespace kinjo::paths::detail
