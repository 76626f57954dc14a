/// A value for every node of a diagram, for passes from the last item up to the first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <kinjo/team.hpp>

#include "paths/diagram/data.hpp"
#include "paths/diagram/zeros.hpp"

namespace kinjo::paths::detail {

/// Values by reference, also of ⊥ and ⊤. They are 0 before they are written, and many take no
/// memory.
template <class T>
class Column {
 public:
  explicit Column(const DiagramData& diagram)
      : memory_(bytes_of(diagram), kinjo::Pages::transparent) {}
  static std::uint64_t bytes_of(const DiagramData& diagram) {
    return (diagram.nodes + kFirstNode) * sizeof(T);
  }
  T& operator[](NodeRef ref) { return static_cast<T*>(memory_.data())[ref]; }
  const T& operator[](NodeRef ref) const { return static_cast<const T*>(memory_.data())[ref]; }

 private:
  Zeros memory_;
};

/// What a pass from the last item up needs at a time: the values from the lowest reference that a
/// branch of what is still to come leads to, up to those of the item at hand. Reads the diagram
/// once.
class Window {
 public:
  explicit Window(const DiagramData& diagram) : Window(diagram, nullptr) {}
  /// By a team, if there is one.
  Window(const DiagramData& diagram, Team* team);

  /// The most references of one item.
  std::uint64_t span() const { return span_; }

 private:
  std::uint64_t span_ = 1;
};

/// Values by reference, of which only those in a window are needed. New ones take the place of
/// those that are not, so that a pass stays on the same pages: to get new ones from the system
/// takes longer than what is computed. 0 before they are first written.
template <class T>
class RecentColumn {
 public:
  explicit RecentColumn(const Window& window)
      : mask_(std::bit_ceil(window.span()) - 1),
        memory_(bytes_of(window), kinjo::Pages::transparent) {}
  static std::uint64_t bytes_of(const Window& window) {
    return (kFirstNode + std::bit_ceil(window.span())) * sizeof(T);
  }
  T& operator[](NodeRef ref) { return data()[place(ref)]; }
  const T& operator[](NodeRef ref) const {
    return static_cast<const T*>(memory_.data())[place(ref)];
  }
  /// The same by place, which is one for all columns of a window.
  T* data() { return static_cast<T*>(memory_.data()); }
  std::uint64_t place(NodeRef ref) const { return place(ref, mask_); }
  /// ⊥ and ⊤ are needed always.
  static std::uint64_t place(NodeRef ref, std::uint64_t mask) {
    return ref < kFirstNode ? ref : kFirstNode + (ref & mask);
  }
  std::uint64_t mask() const { return mask_; }

 private:
  std::uint64_t mask_;
  Zeros memory_;
};

/// Nodes of an item that come one after another.
struct NodeRange {
  NodeRef begin, end;
};
/// One thread's of an item's nodes.
inline NodeRange share_of(const DiagramData& diagram, std::size_t item, std::size_t thread,
                          std::size_t threads) {
  const NodeRef first = diagram.first[item], nodes = diagram.end(item) - first;
  return {first + nodes * thread / threads, first + nodes * (thread + 1) / threads};
}

/// Calls `visit(item, ref, node)` for all nodes, those that branches lead to first.
template <class Visit>
void visit_upward(const DiagramData& diagram, Visit&& visit) {
  for (std::size_t item = diagram.items(); item-- > 0;) {
    for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
      visit(item, ref, diagram[ref]);
    }
  }
}

}  // namespace kinjo::paths::detail
