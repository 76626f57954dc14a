/// Runs of items that come again: for a grid in the order of its rows the edges of one row after
/// the other, in the same slots.
#pragma once

#include <cstdint>
#include <map>
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

/// Of a specification that says what its items' decisions depend on: `signature(item)`, numbers
/// that are the same where decisions are the same for every state. Of others nothing repeats.
template <Specification S, class Items>
Repeats repeats_of(const S& specification, const std::vector<Items>& runs) {
  if constexpr (requires { specification.signature(std::size_t{0}); }) {
    std::map<std::vector<std::uint64_t>, std::uint32_t> known;
    std::vector<std::uint32_t> classes;
    for (const Items& run : runs) {
      std::vector<std::uint64_t> signature;
      for (std::size_t item = run.first; item <= run.last; ++item) {
        const auto more = specification.signature(item);
        signature.push_back(more.size());
        signature.insert(signature.end(), more.begin(), more.end());
      }
      const auto next = static_cast<std::uint32_t>(known.size());
      classes.push_back(known.try_emplace(std::move(signature), next).first->second);
    }
    return longest_repeats(classes);
  }
  return {};
}

}  // namespace kinjo::paths::detail
