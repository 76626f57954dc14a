#include "graph/top_down.hpp"

#include <algorithm>

#include "graph/walk.hpp"

namespace kinjo::graph::detail {

namespace {

/// Edges in a chunk of work.
constexpr EdgeCount kChunkEdges = 2048;

/// Edges that a thread looks at before what was found is taken: so its bins stay in its cache, and
/// take little memory however many edges a frontier has.
constexpr std::size_t kMostFinds = 1 << 17;

/// Rows of one of several parts, from a copy of where they are, which lies near its reader.
struct PartRows {
  explicit PartRows(const Part& p) : part(p) {}
  const Vertex* begin(Vertex v) const { return part.targets + start_of(v); }
  const Vertex* end(Vertex v) const { return part.targets + start_of(v + 1); }
  const auto* start(Vertex v) const { return part.starts.low + (v - part.vertices.begin); }
  const Vertex* limit(Vertex) const { return part.targets + part.entries(); }
  EdgeCount start_of(std::size_t v) const {
    const std::size_t row = v - part.vertices.begin;
    return one_base ? base + part.starts.low[row] : part.starts[row];
  }

  const Part part;
  const EdgeCount base = part.starts.base[0];
  const bool one_base = part.vertices.size() >> part.starts.shift == 0;
};

}  // namespace

EdgeCount count_edges(const SearchState& state, std::span<const Vertex> frontier,
                      EdgeCount enough) {
  return with_rows(state, [&](const auto& rows) {
    EdgeCount edges = 0;
    for (const Vertex v : frontier) {
      edges += static_cast<EdgeCount>(rows.end(v) - rows.begin(v));
      if (edges > enough) break;
    }
    return edges;
  });
}

EdgeCount top_down_alone(SearchState& state, VertexQueue& queue) {
  return with_rows(state, [&](const auto& rows) {
    const std::span<const Vertex> frontier = queue.frontier();
    Walk walk(rows, state.visited, state.parents, {.begin = queue.end()});
    walk.run({frontier.data(), frontier.data() + frontier.size()}, frontier);
    walk.finish();
    queue.set_end(walk.end());
    queue.advance();
    return walk.looked_at();
  });
}

void measure_frontier(SearchState& state, Worker& mine, EdgeCount enough) {
  constexpr std::size_t kTold = 128, kAheadHere = 32;
  mine.chunks.clear();
  mine.taken.store(0, std::memory_order_relaxed);
  mine.frontier_edges = 0;
  const std::span<const Vertex> frontier = mine.queue.frontier();
  const Vertex* begin = frontier.data();
  EdgeCount in_chunk = 0;
  const auto close = [&](const Vertex* end) {
    if (begin != end) mine.chunks.push_back({begin, end});
    begin = end;
    in_chunk = 0;
  };
  EdgeCount untold = 0;
  for (std::size_t i = 0; i < frontier.size(); ++i) {
    if (i % kTold == 0) {
      const EdgeCount told = state.measured.fetch_add(untold, std::memory_order_relaxed) + untold;
      untold = 0;
      if (told > enough) break;
    }
    const Vertex* const here = frontier.data() + i;
    if (i + kAheadHere < frontier.size()) fetch(state.start_of(here[kAheadHere]));
    const EdgeCount degree = state.degree(*here);
    untold += degree;
    mine.frontier_edges += degree;
    in_chunk += degree;
    if (degree > kChunkEdges) {
      close(here);
      for (EdgeCount from = 0; from < degree; from += kChunkEdges) {
        mine.chunks.push_back({here, here + 1, from, std::min(from + kChunkEdges, degree)});
      }
      begin = here + 1;
      in_chunk = 0;
    } else if (in_chunk > kChunkEdges) {
      close(here + 1);
    }
  }
  close(frontier.data() + frontier.size());
}

namespace {

/// One thread's scan of chunks. Nothing that others look at is written, so that bitmap words stay
/// in every core's cache until those who own them mark what was found.
template <class Rows>
class Scan {
 public:
  Scan(const SearchState& state, const Rows& rows, Worker& mine)
      : state_(state), rows_(rows), mine_(mine) {}

  bool has_room() const { return finds_ < kMostFinds; }

  /// A chunk of the queue `all`.
  void run(const Chunk& chunk, std::span<const Vertex> all) {
    if (chunk.begin != expected_) fetch_first(rows_, {chunk.begin, all.data() + all.size()});
    expected_ = chunk.end;
    for_each_piece(rows_, chunk, all, [this](const Piece& piece) {
      const auto [v, row, degree, from, to] = piece;
      mine_.looked_at += to - from;
      if (degree <= kShort && row + kShort <= rows_.limit(v)) {
        aside_.put_short(row, degree, v);
        if (aside_.full()) deal_aside();
      } else {
        for (EdgeCount at = from; at < to; at += kTogether) {
          const Vertex parent = v;
          deal(std::min<std::size_t>(kTogether, to - at), row + at,
               [parent](std::size_t) { return parent; });
        }
      }
    });
    deal_aside();
  }

