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
  *s.c.view().at(17, 33) += T(0.25);
  const Check check = s.check({.samples = 0, .rounds = 1});
  EXPECT_EQ(check.fault.substr(0, 30), "row 17 fails Freivalds' test: ");
}

TYPED_TEST(VerifyOf, AnElementBeyondItsBoundIsFoundInARowThatIsWithinItsOwn) {
  using T = TypeParam;
  Sample<T> s(60, 500, 40, Order::row_major);
  *s.c.view().at(17, 33) += 2 * 42 * std::numeric_limits<T>::epsilon() * 20;
  EXPECT_TRUE(s.check({.samples = 0, .rounds = 1, .rows = 0}).passed());
  EXPECT_EQ(s.check({.samples = 0, .rounds = 1, .rows = 1}).fault.substr(0, 19),
            "element (17, 33) is");
}

/// Some rows of a large product, whose bounds are those of the whole.
template <class T>
struct LargeRows {
  static constexpr std::size_t kRows = 24;
  std::size_t n;
  Matrix<T> a, b, c;
  explicit LargeRows(std::size_t size)
      : n(size),
        a(kRows, size, Order::row_major, 0, 1),
        b(size, size, Order::row_major, 0, 2),
        c(kRows, size, Order::row_major, 0, 3) {
    multiply(T(1), View<const T>(a.view()), View<const T>(b.view()), T(0), c.view());
  }
  Check check(const CheckOptions& options = {.samples = 0}) {
    return verify_gemm<T>(T(1), a.view(), b.view(), T(0), {}, c.view(), options);
  }
  /// An element's bound, and what 1 % of ‖a‖‖b‖ is, for numbers in ±1.
  double element_bound() const {
    const auto k = static_cast<double>(n);
    return (k + 2) * std::numeric_limits<T>::epsilon() / 2 * k / 4;
  }
  T one_percent() const { return static_cast<T>(n) / 300; }
};

TYPED_TEST(VerifyOf, ALargeRightProductIsFarFromItsBounds) {
  for (const std::size_t n : {1000, 4096}) {
    LargeRows<TypeParam> s(n);
    const Check check = s.check({});
    EXPECT_EQ(check.fault, "") << n;
    EXPECT_LT(check.worst_sample, 0.1);
    EXPECT_LT(check.worst_row, 1e-3);
  }
}

TYPED_TEST(VerifyOf, OneElementOfALargeProductIsFound) {
  using T = TypeParam;
  LargeRows<T> s(4096);
  T& element = *s.c.view().at(7, 1234);
  const T right = element;
  for (const T wrong : {T(0), right + s.one_percent(), right - s.one_percent(),
                        right + static_cast<T>(3 * s.element_bound())}) {
    element = wrong;
    EXPECT_FALSE(s.check().passed()) << right << " became " << wrong;
  }
  element = right;
  EXPECT_EQ(s.check().fault, "");
}

TYPED_TEST(VerifyOf, SeveralElementsOfALargeProductAreFound) {
  using T = TypeParam;
  for (const std::size_t wrong : {2, 16, 100, 2048}) {
    LargeRows<T> s(2048);
    for (std::size_t j = 0; j < wrong; ++j) *s.c.view().at(5, j * (2048 / wrong)) = 0;
    EXPECT_FALSE(s.check().passed()) << wrong;
  }
}

TYPED_TEST(VerifyOf, RightProductsOfAllSizesPass) {
  using T = TypeParam;
  for (std::size_t n = 1; n <= 300; n += n < 40 ? 1 : 13) {
    Sample<T> s(n, 301 - n, n, n % 2 == 0 ? Order::row_major : Order::column_major);
    const Check check = s.check({.samples = 20, .rounds = 2, .rows = 3});
    EXPECT_EQ(check.fault, "") << n;
    EXPECT_LT(check.worst_row, 0.6) << n;
  }
}

TYPED_TEST(VerifyOf, NumbersThatAreRoundedAllOneWayPass) {
  using T = TypeParam;
  const std::size_t n = 2000;
  const std::vector<T> a(3 * n, T(0.1)), b(n * n, T(0.7));
  std::vector<T> c(3 * n);
  const View<const T> av(a.data(), 3, n), bv(b.data(), n, n);
  multiply(T(1), av, bv, T(0), View<T>(c.data(), 3, n));
  EXPECT_EQ(verify_gemm<T>(T(1), av, bv, T(0), {}, View<const T>(c.data(), 3, n)).fault, "");
  c[n + 5] *= T(1.05);
  EXPECT_NE(verify_gemm<T>(T(1), av, bv, T(0), {}, View<const T>(c.data(), 3, n)).fault, "");
}

