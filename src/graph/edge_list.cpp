#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph.hpp>

#include "base/text.hpp"
#include "graph/graph_data.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph {

template <class Number>
BasicEdgeList<Number>::BasicEdgeList(std::uint64_t vertices, EdgeCount edges)
    : vertices_(vertices), size_(edges) {
  detail::check_vertices<Number>(vertices);
  if (edges == 0) return;
  constexpr EdgeCount kMost = ~EdgeCount{0} / sizeof(Edge) / 4;
  if (edges > kMost) {
    throw Error(Errc::out_of_memory,
                fmt::format("a list of {} edges exceeds the address space", edges));
  }
  const std::uint64_t bytes = edges * sizeof(Edge);
  detail::check_memory(fmt::format("a list of {} edges", edges), bytes);
  memory_ = detail::place(bytes, -1, Pages::transparent);
}

template <class Number>
void BasicEdgeList<Number>::set_vertices(std::uint64_t vertices) {
  detail::check_vertices<Number>(vertices);
  vertices_ = vertices;
}

template class BasicEdgeList<Vertex>;
template class BasicEdgeList<VertexId>;

}  // namespace kinjo::graph
