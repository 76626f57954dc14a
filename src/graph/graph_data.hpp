/// What a `Graph` is made of.
#pragma once

#include <memory>
#include <vector>

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

struct GraphData {
  std::uint64_t vertices = 0;
  std::uint64_t universe = 0;  ///< numbers that callers use, where that is more
  EdgeCount entries = 0, input_edges = 0;
  Sense sense = Sense::symmetric;
  Order order = Order::caller;
  std::vector<Part> parts;
  std::span<const Vertex> to_caller, to_internal;
  std::span<const std::uint32_t> input_degrees;
  std::span<const VertexId> ids;

  /// What the above points into, where it is ours.
  std::vector<Buffer> memory;
  std::uint64_t given_back = 0;  ///< bytes of it
  std::vector<std::vector<EdgeCount>> bases;
  std::shared_ptr<const void> keeper;  ///< of a mapped file
};

/// The nodes' parts of n rows: as even as whole granules are, none empty unless n is 0.
std::vector<Part> cut_into_parts(std::uint64_t vertices, std::span<const int> nodes,
                                 std::size_t parts);

/// The greatest shift with which the rows of each base have fewer than 2^bits entries. `begins` has
/// one number more than there are rows.
unsigned base_shift(std::span<const EdgeCount> begins, unsigned bits);

/// An array, on a node as far as the kernel allows (−1: where it is touched first). `pages` are for
/// those that fill one at least.
Buffer place(std::uint64_t bytes, int node, Pages pages);

/// Gives the pages behind the first `bytes` back to the system; returns how many bytes these were.
std::uint64_t give_back(const Buffer& buffer, std::uint64_t bytes);

}  // namespace kinjo::graph::detail
