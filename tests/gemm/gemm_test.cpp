/// Products by the default plan, against the reference.
#include <kinjo/gemm.hpp>

#include <cmath>
#include <string>

#include "gemm/matrices.hpp"
#include "simd/level.hpp"

namespace kinjo::gemm {
namespace {

using test::bounds;
using test::is_near;
using test::kOrders;
using test::Matrix;

struct Size {
  std::size_t m, n, k;
};
// Around the tiles' sizes, with few rows left, in place and copied, one and several blocks of k.
constexpr Size kSizes[] = {
    {1, 1, 1},      {2, 3, 4},     {7, 5, 3},     {8, 8, 8},     {13, 9, 17},     {25, 24, 23},
    {47, 49, 48},   {64, 64, 64},  {65, 63, 1},   {1, 100, 50},  {100, 1, 50},    {131, 140, 9},
    {150, 139, 70}, {5, 6, 700},   {200, 3, 300}, {3, 200, 300}, {140, 130, 530}, {66, 67, 40},
    {68, 100, 37},  {80, 128, 33}, {65, 90, 30},  {97, 65, 20},  {35, 131, 21}};

template <class T>
class GemmOf : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GemmOf, Types);

/// All orders of one size. `products(check)` calls `check(name, f)` for each way to multiply, where
/// f takes the arguments of `multiply`.
template <class T, class Products>
void check_orders(const Size& s, T alpha, T beta, const Products& products) {
  for (const Order oa : kOrders) {
    for (const Order ob : kOrders) {
      for (const Order oc : kOrders) {
        const Matrix<T> a(s.m, s.k, oa, 3, 1), b(s.k, s.n, ob, 2, 2), start(s.m, s.n, oc, 5, 3);
        Matrix<T> bound = bounds(alpha, a, b, beta, start);
        Matrix<T> expected = start;
        multiply_reference(alpha, a.view(), b.view(), beta, expected.view());
        products([&](const std::string& way, const auto& multiply_by) {
          Matrix<T> c = start;
          multiply_by(alpha, a.view(), b.view(), beta, c.view());
          ASSERT_TRUE(is_near(c, expected, bound))
              << s.m << " × " << s.n << " × " << s.k << ' ' << to_string(oa) << ' ' << to_string(ob)
              << ' ' << to_string(oc) << ' ' << way;
        });
      }
    }
  }
}

const auto kAlone = [](auto... arguments) { multiply(arguments...); };

TYPED_TEST(GemmOf, AllOrdersIsTheReferencesProductAtEveryLevel) {
  using T = TypeParam;
  for (const Size& s : kSizes) {
    check_orders<T>(s, T(1.25), T(-0.5), [](const auto& check) {
      for (const SimdLevel level : simd_levels()) {
        const detail::ForcedLevel forced(level);
        check(to_string(level), kAlone);
      }
    });
  }
}

TYPED_TEST(GemmOf, FactorsZeroAndOneIsTheReferencesProduct) {
  using T = TypeParam;
  for (const Size& s : {Size{30, 29, 31}, Size{150, 145, 40}}) {
    for (const T alpha : {T(0), T(1), T(-2)}) {
      for (const T beta : {T(0), T(1), T(3)}) {
        check_orders<T>(s, alpha, beta, [](const auto& check) { check("alone", kAlone); });
      }
    }
  }
}

TYPED_TEST(GemmOf, ATeamIsTheReferencesProduct) {
  using T = TypeParam;
  for (const Size& s : kSizes) {
    check_orders<T>(s, T(0.75), T(2), [](const auto& check) {
      for (const std::size_t threads : {2, 3, 5}) {
        Team team = test::make_team(threads);
        check(std::to_string(threads) + " threads",
              [&](auto... arguments) { multiply(team, arguments...); });
      }
    });
  }
}

TYPED_TEST(GemmOf, AnyNumberOfThreadsGivesTheSameBitsAgain) {
  using T = TypeParam;
  const Size s{300, 280, 600};
  const Matrix<T> a(s.m, s.k, Order::row_major, 0, 1), b(s.k, s.n, Order::row_major, 0, 2);
  for (const std::size_t threads : {1, 2, 4}) {
    Team team = test::make_team(threads);
    Matrix<T> first(s.m, s.n, Order::row_major, 0, 3), second = first;
    multiply(team, T(1), a.view(), b.view(), T(1), first.view());
    multiply(team, T(1), a.view(), b.view(), T(1), second.view());
    EXPECT_EQ(first.all(), second.all());
  }
}

TYPED_TEST(GemmOf, BetaZeroDoesNotReadC) {
  using T = TypeParam;
  for (const std::size_t n : {5, 40, 170}) {
    const Matrix<T> a(n, n, Order::row_major, 1, 1), b(n, n, Order::row_major, 1, 2);
    Matrix<T> c(n, n, Order::row_major, 1, 3);
    c.fill(std::numeric_limits<T>::quiet_NaN());
    multiply(T(1), a.view(), b.view(), T(0), c.view());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) ASSERT_FALSE(std::isnan(*c.view().at(i, j)));
    }
    c.fill(std::numeric_limits<T>::quiet_NaN());
    multiply(T(0), a.view(), b.view(), T(0), c.view());
    EXPECT_EQ(*c.view().at(n - 1, n - 1), 0);
  }
}

TYPED_TEST(GemmOf, AlphaZeroReadsNeitherANorB) {
  using T = TypeParam;
  // A and B have no memory that could be read.
  T* const nowhere = reinterpret_cast<T*>(64);
  Matrix<T> c(10, 12, Order::column_major, 1, 3), before = c;
  multiply(T(0), View<const T>(nowhere, 10, 8), View<const T>(nowhere, 8, 12), T(2), c.view());
  EXPECT_EQ(*c.view().at(9, 11), 2 * *before.view().at(9, 11));
}

TYPED_TEST(GemmOf, NoInnerDimensionScalesC) {
  using T = TypeParam;
  Matrix<T> c(4, 5, Order::row_major, 0, 3), before = c;
  multiply(T(1), View<const T>(nullptr, 4, 0), View<const T>(nullptr, 0, 5), T(-1), c.view());
  EXPECT_EQ(*c.view().at(3, 4), -*before.view().at(3, 4));
}

TYPED_TEST(GemmOf, NoRowsIsNothing) {
  using T = TypeParam;
  multiply(T(1), View<const T>(nullptr, 0, 3), View<const T>(nullptr, 3, 0), T(0),
           View<T>(nullptr, 0, 0));
}

TYPED_TEST(GemmOf, NanAndInfinityReachTheirRowsAndColumnsOnly) {
  using T = TypeParam;
  for (const std::size_t n : {9, 70, 165}) {
    Matrix<T> a(n, n, Order::row_major, 0, 1), b(n, n, Order::row_major, 0, 2);
    Matrix<T> c(n, n, Order::row_major, 0, 3);
    *a.view().at(2, 3) = std::numeric_limits<T>::quiet_NaN();
    *b.view().at(1, 4) = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < n; ++i) *a.view().at(i, 1) = 0;  // 0 · ∞ is no number
    multiply(T(1), View<const T>(a.view()), View<const T>(b.view()), T(0), c.view());
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        ASSERT_EQ(std::isnan(*c.view().at(i, j)), i == 2 || j == 4) << n << ' ' << i << ' ' << j;
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::gemm
