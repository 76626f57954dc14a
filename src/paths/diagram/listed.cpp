/// Reduces a list by sorting each item's nodes by what their children have become (reduce.cpp says
/// why that is enough).
#include "paths/diagram/listed.hpp"

#include <algorithm>
#include <array>

#include "memory/growing_array.hpp"
#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

namespace {

class ListReducer {
 public:
  ListReducer(std::size_t items, const std::vector<ListedNode>& list) : list_(list) {
    data_->first.assign(items + 1, kFirstNode);
  }

  Diagram run(NodeRef root) {
    group(reached(root));
    refs_.resize(list_.size() + kFirstNode);
    refs_[kBottom] = kBottom;
    refs_[kTop] = kTop;
    for (std::size_t item = data_->items(); item-- > 0;) {
      data_->first[item] = nodes_.size() + kFirstNode;
      reduce(begins_[item], begins_[item + 1]);
    }
    data_->root = refs_[root];
    data_->keep(std::move(nodes_));
    return Diagram(data_);
  }

 private:
  std::vector<bool> reached(NodeRef root) const {
    std::vector<bool> reached(list_.size() + kFirstNode);
    reached[root] = true;
    for (std::size_t i = list_.size(); i-- > 0;) {
      if (!reached[i + kFirstNode]) continue;
      reached[list_[i].lo] = reached[list_[i].hi] = true;
    }
    return reached;
  }

  /// Sorts what is reached by item.
  void group(const std::vector<bool>& reached) {
    begins_.assign(data_->items() + 2, 0);
    for (std::size_t i = 0; i < list_.size(); ++i) {
      begins_[list_[i].item + std::size_t{2}] += reached[i + kFirstNode];
    }
    for (std::size_t item = 2; item < begins_.size(); ++item) begins_[item] += begins_[item - 1];
    grouped_.resize(begins_.back());
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (reached[i + kFirstNode]) grouped_[begins_[list_[i].item + std::size_t{1}]++] = i;
    }
  }

  void reduce(std::size_t begin, std::size_t end) {
    std::vector<std::array<std::uint64_t, 3>> sorted;  // lo, hi, place
    for (std::size_t g = begin; g < end; ++g) {
      const ListedNode& node = list_[grouped_[g]];
      const NodeRef lo = refs_[node.lo], hi = refs_[node.hi];
      refs_[grouped_[g] + kFirstNode] = lo;
      if (hi != kBottom) sorted.push_back({lo, hi, grouped_[g]});
    }
    std::ranges::sort(sorted);
    const std::size_t before = nodes_.size();
    for (const auto& [lo, hi, place] : sorted) {
      const PackedNode node = pack(lo, hi);
      if (nodes_.size() == before || nodes_[nodes_.size() - 1] != node) nodes_.push_back(node);
      refs_[place + kFirstNode] = nodes_.size() - 1 + kFirstNode;
    }
  }

  const std::vector<ListedNode>& list_;
  std::shared_ptr<DiagramData> data_ = std::make_shared<DiagramData>();
  std::vector<std::size_t> begins_;  ///< of items' nodes in `grouped_`
  std::vector<std::uint64_t> grouped_;
  std::vector<NodeRef> refs_;  ///< what the list's nodes have become
  kinjo::detail::GrowingArray<PackedNode> nodes_;
};

}  // namespace

Diagram reduce_list(std::size_t items, const std::vector<ListedNode>& nodes, NodeRef root) {
  return ListReducer(items, nodes).run(root);
}

}  // namespace kinjo::paths::detail
