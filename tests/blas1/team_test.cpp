/// BLAS-1 over teams of 1 to 8 threads, more than there may be CPUs.
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/blas1.hpp>

#include "blas1/samples.hpp"
#include "simd/level.hpp"
#include "support/expect.hpp"

namespace kinjo::blas1 {
namespace {

using test::bits_of;
using test::error_of;
using test::number;
using test::numbers;

/// So many doubles are dealt to the threads even of a team that has to be woken.
constexpr std::size_t kMany = 300'007;

Team make_team(std::size_t threads) {
  const Topology& machine = Topology::this_machine();
  return Team(Mapping(machine, Policy::scatter(), threads, Oversubscribe::wrap));
}

template <class T>
void fill(PartitionedArray<T>& array, std::size_t first = 0) {
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = number<T>(first + i);
}

constexpr ArrayOptions kLayouts[] = {{.layout = Layout::block},
                                     {.layout = Layout::cyclic},
                                     {.layout = Layout::block_cyclic, .chunk = 3000}};

/// Every reproducible result as bits.
template <class T>
std::vector<std::uint64_t> results(Team& team, const PartitionedArray<T>& x,
                                   PartitionedArray<T>& y) {
  constexpr Mode kMode = Mode::reproducible;
  std::vector<std::uint64_t> all;
  for (T value : {sum(team, x, kMode), sum_of_squares(team, x, kMode), asum(team, x, kMode),
                  norm2(team, x, kMode), dot(team, x, y, kMode)}) {
    all.push_back(bits_of(value));
  }
  all.push_back(max_abs_index(team, x));
  axpy(team, static_cast<T>(1.1), x, y, kMode);
  scale(team, static_cast<T>(0.7), y);
  for (T value : y.all()) all.push_back(bits_of(value));
  return all;
}

template <class T>
std::vector<std::uint64_t> serial_results(std::size_t n) {
  constexpr Mode kMode = Mode::reproducible;
  const auto x = numbers<T>(n);
  auto y = numbers<T>(n, n);
  std::vector<std::uint64_t> all;
  for (T value : {sum(x, kMode), sum_of_squares(x, kMode), asum(x, kMode), norm2(x, kMode),
                  dot(x, y, kMode)}) {
    all.push_back(bits_of(value));
  }
  all.push_back(*max_abs_index(x));
  axpy(static_cast<T>(1.1), x, y, kMode);
  scale(static_cast<T>(0.7), y);
  for (T value : y) all.push_back(bits_of(value));
  return all;
}

template <class T>
void check_team(std::size_t threads, std::size_t n) {
  Team team = make_team(threads);
  for (const ArrayOptions& layout : kLayouts) {
    PartitionedArray<T> x(team, n, layout), y(team, n, layout);
    fill(x);
    fill(y, n);
    ASSERT_EQ(results(team, x, y), serial_results<T>(n))
        << n << " elements, " << threads << " threads, " << to_string(layout.layout);
  }
}

TEST(Blas1Team, ReproducibleResultsHaveTheBitsOfOneThreadForEveryTeamAndLayout) {
  for (std::size_t threads = 1; threads <= 8; ++threads) {
    for (std::size_t n : {1000, 70001}) {
      check_team<double>(threads, n);
      check_team<float>(threads, n);
    }
  }
}

TEST(Blas1Team, ReproducibleResultsHaveTheBitsOfOneThreadWhereTheTeamIsWoken) {
  check_team<double>(1, kMany);
  check_team<double>(3, kMany);
  check_team<float>(5, 2 * kMany);
}

TEST(Blas1Team, ReproducibleResultsDoNotDependOnTheLevel) {
  for (SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    check_team<double>(3, 50000);
  }
}

TEST(Blas1Team, UpToAQuarterMiBIsOneVectorHoweverItIsDealt) {
  for (const ArrayOptions& layout : kLayouts) {
    Team team = make_team(3);
    PartitionedArray<double> x(team, 32768, layout), half(team, 16384, layout);
    fill(x);
    fill(half, 5);
    EXPECT_EQ(bits_of(sum(team, x)), bits_of(sum(x.all())));
    EXPECT_EQ(bits_of(norm2(team, x)), bits_of(norm2(x.all())));
    EXPECT_EQ(bits_of(dot(team, half, half)), bits_of(dot(half.all(), half.all())));
  }
}

TEST(Blas1Team, FastSumsOfMoreAreThoseOfThePartsWhoeverWorksOnThem) {
  for (std::size_t n : {std::size_t{32769}, kMany}) {
    Team team = make_team(2);
    PartitionedArray<double> x(team, n);
    fill(x);
    const std::size_t middle = x.partition().piece(0, 0).end;
    const auto all = std::span<const double>(x.all());
    const double first = sum(all.first(middle)), second = sum(all.subspan(middle));
    EXPECT_EQ(bits_of(sum(team, x)), bits_of(first + second));
  }
}

TEST(Blas1Team, ReproducibleResultsDoNotDependOnHugePages) {
  Team team = make_team(2);
  PartitionedArray<double> x(team, 1 << 20, {.pages = Pages::transparent});
  fill(x);
  EXPECT_EQ(bits_of(sum(team, x, Mode::reproducible)),
            bits_of(sum(numbers<double>(1 << 20), Mode::reproducible)));
}

TEST(Blas1Team, FastResultsAreTheSameInEveryRun) {
  Team team = make_team(5);
  PartitionedArray<double> x(team, kMany), y(team, kMany);
  fill(x);
  fill(y, 7);
  const double sums = sum(team, x), products = dot(team, x, y);
  for (int run = 0; run < 20; ++run) {
    ASSERT_EQ(bits_of(sum(team, x)), bits_of(sums));
    ASSERT_EQ(bits_of(dot(team, x, y)), bits_of(products));
  }
}

TEST(Blas1Team, FastResultsAreRight) {
  for (std::size_t threads : {1, 3, 8}) {
    Team team = make_team(threads);
    PartitionedArray<double> x(team, kMany), y(team, kMany);
    fill(x);
    fill(y, kMany);
    test::CompensatedSum sums, magnitudes, squares, products;
    for (std::size_t i = 0; i < kMany; ++i) {
      sums.add(x[i]);
      magnitudes.add(std::abs(x[i]));
      squares.add_product(x[i], x[i]);
      products.add_product(x[i], y[i]);
    }
    const double bound = (kMany + 1) * test::kRoundoff<double>;
    EXPECT_LE(sums.distance(sum(team, x)), bound * sums.magnitude());
    EXPECT_LE(magnitudes.distance(asum(team, x)), bound * magnitudes.magnitude());
    EXPECT_LE(squares.distance(sum_of_squares(team, x)), bound * squares.magnitude());
    EXPECT_LE(products.distance(dot(team, x, y)), bound * products.magnitude());
  }
}

TEST(Blas1Team, CopiesBits) {
  Team team = make_team(3);
  PartitionedArray<float> x(team, kMany), y(team, kMany);
  fill(x);
  x[77] = std::numeric_limits<float>::quiet_NaN();
  copy(team, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(bits_of(y[i]), bits_of(x[i]));
}

TEST(Blas1Team, FindsTheFirstOfTheLargestAndTheFirstNotANumber) {
  for (const ArrayOptions& layout : kLayouts) {
    Team team = make_team(4);
    for (std::size_t n : {std::size_t{2000}, std::size_t{40000}, kMany}) {
      PartitionedArray<double> x(team, n, layout);
      EXPECT_EQ(max_abs_index(team, x), 0u);
      x[n / 4 * 3] = -3;
      x[n / 30] = 3;
      EXPECT_EQ(max_abs_index(team, x), n / 30);
      x[n / 4 * 3 + 1] = 4;
      EXPECT_EQ(max_abs_index(team, x), n / 4 * 3 + 1);
      x[n - 2] = x[n / 4] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_EQ(max_abs_index(team, x), n / 4);
    }
  }
}

TEST(Blas1Team, NormNeitherOverflowsNorUnderflows) {
  Team team = make_team(3);
  for (const double root : {64, 640}) {  // one vector, and the team's
    PartitionedArray<double> x(team, static_cast<std::size_t>(root * root));
    for (Mode mode : {Mode::fast, Mode::reproducible}) {
      for (double magnitude : {1e-310, 1e-200, 1.0, 1e200, 1e305}) {
        for (double& v : x.all()) v = magnitude;
        EXPECT_NEAR(norm2(team, x, mode) / (root * magnitude), 1, 1e-13);
      }
      for (double& v : x.all()) v = 0;
      EXPECT_EQ(norm2(team, x, mode), 0);
      x[4000] = -std::numeric_limits<double>::infinity();
      EXPECT_EQ(norm2(team, x, mode), std::numeric_limits<double>::infinity());
      x[1] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(std::isnan(norm2(team, x, mode)));
    }
  }
}

TEST(Blas1Team, WorksOnArraysOfAnotherTeam) {
  Team two = make_team(2), three = make_team(3);
  PartitionedArray<double> x(three, kMany);
  fill(x);
  const auto serial = numbers<double>(kMany);
  EXPECT_EQ(bits_of(sum(two, x, Mode::reproducible)), bits_of(sum(serial, Mode::reproducible)));
  EXPECT_EQ(bits_of(sum(two, x)), bits_of(sum(three, x)));
}

/// Every reproducible result of ordinary vectors as bits.
template <class T>
std::vector<std::uint64_t> view_results(Team& team, std::size_t n) {
  constexpr Mode kMode = Mode::reproducible;
  const auto x = numbers<T>(n);
  auto y = numbers<T>(n, n);
  std::vector<std::uint64_t> all;
  for (T value : {sum(team, x, kMode), sum_of_squares(team, x, kMode), asum(team, x, kMode),
                  norm2(team, x, kMode), dot(team, x, y, kMode)}) {
    all.push_back(bits_of(value));
  }
  all.push_back(*max_abs_index(team, x));
  axpy(team, static_cast<T>(1.1), x, y, kMode);
  scale(team, static_cast<T>(0.7), y);
  for (T value : y) all.push_back(bits_of(value));
  return all;
}

TEST(Blas1Team, TakesOrdinaryVectorsToTheSameBits) {
  for (std::size_t threads : {1, 2, 3, 8}) {
    Team team = make_team(threads);
    for (std::size_t n : {std::size_t{1}, std::size_t{513}, std::size_t{70001}, 2 * kMany}) {
      ASSERT_EQ(view_results<double>(team, n), serial_results<double>(n)) << n;
      ASSERT_EQ(view_results<float>(team, n), serial_results<float>(n)) << n;
    }
  }
}

template <class T>
void check_fast_axpy(Team& team, std::size_t n) {
  const T a = static_cast<T>(1.1);
  const auto x = numbers<T>(n), before = numbers<T>(n, n);
  auto alone = before, together = before;
  axpy(a, x, alone);
  axpy(team, a, x, together);
  ASSERT_EQ(together, alone) << n;
  for (const ArrayOptions& layout : kLayouts) {
    PartitionedArray<T> dealt(team, n, layout), y(team, n, layout);
    fill(dealt);
    fill(y, n);
    axpy(team, a, dealt, y);
    ASSERT_EQ(std::vector<T>(y.all().begin(), y.all().end()), alone) << n;
  }
}

TEST(Blas1Team, FastAxpyHasTheBitsOfOneThreadForEveryTeamAndLayoutAtEachLevel) {
  for (SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    for (std::size_t threads : {1, 3}) {
      Team team = make_team(threads);
      for (std::size_t n : {std::size_t{1000}, kMany}) {
        check_fast_axpy<double>(team, n);
        check_fast_axpy<float>(team, n);
      }
    }
  }
}

TEST(Blas1Team, FindsNothingInNoElements) {
  Team team = make_team(2);
  const std::vector<double> none;
  EXPECT_EQ(sum(team, none), 0);
  EXPECT_EQ(dot(team, none, none), 0);
  EXPECT_EQ(norm2(team, none), 0);
  EXPECT_EQ(max_abs_index(team, none), std::nullopt);
}

TEST(Blas1Team, CopiesOrdinaryVectors) {
  Team team = make_team(3);
  const auto x = numbers<double>(50001);
  std::vector<double> y(50001);
  copy(team, x, y);
  EXPECT_EQ(x, y);
}

TEST(Blas1Team, RefusesOrdinaryVectorsThatItCannotDeal) {
  Team team = make_team(2);
  std::vector<double> x(10), longer(11);
  EXPECT_EQ(error_of([&] { sum(team, View<const double>(x.data(), 5, 2)); }),
            "invalid_argument: sum: x has stride 2: a team takes contiguous vectors only");
  EXPECT_EQ(error_of([&] { dot(team, x, longer); }),
            "invalid_argument: dot: x has 10 elements and y has 11: expected as many");
  EXPECT_EQ(
      error_of([&] { copy(team, View<const double>(x.data(), 9), View<double>(x.data() + 1, 9)); }),
      "invalid_argument: copy: x and y overlap: they must be the same elements or share none");
}

TEST(Blas1Team, RefusesArraysThatAreDealtDifferently) {
  Team team = make_team(2);
  PartitionedArray<double> x(team, 3000), longer(team, 3001),
      cyclic(team, 3000, {.layout = Layout::cyclic});
  EXPECT_EQ(error_of([&] { dot(team, x, longer); }),
            "invalid_argument: dot: x (3000 elements, block over 2 parts, granules of 512) and y "
            "(3001 elements, block over 2 parts, granules of 512) are dealt differently: expected "
            "alike");
  EXPECT_EQ(error_of([&] { axpy(team, 1, x, cyclic); }),
            "invalid_argument: axpy: x (3000 elements, block over 2 parts, granules of 512) and y "
            "(3000 elements, cyclic over 2 parts, granules of 512) are dealt differently: expected "
            "alike");
}

}  // namespace
}  // namespace kinjo::blas1
