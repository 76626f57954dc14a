/// Dense linear algebra over teams, against its definition.
#include "sdp/dense.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/solver_samples.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;
using test::sdp_mapping;

/// max |L Lᵀ − A| over the lower triangle, for L in the lower triangle by rows.
double factor_error(std::size_t n, const std::vector<double>& l, std::size_t ld,
                    const std::vector<double>& a) {
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum += l[i * ld + k] * l[j * ld + k];
      most = std::max(most, std::abs(sum - a[i * ld + j]));
    }
  }
  return most;
}

/// n rows of ld, of which the first n numbers are a definite matrix.
std::vector<double> padded(Draw& draw, std::size_t n, std::size_t ld) {
  const std::vector<double> a = test::definite(draw, n);
  std::vector<double> wide(n * ld, 555);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(&a[i * n], n, &wide[i * ld]);
  return wide;
}

class SdpDense : public testing::TestWithParam<std::size_t> {
 protected:
  Team team_{sdp_mapping(GetParam())};
  Crew crew_{team_};
};

TEST_P(SdpDense, CholeskyGivesTheFactorAndLeavesTheUpperTriangle) {
  Draw draw(1);
  for (const std::size_t n : {1ul, 2ul, 5ul, kTile - 1, kTile, kTile + 1, 2 * kTile, 2 * kTile + 1,
                              3 * kTile - 1, 3 * kTile, 4 * kTile + 1, 5 * kTile + 3}) {
    for (const std::size_t ld : {n, n + 7}) {
      const std::vector<double> a = padded(draw, n, ld);
      std::vector<double> l = a;
      ASSERT_TRUE(cholesky(crew_, n, l.data(), ld)) << n;
      EXPECT_LT(factor_error(n, l, ld, a), 1e-12) << n << " by " << ld;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < ld; ++j) ASSERT_EQ(l[i * ld + j], a[i * ld + j]);
      }
    }
  }
}

/// In which tile a matrix shows that it is not definite, the last column included.
TEST_P(SdpDense, CholeskyEndsWithFalseWhereverAMatrixIsNotDefinite) {
  Draw draw(2);
  for (const std::size_t n : {3ul, kTile + 2, 2 * kTile + 5, 4 * kTile + 9}) {
    const std::vector<double> a = test::definite(draw, n);
    for (std::size_t at = 0; at < n; at += kTile / 2) {
      for (const std::size_t row : {at, n - 1 - at}) {
        std::vector<double> broken = a;
        broken[row * n + row] = -1;
        ASSERT_FALSE(cholesky(crew_, n, broken.data(), n)) << row << " of " << n;
      }
    }
  }
}

/// A thread that has seen a failure must not leave while another waits for it.
TEST_P(SdpDense, CholeskyNeverHangsOnMatricesThatAreNotDefinite) {
  Draw draw(3);
  const std::size_t n = 3 * kTile + 1;
  const std::vector<double> a = test::definite(draw, n);
  std::vector<double> broken(a.size());
  for (int round = 0; round < 300; ++round) {
    const bool good = round % 5 == 0;
    broken = a;
    if (!good) broken[draw.below(n) * (n + 1)] = -1e-3;
    ASSERT_EQ(cholesky(crew_, n, broken.data(), n), good) << "round " << round;
  }
}

TEST_P(SdpDense, CholeskyOfASingularMatrixThatIsExactIsFalse) {
  for (const std::size_t n : {2ul, 3 * kTile}) {
    std::vector<double> ones(n * n, 1.0);
    EXPECT_FALSE(cholesky(crew_, n, ones.data(), n));
    std::vector<double> zeros(n * n, 0.0);
    EXPECT_FALSE(cholesky(crew_, n, zeros.data(), n));
  }
}

TEST_P(SdpDense, InvertGivesAllOfTheInverse) {
  Draw draw(4);
  for (const std::size_t n :
       {1ul, 2ul, 6ul, kTile / 2, kTile, kTile + 1, 2 * kTile, 2 * kTile + 1, 3 * kTile + 1}) {
    const std::size_t ld = n + 3;
    const std::vector<double> a = padded(draw, n, ld);
    std::vector<double> l = a, inverse(n * n, 777);
    ASSERT_TRUE(cholesky(crew_, n, l.data(), ld));
    invert(crew_, n, l.data(), ld, inverse.data());
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        ASSERT_EQ(inverse[i * n + j], inverse[j * n + i]);
        double sum = i == j ? -1 : 0;
        for (std::size_t k = 0; k < n; ++k) sum += a[i * ld + k] * inverse[j * n + k];
        most = std::max(most, std::abs(sum));
      }
    }
    EXPECT_LT(most, 1e-13) << n;
  }
}

TEST_P(SdpDense, MultiplyIsAlphaABPlusBetaCByColumns) {
  Draw draw(5);
  for (const std::size_t n : {1ul, 2ul, 9ul, 63ul, 64ul, 65ul, kTile + 1}) {
    for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {2.0, 1.0}, {-1.0, 0.5}}) {
      const auto a = draw.numbers(n * n), b = draw.numbers(n * n), c = draw.numbers(n * n);
      std::vector<double> result = c;
      if (beta == 0) std::ranges::fill(result, std::nan(""));  // not read
      multiply(crew_, n, alpha, a.data(), b.data(), beta, result.data());
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < n; ++k) sum += a[k * n + i] * b[j * n + k];
          ASSERT_NEAR(result[j * n + i], alpha * sum + beta * c[j * n + i], 1e-12) << n;
        }
      }
    }
  }
}

