/// A sweep over a graph that finishes one vertex after another.
///
/// To finish a vertex is to decide all its undecided edges, in this order: those whose other end
/// has no more undecided edge, so that it leaves the frontier; those whose other end is in the
/// frontier; and those that bring a new vertex. The vertex itself leaves with the last one. The
/// frontier is the vertices with both decided and undecided edges; it, and all that follows,
/// depends only on the set of vertices that have been finished, not on their order.
///
/// An order costs the sum of 3^f over its steps, one for each edge, f being the frontier after it:
/// a planar frontier of f vertices has about 3^f states (bracket words), others more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paths/order/neighbours.hpp"

namespace kinjo::paths::detail {

/// 3^size, as far as a double goes.
double states(std::size_t size);

class Sweep {
 public:
  explicit Sweep(const Neighbours& neighbours);

  std::size_t frontier() const { return frontier_; }
  bool is_new(Vertex v) const { return remaining_[v] == neighbours_->degree(v); }
  bool is_finished(Vertex v) const { return remaining_[v] == 0; }
  bool in_frontier(Vertex v) const { return !is_new(v) && !is_finished(v); }

  /// What finishing `v` would cost, and the frontier afterwards.
  struct Step {
    double cost = 0;
    std::size_t frontier = 0;
  };
  Step step(Vertex v) const;

  /// The other ends of a vertex' undecided edges, in no order.
  void ends(Vertex v, std::vector<Vertex>& out) const;
  /// The same in the order of their decision; among equals those of lower rank first.
  std::vector<Vertex> decisions(Vertex v, std::span<const std::uint32_t> ranks) const;

  void finish(Vertex v);
  /// Makes the last `finish` undone; `ends` as they were before it.
  void undo(Vertex v, std::span<const Vertex> ends);

  /// A number that says which vertices have no undecided edges; those of other sets hardly equal
  /// it.
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  enum class Turn { closing, inside, fresh };
  Turn turn_of(Vertex end) const;
  void set_remaining(Vertex v, std::uint32_t remaining);

  const Neighbours* neighbours_;
  std::vector<std::uint32_t> remaining_;
  std::size_t frontier_ = 0;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace kinjo::paths::detail
