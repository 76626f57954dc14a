/// Whether the counters of two CPUs agree, from messages that go to and fro between them.
///
/// The first CPU reads its counter (`sent`) and sends a message; the other reads its own when it
/// sees it (`answered`) and answers; the first reads again (`received`). The other's reading was
/// taken between these two, so its counter is ahead of the first's by
///
///     answered − received  ≤  offset  ≤  answered − sent
///
/// and every exchange bounds it so: the fastest ones decide, whatever disturbed the others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <kinjo/team.hpp>

namespace kinjo {

struct Exchange {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t received = 0;
};

/// How far a CPU's counter is ahead of the first CPU's, in counts. Where `low` > `high` no constant
/// offset agrees with all exchanges.
struct OffsetBounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// From one exchange at least.
OffsetBounds bound_offset(std::span<const Exchange> exchanges);

struct Agreement {
  double most_counts = 0;  ///< what two of the CPUs' counters can differ by at most
  bool agrees = true;      ///< every offset may be 0
};

/// The first CPU, whose offset is 0, and others, whose bounds are given; one of them at least.
Agreement judge_offsets(std::span<const OffsetBounds> others);

/// Exchanges between threads 0 and 1 of a team of two, until there are `most` of them or `seconds`
/// have passed and there are at least a hundred.
std::vector<Exchange> exchange_messages(Team& team, std::size_t most, double seconds);

}  // namespace kinjo
