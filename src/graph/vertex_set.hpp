/// Sets of vertices that one thread works with.
#pragma once

#include <vector>

#include <kinjo/graph.hpp>

#include "graph/fetch.hpp"

namespace kinjo::graph::detail {

/// A set of vertices.
class VertexSet {
 public:
  explicit VertexSet(std::size_t n) : words_((n + 63) / 64) {}
  bool has(Vertex v) const { return words_[v / 64] >> v % 64 & 1; }
  [[gnu::always_inline]] void ask_for(Vertex v) const { fetch(&words_[v / 64]); }
  /// Whether it was not in yet.
  bool insert(Vertex v) {
    const std::uint64_t bit = std::uint64_t{1} << v % 64;
    const bool is_new = (words_[v / 64] & bit) == 0;
    words_[v / 64] |= bit;
    return is_new;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace kinjo::graph::detail
