/// What groups of items made of states, as a list of numbers: which rows are to be added to which.
/// Where the same states come to the same items again, the list is all that is needed.
///
/// The list is in blocks, as states are looked up. Numbers of rows are told by how far they are
/// from the lowest of the block, in two bytes if that will do: neighbours lead to neighbours. Which
/// rows are added goes up but for the few decisions that a block goes through one after the other,
/// so bits tell that (bit_runs.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/growing_array.hpp"
#include "paths/bit_runs.hpp"
#include "paths/groups.hpp"

namespace kinjo::paths::detail {

/// A thread's list of what the groups of a period made of its states, and of how these are numbered
/// where the period begins again. States that come later are recorded as further layers: wherever
/// they are, their rows follow those of the layers before.
class Record {
 public:
  /// Numbers of rows of `sender`, and to which they are to be added.
  template <class Number>
  struct Additions {
    std::size_t sender, first;  ///< the rows that are added are first + from[i]
    const std::uint16_t* from;
    std::size_t least;  ///< those that they are added to are least + numbers[i]
    std::span<const Number> numbers;
  };

  std::uint64_t bytes() const {
    return blocks_.bytes() + bytes_.bytes() + accepted_.size() * sizeof(accepted_.front());
  }

  /// Begins anew, with a layer of so many rows.
  void begin(std::size_t period, std::size_t rows) {
    *this = {};
    rows_.resize(period + 1);
    begin_layer(rows);
  }
  void begin_layer(std::size_t rows) {
    layer_rows_ = {rows};
    begin_passage();
  }
  /// After `end_group` of the period's groups and of the return to its beginning.
  void end_layer() {
    passages_.pop_back();
    for (std::size_t group = 0; group < rows_.size(); ++group) rows_[group] += layer_rows_[group];
    ++layers_;
  }

  std::size_t layers() const { return layers_; }
  /// Rows before a group, of all layers that have ended.
  std::size_t rows(std::size_t group) const { return rows_[group]; }

  /// Up to `kBlock` rows least + numbers[i], to which rows first + from[i] of `sender` are added;
  /// of these none is 2^16 or more from another.
  template <class Index>
  void add(std::size_t least, std::span<const std::uint32_t> numbers, std::size_t sender,
           std::size_t first, const Index* from) {
    if (numbers.empty()) return;
    const auto to = std::ranges::minmax(numbers);
    const auto of = std::ranges::minmax(std::span(from, numbers.size()));
    const Block block{.first = static_cast<std::uint32_t>(first + of.min),
                      .least = static_cast<std::uint32_t>(least + to.min),
                      .size = static_cast<std::uint16_t>(numbers.size()),
                      .sender = static_cast<std::uint16_t>(sender),
                      .numbers_near = to.max - to.min <= 0xFFFF,
                      .from_in_runs = false};
    blocks_.push_back(block);
    if (block.numbers_near) {
      append<std::uint16_t>(numbers.data(), numbers.size(), to.min);
    } else {
      append<std::uint32_t>(numbers.data(), numbers.size(), to.min);
    }
    blocks_[blocks_.size() - 1].from_in_runs = append_runs(std::span(from, numbers.size()), of.min);
    if (!blocks_[blocks_.size() - 1].from_in_runs) {
      append<std::uint16_t>(from, numbers.size(), of.min);
    }
  }
  /// A member comes of this row.
  void accept(std::size_t row) { accepted_.push_back(static_cast<std::uint32_t>(row)); }
  /// Ends what one group did, which left so many rows.
  void end_group(std::size_t rows) {
    layer_rows_.push_back(rows);
    begin_passage();
  }

  /// Tells `add` all `Additions` of a group, and `accept` all rows that members come of.
  template <class Add, class Accept>
  void replay(std::size_t group, Add&& add, Accept&& accept) const {
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      const std::size_t number = layer * rows_.size() + group;
      const Passage& passage = passages_[number];
      const Passage end = number + 1 < passages_.size() ? passages_[number + 1] : here();
      for (std::size_t a = passage.accepted; a < end.accepted; ++a) accept(accepted_[a]);
      std::size_t place = passage.place;
      for (std::size_t b = passage.block; b < end.block; ++b) replay(blocks_[b], place, add);
    }
  }

 private:
  struct Block {
    std::uint32_t first, least;
    std::uint16_t size, sender;
    bool numbers_near, from_in_runs;
  };
  /// Where what one group did begins.
  struct Passage {
    std::size_t block, place, accepted;
  };

  Passage here() const { return {blocks_.size(), bytes_.size(), accepted_.size()}; }
  void begin_passage() { passages_.push_back(here()); }

  /// What is wider than a byte begins where it may.
  static std::size_t aligned(std::size_t place) { return (place + 3) / 4 * 4; }

  /// In runs of bits, if they take less than the numbers do. Of many threads' rows they may not.
  template <class Index>
  bool append_runs(std::span<const Index> from, Index least) {
    const std::size_t place = bytes_.size();
    bytes_.resize(place + from.size() * bit_runs::kMostBytes);
    const std::size_t count = write_bit_runs(from, least, bytes_.data() + place);
    const bool takes_less = count < from.size() * sizeof(std::uint16_t);
    bytes_.resize(place + (takes_less ? count : 0));
    return takes_less;
  }
  template <class Narrow, class Wide>
  void append(const Wide* values, std::size_t count, std::size_t least) {
    const std::size_t place = aligned(bytes_.size());
    bytes_.resize(place + count * sizeof(Narrow));
    auto* const to = reinterpret_cast<Narrow*>(bytes_.data() + place);
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<Narrow>(values[i] - least);
  }
  template <class Narrow>
  const Narrow* next(std::size_t& place, std::size_t count) const {
    const std::size_t begin = aligned(place);
    place = begin + count * sizeof(Narrow);
    return reinterpret_cast<const Narrow*>(bytes_.data() + begin);
  }

  template <class Add>
  void replay(const Block& block, std::size_t& place, Add& add) const {
    if (block.numbers_near) {
      replay(block, next<std::uint16_t>(place, block.size), place, add);
    } else {
      replay(block, next<std::uint32_t>(place, block.size), place, add);
    }
  }
  template <class Number, class Add>
  void replay(const Block& block, const Number* numbers, std::size_t& place, Add& add) const {
    std::array<std::uint16_t, kBlock + bit_runs::kSlack> read;
    const std::uint16_t* from = read.data();
    if (block.from_in_runs) {
      place += read_bit_runs(bytes_.data() + place, block.size, read.data());
    } else {
      from = next<std::uint16_t>(place, block.size);
    }
    add(Additions<Number>{block.sender, block.first, from, block.least,
                          std::span(numbers, block.size)});
  }

  kinjo::detail::GrowingArray<Block> blocks_;
  /// By block, the numbers, and then what they come from.
  kinjo::detail::GrowingArray<std::byte> bytes_;
  std::vector<std::uint32_t> accepted_;
  std::vector<Passage> passages_;  ///< by layer and group
  std::vector<std::size_t> rows_;  ///< by group
  std::vector<std::size_t> layer_rows_;
  std::size_t layers_ = 0;
};

}  // namespace kinjo::paths::detail
