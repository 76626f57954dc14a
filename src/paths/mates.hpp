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
/// anyway, or where many wait for it. States with more ends than can be joined are dead
/// (end_bound.hpp), and those with an end that nothing can join (stuck_ends.hpp).
///
/// Marks are kept as their exclusive or with the own slot, so that untouched vertices, and slots
/// that nobody is in, are zeros: entering changes nothing.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "paths/expansion.hpp"
#include "paths/marks.hpp"
#include "paths/mate_kernels.hpp"
#include "paths/mate_steps.hpp"
#include "paths/mate_twins.hpp"

namespace kinjo::paths::detail {

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

  /// Whether there are vectors for these.
  static constexpr bool kVectors = (Bits == 4 && Words == 1) || (Bits == 5 && Words == 2);

  class At;

  explicit Mates(std::shared_ptr<const MateSteps> steps) : steps_(std::move(steps)) {}

  std::size_t items() const { return steps_->frontier.steps.size(); }
  State root() const { return {}; }
  At at(std::size_t item) const { return At(MateItem(*steps_, item)); }

  bool stays(std::size_t item) const { return steps_->stay[item] && !merges(item); }

  bool merge_twins(std::size_t first) { return twins_.find(*steps_, first); }
  bool merges(std::size_t item) const { return twins_.any_after(item); }
  void merge(std::size_t item, std::span<State> states) const { twins_.order(item, states); }

  /// The end of a fragment may leave only by an edge, and any other vertex only without one.
  bool forced(std::size_t item) const {
    const Step& step = steps_->frontier.steps[item];
    return step.a.leaves || step.b.leaves;
  }

  /// What of a state stays the same from one item up to another, so that states which differ in
  /// that do not become the same: who of those whose edges come later is untouched, inside a
  /// fragment or an end.
  class Kept;
  Kept kept(std::size_t item, std::size_t end) const;

  void sign(std::size_t item, std::vector<std::uint64_t>& signature) const {
    steps_->sign(item, signature);
    twins_.sign(item, signature);
  }

 private:
  std::shared_ptr<const MateSteps> steps_;
  MateTwins<Bits, Words> twins_;
};

template <unsigned Bits, std::size_t Words>
class Mates<Bits, Words>::Kept {
 public:
  explicit Kept(const SlotSet& slots) : count_(slots.count()) {
    for (unsigned slot = 0; slot < M::kFields && slot < slots.size(); ++slot) {
      if (slots[slot]) M::set(fields_, slot, 1);
    }
  }
  /// Vertices.
  std::size_t count() const { return count_; }
  State of(const State& state) const {
    State kept;
    for (unsigned w = 0; w < Words; ++w) {
      const std::uint64_t untouched = ~M::marked(state[w]),
                          inside = ~M::marked(state[w] ^ M::differing_from_slots(kInside, w));
      kept[w] = (untouched & fields_[w]) | (inside & fields_[w]) << 1;
    }
    return kept;
  }

 private:
  State fields_{};  ///< their lowest bits
  std::size_t count_;
};

template <unsigned Bits, std::size_t Words>
auto Mates<Bits, Words>::kept(std::size_t item, std::size_t end) const -> Kept {
  SlotSet slots = kept_slots(steps_->frontier, item, end);
  for (std::size_t i = item; i < end; ++i) {
    if (merges(i)) return Kept({});
    const Settled& settled = steps_->settled[i];
    for (unsigned s = 0; s < settled.count; ++s) slots.reset(settled.slots[s]);
  }
  return Kept(slots);
}

/// One edge.
template <unsigned Bits, std::size_t Words>
class Mates<Bits, Words>::At {
 public:
  explicit At(const MateItem& item)
      : item_(item),
        // What is not complete by the last edge will not be.
        end_(item.is_last ? Outcome::dead : Outcome::alive) {}

  Outcome skip(State& state) const {
    if (item_.stays) return Outcome::alive;
    enter(state);
    return leave(state);
  }

  Outcome take(State& state) const {
    enter(state);
    if (item_.hands_over) return hand_over(state);
    const unsigned mate_a = mark(state, item_.a.slot), mate_b = mark(state, item_.b.slot);
    if (mate_a == kInside || mate_b == kInside) return Outcome::dead;
    if (mate_a == item_.b.slot || (mate_a == kOutside && mate_b == kOutside)) {
      return closes(mate_a == item_.b.slot) ? completes(state) : Outcome::dead;
    }
    set_mark(state, item_.a.slot, kInside);
    set_mark(state, item_.b.slot, kInside);
    if (mate_a != kOutside) set_mark(state, mate_a, mate_b);
    if (mate_b != kOutside) set_mark(state, mate_b, mate_a);
    return leave(state);
  }

  /// All of a block at once; see expansion.hpp.
  template <class Accepted>
  std::size_t many(Decision decision, const Block<Words>& block, State* states, std::uint16_t* from,
                   Accepted&& accepted) const requires(kVectors) {
    return decide(decision == Decision::skip ? kernels().skip : kernels().take, block, states, from,
                  accepted);
  }
  template <class Accepted>
  std::size_t either(const Block<Words>& block, State* states, std::uint16_t* from,
                     Accepted&& accepted) const requires(kVectors) {
    return decide(kernels().either, block, states, from, accepted);
  }

