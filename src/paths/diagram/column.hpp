/// A value for every node of a diagram, for passes from the last item up to the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/memory.hpp>

#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// Gives back the whole pages of a range; what is read there later is 0.
void give_back(void* begin, void* end);

/// Values by reference, also of ⊥ and ⊤. They are 0, and take no memory, before they are written.
template <class T>
class Column {
 public:
  explicit Column(const DiagramData& diagram)
      : memory_(kinjo::alloc((diagram.nodes + kFirstNode) * sizeof(T),
                             {.pages = kinjo::Pages::transparent})) {}
  T& operator[](NodeRef ref) { return static_cast<T*>(memory_.data())[ref]; }
  const T& operator[](NodeRef ref) const { return static_cast<const T*>(memory_.data())[ref]; }
  void forget(NodeRef begin, NodeRef end) { give_back(&(*this)[begin], &(*this)[end]); }

 private:
  Buffer memory_;
};

/// Which values are needed how long: those of an item until the first item with a branch that leads
/// to it is done. Reads the diagram once.
class Window {
 public:
  explicit Window(const DiagramData& diagram);

  /// After all nodes of `item` have values: calls `forget(other, begin, end)` for each other item
  /// that is not needed any more, and the references of its nodes.
  template <class Forget>
  void end_item(std::size_t item, Forget&& forget) const {
    for (std::size_t i = begins_[item]; i < begins_[item + 1]; ++i) {
      const std::size_t other = done_[i];
      if (other != item) forget(other, diagram_.first[other], diagram_.end(other));
    }
  }

 private:
  const DiagramData& diagram_;
  std::vector<std::size_t> begins_;  ///< by item, in `done_`
  std::vector<std::uint32_t> done_;  ///< items, by who needs them last
};

/// Calls `visit(item, ref, node)` for all nodes, those that branches lead to first; `end(item)`
/// after each item.
template <class Visit, class End>
void visit_upward(const DiagramData& diagram, Visit&& visit, End&& end) {
  for (std::size_t item = diagram.items(); item-- > 0;) {
    for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
      visit(item, ref, diagram[ref]);
    }
    end(item);
  }
}

}  // namespace kinjo::paths::detail
