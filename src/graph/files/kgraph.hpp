/// kinjo's own file of a built graph: what a `GraphData` has, section behind section, to be mapped.
///
///     head     "kinjo-gr", then numbers of 64 bits: version (2, or 3 with ids), sense, order,
///              vertices, entries, input edges, parts, bytes of the head; with ids the universe
///     parts    begin, end, shift of row starts: for each part
///     table    offset, bytes, check sum: for each section
///     check    of all bytes of the head before it
///     sections each at a multiple of 64 bytes: to_caller, to_internal, input_degrees, with ids
///              these, then of each part low, base, targets, columns; those that the graph lacks
///              have 0 bytes
///
/// All numbers are little-endian.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/graph_files.hpp>

#include "graph/graph_data.hpp"

namespace kinjo::graph::detail {

/// A check sum of bytes, as if zeros followed up to a multiple of 32: four lanes of multiply and
/// fold, so that it is as fast as memory. It finds damage, not malice.
std::uint64_t check_sum(std::string_view bytes);

/// A graph whose arrays are in `bytes`, which must begin at a multiple of 8 and stay. Throws
/// `Error`
/// (`cannot read 'NAME': …`).
std::unique_ptr<GraphData> parse_kgraph(std::string_view bytes, const std::string& name,
                                        Trust trust);

/// The pieces of a file, in order. The first is `head`, the others are the graph's own.
std::vector<std::string_view> kgraph_pieces(const Graph& graph, std::string& head);

}  // namespace kinjo::graph::detail
