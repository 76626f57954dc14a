/// Numbers, teams and problems for tests of the solver's parts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/sdp.hpp>
#include <kinjo/topology.hpp>

#include "base/random.hpp"

namespace kinjo::test {

/// As many threads as are asked for, on whatever CPUs there are.
inline Mapping sdp_mapping(std::size_t threads) {
  return Mapping(Topology::this_machine(), Policy::scatter(), threads, Oversubscribe::wrap);
}

/// Numbers in [−1, 1) and below a bound: the same everywhere.
class Draw : public detail::Random {
 public:
  using Random::Random;
  double number() { return uniform(); }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> all(count);
    for (double& v : all) v = number();
    return all;
  }
};

/// n × n, symmetric.
inline std::vector<double> symmetric(Draw& draw, std::size_t n) {
  std::vector<double> a(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) a[j * n + i] = a[i * n + j] = draw.number();
  }
  return a;
}

/// n × n, symmetric, of eigenvalues between about 1 and n: a symmetric one with a heavy diagonal.
inline std::vector<double> definite(Draw& draw, std::size_t n) {
  std::vector<double> a = symmetric(draw, n);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = 1.5 + 2 * std::sqrt(static_cast<double>(n));
  return a;
}

/// A problem, and what is known of its solution.
struct KnownProblem {
  const char* name;
  sdp::Problem problem;
  sdp::Status status;
  double value = 0;  ///< of the optimum
};

/// min x + y over x ≥ 1, y ≥ 2, x + y ≥ 4: 4.
inline sdp::Problem small_linear_program() {
  sdp::ProblemBuilder builder({{3, sdp::BlockKind::diagonal}}, {1, 1});
  const double lower[] = {1, 2, 4};
  for (std::size_t i = 0; i < 3; ++i) builder.add(0, 0, i, i, lower[i]);
  for (const std::size_t i : {0, 2}) builder.add(1, 0, i, i, 1);
  for (const std::size_t i : {1, 2}) builder.add(2, 0, i, i, 1);
  return builder.finish();
}

/// min −t over A − t I ⪰ 0 for A = tridiag(−1, 2, −1): −λmin(A) = 2 cos(π/(n + 1)) − 2.
inline sdp::Problem least_eigenvalue_problem(std::uint32_t n) {
  sdp::ProblemBuilder builder({{n, sdp::BlockKind::symmetric}}, {-1});
  for (std::size_t i = 0; i < n; ++i) {
    builder.add(0, 0, i, i, -2);
    if (i > 0) builder.add(0, 0, i - 1, i, 1);
    builder.add(1, 0, i, i, -1);
  }
  return builder.finish();
}

/// Lovász' ϑ of the cycle of n vertices, n odd: n cos(π/n) / (1 + cos(π/n)), √5 for n = 5.
inline sdp::Problem theta_of_cycle(std::uint32_t n) {
  std::vector<double> costs(n + 1, 0.0);
  costs[0] = 1;
  sdp::ProblemBuilder builder({{n, sdp::BlockKind::symmetric}}, costs);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) builder.add(0, 0, i, j, 1);
    builder.add(1, 0, i, i, 1);
    builder.add(2 + i, 0, i, (i + 1) % n, 1);
  }
  return builder.finish();
}

/// How many entries the matrices of a random problem have.
struct Densities {
  std::size_t dense = 2;    ///< matrices that are full in every block
  std::size_t empty = 0;    ///< and without any entry, with c_i = 0
  std::size_t entries = 3;  ///< of the others, in one block or two
};

/// A problem of which both sides have interior points: Y = I, and X = 3 I for some x.
inline sdp::Problem random_problem(Draw& draw, const std::vector<sdp::Block>& blocks,
                                   std::size_t constraints, const Densities& densities) {
  std::vector<double> costs(constraints, 0.0);
  std::vector<sdp::Entry> entries;
  std::vector<std::size_t> matrices;
  const auto add = [&](std::size_t matrix, std::size_t b, std::size_t i, std::size_t j) {
    const auto [low, high] = std::minmax(i, j);
    entries.push_back({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(low),
                       static_cast<std::uint32_t>(high), draw.number()});
    matrices.push_back(matrix);
    if (i == j) costs[matrix - 1] += entries.back().value;
  };
  for (std::size_t k = 1 + densities.empty; k <= constraints; ++k) {
    if (k <= densities.empty + densities.dense) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (std::size_t j = 0; j < blocks[b].order; ++j) {
          const bool diagonal = blocks[b].kind == sdp::BlockKind::diagonal;
          for (std::size_t i = diagonal ? j : 0; i <= j; ++i) add(k, b, i, j);
        }
      }
      continue;
    }
    for (std::size_t e = 0, b = 0; e < densities.entries; ++e) {
      if (e % 4 == 0) {
        do b = draw.below(blocks.size());
        while (blocks[b].order == 0);
      }
      const std::size_t i = draw.below(blocks[b].order), j = draw.below(blocks[b].order);
      add(k, b, i, blocks[b].kind == sdp::BlockKind::diagonal ? i : j);
    }
  }
  sdp::ProblemBuilder builder(blocks, costs);
  const std::vector<double> x = draw.numbers(constraints);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const sdp::Entry& at = entries[e];
    builder.add(matrices[e], at.block, at.row, at.column, at.value);
    builder.add(0, at.block, at.row, at.column, at.value * x[matrices[e] - 1]);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t i = 0; i < blocks[b].order; ++i) builder.add(0, b, i, i, -3);
  }
  return builder.finish();
}

}  // namespace kinjo::test
