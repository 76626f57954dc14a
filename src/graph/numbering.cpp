#include "graph/numbering.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "graph/id_bitmap.hpp"
#include "graph/id_table.hpp"

namespace kinjo::graph::detail {

namespace {

/// Edges ahead whose ends' places are fetched.
constexpr std::size_t kAhead = 8;

/// Bits of all ids take no more than the list itself.
bool are_dense(std::uint64_t universe, EdgeCount edges) {
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;
  return universe <= kSmall || IdBitmap::bytes(universe) <= edges * sizeof(WideEdge);
}

[[noreturn]] void refuse_edge(const WideEdgeList& edges, EdgeCount i) {
  const WideEdge e = edges.all()[i];
  const bool at_begin = e.from >= edges.vertices();
  throw Error(
      Errc::invalid_argument,
      fmt::format("edge {} {} vertex {}: expected a number below {}", i,
                  at_begin ? "begins in" : "ends in", at_begin ? e.from : e.to, edges.vertices()));
}

/// Calls `f(i)` for a thread's part of the edges from `begin` on, as long as it returns true.
template <class F>
void for_each_edge(const Team& team, const Place& me, Range edges, const F& f) {
  const Range mine = block_of(team, me, edges.size());
  for (std::size_t i = edges.begin + mine.begin; i < edges.begin + mine.end; ++i) {
    if (!f(i)) return;
  }
}

/// One more than the greatest id.
std::uint64_t end_of_ids(Team& team, const WideEdgeList& edges) {
  const std::span<const WideEdge> all = edges.all();
  const std::uint64_t n = edges.vertices();
  std::vector<EdgeCount> wrong(team.size(), all.size());
  std::vector<VertexId> greatest(team.size());
  team.run([&](const Place& me) {
    const auto t = static_cast<std::size_t>(me.thread);
    VertexId most = 0;
    for_each_edge(team, me, {0, all.size()}, [&](std::size_t i) {
      most = std::max({most, all[i].from, all[i].to});
      if (most >= n) wrong[t] = i;
      return most < n;
    });
    greatest[t] = most;
  });
  if (const EdgeCount first = std::ranges::min(wrong); first < all.size()) {
    refuse_edge(edges, first);
  }
  return all.empty() ? 0 : std::ranges::max(greatest) + 1;
}

template <class Set>
void collect(Team& team, std::span<const WideEdge> edges, Set& set) {
  for (EdgeCount at = 0; at < edges.size();) {
    const EdgeCount end = at + set.make_room(team, 2 * (edges.size() - at)) / 2;
    std::vector<EdgeCount> found(team.size());
    team.run([&](const Place& me) {
      EdgeCount added = 0;
      for_each_edge(team, me, {at, end}, [&](std::size_t i) {
        if (i + kAhead < end) {
          set.ask_for(edges[i + kAhead].from);
          set.ask_for(edges[i + kAhead].to);
        }
        added += set.insert(edges[i].from);
        added += set.insert(edges[i].to);
        return true;
      });
      found[static_cast<std::size_t>(me.thread)] = added;
    });
    for (const EdgeCount ids : found) set.add(ids);
    at = end;
  }
}

template <class Set>
Numbered number_by(Team& team, const WideEdgeList& edges, Set set, Pages pages) {
  collect(team, edges.all(), set);
  Buffer ids = set.settle(team, pages);
  EdgeList list(set.size(), edges.size());
  const std::span<const WideEdge> from = edges.all();
  const std::span<Edge> to = list.all();
  team.run([&](const Place& me) {
    for_each_edge(team, me, {0, from.size()}, [&](std::size_t i) {
      if (i + kAhead < from.size()) {
        set.ask_for_rank(from[i + kAhead].from);
        set.ask_for_rank(from[i + kAhead].to);
      }
      to[i] = {set.rank(from[i].from), set.rank(from[i].to)};
      return true;
    });
  });
  return {std::move(ids), std::move(list)};
}

}  // namespace

Numbered number_vertices(Team& team, const WideEdgeList& edges, Pages pages) {
  const std::uint64_t end = end_of_ids(team, edges);
  if (!are_dense(end, edges.size())) return number_by(team, edges, IdTable(team, pages), pages);
  check_memory("numbering vertices", IdBitmap::bytes(end));
  return number_by(team, edges, IdBitmap(end, pages), pages);
}

std::uint64_t numbering_bytes(std::uint64_t universe, std::uint64_t vertices, EdgeCount edges) {
  if (are_dense(universe, edges)) return IdBitmap::bytes(universe);
  // The ids that there are may lie close to each other all the same.
  return std::max(IdTable::bytes(vertices), edges * sizeof(WideEdge));
}

}  // namespace kinjo::graph::detail
