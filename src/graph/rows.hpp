/// How a step reaches the rows of the vertices in a queue.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "graph/fetch.hpp"
#include "graph/search_state.hpp"

namespace kinjo::graph::detail {

/// How far ahead rows are fetched: their begins, then their first neighbours.
inline constexpr std::size_t kFarAhead = 40;
inline constexpr std::size_t kAhead = 24;

/// Rows of a graph in one part with less than 2³² entries.
struct PlainRows {
  explicit PlainRows(const SearchState& state)
      : targets(state.part(0).targets),
        starts(state.part(0).starts.low),
        all_end(targets + state.part(0).entries()) {}
  const Vertex* begin(Vertex v) const { return targets + starts[v]; }
  const Vertex* end(Vertex v) const { return targets + starts[v + 1]; }
  const auto* start(Vertex v) const { return starts + v; }
  /// Behind the last neighbour that can be read from v's row.
  const Vertex* limit(Vertex) const { return all_end; }

  const Vertex* const targets;
  const std::uint32_t* const starts;
  const Vertex* const all_end;
};

/// Rows of other graphs.
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
  const auto* start(Vertex v) const {
    const Part& part = state.home(v);
    return part.starts.low + (v - part.vertices.begin);
  }
  const Vertex* limit(Vertex v) const {
    const Part& part = state.home(v);
    return part.targets + part.entries();
  }

  const SearchState& state;
};

/// Calls `f(rows)` with the kind that the graph has.
template <class F>
auto with_rows(const SearchState& state, const F& f) {
  if (state.plain()) return f(PlainRows(state));
  return f(CutRows(state));
}

inline Vertex vertex_of(Vertex v) { return v; }
inline Vertex vertex_of(const Find& find) { return find.child; }

/// Asks for what will be needed of the rows behind place i of a queue.
template <class Rows, class Item>
[[gnu::always_inline]] inline void fetch_ahead(const Rows& rows, std::span<const Item> queue,
                                               std::size_t i) {
  if (i + kFarAhead < queue.size()) {
    const Vertex v = vertex_of(queue[i + kFarAhead]);
    fetch(rows.start(v));
    fetch(rows.start(v) + 1);  // where it ends
  }
  if (i + kAhead < queue.size()) {
    const Vertex* const row = rows.begin(vertex_of(queue[i + kAhead]));
    fetch(row);
    fetch(row + kShort - 1);  // a short row is copied with what follows it
  }
}

/// Asks for what `fetch_ahead` never does: the rows that a queue begins with.
template <class Rows>
[[gnu::always_inline]] inline void fetch_first(const Rows& rows, std::span<const Vertex> queue) {
  const std::size_t near = std::min(kAhead, queue.size()), far = std::min(kFarAhead, queue.size());
  for (std::size_t i = 0; i < far; ++i) fetch(rows.start(queue[i]));
  for (std::size_t i = 0; i < near; ++i) fetch(rows.begin(queue[i]));
}

/// Asks for the lines behind the first of a row that `fetch_ahead` has just asked for, as far as
/// they are not soon found by what follows a run of lines by itself.
template <class Rows>
[[gnu::always_inline]] inline void fetch_more_ahead(const Rows& rows, std::span<const Vertex> queue,
                                                    std::size_t i) {
  constexpr std::size_t kMost = 4 * kLine;
  if (i + kAhead >= queue.size()) return;
  const Vertex v = queue[i + kAhead];
  const Vertex *const row = rows.begin(v), *const end = std::min(rows.end(v), row + kMost);
  for (const Vertex* line = row + kLine; line < end; line += kLine) fetch_to_second(line);
}

/// Neighbours that are looked at together, and from where they were seen, in a thread's own memory.
/// Short rows are copied whole, so that their lengths do not mislead the branch predictor.
class Aside {
 public:
  explicit Aside(BlockMemory& block)
      : children_(block.children.data()), parents_(block.parents.data()) {}

  /// The first `count` ≤ kShort of a row's neighbours; kShort of them can be read.
  void put_short(const Vertex* row, std::size_t count, Vertex v) {
    std::copy(row, row + kShort, children_ + count_);
    std::fill(parents_ + count_, parents_ + count_ + kShort, v);
    count_ += count;
  }
  /// So many neighbours, at most kTogether.
  void put(const Vertex* row, std::size_t count, Vertex v) {
    std::copy(row, row + count, children_ + count_);
    std::fill(parents_ + count_, parents_ + count_ + count, v);
    count_ += count;
  }
  /// Whether they are to be looked at before more are put.
  bool full() const { return count_ > kTogether; }

  std::size_t size() const { return count_; }
  const Vertex* children() const { return children_; }
  const Vertex* parents() const { return parents_; }
  void clear() { count_ = 0; }

 private:
  Vertex* const children_;
  Vertex* const parents_;
  std::size_t count_ = 0;
};

}  // namespace kinjo::graph::detail
