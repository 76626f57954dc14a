#include "graph/top_down.hpp"

#include <algorithm>

namespace kinjo::graph::detail {

namespace {

/// How far ahead rows are fetched: their begins, then their first neighbours.
constexpr std::size_t kFarAhead = 40;
constexpr std::size_t kAhead = 24;

/// Edges in a chunk of work.
constexpr EdgeCount kChunkEdges = 2048;

/// Rows of at most so many neighbours are copied whole, whatever they have.
constexpr std::size_t kShort = 8;
/// Edges of short rows that are looked at together.
constexpr std::size_t kTogether = 1024;

/// Asks for a line to be brought. Inlined by force: g++ 12 takes a function that does nothing else
/// for one without effect, and leaves out its calls.
[[gnu::always_inline]] inline void fetch(const void* line) { __builtin_prefetch(line); }

/// Rows of a graph in one part with less than 2³² entries, and of others.
struct PlainRows {
  explicit PlainRows(const SearchState& state) : part(state.part(0)) {}
  const Vertex* begin(Vertex v) const { return part.targets + part.starts.low[v]; }
  const Vertex* end(Vertex v) const { return part.targets + part.starts.low[v + 1]; }
  const void* start(Vertex v) const { return part.starts.low + v; }
  /// Behind the last neighbour that can be read from v's row.
  const Vertex* limit(Vertex) const { return all_end; }

  const Part& part;
  const Vertex* const all_end = part.targets + part.entries();
};

struct CutRows {
  explicit CutRows(const SearchState& s) : state(s) {}
  const Vertex* begin(Vertex v) const {
    const Part& part = state.home(v);
    return part.targets + part.starts[v - part.vertices.begin];
  }
  const Vertex* end(Vertex v) const {
    const Part& part = state.home(v);
    return part.targets + part.starts[v - part.vertices.begin + 1];
  }
  const void* start(Vertex v) const {
    const Part& part = state.home(v);
    return part.starts.low + (v - part.vertices.begin);
  }
  const Vertex* limit(Vertex v) const {
    const Part& part = state.home(v);
    return part.targets + part.entries();
  }

  const SearchState& state;
};

/// Rows of one of several parts, from a copy of where they are, which lies near its reader.
struct PartRows {
  explicit PartRows(const Part& p) : part(p) {}
  const Vertex* begin(Vertex v) const { return part.targets + start_of(v); }
  const Vertex* end(Vertex v) const { return part.targets + start_of(v + 1); }
  const void* start(Vertex v) const { return part.starts.low + (v - part.vertices.begin); }
  EdgeCount start_of(std::size_t v) const {
    const std::size_t row = v - part.vertices.begin;
    return one_base ? base + part.starts.low[row] : part.starts[row];
  }

  const Part part;
  const EdgeCount base = part.starts.base[0];
  const bool one_base = part.vertices.size() >> part.starts.shift == 0;
};

/// Calls `f(rows)` with the kind that the graph has.
template <class F>
auto with_rows(const SearchState& state, const F& f) {
  if (state.plain()) return f(PlainRows(state));
  return f(CutRows(state));
}

template <class Rows>
[[gnu::always_inline]] inline void fetch_ahead(const Rows& rows, std::span<const Vertex> queue,
                                               std::size_t i) {
  if (i + kFarAhead < queue.size()) fetch(rows.start(queue[i + kFarAhead]));
  if (i + kAhead < queue.size()) fetch(rows.begin(queue[i + kAhead]));
}

/// One thread's look at the rows of its queue.
template <class Rows>
class Walk {
 public:
  Walk(const SearchState& state, const Rows& rows, Vertex* end)
      : rows_(rows), visited_(state.visited), parents_(state.parents), end_(end) {}

  void run(std::span<const Vertex> frontier) {
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      fetch_ahead(rows_, frontier, i);
      const Vertex v = frontier[i];
      const Vertex *const begin = rows_.begin(v), *const end = rows_.end(v);
      const auto degree = static_cast<std::size_t>(end - begin);
      looked_at_ += degree;
      if (degree <= kShort && begin + kShort <= rows_.limit(v)) {
        put_aside(begin, degree, v);
      } else {
        look_at(begin, end, v);
      }
    }
    look_at_short_rows();
  }
  Vertex* end() const { return end_; }
  EdgeCount looked_at() const { return looked_at_; }

 private:
  void put_aside(const Vertex* begin, std::size_t degree, Vertex v) {
    std::copy(begin, begin + kShort, children_ + waiting_);
    std::fill(owners_ + waiting_, owners_ + waiting_ + kShort, v);
    waiting_ += degree;
    if (waiting_ > kTogether) look_at_short_rows();
  }

  /// Whether a vertex is new; it is not any more.
  bool visit(Vertex u) {
    const Word word = visited_[u / kWordBits];
    visited_[u / kWordBits] = word | Word{1} << u % kWordBits;
    return ~word >> u % kWordBits & 1;
  }

