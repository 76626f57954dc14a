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
/// Marks are kept as their exclusive or with the own slot, so that untouched vertices, and slots
/// that nobody is in, are zeros: entering changes nothing.
#pragma once

#include <bitset>
#include <memory>

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

/// What is the same in all states.
struct MateSteps {
  MateSteps(Frontier frontier, MateRules rules);

  Frontier frontier;
  MateRules rules;
  /// By item: the slots whose vertices must not stay untouched.
  std::vector<SlotSet> required;
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

  explicit Mates(std::shared_ptr<const MateSteps> steps) : steps_(std::move(steps)) {}

  std::size_t items() const { return steps_->frontier.steps.size(); }
  State root() const { return {}; }

  Outcome skip(std::size_t item, State& state) const {
    const Step& step = steps_->frontier.steps[item];
    enter(step, state);
    return leave(item, state);
  }

  Outcome take(std::size_t item, State& state) const {
    const Step& step = steps_->frontier.steps[item];
    enter(step, state);
    const unsigned a = step.a.slot, b = step.b.slot;
    const unsigned mate_a = mark(state, a), mate_b = mark(state, b);
    if (mate_a == kInside || mate_b == kInside) return Outcome::dead;
    if (mate_a == b || (mate_a == kOutside && mate_b == kOutside)) {
      return closes(mate_a == b) ? completes(item, state) : Outcome::dead;
    }
    set_mark(state, a, kInside);
    set_mark(state, b, kInside);
    if (mate_a != kOutside) set_mark(state, mate_a, mate_b);
    if (mate_b != kOutside) set_mark(state, mate_b, mate_a);
    return leave(item, state);
  }

  /// What an edge has made of its ends it cannot be taken for again: one is inside, or both are
  /// mates. To close a cycle so would be no death, so cycles do not stay.
  bool stays(std::size_t item) const {
    const Step& step = steps_->frontier.steps[item];
    return steps_->rules.shape == Shape::path && !step.a.leaves && !step.b.leaves &&
           !enters_as_terminal(step.a) && !enters_as_terminal(step.b);
  }

 private:
  static unsigned mark(const State& state, unsigned slot) { return M::get(state, slot) ^ slot; }
  static void set_mark(State& state, unsigned slot, unsigned mark) {
    M::set(state, slot, mark ^ slot);
  }

  bool enters_as_terminal(const End& end) const {
    return end.enters && steps_->rules.terminal[end.vertex];
  }
  void enter(const Step& step, State& state) const {
    for (const End* end : {&step.a, &step.b}) {
      if (enters_as_terminal(*end)) set_mark(state, end->slot, kOutside);
    }
  }

  /// Whether a fragment that is closed on itself, or else one from terminal to terminal, is what is
  /// looked for.
  bool closes(bool cycle) const { return (steps_->rules.shape == Shape::cycle) == cycle; }

  Outcome leave(std::size_t item, State& state) const {
    const Step& step = steps_->frontier.steps[item];
    for (const End* end : {&step.a, &step.b}) {
      if (!end->leaves) continue;
      const unsigned last = mark(state, end->slot);
      const bool untouched = last == end->slot;
      if (!untouched && last != kInside) return Outcome::dead;
      if (untouched && steps_->rules.required[end->vertex]) return Outcome::dead;
      M::set(state, end->slot, 0);
    }
    // What is not complete by now will not be.
    return item + 1 == items() ? Outcome::dead : Outcome::alive;
  }

  /// Whether the ends of the edge were all that was missing.
  Outcome completes(std::size_t item, const State& state) const {
    const Step& step = steps_->frontier.steps[item];
    if (item < steps_->last_requirement) return Outcome::dead;
    for (unsigned slot = 0; slot < steps_->frontier.slots; ++slot) {
      const unsigned found = mark(state, slot);
      if (found == kInside || slot == step.a.slot || slot == step.b.slot) continue;
      if (found != slot || steps_->required[item][slot]) return Outcome::dead;
    }
    return Outcome::accepted;
  }

  std::shared_ptr<const MateSteps> steps_;
};

}  // namespace kinjo::paths::detail
