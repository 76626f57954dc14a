/// The check passes products that are right, and finds what is wrong.
#include <kinjo/error.hpp>

#include "gemm/matrices.hpp"
#include "support/expect.hpp"

namespace kinjo::gemm {
namespace {

using test::kOrders;
using test::Matrix;

template <class T>
class VerifyOf : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VerifyOf, Types);

template <class T>
struct Sample {
  Matrix<T> a, b, before, c;
  Sample(std::size_t m, std::size_t n, std::size_t k, Order order)
      : a(m, k, order, 1, 1),
        b(k, n, Order::row_major, 0, 2),
        before(m, n, order, 2, 3),
        c(before) {
    multiply(T(1.5), View<const T>(a.view()), View<const T>(b.view()), T(-0.5), c.view());
  }
  Check check(const CheckOptions& options = {}) {
    return verify_gemm<T>(T(1.5), a.view(), b.view(), T(-0.5), before.view(), c.view(), options);
  }
};

TYPED_TEST(VerifyOf, APassingProductIsFarFromItsBound) {
  for (const Order order : kOrders) {
    for (const std::size_t k : {1, 40, 700}) {
      Sample<TypeParam> s(90, 130, k, order);
      const Check check = s.check();
      EXPECT_TRUE(check.passed()) << check.fault;
      EXPECT_GT(check.worst_sample, 0);
      EXPECT_LT(check.worst_sample, 1);
      EXPECT_LT(check.worst_row, 0.5);
    }
  }
}

TYPED_TEST(VerifyOf, OneWrongElementIsFoundWithoutSamples) {
  using T = TypeParam;
  Sample<T> s(60, 50, 40, Order::row_major);
  T& element = *s.c.view().at(17, 33);
  element += 2000 * std::numeric_limits<T>::epsilon() * 40;
  const Check check = s.check({.samples = 0, .rounds = 1});
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.fault.substr(0, 30), "row 17 fails Freivalds' test: ");
}

TYPED_TEST(VerifyOf, ASampleNamesTheElement) {
  using T = TypeParam;
  Sample<T> s(1, 1, 3, Order::column_major);
  *s.c.view().at(0, 0) = 100;
  const Check check = s.check({.samples = 1, .rounds = 0});
  EXPECT_EQ(check.fault.substr(0, 31), "element (0, 0) is 100: expected");
}

TYPED_TEST(VerifyOf, ExchangedRowsAreFound) {
  using T = TypeParam;
  Sample<T> s(20, 20, 20, Order::row_major);
  for (std::size_t j = 0; j < 20; ++j) std::swap(*s.c.view().at(3, j), *s.c.view().at(4, j));
  EXPECT_FALSE(s.check({.samples = 0, .rounds = 2}).passed());
}

TYPED_TEST(VerifyOf, ARowThatIsNotFiniteIsAFault) {
  using T = TypeParam;
  Sample<T> s(20, 20, 20, Order::row_major);
  *s.c.view().at(19, 0) = std::numeric_limits<T>::quiet_NaN();
  EXPECT_FALSE(s.check({.samples = 0, .rounds = 1}).passed());
}

TYPED_TEST(VerifyOf, BetaZeroNeedsNoOldContent) {
  using T = TypeParam;
  Sample<T> s(20, 30, 10, Order::row_major);
  multiply(T(2), View<const T>(s.a.view()), View<const T>(s.b.view()), T(0), s.c.view());
  const Check check = verify_gemm<T>(T(2), s.a.view(), s.b.view(), T(0), {}, s.c.view());
  EXPECT_TRUE(check.passed()) << check.fault;
}

TEST(Verify, RefusesAnOldContentOfAnotherShape) {
  Sample<double> s(4, 5, 3, Order::row_major);
  EXPECT_EQ(test::error_of(
                [&] { verify_gemm<double>(1, s.a.view(), s.b.view(), 1, s.a.view(), s.c.view()); }),
            "invalid_argument: gemm: C's old content is 4 × 3: expected 4 × 5, as C");
}

TEST(PlacedMatrix, HasLinesThatLieApartByAnOddNumberOfCacheLines) {
  Team team = test::make_team(2);
  for (const std::size_t columns : {1, 8, 9, 512, 513}) {
    PlacedMatrix<double> m(team, 10, columns);
    EXPECT_EQ(m.view().ld % 16, 8u);
    EXPECT_GE(m.view().ld, columns);
    EXPECT_EQ(m.array().size(), 10 * m.view().ld);
  }
}

}  // namespace
}  // namespace kinjo::gemm
