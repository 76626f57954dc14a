/// What is computed of one cone, against the formulas, for cones of every kind.
#include "sdp/state.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/serial.hpp"
#include "sdp/solver_samples.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;
using test::sdp_mapping;
using Second = ConeState::Second;

constexpr std::size_t kConstraints = 9;

/// How the matrices of a cone look.
enum class Look { dense, sparse, sparse_and_rank_one };

struct Kind {
  const char* name;
  std::size_t order;
  Look look;
  bool sparse;
  std::size_t threads;
};
constexpr Kind kKinds[] = {{"SmallDense", 7, Look::dense, false, 1},
                           {"SmallSparse", 20, Look::sparse, false, 1},
                           {"Dense", 60, Look::dense, false, 2},
                           {"FewEntries", 70, Look::sparse, false, 1},
                           {"FewEntriesAndRankOne", 70, Look::sparse_and_rank_one, false, 2},
                           {"SparseFactor", 130, Look::sparse, true, 2},
                           {"LargeAndRankOne", 130, Look::sparse_and_rank_one, false, 1}};

/// F_0 = −8 I and a chain, so that X ≻ 0 for small x.
Cone make_cone(Draw& draw, const Kind& kind) {
  const auto n = static_cast<std::uint32_t>(kind.order);
  ProblemBuilder builder({{n, BlockKind::symmetric}}, std::vector<double>(kConstraints, 1.0));
  for (std::size_t i = 0; i < n; ++i) {
    builder.add(0, 0, i, i, -8);
    builder.add(0, 0, i, std::min<std::size_t>(i + 1, n - 1), 1);
  }
  const std::vector<double> v = draw.numbers(n);
  for (std::size_t k = 1; k <= kConstraints; ++k) {
    const bool outer = kind.look == Look::sparse_and_rank_one && k % 4 == 0;
    if (outer || kind.look == Look::dense) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i <= j; ++i) {
          builder.add(k, 0, i, j, outer ? v[i] * v[j] / (k == 4 ? 1 : -2) : draw.number());
        }
      }
      continue;
    }
    for (std::size_t e = 0; e < 5; ++e)
      builder.add(k, 0, draw.below(n), draw.below(n), draw.number());
  }
  return make_model(builder.finish()).cones.at(0);
}

class SdpState : public testing::TestWithParam<Kind> {
 protected:
  SdpState() {
    state_.allocate();
    state_.start(2, 3);
    state_.y() = test::definite(draw_, n_);
    // X moves from 2 I by a step that is not a whole one, so that something is left of the rest.
    state_.find_rest(x_);
    state_.set_dx(std::vector<double>(kConstraints, 0.0), Primal::infeasible);
    state_.step(0.25, 0);
  }

