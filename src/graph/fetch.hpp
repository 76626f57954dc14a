/// Asking for memory ahead.
#pragma once

#include <cstdint>
#include <span>

namespace kinjo::graph::detail {

/// Asks for a line to be brought. Inlined by force: g++ 12 takes a function that does nothing else
/// for one without effect, and leaves out its calls; so what calls this and returns nothing must be
/// inlined by force too.
[[gnu::always_inline]] inline void fetch(const void* line) { __builtin_prefetch(line); }

/// The same for a line that will be written.
[[gnu::always_inline]] inline void fetch_for_write(void* line) { __builtin_prefetch(line, 1); }

/// Asks for a line to be brought into the second cache alone: more can be on their way there than
/// into the first.
[[gnu::always_inline]] inline void fetch_to_second(const void* line) {
  __builtin_prefetch(line, 0, 2);
}

/// Asks for the first and the last line of a row, which are all of a short one. To forget the
/// second costs a whole latency wherever a row lies across two.
[[gnu::always_inline]] inline void fetch_ends(std::span<const std::uint32_t> row) {
  fetch(row.data());
  fetch(row.data() + row.size() - 1);
}

}  // namespace kinjo::graph::detail
