/// The unreduced diagram of a specification, on one thread: a breadth-first walk of its states.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include <kinjo/error.hpp>

#include "paths/levels.hpp"
#include "paths/state_table.hpp"

namespace kinjo::paths::detail {

template <std::size_t Words>
struct StateHash {
  std::size_t operator()(const State<Words>& state) const { return hash(state); }
};

/// `specification.begin()` says what is decided before the first item.
template <Specification S>
Levels expand_levels(const S& specification) {
  using State = typename S::State;
  using Numbers = std::unordered_map<State, Child, StateHash<std::tuple_size_v<State>>>;
  const std::size_t items = specification.items();
  Levels levels{std::vector<RawLevel>(items), kDead};
  std::vector<State> states = {specification.root()}, next_states;
  Numbers numbers;
  const auto child = [&](std::size_t item, Outcome outcome, const State& state) -> Child {
    if (outcome == Outcome::dead) return kDead;
    if (outcome == Outcome::accepted || item + 1 == items) return kMember;
    const auto number = static_cast<Child>(next_states.size() + kFirstChild);
    const auto [found, is_new] = numbers.try_emplace(state, number);
    if (is_new) next_states.push_back(state);
    return found->second;
  };
  const Outcome begin = specification.begin();
  levels.root = begin == Outcome::dead ? kDead : begin == Outcome::accepted ? kMember : kFirstChild;
  if (begin != Outcome::alive) states.clear();
  for (std::size_t item = 0; item < items; ++item) {
    for (const State& state : states) {
      State without = state, with = state;
      const Child lo = child(item, specification.skip(item, without), without);
      const Child hi = child(item, specification.take(item, with), with);
      levels.nodes[item].push_back({lo, hi});
    }
    states = std::exchange(next_states, {});
    numbers.clear();
  }
  return levels;
}

}  // namespace kinjo::paths::detail
