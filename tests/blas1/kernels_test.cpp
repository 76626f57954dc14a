/// Every kernel at every level that this CPU has: at sizes around the vector widths and at every
/// misalignment, against sums in higher precision and against the scalar reference.
#include "blas1/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "blas1/samples.hpp"

namespace kinjo::detail {
namespace {

using test::bits_of;
using test::CompensatedSum;
using test::fast_axpy;
using test::number;
using test::rounded_twice;

template <class T>
const Blas1Kernels<T>& reference() {
  if constexpr (sizeof(T) == 4) {
    return kReferenceFloat;
  } else {
    return kReferenceDouble;
  }
}

constexpr std::size_t kWidest = 64;  // bytes of the widest vector
template <class T>
constexpr std::size_t kLanes = kWidest / sizeof(T);

/// `n` numbers that begin `offset` elements behind a line, and end where their memory ends, so that
/// a sanitizer sees whoever reads beyond; before them are NaNs.
template <class T>
class Input {
 public:
  Input(std::size_t n, std::size_t offset, std::size_t first = 0) {
    bytes_.resize(kWidest + (offset + n) * sizeof(T));
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    // The end is fixed; what lies before the first line is left over.
    const std::size_t skip = (kWidest - address % kWidest) % kWidest;
    bytes_.resize(skip + (offset + n) * sizeof(T));
    auto* line = reinterpret_cast<T*>(bytes_.data() + skip);
    std::fill_n(line, offset, std::numeric_limits<T>::quiet_NaN());
    data_ = line + offset;
    for (std::size_t i = 0; i < n; ++i) data_[i] = number<T>(first + i);
  }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  std::vector<char> bytes_;
  T* data_;
};

/// Tests run at one level each, on both types.
class Blas1KernelTest : public testing::TestWithParam<SimdLevel> {
 protected:
  /// Calls `f(zero, n, offset)` for all sizes to 4 vectors and 3, some large, and all offsets.
  template <class F>
  static void for_each_case(F&& f) {
    const auto run = [&]<class T>(T zero) {
      for (std::size_t n = 0; n <= 4 * kLanes<T> + 3; ++n) {
        for (std::size_t offset = 0; offset < kLanes<T>; ++offset) f(zero, n, offset);
      }
      for (std::size_t n : {255, 256, 511, 513, 1024, 1500, 4099, 70001}) {
        for (std::size_t offset : {0, 1, 3, 7}) f(zero, n, offset);
      }
    };
    run(double{});
    run(float{});
  }

 private:
  const ForcedLevel level_{GetParam()};
};

template <class T>
testing::AssertionResult is_within(const CompensatedSum& exact, T value, std::size_t n) {
  const double bound = static_cast<double>(n + 1) * test::kRoundoff<T> * exact.magnitude();
  if (exact.distance(value) <= bound) return testing::AssertionSuccess();
  return testing::AssertionFailure() << value << " for " << n << " terms is off by "
                                     << exact.distance(value) << ", more than " << bound;
}

TEST_P(Blas1KernelTest, FastSumsAreWithinTheStatedErrorAtEverySizeAndMisalignment) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    Input<T> x(n, offset);
    CompensatedSum sum, squares, magnitudes;
    for (std::size_t i = 0; i < n; ++i) {
      sum.add(x[i]);
      squares.add_product(x[i], x[i]);
      magnitudes.add(std::abs(x[i]));
    }
    const auto& kernels = blas1_kernels<T>();
    ASSERT_TRUE(is_within<T>(sum, kernels.sum(x.data(), n), n)) << "offset " << offset;
    ASSERT_TRUE(is_within<T>(squares, kernels.sum_of_squares(x.data(), n), n));
    ASSERT_TRUE(is_within<T>(magnitudes, kernels.asum(x.data(), n), n));
  });
}

