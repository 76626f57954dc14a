/// Runs of items that come again: for a grid in the order of its rows the edges of one row after
/// the other, in the same slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paths/specification.hpp"

namespace kinjo::paths::detail {

/// Runs `first` to `end` (which is not one of them) of which each decides as the one `period`
/// before it does, if that is among them.
struct Repeats {
  std::size_t first = 0, end = 0;
  std::size_t period = 0;  ///< 0: nothing comes again

  /// Whether a period begins, or the last one ends, with this run: of all ways to part them that
  /// in which no part of one is left behind them.
  bool begins_at(std::size_t run) const {
    return period != 0 && run >= first && run <= end && (end - run) % period == 0;
  }
};

/// Longer periods are not looked for: frontiers of so many runs are too wide for any count.
inline constexpr std::size_t kMostPeriod = 256;

/// By class, equal for equal ones: the longest run of a sequence that repeats with a period, and of
/// several periods the shortest.
Repeats longest_repeats(const std::vector<std::uint32_t>& classes);

/// Gives equal sequences equal numbers, from 0 on as they come.
class SequenceNumbers {
 public:
  std::uint32_t of(std::span<const std::uint64_t> sequence);

 private:
  std::span<const std::uint64_t> known(std::size_t number) const;
  /// Where this one's number stands, or would.
  std::uint32_t& slot_of(std::span<const std::uint64_t> sequence);
  void make_room();

  std::vector<std::uint64_t> all_;    ///< sequences that are known, one behind the other
  std::vector<std::size_t> begins_;   ///< of each there
  std::vector<std::uint32_t> slots_;  ///< numbers by hash, probed linearly, half of them free
};

/// By item, equal for those whose decisions are the same for every state, of a specification that
/// says what they depend on: `sign(item, signature)` appends numbers that are equal then. Of others
/// none.
template <Specification S>
std::vector<std::uint32_t> classes_of(const S& specification) {
  std::vector<std::uint32_t> classes;
  std::vector<std::uint64_t> signature;
  if constexpr (requires { specification.sign(std::size_t{0}, signature); }) {
    SequenceNumbers numbers;
    for (std::size_t item = 0; item < specification.items(); ++item) {
      signature.clear();
      specification.sign(item, signature);
      classes.push_back(numbers.of(signature));
    }
  }
  return classes;
}

/// Classes of runs of items, by the items'. Of items without classes none.
template <class Items>
std::vector<std::uint32_t> run_classes_of(const std::vector<std::uint32_t>& classes,
                                          const std::vector<Items>& runs) {
  std::vector<std::uint32_t> run_classes;
  if (classes.empty()) return run_classes;
  SequenceNumbers numbers;
  std::vector<std::uint64_t> of_run;
  for (const Items& run : runs) {
    const auto begin = classes.begin() + static_cast<std::ptrdiff_t>(run.first);
    of_run.assign(begin, begin + static_cast<std::ptrdiff_t>(run.last - run.first) + 1);
    run_classes.push_back(numbers.of(of_run));
  }
  return run_classes;
}

/// Of runs of items, by the items' classes. Of items without classes nothing repeats.
template <class Items>
Repeats repeats_of(const std::vector<std::uint32_t>& classes, const std::vector<Items>& runs) {
  return classes.empty() ? Repeats{} : longest_repeats(run_classes_of(classes, runs));
}

/// By run, the last one before it of its class, or none.
inline constexpr std::uint32_t kNoRun = ~std::uint32_t{0};
std::vector<std::uint32_t> last_alike(const std::vector<std::uint32_t>& run_classes);

}  // namespace kinjo::paths::detail
