/// Counting: a node has as many sets as both its branches together, from the last item up. Limbs
/// are a column each; the next one is begun at the first item with a node that needs it, and what
/// is below has zeros there that take no memory.
///
/// A team shares each item's nodes, and meets behind them.
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include <kinjo/diagram.hpp>
#include <kinjo/team.hpp>

#include "paths/diagram/column.hpp"
#include "paths/diagram/room.hpp"

namespace kinjo::paths {

namespace {

using detail::NodeRange;
using detail::RecentColumn;
using Limb = std::uint64_t;

/// Diagrams of fewer nodes take no longer than the meetings of a team.
constexpr std::uint64_t kFewNodes = std::uint64_t{1} << 16;

class Counts {
 public:
  Counts(const detail::DiagramData& diagram, const detail::Window& window, std::uint64_t limit)
      : diagram_(diagram),
        window_(window),
        room_(diagram, limit, "counting the sets of a diagram") {
    add_limb();
    limbs_[0][kTop] = 1;
  }

  /// Counts nodes of an item, once those of all items below are counted. False if one of them needs
  /// one more limb: then that is to be added, and the item counted again.
  bool add(NodeRange nodes) {
    switch (limbs_.size()) {
      case 1:
        return add_with(std::array<Limb*, 1>(), nodes);
      case 2:
        return add_with(std::array<Limb*, 2>(), nodes);
      case 3:
        return add_with(std::array<Limb*, 3>(), nodes);
      default:
        return add_with(std::vector<Limb*>(limbs_.size()), nodes);
    }
  }
  /// Throws `Error` (`out_of_memory`).
  void add_limb() {
    room_.take(RecentColumn<Limb>::bytes_of(window_));
    limbs_.emplace_back(window_);
  }
  Count of(NodeRef ref) const {
    std::vector<Limb> limbs;
    for (const RecentColumn<Limb>& limb : limbs_) limbs.push_back(limb[ref]);
    return Count(limbs);
  }

 private:
  template <class Columns>
  bool add_with(Columns columns, NodeRange nodes) {
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = limbs_[i].data();
    const std::uint64_t mask = limbs_[0].mask();
    const auto place = [mask](NodeRef ref) { return RecentColumn<Limb>::place(ref, mask); };
    Limb carries = 0;
    for (NodeRef ref = nodes.begin; ref < nodes.end; ++ref) {
      const detail::PackedNode& node = diagram_[ref];
      const std::uint64_t lo = place(node.lo()), hi = place(node.hi()), to = place(ref);
      Limb carry = 0;
      for (Limb* const column : columns) {
        const auto sum = static_cast<unsigned __int128>(column[lo]) + column[hi] + carry;
        column[to] = static_cast<Limb>(sum);
        carry = static_cast<Limb>(sum >> 64);
      }
      carries |= carry;
    }
    return carries == 0;
  }

  const detail::DiagramData& diagram_;
  const detail::Window& window_;
  detail::Room room_;
  std::vector<RecentColumn<Limb>> limbs_;
};

/// Counting by a team. Threads meet behind each item, and once more where it needs one more limb.
class SharedCounts {
 public:
  SharedCounts(Counts& counts, const detail::DiagramData& diagram, Team& team)
      : counts_(counts), diagram_(diagram), team_(team) {}

  /// One thread's part.
  void work(const Place& me) {
    const auto thread = static_cast<std::size_t>(me.thread);
    unsigned turn = 0;
    for (std::size_t item = diagram_.items(); item-- > 0;) {
      const NodeRange mine = share_of(diagram_, item, thread, team_.size());
      while (!add(mine, me, turn++)) {
        if (thread == 0) counts_.add_limb();
        team_.barrier(me);
      }
    }
  }

 private:
  /// Whether everybody's nodes are counted.
  bool add(NodeRange mine, const Place& me, unsigned turn) {
    std::atomic<bool>& overflows = overflows_[turn % 3];
    if (!counts_.add(mine)) overflows = true;
    team_.barrier(me);
    // All have read what was said in the turn before, and nobody is two turns ahead.
    if (me.thread == 0) overflows_[(turn + 2) % 3] = false;
    return !overflows;
  }

  Counts& counts_;
  const detail::DiagramData& diagram_;
  Team& team_;
  std::array<std::atomic<bool>, 3> overflows_{};  ///< of three turns
};

}  // namespace

Count Diagram::count(std::uint64_t memory_limit) const {
  const detail::Window window(*data_);
  Counts counts(*data_, window, memory_limit);
  for (std::size_t item = data_->items(); item-- > 0;) {
    while (!counts.add(share_of(*data_, item, 0, 1))) counts.add_limb();
  }
  return counts.of(data_->root);
}

Count Diagram::count(Team& team, std::uint64_t memory_limit) const {
  if (team.size() == 1 || data_->nodes < kFewNodes) return count(memory_limit);
  const detail::Window window(*data_, &team);
  Counts counts(*data_, window, memory_limit);
  SharedCounts shared(counts, *data_, team);
  team.run([&](const Place& me) { shared.work(me); });
  return counts.of(data_->root);
}

}  // namespace kinjo::paths