TEST_P(Blas1KernelTest, FastProductsAreWithinTheStatedErrorAtEveryMisalignmentOfBoth) {
  const auto check = []<class T>(T, std::size_t n, std::size_t offset_x, std::size_t offset_y) {
    Input<T> x(n, offset_x), y(n, offset_y, n);
    CompensatedSum exact;
    for (std::size_t i = 0; i < n; ++i) exact.add_product(x[i], y[i]);
    ASSERT_TRUE(is_within<T>(exact, blas1_kernels<T>().dot(x.data(), y.data(), n), n))
        << "offsets " << offset_x << " and " << offset_y;
  };
  for_each_case([&]<class T>(T zero, std::size_t n, std::size_t offset) {
    check(zero, n, offset, 0);
    check(zero, n, offset, (offset * 5 + 1) % kLanes<T>);
    check(zero, n, 0, offset);
  });
}

/// `f(kernels, sums)` at this level and at the reference's must write the same bits.
template <class T, class F>
void expect_same_blocks(std::size_t n, const char* name, F&& f) {
  std::vector<T> here(n / kBlock<T> + 1, -1), there(n / kBlock<T> + 1, -1);
  f(blas1_kernels<T>(), here.data());
  f(reference<T>(), there.data());
  for (std::size_t b = 0; b < here.size(); ++b) {
    ASSERT_EQ(bits_of(here[b]), bits_of(there[b])) << name << ", block " << b << " of " << n;
  }
}

TEST_P(Blas1KernelTest, BlockSumsHaveTheBitsOfTheReferenceAtEverySizeAndMisalignment) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    Input<T> x(n, offset), y(n, (3 * offset + 1) % kLanes<T>, n);
    const T *a = x.data(), *b = y.data();
    expect_same_blocks<T>(n, "sum", [=](auto& k, T* sums) { k.block_sum(a, n, sums); });
    expect_same_blocks<T>(n, "asum", [=](auto& k, T* sums) { k.block_asum(a, n, sums); });
    expect_same_blocks<T>(n, "dot", [=](auto& k, T* sums) { k.block_dot(a, b, n, sums); });
    expect_same_blocks<T>(n, "sum_of_squares",
                          [=](auto& k, T* sums) { k.block_sum_of_squares(a, n, sums); });
  });
}

TEST_P(Blas1KernelTest, BlockSumsOfNegativeZerosAreZero) {
  const std::vector<double> x(100, -0.0);
  double sum = -1;
  blas1_kernels<double>().block_sum(x.data(), x.size(), &sum);
  EXPECT_EQ(bits_of(sum), bits_of(0.0));
}

/// Output between canaries.
template <class T>
class Output {
 public:
  Output(std::size_t n, std::size_t offset)
      : all_(n + 3 * kLanes<T>, kCanary), begin_(kLanes<T> + offset), n_(n) {
    for (std::size_t i = 0; i < n; ++i) data()[i] = number<T>(1000 + i);
  }
  T* data() { return all_.data() + begin_; }
  bool surroundings_are_untouched() const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if ((i < begin_ || i >= begin_ + n_) && all_[i] != kCanary) return false;
    }
    return true;
  }

 private:
  static constexpr T kCanary = -7.25;
  std::vector<T> all_;
  std::size_t begin_, n_;
};

/// Runs `kernel(x, out)` and compares each element's bits with `expected(x_i, out_i)`.
template <class T, class Kernel, class Expected>
void check_written(std::size_t n, std::size_t offset, Kernel&& kernel, Expected&& expected) {
  Input<T> x(n, (offset * 3 + 2) % kLanes<T>);
  Output<T> out(n, offset);
  const std::vector<T> before(out.data(), out.data() + n);
  kernel(x.data(), out.data());
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(bits_of(out.data()[i]), bits_of<T>(expected(x[i], before[i])))
        << "element " << i << " of " << n << " at offset " << offset;
  }
  ASSERT_TRUE(out.surroundings_are_untouched()) << n << " elements at offset " << offset;
}

