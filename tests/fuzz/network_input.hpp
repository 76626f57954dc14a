/// What the targets of networks' parsers share.
#pragma once

#include <cstdlib>
#include <string_view>

#include <kinjo/network.hpp>

#include "fuzz/graph_input.hpp"

namespace kinjo::test {

/// Every edge's ends must be vertices, which are found by their names.
inline void check(const paths::Network& network) {
  std::size_t looked_up = 0;
  for (const paths::Edge& e : network.edges) {
    if (e.from >= network.vertices || e.to >= network.vertices) std::abort();
    if (++looked_up <= 8 && network.vertex(network.name(e.from)) != e.from) std::abort();
  }
}

}  // namespace kinjo::test
