/// Problems to try: random ones that are small enough to be solved by definition, and grids.
#pragma once

#include <array>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/paths.hpp>

namespace kinjo::paths::test {

inline constexpr Kind kKinds[] = {
    Kind::path,   Kind::cycle,         Kind::hamiltonian_path, Kind::hamiltonian_cycle,
    Kind::forest, Kind::spanning_tree, Kind::matching,         Kind::components,
    Kind::degrees};

/// Paths of a grid of so many squares a side from corner to corner.
inline Problem corner_to_corner(unsigned squares) {
  Network network = network_by_rule(fmt::format("grid:{}", squares)).network;
  const Vertex last = network.vertices - 1;
  return {.network = std::move(network), .from = 0, .to = last};
}

/// Draws problems of one kind: up to 7 vertices and 11 edges, repeated ones among them, vertices
/// without edges, several components, vertices to visit and to avoid, and any order of edges.
class ProblemSource {
 public:
  explicit ProblemSource(Kind kind) : kind_(kind), random_(static_cast<unsigned>(kind) + 1) {}

  Problem next() {
    Problem problem{.kind = kind_};
    Network& network = problem.network;
    network.vertices = 2 + below(6);
    const unsigned edges = below(12);
    while (network.edges.size() < edges) {
      const Edge edge{below(network.vertices), below(network.vertices)};
      if (edge.from != edge.to) network.edges.push_back(edge);
    }
    problem.from = below(network.vertices);
    problem.to = below(network.vertices);
    if (kind_ == Kind::hamiltonian_path && problem.from == problem.to) {
      problem.to = (problem.from + 1) % network.vertices;
    }
    const bool visits = kind_ == Kind::cycle || kind_ == Kind::path;
    if (visits && below(3) == 0) problem.through.push_back(below(network.vertices));
    if (below(3) == 0) avoid(problem, below(network.vertices));
    if (kind_ == Kind::components) problem.components = 1 + below(3);
    if (kind_ == Kind::degrees) problem.degrees = {below(3), below(4)};
    problem.order = std::array{EdgeOrder::given, EdgeOrder::breadth, EdgeOrder::frontier,
                               EdgeOrder::automatic}[below(4)];
    return problem;
  }

 private:
  unsigned below(unsigned limit) {
    return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_);
  }
  static void avoid(Problem& problem, Vertex v) {
    if (v == problem.from || v == problem.to) return;
    if (!problem.through.empty() && v == problem.through.front()) return;
    problem.avoid.push_back(v);
  }

  Kind kind_;
  std::mt19937 random_;
};

}  // namespace kinjo::paths::test
