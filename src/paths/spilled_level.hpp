/// One level of a count on a disk: states with their sums, by parts of all states.
///
/// Who has swept some of the states before the level writes what they have become in one go, sorted
/// by parts: states, and their rows in the same order. So a part is a run of each of the writers,
/// and a state that several of them came to is there several times; it becomes one again when the
/// part is read into a table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "memory/growing_array.hpp"
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
    ends_.assign(parts + 1, 0);
    for (const auto& state : states) ++ends_[part_of(state, parts) + 1];
    for (std::uint64_t p = 0; p < parts; ++p) ends_[p + 1] += ends_[p];
    order_.resize(states.size());
    std::vector<std::uint64_t> next(ends_);
    for (std::size_t i = 0; i < states.size(); ++i) {
      order_[next[part_of(states[i], parts)]++] = static_cast<std::uint32_t>(i);
    }
  }

  std::span<const std::uint32_t> order() const { return order_.all(); }
  std::uint64_t first(std::uint64_t part) const { return ends_[part]; }
  std::uint64_t count(std::uint64_t part) const { return ends_[part + 1] - ends_[part]; }
  std::uint64_t bytes() const { return order_.bytes() + ends_.size() * sizeof(ends_[0]); }

 private:
  std::vector<std::uint64_t> ends_;  ///< before a part, and of the last
  kinjo::detail::GrowingArray<std::uint32_t> order_;
};

/// What a thread needs to write or read, from one time to the next.
template <std::size_t Words>
struct SpillScratch {
  StatesByPart<Words> by_part;
  // Of states that are written or read together.
  kinjo::detail::GrowingArray<State<Words>> states;
  kinjo::detail::GrowingArray<std::uint64_t> rows;

  std::uint64_t bytes() const { return by_part.bytes() + states.bytes() + rows.bytes(); }
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
    runs_.assign(parts, {});
    records_ = 0;
  }
  std::uint64_t parts() const { return parts_; }
  const RowShape& shape() const { return shape_; }
  /// That were written; as many as there are states, or more. No writer may be at work.
  std::uint64_t records() const { return records_; }

  /// Takes over states and their rows, as the `source`-th writer; whose states come in which order
  /// makes no difference to what is read. Threads may at the same time.
  void write(std::uint64_t source, const StateTable<Words>& table, const Sums& sums,
             Scratch& scratch);

  /// Adds what was written of a part of these parts' parts to a table. `fits()` says now and then
  /// whether it still may; if not, the rest is left out. Whether all is there.
  template <class Fits>
  bool read(const Part& part, StateTable<Words>& table, Sums& sums, Scratch& scratch,
            Fits&& fits) const;

 private:
  struct Run {
    std::uint64_t source = 0, count = 0;
    off_t states_at = 0, rows_at = 0;
  };
  std::size_t row_bytes() const { return shape_.words() * sizeof(std::uint64_t); }
  /// States that are written or read together: enough that to transfer it takes longer than to ask
  /// for that.
  std::size_t most_together() const {
    return std::max(kBlock, (std::size_t{1} << 16) / (sizeof(State<Words>) + row_bytes()));
  }
  /// Where a state is in those of a run, or a row in its rows.
  static off_t at(off_t begin, std::uint64_t number, std::size_t bytes) {
    return begin + static_cast<off_t>(number * bytes);
  }
  std::vector<Run> runs_of(const Part& part) const;
  void read(const Run& run, std::uint64_t first, std::size_t count, Scratch& scratch) const;
  void add(const Part& part, const Scratch& scratch, StateTable<Words>& table, Sums& sums) const;

  SpillFile file_;
  std::uint64_t parts_ = 0;
  RowShape shape_;
  std::mutex writing_;
  std::vector<std::vector<Run>> runs_;  ///< by part
  std::uint64_t records_ = 0;
};