TEST_P(Blas1KernelTest, FastAxpyRoundsEveryElementOnceWhereTheLevelFuses) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    const T a = static_cast<T>(1.1);
    const auto axpy = blas1_kernels<T>().axpy;
    check_written<T>(
        n, offset, [&](const T* x, T* y) { axpy(a, x, y, n); },
        [&](T x, T y) { return fast_axpy(a, x, y); });
    check_written<T>(  // in place
        n, offset, [&](const T*, T* y) { axpy(a, y, y, n); },
        [&](T, T y) { return fast_axpy(a, y, y); });
  });
}

TEST_P(Blas1KernelTest, RoundedAxpyRoundsProductAndSumEach) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    const T a = static_cast<T>(1.1);
    const auto axpy = blas1_kernels<T>().axpy_rounded;
    check_written<T>(
        n, offset, [&](const T* x, T* y) { axpy(a, x, y, n); },
        [&](T x, T y) { return rounded_twice(a, x, y); });
    check_written<T>(  // in place
        n, offset, [&](const T*, T* y) { axpy(a, y, y, n); },
        [&](T, T y) { return rounded_twice(a, y, y); });
  });
}

TEST_P(Blas1KernelTest, FusesAtTheLevelsAndOnTheCpusThatAreSaidTo) {
  const bool fuses =
      GetParam() != SimdLevel::scalar && GetParam() != SimdLevel::sse2 && !detail::kAddsApart;
  // The product is 1 + 2ε + ε², which rounds to 1 + 2ε.
  const double one = std::nextafter(1.0, 2.0), rest = one - 1;
  for (std::size_t n : {1, 2, 3, 5, 8, 200}) {
    const std::vector<double> x(n, one), minus(n, -(1 + 2 * rest));
    std::vector<double> once = minus, twice = minus;
    blas1_kernels<double>().axpy(one, x.data(), once.data(), n);
    blas1_kernels<double>().axpy_rounded(one, x.data(), twice.data(), n);
    EXPECT_EQ(once, std::vector<double>(n, fuses ? rest * rest : 0));
    EXPECT_EQ(twice, std::vector<double>(n, 0));
  }
}

TEST_P(Blas1KernelTest, ScaleMultipliesEachElement) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    const T a = static_cast<T>(-0.3);
    check_written<T>(
        n, offset, [&](const T*, T* y) { blas1_kernels<T>().scale(a, y, n); },
        [&](T, T y) { return a * y; });
  });
}

TEST_P(Blas1KernelTest, CopyCopiesInBothWaysOfWriting) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    for (Write write : {Write::cached, Write::streaming}) {
      check_written<T>(
          n, offset, [&](const T* x, T* y) { blas1_kernels<T>().copy(x, y, n, write); },
          [](T x, T) { return x; });
    }
  });
}

TEST_P(Blas1KernelTest, LargeArraysAreWrittenRightToo) {
  // Beyond L2, where other widths are used on some CPUs.
  constexpr std::size_t kMany = (std::size_t{3} << 20) / sizeof(double) + 5;
  const auto& kernels = blas1_kernels<double>();
  check_written<double>(
      kMany, 1, [&](const double* x, double* y) { kernels.axpy(1.1, x, y, kMany); },
      [](double x, double y) { return fast_axpy(1.1, x, y); });
  check_written<double>(
      kMany, 1, [&](const double* x, double* y) { kernels.axpy_rounded(1.1, x, y, kMany); },
      [](double x, double y) { return rounded_twice(1.1, x, y); });
  Input<double> x(kMany, 1), y(kMany, 0, 17);
  CompensatedSum exact;
  for (std::size_t i = 0; i < kMany; ++i) exact.add_product(x[i], y[i]);
  EXPECT_TRUE(is_within(exact, kernels.dot(x.data(), y.data(), kMany), kMany));
}

