/// Pictures of diagrams for Graphviz.
#pragma once

#include <string>

#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// An item's nodes stand in one row and bear its name, or its number; lo branches are dashed.
/// Branches to ⊥ are left out, but that of a family of no set.
std::string dot_text(const DiagramData& diagram);

}  // namespace kinjo::paths::detail
