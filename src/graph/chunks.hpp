/// Chunks of a frontier, as threads take them.
#pragma once

#include <algorithm>
#include <span>

#include "graph/rows.hpp"

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

/// What of a vertex's row a chunk has.
struct Piece {
  Vertex v;
  const Vertex* row;
  EdgeCount degree;
  EdgeCount from, to;  ///< neighbours of the row
};

/// Calls `f(piece)` for the rows of a chunk of `all`, whose next rows are asked for ahead: they are
/// likely to be one's own too.
template <class Rows, class F>
[[gnu::always_inline]] inline void for_each_piece(const Rows& rows, const Chunk& chunk,
                                                  std::span<const Vertex> all, const F& f) {
  const std::span<const Vertex> queue(chunk.begin, all.data() + all.size());
  const auto count = static_cast<std::size_t>(chunk.end - chunk.begin);
  for (std::size_t i = 0; i < count; ++i) {
    fetch_ahead(rows, queue, i);
    fetch_more_ahead(rows, queue, i);
    const Vertex v = queue[i];
    const Vertex* const row = rows.begin(v);
    const auto degree = static_cast<EdgeCount>(rows.end(v) - row);
    f(Piece{v, row, degree, std::min(chunk.from, degree), std::min(chunk.to, degree)});
  }
}

}  // namespace kinjo::graph::detail
