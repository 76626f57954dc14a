/// A look at a `/sys` and `/proc` tree before hwloc sees it: hwloc takes the lists in it for a
/// kernel's own, and aborts on what no kernel writes.
#pragma once

#include <optional>
#include <string>

namespace kinjo::detail {

/// Checks that `root` holds a machine and that its lists of CPUs and nodes are lists. Returns the
/// first fault, with the file and what was expected, or nothing.
std::optional<std::string> find_tree_fault(const std::string& root);

/// The last part of it: a directory of nodes, if there is one, must name some by its entries, with
/// a list of them or without.
std::optional<std::string> find_node_fault(const std::string& root);

}  // namespace kinjo::detail
