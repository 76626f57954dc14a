/// One thread's sweep over some groups of items, of states that are not all of their level.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "paths/groups.hpp"
#include "paths/sums.hpp"
#include "paths/sweep_options.hpp"

namespace kinjo::paths::detail {

template <Specification S>
class BucketSweep {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  static constexpr std::size_t kMostBetween = std::size_t{1} << 12;

  BucketSweep(const S& specification, const SweepOptions& options)
      : specification_(specification), options_(options), expansion_(specification) {}

  /// Begins with no states, of which about so many are expected, whose rows will have this shape;
  /// nothing is accepted yet. So many are expanded before somebody is asked whether to go on.
  void begin(std::size_t expected, const RowShape& shape, std::size_t between = kMostBetween) {
    between_ = std::clamp<std::size_t>(between, 1, kMostBetween);
    next_.begin(0);
    next_sums_.begin(shape);
    now_.begin(expected);
    sums_.begin(shape);
    total_ = {};
  }
  /// Gives back all memory.
  void give_back() {
    for (auto* table : {&now_, &next_}) *table = {};
    for (Sums* sums : {&sums_, &next_sums_}) *sums = {};
  }
  StateTable<kWords>& states() { return now_; }
  std::size_t size() const { return now_.size(); }
  Sums& sums() { return sums_; }
  const Total& total() const { return total_; }
  std::uint64_t bytes() const {
    return now_.bytes() + next_.bytes() + sums_.bytes() + next_sums_.bytes();
  }
  /// Of the states and their rows now. As they come to lie in one pair of arrays or the other, it
  /// has at most twice the most that these were.
  std::uint64_t used_bytes() const {
    return now_.used_bytes() + next_.used_bytes() + sums_.used_bytes() + next_sums_.used_bytes();
  }

  /// Makes the states after a group, of which about so many or fewer are expected, and whose rows
  /// get this shape. `fits()` says for each round of states whether to go on. Whether all are made.
  template <class Fits>
  bool sweep(const Group& group, std::size_t expected, const RowShape& shape, Fits&& fits) {
    expansion_.begin(group);
    effect_ = {};
    if (!options_.weights.empty()) effect_.weight = options_.weights[group.first];
    sums_.widen(shape);
    if (stays(specification_, group)) {
      return in_blocks(fits, [&](std::size_t first, States block) {
        decide(Decision::take, first, block, now_, sums_);
      });
    }
    next_.begin_after(now_, expected);
    next_sums_.begin(shape);
    const bool done = in_blocks(fits, [&](std::size_t first, States block) {
      if (shape.measure == Measure::sets) {
        expansion_.expand(block, [&](std::size_t i) { accept(first + i); });
        return add(first, next_, next_sums_);
      }
      decide(Decision::skip, first, block, next_, next_sums_);
      decide(Decision::take, first, block, next_, next_sums_);
    });
    std::swap(now_, next_);
    std::swap(sums_, next_sums_);
    next_sums_.begin(shape);
    return done;
  }

  /// After the last item: what is alive is a member.
  void accept_rest() {
    effect_ = {};
    for (std::size_t i = 0; i < now_.size(); ++i) accept(i);
  }

 private:
  using States = std::span<const State<kWords>>;

  template <class Fits, class Expand>
  bool in_blocks(Fits& fits, Expand&& expand) {
    const std::size_t end = now_.size(), block = std::min(kBlock, between_);
    std::size_t asked = 0;
    for (std::size_t first = 0; first < end; first += block) {
      if (first >= asked) {
        if (!fits()) return false;
        asked = first + between_;
      }
      expand(first, now_.states().subspan(first, std::min(block, end - first)));
    }
    return fits();
  }

  void decide(Decision decision, std::size_t first, States block, StateTable<kWords>& table,
              Sums& sums) {
    effect_.decision = decision;
    expansion_.decide(decision, block, [&](std::size_t i) { accept(first + i); });
    add(first, table, sums);
  }
  void accept(std::size_t row) { total_.add(sums_.row(row), sums_.shape(), effect_); }

  /// Looks up what a block that begins with state `first` has become, and adds its rows.
  void add(std::size_t first, StateTable<kWords>& table, Sums& sums) {
    const States states = expansion_.states();
    for (std::size_t i = 0; i < states.size(); i += kBlock) {
      const States block = states.subspan(i, std::min(kBlock, states.size() - i));
      const std::span<std::uint32_t> numbers(numbers_.data(), block.size());
      table.find_or_add(block, numbers.data());
      sums.resize(table.size());  // in place it moves the rows that are read
      sums.add(0, numbers, sums_.row(first), sums_.shape(), expansion_.from().data() + i, effect_);
    }
  }

  const S& specification_;
  const SweepOptions& options_;
  GroupExpansion<S> expansion_;
  StateTable<kWords> now_, next_;
  Sums sums_, next_sums_;
  std::array<std::uint32_t, kBlock> numbers_;
  std::size_t between_ = kMostBetween;
  Effect effect_;
  Total total_;
};

}  // namespace kinjo::paths::detail
