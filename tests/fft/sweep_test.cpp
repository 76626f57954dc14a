/// Sweeps of lines in memory: what is loaded while something else is computed or stored must be the
/// same as step by step.
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

/// How the lines of a sweep lie that it reads; it writes columns of all but rows.
enum class Lie { columns, rows, tiles };

/// A sweep of `count` lines of `length` elements.
struct Example {
  std::size_t length, count;
  Lie lie;
  bool backward = false;
};

template <class T>
constexpr std::size_t kWidth = 64 / sizeof(T);
constexpr unsigned kFold = 4;

/// Tiles of 16 elements of `width` lines each.
Tiles tiles_of(const Example& lines, std::size_t width) {
  const std::size_t tile = width << kFold;
  return {tile * ((lines.length + (1 << kFold) - 1) >> kFold), tile, kFold};
}

SweepShape shape_of(const Example& lines, std::size_t width) {
  SweepShape shape;
  shape.length = lines.length;
  shape.element_in = lines.lie == Lie::columns ? lines.count : 1;
  shape.element_out = lines.lie == Lie::rows ? 1 : lines.count;
  shape.lanes = {lines.count, 1, lines.lie == Lie::rows ? lines.length : 1};
  if (lines.lie == Lie::rows) shape.lanes.in = lines.length;
  if (lines.lie == Lie::tiles) {
    shape.lanes.in = std::size_t{1} << kFold;
    shape.tiles_in = tiles_of(lines, width);
  }
  shape.twiddle_order = lines.lie == Lie::columns ? lines.length * lines.count : 0;
  shape.scaled = lines.lie == Lie::tiles;
  shape.source = {Array::in, lines.backward};
  shape.target = {Array::out, lines.backward && shape.twiddle_order == 0};
  shape.in_memory = true;
  return shape;
}

/// Room for `size` elements from an address that a vector may have.
template <class T>
struct Aligned {
  std::vector<T> memory;
  T* data;
  explicit Aligned(std::size_t size) : memory(size + 64 / sizeof(T)) {
    void* at = memory.data();
    std::size_t room = memory.size() * sizeof(T);
    data = static_cast<T*>(std::align(64, size * sizeof(T), at, room));
  }
};

/// Numbers that the sweep reads.
std::size_t in_size(const Example& lines, std::size_t width) {
  if (lines.lie != Lie::tiles) return lines.length * lines.count;
  return tiles_of(lines, width).step * ((lines.count + width - 1) / width);
}

/// How the chunks of a sweep follow each other.
enum class How { run, overlapped, apart, step_by_step };

template <class T>
void compute(const Sweep<T>& sweep, How how, const Frame<T>& frame, T* scratch) {
  if (how != How::step_by_step) {
    // As two threads do it: what is loaded ahead ends with a thread's items.
    const std::size_t half = sweep.items() / 2;
    sweep.run({0, half}, frame, scratch);
    return sweep.run({half, sweep.items()}, frame, scratch);
  }
  SweepProfile profile;
  for (std::size_t i = 0; i < sweep.items(); ++i) {
    for (const StepKind kind : {StepKind::load, StepKind::compute, StepKind::store}) {
      sweep.step(kind, i, frame, scratch, {&profile, 1});
    }
  }
}

template <class T>
Numbers<T> result(const Example& lines, InCache method, How how, const Numbers<T>& x) {
  SweepShape shape = shape_of(lines, kWidth<T>);
  if (how == How::overlapped) shape.overlap = Overlap::on;
  if (how == How::apart) shape.overlap = Overlap::off;
  const Sweep<T> sweep(shape, kWidth<T>, method);
  const std::size_t size = lines.length * lines.count;
  const Aligned<T> y(2 * size), scratch(sweep.scratch_size());
  Frame<T> frame;
  auto* const from = reinterpret_cast<const T*>(x.data());
  frame.in = {from, from + 1, 2};
  frame.out = {y.data, y.data + 1, 2};
  frame.scale = T{3};
  compute(sweep, how, frame, scratch.data);
  auto* const numbers = reinterpret_cast<const std::complex<T>*>(y.data);
  return {numbers, numbers + size};
}

template <class T>
class Sweeps : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Sweeps, Types);

TYPED_TEST(Sweeps, GiveTheSameBitsHoweverChunksFollowEachOtherAtEveryLevel) {
  using T = TypeParam;
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    for (const InCache method : {InCache::in_place, InCache::stockham}) {
      for (const Example& lines :
           {Example{64, 100, Lie::columns}, Example{1, 40, Lie::columns},
            Example{30, 5, Lie::columns}, Example{320, 33, Lie::columns},
            Example{512, 96, Lie::columns}, Example{128, 64, Lie::columns, true},
            Example{49, 70, Lie::rows}, Example{512, 64, Lie::tiles},
            Example{350, 80, Lie::tiles, true}}) {
        const auto x = test::random_numbers<T>(in_size(lines, kWidth<T>));
        const auto apart = result<T>(lines, method, How::step_by_step, x);
        for (const How how : {How::run, How::overlapped, How::apart}) {
          if (how == How::overlapped && lines.lie == Lie::tiles) continue;
          EXPECT_EQ(result<T>(lines, method, how, x), apart)
              << to_string(level) << ", " << lines.count << " lines of " << lines.length;
        }
        EXPECT_NE(apart, Numbers<T>(apart.size()));
      }
    }
  }
}

/// Three chunks of columns, of which the sweep reads two. Each is written to where the next one is
/// read, so that the result says whether that was before it was written.
template <class T>
Numbers<T> chained(How how) {
  constexpr std::size_t kLength = 512, kWide = kWidth<T>, kRow = 3 * kWide;
  SweepShape shape;
  shape.length = kLength;
  shape.element_in = shape.element_out = kRow;
  shape.lanes = {2 * kWide, 1, 1};
  shape.source = {Array::out, false};
  shape.target = {Array::work, false};
  shape.in_memory = true;
  if (how == How::overlapped) shape.overlap = Overlap::on;
  if (how == How::apart) shape.overlap = Overlap::off;
  const Sweep<T> sweep(shape, kWide, InCache::in_place);
  const auto x = test::random_numbers<T>(kLength * kRow);
  const Aligned<T> array(2 * x.size()), scratch(sweep.scratch_size());
  std::copy_n(reinterpret_cast<const T*>(x.data()), 2 * x.size(), array.data);
  Frame<T> frame;
  frame.out = {array.data, array.data + 1, 2};
  frame.work[0] = frame.out.from(kWide);
  if (how == How::step_by_step) {
    compute(sweep, how, frame, scratch.data);
  } else {
    sweep.run({0, sweep.items()}, frame, scratch.data);
  }
  auto* const numbers = reinterpret_cast<const std::complex<T>*>(array.data);
  return {numbers, numbers + x.size()};
}

TYPED_TEST(Sweeps, LoadWhenAllIsStoredWhereStepsAreToBeApart) {
  using T = TypeParam;
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    EXPECT_EQ(chained<T>(How::apart), chained<T>(How::step_by_step)) << to_string(level);
    EXPECT_NE(chained<T>(How::overlapped), chained<T>(How::step_by_step)) << to_string(level);
    if (!column_kernels<T>().exchange) continue;
    EXPECT_NE(chained<T>(How::run), chained<T>(How::step_by_step)) << to_string(level);
  }
}

}  // namespace
}  // namespace kinjo::fft::detail
