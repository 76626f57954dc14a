/// Sweeps of lines in memory: what is loaded while something else is computed must be the same.
#include "fft/sweep.hpp"

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fft/direct.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {
namespace {

template <class T>
using Numbers = std::vector<std::complex<T>>;

/// A sweep of `count` columns of `length` elements that lie as the rows of a matrix, or of rows.
struct Example {
  std::size_t length, count;
  bool columns;
};

SweepShape shape_of(const Example& lines, fft::Overlap overlap) {
  SweepShape shape;
  shape.length = lines.length;
  shape.element_in = shape.element_out = lines.columns ? lines.count : 1;
  const std::size_t apart = lines.columns ? 1 : lines.length;
  shape.lanes = {lines.count, apart, apart};
  shape.twiddle_order = lines.columns ? lines.length * lines.count : 0;
  shape.source = {Array::in, false};
  shape.target = {Array::out, false};
  shape.in_memory = true;
  shape.overlap = overlap == fft::Overlap::on;
  return shape;
}

template <class T>
Numbers<T> result(const Example& lines, InCache method, fft::Overlap overlap, const Numbers<T>& x) {
  const Sweep<T> sweep(shape_of(lines, overlap), 64 / sizeof(T), method);
  Numbers<T> y(x.size());
  Frame<T> frame;
  auto* const from = reinterpret_cast<const T*>(x.data());
  auto* const to = reinterpret_cast<T*>(y.data());
  frame.in = {from, from + 1, 2};
  frame.out = {to, to + 1, 2};
  std::vector<T> memory(sweep.scratch_size() + 64 / sizeof(T));
  void* at = memory.data();
  std::size_t room = memory.size() * sizeof(T);
  T* const scratch = static_cast<T*>(std::align(64, sweep.scratch_size() * sizeof(T), at, room));
  // As two threads do it: what is loaded ahead ends with a thread's items.
  const std::size_t half = sweep.items() / 2;
  sweep.run({0, half}, frame, scratch);
  sweep.run({half, sweep.items()}, frame, scratch);
  return y;
}

template <class T>
class Sweeps : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Sweeps, Types);

TYPED_TEST(Sweeps, GiveTheSameBitsWithAndWithoutOverlapAtEveryLevel) {
  using T = TypeParam;
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    for (const InCache method : {InCache::in_place, InCache::stockham}) {
      for (const Example& lines :
           {Example{64, 100, true}, Example{1, 40, true}, Example{30, 5, true},
            Example{320, 33, true}, Example{49, 70, false}}) {
        const auto x = test::random_numbers<T>(lines.length * lines.count);
        const auto apart = result<T>(lines, method, fft::Overlap::off, x);
        EXPECT_EQ(result<T>(lines, method, fft::Overlap::on, x), apart)
            << to_string(level) << ", " << lines.count << " lines of " << lines.length;
        EXPECT_NE(apart, Numbers<T>(x.size()));
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::fft::detail
