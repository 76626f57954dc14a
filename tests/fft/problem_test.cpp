#include "fft/problem.hpp"

#include <gtest/gtest.h>
#include <kinjo/fft.hpp>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using Shape = std::vector<std::size_t>;

TEST(FftProblem, IsRefusedByName) {
  constexpr std::size_t kHuge = std::size_t{1} << 40;
  const struct {
    Shape shape;
    fft::Options options;
    const char* message;
  } refusals[] = {
      {{}, {}, "fft: the shape has no axis: expected at least one"},
      {{0}, {}, "fft: axis 0 has length 0: expected at least 1"},
      {{4, 0, 2}, {}, "fft: axis 1 has length 0: expected at least 1"},
      {{kHuge, kHuge},
       {},
       "fft: an array of shape 1099511627776 × 1099511627776 exceeds the address space"},
      {{4, 4}, {.axes = {2}}, "fft: axis 2 is not there: expected one of 0 to 1"},
      {{4, 4}, {.axes = {1, 0, 1}}, "fft: axis 1 is named twice: expected each once"},
      {{4}, {.batch = 0}, "fft: the batch is 0: expected at least 1 transform"},
      {{4, 4},
       {.distance = 15},
       "fft: transforms of 16 elements lie 15 apart: expected at least their size"},
      {{4},
       {.batch = kHuge, .distance = kHuge},
       "fft: 1099511627776 transforms 1099511627776 elements apart exceed the address space"},
  };
  for (const auto& r : refusals) {
    const std::string expected = std::string("invalid_argument: ") + r.message;
    EXPECT_EQ(test::error_of([&] { Fft<double>(r.shape, r.options); }), expected);
    EXPECT_EQ(test::error_of([&] { Fft<float>(r.shape, r.options); }), expected);
    EXPECT_EQ(test::error_of([&] { RealFft<double>(r.shape, r.options); }), expected);
  }
}

TEST(FftProblem, ScalesAsNamed) {
  using fft::detail::factor_of;
  EXPECT_EQ(factor_of(fft::Scale::one, 16), 1);
  EXPECT_EQ(factor_of(fft::Scale::by_n, 16), 1.0 / 16);
  EXPECT_EQ(factor_of(fft::Scale::by_root_n, 16), 0.25);
}

}  // namespace
}  // namespace kinjo