TEST_P(SdpDense, MirrorCopiesTheUpperTriangleByRows) {
  Draw draw(6);
  for (const std::size_t n : {1ul, 2ul, kTile - 1, kTile, kTile + 1, 3 * kTile + 5}) {
    const std::size_t ld = n + 2;
    const std::vector<double> a = draw.numbers(n * ld);
    std::vector<double> m = a;
    mirror(crew_, n, m.data(), ld);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < ld; ++j) {
        ASSERT_EQ(m[i * ld + j], j < n ? a[std::min(i, j) * ld + std::max(i, j)] : a[i * ld + j]);
      }
    }
  }
}

/// Of orders at which threads share the work, and the last digit.
TEST_P(SdpDense, GivesTheSameBitsAsOneThread) {
  Draw draw(10);
  Team single(sdp_mapping(1));
  const Crew alone(single);
  for (const std::size_t n : {200ul, 2 * kTile, 2 * kTile + 1, 4 * kTile + 9, 1030ul}) {
    const auto a = test::definite(draw, n), x = draw.numbers(n);
    const auto run = [&](const Crew& crew) {
      std::vector<double> l = a, inverse(n * n), product(n * n), y(n), forward = x, backward = x;
      EXPECT_TRUE(cholesky(crew, n, l.data(), n));
      invert(crew, n, l.data(), n, inverse.data());
      multiply(crew, n, 1, a.data(), inverse.data(), 0, product.data());
      multiply_vector(crew, n, a.data(), x.data(), y.data());
      solve_lower(crew, n, l.data(), forward.data());
      solve_lower_transposed(crew, n, l.data(), backward.data());
      return std::array{l, inverse, product, y, forward, backward};
    };
    EXPECT_TRUE(run(crew_) == run(alone)) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, SdpDense, testing::Values(1, 2, 3));

TEST(SdpDenseAlone, DoesWithoutATeam) {
  Draw draw(7);
  const std::size_t n = 3 * kTile + 2;
  const std::vector<double> a = test::definite(draw, n);
  std::vector<double> l = a;
  ASSERT_TRUE(cholesky(Crew(), n, l.data(), n));
  EXPECT_LT(factor_error(n, l, n, a), 1e-12);
}

TEST(SdpCrew, GivesEveryTaskToOneThreadAndEveryRangeToOnePart) {
  for (const std::size_t threads : {1, 2, 3}) {
    Team team(sdp_mapping(threads));
    const Crew crew(team);
    EXPECT_EQ(crew.size(), threads);
    for (const double operations : {1.0, 1e9}) {
      for (const std::size_t count : {0, 1, 2, 17, 1000}) {
        std::vector<int> done(count, 0);
        crew.each(count, operations, [&](std::size_t task, std::size_t thread) {
          EXPECT_LT(thread, threads);
          ++done[task];
        });
        EXPECT_EQ(done, std::vector<int>(count, 1));
        for (const std::size_t least : {1, 5, 100}) {
          std::ranges::fill(done, 0);
          crew.ranges(count, least, operations, [&](std::size_t from, std::size_t to, std::size_t) {
            EXPECT_GE(to - from, std::min(count, least));
            for (std::size_t i = from; i < to; ++i) ++done[i];
          });
          EXPECT_EQ(done, std::vector<int>(count, 1));
        }
      }
    }
  }
}

Topology two_nodes() { return Topology::from("synthetic:pack:2 numa:1 core:1 pu:1"); }

TEST(SdpCrew, GivesEveryTaskToOneThreadThoughOneNodeHasMost) {
  const Topology machine = two_nodes();
  if ((machine.allowed_cpus() & Topology::this_machine().allowed_cpus()).count() < 2) {
    GTEST_SKIP() << "CPUs 0 and 1 are not both allowed";
  }
  Team team(Mapping(machine, Policy::scatter(), 2));
  ASSERT_EQ(team.mapping().nodes().size(), 2u);
  const Crew crew(team);
  for (const std::size_t count : {0, 1, 2, 17, 1000}) {
    for (const std::size_t rare : {1, 2, 7}) {
      std::vector<int> done(count, 0);
      const auto owner = [&](std::size_t task) { return task % rare == 0 ? 0u : 1u; };
      crew.each_near(count, 1e9, owner, [&](std::size_t task, std::size_t) { ++done[task]; });
      EXPECT_EQ(done, std::vector<int>(count, 1));
    }
  }
}

TEST(SdpCrew, GivesAThreadWhatIsOnItsNodeFirst) {
  const Topology machine = two_nodes();
  if ((machine.allowed_cpus() & Topology::this_machine().allowed_cpus()).count() < 2) {
    GTEST_SKIP() << "CPUs 0 and 1 are not both allowed";
  }
  Team team(Mapping(machine, Policy::scatter(), 2));
  // Neither thread goes on before the other has its first task.
  std::atomic<int> begun = 0;
  std::array<std::atomic<int>, 2> first = {-1, -1};
  Crew(team).each_near(
      8, 1e9, [](std::size_t task) { return task < 4 ? 0u : 1u; },
      [&](std::size_t task, std::size_t thread) {
        if (first[thread] != -1) return;
        first[thread] = static_cast<int>(task);
        for (++begun; begun < 2;) std::this_thread::yield();
      });
  EXPECT_EQ(first[0], 0);
  EXPECT_EQ(first[1], 4);
}

}  // namespace
}  // namespace kinjo::sdp::detail
