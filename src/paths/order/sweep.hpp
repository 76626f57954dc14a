/// A sweep over a graph that finishes one vertex after another.
///
/// To finish a vertex is to decide all its undecided edges, in this order: those whose other end
/// has no more undecided edge, so that it leaves the frontier; those whose other end is in the
/// frontier; and those that bring a new vertex. The vertex itself leaves with the last one. The
/// frontier is the vertices with both decided and undecided edges; it, and all that follows,
/// depends only on the set of vertices that have been finished, not on their order.
///
/// An order costs the sum over its steps, one for each edge, of the states that a planar frontier
/// has for paths: words in which a vertex opens or closes a bracket (it is an end of a fragment),
/// or is between two edges of it, or has none. The last two are the same while a vertex has but one
/// decided edge, or but one undecided one. So 3^a 4^b are about as many as there are, of a vertices
/// of this kind and b others. Of these only those can have come about that have no more ends than
/// two for each vertex of a cover of the decided edges: the vertices that have left, and one of
/// each decided edge between others. In dense graphs many vertices enter before any leaves, and
/// these are few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paths/order/neighbours.hpp"

namespace kinjo::paths::detail {

/// The vertices of a frontier, by what they may be.
class Front {
 public:
  std::size_t size() const { return narrow_ + wide_; }
  /// 3^a 4^b, as far as a double goes, or about as many of these as have no more than twice
  /// `cover` ends.
  double states(std::size_t cover) const;

  /// Takes account of a vertex that had `from` undecided edges of `degree`, and now has `to`.
  void change(std::uint32_t degree, std::uint32_t from, std::uint32_t to) {
    kind(degree, from) -= 1;
    kind(degree, to) += 1;
  }

 private:
  std::size_t& kind(std::uint32_t degree, std::uint32_t undecided) {
    if (undecided == 0 || undecided == degree) return outside_;
    return undecided == 1 || undecided + 1 == degree ? narrow_ : wide_;
  }

  std::size_t narrow_ = 0, wide_ = 0;
  std::size_t outside_ = 0;  ///< not counted from anything: only its changes make sense
};

/// What an order of a network's edges costs.
double cost_of(const Neighbours& neighbours, const std::vector<std::uint32_t>& order);

class Sweep {
 public:
  explicit Sweep(const Neighbours& neighbours);

  std::size_t frontier() const { return front_.size(); }
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
  /// The same in the order of their decision.
  std::vector<Vertex> decisions(Vertex v) const;

  void finish(Vertex v);
  /// Makes the last `finish` undone; `ends` as they were before it.
  void undo(Vertex v, std::span<const Vertex> ends);

  /// A number that says which vertices have no undecided edges; those of other sets hardly equal
  /// it.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// What it will be when a vertex has been finished.
  std::uint64_t fingerprint_after(Vertex v) const;

 private:
  enum Turn { closing, inside, fresh };
  static constexpr int kTurns = 3;
  Turn turn_of(Vertex end) const {
    if (remaining_[end] == 1) return is_new(end) ? inside : closing;
    return is_new(end) ? fresh : inside;
  }
  void set_remaining(Vertex v, std::uint32_t remaining);

  const Neighbours* neighbours_;
  std::vector<std::uint32_t> remaining_;
  Front front_;
  std::size_t finished_ = 0;  ///< vertices
  std::uint64_t fingerprint_ = 0;
};

}  // namespace kinjo::paths::detail
