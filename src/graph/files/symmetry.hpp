/// Whether rows that claim to be symmetric are: every edge in the rows of both its ends, as often
/// in one as in the other.
#pragma once

#include <cstdint>

#include <kinjo/graph.hpp>

#include "graph/random.hpp"

namespace kinjo::graph::detail {

/// Adds up a hash of {u, v} for u < v and takes it away for {v, u}: what is left is 0 but for rows
/// that are not symmetric, of which one in 2⁶⁴ is taken for such.
class SymmetryCheck {
 public:
  void add(Vertex row, Vertex neighbour) {
    if (row < neighbour) sum_ += hash(row, neighbour);
    if (row > neighbour) sum_ -= hash(neighbour, row);
  }
  bool holds() const { return sum_ == 0; }

 private:
  static std::uint64_t hash(Vertex low, Vertex high) {
    return mix((std::uint64_t{low} << 32 | high) + kMixStep);
  }
  std::uint64_t sum_ = 0;
};

}  // namespace kinjo::graph::detail
