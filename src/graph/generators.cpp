/// Kronecker graphs (Graph500 specification, section 3) and uniform ones: edge i is made of stream
/// i of random numbers alone (graph/random.hpp), so that any thread makes any part of a list.
///
/// An edge goes down `scale` levels of a square cut into quarters A B over C D. Of each level a
/// random r in 32 bits chooses: the lower half, which is a bit of `from`, if r ≥ A + B; the right
/// one, which is a bit of `to`, if r lies in B or D.
#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/limits.hpp"
#include "graph/random.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph {

namespace {

template <class Number>
EdgeCount edges_of(unsigned scale, std::uint64_t edge_factor) {
  constexpr unsigned kMostScale = detail::kMostScale<Number>;
  if (scale > kMostScale) {
    throw Error(Errc::invalid_argument,
                fmt::format("scale {}: expected at most {}{}", scale, kMostScale,
                            sizeof(Number) == 4 ? ", since vertices are numbered in 32 bits" : ""));
  }
  const std::uint64_t most = detail::most_edge_factor(scale);
  if (edge_factor == 0 || edge_factor > most) {
    throw Error(Errc::invalid_argument,
                fmt::format("edge factor {}: expected 1 to {}", edge_factor, most));
  }
  return edge_factor << scale;
}

/// Half a random word decides a level: 32 bits are to A, B and C what Graph500's reference has too.
constexpr std::uint32_t share(double probability) {
  return static_cast<std::uint32_t>(probability * 0x1p32);
}
constexpr std::uint32_t kA = share(0.57), kAB = share(0.57 + 0.19),
                        kABC = share(0.57 + 0.19 + 0.19);

template <class Number>
struct KroneckerEdge {
  Seeds seeds;
  unsigned scale;

  BasicEdge<Number> operator()(std::uint64_t i) const {
    detail::Stream random(seeds, i);
    BasicEdge<Number> e;
    std::uint64_t word = 0;
    for (unsigned level = 0; level < scale; ++level) {
      word = level % 2 == 0 ? random.next() : word >> 32;
      const auto r = static_cast<std::uint32_t>(word);
      const unsigned low = r >= kAB;
      const unsigned right = (r >= kA) ^ low ^ (r >= kABC);
      e.from = e.from << 1 | low;
      e.to = e.to << 1 | right;
    }
    return e;
  }
};

template <class Number>
BasicEdgeList<Number> make(Team& team, const Kronecker& rule, const Seeds& seeds) {
  const EdgeCount edges = edges_of<Number>(rule.scale, rule.edge_factor);
  const std::uint64_t n = std::uint64_t{1} << rule.scale;
  const KroneckerEdge<Number> edge{seeds, rule.scale};
  if (rule.labels == Labels::plain) return detail::write_list<Number>(team, n, edges, edge);
  const detail::Permutation label(n, seeds);
  return detail::write_list<Number>(team, n, edges, [&](std::uint64_t i) {
    const BasicEdge<Number> e = edge(i);
    return BasicEdge<Number>{static_cast<Number>(label(e.from)), static_cast<Number>(label(e.to))};
  });
}

template <class Number>
BasicEdgeList<Number> make(Team& team, const Uniform& rule, const Seeds& seeds) {
  const EdgeCount edges = edges_of<Number>(rule.scale, rule.edge_factor);
  const std::uint64_t n = std::uint64_t{1} << rule.scale;
  return detail::write_list<Number>(team, n, edges, [&](std::uint64_t i) {
    detail::Stream random(seeds, i);
    const auto from = static_cast<Number>(random.below(n));
    return BasicEdge<Number>{from, static_cast<Number>(random.below(n))};
  });
}

template <class Rule>
AnyEdgeList make_any(Team& team, const Rule& rule, const Seeds& seeds, Width width) {
  const std::uint64_t vertices = std::uint64_t{1} << std::min(rule.scale, 63U);
  if (detail::needs_wide(vertices, width)) return make<VertexId>(team, rule, seeds);
  return make<Vertex>(team, rule, seeds);
}

}  // namespace

EdgeList generate(Team& team, const Kronecker& rule, const Seeds& seeds) {
  return make<Vertex>(team, rule, seeds);
}
EdgeList generate(Team& team, const Uniform& rule, const Seeds& seeds) {
  return make<Vertex>(team, rule, seeds);
}
AnyEdgeList generate(Team& team, const Kronecker& rule, const Seeds& seeds, Width width) {
  return make_any(team, rule, seeds, width);
}
AnyEdgeList generate(Team& team, const Uniform& rule, const Seeds& seeds, Width width) {
  return make_any(team, rule, seeds, width);
}

}  // namespace kinjo::graph
