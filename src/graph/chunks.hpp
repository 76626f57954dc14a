/// Chunks of a frontier, as threads take them.
#pragma once

#include <span>

#include "graph/search_state.hpp"

namespace kinjo::graph::detail {

/// Calls `f(chunk, queue)` with one's own chunks first, then with what the part's other threads
/// have left, until there are no more or f returns false.
template <class F>
void for_each_chunk(SearchState& state, const Worker& mine, std::size_t self, const F& f) {
  const std::size_t threads = state.workers.size();
  for (std::size_t k = 0; k < threads; ++k) {
    Worker& owner = *state.workers[(self + k) % threads];
    if (owner.home != mine.home) continue;
    for (;;) {
      const std::size_t c = owner.taken.fetch_add(1, std::memory_order_relaxed);
      if (c >= owner.chunks.size()) break;
      if (!f(owner.chunks[c], owner.queue.frontier())) return;
    }
  }
}

}  // namespace kinjo::graph::detail
