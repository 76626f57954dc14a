/// One level of a count on a disk: states with their sums, by parts of all states.
///
/// Each writing is where parts begin, and of each part its states and then their rows. So a part is
/// a run of each of the writings.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "paths/parted_level.hpp"
#include "paths/spill_file.hpp"

namespace kinjo::paths::detail {

template <std::size_t Words>
class SpilledLevel : public PartedLevel<Words> {
  using Base = PartedLevel<Words>;

 public:
  using typename Base::Scratch;

  /// In a file in `directory`. Throws as `SpillFile`.
  explicit SpilledLevel(const std::string& directory) : file_(directory, "states") {}

  /// Forgets what is there. There will be so many parts, and rows of this shape.
  void begin(std::uint64_t part_count, const RowShape& row_shape) {
    Base::begin(part_count, row_shape);
    file_.clear();
    writings_.clear();
  }
  /// Takes over states, which the scratch has by parts, and their rows. Threads may at the same
  /// time.
  void put(const Writer& writer, std::span<const State<Words>> states, const Sums& sums,
           Scratch& scratch);
  /// After all was put, and before anything is read.
  void finish() { std::ranges::sort(writings_, {}, &Writing::source); }
  /// Adds what was put of a part, or of a part's part, to a table. `fits()` says now and then
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

  using Base::parts;
  using Base::record_bytes;
  using Base::row_bytes;
  using Base::shape;

  /// Words that are written together, and the fewest states that are read together.
  static constexpr std::size_t kWordsTogether = std::size_t{1} << 13, kFewest = 16;
  /// Where the `number`-th of some that take so many bytes is.
  static off_t at(off_t begin, std::uint64_t number, std::size_t bytes) {
    return begin + static_cast<off_t>(number * bytes);
  }
  Run run_of(const Part& part, const Writing& writing) const;
  void read(const Run& run, std::uint64_t first, std::size_t count, Scratch& scratch) const;

  SpillFile file_;
  std::mutex writing_;
  std::vector<Writing> writings_;
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
void SpilledLevel<Words>::put(const Writer& writer, std::span<const State<Words>> states,
                              const Sums& sums, Scratch& scratch) {
  const auto begins = scratch.by_part.begins();
  const off_t begins_at = file_.take(begins.size_bytes() + states.size() * record_bytes()),
              runs_at = at(begins_at, 1, begins.size_bytes());
  file_.write(begins_at, begins.data(), begins.size_bytes());
  const std::size_t words = shape().words();
  scratch.resize(std::max(kWordsTogether, words));
  SpillWriter file(file_, runs_at, scratch.words());
  for (std::uint64_t part = 0; part < parts(); ++part) {
    const auto numbers = Base::numbers_of(part, scratch);
    file.put(numbers, Words,
             [&](std::uint32_t n, std::uint64_t* to) { std::copy_n(states[n].data(), Words, to); });
    if (words == 1) {
      file.put(numbers, 1, [&](std::uint32_t n, std::uint64_t* to) { *to = *sums.row(n); });
    } else if (words != 0) {
      file.put(numbers, words,
               [&](std::uint32_t n, std::uint64_t* to) { std::copy_n(sums.row(n), words, to); });
    }
  }
  file.flush();
  const std::lock_guard writing(writing_);
  writings_.push_back({writer.source, begins_at, runs_at});
}

template <std::size_t Words>
template <class Fits>
bool SpilledLevel<Words>::read(const Part& part, StateTable<Words>& table, Sums& sums,
                               Scratch& scratch, Fits&& fits) const {
  const std::uint64_t most = std::max<std::uint64_t>(kFewest, scratch.read_bytes / record_bytes());
  for (const Writing& writing : writings_) {
    const Run run = run_of(part, writing);
    for (std::uint64_t first = 0; first < run.count; first += most) {
      const std::size_t count = std::min(most, run.count - first);
      read(run, first, count, scratch);
      Base::add(part, count, table, sums, scratch);
      if (!fits()) return false;
    }
  }
  return true;
}

template <std::size_t Words>
auto SpilledLevel<Words>::run_of(const Part& part, const Writing& writing) const -> Run {
  std::array<std::uint64_t, 2> begins;
  file_.read(at(writing.begins_at, Base::written_part(part), sizeof(begins[0])), begins.data(),
             sizeof(begins));
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

}  // namespace kinjo::paths::detail
