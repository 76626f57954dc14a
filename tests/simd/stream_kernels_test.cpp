/// Every kernel, on every instruction set that this CPU has, against a plain loop: bit for bit, at
/// sizes around the vector width, at every misalignment, with guarded surroundings.
#include "simd/stream_kernels.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/aligned_allocator.h>

#include "simd/level.hpp"

namespace kinjo::detail {
namespace {

constexpr double kScalar = 1.1;  // products are inexact, so that a fused multiply-add shows
constexpr double kCanary = -7.25e99;
constexpr std::size_t kMostLanes = 8;  // doubles in the widest vector at hand, and in a cache line
constexpr std::size_t kGuard = 4 * kMostLanes;

/// One kernel: from two inputs to an output. Copy and scale read only the first.
struct Kernel {
  const char* name;
  std::function<void(const double*, const double*, double*, std::size_t, Store)> run;
  double (*expected)(double, double);
};

double rounded(double value) {
  const volatile double stored = value;  // forbids the compiler to fuse it with what follows
  return stored;
}

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
      {"copy",
       [](const double* x, const double*, double* z, std::size_t n, Store store) {
         stream_copy(x, z, n, store);
       },
       [](double x, double) { return x; }},
      {"scale",
       [](const double* x, const double*, double* z, std::size_t n, Store store) {
         stream_scale(x, z, kScalar, n, store);
       },
       [](double x, double) { return kScalar * x; }},
      {"add",
       [](const double* x, const double* y, double* z, std::size_t n, Store store) {
         stream_add(x, y, z, n, store);
       },
       [](double x, double y) { return x + y; }},
      {"triad",
       [](const double* x, const double* y, double* z, std::size_t n, Store store) {
         stream_triad(x, y, z, kScalar, n, store);
       },
       [](double x, double y) { return x + rounded(kScalar * y); }},
  };
  return all;
}

/// Doubles that begin `offset` elements behind a cache line, between canaries.
class Guarded {
 public:
  Guarded(std::size_t size, std::size_t offset)
      : offset_(kGuard + offset),
        size_(size),
        data_(hwy::AllocateAligned<double>(size + offset_ + kGuard)) {
    std::fill_n(data_.get(), size + offset_ + kGuard, kCanary);
  }
  double* data() { return data_.get() + offset_; }

  bool surroundings_are_untouched() const {
    for (std::size_t i = 0; i < offset_; ++i) {
      if (data_[i] != kCanary) return false;
    }
    for (std::size_t i = offset_ + size_; i < offset_ + size_ + kGuard; ++i) {
      if (data_[i] != kCanary) return false;
    }
    return true;
  }

 private:
  std::size_t offset_;
  std::size_t size_;
  hwy::AlignedFreeUniquePtr<double[]> data_;
};

struct Offsets {
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t z = 0;
};

/// Numbers of both signs with all bits of the mantissa in use.
double number(std::size_t i) { return std::sin(static_cast<double>(i) + 1) * 1e3; }

/// What went wrong with one call, or nothing.
std::string fault_of(const Kernel& kernel, std::size_t n, Offsets offsets, Store store) {
  Guarded x(n, offsets.x), y(n, offsets.y), z(n, offsets.z);
  for (std::size_t i = 0; i < n; ++i) {
    x.data()[i] = number(i);
    y.data()[i] = number(i + n);
  }
  kernel.run(x.data(), y.data(), z.data(), n, store);
  const auto where = [&] {
    return fmt::format("{} of {} elements at offsets {}, {} and {}", kernel.name, n, offsets.x,
                       offsets.y, offsets.z);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double expected = kernel.expected(number(i), number(i + n));
    if (std::bit_cast<std::uint64_t>(z.data()[i]) != std::bit_cast<std::uint64_t>(expected)) {
      return fmt::format("{}: element {} is {:a} and not {:a}", where(), i, z.data()[i], expected);
    }
    if (x.data()[i] != number(i) || y.data()[i] != number(i + n)) {
      return fmt::format("{}: input {} was changed", where(), i);
    }
  }
  if (!z.surroundings_are_untouched()) return where() + ": something was written outside";
  return "";
}

