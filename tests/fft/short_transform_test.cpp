/// Short transforms against the definition of the discrete Fourier transform, at every level.
#include "fft/short_transform.hpp"

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

template <class T>
void run(const ShortTransform<T>& transform, const Memory<T>& from, Memory<T>& to, T scale = 1) {
  Work<T> work(transform.work_size());
  transform.run(from.source(), to.lines, scale, work.aligned());
}

template <class T, class F>
void at_every_level(std::size_t n, const F& f) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    SCOPED_TRACE(std::string(to_string(level)) + ", n = " + std::to_string(n));
    f(ShortTransform<T>(n));
  }
}

template <class T>
class ShortTransforms : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ShortTransforms, Types);

/// Lengths of one pass and of several, of every radix, and of primes that share a butterfly.
TYPED_TEST(ShortTransforms, AgreeWithTheDefinitionForEverySmoothLengthToAThousand) {
  using T = TypeParam;
  for (std::size_t n = 2; n <= 1024; ++n) {
    if (!can_be_direct(n)) continue;
    const auto x = random_numbers<T>(n);
    const auto expected = test::direct(x, -1);
    at_every_level<T>(n, [&](const ShortTransform<T>& transform) {
      Memory<T> to(Layout::complex, n);
      run(transform, Memory<T>(Layout::complex, x), to);
      EXPECT_LE(excess(to.numbers(), expected), 1.5);
    });
  }
}

TYPED_TEST(ShortTransforms, GoFromAnyLayoutToAnyAndWriteNothingElse) {
  using T = TypeParam;
  for (const std::size_t n :
       {2u,   3u,   8u,   12u,  13u,  16u,  20u,  22u,  32u,  61u,  64u,  96u,
        100u, 122u, 128u, 143u, 144u, 183u, 243u, 250u, 256u, 400u, 625u, 1000u}) {
    const auto x = random_numbers<T>(n);
    auto expected = test::direct(x, -1);
    for (auto& y : expected) y *= T(0.75);
    at_every_level<T>(n, [&](const ShortTransform<T>& transform) {
      for (const Layout from : test::kLayouts) {
        for (const Layout to : test::kLayouts) {
          // The step from number to number is that of both.
          if ((from == Layout::split) != (to == Layout::split)) continue;
          Memory<T> y(to, n);
          const std::size_t foreign = y.foreign();
          run(transform, Memory<T>(from, x), y, T(0.75));
          EXPECT_LE(excess(y.numbers(), expected), 1.5)
              << "from " << int(from) << " to " << int(to);
          EXPECT_EQ(y.foreign(), foreign - 2 * n);
        }
      }
    });
  }
}

TYPED_TEST(ShortTransforms, GiveTheSameBitsInPlaceAndInSteps) {
  using T = TypeParam;
  for (const std::size_t n :
       {7u, 9u, 16u, 20u, 26u, 32u, 61u, 64u, 128u, 180u, 183u, 256u, 360u, 500u, 2187u, 5000u}) {
    at_every_level<T>(n, [&](const ShortTransform<T>& transform) {
      for (const Layout layout : test::kLayouts) {
        const Memory<T> x(layout, random_numbers<T>(n));
        Memory<T> y(layout, n), in_steps(layout, n), in_place(layout, random_numbers<T>(n));
        run(transform, x, y);
        run(transform, in_place, in_place);
        EXPECT_EQ(in_place.values, y.values) << "in place, layout " << int(layout);
        Work<T> work(transform.work_size());
        transform.load(x.source(), work.aligned());
        transform.compute(work.aligned());
        transform.store(in_steps.lines, 1, work.aligned());
        EXPECT_EQ(in_steps.values, y.values) << "in steps, layout " << int(layout);
      }
    });
  }
}

TEST(ShortTransforms, AreForAllLinesWithoutLargePrimes) {
  EXPECT_FALSE(can_be_direct(0));
  EXPECT_FALSE(can_be_direct(1));
  EXPECT_TRUE(can_be_direct(2));
  EXPECT_TRUE(can_be_direct(61 * 59));
  EXPECT_FALSE(can_be_direct(67));
}

}  // namespace
}  // namespace kinjo::fft::detail
