/// Counting: a node has as many sets as both its branches together, from the last item up. Limbs
/// are a column each; the next one is begun when the first node needs it, and what is below has
/// zeros there that take no memory.
#include <memory>
#include <vector>

#include <kinjo/diagram.hpp>

#include "paths/diagram/column.hpp"
#include "paths/diagram/room.hpp"

namespace kinjo::paths {

namespace {

using detail::RecentColumn;

class Counts {
 public:
  Counts(const detail::Window& window, const detail::Room& room) : window_(window), room_(room) {
    add_limb();
    limbs_[0][kTop] = 1;
  }

  void add(NodeRef ref, NodeRef lo, NodeRef hi) {
    std::uint64_t carry = 0;
    for (RecentColumn<std::uint64_t>& limb : limbs_) {
      const auto sum = static_cast<unsigned __int128>(limb[lo]) + limb[hi] + carry;
      limb[ref] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    if (carry == 0) return;
    add_limb();
    limbs_.back()[ref] = carry;
  }
  Count of(NodeRef ref) const {
    std::vector<std::uint64_t> limbs;
    for (const RecentColumn<std::uint64_t>& limb : limbs_) limbs.push_back(limb[ref]);
    return Count(limbs);
  }

 private:
  void add_limb() {
    room_.take(RecentColumn<std::uint64_t>::bytes_of(window_));
    limbs_.emplace_back(window_);
  }

  const detail::Window& window_;
  detail::Room room_;
  std::vector<RecentColumn<std::uint64_t>> limbs_;
};

}  // namespace

Count Diagram::count(std::uint64_t memory_limit) const {
  const detail::Window window(*data_);
  Counts counts(window, {*data_, memory_limit, "counting the sets of a diagram"});
  detail::visit_upward(*data_, [&](std::size_t, NodeRef ref, const detail::PackedNode& node) {
    counts.add(ref, node.lo(), node.hi());
  });
  return counts.of(data_->root);
}

}  // namespace kinjo::paths
