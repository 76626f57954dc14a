/// SAPPORO's lists of nodes (`ZBDD::Export`, `ZBDD_Import`; Minato's BDD packages): words, of which
/// a line for each node, after those that its branches lead to.
///
///     _i LEVELS
///     _o FAMILIES
///     _n NODES
///     ID LEVEL LO HI          LO and HI: F for no set, T for the empty set alone, or a node's ID
///     ROOT                    the same, for each family
///
/// The greatest level is asked for first. Node IDs are even; an odd number is the family of the
/// node before it with the empty set besides.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/whole_file.hpp"
#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// `items`: 0 for as many as there are levels. Throws `Error` (`cannot read 'NAME': line N: …`).
Diagram parse_sapporo(std::string_view text, const std::string& name, std::size_t items);

/// The text in pieces, without odd numbers. `diagram` must live as long.
kinjo::detail::NextPiece sapporo_text(const DiagramData& diagram);

}  // namespace kinjo::paths::detail
