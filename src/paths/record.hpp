/// What groups of items made of states, as a list of numbers: which rows are to be added to which.
/// Where the same states come to the same items again, the list is all that is needed.
///
/// The list is in blocks, as states are looked up. Of a block come first those rows that were the
/// first to come to theirs: these are numbered as they come, so nothing tells their numbers, and
/// rows are copied to them instead of added. Other numbers are told by how far they are from the
/// lowest of the block, in as few bits as that takes (packed_numbers.hpp): neighbours lead to
/// neighbours. Which rows are added goes up but for the few decisions that a block goes through one
/// after the other, so a few bits tell that (bit_runs.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "memory/growing_array.hpp"
#include "paths/bit_runs.hpp"
#include "paths/groups.hpp"
#include "paths/packed_numbers.hpp"

namespace kinjo::paths::detail {

/// A thread's list of what the groups of a period made of its states, and of how these are numbered
/// where the period begins again. States that come later are recorded as further layers: wherever
/// they are, their rows follow those of the layers before.
class Record {
 public:
  /// Rows first + from[i] of `sender`, each of which is the first that comes to the next row.
  struct Beginnings {
    std::size_t sender, first;
    std::span<const std::uint16_t> from;
  };
  /// Rows first + from[i] of `sender`, which are to be added to rows least + numbers[i].
  struct Additions {
    std::size_t sender, first;
    const std::uint16_t* from;
    std::size_t least;
    std::span<const std::uint32_t> numbers;
  };

  std::uint64_t bytes() const {
    return blocks_.bytes() + bytes_.bytes() + accepted_.size() * sizeof(accepted_.front());
  }

  /// Gives back memory that is not used.
  void fit() {
    blocks_.fit();
    const std::size_t size = bytes_.size();
    bytes_.resize(size + packed_numbers::kSlackBytes);  // which are read
    bytes_.fit();
    bytes_.resize(size);
  }

  /// Begins anew, with a layer of so many rows.
  void begin(std::size_t period, std::size_t rows) {
    *this = {};
    rows_.resize(period + 1);
    leads_.resize(period + 1);
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

  /// By how many rows the list of a group is ahead at most: who has added a row has begun no more
  /// rows beyond its number. Holds for rows of one thread, of which `first` never goes down.
  std::size_t lead(std::size_t group) const { return leads_[group]; }
  std::size_t leads() const {
    return std::accumulate(leads_.begin(), leads_.end() - 1, std::size_t{0});
  }

  /// Up to `kBlock` rows least + numbers[i], to which rows first + from[i] of `sender` are added;
  /// of these none is 2^16 or more from another. The group has come to `known` rows before; those
  /// that i of `beginners` are the first to come to are the next ones, in this order.
  template <class Index>
  void add(std::size_t least, std::size_t known, std::span<const std::uint32_t> numbers,
           std::span<const std::uint16_t> beginners, std::size_t sender, std::size_t first,
           const Index* from) {
    if (numbers.empty()) return;
    Index least_from = from[0];
    for (std::size_t i = 1; i < numbers.size(); ++i) least_from = std::min(least_from, from[i]);
    const Parts parts(numbers, beginners, from, least_from);
    const std::span<const std::uint32_t> again(parts.numbers.data(), parts.again);
    const Range to = range_of(again);
    Block block{.first = static_cast<std::uint32_t>(first + least_from),
                .least = static_cast<std::uint32_t>(least + to.min),
                .sender = static_cast<std::uint16_t>(sender),
                .beginnings = static_cast<std::uint16_t>(beginners.size()),
                .again = static_cast<std::uint16_t>(parts.again),
                .width = static_cast<std::uint8_t>(std::bit_width(to.max - to.min))};
    block.beginnings_in_runs = append_from({parts.begins.data(), beginners.size()});
    append_numbers(again, to.min, block.width);
    block.again_in_runs = append_from({parts.from.data(), parts.again});
    blocks_.push_back(block);
    const std::size_t begun = least + known + beginners.size();
    std::size_t& lead = leads_[layer_rows_.size() - 1];
    lead = std::max(lead, begun > first ? begun - first : 0);
  }
  /// A member comes of this row.
  void accept(std::size_t row) { accepted_.push_back(static_cast<std::uint32_t>(row)); }
  /// Ends what one group did, which left so many rows.
  void end_group(std::size_t rows) {
    layer_rows_.push_back(rows);
    begin_passage();
  }

  /// Tells `begin` all `Beginnings` and `add` all `Additions` of a group, in an order in which no
  /// row is added to before it has begun, and `accept` all rows that members come of.
  template <class Begin, class Add, class Accept>
  void replay(std::size_t group, Begin&& begin, Add&& add, Accept&& accept) const {
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      const std::size_t number = layer * rows_.size() + group;
      const Passage& passage = passages_[number];
      const Passage end = number + 1 < passages_.size() ? passages_[number + 1] : here();
      for (std::size_t a = passage.accepted; a < end.accepted; ++a) accept(accepted_[a]);
      Reader reader(bytes_.data(), passage.place);
      for (std::size_t b = passage.block; b < end.block; ++b) {
        replay(blocks_[b], reader, begin, add);
      }
    }
  }

