#include <algorithm>

#include <gtest/gtest.h>
#include <kinjo/fft.hpp>

#include "support/expect.hpp"

namespace kinjo::fft {
namespace {

std::size_t product(const Cut& cut) {
  std::size_t n = 1;
  for (const std::size_t factor : cut.factors) n *= factor;
  return n;
}

TEST(FftCandidates, MakeTheLineAndAreAccepted) {
  for (const std::size_t n : {1u, 2u, 31u, 64u, 1000u, 4096u, 19683u, 1u << 22}) {
    const std::vector<Cut> cuts = candidates({n}, sizeof(double), 2);
    ASSERT_FALSE(cuts.empty()) << n;
    for (const Cut& cut : cuts) {
      EXPECT_EQ(product(cut), n) << cut.to_string();
      if (n > 4096) continue;
      EXPECT_NO_THROW(Fft<double>(n, {.cuts = {cut}})) << cut.to_string();
    }
  }
}

TEST(FftCandidates, DifferFromEachOther) {
  const std::vector<Cut> cuts = candidates({1 << 20}, sizeof(float));
  EXPECT_GT(cuts.size(), 8u);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(cuts[i].to_string(), cuts[k].to_string());
  }
}

TEST(FftCandidates, OfLinesSideBySideAreOfOneSweepToo) {
  const std::vector<Cut> cuts = candidates({512, 512, 512}, sizeof(double));
  const auto one = [](const Cut& cut) { return cut.factors.size() == 1 && cut.width != 0; };
  EXPECT_GT(std::count_if(cuts.begin(), cuts.end(), one), 1);
}

TEST(FftCandidates, AreNoneWhereNoCutIsTaken) {
  constexpr std::size_t kNotSmooth = 2 * 1009;
  EXPECT_TRUE(candidates({kNotSmooth}, sizeof(double)).empty());
  EXPECT_TRUE(candidates({0}, sizeof(double)).empty());
}

TEST(FftCandidates, AreForElementsAndThreadsThatThereAre) {
  for (const std::size_t bytes : {0u, 2u, 16u}) {
    EXPECT_EQ(test::error_of([&] { (void)candidates({1024}, bytes); }),
              "invalid_argument: fft: elements of " + std::to_string(bytes) +
                  " bytes: expected 4 (float) or 8 (double)");
  }
  EXPECT_EQ(test::error_of([] { (void)candidates({1024}, sizeof(double), 0); }),
            "invalid_argument: fft: candidates for 0 threads: expected at least 1");
}

TEST(FftLines, AreThoseOfEachTransformedAxis) {
  using Lines = std::vector<Line>;
  EXPECT_EQ(lines_of({1000}), (Lines{{1000, 1, 1}}));
  EXPECT_EQ(lines_of({8, 6, 10}), (Lines{{8, 60, 60}, {6, 10, 10}, {10, 1, 48}}));
  EXPECT_EQ(lines_of({8, 6, 10}, {.axes = {1}}), (Lines{{6, 10, 10}}));
  EXPECT_EQ(lines_of({1000}, {}, Input::real), (Lines{{500, 1, 1}}));
  EXPECT_EQ(lines_of({1001}, {}, Input::real), (Lines{{1001, 1, 1}}));
  EXPECT_EQ(lines_of({8, 10}, {}, Input::real), (Lines{{8, 6, 6}, {5, 1, 8}}));
}

}  // namespace
}  // namespace kinjo::fft
