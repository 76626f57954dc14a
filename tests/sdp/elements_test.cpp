/// ELEMENTS against the plain formula, B_ij = tr(F_i X⁻¹ F_j Y), in long double.
#include "sdp/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/solver_samples.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Densities;
using test::Draw;
using test::random_problem;
using test::sdp_mapping;

/// A model with matrices X⁻¹ and Y for it. They need not be definite here.
struct Sample {
  Model model;
  std::vector<std::vector<double>> inverses, duals;
  std::vector<double> x, y;

  Sample(Draw& draw, const Problem& problem) : model(make_model(problem)) {
    for (const Cone& cone : model.cones) {
      inverses.push_back(test::symmetric(draw, cone.order()));
      duals.push_back(test::symmetric(draw, cone.order()));
    }
    x = draw.numbers(model.linear.order());
    for (double& v : x) v += 1.5;
    y = draw.numbers(model.linear.order());
  }
  std::vector<ConeMatrices> matrices() const {
    std::vector<ConeMatrices> all;
    for (std::size_t c = 0; c < inverses.size(); ++c) {
      all.push_back({inverses[c].data(), duals[c].data()});
    }
    return all;
  }
};

/// B by its definition, m × m, and for each element the sum of what was added up, without signs
/// and at most.
struct Expected {
  std::vector<long double> b, most;
};

/// X⁻¹ F Y for one matrix of a cone.
std::vector<long double> product(std::size_t n, const Term* begin, const Term* end,
                                 const std::vector<double>& inverse,
                                 const std::vector<double>& dual) {
  std::vector<long double> right(n * n), all(n * n);
  std::vector<char> touched(n, 0);
  const auto add = [&](Index row, Index column, double value) {
    touched[row] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      right[row * n + k] += static_cast<long double>(value) * dual[column * n + k];
    }
  };
  for (const Term* t = begin; t != end; ++t) {
    add(t->row, t->column, t->value);
    if (t->row != t->column) add(t->column, t->row, t->value);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < n; ++r) {
      if (!touched[r]) continue;
      const long double factor = inverse[i * n + r];
      for (std::size_t k = 0; k < n; ++k) all[i * n + k] += factor * right[r * n + k];
    }
  }
  return all;
}

double size_of(const Term* begin, const Term* end) {
  double sum = 0;
  for (const Term* t = begin; t != end; ++t) sum += 2 * std::abs(t->value);
  return sum;
}

void add_cone(const Cone& cone, const std::vector<double>& inverse, const std::vector<double>& dual,
              std::size_t m, Expected& expected) {
  const std::size_t n = cone.order();
  std::vector<Term> terms;
  for (std::size_t e = 0; e < cone.values.size(); ++e) terms.push_back(cone.term(e));
  const auto begin = [&](std::size_t k) { return terms.data() + cone.begins[k]; };
  for (std::size_t j = 0; j < cone.constraints.size(); ++j) {
    const auto u = product(n, begin(j), begin(j + 1), inverse, dual);
    for (std::size_t i = 0; i < cone.constraints.size(); ++i) {
      long double sum = 0;
      for (const Term* t = begin(i); t != begin(i + 1); ++t) {
        sum += t->value * u[t->row * n + t->column];
        if (t->row != t->column) sum += t->value * u[t->column * n + t->row];
      }
      const std::size_t at = cone.constraints[i] * m + cone.constraints[j];
      expected.b[at] += sum;
      expected.most[at] += size_of(begin(i), begin(i + 1)) * size_of(begin(j), begin(j + 1));
    }
  }
}

Expected expected_of(const Sample& s) {
  const std::size_t m = s.model.constraints;
  Expected expected{std::vector<long double>(m * m), std::vector<long double>(m * m)};
  for (std::size_t c = 0; c < s.model.cones.size(); ++c) {
    add_cone(s.model.cones[c], s.inverses[c], s.duals[c], m, expected);
  }
  const Linear& linear = s.model.linear;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t e = linear.begins[i]; e < linear.begins[i + 1]; ++e) {
        for (std::size_t f = linear.begins[j]; f < linear.begins[j + 1]; ++f) {
          const Linear::Item &a = linear.items[e], &b = linear.items[f];
          if (a.row != b.row) continue;
          const long double term =
              static_cast<long double>(a.value) * b.value * s.y[a.row] / s.x[a.row];
          expected.b[i * m + j] += term;
          expected.most[i * m + j] += std::abs(term);
        }
      }
    }
  }
  return expected;
}