 private:
  struct Block {
    std::uint32_t first, least;
    std::uint16_t sender, beginnings, again;
    std::uint8_t width;  ///< bits of a number
    bool beginnings_in_runs = false, again_in_runs = false;
  };
  /// What was added, parted. Which part a row belongs to is anybody's guess, so nothing branches on
  /// it.
  struct Parts {
    template <class Index>
    Parts(std::span<const std::uint32_t> of, std::span<const std::uint16_t> beginners,
          const Index* rows, Index least) {
      std::array<bool, kBlock> is_beginner{};
      for (std::size_t k = 0; k < beginners.size(); ++k) {
        is_beginner[beginners[k]] = true;
        begins[k] = static_cast<std::uint16_t>(rows[beginners[k]] - least);
      }
      for (std::size_t i = 0; i < of.size(); ++i) {
        from[again] = static_cast<std::uint16_t>(rows[i] - least);
        numbers[again] = of[i];
        again += is_beginner[i] ? 0 : 1;
      }
    }

    std::size_t again = 0;
    std::array<std::uint16_t, kBlock> begins, from;
    std::array<std::uint32_t, kBlock> numbers;
  };
  struct Range {
    std::uint32_t min = 0, max = 0;
  };
  static Range range_of(std::span<const std::uint32_t> numbers) {
    if (numbers.empty()) return {};
    Range range{numbers[0], numbers[0]};
    for (const std::uint32_t number : numbers) {
      range.min = std::min(range.min, number);
      range.max = std::max(range.max, number);
    }
    return range;
  }
  /// Where what one group did begins.
  struct Passage {
    std::size_t block, place, accepted;
  };

  Passage here() const { return {blocks_.size(), bytes_.size(), accepted_.size()}; }
  void begin_passage() { passages_.push_back(here()); }

  /// What is wider than a byte begins where it may.
  static std::size_t aligned(std::size_t place) { return (place + 1) / 2 * 2; }

  /// Appends which rows are added; whether in runs of bits, which is so if they take less. Of many
  /// threads' rows they may not.
  bool append_from(std::span<const std::uint16_t> from) {
    std::size_t place = bytes_.size();
    bytes_.resize(place + from.size() * bit_runs::kMostBytes + bit_runs::kSlackBytes);
    const std::size_t count = write_bit_runs(from, bytes_.data() + place);
    const bool takes_less = count < from.size_bytes();
    bytes_.resize(place + (takes_less ? count : 0));
    if (takes_less) return true;
    place = aligned(place);
    bytes_.resize(place + from.size_bytes());
    std::ranges::copy(std::as_bytes(from), bytes_.data() + place);
    return false;
  }
  void append_numbers(std::span<const std::uint32_t> numbers, std::uint32_t least, unsigned width) {
    const std::size_t place = bytes_.size();
    bytes_.resize(place + packed_numbers::bytes(numbers.size(), width) +
                  packed_numbers::kSlackBytes);
    bytes_.resize(place + write_packed(numbers, least, width, bytes_.data() + place));
  }

  /// Reads one block after the other.
  class Reader {
   public:
    Reader(const std::byte* bytes, std::size_t place) : bytes_(bytes), place_(place) {}

    /// What `append_from` wrote, until the next call.
    const std::uint16_t* from(std::size_t count, bool in_runs) {
      if (in_runs) {
        place_ += read_bit_runs(bytes_ + place_, count, from_.data());
        return from_.data();
      }
      const std::size_t begin = aligned(place_);
      place_ = begin + count * sizeof(std::uint16_t);
      return reinterpret_cast<const std::uint16_t*>(bytes_ + begin);
    }
    /// What `append_numbers` wrote, until the next call.
    std::span<const std::uint32_t> numbers(std::size_t count, unsigned width) {
      place_ += read_packed(bytes_ + place_, count, width, numbers_.data());
      return {numbers_.data(), count};
    }

   private:
    const std::byte* bytes_;
    std::size_t place_;
    std::array<std::uint16_t, kBlock + bit_runs::kSlack> from_;
    std::array<std::uint32_t, kBlock + packed_numbers::kSlack> numbers_;
  };

  template <class Begin, class Add>
  void replay(const Block& block, Reader& reader, Begin& begin, Add& add) const {
    const std::uint16_t* const begins = reader.from(block.beginnings, block.beginnings_in_runs);
    begin(Beginnings{block.sender, block.first, {begins, block.beginnings}});
    const auto numbers = reader.numbers(block.again, block.width);
    const std::uint16_t* const from = reader.from(block.again, block.again_in_runs);
    add(Additions{block.sender, block.first, from, block.least, numbers});
  }

  kinjo::detail::GrowingArray<Block> blocks_;
  /// By block: from where rows begin, the numbers of others, and from where these come.
  kinjo::detail::GrowingArray<std::byte> bytes_;
  std::vector<std::uint32_t> accepted_;
  std::vector<Passage> passages_;          ///< by layer and group
  std::vector<std::size_t> rows_, leads_;  ///< by group
  std::vector<std::size_t> layer_rows_;
  std::size_t layers_ = 0;
};

}  // namespace kinjo::paths::detail
