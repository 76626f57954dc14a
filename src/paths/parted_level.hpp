/// One level of a count that waits by parts of all states: packed in memory (packed_level.hpp), on
/// a disk (spilled_level.hpp), or both (waiting_level.hpp).
///
/// Who has swept some of the states before the level writes what they have become in one go, and a
/// state that several of them have is there several times; it becomes one again when its part is
/// read into a table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/contract.hpp"
#include "memory/growing_array.hpp"
#include "paths/expansion.hpp"
#include "paths/state_table.hpp"
#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// The `index`-th of so many parts of all states: as many as were written, or twice as many, which
/// are halves of these, and so on (`half_of`).
struct Part {
  std::uint64_t index = 0, of = 1;
};

/// The numbers of a table's states, by parts.
template <std::size_t Words>
class StatesByPart {
 public:
  /// `part_of(state)` says which part it belongs to.
  template <class PartOf>
  void sort(std::span<const State<Words>> states, std::uint64_t parts, const PartOf& part_of) {
    // Where a part begins moves on to its end, where the next one begins, as its states are placed.
    begins_.resize(parts + 2);
    std::ranges::fill(begins_.all(), 0);
    parts_.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      parts_[i] = static_cast<std::uint32_t>(part_of(states[i]));
      ++begins_[parts_[i] + std::size_t{2}];
    }
    for (std::uint64_t p = 2; p <= parts; ++p) begins_[p + 1] += begins_[p];
    order_.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      order_[begins_[parts_[i] + std::size_t{1}]++] = static_cast<std::uint32_t>(i);
    }
    begins_.resize(parts + 1);
  }

  std::span<const std::uint32_t> order() const { return order_.all(); }
  /// In the order; and the end of the last.
  std::span<const std::uint64_t> begins() const { return begins_.all(); }
  std::uint64_t bytes() const { return order_.bytes() + parts_.bytes() + begins_.bytes(); }

 private:
  kinjo::detail::GrowingArray<std::uint64_t> begins_;
  kinjo::detail::GrowingArray<std::uint32_t> parts_;  ///< by state
  kinjo::detail::GrowingArray<std::uint32_t> order_;
};

/// What a thread needs to write or read a level, from one time to the next.
template <std::size_t Words>
struct PartScratch {
  StatesByPart<Words> by_part;
  /// Some states and their rows on the way; of a part that is read, first all states.
  kinjo::detail::GrowingArray<State<Words>> states;
  /// Bytes of states and rows that are read together: enough that to transfer them takes longer
  /// than to ask for that. Fewer where a part may take little.
  std::uint64_t read_bytes = std::uint64_t{128} << 10;

  /// Makes room for so many words.
  void resize(std::size_t words) { states.resize((words + Words - 1) / Words); }
  std::span<std::uint64_t> words() { return {states.data()->data(), states.size() * Words}; }
  std::uint64_t bytes() const { return by_part.bytes() + states.bytes(); }
};

/// Who writes some states of a level.
struct Writer {
  std::size_t thread = 0;
  /// Where its states are in the order of all writers. Sums of weights are rounded, so that must
  /// not be the order in which threads come.
  std::uint64_t source = 0;
};

/// What levels have in common, wherever they wait.
template <std::size_t Words>
class PartedLevel {
 public:
  using Scratch = PartScratch<Words>;

  std::uint64_t parts() const { return parts_; }
  const RowShape& shape() const { return shape_; }

 protected:
  void begin(std::uint64_t parts, const RowShape& shape) {
    parts_ = parts;
    shape_ = shape;
  }
  std::size_t row_bytes() const { return shape_.words() * sizeof(std::uint64_t); }
  std::size_t record_bytes() const { return sizeof(State<Words>) + row_bytes(); }
  /// Of the part that was written which this one is, or which it lies in.
  std::uint64_t written_part(const Part& part) const { return part.index * parts_ / part.of; }
  /// Of the states that the scratch has by parts.
  static std::span<const std::uint32_t> numbers_of(std::uint64_t part, const Scratch& scratch) {
    const auto begins = scratch.by_part.begins();
    return scratch.by_part.order().subspan(begins[part], begins[part + 1] - begins[part]);
  }
  void add(const Part& part, std::size_t count, StateTable<Words>& table, Sums& sums,
           Scratch& scratch) const;

 private:
  static std::size_t keep(std::uint64_t half, std::uint64_t halves, std::span<State<Words>> states,
                          std::array<std::uint16_t, kBlock>& from);

  std::uint64_t parts_ = 0;
  RowShape shape_;
};

/// Adds those of the states that were read that belong to a part, block by block.
template <std::size_t Words>
void PartedLevel<Words>::add(const Part& part, std::size_t count, StateTable<Words>& table,
                             Sums& sums, Scratch& scratch) const {
  std::array<std::uint16_t, kBlock> from;
  std::array<std::uint32_t, kBlock> numbers;
  const std::uint64_t halves = part.of / parts_;
  KINJO_ASSERT(std::has_single_bit(halves));
  const std::uint64_t* rows = scratch.words().data() + count * Words;
  for (std::size_t first = 0; first < count; first += kBlock) {
    auto states = scratch.states.all().subspan(first, std::min(kBlock, count - first));
    if (halves != 1) states = states.first(keep(part.index % halves, halves, states, from));
    table.find_or_add(states, numbers.data());
    sums.resize(table.size());
    sums.add(0, std::span<const std::uint32_t>(numbers).first(states.size()), rows, shape_,
             halves == 1 ? kInOrder.data() : from.data(), {});
    rows += kBlock * shape_.words();
  }
}

/// Moves those of one of some halves to the front, and says where they were. How many there are.
template <std::size_t Words>
std::size_t PartedLevel<Words>::keep(std::uint64_t half, std::uint64_t halves,
                                     std::span<State<Words>> states,
                                     std::array<std::uint16_t, kBlock>& from) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[size] = states[i];
    from[size] = static_cast<std::uint16_t>(i);
    size += half_of(states[i], halves) == half ? 1 : 0;
  }
  return size;
}

}  // namespace kinjo::paths::detail