struct Found {
  std::vector<double> values;
  std::array<std::uint64_t, 3> formulas;
  bool sparse;
};

/// B as a team computes it, compared with what is expected where that is given.
Found compute(const Mapping& mapping, const Sample& s, const Expected* expected) {
  Team team(mapping);
  const Crew crew(team);
  Schur schur(s.model);
  schur.allocate(team);
  Elements elements(s.model, schur, crew);
  elements.allocate();
  const auto matrices = s.matrices();
  elements.compute(schur, matrices, s.x, s.y);  // twice: what was there must not stay
  elements.compute(schur, matrices, s.x, s.y);
  const std::size_t m = s.model.constraints;
  for (Index i = 0; expected && i < m; ++i) {
    for (Index j = 0; j <= i; ++j) {
      if (schur.sparse() && expected->most[i * m + j] == 0) continue;
      EXPECT_NEAR(schur.values()[schur.place(i, j)], static_cast<double>(expected->b[i * m + j]),
                  static_cast<double>(2e-15L * expected->most[i * m + j]))
          << i << ", " << j;
      EXPECT_EQ(schur.place(i, j), schur.place(j, i));
    }
  }
  Found found{{}, elements.formulas(), schur.sparse()};
  if (schur.sparse()) {
    found.values.assign(schur.values(), schur.values() + schur.size());
  } else {
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j <= i; ++j) found.values.push_back(schur.at(i, j));
    }
  }
  return found;
}

/// A thread on each of two nodes, which each get copies of what all read; none where CPUs 0 and 1
/// are not both allowed.
std::optional<Mapping> two_nodes() {
  const Topology machine = Topology::from("synthetic:pack:2 numa:1 core:1 pu:1");
  const CpuSet both = machine.allowed_cpus() & Topology::this_machine().allowed_cpus();
  if (both.count() < 2) return std::nullopt;
  return Mapping(machine, Policy::scatter(), 2);
}

/// What teams of one and of two threads find, on one node and on two.
Found expect_right(const Sample& s) {
  const Expected expected = expected_of(s);
  Found one = compute(sdp_mapping(1), s, &expected);
  const Found two = compute(sdp_mapping(2), s, &expected);
  EXPECT_TRUE(one.values == two.values) << "one and two threads differ";
  if (const auto mapping = two_nodes()) {
    EXPECT_TRUE(one.values == compute(*mapping, s, &expected).values) << "two nodes differ";
  }
  return one;
}

struct Case {
  const char* name;
  std::vector<Block> blocks;
  std::size_t constraints;
  Densities densities;
};

const std::vector<Case>& cases() {
  constexpr BlockKind kSymmetric = BlockKind::symmetric, kDiagonal = BlockKind::diagonal;
  static const std::vector<Case> all = {
      {"one constraint", {{3, kSymmetric}}, 1, {.dense = 1}},
      {"one of each density", {{20, kSymmetric}}, 12, {.dense = 2, .entries = 4}},
      {"all dense", {{9, kSymmetric}, {2, kDiagonal}}, 17, {.dense = 17}},
      {"single entries", {{30, kSymmetric}}, 60, {.dense = 0, .entries = 1}},
      {"several rows each", {{30, kSymmetric}}, 40, {.dense = 3, .entries = 4}},
      {"many cones",
       {{4, kSymmetric}, {1, kSymmetric}, {7, kSymmetric}, {12, kSymmetric}, {5, kDiagonal}},
       50,
       {.dense = 2, .empty = 1, .entries = 9}},
      {"linear alone", {{15, kDiagonal}}, 30, {.dense = 3, .entries = 2}},
      {"more constraints than go through the pool",
       {{24, kSymmetric}},
       290,
       {.dense = 5, .entries = 3}},
      {"the same beside other cones",
       {{24, kSymmetric}, {6, kSymmetric}, {4, kDiagonal}},
       280,
       {.dense = 260, .empty = 2, .entries = 4}}};
  return all;
}

