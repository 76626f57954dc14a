#include <kinjo/fft.hpp>

#include <gtest/gtest.h>

#include "fft/direct.hpp"

namespace kinjo {
namespace {

using test::direct, test::excess, test::random_numbers;

/// Lengths that take a convolution have two transforms' errors.
double allowed(std::size_t n) {
  for (std::size_t p = 2; p <= 31; ++p) {
    while (n % p == 0) n /= p;
  }
  return n == 1 ? 1 : 1.5;
}

template <class T>
class FftOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FftOf, Types);

TYPED_TEST(FftOf, AgreesWithTheDefinitionForEveryLengthTo200) {
  for (std::size_t n = 1; n <= 200; ++n) {
    const auto x = random_numbers<TypeParam>(n);
    const Fft<TypeParam> plan(n, {.backward = fft::Scale::one});
    std::vector<std::complex<TypeParam>> y(n);
    plan.forward(x.data(), y.data());
    EXPECT_LE(excess(y, direct(x, -1)), allowed(n)) << "forward, n = " << n;
    plan.backward(x.data(), y.data());
    EXPECT_LE(excess(y, direct(x, +1)), allowed(n)) << "backward, n = " << n;
  }
}

TYPED_TEST(FftOf, BackwardUndoesForward) {
  for (const std::size_t n : {1u, 2u, 30u, 127u, 1000u, 4096u}) {
    const auto x = random_numbers<TypeParam>(n);
    const Fft<TypeParam> plan(n);
    auto y = x;
    plan.forward(y.data(), y.data());
    plan.backward(y.data(), y.data());
    EXPECT_LE(excess(y, {x.begin(), x.end()}), 2) << "n = " << n;
  }
}

}  // namespace
}  // namespace kinjo