  /// First drops those that were visited before, without marking any: neighbours lie close together
  /// in short rows, and a word that is written and read again at once is waited for.
  void look_at_short_rows() {
    std::size_t left = 0;
    for (std::size_t k = 0; k < waiting_; ++k) {
      const Vertex u = children_[k];
      children_[left] = u;
      owners_[left] = owners_[k];
      left += ~visited_[u / kWordBits] >> u % kWordBits & 1;
    }
    Vertex* const begin = end_;
    Vertex* end = end_;
    for (std::size_t k = 0; k < left; ++k) {
      *end = children_[k];
      owners_[end - begin] = owners_[k];
      end += visit(children_[k]);
    }
    for (std::ptrdiff_t k = 0; k < end - begin; ++k) parents_[begin[k]] = owners_[k];
    end_ = end;
    waiting_ = 0;
  }

  void look_at(const Vertex* row, const Vertex* row_end, Vertex v) {
    const Vertex* const begin = end_;
    Vertex* end = end_;
    for (; row != row_end; ++row) {
      *end = *row;
      end += visit(*row);
    }
    for (const Vertex* found = begin; found != end; ++found) parents_[*found] = v;
    end_ = end;
  }

  const Rows& rows_;
  Word* const visited_;
  Vertex* const parents_;
  Vertex* end_;
  EdgeCount looked_at_ = 0;
  std::size_t waiting_ = 0;
  Vertex children_[kTogether + 2 * kShort];
  Vertex owners_[kTogether + 2 * kShort];
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
    Walk walk(state, rows, queue.end());
    walk.run(queue.frontier());
    queue.set_end(walk.end());
    queue.advance();
    return walk.looked_at();
  });
}

void measure_frontier(SearchState& state, Worker& mine, EdgeCount enough) {
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
  for (std::size_t i = 0; i < frontier.size() && mine.frontier_edges <= enough; ++i) {
    const Vertex* const here = frontier.data() + i;
    const EdgeCount degree = state.degree(*here);
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

/// One thread's scan of chunks.
template <class Rows>
class Scan {
 public:
  Scan(SearchState& state, const Rows& rows, const Place& me)
      : state_(state),
        rows_(rows),
        me_(static_cast<std::size_t>(me.thread)),
        mine_(*state.workers[me_]) {}

  void run(const Chunk& chunk) {
    const std::span<const Vertex> queue(chunk.begin, chunk.end);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      fetch_ahead(rows_, queue, i);
      const std::span<const Vertex> row(rows_.begin(queue[i]), rows_.end(queue[i]));
      const EdgeCount to = std::min<EdgeCount>(chunk.to, row.size());
      mine_.looked_at += to - chunk.from;
      for (EdgeCount k = chunk.from; k < to; ++k) look_at(row[k], queue[i]);
    }
  }

  void take(Vertex child, Vertex parent) {
    insert_shared(state_.visited, child);
    state_.parents[child] = parent;
    mine_.queue.push(child);
  }

 private:
  void look_at(Vertex child, Vertex parent) {
    // A look at another part's bitmap would be a look at another node's memory.
    const bool here = home_.part == owners_.part_of(child);
    if (here && has_shared(state_.visited, child)) return;
    const std::size_t owner = owners_.owner_of(child);
    if (owner == me_) {
      if (!has(state_.visited, child)) take(child, parent);
    } else {
      mine_.bins[owner].push_back({child, parent});
    }
  }

  SearchState& state_;
  const Rows& rows_;
  const std::size_t me_;
  Worker& mine_;
  const Ownership& owners_ = *mine_.owners;
  const Share home_ = owners_.shares(me_).front();
};

/// One's own chunks first, then what the part's other threads have left.
template <class Rows>
void scan_chunks(SearchState& state, Scan<Rows>& scan, std::size_t self) {
  const std::size_t threads = state.workers.size();
  const std::size_t home = state.owners.shares(self).front().part;
  for (std::size_t k = 0; k < threads; ++k) {
    const std::size_t other = (self + k) % threads;
    if (state.owners.shares(other).front().part != home) continue;
    Worker& owner = *state.workers[other];
    for (std::size_t c;
         (c = owner.taken.fetch_add(1, std::memory_order_relaxed)) < owner.chunks.size();) {
      scan.run(owner.chunks[c]);
    }
  }
}

}  // namespace

void top_down_together(SearchState& state, const Place& me) {
  const auto self = static_cast<std::size_t>(me.thread);
  const auto step = [&](const auto& rows) {
    Scan scan(state, rows, me);
    scan_chunks(state, scan, self);
    state.team.barrier(me);
    for (const auto& worker : state.workers) {
      std::vector<Find>& bin = worker->bins[self];
      for (const Find& find : bin) {
        if (!has(state.visited, find.child)) scan.take(find.child, find.parent);
      }
      bin.clear();
    }
  };
  // A thread of one part scans chunks of that part alone.
  const std::vector<Share>& shares = state.shares(me);
  if (!state.plain() && shares.size() == 1) {
    step(PartRows(state.part(shares.front().part)));
  } else {
    with_rows(state, step);
  }
  state.worker(me).queue.advance();
}

}  // namespace kinjo::graph::detail
