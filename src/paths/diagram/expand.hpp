/// The unreduced diagram of a specification, on the calling thread: level by level, the states of
/// two levels being kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "paths/expansion.hpp"
#include "paths/levels.hpp"
#include "paths/state_table.hpp"

namespace kinjo::paths::detail {

template <Specification S>
class Expansion {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  explicit Expansion(const S& specification)
      : specification_(specification),
        levels_{std::vector<RawLevel>(specification.items()), kDead} {}

  /// `specification.begin()` says what is decided before the first item.
  Levels run() {
    const Outcome begin = specification_.begin();
    if (begin == Outcome::accepted) levels_.root = kMember;
    if (begin != Outcome::alive) return std::move(levels_);
    levels_.root = kFirstChild;
    StateTable<kWords> here;
    here.begin(1);
    std::uint32_t number;
    const typename S::State root = specification_.root();
    here.find_or_add({&root, 1}, &number);
    for (std::size_t item = 0; item < levels_.nodes.size(); ++item) {
      next_.begin_after(here);
      expand_level(item, here.states());
      std::swap(here, next_);
    }
    return std::move(levels_);
  }

 private:
  void expand_level(std::size_t item, std::span<const State<kWords>> states) {
    RawLevel& nodes = levels_.nodes[item];
    while (!states.empty()) {
      const auto block = states.first(std::min(states.size(), kBlock));
      std::array<Child, kBlock> lo{}, hi{};
      decide<Decision::skip>(item, block, lo);
      decide<Decision::take>(item, block, hi);
      for (std::size_t i = 0; i < block.size(); ++i) nodes.push_back({lo[i], hi[i]}, pool_);
      states = states.subspan(block.size());
    }
  }

  /// Sets the children of a block, which are `kDead` before.
  template <Decision kDecision>
  void decide(std::size_t item, std::span<const State<kWords>> block,
              std::array<Child, kBlock>& children) {
    expand<kDecision>(specification_.at(item), block, arrivals_,
                      [&](std::size_t i) { children[i] = kMember; });
    const bool is_last = item + 1 == levels_.nodes.size();
    std::array<std::uint32_t, kBlock> numbers;
    if (!is_last) {
      next_.find_or_add(std::span(arrivals_.states).first(arrivals_.count), numbers.data());
    }
    for (std::size_t i = 0; i < arrivals_.count; ++i) {
      children[arrivals_.from[i]] = is_last ? kMember : numbers[i] + kFirstChild;
    }
  }

  const S& specification_;
  Levels levels_;
  NodePool pool_;
  StateTable<kWords> next_;
  Arrivals<kWords> arrivals_;
};

template <Specification S>
Levels expand_levels(const S& specification) {
  return Expansion<S>(specification).run();
}

}  // namespace kinjo::paths::detail