  /// Σ F_i factors[i] + constant · F_0
  Square combination(const std::vector<double>& factors, double constant) const {
    Square sum(n_ * n_);
    const auto add = [&](const Term& t, double factor) {
      sum[t.column * n_ + t.row] += factor * t.value;
      if (t.row != t.column) sum[t.row * n_ + t.column] += factor * t.value;
    };
    for (const Term& t : cone_.constant) add(t, constant);
    for (std::size_t k = 0; k < cone_.constraints.size(); ++k) {
      for (std::size_t e = cone_.begins[k]; e < cone_.begins[k + 1]; ++e) {
        add(cone_.term(e), factors[cone_.constraints[k]]);
      }
    }
    return sum;
  }
  Square product(const Square& a, const Square& b) const {
    Square c(n_ * n_);
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t k = 0; k < n_; ++k) {
        const double factor = b[j * n_ + k];
        for (std::size_t i = 0; i < n_; ++i) c[j * n_ + i] += factor * a[k * n_ + i];
      }
    }
    return c;
  }
  /// a + factor · b
  static Square sum(const Square& a, double factor, const Square& b) {
    Square c = a;
    for (std::size_t k = 0; k < c.size(); ++k) c[k] += factor * b[k];
    return c;
  }
  /// The symmetric part of X⁻¹ M.
  Square by_inverse(const Square& m) const {
    const Square p = product(inverse_, m);
    Square s(p.size());
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t i = 0; i < n_; ++i) s[j * n_ + i] = (p[j * n_ + i] + p[i * n_ + j]) / 2;
    }
    return s;
  }
  void expect_near(const Square& found, const Square& expected, const char* what) const {
    ASSERT_EQ(found.size(), expected.size());
    double size = 1, most = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      size = std::max(size, std::abs(expected[k]));
      most = std::max(most, std::abs(found[k] - expected[k]));
    }
    EXPECT_LT(most, 1e-12 * size) << what;
  }
  /// Factors and X⁻¹, which is kept.
  void prepare() {
    ASSERT_TRUE(state_.factorise(crew_));
    state_.invert(crew_);
    inverse_ = state_.inverse();
    Square unit(n_ * n_);
    for (std::size_t i = 0; i < n_; ++i) unit[i * n_ + i] = 1;
    expect_near(product(state_.x(), inverse_), unit, "the inverse");
  }
  /// Predictor and corrector from where the state is.
  void expect_directions(Primal primal, const Square& rest);

  Draw draw_{static_cast<std::uint64_t>(GetParam().order)};
  const std::size_t n_ = GetParam().order;
  const Cone cone_ = make_cone(draw_, GetParam());
  Team team_{sdp_mapping(GetParam().threads)};
  const Crew crew_{team_};
  ConeState state_{cone_};
  std::vector<double> x_ = std::vector<double>(kConstraints, 0.05);
  Square inverse_;
};

void SdpState::expect_directions(Primal primal, const Square& rest) {
  const Square y = state_.y();
  const auto dx1 = draw_.numbers(kConstraints), dx2 = draw_.numbers(kConstraints);
  state_.find_fixed(crew_, primal, Second::none, dx1);
  expect_near(sum(Square(n_ * n_), -1, by_inverse(product(rest, y))), state_.fixed(),
              "what is fixed of the predictor");
  state_.set_dx(dx1, primal);
  const Square moved = sum(rest, 1, combination(dx1, 0));
  expect_near(state_.dx(), moved, "dX of the predictor");
  state_.set_dy(crew_, 0, primal, Second::none, dx1);
  const Square turned = sum(sum(Square(n_ * n_), -1, y), -1, by_inverse(product(moved, y)));
  expect_near(state_.dy(), turned, "dY of the predictor");

  const Square second = product(state_.dx(), state_.dy());
  state_.find_fixed(crew_, primal, Second::predictor, dx1);
  expect_near(state_.fixed(),
              sum(Square(n_ * n_), -1, by_inverse(sum(second, 1, product(rest, y)))),
              "what is fixed of the corrector");
  state_.set_dx(dx2, primal);
  const Square dX = sum(rest, 1, combination(dx2, 0));
  expect_near(state_.dx(), dX, "dX of the corrector");
  const double target = 0.375;
  state_.set_dy(crew_, target, primal, Second::predictor, dx2);
  Square dY = sum(sum(Square(n_ * n_), target, inverse_), -1, y);
  dY = sum(dY, -1, by_inverse(sum(second, 1, product(dX, y))));
  expect_near(state_.dy(), dY, "dY of the corrector");

  state_.add_direction(crew_, dx1);
  expect_near(state_.dx(), sum(dX, 1, combination(dx1, 0)), "dX and a correction");
  expect_near(state_.dy(), sum(dY, -1, by_inverse(product(combination(dx1, 0), y))),
              "dY and a correction");
}

TEST_P(SdpState, IsOfTheKindThatItShouldBe) {
  EXPECT_EQ(state_.order(), GetParam().order);
  EXPECT_EQ(state_.sparse(), GetParam().sparse);
  EXPECT_GE(state_.bytes(), 8u * 8u * n_ * n_);
}

TEST_P(SdpState, FindsDirectionsWhileTheRestIsNotNought) {
  Square rest = sum(combination(x_, -1), -1, state_.x());
  double square = 0;
  for (const double v : rest) square += v * v;
  EXPECT_NEAR(state_.find_rest(x_), square, 1e-12 * square);
  EXPECT_GT(square, 1);
  prepare();
  expect_directions(Primal::infeasible, rest);
}

