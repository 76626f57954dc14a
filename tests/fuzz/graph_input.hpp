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

/// Every edge's ends must be vertices.
inline void check(const graph::EdgeList& edges) {
  for (const graph::Edge& e : edges.all()) {
    if (e.from >= edges.vertices() || e.to >= edges.vertices()) std::abort();
  }
}

}  // namespace kinjo::test