TEST(SdpElements, AreThePlainFormulaForAnyDensityAndTeam) {
  Draw draw(1);
  std::array<std::uint64_t, 3> formulas{};
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Sample s(draw, random_problem(draw, c.blocks, c.constraints, c.densities));
    const Found found = expect_right(s);
    EXPECT_FALSE(found.sparse);
    std::uint64_t columns = 0, expected = 0;
    for (std::size_t f = 0; f < 3; ++f) {
      formulas[f] += found.formulas[f];
      columns += found.formulas[f];
    }
    for (const Cone& cone : s.model.cones) expected += cone.constraints.size();
    EXPECT_EQ(columns, expected);
  }
  for (std::size_t f = 0; f < 3; ++f) EXPECT_GT(formulas[f], 0u) << "F" << f + 1;
}

/// F_i = ±v vᵀ of 4 to n rows, and some that are not.
TEST(SdpElements, AreThePlainFormulaForMatricesOfRankOne) {
  Draw draw(2);
  const std::size_t n = 25, m = 40;
  ProblemBuilder builder({{n, BlockKind::symmetric}}, std::vector<double>(m, 1.0));
  for (std::size_t k = 1; k <= m; ++k) {
    std::vector<double> v(n, 0.0);
    for (std::size_t i = 0; i < 4 + k / 2; ++i) v[draw.below(n)] = draw.number();
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        const double value = v[i] * v[j];
        if (value != 0) builder.add(k, 0, i, j, k % 3 == 0 ? -value : value);
      }
    }
    if (k % 10 == 0) builder.add(k, 0, 1, 2, 1);
  }
  const Sample s(draw, builder.finish());
  const Found found = expect_right(s);
  EXPECT_GT(found.formulas[2], 20u);
}

/// Each block of three rows, and each inequality, joins a constraint with the next ones.
Problem chain(Draw& draw, std::size_t m) {
  std::vector<Block> blocks(m / 2, {3, BlockKind::symmetric});
  blocks.push_back({static_cast<std::uint32_t>(m), BlockKind::diagonal});
  ProblemBuilder builder(blocks, std::vector<double>(m, 1.0));
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t e = 0; e < 4; ++e) {
      builder.add(k + 1, k / 2, draw.below(3), draw.below(3), draw.number());
      if (k > 0) builder.add(k + 1, (k - 1) / 2, draw.below(3), draw.below(3), draw.number());
    }
    builder.add(k + 1, blocks.size() - 1, k, k, 1 + draw.number() / 2);
    builder.add(k + 1, blocks.size() - 1, k * 7 % m, k * 7 % m, draw.number());
  }
  return builder.finish();
}

TEST(SdpElements, AreThePlainFormulaWhereTheSchurComplementIsSparse) {
  Draw draw(3);
  const Sample s(draw, chain(draw, 420));
  const Found found = expect_right(s);
  EXPECT_TRUE(found.sparse);
  EXPECT_LT(found.values.size(), 420u * 50u);
}

/// Products so large that the team computes each together.
TEST(SdpElements, AreThePlainFormulaForALargeBlock) {
  Draw draw(4);
  const Problem problem =
      random_problem(draw, {{352, BlockKind::symmetric}}, 262, {.dense = 2, .entries = 1});
  const Sample s(draw, problem);
  ASSERT_EQ(s.model.cones.size(), 1u);
  const Expected expected = expected_of(s);
  for (const std::size_t threads : {1, 2}) {
    const Found found = compute(sdp_mapping(threads), s, &expected);
    EXPECT_GT(found.formulas[0], 0u);
  }
}

}  // namespace
}  // namespace kinjo::sdp::detail
