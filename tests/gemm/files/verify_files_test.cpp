#include "gemm/files/verify_files.hpp"

#include <cmath>
#include <limits>

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
  EXPECT_EQ(v.elements, 64u);
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

}  // namespace
}  // namespace kinjo::gemm
