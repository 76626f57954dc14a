#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/kinjo.h>

#include "capi/owned.hpp"
#include "support/failing_new.hpp"

namespace {

using kinjo::test::CFft, kinjo::test::CMapping, kinjo::test::CTeam;
using Complex = std::complex<double>;

CFft make(std::vector<ptrdiff_t> shape, ptrdiff_t batch = 1, unsigned flags = 0,
          kinjo_team* team = nullptr) {
  return CFft(kinjo_fft_create(team, static_cast<int>(shape.size()), shape.data(), batch, flags));
}

/// Numbers that turn `turns` times: their transform is one peak.
template <class T>
std::vector<std::complex<T>> wave(std::size_t n, double turns) {
  std::vector<std::complex<T>> x;
  for (std::size_t j = 0; j < n; ++j) {
    x.emplace_back(std::polar(
        1.0, 2 * std::numbers::pi * turns * static_cast<double>(j) / static_cast<double>(n)));
  }
  return x;
}

TEST(CTransforms, TransformsForwardAndBackInPlaceAndOutOfPlace) {
  const CFft plan = make({60});
  auto x = wave<double>(60, 7);
  std::vector<Complex> y(60);
  ASSERT_EQ(kinjo_fft_forward(plan.get(), x.data(), y.data()), KINJO_OK);
  for (std::size_t k = 0; k < 60; ++k) EXPECT_NEAR(std::abs(y[k]), k == 7 ? 60 : 0, 1e-13) << k;
  ASSERT_EQ(kinjo_fft_backward(plan.get(), y.data(), y.data()), KINJO_OK);
  for (std::size_t j = 0; j < 60; ++j) EXPECT_NEAR(std::abs(y[j] - x[j]), 0, 1e-14);
}

TEST(CTransforms, TransformsFloatsInBatchesOverATeam) {
  const CMapping mapping = kinjo::test::map_two_nodes("none", 2);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  const CFft plan = make({8, 16}, 3, KINJO_FFT_FLOAT | KINJO_FFT_UNSCALED, team.get());
  std::vector<std::complex<float>> x(3 * 128, 1.0f), y(x);
  ASSERT_EQ(kinjo_fft_forward(plan.get(), x.data(), y.data()), KINJO_OK);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i].real(), i % 128 == 0 ? 128 : 0, 1e-4);
  ASSERT_EQ(kinjo_fft_backward(plan.get(), y.data(), y.data()), KINJO_OK);
  for (const auto& number : y) EXPECT_NEAR(number.real(), 128, 1e-3);
}

TEST(CTransforms, KeepsHalfOfARealSpectrum) {
  const CFft plan = make({10}, 1, KINJO_FFT_REAL | KINJO_FFT_ORTHO);
  std::vector<double> x{1, -1, 1, -1, 1, -1, 1, -1, 1, -1}, back(10);
  std::vector<Complex> y(6);
  ASSERT_EQ(kinjo_fft_forward(plan.get(), x.data(), y.data()), KINJO_OK);
  EXPECT_NEAR(y[5].real(), 10 / std::sqrt(10.0), 1e-14);
  ASSERT_EQ(kinjo_fft_backward(plan.get(), y.data(), back.data()), KINJO_OK);
  for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(back[j], x[j], 1e-14);
}

TEST(CTransforms, RefusesWhatIsNoTransform) {
  const auto refusal = [](int axes, const ptrdiff_t* shape, ptrdiff_t batch, unsigned flags) {
    EXPECT_EQ(kinjo_fft_create(nullptr, axes, shape, batch, flags), nullptr);
    EXPECT_EQ(kinjo_last_status(), KINJO_INVALID_ARGUMENT);
    return std::string(kinjo_last_error());
  };
  const ptrdiff_t good = 8, zero = 0, negative = -8;
  EXPECT_EQ(refusal(1, &zero, 1, 0), "fft: a length is 0: expected 1 or more");
  EXPECT_EQ(refusal(1, &negative, 1, 0), "fft: a length is -8: expected 1 or more");
  EXPECT_EQ(refusal(0, &good, 1, 0), "fft: the number of axes is 0: expected 1 or more");
  EXPECT_EQ(refusal(1, nullptr, 1, 0), "shape is NULL");
  EXPECT_EQ(refusal(1, &good, 0, 0), "fft: the batch is 0: expected 1 or more");
  EXPECT_EQ(refusal(1, &good, 1, KINJO_FFT_ORTHO | KINJO_FFT_UNSCALED),
            "fft: KINJO_FFT_UNSCALED and KINJO_FFT_ORTHO: expected one of them");
}

TEST(CTransforms, RefusesMissingPlansAndArrays) {
  const CFft plan = make({4});
  std::vector<Complex> x(4);
  EXPECT_EQ(kinjo_fft_forward(nullptr, x.data(), x.data()), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "plan is NULL");
  EXPECT_EQ(kinjo_fft_forward(plan.get(), nullptr, x.data()), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_fft_backward(plan.get(), x.data(), nullptr), KINJO_INVALID_ARGUMENT);
  kinjo_fft_free(nullptr);
}

TEST(CTransforms, ReportsWantOfMemoryAtAnyAllocation) {
  const auto expect_out_of_memory = [](int nth) {
    EXPECT_EQ(kinjo_last_status(), KINJO_OUT_OF_MEMORY) << "at allocation " << nth;
  };
  EXPECT_GT(kinjo::test::fail_each_allocation(
                [] {
                  return make({6, 35}) != nullptr;
                },
                expect_out_of_memory),
            3);
}

}  // namespace
