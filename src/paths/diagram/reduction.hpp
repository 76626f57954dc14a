/// What is known while a diagram is reduced (reduce.cpp): the nodes so far, and what those of two
/// levels have become.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "memory/growing_array.hpp"
#include "paths/diagram/data.hpp"
#include "paths/raw_level.hpp"

namespace kinjo::paths::detail {

/// A node among those that a level's branches can lead to, in the order of their references.
using Rank = std::uint32_t;

/// What a level's nodes have become.
struct Ranks {
  kinjo::detail::GrowingArray<Rank> of_child;  ///< by `Child`
  kinjo::detail::GrowingArray<NodeRef> refs;   ///< by rank, rising

  void begin(std::size_t nodes) {
    of_child.resize(nodes + kFirstChild);
    refs.clear();
    for (const Child decided : {kDead, kMember}) {
      of_child[decided] = decided;
      refs.push_back(decided);
    }
  }
};

/// A node by the ranks of its children.
struct Ranked {
  Rank lo, hi;
  std::uint32_t node;
};

/// How many there are of each rank, then where they begin, then where they end.
class Deal {
 public:
  void begin(std::size_t ranks) {
    places_.resize(ranks);
    std::ranges::fill(places_.all(), 0);
  }
  void count(Rank rank, std::uint32_t times = 1) { places_[rank] += times; }
  void end_count() {
    std::exclusive_scan(places_.data(), places_.data() + places_.size(), places_.data(), 0U);
  }
  std::uint32_t next(Rank rank) { return places_[rank]++; }

 private:
  kinjo::detail::GrowingArray<std::uint32_t> places_;
};

/// The nodes so far, and the two levels.
struct Reduction {
  kinjo::detail::GrowingArray<PackedNode> nodes;
  std::array<Ranks, 2> ranks;  ///< by item's parity

  Ranks& here(std::size_t item) { return ranks[item % 2]; }
  Ranks& below(std::size_t item) { return ranks[(item + 1) % 2]; }
};

}  // namespace kinjo::paths::detail
