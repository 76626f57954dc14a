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

/// What a decision leads to.
enum class Outcome : std::uint8_t {
  dead,      ///< no set of the family begins so
  accepted,  ///< just one does: the items taken so far
  alive,     ///< others may follow; after the last item: a member
};

/// A state is words that are compared as they are.
template <std::size_t Words>
using State = std::array<std::uint64_t, Words>;

/// `root` makes the state before item 0; `skip` and `take` make of a state before `item` that after
/// it, which is not defined unless they say `alive`.
template <class S>
concept Specification = requires(const S& s, typename S::State& state, std::size_t item) {
  { s.items() } -> std::same_as<std::size_t>;
  { s.root() } -> std::same_as<typename S::State>;
  { s.skip(item, state) } -> std::same_as<Outcome>;
  { s.take(item, state) } -> std::same_as<Outcome>;
  /// Whether `skip` leaves each state as it is, and `take` of a state that `take` made is dead: then
  /// a level's states stay where they are, and those that are new join them.
  { s.stays(item) } -> std::same_as<bool>;
};

}  // namespace kinjo::paths::detail
