/// Kronecker graphs (Graph500 specification, section 3) and uniform ones: edge i is made of stream
/// i of random numbers alone (graph/random.hpp), so that any thread makes any part of a list.
///
/// An edge goes down `scale` levels of a square cut into quarters A B over C D. Of each level a
/// random r in 32 bits chooses: the lower half, which is a bit of `from`, if r ≥ A + B; the right
/// one, which is a bit of `to`, if r lies in B or D.
#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/random.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph {

namespace {

constexpr unsigned kMostScale = 31;

EdgeCount edges_of(unsigned scale, std::uint64_t edge_factor) {
  if (scale > kMostScale) {
    throw Error(Errc::invalid_argument,
                fmt::format("scale {}: expected at most {}, since vertices are numbered in 32 bits",
                            scale, kMostScale));
  }
  const std::uint64_t most = ~std::uint64_t{0} >> (scale + 4);
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

struct KroneckerEdge {
  Seeds seeds;
  unsigned scale;

  Edge operator()(std::uint64_t i) const {
    detail::Stream random(seeds, i);
    Edge e;
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

}  // namespace

EdgeList generate(Team& team, const Kronecker& rule, const Seeds& seeds) {
  const EdgeCount edges = edges_of(rule.scale, rule.edge_factor);
  const std::uint64_t n = std::uint64_t{1} << rule.scale;
  const KroneckerEdge edge{seeds, rule.scale};
  if (rule.labels == Labels::plain) return detail::write_list(team, n, edges, edge);
  const detail::Permutation label(n, seeds);
  return detail::write_list(team, n, edges, [&](std::uint64_t i) {
    const Edge e = edge(i);
    return Edge{static_cast<Vertex>(label(e.from)), static_cast<Vertex>(label(e.to))};
  });
}

EdgeList generate(Team& team, const Uniform& rule, const Seeds& seeds) {
  const EdgeCount edges = edges_of(rule.scale, rule.edge_factor);
  const std::uint64_t n = std::uint64_t{1} << rule.scale;
  return detail::write_list(team, n, edges, [&](std::uint64_t i) {
    detail::Stream random(seeds, i);
    const auto from = static_cast<Vertex>(random.below(n));
    return Edge{from, static_cast<Vertex>(random.below(n))};
  });
}

}  // namespace kinjo::graph
