#include <gtest/gtest.h>
#include <kinjo/fft_plan.hpp>

#include "support/expect.hpp"

namespace kinjo::fft {
namespace {

const Wisdom::Key kKey{"A machine, 2 threads, scatter", {1 << 20}, sizeof(float)};
const Wisdom::Cuts kCuts{{{1024, 1024}, 32, InCache::in_place, Overlap::off}};

TEST(FftWisdom, IsTheSameAfterWritingAndReading) {
  Wisdom wisdom;
  wisdom.remember(kKey, kCuts);
  EXPECT_EQ(wisdom.to_string(),
            "kinjo-fft-wisdom 3\n"
            "A machine, 2 threads, scatter: 1048576 float = 1024x1024 width 32 in_place apart\n");
  const Wisdom again = Wisdom::parse(wisdom.to_string());
  EXPECT_EQ(again.size(), 1u);
  EXPECT_EQ(again.find(kKey), kCuts);
  EXPECT_EQ(again.find({kKey.place, kKey.shape, sizeof(double)}), std::nullopt);
}

TEST(FftWisdom, KeepsACutForEachAxisAndForRealNumbers) {
  const std::string text =
      "kinjo-fft-wisdom 3\n"
      "m: 64x100x64 double = automatic / 10x10 width 8 / 64\n"
      "m: 64x100x64 double real = 64 / 100 / 32\n"
      "m: 1000 float real = 20x25 stockham\n";
  const Wisdom wisdom = Wisdom::parse(text);
  EXPECT_EQ(wisdom.size(), 3u);
  EXPECT_EQ(wisdom.find({"m", {64, 100, 64}, sizeof(double)}),
            (Wisdom::Cuts{{}, {{10, 10}, 8}, {{64}}}));
  EXPECT_EQ(wisdom.find({"m", {1000}, sizeof(float), Input::real}),
            (Wisdom::Cuts{{{20, 25}, 0, InCache::stockham}}));
  EXPECT_EQ(wisdom.find({"m", {1000}, sizeof(float)}), std::nullopt);
  EXPECT_EQ(Wisdom::parse(wisdom.to_string()).to_string(), wisdom.to_string());
}

TEST(FftWisdom, KeepsTheLastCutOfAKey) {
  Wisdom wisdom;
  wisdom.remember(kKey, kCuts);
  const Wisdom::Cuts whole{{{1 << 20}}};
  wisdom.remember(kKey, whole);
  EXPECT_EQ(wisdom.size(), 1u);
  EXPECT_EQ(wisdom.find(kKey), whole);
}

TEST(FftWisdom, IsRefusedWithTheNumberOfTheLine) {
  const struct {
    const char *text, *message;
  } refusals[] = {
      {"wisdom", "line 1: expected 'kinjo-fft-wisdom 3'"},
      {"kinjo-fft-wisdom 1\nm: 16 double = 4x4 width 8\n",
       "line 1: 'kinjo-fft-wisdom 1' does not say for which caches and vector instructions its "
       "cuts "
       "are: expected 'kinjo-fft-wisdom 3', measured anew"},
      {"kinjo-fft-wisdom 2\n",
       "line 1: 'kinjo-fft-wisdom 2' does not say for which caches and vector instructions its "
       "cuts "
       "are: expected 'kinjo-fft-wisdom 3', measured anew"},
      {"kinjo-fft-wisdom 3\n\n", "line 2: expected 'PLACE: SIZE TYPE = CUT'"},
      {"kinjo-fft-wisdom 3\nm: 4 half = 4\n",
       "line 2: '4 half': expected a size and 'double' or 'float', and 'real' if it is"},
      {"kinjo-fft-wisdom 3\nm: 4x0 float = 4 / 4\n",
       "line 2: '4x0 float': expected a size and 'double' or 'float', and 'real' if it is"},
      {"kinjo-fft-wisdom 3\nm: 4 float unreal = 4\n",
       "line 2: '4 float unreal': expected a size and 'double' or 'float', and 'real' if it is"},
      {"kinjo-fft-wisdom 3\nm: 4x8 float = 4\n", "line 2: 1 cut: expected one for each of 2 axes"},
      {"kinjo-fft-wisdom 3\nm: 4x8 float real = 4 / 8\n",
       "line 2: fft: cut '8': expected factors that make a line of 4"},
      {"kinjo-fft-wisdom 3\nm: 4 float = 2x2\nm: 4 float = 5\n",
       "line 3: fft: cut '5': expected factors that make a line of 4"},
      {"kinjo-fft-wisdom 3\nm: 4096 double = 64x64x1\n",
       "line 2: fft: cut '64x64x1': expected factors from 2"},
      {"kinjo-fft-wisdom 3\nm: 4096 double = 8x8x8x8\n",
       "line 2: fft: cut '8x8x8x8': expected one to three factors"},
      {"kinjo-fft-wisdom 3\nm: 256x3 double = 256 direct / automatic\n",
       "line 2: fft: cut '256 direct': elements lie 3 apart: expected 1 with 'direct'"},
      {"kinjo-fft-wisdom 3\nm: 536870912 float = 536870912\n",
       "line 2: fft: cut '536870912': 16 lines of 536870912 at a time: expected buffers of at most "
       "1073741824 numbers"},
      {"kinjo-fft-wisdom 3\n: 4 float = 4\n",
       "line 2: the place '' is empty or holds a colon or a line's end"},
  };
  for (const auto& r : refusals) {
    EXPECT_EQ(test::error_of([&] { (void)Wisdom::parse(r.text); }),
              std::string("bad_input: fft wisdom, ") + r.message);
  }
}

}  // namespace
}  // namespace kinjo::fft
