/// Families of sets told item by item, in the manner of TdZdd (Iwashita, Minato, 2013): a state
/// before the first item, and the state after each decision. Whoever has the same state before an
/// item has the same future, so states are nodes of a decision diagram. One engine counts
/// (level_sweep.hpp) or builds (build.hpp, chain.hpp) whatever is told so.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace kinjo::paths::detail {

enum class Decision : std::uint8_t { skip, take };

/// What a decision leads to.
enum class Outcome : std::uint8_t {
  dead,      ///< no set of the family begins so
  accepted,  ///< just one does: the items taken so far
  alive,     ///< others may follow; after the last item: a member
};

/// A state is words that are compared as they are.
template <std::size_t Words>
using State = std::array<std::uint64_t, Words>;

/// What deciding about one item makes of the states before it: `skip` and `take` make of a state
/// that after the item, which is not defined unless they say `alive`. A small value that a loop
/// over states keeps on its own stack, so that nothing shared is read for each of them. It may also
/// have `many` and `either`, which decide about a block (expansion.hpp).
template <class D, class State>
concept Deciding = requires(const D& decide, State& state) {
  { decide.skip(state) } -> std::same_as<Outcome>;
  { decide.take(state) } -> std::same_as<Outcome>;
};

/// `root` makes the state before item 0, `at` what decides about an item.
template <class S>
concept Specification = requires(const S& s, std::size_t item) {
  { s.items() } -> std::same_as<std::size_t>;
  { s.root() } -> std::same_as<typename S::State>;
  { s.at(item) } -> Deciding<typename S::State>;
  /// Whether `skip` leaves each state as it is, and `take` of a state that `take` made is dead:
  /// then a level's states stay where they are, and those that are new join them.
  { s.stays(item) } -> std::same_as<bool>;
};

/// Whether at most one decision about an item leaves a state alive, whatever the state. Of
/// specifications that say nothing of it: not so.
template <Specification S>
bool is_forced(const S& specification, std::size_t item) {
  if constexpr (requires { specification.forced(item); }) return specification.forced(item);
  return false;
}

/// Whether of the states after an item some count as one (twins.hpp), which `merge(item, states)`
/// then makes of them, once `merge_twins(first)` was told that this may be so from an item on. Of
/// specifications that say nothing of it: not so.
template <Specification S>
bool merges(const S& specification, std::size_t item) {
  if constexpr (requires { specification.merges(item); }) return specification.merges(item);
  return false;
}

/// What of a state stays the same from one item up to another, so that states which differ in that
/// do not become the same: `of(state)`, of so many vertices.
template <Specification S>
struct NothingKept {
  using State = typename S::State;
  static constexpr std::size_t count() { return 0; }
  static State of(const State& state) { return state; }
};
/// Of specifications that say nothing of it: nothing.
template <Specification S>
auto kept(const S& specification, std::size_t item, std::size_t end) {
  if constexpr (requires { specification.kept(item, end); }) {
    return specification.kept(item, end);
  } else {
    return NothingKept<S>();
  }
}

/// For specifications whose functions take the item: these, bound to it.
template <class S>
class AtItem {
 public:
  AtItem(const S& specification, std::size_t item) : specification_(&specification), item_(item) {}
  Outcome skip(typename S::State& state) const { return specification_->skip(item_, state); }
  Outcome take(typename S::State& state) const { return specification_->take(item_, state); }

 private:
  const S* specification_;
  std::size_t item_;
};

}  // namespace kinjo::paths::detail
