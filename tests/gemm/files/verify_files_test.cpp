#include "gemm/files/verify_files.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "gemm/files/npy_files.hpp"

namespace kinjo::gemm {
namespace {

using kinjo::test::Scratch;
using test::npy_text;
using test::numbers;

constexpr std::size_t kM = 50, kK = 70, kN = 60;

/// A right product, of which the caller changes what he likes.
template <class T>
struct Sample {
  Scratch scratch;
  std::vector<T> a = numbers<T>(kM * kK, 1), b = numbers<T>(kK * kN, 2), c{std::vector<T>(kM * kN)};

  T alpha = 2;

  void multiply() {
    multiply_reference<T>(alpha, View<const T>(a.data(), kM, kK), View<const T>(b.data(), kK, kN),
                          T{0}, View<T>(c.data(), kM, kN));
  }
  Verification verify() const {
    return verify_files(static_cast<double>(alpha),
                        StoredMatrix(scratch.write("a", npy_text(kM, kK, a))),
                        StoredMatrix(scratch.write("b", npy_text(kK, kN, b))),
                        StoredMatrix(scratch.write("c", npy_text(kM, kN, c))), 1 << 16);
  }
};

template <class T>
class VerifyFiles : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(VerifyFiles, Types);

TYPED_TEST(VerifyFiles, ARightProductPassesWithRoomToSpare) {
  Sample<TypeParam> s;
  s.multiply();
  const Verification v = s.verify();
  EXPECT_EQ(v.fault, "");
  EXPECT_EQ(v.rows_tested, kM);
  EXPECT_EQ(v.elements, 16 * 16 + 2 * kN);
  EXPECT_GT(v.worst_element, 0);
  EXPECT_LT(v.worst_element, 1);
  EXPECT_LT(v.worst_row, 1);
}

TYPED_TEST(VerifyFiles, OneWrongElementAnywhereIsFound) {
  for (const std::size_t at : {std::size_t{0}, kN + 1, kM * kN / 2 + 3, kM * kN - 2}) {
    Sample<TypeParam> s;
    s.multiply();
    s.c[at] += TypeParam{0.25};
    EXPECT_NE(s.verify().fault, "") << at;
  }
}

/// A few rows of a large product, in either order.
TYPED_TEST(VerifyFiles, OneElementOfALargeProductIsFound) {
  using T = TypeParam;
  constexpr std::size_t kRows = 12, kInner = 800, kLong = 4096;
  std::vector<T> a(kRows * kInner), b(kInner * kLong), c(kRows * kLong);
  std::mt19937 random(1);
  std::uniform_real_distribution<T> small(T(-0.5), T(0.5));
  for (auto* factor : {&a, &b}) {
    for (T& v : *factor) v = small(random);
  }
  constexpr std::size_t kWrongRow = 7;
  for (const Order order : {Order::row_major, Order::column_major}) {
    const bool by_rows = order == Order::row_major;
    const auto npy = by_rows ? detail::NpyOrder::c : detail::NpyOrder::fortran;
    multiply(T(1), View<const T>(a.data(), kRows, kInner, order),
             View<const T>(b.data(), kInner, kLong, order), T(0),
             View<T>(c.data(), kRows, kLong, order));
    Scratch scratch;
    const StoredMatrix sa(scratch.write("a", npy_text(kRows, kInner, a, npy))),
        sb(scratch.write("b", npy_text(kInner, kLong, b, npy)));
    const auto verify = [&](std::size_t memory) {
      return verify_files(1, sa, sb,
                          StoredMatrix(scratch.write("c", npy_text(kRows, kLong, c, npy))), memory);
    };
    for (const std::size_t memory : {kLeastVerifyBytes, std::size_t{64} << 20}) {
      const Verification right = verify(memory);
      EXPECT_EQ(right.fault, "");
      EXPECT_LT(right.worst_row, 1e-3);
      EXPECT_LT(right.worst_element, 0.5);
      T& element = *View<T>(c.data(), kRows, kLong, order).at(kWrongRow, 1001);
      const T as_it_was = element;
      for (const T value : {T(0), as_it_was + T(kInner) / 12 / 100}) {
        if (memory == kLeastVerifyBytes && value != 0) continue;
        element = value;
        EXPECT_NE(verify(memory).fault, "") << value << " for " << as_it_was;
      }
      element = as_it_was;
    }
  }
}

TYPED_TEST(VerifyFiles, TwoRowsExchangedAndAMissingNumberAreFound) {
  Sample<TypeParam> s;
  s.multiply();
  for (std::size_t j = 0; j < kN; ++j) std::swap(s.c[3 * kN + j], s.c[4 * kN + j]);
  EXPECT_NE(s.verify().fault, "");
  s.multiply();
  s.c[5 * kN + 5] = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_NE(s.verify().fault, "");
}

TYPED_TEST(VerifyFiles, NaNAndInfinityBelongWhereTheInputsPutThem) {
  Sample<TypeParam> s;
  s.a[0] = std::numeric_limits<TypeParam>::infinity();
  s.multiply();
  const Verification right = s.verify();
  EXPECT_EQ(right.fault, "");
  EXPECT_EQ(right.rows_tested, kM - 1);
  EXPECT_EQ(right.columns_tested, kN);
  EXPECT_TRUE(right.is_tested());
  s.c[0] = 1;  // a place that is computed again
  EXPECT_NE(s.verify().fault, "");
}

TYPED_TEST(VerifyFiles, WithAlphaZeroTheFactorsCountForNothing) {
  Sample<TypeParam> s;
  s.alpha = 0;
  s.a[0] = std::numeric_limits<TypeParam>::quiet_NaN();
  s.b[3] = std::numeric_limits<TypeParam>::infinity();
  s.multiply();
  EXPECT_EQ(s.verify().fault, "");
  s.c[7] = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_NE(s.verify().fault, "");
}

TYPED_TEST(VerifyFiles, WhatExceedsTheTypeIsInfinite) {
  Sample<TypeParam> s;
  const TypeParam large = std::sqrt(std::numeric_limits<TypeParam>::max()) * 2;
  s.a.assign(s.a.size(), large);
  s.b.assign(s.b.size(), large);
  s.multiply();
  EXPECT_EQ(s.c[0], std::numeric_limits<TypeParam>::infinity());
  EXPECT_EQ(s.verify().fault, "");
  s.c[0] = -s.c[0];
  EXPECT_NE(s.verify().fault, "");
  s.c[0] = 1;
  EXPECT_NE(s.verify().fault, "");
}

/// One wrong element far from the places that are computed again.
constexpr std::size_t kRow = 11, kColumn = 13;

TYPED_TEST(VerifyFiles, OneNumberOfBThatIsNotFiniteHidesNothingElsewhere) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (const T special : {nan, inf, -inf}) {
    Sample<T> s;
    s.b[3 * kN + 4] = special;
    s.multiply();
    const Verification right = s.verify();
    EXPECT_EQ(right.fault, "") << special;
    EXPECT_EQ(right.rows_tested, kM);
    EXPECT_EQ(right.columns_tested, std::isnan(special) ? kN : kN - 1);
    T& element = s.c[kRow * kN + kColumn];
    const T as_it_was = element;
    element += T{0.25};
    EXPECT_EQ(s.verify().fault.substr(0, 28), "row 11 of the product times ") << special;
    element = nan;
    EXPECT_NE(s.verify().fault, "") << special;
    element = as_it_was;
    s.c[kRow * kN + 4] = 5;
    EXPECT_EQ(s.verify().fault, std::isnan(special)
                                    ? "element (11, 4) of the product is 5 and should be NaN"
                                    : "element (11, 4) of the product is 5 and should be NaN or "
                                      "infinite");
    s.c[kRow * kN + 4] = std::isnan(special) ? inf : special;
    s.c[0 * kN + 4] = std::isnan(special) ? inf : -s.c[0 * kN + 4];  // the first row is a place
    EXPECT_NE(s.verify().fault, "") << special;
  }
}

TYPED_TEST(VerifyFiles, ElementsOfRowsThatAreNotFiniteAreHeldToThat) {
  using T = TypeParam;
  Sample<T> s;
  s.a[kRow * kK + 3] = std::numeric_limits<T>::quiet_NaN();
  s.a[(kRow + 1) * kK + 3] = std::numeric_limits<T>::infinity();
  s.multiply();
  const Verification right = s.verify();
  EXPECT_EQ(right.fault, "");
  EXPECT_EQ(right.rows_tested, kM - 1);
  s.c[(kRow + 1) * kN + kColumn] = 5;
  EXPECT_EQ(s.verify().fault, "element (12, 13) of the product is 5 and should be NaN or infinite");
  s.multiply();
  s.c[kRow * kN + kColumn] = std::numeric_limits<T>::infinity();
  EXPECT_EQ(s.verify().fault, "element (11, 13) of the product is inf and should be NaN");
}

TYPED_TEST(VerifyFiles, AnAlphaThatIsNotFiniteLeavesNothingToTestAndNothingFinite) {
  using T = TypeParam;
  Sample<T> s;
  s.alpha = std::numeric_limits<T>::infinity();
  s.multiply();
  const Verification right = s.verify();
  EXPECT_EQ(right.fault, "");
  EXPECT_EQ(right.rows_tested, 0u);
  EXPECT_FALSE(right.is_tested());
  s.c[kRow * kN + kColumn] = 5;
  EXPECT_NE(s.verify().fault, "");
}

TYPED_TEST(VerifyFiles, ProductsThatUnderflowAreRight) {
  using T = TypeParam;
  const double least = std::numeric_limits<T>::min();
  for (const double scale : {std::sqrt(least) / 64, std::sqrt(least) / 1e6}) {
    for (const double alpha : {1.0, 0.37, 3e9, least / 128, least * 1e-30}) {
      Sample<T> s;
      s.alpha = static_cast<T>(alpha);
      if (alpha >= 0.1) {
        for (auto* factor : {&s.a, &s.b}) {
          for (T& v : *factor) v *= static_cast<T>(scale);
        }
      }
      s.multiply();
      const Verification v = s.verify();
      EXPECT_EQ(v.fault, "") << scale << " " << alpha;
      EXPECT_EQ(v.rows_tested, kM);
      s.c[kRow * kN + kColumn] += T{1};
      EXPECT_NE(s.verify().fault, "");
    }
  }
}

TEST(VerifyFilesOnce, AlphaIsRoundedToTheType) {
  Sample<float> s;
  s.alpha = 0;  // as 1e-60 is
  s.multiply();
  const StoredMatrix a(s.scratch.write("a", npy_text(kM, kK, s.a))),
      b(s.scratch.write("b", npy_text(kK, kN, s.b))),
      c(s.scratch.write("c", npy_text(kM, kN, s.c)));
  EXPECT_EQ(verify_files(1e-60, a, b, c, 1 << 20).fault, "");
}

/// Matrices with one dimension that is too long for vectors of it.
TYPED_TEST(VerifyFiles, BandsOfLongVectorsFindWhatIsWrong) {
  using T = TypeParam;
  constexpr std::size_t kLong = 70000;
  for (const auto& sizes : {std::array{kLong, std::size_t{3}, std::size_t{2}},
                            std::array{std::size_t{3}, kLong, std::size_t{2}},
                            std::array{std::size_t{3}, std::size_t{2}, kLong}}) {
    const std::size_t m = sizes[0], k = sizes[1], n = sizes[2];
    Scratch scratch;
    std::vector<T> a = numbers<T>(m * k, 1), b = numbers<T>(k * n, 2), c(m * n);
    b[b.size() - 1] = std::numeric_limits<T>::quiet_NaN();
    multiply_reference<T>(T{1}, View<const T>(a.data(), m, k), View<const T>(b.data(), k, n), T{0},
                          View<T>(c.data(), m, n));
    const auto verify = [&] {
      return verify_files(1, StoredMatrix(scratch.write("a", npy_text(m, k, a))),
                          StoredMatrix(scratch.write("b", npy_text(k, n, b))),
                          StoredMatrix(scratch.write("c", npy_text(m, n, c))), kLeastVerifyBytes);
    };
    const Verification right = verify();
    EXPECT_EQ(right.fault, "");
    EXPECT_EQ(right.rows_tested, m);
    EXPECT_EQ(right.columns_tested, n);
    c[(m - 1) * n + n / 2 - 1] += T{100};
    EXPECT_NE(verify().fault, "") << m << " " << k << " " << n;
  }
}

TEST(VerifyFilesOnce, WhoInterruptsGetsNoAnswer) {
  Sample<double> s;
  s.multiply();
  const StoredMatrix a(s.scratch.write("a", npy_text(kM, kK, s.a))),
      b(s.scratch.write("b", npy_text(kK, kN, s.b))),
      c(s.scratch.write("c", npy_text(kM, kN, s.c)));
  std::size_t parts = 0;
  const auto stop = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, sizeof(double) * kK * kN);
    EXPECT_EQ(total, sizeof(double) * (kM * kK + 2 * kK * kN + kM * kN));
    return ++parts, false;
  };
  const Verification v = verify_files(1, a, b, c, 1 << 20, stop);
  EXPECT_TRUE(v.interrupted);
  EXPECT_EQ(parts, 1u);
  EXPECT_EQ(v.rows_tested, 0u);
}

}  // namespace
}  // namespace kinjo::gemm