 private:
  static const MateKernelSet::Decisions& kernels() {
    return Words == 1 ? mate_kernels().one_word : mate_kernels().two_words;
  }

  template <class Accepted>
  std::size_t decide(MateKernelSet::Decide kernel, const Block<Words>& block, State* states,
                     std::uint16_t* from, Accepted& accepted) const {
    std::array<std::uint16_t, kMostMates> closed;
    MateArrivals out{states->data(), from, closed.data()};
    kernel(item_, {block.states.data()->data(), block.from, block.states.size()}, out);
    for (std::size_t i = 0; i < out.closed_count; ++i) {
      State state = block.states[closed[i]];
      if (take(state) == Outcome::accepted) accepted(block.from[closed[i]]);
    }
    return out.count;
  }

  static constexpr State kAllInside = [] {
    State state{};
    for (unsigned w = 0; w < Words; ++w) state[w] = M::differing_from_slots(kInside, w);
    return state;
  }();

  static unsigned mark(const State& state, unsigned slot) { return M::get(state, slot) ^ slot; }
  static void set_mark(State& state, unsigned slot, unsigned mark) {
    M::set(state, slot, mark ^ slot);
  }

  void enter(State& state) const {
    if (item_.a.enters_as_terminal) set_mark(state, item_.a.slot, kOutside);
    if (item_.b.enters_as_terminal) set_mark(state, item_.b.slot, kOutside);
  }

  /// The edge from who leaves to who enters in the same slot.
  Outcome hand_over(State& state) const {
    const unsigned mate = mark(state, item_.a.slot);
    if (mate == kInside || mate == item_.a.slot) return Outcome::dead;
    if (item_.heir_is_terminal) {
      if (mate == kOutside) return completes(state);
      set_mark(state, mate, kOutside);
      set_mark(state, item_.b.slot, kInside);
    }
    return settle(state);
  }

  Outcome leave(State& state) const {
    if (item_.a.leaves && !leave(state, item_.a)) return Outcome::dead;
    if (item_.heir_is_terminal) set_mark(state, item_.b.slot, kOutside);
    if (item_.b.leaves && !leave(state, item_.b)) return Outcome::dead;
    return settle(state);
  }
  Outcome settle(State& state) const {
    for (unsigned i = 0; i < item_.settled_count; ++i) {
      const unsigned slot = item_.settled[i];
      if (mark(state, slot) != slot) continue;
      if (item_.required[slot]) return Outcome::dead;
      set_mark(state, slot, kInside);
    }
    for (const MaybeStuck& stuck : item_.maybe_stuck.all()) {
      if (is_stuck(state, stuck)) return Outcome::dead;
    }
    return item_.most_ends == kAnyEnds || ends(state) <= item_.most_ends ? end_ : Outcome::dead;
  }
  static bool is_stuck(const State& state, const MaybeStuck& stuck) {
    const unsigned found = mark(state, stuck.slot);
    if (found == stuck.slot || found == kInside) return false;
    return std::ranges::all_of(stuck.all_neighbours(), [&](unsigned neighbour) {
      return mark(state, neighbour) == kInside;
    });
  }
  /// Of fragments.
  unsigned ends(const State& state) const {
    unsigned count = 0;
    for (unsigned slot = 0; slot < item_.slots; ++slot) {
      const unsigned found = mark(state, slot);
      count += found != slot && found != kInside ? 1 : 0;
    }
    return count;
  }
  /// Whether a vertex may leave so.
  bool leave(State& state, const MateEnd& side) const {
    const unsigned last = mark(state, side.slot);
    M::set(state, side.slot, 0);
    return last == kInside || (last == side.slot && !side.required);
  }

  /// Whether a fragment that is closed on itself, or else one from terminal to terminal, is what is
  /// looked for.
  bool closes(bool cycle) const { return (item_.shape == Shape::cycle) == cycle; }

  /// Whether the ends of the edge were all that was missing.
  Outcome completes(const State& state) const {
    if (!item_.may_complete) return Outcome::dead;
    State others = state;
    M::set(others, item_.a.slot, 0);
    M::set(others, item_.b.slot, 0);
    for (unsigned w = 0; w < Words; ++w) {
      const std::uint64_t touched = M::marked(others[w]);
      if ((touched & M::marked(others[w] ^ kAllInside[w])) != 0) return Outcome::dead;
    }
    return item_.required.none() || visits_required(others) ? Outcome::accepted : Outcome::dead;
  }
  bool visits_required(const State& others) const {
    for (unsigned slot = 0; slot < item_.slots; ++slot) {
      if (slot == item_.a.slot || slot == item_.b.slot) continue;
      if (item_.required[slot] && M::get(others, slot) == 0) return false;
    }
    return true;
  }

  MateItem item_;
  Outcome end_;
};

}  // namespace kinjo::paths::detail
