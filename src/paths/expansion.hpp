/// What decisions about an item make of a block of states.
///
/// A specification's decisions may do so themselves (mates.hpp): `many(decision, block, states,
/// from, accepted)` for one decision, and `either(block, states, from, accepted)` for both of an
/// item that is forced (specification.hpp). They write what is alive to `states`, in order, and to
/// `from` what goes with the states that it came from, and say how many there are. They may write
/// up to `kSlack` more than they decide about.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "paths/state_table.hpp"

namespace kinjo::paths::detail {

inline constexpr std::size_t kSlack = 8;

/// States that are decided together, and of each a number that goes with what becomes of it.
template <std::size_t Words>
struct Block {
  std::span<const State<Words>> states;
  const std::uint16_t* from;
};

/// The states of a block by their numbers in it.
inline constexpr auto kInOrder = [] {
  std::array<std::uint16_t, kBlock> order{};
  for (std::size_t i = 0; i < kBlock; ++i) order[i] = static_cast<std::uint16_t>(i);
  return order;
}();

/// Makes one decision about all states of a block; `accepted` is called with what goes with a state
/// that is accepted. What is alive goes to `states` and `from`, as above; how many there are.
template <class Decide, std::size_t Words, class Accepted>
std::size_t decide_all(const Decide& decide, Decision decision, const Block<Words>& block,
                       State<Words>* states, std::uint16_t* from, Accepted&& accepted) {
  if constexpr (requires { decide.many(decision, block, states, from, accepted); }) {
    return decide.many(decision, block, states, from, accepted);
  } else {
    std::size_t count = 0;
    for (std::size_t i = 0; i < block.states.size(); ++i) {
      State<Words> next = block.states[i];
      const Outcome outcome = decision == Decision::skip ? decide.skip(next) : decide.take(next);
      states[count] = next;
      from[count] = block.from[i];
      count += outcome == Outcome::alive ? 1 : 0;
      if (outcome == Outcome::accepted) accepted(block.from[i]);
    }
    return count;
  }
}

/// States that one decision led to, and the numbers in their block of those that they came from.
template <std::size_t Words>
struct Arrivals {
  std::array<State<Words>, kBlock + kSlack> states;
  std::array<std::uint16_t, kBlock + kSlack> from;
  std::size_t count = 0;
};

/// Makes one decision about an item for all of up to `kBlock` states; `accepted(i)` is called where
/// one is accepted. `decide` is the specification's `at` of that item.
template <Decision kDecision, class Decide, std::size_t Words, class Accepted>
void expand(const Decide& decide, std::span<const State<Words>> states, Arrivals<Words>& arrivals,
            Accepted&& accepted) {
  const Block<Words> block{states, kInOrder.data()};
  arrivals.count =
      decide_all(decide, kDecision, block, arrivals.states.data(), arrivals.from.data(), accepted);
}

}  // namespace kinjo::paths::detail