/// A test for each level of vector instructions that this CPU has.
class StreamKernels : public testing::TestWithParam<SimdLevel> {
 protected:
  /// Calls `f(kernel, store)` for all of them, until something fails.
  template <class F>
  static void for_each_kernel(F&& f) {
    for (const Kernel& kernel : kernels()) {
      for (Store store : {Store::cached, Store::streaming}) {
        SCOPED_TRACE(store == Store::cached ? "cached stores" : "streaming stores");
        f(kernel, store);
        if (HasFatalFailure()) return;
      }
    }
  }

 private:
  const ForcedLevel level_{GetParam()};
};

TEST_P(StreamKernels, EqualAPlainLoopAtEverySizeAroundTheVectorWidth) {
  for_each_kernel([](const Kernel& kernel, Store store) {
    for (std::size_t n = 0; n <= 4 * kMostLanes + 3; ++n) {
      for (std::size_t offset = 0; offset < kMostLanes; ++offset) {
        ASSERT_EQ(fault_of(kernel, n, {offset, offset, offset}, store), "");
      }
    }
  });
}

TEST_P(StreamKernels, EqualAPlainLoopAtEveryMisalignmentOfEachArray) {
  constexpr std::size_t kSize = 4 * kMostLanes + 3;
  for_each_kernel([](const Kernel& kernel, Store store) {
    for (std::size_t i = 0; i < kMostLanes * kMostLanes * kMostLanes; ++i) {
      const Offsets offsets{i % kMostLanes, i / kMostLanes % kMostLanes,
                            i / kMostLanes / kMostLanes};
      ASSERT_EQ(fault_of(kernel, kSize, offsets, store), "");
    }
  });
}

TEST_P(StreamKernels, EqualAPlainLoopOnLargeArrays) {
  for_each_kernel([](const Kernel& kernel, Store store) {
    for (std::size_t n : {1000u, 4096u, 65537u}) {
      ASSERT_EQ(fault_of(kernel, n, {1, 2, 3}, store), "");
    }
  });
}

TEST_P(StreamKernels, CopyEveryBitOfSignallingNotANumbersInfinitiesAndZeros) {
  const std::vector<std::uint64_t> patterns = {
      0x7ff0000000000001, 0xfff8000000abcdef, 0x7ff0000000000000, 0xfff0000000000000,
      0x8000000000000000, 0x0000000000000001, 0x7fefffffffffffff};
  for (Store store : {Store::cached, Store::streaming}) {
    std::vector<std::uint64_t> from, to(37);
    for (std::size_t i = 0; i < to.size(); ++i) from.push_back(patterns[i % patterns.size()]);
    // Through doubles in memory, never in a register of this function.
    stream_copy(reinterpret_cast<const double*>(from.data()), reinterpret_cast<double*>(to.data()),
                from.size(), store);
    EXPECT_EQ(to, from);
  }
}

TEST_P(StreamKernels, LetNotANumbersAndInfinitiesThroughInPlace) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for_each_kernel([&](const Kernel& kernel, Store store) {
    std::vector<double> x(29, 1.0), y(29, 2.0), z(29);
    x[3] = inf, x[7] = -inf, x[11] = nan, x[28] = nan;
    y[5] = inf, y[7] = inf, y[13] = nan, y[28] = inf;
    kernel.run(x.data(), y.data(), z.data(), z.size(), store);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double expected = kernel.expected(x[i], y[i]);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(z[i])) << kernel.name << " at " << i;
      } else {
        ASSERT_EQ(z[i], expected) << kernel.name << " at " << i;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Level, StreamKernels, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) -> std::string { return to_string(suite.param); });

}  // namespace
}  // namespace kinjo::detail