TEST_P(Blas1KernelTest, MaxAbsIndexIsTheReferencesAtEverySizeAndMisalignment) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    if (n == 0) return;
    Input<T> x(n, offset);
    const auto kernel = blas1_kernels<T>().max_abs_index;
    ASSERT_EQ(kernel(x.data(), n), reference<T>().max_abs_index(x.data(), n)) << n;
    // Ties, from the last element on.
    for (std::size_t i = n; i-- > 0 && n - i < 100;) {
      x[i] = i % 2 ? T{-1000} : T{1000};
      ASSERT_EQ(kernel(x.data(), n), i) << n << " at offset " << offset;
    }
  });
}

TEST_P(Blas1KernelTest, MaxAbsIndexIsTheFirstNotANumberIfThereIsOne) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    if (n == 0 || n > 600) return;
    Input<T> x(n, offset);
    x[n / 2] = std::numeric_limits<T>::infinity();
    const auto kernel = blas1_kernels<T>().max_abs_index;
    ASSERT_EQ(kernel(x.data(), n), n / 2);
    x[n - 1] = std::numeric_limits<T>::quiet_NaN();
    ASSERT_EQ(kernel(x.data(), n), n - 1);
    x[n / 3] = -std::numeric_limits<T>::signaling_NaN();
    ASSERT_EQ(kernel(x.data(), n), std::min(n / 3, n - 1));
  });
}

TEST_P(Blas1KernelTest, MaxAbsIndexOfZerosIsTheFirst) {
  for (std::size_t n : {1, 5, 64, 65, 300}) {
    const std::vector<double> x(n, -0.0);
    EXPECT_EQ(blas1_kernels<double>().max_abs_index(x.data(), n), 0u);
  }
}

TEST_P(Blas1KernelTest, SumsLetInfinitiesAndNotANumbersThrough) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    if (n < 2 || n > 600) return;
    const T inf = std::numeric_limits<T>::infinity();
    const auto& k = blas1_kernels<T>();
    Input<T> x(n, offset);
    x[n - 1] = -inf;
    T block[2] = {};
    k.block_sum(x.data(), std::min(n, kBlock<T>), block);
    ASSERT_EQ(k.sum(x.data(), n), -inf);
    if (n <= kBlock<T>) {
      ASSERT_EQ(block[0], -inf);
    }
    ASSERT_EQ(k.asum(x.data(), n), inf);
    ASSERT_EQ(k.sum_of_squares(x.data(), n), inf);
    x[0] = inf;
    ASSERT_TRUE(std::isnan(k.sum(x.data(), n)));
    ASSERT_EQ(k.asum(x.data(), n), inf);
    x[n / 2] = std::numeric_limits<T>::quiet_NaN();
    ASSERT_TRUE(std::isnan(k.asum(x.data(), n)));
    ASSERT_TRUE(std::isnan(k.sum_of_squares(x.data(), n)));
    ASSERT_TRUE(std::isnan(k.dot(x.data(), x.data(), n)));
  });
}

TEST_P(Blas1KernelTest, SumsOfDenormalNumbersAreExact) {
  for_each_case([]<class T>(T, std::size_t n, std::size_t offset) {
    const T least = std::numeric_limits<T>::denorm_min();
    Input<T> x(n, offset);
    for (std::size_t i = 0; i < n; ++i) x[i] = (i % 2 ? -3 : 5) * least;
    const auto positive = static_cast<T>((n + 1) / 2), negative = static_cast<T>(n / 2);
    ASSERT_EQ(blas1_kernels<T>().sum(x.data(), n), (5 * positive - 3 * negative) * least);
    ASSERT_EQ(blas1_kernels<T>().asum(x.data(), n), (5 * positive + 3 * negative) * least);
  });
}

INSTANTIATE_TEST_SUITE_P(Level, Blas1KernelTest, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) -> std::string { return to_string(suite.param); });

}  // namespace
}  // namespace kinjo::detail
