#include "graph/wide_top_down.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "graph/walk.hpp"

namespace kinjo::graph::detail {

namespace {

/// Vertices for each of which a thread may have one edge of the frontier: below that its copy of
/// their bits is too much work.
constexpr double kVerticesAnEdge = 32;

void walk_chunks(SearchState& state, Worker& mine, std::size_t self) {
  mine.reached.assign(state.visited, state.visited + words_for(state.vertices()));
  Vertex* const begin = mine.block->finds.data();
  with_rows(state, [&](const auto& rows) {
    Walk walk(rows, mine.reached.data(), state.parents,
              {.begin = begin, .full = begin + mine.block->finds.size() - kWalkRoom});
    for_each_chunk(state, mine, self, [&](const Chunk& chunk, std::span<const Vertex> queue) {
      walk.run(chunk, queue);
      return true;
    });
    walk.finish();
    mine.looked_at += walk.looked_at();
  });
}

/// Adds up degrees until all threads together have found more than `enough`.
class EdgeCounter {
 public:
  EdgeCounter(SearchState& state, EdgeCount enough) : state_(state), enough_(enough) {}

  void count(std::size_t word, Word found) {
    if (told_ > enough_) return;
    for_each_bit(found, [&](unsigned bit) {
      edges_ += state_.degree(static_cast<Vertex>(word * kWordBits + bit));
    });
    if (edges_ - said_ > kOften) say();
  }
  EdgeCount edges() const { return edges_; }

 private:
  static constexpr EdgeCount kOften = 4096;

  void say() {
    const EdgeCount more = edges_ - std::exchange(said_, edges_);
    told_ = state_.measured.fetch_add(more, std::memory_order_relaxed) + more;
  }

  SearchState& state_;
  const EdgeCount enough_;
  EdgeCount edges_ = 0, said_ = 0;
  EdgeCount told_ = 0;  ///< by all
};

/// One's share of what all have reached.
void merge(SearchState& state, const Place& me, Worker& mine, EdgeCount enough) {
  EdgeCounter counter(state, enough);
  for (const Share& share : state.shares(me)) {
    const Range words = words_of(share.vertices);
    for (std::size_t w = words.begin; w < words.end; ++w) {
      Word reached = 0;
      for (const auto& worker : state.workers) reached |= worker->reached[w];
      const Word found = reached & ~state.visited[w];
      state.visited[w] = reached;
      state.frontier[w] = found;
      mine.found += static_cast<unsigned>(std::popcount(found));
      counter.count(w, found);
    }
  }
  mine.frontier_edges = counter.edges();
}

}  // namespace

bool is_wide(const SearchState& state, double frontier_edges) {
  return state.parts.size() == 1 &&
         kVerticesAnEdge * frontier_edges >=
             static_cast<double>(state.workers.size() * state.vertices());
}

void chunk_frontier(Worker& mine) {
  const std::span<const Vertex> frontier = mine.queue.frontier();
  mine.chunks.assign(1, {frontier.data(), frontier.data() + frontier.size()});
  mine.taken.store(0, std::memory_order_relaxed);
}

void top_down_wide(SearchState& state, const Place& me, EdgeCount enough) {
  Worker& mine = state.worker(me);
  walk_chunks(state, mine, static_cast<std::size_t>(me.thread));
  if (state.workers.size() > 1) state.team.barrier(me);
  merge(state, me, mine, enough);
}

}  // namespace kinjo::graph::detail