 private:
  void deal_aside() {
    const Vertex* const parents = aside_.parents();
    deal(aside_.size(), aside_.children(), [parents](std::size_t k) { return parents[k]; });
    aside_.clear();
  }

  /// Those who may be new to their owners' bins, without a branch: each is written, and the bin's
  /// end moves on if it may. Another part's bitmap lies in another node's memory, so its vertices
  /// all may.
  template <class ParentOf>
  void deal(std::size_t count, const Vertex* children, const ParentOf& parent_of) {
    finds_ += count;
    for (std::size_t b = 0; b < mine_.bins.size(); ++b) ends_[b] = mine_.bins[b].room(count + 1);
    if (owners_.parts() == 1) {
      const Ownership::Owner owner_of = owners_.only_part();
      deal_to(count, children, parent_of, owner_of, [](Vertex) { return true; });
    } else {
      deal_to(
          count, children, parent_of, [this](Vertex v) { return owners_.owner_of(v); },
          [this](Vertex v) { return owners_.part_of(v) == home_; });
    }
    for (std::size_t b = 0; b < mine_.bins.size(); ++b) mine_.bins[b].keep_to(ends_[b]);
  }
  template <class ParentOf, class OwnerOf, class IsHere>
  void deal_to(std::size_t count, const Vertex* children, const ParentOf& parent_of,
               const OwnerOf& owner_of, const IsHere& is_here) {
    const Word* const visited = state_.visited;
    Find** const ends = ends_.data();
    for (std::size_t k = 0; k < count; ++k) {
      const Vertex child = children[k];
      const Word word = is_here(child) ? visited[child / kWordBits] : 0;
      Find*& end = ends[owner_of(child)];
      *end = {child, parent_of(k)};
      end += ~word >> child % kWordBits & 1;
    }
  }

  const SearchState& state_;
  const Rows& rows_;
  Worker& mine_;
  const Ownership& owners_ = *mine_.owners;
  const std::size_t home_ = mine_.home;
  std::size_t finds_ = 0;             ///< at most
  const Vertex* expected_ = nullptr;  ///< where the chunk begins whose first rows are on their way
  std::vector<Find*> ends_ =
      std::vector<Find*>(mine_.bins.size());  ///< of bins, while some is dealt
  Aside aside_{*mine_.block};
};

/// What all threads found of one's own vertices is marked, and goes to one's queue with its parent.
void take(SearchState& state, Worker& mine, std::size_t self) {
  Vertex* const parents = mine.block->parents.data();
  Vertex* end = mine.queue.end();
  for (const auto& worker : state.workers) {
    const std::span<const Find> finds = worker->bins[self].all();
    for (std::size_t from = 0; from < finds.size(); from += kTogether) {
      const Vertex* const begin = end;
      for (const Find& find : finds.subspan(from, std::min(kTogether, finds.size() - from))) {
        fetch_to_second(state.parents + find.child);
        *end = find.child;
        parents[end - begin] = find.parent;
        end += visit(state.visited, find.child);
      }
      for (std::ptrdiff_t k = 0; k < end - begin; ++k) state.parents[begin[k]] = parents[k];
    }
    worker->bins[self].clear();
  }
  mine.queue.set_end(end);
}

}  // namespace

void top_down_together(SearchState& state, const Place& me) {
  const auto self = static_cast<std::size_t>(me.thread);
  Worker& mine = state.worker(me);
  const auto step = [&](const auto& rows) {
    for (bool more = true; more;) {
      Scan scan(state, rows, mine);
      if (scan.has_room()) {
        for_each_chunk(state, mine, self, [&](const Chunk& chunk, std::span<const Vertex> queue) {
          scan.run(chunk, queue);
          return scan.has_room();
        });
      }
      mine.full = !scan.has_room();
      state.team.barrier(me);
      take(state, mine, self);
      more = std::ranges::any_of(state.workers, [](const auto& worker) { return worker->full; });
      if (more) state.team.barrier(me);
    }
  };
  // A thread of one part scans chunks of that part alone.
  if (!state.plain() && state.shares(me).size() == 1) {
    step(PartRows(state.part(mine.home)));
  } else {
    with_rows(state, step);
  }
  mine.queue.advance();
}

}  // namespace kinjo::graph::detail
