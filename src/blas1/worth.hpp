/// When a team is worth asking.
///
/// One thread takes t for what P threads do in t/P + F, where F is the cost of beginning and ending
/// a run and of fetching each other's lines. So the team wins where t·(1 − 1/P) > F. For P = 2, and
/// bytes of all arrays of a call together (docs/performance_blas1.md, "Where a team begins to
/// pay"):
///
///     the team begins at once   F about 1.2 µs   t = 2.4 µs: 256 KiB at 105 GB/s, from L2
///     its threads are asleep    F about 12 µs    t = 24 µs: 2 MiB at 85 GB/s, from L3
///
/// More threads save at most twice as much, and cost more to begin. The limits are constants, so
/// that the bits of a fast sum depend on no clock.
#pragma once

#include <cstddef>

#include <kinjo/team.hpp>

namespace kinjo::detail {

/// Whether data is one vector to the caller, whoever owns its parts: no team begins sooner than he
/// is done.
inline bool is_one_vector(std::size_t bytes) { return bytes <= std::size_t{256} << 10; }

/// Whether the threads of `team` are to work on data that is more than one vector.
inline bool is_worth_waking(const Team& team, std::size_t bytes) {
  return bytes > std::size_t{2} << 20 || team.begins_at_once();
}

}  // namespace kinjo::detail
