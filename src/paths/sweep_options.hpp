/// What a sweep over the levels of a family (level_sweep.hpp) is asked, and what it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// Where a sweep is.
struct SweepProgress {
  std::size_t item = 0, items = 0;
  std::uint64_t states = 0;  ///< before this item
  std::uint64_t bytes = 0;   ///< that are held
};

/// Levels of fewer states are not shared among threads: one needs some 20 µs for them.
inline constexpr std::size_t kFewStates = std::size_t{1} << 10;

/// States that a thread of several expands between two barriers.
inline constexpr std::size_t kRound = std::size_t{1} << 14;

struct SweepOptions {
  Measure measure = Measure::sets;
  std::vector<double> weights;     ///< by item, for `Measure::weight`
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available
  /// A directory for what does not fit that (part_sweep.hpp); none: it is packed, if that makes it
  /// fit, or else refused.
  std::string spill;
  /// Where repeated items begin with fewer states they are not recorded (replay.hpp).
  std::size_t least_to_record = 384;
  /// Nor with more: rows of a record have numbers of 32 bits, and there may be more rows where a
  /// period does not begin.
  std::uint64_t most_to_record = std::uint64_t{1} << 30;
  /// Whether states that differ in the places of twins (twins.hpp) alone may be one, where there
  /// are so many at least.
  bool merges = false;
  std::size_t least_to_merge = std::size_t{1} << 6;
  /// Called by the first thread before each item; false ends the sweep.
  std::function<bool(const SweepProgress&)> go_on;
};

struct SweepResult {
  Total total;
  /// By item, before it; 0 where it was decided together with the one before. Where groups are
  /// replayed a state may be counted twice.
  std::vector<std::uint64_t> states;
  /// By item: of the states before it, those that it can be taken in; of `Measure::states` alone.
  std::vector<std::uint64_t> takes;
  std::uint64_t peak_bytes = 0;
  std::size_t replayed = 0;  ///< groups of items whose states were there before, or some of them
  bool stopped = false;      ///< by `go_on`: nothing else holds then
};

/// How far a sweep has come that outgrows its limit.
struct Outgrown {
  std::size_t item = 0, items = 0;
  std::uint64_t states = 0;  ///< before the item
  std::uint64_t bytes = 0, limit = 0;
};
/// Throws what such a sweep throws.
[[noreturn]] void refuse_memory(const SweepOptions& options, const Outgrown& outgrown);

/// A part of a level (part_sweep.hpp) that cannot be halved any more.
struct OutgrownPart {
  std::size_t item = 0, items = 0;
  std::uint64_t states = 0, bytes = 0;  ///< of the part, when it was given up
  std::uint64_t most = 0;               ///< bytes that a thread may use for it
  std::uint64_t limit = 0;              ///< bytes of all threads
};
/// Throws what its sweep throws.
[[noreturn]] void refuse_part(const OutgrownPart& outgrown);

}  // namespace kinjo::paths::detail
