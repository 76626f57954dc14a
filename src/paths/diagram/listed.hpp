/// Diagrams as other programs list them: nodes with numbers of their own, branches that leave out
/// items, perhaps more nodes than needed.
#pragma once

#include <cstdint>
#include <vector>

#include <kinjo/diagram.hpp>

namespace kinjo::paths::detail {

/// A node whose children are `kBottom`, `kTop` or `kFirstNode` + the place in the list of a node
/// before it, of a later item.
struct ListedNode {
  Item item;
  NodeRef lo, hi;
};

/// The reduced diagram of what the root leads to. Takes 16 bytes for each node besides the list.
Diagram reduce_list(std::size_t items, const std::vector<ListedNode>& nodes, NodeRef root);

}  // namespace kinjo::paths::detail
