/// How a diagram is kept: one array of nodes from the last item up to the first, in 10 bytes each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <kinjo/diagram.hpp>

#include "memory/growing_array.hpp"

namespace kinjo::paths::detail {

static_assert(std::endian::native == std::endian::little, "nodes are little-endian numbers");

constexpr unsigned kRefBits = 40;
constexpr std::uint64_t kRefMask = (std::uint64_t{1} << kRefBits) - 1;

/// Two references of 40 bits, lo first.
struct PackedNode {
  unsigned char bytes[10];

  NodeRef lo() const { return word(0) & kRefMask; }
  NodeRef hi() const { return word(2) >> (64 - kRefBits); }
  bool operator==(const PackedNode&) const = default;

 private:
  std::uint64_t word(std::size_t at) const {
    std::uint64_t value;
    std::memcpy(&value, bytes + at, sizeof value);
    return value;
  }
};
static_assert(sizeof(PackedNode) == 10);

inline PackedNode pack(NodeRef lo, NodeRef hi) {
  const std::uint64_t low = lo | hi << kRefBits;
  const auto high = static_cast<std::uint16_t>(hi >> (64 - kRefBits));
  PackedNode node;
  std::memcpy(node.bytes, &low, sizeof low);
  std::memcpy(node.bytes + sizeof low, &high, sizeof high);
  return node;
}

/// What diagrams share and never change. Of one item nodes rise by (lo, hi); every node is reached
/// from the root, which is the last.
struct DiagramData {
  /// By item, then one more: the reference of its first node, which is one past the next item's
  /// last. Items fall as references rise, so `first.back()` is `kFirstNode`.
  std::vector<NodeRef> first = {kFirstNode};
  NodeRef root = kBottom;
  std::uint64_t nodes = 0;
  const PackedNode* packed = nullptr;  ///< of reference `kFirstNode` on
  std::shared_ptr<const void> keeper;  ///< what `packed` points into
  std::vector<std::string> names;      ///< of items, or none

  std::size_t items() const { return first.size() - 1; }
  const PackedNode& operator[](NodeRef ref) const { return packed[ref - kFirstNode]; }
  /// One past the last reference of an item.
  NodeRef end(std::size_t item) const { return item == 0 ? nodes + kFirstNode : first[item - 1]; }
  /// What a node asks for, which is `item` or one after it; `items()` for ⊥ and ⊤.
  std::size_t item_from(std::size_t item, NodeRef ref) const {
    while (item < items() && ref < first[item]) ++item;
    return item;
  }
  /// The same where nothing is known.
  std::size_t item_of(NodeRef ref) const {
    const auto at = std::ranges::partition_point(first, [&](NodeRef begin) { return begin > ref; });
    return std::min(static_cast<std::size_t>(at - first.begin()), items());
  }

  /// Makes these the nodes.
  void keep(kinjo::detail::GrowingArray<PackedNode>&& given);
};

}  // namespace kinjo::paths::detail
