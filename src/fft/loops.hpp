/// The loops around lines, and the turns that they take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <kinjo/partition.hpp>

namespace kinjo::fft::detail {

/// One of the loops around lines: `count` of them, so many numbers apart where they are read and
/// where they are written.
struct Loop {
  std::size_t count = 1;
  std::size_t in = 0;
  std::size_t out = 0;
};

/// Loops inside each other, innermost first.
using Loops = std::vector<Loop>;

/// How far one of the turns is from the arrays' beginnings.
struct Turn {
  std::size_t in = 0, out = 0;
};

inline std::size_t count_turns(const Loops& loops) {
  std::size_t turns = 1;
  for (const Loop& loop : loops) turns *= loop.count;
  return turns;
}

/// The turn of that number.
inline Turn turn_of(const Loops& loops, std::size_t number) {
  Turn turn;
  // Of the first one nothing is to be divided; it may be all there is.
  for (auto loop = loops.begin(); number != 0; ++loop) {
    turn.in += number % loop->count * loop->in;
    turn.out += number % loop->count * loop->out;
    number /= loop->count;
  }
  return turn;
}

/// Calls f(turn) for those of these numbers; of at least one loop.
template <class F>
void for_each_turn(const Loops& loops, Range numbers, const F& f) {
  const Loop inner = loops.front();
  for (std::size_t i = numbers.begin; i < numbers.end;) {
    Turn turn = turn_of(loops, i);
    // Divisions would take as long as lines of a few numbers.
    const std::size_t end = std::min(numbers.end, i + inner.count - i % inner.count);
    for (; i < end; ++i, turn.in += inner.in, turn.out += inner.out) f(turn);
  }
}

}  // namespace kinjo::fft::detail
