/// Direct transforms against the definition of the discrete Fourier transform, at every level.
#include "fft/direct_transform.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "fft/cutting.hpp"
#include "fft/direct.hpp"
#include "fft/line_memory.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {
namespace {

using test::excess, test::random_numbers;
using test::Layout, test::Memory, test::Work;
using Write = kinjo::detail::Store;

template <class T>
void run(const DirectTransform<T>& transform, const Memory<T>& from, Memory<T>& to, T scale = 1,
         Write write = Write::cached) {
  Work<T> work(transform.work_size());
  transform.run(from.source(), to.lines, scale, work.aligned(), write);
}

/// Calls f with a transform of n numbers for each level, and for CPUs of both kinds.
template <class T, class F>
void at_every_level(std::size_t n, const F& f) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    const DirectKernels<T>& kernels = direct_kernels<T>();
    for (const auto* ends : {&kernels.of_whole_vectors, &kernels.of_halves}) {
      SCOPED_TRACE(std::string(to_string(level)) +
                   (ends == &kernels.of_halves ? ", halves" : ", whole vectors"));
      f(DirectTransform<T>(n, *ends));
    }
  }
}

template <class T>
class DirectTransforms : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DirectTransforms, Types);

TYPED_TEST(DirectTransforms, AgreeWithTheDefinitionForEveryLengthToTwoThousand) {
  using T = TypeParam;
  for (std::size_t n = 1; n <= 2048; ++n) {
    if (!has_whole_rows(n, 2 * sizeof(T))) continue;
    const auto x = random_numbers<T>(n);
    const auto expected = test::direct(x, -1);
    at_every_level<T>(n, [&](const DirectTransform<T>& transform) {
      Memory<T> to(Layout::complex, n);
      run(transform, Memory<T>(Layout::complex, x), to);
      EXPECT_LE(excess(to.numbers(), expected), 1) << "n = " << n;
    });
  }
}

TYPED_TEST(DirectTransforms, GoFromAnyLayoutToAnyAndWriteNothingElse) {
  using T = TypeParam;
  for (const std::size_t n : {512u, 560u, 1000u * 2, 4096u}) {
    const auto x = random_numbers<T>(n);
    auto expected = test::direct(x, -1);
    for (auto& y : expected) y *= T(0.75);
    at_every_level<T>(n, [&](const DirectTransform<T>& transform) {
      for (const Layout from : test::kLayouts) {
        for (const Layout to : test::kLayouts) {
          for (const Write write : {Write::cached, Write::streaming}) {
            Memory<T> y(to, n);
            const std::size_t foreign = y.foreign();
            run(transform, Memory<T>(from, x), y, T(0.75), write);
            EXPECT_LE(excess(y.numbers(), expected), 1)
                << "n = " << n << " from " << int(from) << " to " << int(to);
            EXPECT_EQ(y.foreign(), foreign - 2 * n);
          }
        }
      }
    });
  }
}

TYPED_TEST(DirectTransforms, GiveTheSameBitsInPlaceAndInSteps) {
  using T = TypeParam;
  for (const std::size_t n : {512u, 2000u, 8192u}) {
    const Memory<T> x(Layout::complex, random_numbers<T>(n));
    at_every_level<T>(n, [&](const DirectTransform<T>& transform) {
      Memory<T> y(Layout::complex, n), in_steps(Layout::complex, n), in_place(x);
      run(transform, x, y);
      in_place.lines = {in_place.values.data() + 1, in_place.values.data() + 2, 2};
      run(transform, in_place, in_place);
      EXPECT_EQ(in_place.values, y.values) << "in place, n = " << n;
      Work<T> work(transform.work_size());
      transform.load(x.source(), work.aligned());
      transform.compute(work.aligned());
      transform.store(in_steps.lines, 1, work.aligned());
      EXPECT_EQ(in_steps.values, y.values) << "in steps, n = " << n;
    });
  }
}

/// Rows lie in the target if that is aligned, also where the line itself does, unless results go
/// past the caches.
TYPED_TEST(DirectTransforms, GiveTheSameBitsWhereRowsLieInTheTarget) {
  using T = TypeParam;
  for (std::size_t n = 128; n <= 2048; n += 16) {
    if (!has_whole_rows(n, 2 * sizeof(T))) continue;
    const auto x = random_numbers<T>(n);
    at_every_level<T>(n, [&](const DirectTransform<T>& transform) {
      for (const Layout layout : {Layout::complex, Layout::exchanged}) {
        const Memory<T> from(layout, x);
        Memory<T> expected(layout, n);
        run(transform, from, expected, T(0.75));
        Work<T> target(2 * n), line(2 * n);
        const auto lines = [&](Work<T>& work) {
          T* const at = work.aligned();
          return layout == Layout::complex ? Lines<T>{at, at + 1, 2} : Lines<T>{at + 1, at, 2};
        };
        const auto result = [&](Work<T>& work) {
          return std::vector<T>(work.aligned(), work.aligned() + 2 * n);
        };
        const std::vector<T> wanted(expected.values.begin() + 1,
                                    expected.values.begin() + 1 + std::ptrdiff_t(2 * n));
        Work<T> work(transform.work_size());
        transform.run(from.source(), lines(target), T(0.75), work.aligned());
        EXPECT_EQ(result(target), wanted) << "elsewhere, n = " << n;
        Work<T> streamed(2 * n);
        transform.run(from.source(), lines(streamed), T(0.75), work.aligned(), Write::streaming);
        EXPECT_EQ(result(streamed), wanted) << "past the caches, n = " << n;
        std::copy_n(from.values.begin() + 1, 2 * n, line.aligned());
        const Lines<T> own = lines(line);
        transform.run({own.real, own.imaginary, 2}, own, T(0.75), work.aligned());
        EXPECT_EQ(result(line), wanted) << "in place, n = " << n;
      }
    });
  }
}

TEST(DirectTransforms, AreForLinesOfWholeRowsWithSmallFactors) {
  const struct {
    std::size_t n, element_bytes;
    bool possible;
  } cases[] = {
      {64, 16, false},   {128, 16, true},   {136, 16, false},    {1000, 16, true},
      {1004, 16, false}, {1001, 16, false}, {256, 8, false},     {512, 8, true},
      {520, 8, false},   {2000, 8, true},   {8 * 11, 16, false}, {0, 16, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(has_whole_rows(c.n, c.element_bytes), c.possible) << c.n << " of " << c.element_bytes;
  }
}

}  // namespace
}  // namespace kinjo::fft::detail
