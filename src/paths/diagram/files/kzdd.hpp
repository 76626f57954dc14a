/// kinjo's own file of a diagram, whose arrays are used where they lie:
///
///     head     "kinjo-zd", then numbers of 64 bits: version (1), items, nodes, root, bytes of the
///              names, check sum of the nodes
///     first    for each item, and one more: the reference of its first node
///     names    of items, each ended by a byte 0; or nothing
///     check    of all bytes before it, at the next multiple of 8
///     nodes    at the next multiple of 64, 10 bytes each: lo and hi in 40 bits
///
/// All numbers are little-endian; the bytes between are 0.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/diagram_files.hpp>

#include "paths/diagram/data.hpp"

namespace kinjo::paths::detail {

constexpr std::string_view kKzddMagic = "kinjo-zd";

/// A diagram whose nodes are in `bytes`, which must stay. Throws `Error` (`cannot read 'NAME': …`).
std::shared_ptr<DiagramData> parse_kzdd(std::string_view bytes, const std::string& name,
                                        Trust trust);

/// The bytes of a file before its nodes.
std::string kzdd_head(const DiagramData& diagram);

}  // namespace kinjo::paths::detail
