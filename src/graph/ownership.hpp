/// Which thread works on which vertices of a graph's parts.
///
/// A part belongs to the threads of its node; where the team has none there, parts are dealt to
/// threads in turn. The threads of a part own a block of its vertices each, in whole words of a
/// bitmap, so that only one thread writes to a word, to a parent, and to a queue of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/graph.hpp>
#include <kinjo/mapping.hpp>

#include "graph/bitmap.hpp"

namespace kinjo::graph::detail {

/// A block of a part's vertices, which one thread owns.
struct Share {
  std::size_t part = 0;
  Range vertices;           ///< begins on a word
  std::size_t rank = 0;     ///< of the thread among the part's threads
  std::size_t threads = 1;  ///< of the part
};

/// The words of a bitmap that a block of vertices lies in, which begins on one.
inline Range words_of(const Range& vertices) {
  if (vertices.empty()) return {0, 0};
  return {vertices.begin / kWordBits, words_for(vertices.end)};
}

class Ownership {
 public:
  Ownership(const Graph& graph, const Mapping& mapping);

  std::size_t threads() const { return shares_.size(); }
  std::size_t parts() const { return begins_.size(); }
  const std::vector<Share>& shares(std::size_t thread) const { return shares_[thread]; }
  /// Vertices that a thread owns.
  std::size_t owned(std::size_t thread) const;

  std::size_t part_of(Vertex v) const {
    std::size_t p = 0;
    while (p + 1 < begins_.size() && v >= begins_[p + 1]) ++p;
    return p;
  }
  /// The thread that owns a vertex.
  std::size_t owner_of(Vertex v) const {
    const PartOwners& those = owners_[part_of(v)];
    return those.by_unit[(v - those.begin) >> those.shift];
  }
  /// The same, where there is one part, from registers.
  struct Owner {
    const std::uint16_t* by_unit;
    unsigned shift;
    std::size_t operator()(Vertex v) const { return by_unit[v >> shift]; }
  };
  Owner only_part() const { return {owners_[0].by_unit.data(), owners_[0].shift}; }

 private:
  /// Threads by (v − begin) >> shift.
  struct PartOwners {
    std::size_t begin = 0;
    unsigned shift = 0;
    std::vector<std::uint16_t> by_unit;
  };
  void deal(const Part& part, std::size_t index, const std::vector<std::size_t>& threads);

  std::vector<std::vector<Share>> shares_;  ///< by thread
  std::vector<std::size_t> begins_;         ///< by part
  std::vector<PartOwners> owners_;
};

}  // namespace kinjo::graph::detail
