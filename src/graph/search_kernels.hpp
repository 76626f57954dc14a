/// The bottom-up step's probes: of many vertices at once, then of a line of neighbours at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kinjo/graph.hpp>

#include "graph/bitmap.hpp"

namespace kinjo::graph::detail {

/// What a look at many vertices came to.
struct Answers {
  std::uint64_t asked = 0;  ///< vertices
  std::uint64_t found = 0;  ///< those that have a parent now
};

/// A vertex that was found, with its parent.
struct Find {
  Vertex child;
  Vertex parent;
};

/// A row on its way from memory: neighbours that were not asked for yet.
struct WaitingRow {
  Vertex v = 0;
  const Vertex* next = nullptr;
  const Vertex* end = nullptr;
};

/// What a look at rows came to.
struct Looked {
  std::uint64_t asked = 0;  ///< neighbours
  std::size_t found = 0;    ///< rows that have a parent now
  std::size_t waiting = 0;  ///< rows that have neighbours left
};

/// Neighbours in a line of memory.
inline constexpr std::size_t kLine = 64 / sizeof(Vertex);

/// The line that a neighbour lies in.
inline const Vertex* line_of(const Vertex* neighbour) {
  return neighbour - reinterpret_cast<std::uintptr_t>(neighbour) / sizeof(Vertex) % kLine;
}

/// Behind the last neighbour of a row that lies in the line of the next one.
inline const Vertex* end_in_line(const WaitingRow& row) {
  const auto left = static_cast<std::size_t>(row.end - row.next);
  const auto in_line = kLine - static_cast<std::size_t>(row.next - line_of(row.next));
  return row.next + (left < in_line ? left : in_line);
}

/// One level of vector instructions. Vertex i belongs to bit i; all bits of the words are vertices.
struct SearchKernelSet {
  /// Every asking vertex whose candidate is in `frontier` takes it for a parent: its bit moves from
  /// `asking` to `found`. Parents of others stay.
  Answers (*adopt)(const Vertex* candidates, const Word* frontier, Word* asking, Word* found,
                   Vertex* parents, std::size_t words);
  /// parents[i] ← kNoVertex for every bit that is set.
  void (*orphan)(const Word* bits, Vertex* parents, std::size_t words);
  /// Asks the next neighbours of each row, one at least and none behind the line of the first,
  /// until one is in `frontier`. Those rows go to `finds`; others that have neighbours left move to
  /// the front, and their next lines are asked for. No row is empty; there is room for as many
  /// finds as rows.
  Looked (*look)(WaitingRow* rows, std::size_t count, const Word* frontier, Find* finds);
};

/// The set for the level in use. Throws as `simd_level` does.
const SearchKernelSet& search_kernels();

/// One vertex at a time.
extern const SearchKernelSet kSearchReference;

}  // namespace kinjo::graph::detail
