/// Graphillion's lists of nodes (`setset.dump`, `load`): a line for each node, later elements
/// first, and the root last.
///
///     ID ELEMENT LO HI        LO and HI: B for no set, T for the empty set alone, or a node's ID
///     .
///
/// `B` or `T` alone in place of the nodes are families without any. Elements are counted from 1,
/// which is asked for first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/whole_file.hpp"
#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// `items`: 0 for the greatest element. Throws `Error` (`cannot read 'NAME': line N: …`).
Diagram parse_graphillion(std::string_view text, const std::string& name, std::size_t items);

/// The text in pieces. `diagram` must live as long.
kinjo::detail::NextPiece graphillion_text(const DiagramData& diagram);

}  // namespace kinjo::paths::detail
