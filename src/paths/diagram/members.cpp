/// All sets of a diagram in order: go down by hi branches to ⊤; then back to the last node whose hi
/// branch was taken, and down from its lo branch. No walk ends in vain, for there is a set below
/// every node.
#include <kinjo/diagram.hpp>

#include "paths/diagram/data.hpp"

namespace kinjo::paths {

Members::Iterator::Iterator(std::shared_ptr<const detail::DiagramData> data)
    : data_(std::move(data)), at_end_(data_->root == kBottom) {
  if (!at_end_) descend(0, data_->root);
}

void Members::Iterator::descend(std::size_t item, NodeRef ref) {
  for (; ref >= kFirstNode; ref = (*data_)[ref].hi()) {
    item = data_->item_from(item, ref);
    taken_.push_back(ref);
    set_.push_back(static_cast<Item>(item));
  }
}

Members::Iterator& Members::Iterator::operator++() {
  while (!taken_.empty()) {
    const NodeRef lo = (*data_)[taken_.back()].lo();
    const Item item = set_.back();
    taken_.pop_back();
    set_.pop_back();
    if (lo == kBottom) continue;
    descend(item, lo);
    return *this;
  }
  at_end_ = true;
  return *this;
}

}  // namespace kinjo::paths
