/// One level of a count on a disk: states with their sums, by parts of all states.
///
/// Who has swept some of the states before the level writes what they have become in one go: where
/// parts begin, and of each part its states and then their rows. So a part is a run of each of
/// these writings, and a state that several of them have is there several times; it becomes one
/// again when the part is read into a table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "memory/growing_array.hpp"
#include "paths/expansion.hpp"
#include "paths/spill_file.hpp"
#include "paths/state_table.hpp"
#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// The `index`-th of so many parts of all states (`part_of`).
struct Part {
  std::uint64_t index = 0, of = 1;
};

/// The numbers of a table's states, by parts.
template <std::size_t Words>
class StatesByPart {
 public:
  void sort(std::span<const State<Words>> states, std::uint64_t parts) {
    // Where a part begins moves on to its end, where the next one begins, as its states are placed.
    begins_.resize(parts + 2);
    std::ranges::fill(begins_.all(), 0);
    parts_.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      parts_[i] = static_cast<std::uint32_t>(part_of(states[i], parts));
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

/// What a thread needs to write or read, from one time to the next.
template <std::size_t Words>
struct SpillScratch {
  StatesByPart<Words> by_part;
  /// Some states and their rows on the way; of a part that is read, first all states.
  kinjo::detail::GrowingArray<State<Words>> states;

  /// Makes room for so many words.
  void resize(std::size_t words) { states.resize((words + Words - 1) / Words); }
  std::span<std::uint64_t> words() { return {states.data()->data(), states.size() * Words}; }
  std::uint64_t bytes() const { return by_part.bytes() + states.bytes(); }
};

template <std::size_t Words>
class SpilledLevel {
 public:
  using Scratch = SpillScratch<Words>;

  /// In a file in `directory`. Throws as `SpillFile`.
  explicit SpilledLevel(const std::string& directory) : file_(directory, "states") {}

  /// Forgets what is there. There will be so many parts, and rows of this shape.
  void begin(std::uint64_t parts, const RowShape& shape) {
    file_.clear();
    parts_ = parts;
    shape_ = shape;
    writings_.clear();
    records_ = 0;
  }
  /// After all was written, and before anything is read.
  void finish() {
    // Sums of weights are rounded, so the order must not be that in which threads came.
    std::ranges::sort(writings_, {}, &Writing::source);
  }
  std::uint64_t parts() const { return parts_; }
  const RowShape& shape() const { return shape_; }
  /// That were written; as many as there are states, or more. No writer may be at work.
  std::uint64_t records() const { return records_; }

  /// Takes over states and their rows, as the `source`-th writer; whose states come in which order
  /// makes no difference to what is read. Threads may at the same time.
  void write(std::uint64_t source, const StateTable<Words>& table, const Sums& sums,
             Scratch& scratch);

  /// Adds what was written of a part, or of a part's part, to a table. `fits()` says now and then
  /// whether it still may; if not, the rest is left out. Whether all is there.
  template <class Fits>
  bool read(const Part& part, StateTable<Words>& table, Sums& sums, Scratch& scratch,
            Fits&& fits) const;

 private:
  struct Writing {
    std::uint64_t source = 0;
    off_t begins_at = 0, runs_at = 0;
  };
  /// What of a part one of them has.
  struct Run {
    off_t at = 0;
    std::uint64_t count = 0;
  };

  std::size_t row_bytes() const { return shape_.words() * sizeof(std::uint64_t); }
  std::size_t record_bytes() const { return sizeof(State<Words>) + row_bytes(); }
  /// Words that are written together, and states that are read together: enough that to transfer
  /// them takes longer than to ask for that.
  static constexpr std::size_t kWordsTogether = std::size_t{1} << 13;
  std::size_t most_together() const {
    return std::max(kBlock, 2 * kWordsTogether * sizeof(std::uint64_t) / record_bytes());
  }
  /// Where the `number`-th of some that take so many bytes is.
  static off_t at(off_t begin, std::uint64_t number, std::size_t bytes) {
    return begin + static_cast<off_t>(number * bytes);
  }
  Run run_of(const Part& part, const Writing& writing) const;
  void read(const Run& run, std::uint64_t first, std::size_t count, Scratch& scratch) const;
  void add(const Part& part, std::size_t count, StateTable<Words>& table, Sums& sums,
           Scratch& scratch) const;
  static std::size_t keep(const Part& part, std::span<State<Words>> states,
                          std::array<std::uint16_t, kBlock>& from);

  SpillFile file_;
  std::uint64_t parts_ = 0;
  RowShape shape_;
  std::mutex writing_;
  std::vector<Writing> writings_;
  std::uint64_t records_ = 0;
};

/// Puts words into a file one after the other, many at a time.
class SpillWriter {
 public:
  /// By way of `words`, no fewer than are asked for at a time.
  SpillWriter(SpillFile& file, off_t at, std::span<std::uint64_t> words)
      : file_(file), at_(at), words_(words) {}
  /// Puts so many words for each of some numbers: `copy(number, to)` copies them.
  template <class Copy>
  void put(std::span<const std::uint32_t> numbers, std::size_t words, Copy&& copy) {
    while (!numbers.empty()) {
      if (used_ + words > words_.size()) flush();
      const std::size_t count = std::min(numbers.size(), (words_.size() - used_) / words);
      std::uint64_t* to = words_.data() + used_;
      for (const std::uint32_t number : numbers.first(count)) {
        copy(number, to);
        to += words;
      }
      used_ += count * words;
      numbers = numbers.subspan(count);
    }
  }
  void flush() {
    const std::size_t bytes = std::exchange(used_, 0) * sizeof(std::uint64_t);
    file_.write(at_, words_.data(), bytes);
    at_ += static_cast<off_t>(bytes);
  }

 private:
  SpillFile& file_;
  off_t at_;
  std::span<std::uint64_t> words_;
  std::size_t used_ = 0;
};

template <std::size_t Words>
void SpilledLevel<Words>::write(std::uint64_t source, const StateTable<Words>& table,
                                const Sums& sums, Scratch& scratch) {
  const auto states = table.states();
  if (states.empty()) return;
  scratch.by_part.sort(states, parts_);
  const auto begins = scratch.by_part.begins();
  const off_t begins_at = file_.take(begins.size_bytes() + states.size() * record_bytes()),
              runs_at = at(begins_at, 1, begins.size_bytes());
  file_.write(begins_at, begins.data(), begins.size_bytes());
  const std::size_t words = shape_.words();
  scratch.resize(std::max(kWordsTogether, words));
  SpillWriter writer(file_, runs_at, scratch.words());
  for (std::uint64_t part = 0; part < parts_; ++part) {
    const auto numbers =
        scratch.by_part.order().subspan(begins[part], begins[part + 1] - begins[part]);
    writer.put(numbers, Words, [&](std::uint32_t n, std::uint64_t* to) {
      std::copy_n(states[n].data(), Words, to);
    });
    if (words == 1) {
      writer.put(numbers, 1, [&](std::uint32_t n, std::uint64_t* to) { *to = *sums.row(n); });
    } else if (words != 0) {
      writer.put(numbers, words,
                 [&](std::uint32_t n, std::uint64_t* to) { std::copy_n(sums.row(n), words, to); });
    }
  }
  writer.flush();
  const std::lock_guard writing(writing_);
  records_ += states.size();
  writings_.push_back({source, begins_at, runs_at});
}

template <std::size_t Words>
template <class Fits>
bool SpilledLevel<Words>::read(const Part& part, StateTable<Words>& table, Sums& sums,
                               Scratch& scratch, Fits&& fits) const {
  const std::uint64_t most = most_together();
  for (const Writing& writing : writings_) {
    const Run run = run_of(part, writing);
    for (std::uint64_t first = 0; first < run.count; first += most) {
      const std::size_t count = std::min(most, run.count - first);
      read(run, first, count, scratch);
      add(part, count, table, sums, scratch);
      if (!fits()) return false;
    }
  }
  return true;
}

/// Of the part that was written which this one is, or which it lies in.
template <std::size_t Words>
auto SpilledLevel<Words>::run_of(const Part& part, const Writing& writing) const -> Run {
  std::array<std::uint64_t, 2> begins;
  const std::uint64_t written = part.index * parts_ / part.of;
  file_.read(at(writing.begins_at, written, sizeof(begins[0])), begins.data(), sizeof(begins));
  return {at(writing.runs_at, begins[0], record_bytes()), begins[1] - begins[0]};
}

template <std::size_t Words>
void SpilledLevel<Words>::read(const Run& run, std::uint64_t first, std::size_t count,
                               Scratch& scratch) const {
  scratch.resize(count * record_bytes() / sizeof(std::uint64_t));
  std::uint64_t* const words = scratch.words().data();
  if (count == run.count) return file_.read(run.at, words, count * record_bytes());
  file_.read(at(run.at, first, sizeof(State<Words>)), words, count * sizeof(State<Words>));
  file_.read(at(at(run.at, run.count, sizeof(State<Words>)), first, row_bytes()),
             words + count * Words, count * row_bytes());
}

/// Adds those of the states that were read that belong to a part, block by block.
template <std::size_t Words>
void SpilledLevel<Words>::add(const Part& part, std::size_t count, StateTable<Words>& table,
                              Sums& sums, Scratch& scratch) const {
  std::array<std::uint16_t, kBlock> from;
  std::array<std::uint32_t, kBlock> numbers;
  const bool is_all = part.of == parts_;
  const std::uint64_t* rows = scratch.words().data() + count * Words;
  for (std::size_t first = 0; first < count; first += kBlock) {
    auto states = scratch.states.all().subspan(first, std::min(kBlock, count - first));
    if (!is_all) states = states.first(keep(part, states, from));
    table.find_or_add(states, numbers.data());
    sums.resize(table.size());
    sums.add(0, std::span<const std::uint32_t>(numbers).first(states.size()), rows, shape_,
             is_all ? kInOrder.data() : from.data(), {});
    rows += kBlock * shape_.words();
  }
}

/// Moves those of a part to the front, and says where they were. How many there are.
template <std::size_t Words>
std::size_t SpilledLevel<Words>::keep(const Part& part, std::span<State<Words>> states,
                                      std::array<std::uint16_t, kBlock>& from) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[size] = states[i];
    from[size] = static_cast<std::uint16_t>(i);
    size += part_of(states[i], part.of) == part.index ? 1 : 0;
  }
  return size;
}

}  // namespace kinjo::paths::detail
