/// Asking for memory ahead.
#pragma once

namespace kinjo::graph::detail {

/// Asks for a line to be brought. Inlined by force: g++ 12 takes a function that does nothing else
/// for one without effect, and leaves out its calls; so what calls this and returns nothing must be
/// inlined by force too.
[[gnu::always_inline]] inline void fetch(const void* line) { __builtin_prefetch(line); }

}  // namespace kinjo::graph::detail