TEST(Verify, RefusesToCheckNothing) {
  Sample<double> s(4, 5, 3, Order::row_major);
  EXPECT_EQ(
      test::error_of([&] { s.check({.samples = 0, .rounds = 0}); }),
      "invalid_argument: gemm: a check of 0 samples and 0 rounds: expected one of them above 0");
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

/// What is said of C = α·A·B, each a number in all places.
template <class T>
Check check_constant(T alpha, T a, T b, T c) {
  const std::vector<T> as(6 * 5, a), bs(5 * 7, b), cs(6 * 7, c);
  return verify_gemm<T>(alpha, View<const T>(as.data(), 6, 5), View<const T>(bs.data(), 5, 7), T(0),
                        {}, View<const T>(cs.data(), 6, 7));
}

TYPED_TEST(VerifyOf, NanAndInfinityAreRightWhereTheFactorsGiveThem) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  const T large = std::sqrt(std::numeric_limits<T>::max()) * 2;
  struct Case {
    T alpha, a, b, c;
    bool passes;
  };
  for (const Case& s :
       {Case{1, nan, 1, nan, true},         Case{1, nan, 1, inf, false},
        Case{1, nan, 1, 5, false},          Case{1, inf, 0, nan, true},
        Case{1, inf, 1, inf, true},         Case{1, inf, 1, -inf, false},
        Case{-1, inf, 1, -inf, true},       Case{1, inf, 1, nan, false},
        Case{1, large, large, inf, true},   Case{1, large, large, -inf, false},
        Case{1, large, -large, -inf, true}, Case{1, large, large, nan, false},
        Case{1, large, large, 1, false},    Case{1, 1, 1, inf, false},
        Case{1, 1, 1, nan, false},          Case{1 / large, large, large, inf, true},
        Case{0, nan, nan, 0, true},         Case{0, nan, nan, nan, false},
        Case{inf, 0, 1, nan, true},         Case{inf, 1, 1, inf, true},
        Case{inf, 1, 1, 1, false},          Case{nan, 1, 1, inf, false},
        Case{nan, 1, 1, nan, true}}) {
    const Check check = check_constant<T>(s.alpha, s.a, s.b, s.c);
    EXPECT_EQ(check.passed(), s.passes)
        << s.alpha << " * " << s.a << " * " << s.b << " = " << s.c << ": " << check.fault;
  }
}

TYPED_TEST(VerifyOf, ProductsThatAreNotFinitePass) {
  using T = TypeParam;
  for (const T special : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                          std::numeric_limits<T>::max()}) {
    Sample<T> s(20, 20, 20, Order::row_major);
    *s.a.view().at(3, 5) = special;
    *s.before.view().at(9, 9) = special;
    s.c = s.before;
    multiply(T(1.5), View<const T>(s.a.view()), View<const T>(s.b.view()), T(-0.5), s.c.view());
    const Check check = s.check({.samples = 4000});
    EXPECT_TRUE(check.passed()) << special << ": " << check.fault;
    *s.c.view().at(1, 1) = special;  // where nothing gives it
    EXPECT_FALSE(s.check({.samples = 0}).passed()) << special;
  }
}

TYPED_TEST(VerifyOf, OneNumberOfBThatIsNotFiniteHidesNothingElsewhere) {
  using T = TypeParam;
  constexpr CheckOptions kRowsOnly = {.samples = 0, .rounds = 2};
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (const T special : {nan, inf, -inf}) {
    Sample<T> s(20, 20, 20, Order::row_major);
    *s.b.view().at(3, 5) = special;
    s.c = s.before;
    multiply(T(1.5), View<const T>(s.a.view()), View<const T>(s.b.view()), T(-0.5), s.c.view());
    EXPECT_EQ(s.check().fault, "") << special;
    *s.c.view().at(11, 13) += T(0.25);
    EXPECT_EQ(s.check(kRowsOnly).fault.substr(0, 30), "row 11 fails Freivalds' test: ") << special;
    *s.c.view().at(11, 5) = 7;
    EXPECT_EQ(s.check(kRowsOnly).fault, std::isnan(special)
                                            ? "element (11, 5) is 7: expected NaN"
                                            : "element (11, 5) is 7: expected NaN or infinite");
  }
}

