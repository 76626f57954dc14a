/// A value for every node of a diagram, for passes from the last item up to the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/memory.hpp>

#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// By item: the least item with a branch that leads to it, or itself, which is the root's then.
/// When that one is done, values of its nodes are not needed any more. Reads the diagram once.
std::vector<std::uint32_t> last_users(const DiagramData& diagram);

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

/// Which values are needed how long.
class Window {
 public:
  explicit Window(const DiagramData& diagram) : diagram_(diagram), last_(last_users(diagram)) {}

  /// After all nodes of `item` have values: calls `forget(begin, end)` for references that no
  /// branch of what is above leads to.
  template <class Forget>
  void end_item(std::size_t item, Forget&& forget) const {
    for (std::size_t other = item + 1; other < last_.size(); ++other) {
      if (last_[other] == item) forget(diagram_.first[other], diagram_.end(other));
    }
  }

 private:
  const DiagramData& diagram_;
  std::vector<std::uint32_t> last_;
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
