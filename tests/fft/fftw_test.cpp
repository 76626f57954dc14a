/// Plans against FFTW's answers on random data, up to 2²⁴ numbers.
///
/// Both keep an error of 0.6 ε √(log₂ n), so that they differ by twice that at most.
#include <kinjo/fft.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#ifdef KINJO_TEST_FFTW
#include <fftw3.h>
#endif

namespace kinjo {
namespace {

#ifndef KINJO_TEST_FFTW

TEST(FftBesideFftw, GivesItsAnswers) { GTEST_SKIP() << "libfftw3-dev is not installed"; }

#else

using Shape = std::vector<std::size_t>;

/// FFTW's functions for a type.
template <class T>
struct Fftw;

#define KINJO_FFTW(type, name)                                                                    \
  template <>                                                                                     \
  struct Fftw<type> {                                                                             \
    using Plan = name##_plan;                                                                     \
    using Complex = name##_complex;                                                               \
    static Plan complex(const std::vector<int>& n, Complex* in, Complex* out, int sign) {         \
      return name##_plan_dft(static_cast<int>(n.size()), n.data(), in, out, sign, FFTW_ESTIMATE); \
    }                                                                                             \
    static Plan real(const std::vector<int>& n, type* in, Complex* out) {                         \
      return name##_plan_dft_r2c(static_cast<int>(n.size()), n.data(), in, out, FFTW_ESTIMATE);   \
    }                                                                                             \
    static void run(Plan plan) {                                                                  \
      name##_execute(plan);                                                                       \
      name##_destroy_plan(plan);                                                                  \
    }                                                                                             \
  };
KINJO_FFTW(float, fftwf)
KINJO_FFTW(double, fftw)
#undef KINJO_FFTW

/// Uniformly distributed numbers.
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::mt19937_64 generator(count);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> x(count);
  for (T& v : x) v = uniform(generator);
  return x;
}

/// ‖y − other‖₂ / ‖other‖₂ in units of what both errors may be together.
template <class T>
double difference(const std::vector<T>& y, const std::vector<T>& other, std::size_t n) {
  double wrong = 0, all = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double off = static_cast<double>(y[i]) - static_cast<double>(other[i]);
    wrong += off * off;
    all += static_cast<double>(other[i]) * static_cast<double>(other[i]);
  }
  const double levels = std::max(1.0, std::log2(static_cast<double>(n)));
  return std::sqrt(wrong / all) /
         (1.2 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(levels));
}

std::string name_of(const Shape& shape) {
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : " × ") + std::to_string(n);
  return text;
}

template <class T>
void compare_complex(const Shape& shape) {
  const Fft<T> plan(shape, {.backward = fft::Scale::one});
  const std::vector<int> n(shape.begin(), shape.end());
  auto x = numbers<T>(2 * plan.size());
  std::vector<T> y(x.size()), expected(x.size());
  auto* const in = reinterpret_cast<std::complex<T>*>(x.data());
  auto* const out = reinterpret_cast<std::complex<T>*>(y.data());
  for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
    sign == FFTW_FORWARD ? plan.forward(in, out) : plan.backward(in, out);
    Fftw<T>::run(Fftw<T>::complex(n, reinterpret_cast<typename Fftw<T>::Complex*>(x.data()),
                                  reinterpret_cast<typename Fftw<T>::Complex*>(expected.data()),
                                  sign));
    EXPECT_LE(difference(y, expected, plan.size()), 1) << name_of(shape) << ", sign " << sign;
  }
}

/// Forward, and back to where it came from, which FFTW's way back would overwrite.
template <class T>
void compare_real(const Shape& shape) {
  const RealFft<T> plan(shape);
  const std::vector<int> n(shape.begin(), shape.end());
  auto x = numbers<T>(plan.size());
  std::vector<T> y(2 * plan.spectrum_size()), expected(y.size()), back(x.size());
  auto* const spectrum = reinterpret_cast<std::complex<T>*>(y.data());
  plan.forward(x.data(), spectrum);
  Fftw<T>::run(
      Fftw<T>::real(n, x.data(), reinterpret_cast<typename Fftw<T>::Complex*>(expected.data())));
  EXPECT_LE(difference(y, expected, plan.size()), 1) << name_of(shape);
  plan.backward(spectrum, back.data());
  EXPECT_LE(difference(back, x, plan.size()), 1) << name_of(shape) << ", there and back";
}

const Shape kShapes[] = {
    {1},       {2},         {30},       {61},          {64},         {97},      {1000},    {1009},
    {1 << 10}, {1 << 12},   {6561},     {20011},       {1 << 14},    {1 << 16}, {1 << 18}, {510510},
    {823543},  {1000000},   {1000003},  {1 << 20},     {1594323},    {9765625}, {1 << 22}, {30, 7},
    {64, 64},  {1000, 300}, {37, 2, 8}, {128, 64, 32}, {1024, 1024}, {1 << 24}};

template <class T>
class FftBesideFftw : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FftBesideFftw, Types);

TYPED_TEST(FftBesideFftw, GivesItsComplexAnswersForwardAndBackward) {
  for (const Shape& shape : kShapes) compare_complex<TypeParam>(shape);
}

TYPED_TEST(FftBesideFftw, GivesItsRealAnswers) {
  for (const Shape& shape : kShapes) compare_real<TypeParam>(shape);
}

#endif

}  // namespace
}  // namespace kinjo