/// One in a row, and one in each: of those rows the test leaves out that element alone.
TYPED_TEST(VerifyOf, OldNumbersThatAreNotFiniteHideNothingElsewhere) {
  using T = TypeParam;
  constexpr CheckOptions kRowsOnly = {.samples = 0, .rounds = 2};
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (const Order order : kOrders) {
    for (const T special : {nan, inf, -inf}) {
      for (const std::size_t rows : {1u, 30u}) {
        Sample<T> s(30, 4200, 20, order);
        for (std::size_t i = 0; i < rows; ++i) {
          *s.before.view().at((11 + i) % 30, 5) = special;
          *s.before.view().at((11 + i) % 30, 4150) = special;
        }
        s.c = s.before;
        multiply(T(1.5), View<const T>(s.a.view()), View<const T>(s.b.view()), T(-0.5), s.c.view());
        const Check right = s.check(kRowsOnly);
        EXPECT_EQ(right.fault, "") << special;
        EXPECT_LT(right.worst_row, 1);
        *s.c.view().at(11, 4151) += T(100);
        EXPECT_EQ(s.check(kRowsOnly).fault.substr(0, 30), "row 11 fails Freivalds' test: ")
            << special;
        *s.c.view().at(11, 4150) = 7;
        EXPECT_EQ(s.check(kRowsOnly).fault,
                  std::isnan(special) ? "element (11, 4150) is 7: expected NaN"
                                      : "element (11, 4150) is 7: expected NaN or infinite");
      }
    }
  }
}

TYPED_TEST(VerifyOf, AnInfiniteBetaLeavesNothingFinite) {
  using T = TypeParam;
  constexpr T inf = std::numeric_limits<T>::infinity();
  Sample<T> s(6, 5, 4, Order::row_major);
  s.c = s.before;
  multiply(T(1.5), View<const T>(s.a.view()), View<const T>(s.b.view()), inf, s.c.view());
  const auto check = [&] {
    return verify_gemm<T>(T(1.5), s.a.view(), s.b.view(), inf, s.before.view(), s.c.view()).fault;
  };
  EXPECT_EQ(check(), "");
  *s.c.view().at(2, 3) = 1;
  EXPECT_EQ(check(), "element (2, 3) is 1: expected NaN or infinite");
}

TYPED_TEST(VerifyOf, ProductsThatUnderflowAreRight) {
  using T = TypeParam;
  const T small = std::sqrt(std::numeric_limits<T>::min()) / 1000;
  for (const T alpha : {T(1), T(0.37), T(3e9), -1 / small}) {
    Sample<T> s(20, 30, 40, Order::row_major);
    for (auto* factor : {&s.a, &s.b}) {
      for (std::size_t i = 0; i < factor->view().rows; ++i) {
        for (std::size_t j = 0; j < factor->view().columns; ++j) *factor->view().at(i, j) *= small;
      }
    }
    multiply(alpha, View<const T>(s.a.view()), View<const T>(s.b.view()), T(0), s.c.view());
    const auto check = [&] {
      return verify_gemm<T>(alpha, s.a.view(), s.b.view(), T(0), {}, s.c.view()).fault;
    };
    EXPECT_EQ(check(), "") << alpha;
    *s.c.view().at(3, 4) += T(1);
    EXPECT_NE(check(), "") << alpha;
  }
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

TEST(PlacedMatrix, RefusesMoreElementsThanANumberCounts) {
  Team team = test::make_team(1);
  constexpr std::size_t kMost = static_cast<std::size_t>(-1);
  const auto fault = [&](std::size_t rows, std::size_t columns, Order order) {
    return test::error_of([&] { const PlacedMatrix<double> m(team, rows, columns, order); });
  };
  constexpr const char* kFault =
      "out_of_memory: an array of that many elements exceeds the address space";
  for (const std::size_t large : {kMost, kMost / 8 + 1, (kMost / 8 + 1) / 2 * 9}) {
    EXPECT_EQ(fault(large, 8, Order::row_major), kFault) << large;
    EXPECT_EQ(fault(8, large, Order::row_major), kFault) << large;
    EXPECT_EQ(fault(8, large, Order::column_major), kFault) << large;
  }
}

}  // namespace
}  // namespace kinjo::gemm
