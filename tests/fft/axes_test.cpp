#include "fft/axes.hpp"

#include <gtest/gtest.h>
#include <kinjo/cache_sizes.hpp>
#include <kinjo/fft.hpp>

#include "fft/direct.hpp"

namespace kinjo::fft::detail {
namespace {

TEST(FftAxes, AreTakenTogetherWherePartsFitTheCache) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const Options all, outer{.axes = {0, 1}}, batch{.batch = 64};
  const struct {
    std::vector<std::size_t> shape;
    Options options;
    std::size_t threads, together;
  } cases[] = {
      {{512, 512, 512}, all, 1, 2},    // parts of 4 MiB
      {{512, 512, 512}, all, 4, 0},    // three arrays of four parts exceed 32 MiB
      {{512, 512, 64}, all, 4, 2},     // parts of 512 KiB
      {{8, 512, 128}, all, 4, 0},      // too few parts for the threads
      {{64, 64, 64}, all, 1, 0},       // all of it fits
      {{4096, 4096}, all, 1, 0},       // both axes are the whole array
      {{256, 256}, batch, 2, 2},       // images side by side
      {{64, 8, 512, 64}, all, 1, 3},   //
      {{512, 512, 512}, outer, 1, 0},  // the parts from axis 0 on are the whole array
      {{1 << 24}, all, 1, 0},
  };
  for (const auto& c : cases) {
    Conditions conditions{16, c.threads};
    conditions.l1 = kMiB / 32;
    conditions.l2 = kMiB / 2;
    conditions.l3 = 32 * kMiB;
    EXPECT_EQ(axes_together(check_problem(c.shape, c.options, 16), conditions), c.together)
        << c.shape[0] << " and so on over " << c.threads << " threads";
  }
}

TEST(FftAxes, GiveTheSameTogetherAndOneByOne) {
  const std::size_t parts = cache_sizes().l3 / (3 * 16 * 60 * 67) + 1;
  const std::vector<std::size_t> shape{parts, 60, 67};  // the last one by a convolution
  const kinjo::Fft<double> together(shape);
  EXPECT_NE(together.describe().find("parts, in cache each"), std::string::npos);
  const auto x = test::random_numbers<double>(together.size());
  auto one_by_one = x, y = x;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    kinjo::Fft<double>(shape, {.axes = {axis}}).forward(one_by_one.data(), one_by_one.data());
  }
  together.forward(x.data(), y.data());
  EXPECT_LE(test::excess(y, {one_by_one.begin(), one_by_one.end()}), 1.4);  // of both
  together.backward(y.data(), y.data());
  EXPECT_LE(test::excess(y, {x.begin(), x.end()}), 1.4);
}

}  // namespace
}  // namespace kinjo::fft::detail
