#include <gtest/gtest.h>
#include <kinjo/fft_plan.hpp>

#include "support/expect.hpp"

namespace kinjo::fft {
namespace {

const Wisdom::Key kKey{"A machine, 2 threads, scatter", 1 << 20, sizeof(float)};
const Cut kCut{{1024, 1024}, 32, InCache::in_place, Overlap::off};

TEST(FftWisdom, IsTheSameAfterWritingAndReading) {
  Wisdom wisdom;
  wisdom.remember(kKey, kCut);
  EXPECT_EQ(wisdom.to_string(),
            "kinjo-fft-wisdom 1\n"
            "A machine, 2 threads, scatter: 1048576 float = 1024x1024 width 32 in_place apart\n");
  const Wisdom again = Wisdom::parse(wisdom.to_string());
  EXPECT_EQ(again.size(), 1u);
  EXPECT_EQ(again.find(kKey), kCut);
  EXPECT_EQ(again.find({kKey.place, kKey.n, sizeof(double)}), std::nullopt);
}

TEST(FftWisdom, KeepsTheLastCutOfAKey) {
  Wisdom wisdom;
  wisdom.remember(kKey, kCut);
  wisdom.remember(kKey, {{1 << 20}});
  EXPECT_EQ(wisdom.size(), 1u);
  EXPECT_EQ(wisdom.find(kKey), (Cut{{1 << 20}}));
}

TEST(FftWisdom, IsRefusedWithTheNumberOfTheLine) {
  const struct {
    const char *text, *message;
  } refusals[] = {
      {"wisdom", "line 1: expected 'kinjo-fft-wisdom 1'"},
      {"kinjo-fft-wisdom 1\n\n", "line 2: expected 'PLACE: LENGTH TYPE = CUT'"},
      {"kinjo-fft-wisdom 1\nm: 4 half = 4\n",
       "line 2: '4 half': expected a length and 'double' or 'float'"},
      {"kinjo-fft-wisdom 1\nm: 4 float = 2x2\nm: 4 float = 5\n",
       "line 3: the cut '5' makes a line of 5: expected 4"},
      {"kinjo-fft-wisdom 1\n: 4 float = 4\n",
       "line 2: the place '' is empty or holds a colon or a line's end"},
  };
  for (const auto& r : refusals) {
    EXPECT_EQ(test::error_of([&] { (void)Wisdom::parse(r.text); }),
              std::string("bad_input: fft wisdom, ") + r.message);
  }
}

}  // namespace
}  // namespace kinjo::fft
