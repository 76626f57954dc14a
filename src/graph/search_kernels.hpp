/// The bottom-up step's first probes, of many vertices at once.
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

/// One level of vector instructions. Vertex i belongs to bit i; all bits of the words are vertices.
struct SearchKernelSet {
  /// Every asking vertex whose candidate is in `frontier` takes it for a parent: its bit moves from
  /// `asking` to `found`. Parents of others stay.
  Answers (*adopt)(const Vertex* candidates, const Word* frontier, Word* asking, Word* found,
                   Vertex* parents, std::size_t words);
  /// parents[i] ← kNoVertex for every bit that is set.
  void (*orphan)(const Word* bits, Vertex* parents, std::size_t words);
};

/// The set for the level in use. Throws as `simd_level` does.
const SearchKernelSet& search_kernels();

/// One vertex at a time.
extern const SearchKernelSet kSearchReference;

}  // namespace kinjo::graph::detail
