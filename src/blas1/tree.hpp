/// The reproducible sum of many blocks: a binary tree over their numbers.
///
/// A node of size s = 2^k and number j covers the blocks [j·s, (j + 1)·s); its value is its left
/// half's plus its right half's, or its left half's alone where no block lies in the right half.
/// The root's value depends on the number of blocks and on their sums, and on nothing else: whoever
/// has a run of blocks computes the nodes that lie inside it, and whoever has all those nodes, in
/// order, joins them.
#pragma once

#include <cstddef>
#include <span>

#include "base/contract.hpp"

namespace kinjo::detail {

/// The node that covers [begin, begin + size); size is a power of two and divides begin.
template <class T>
struct Subtree {
  std::size_t begin;
  std::size_t size;
  T value;
};

/// Joins nodes, which come in ascending order without gaps, as far as they can be joined.
template <class T>
class BlockTree {
 public:
  void add(Subtree<T> node) {
    while (count_ > 0 && are_halves(nodes_[count_ - 1], node)) {
      const Subtree<T>& left = nodes_[--count_];
      node = {left.begin, 2 * left.size, left.value + node.value};
    }
    nodes_[count_++] = node;
  }

  /// The blocks `first`, `first` + 1, … with these sums; `sums` is overwritten.
  void add(std::size_t first, std::span<T> sums) {
    while (!sums.empty()) {
      std::size_t size = 1;
      while (size * 2 <= sums.size() && first % (size * 2) == 0) size *= 2;
      for (std::size_t left = size / 2; left > 0; left /= 2) {
        for (std::size_t i = 0; i < left; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
      }
      add({first, size, sums[0]});
      first += size;
      sums = sums.subspan(size);
    }
  }

  /// What could not be joined: sizes rise, then fall.
  std::span<const Subtree<T>> nodes() const { return {nodes_, count_}; }

  /// The root's value, once all blocks from 0 on were added; 0 for none.
  T total() const {
    if (count_ == 0) return 0;
    KINJO_ASSERT(nodes_[0].begin == 0);
    T value = nodes_[count_ - 1].value;
    for (std::size_t i = count_ - 1; i-- > 0;) value = nodes_[i].value + value;
    return value;
  }

 private:
  static bool are_halves(const Subtree<T>& left, const Subtree<T>& right) {
    return left.size == right.size && left.begin % (2 * left.size) == 0;
  }
  // Sizes are distinct powers of two where they rise, and where they fall.
  static constexpr std::size_t kMost = 2 * 8 * sizeof(std::size_t);
  Subtree<T> nodes_[kMost];
  std::size_t count_ = 0;
};

}  // namespace kinjo::detail
