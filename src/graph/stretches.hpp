/// Lists of edges that run through the buckets as they are.
///
/// Meshes, roads and whatever is written row by row name vertices that lie near each other one
/// after the other: a stretch of such a list touches a bucket or two, and a bucket is touched by
/// few stretches. Its rows are filled from these, and no entry has to be dealt, for which memory of
/// twice the list's size would have to be cleared first.
#pragma once

#include <optional>

#include "graph/buckets.hpp"

namespace kinjo::graph::detail {

class Stretches {
 public:
  /// Those of a list, which must stay. Nothing if they touch more than kMostTouched buckets each in
  /// the mean, or an end of an edge is no vertex.
  static std::optional<Stretches> find(Team& team, const EdgeList& edges, Sense sense,
                                       unsigned shift);

  /// What `count_edges` counts.
  Counts count(Team& team) const;

  /// Calls `f(row, neighbour)` for every entry of a bucket, which has these rows, in the order of
  /// the list.
  template <class F>
  [[gnu::always_inline]] void for_each(std::size_t bucket, Range rows, const F& f) const {
    for (std::size_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i) {
      const std::span<const Edge> edges = edges_of(stretches_[i]);
      const Ends& ends = ends_[stretches_[i]];
      if (rows.begin <= ends.least && ends.greatest < rows.end) {
        pass(
            edges, [](Vertex) { return true; }, f);
      } else {
        pass(
            edges, [rows](Vertex v) { return v - rows.begin < rows.size(); }, f);
      }
    }
  }

 private:
  static constexpr std::size_t kStretch = 2048;  ///< edges
  static constexpr std::size_t kMostTouched = 2;
  static constexpr std::size_t kLookedAt = 64;  ///< stretches, before all are
  /// Vertices between which all of a stretch's are.
  struct Ends {
    Vertex least = kNoVertex, greatest = 0;
  };

  Stretches(const EdgeList& edges, Sense sense, unsigned shift);

  std::span<const Edge> edges_of(std::size_t stretch) const {
    const std::size_t begin = stretch * kStretch;
    return edges_.subspan(begin, std::min(kStretch, edges_.size() - begin));
  }
  Ends look_at(std::size_t stretch) const;
  std::size_t buckets_of(const Ends& ends) const {
    return (ends.greatest >> shift_) - (ends.least >> shift_) + 1;
  }
  bool is_out_of_order() const;
  /// From `ends_`; whether each touches few buckets.
  bool list_by_bucket();

  template <class Has, class F>
  [[gnu::always_inline]] void pass(std::span<const Edge> edges, const Has& has, const F& f) const {
    const bool both = sense_ == Sense::symmetric;
    for (const Edge& e : edges) {
      if (both && has(e.from)) f(e.from, e.to);
      if (has(e.to)) f(e.to, e.from);
    }
  }

  std::span<const Edge> edges_;
  Sense sense_;
  std::uint64_t vertices_;
  unsigned shift_;
  std::vector<Ends> ends_;                ///< of each stretch
  std::vector<std::size_t> begins_;       ///< of each bucket's stretches, and where the last's end
  std::vector<std::uint32_t> stretches_;  ///< of each bucket, rising
};

}  // namespace kinjo::graph::detail