template <std::size_t Words>
void SpilledLevel<Words>::write(std::uint64_t source, const StateTable<Words>& table,
                                const Sums& sums, Scratch& scratch) {
  const auto states = table.states();
  const std::size_t words = shape_.words(), most = most_together();
  StatesByPart<Words>& by_part = scratch.by_part;
  by_part.sort(states, parts_);
  const off_t states_at = file_.take(states.size() * (sizeof(State<Words>) + row_bytes()));
  const off_t rows_at = at(states_at, states.size(), sizeof(State<Words>));
  for (std::size_t first = 0; first < states.size(); first += most) {
    const std::size_t count = std::min(most, states.size() - first);
    scratch.states.resize(count);
    scratch.rows.resize(count * words);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = by_part.order()[first + i];
      scratch.states[i] = states[number];
      std::copy_n(sums.row(number), words, scratch.rows.data() + i * words);
    }
    file_.write(at(states_at, first, sizeof(State<Words>)), scratch.states.data(),
                count * sizeof(State<Words>));
    file_.write(at(rows_at, first, row_bytes()), scratch.rows.data(), count * row_bytes());
  }
  const std::lock_guard writing(writing_);
  records_ += states.size();
  for (std::uint64_t part = 0; part < parts_; ++part) {
    const std::uint64_t first = by_part.first(part), count = by_part.count(part);
    if (count == 0) continue;
    runs_[part].push_back({source, count, at(states_at, first, sizeof(State<Words>)),
                           at(rows_at, first, row_bytes())});
  }
}

template <std::size_t Words>
template <class Fits>
bool SpilledLevel<Words>::read(const Part& part, StateTable<Words>& table, Sums& sums,
                               Scratch& scratch, Fits&& fits) const {
  const std::uint64_t most = most_together();
  for (const Run& run : runs_of(part)) {
    for (std::uint64_t first = 0; first < run.count; first += most) {
      read(run, first, std::min(most, run.count - first), scratch);
      add(part, scratch, table, sums);
      if (!fits()) return false;
    }
  }
  return true;
}

/// Of the parts that were written: those that lie in this one, or the one that it lies in.
template <std::size_t Words>
auto SpilledLevel<Words>::runs_of(const Part& part) const -> std::vector<Run> {
  const std::uint64_t first = part.index * parts_ / part.of,
                      end = ((part.index + 1) * parts_ + part.of - 1) / part.of;
  std::vector<Run> runs;
  for (std::uint64_t p = first; p < end; ++p) {
    runs.insert(runs.end(), runs_[p].begin(), runs_[p].end());
  }
  // Sums of weights are rounded, so the order must not be that in which threads came.
  std::ranges::stable_sort(runs, {}, &Run::source);
  return runs;
}

template <std::size_t Words>
void SpilledLevel<Words>::read(const Run& run, std::uint64_t first, std::size_t count,
                               Scratch& scratch) const {
  scratch.states.resize(count);
  scratch.rows.resize(count * shape_.words());
  file_.read(at(run.states_at, first, sizeof(State<Words>)), scratch.states.data(),
             count * sizeof(State<Words>));
  file_.read(at(run.rows_at, first, row_bytes()), scratch.rows.data(), count * row_bytes());
}

/// Adds the states of a scratch that belong to a part, block by block.
template <std::size_t Words>
void SpilledLevel<Words>::add(const Part& part, const Scratch& scratch, StateTable<Words>& table,
                              Sums& sums) const {
  std::array<State<Words>, kBlock> block;
  std::array<std::uint32_t, kBlock> from, numbers;
  for (std::size_t i = 0; i < scratch.states.size();) {
    std::size_t size = 0;
    for (; i < scratch.states.size() && size < kBlock; ++i) {
      block[size] = scratch.states[i];
      from[size] = static_cast<std::uint32_t>(i);
      size += part_of(scratch.states[i], part.of) == part.index ? 1 : 0;
    }
    table.find_or_add(std::span(block).first(size), numbers.data());
    sums.resize(table.size());
    sums.add(0, std::span(numbers).first(size), scratch.rows.data(), shape_, from.data(), {});
  }
}

}  // namespace kinjo::paths::detail
