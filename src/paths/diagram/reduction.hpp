/// What is known while a diagram is reduced (reduce.cpp): the nodes so far, and what those of two
/// levels have become.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "memory/growing_array.hpp"
#include "paths/diagram/data.hpp"
#include "paths/raw_level.hpp"

namespace kinjo::paths::detail {

/// A node among those that a level's branches can lead to, in the order of their references.
using Rank = std::uint32_t;

/// What the nodes of a level that may be asked for are in the diagram, by rank: what is passed on
/// from below by a table, and the level's own by counting on from the first.
class Refs {
 public:
  Refs(std::span<const NodeRef> passed_on, NodeRef first)
      : passed_on_(passed_on.data()),
        size_(static_cast<Rank>(passed_on.size())),
        rank_0_(first - passed_on.size()) {}
  /// No branch: which it is, is anybody's guess.
  NodeRef operator[](Rank rank) const {
    const NodeRef passed_on = passed_on_[rank < size_ ? rank : kDead];
    return rank < size_ ? passed_on : rank_0_ + rank;
  }

 private:
  const NodeRef* passed_on_;
  Rank size_;
  NodeRef rank_0_;
};

/// What a level's nodes have become.
struct Ranks {
  kinjo::detail::GrowingArray<Rank> of_child;      ///< by `Child`
  kinjo::detail::GrowingArray<NodeRef> passed_on;  ///< references by rank, rising
  NodeRef first = kFirstNode;                      ///< of the level's own nodes, which come behind
  std::size_t own = 0;                             ///< how many

  /// Behind the last item.
  void begin() {
    of_child.resize(kFirstChild);
    for (const Child decided : {kDead, kMember}) {
      of_child[decided] = decided;
      passed_on.push_back(decided);
    }
  }
  std::size_t size() const { return passed_on.size() + own; }
  Refs refs() const { return {passed_on.all(), first}; }
};

/// The nodes so far, and the two levels.
struct Reduction {
  kinjo::detail::GrowingArray<PackedNode> nodes;
  std::array<Ranks, 2> ranks;  ///< by item's parity

  Ranks& here(std::size_t item) { return ranks[item % 2]; }
  Ranks& below(std::size_t item) { return ranks[(item + 1) % 2]; }
};

}  // namespace kinjo::paths::detail
