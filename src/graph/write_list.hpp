/// Lists of edges that threads write in blocks.
#pragma once

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

/// The block of `count` things that a thread of a team works on; the same in all that touch a list,
/// so that its pages lie where they are read.
inline Range block_of(const Team& team, const Place& me, std::uint64_t count) {
  const auto threads = static_cast<std::uint64_t>(team.size());
  const auto t = static_cast<std::uint64_t>(me.thread);
  const std::uint64_t each = count / threads, rest = count % threads;
  const std::uint64_t begin = t * each + (t < rest ? t : rest);
  return {begin, begin + each + (t < rest ? 1 : 0)};
}

/// A list whose edge i is `make(i)`.
template <class Number, class Make>
BasicEdgeList<Number> write_list(Team& team, std::uint64_t vertices, EdgeCount edges,
                                 const Make& make) {
  BasicEdgeList<Number> list(vertices, edges);
  const std::span<BasicEdge<Number>> all = list.all();
  team.run([&](const Place& me) {
    const Range mine = block_of(team, me, edges);
    for (std::size_t i = mine.begin; i < mine.end; ++i) all[i] = make(i);
  });
  return list;
}

}  // namespace kinjo::graph::detail
