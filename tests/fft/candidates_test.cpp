#include <gtest/gtest.h>
#include <kinjo/fft.hpp>

namespace kinjo::fft {
namespace {

std::size_t product(const Cut& cut) {
  std::size_t n = 1;
  for (const std::size_t factor : cut.factors) n *= factor;
  return n;
}

TEST(FftCandidates, MakeTheLineAndAreAccepted) {
  for (const std::size_t n : {1u, 2u, 31u, 64u, 1000u, 4096u, 19683u, 1u << 22}) {
    const std::vector<Cut> cuts = candidates(n, sizeof(double), 2);
    ASSERT_FALSE(cuts.empty()) << n;
    for (const Cut& cut : cuts) {
      EXPECT_EQ(product(cut), n) << cut.to_string();
      if (n > 4096) continue;
      EXPECT_NO_THROW(Fft<double>(n, {.cut = cut})) << cut.to_string();
    }
  }
}

TEST(FftCandidates, DifferFromEachOther) {
  const std::vector<Cut> cuts = candidates(1 << 20, sizeof(float));
  EXPECT_GT(cuts.size(), 8u);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(cuts[i].to_string(), cuts[k].to_string());
  }
}

TEST(FftCandidates, AreNoneWhereNoCutIsTaken) {
  EXPECT_TRUE(candidates(37, sizeof(double)).empty());
  EXPECT_TRUE(candidates(0, sizeof(double)).empty());
}

}  // namespace
}  // namespace kinjo::fft
