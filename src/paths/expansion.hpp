/// What both decisions about an item make of a block of states.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "paths/state_table.hpp"

namespace kinjo::paths::detail {

/// States that one decision led to, and the numbers in their block of those that they came from.
template <std::size_t Words>
struct Arrivals {
  std::array<State<Words>, kBlock> states;
  std::array<std::uint16_t, kBlock> from;
  std::size_t count = 0;
};

/// Makes one decision about all states of a block: `arrivals` are those that are alive after it;
/// `accepted(i)` is called where one is accepted.
template <Decision kDecision, Specification S, std::size_t Words, class Accepted>
void expand(const S& specification, std::size_t item, std::span<const State<Words>> block,
            Arrivals<Words>& arrivals, Accepted&& accepted) {
  const auto decide = specification.at(item);
  if constexpr (requires { decide.many(kDecision, block, arrivals, accepted); }) {
    decide.many(kDecision, block, arrivals, accepted);
  } else {
    std::size_t count = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      State<Words> next = block[i];
      const Outcome outcome = kDecision == Decision::skip ? decide.skip(next) : decide.take(next);
      arrivals.states[count] = next;
      arrivals.from[count] = static_cast<std::uint16_t>(i);
      count += outcome == Outcome::alive ? 1 : 0;
      if (outcome == Outcome::accepted) accepted(i);
    }
    arrivals.count = count;
  }
}

}  // namespace kinjo::paths::detail
