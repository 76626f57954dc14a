/// Text of a diagram, some nodes at a time: it may be far longer than the diagram.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/whole_file.hpp"
#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

/// Writes the line of a node of `item`.
using WriteLine = void (*)(fmt::memory_buffer& out, const DiagramData& diagram, std::size_t item,
                           NodeRef ref);

/// A head, the lines of all nodes, those that branches lead to first, and a tail, in pieces of
/// 64 KiB. `diagram` must live as long.
kinjo::detail::NextPiece node_lines(const DiagramData& diagram, std::string head, WriteLine line,
                                    std::string tail);

}  // namespace kinjo::paths::detail