TEST_P(SdpState, FindsDirectionsOnceXIsFeasible) {
  state_.set_x(x_);
  expect_near(state_.x(), combination(x_, -1), "X");
  prepare();
  expect_directions(Primal::feasible, Square(n_ * n_));
}

TEST_P(SdpState, AddsProductsWithItsMatrices) {
  const Square w = test::symmetric(draw_, n_);
  std::vector<double> sums(kConstraints, 1.0);
  state_.add_products(w, -2, sums);
  for (std::size_t i = 0; i < kConstraints; ++i) {
    std::vector<double> unit(kConstraints, 0.0);
    unit[i] = 1;
    const Square f = combination(unit, 0);
    double expected = 1;
    for (std::size_t k = 0; k < f.size(); ++k) expected -= 2 * f[k] * w[k];
    EXPECT_NEAR(sums[i], expected, 1e-11);
  }
  const Square constant = combination(std::vector<double>(kConstraints, 0.0), 1);
  double expected = 0;
  for (std::size_t k = 0; k < constant.size(); ++k) expected += constant[k] * state_.y()[k];
  EXPECT_NEAR(state_.constant_product(), expected, 1e-11 * std::abs(expected));
}

/// λmin(L⁻¹ D L⁻ᵀ) for A = L Lᵀ.
double least_of(std::size_t n, Square a, Square d) {
  EXPECT_TRUE(factorise(n, a.data(), n));
  solve_lower(n, n, a.data(), n, d.data(), n);
  solve_rows(n, n, a.data(), n, d.data(), n);
  std::vector<double> values(n);
  EXPECT_TRUE(eigenvalues(n, d.data(), values.data()));
  return values[0];
}

void expect_bound(double found, double exact, const char* what) {
  ASSERT_LT(exact, -0.55) << "the sample says nothing";
  EXPECT_LE(found, exact + 1e-9 * std::abs(exact)) << what;
  EXPECT_GE(found, exact + 0.021 * exact) << what;
}

TEST_P(SdpState, KnowsHowFarItMayGo) {
  for (const Primal primal : {Primal::infeasible, Primal::feasible}) {
    if (primal == Primal::feasible) state_.set_x(x_);
    state_.find_rest(x_);
    prepare();
    std::vector<double> dx = draw_.numbers(kConstraints);
    for (double& v : dx) v *= 40;
    state_.find_fixed(crew_, primal, Second::none, dx);
    state_.set_dx(dx, primal);
    state_.set_dy(crew_, 0, primal, Second::none, dx);
    expect_bound(state_.least_primal(crew_), least_of(n_, state_.x(), state_.dx()), "X");
    expect_bound(state_.least_dual(crew_), least_of(n_, state_.y(), state_.dy()), "Y");
  }
}

TEST_P(SdpState, StepsAndSaysWhenItHasLeftItsCone) {
  state_.set_x(x_);
  prepare();
  const std::vector<double> dx(kConstraints, 1.0);
  state_.find_fixed(crew_, Primal::feasible, Second::none, dx);
  state_.set_dx(dx, Primal::feasible);
  state_.set_dy(crew_, 0, Primal::feasible, Second::none, dx);
  const Square x = state_.x(), y = state_.y();
  const double far = -1.5 / least_of(n_, y, state_.dy());
  state_.step(0.001, 0.5 * far);
  expect_near(state_.x(), sum(x, 0.001, state_.dx()), "X");
  expect_near(state_.y(), sum(y, 0.5 * far, state_.dy()), "Y");
  EXPECT_TRUE(state_.factorise(crew_));
  state_.step(0, 0.5 * far);
  EXPECT_FALSE(state_.factorise(crew_)) << "Y has gone too far";
  state_.y() = y;
  EXPECT_TRUE(state_.factorise(crew_));
  state_.x()[0] = -1;
  EXPECT_FALSE(state_.factorise(crew_)) << "X is not definite";
}

INSTANTIATE_TEST_SUITE_P(Kinds, SdpState, testing::ValuesIn(kKinds),
                         [](const auto& suite) -> std::string { return suite.param.name; });

}  // namespace
}  // namespace kinjo::sdp::detail
