/// The edges of each vertex that are not decided yet, while items are gone through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "paths/frontier.hpp"

namespace kinjo::paths::detail {

class UndecidedEdges {
 public:
  /// Before the first item.
  UndecidedEdges(const Frontier& frontier, std::size_t vertices);

  /// Goes to the next item, which is this one.
  void decide(const Step& step) {
    ++next_[step.a.vertex];
    ++next_[step.b.vertex];
  }

  std::size_t vertices() const { return next_.size(); }
  /// The other ends of a vertex' edges, in the order in which these are decided.
  std::span<const Vertex> of(Vertex v) const {
    return std::span(others_).subspan(next_[v], begins_[v + 1] - next_[v]);
  }

 private:
  std::vector<std::uint32_t> begins_;  ///< by vertex, where its edges begin
  std::vector<std::uint32_t> next_;    ///< by vertex, its first undecided edge
  std::vector<Vertex> others_;
};

}  // namespace kinjo::paths::detail
