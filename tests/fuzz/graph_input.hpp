/// What the targets of graphs' parsers share.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <kinjo/error.hpp>
#include <kinjo/graph.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::test {

/// One thread, the caller's own.
inline Team& team() {
  static Team alone(Mapping(Topology::this_machine(), Policy::none(), 1),
                    {.caller = Caller::joins});
  return alone;
}

/// Calls a parser: nothing may come out but an `Error` that begins with the input's name, or one
/// about memory.
template <class Parse>
int try_graph(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try {
    parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const Error& error) {
    const bool is_named = std::string_view(error.what()).starts_with("cannot read 'input': ");
    if (!is_named && error.code() != Errc::out_of_memory) std::abort();
  }
  return 0;
}

/// The same with numbers of 32 bits and of 64: `parse(text, Number{})`.
template <class Parse>
int try_graph_in_both_widths(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try_graph(data, size, [&](std::string_view text) { parse(text, graph::Vertex{}); });
  return try_graph(data, size, [&](std::string_view text) { parse(text, graph::VertexId{}); });
}

/// Every edge's ends must be vertices.
template <class Number>
void check(const graph::BasicEdgeList<Number>& edges) {
  for (const auto& e : edges.all()) {
    if (e.from >= edges.vertices() || e.to >= edges.vertices()) std::abort();
  }
}

}  // namespace kinjo::test
