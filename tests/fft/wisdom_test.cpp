#include <gtest/gtest.h>
#include <kinjo/fft.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

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

TEST(FftWisdom, TakesPlacesWithAnEqualsSign) {
  Wisdom wisdom;
  const Wisdom::Key key{"L2 = 1 MiB, 2 threads", {16}, sizeof(double)};
  wisdom.remember(key, {{{4, 4}}});
  const Wisdom again = Wisdom::parse(wisdom.to_string());
  EXPECT_EQ(again.find(key), (Wisdom::Cuts{{{4, 4}}}));
  EXPECT_EQ(again.to_string(), wisdom.to_string());
}

TEST(FftWisdom, RefusesWhatItCouldNotWrite) {
  Wisdom wisdom;
  const auto remember = [&](Wisdom::Key key) {
    return test::error_of([&] { wisdom.remember(key, {{{16}}}); });
  };
  EXPECT_EQ(remember({"a\x1b: b", {16}, sizeof(double)}),
            "invalid_argument: the place 'a?: b' is empty or holds a colon or a line's end");
  for (const std::size_t bytes : {0u, 1u, 2u, 16u}) {
    EXPECT_EQ(remember({"m", {16}, bytes}), "invalid_argument: fft: elements of " +
                                                std::to_string(bytes) +
                                                " bytes: expected 4 (float) or 8 (double)");
  }
  EXPECT_EQ(wisdom.size(), 0u);
}

TEST(FftWisdom, TakesOverAllThatAnotherOneHolds) {
  Wisdom wisdom = Wisdom::parse("kinjo-fft-wisdom 3\nm: 16 double = 4x4\nm: 8 double = 8\n");
  wisdom.remember(Wisdom::parse("kinjo-fft-wisdom 3\nm: 16 double = 16\nn: 9 double = 9\n"));
  EXPECT_EQ(wisdom.to_string(),
            "kinjo-fft-wisdom 3\nm: 8 double = 8\nm: 16 double = 16\nn: 9 double = 9\n");
}

TEST(FftWisdom, HasAPlaceForEachMappingAndWhatIsAskedOfPlans) {
  const Topology& machine = Topology::this_machine();
  const Mapping mapping(machine, Policy::none(), 2, Oversubscribe::wrap);
  const std::string place = wisdom_place(machine, mapping);
  EXPECT_TRUE(place.ends_with(", 2 threads, none")) << place;
  EXPECT_EQ(
      wisdom_place(machine, mapping,
                   {.in_cache = InCache::stockham, .overlap = Overlap::off, .deal = Deal::cyclic},
                   Arrays::one),
      place + ", in place, in cache stockham, overlap off, cyclic");
  const Mapping listed(machine, Policy::parse("cpus:0"), 1);
  Wisdom wisdom;
  wisdom.remember({wisdom_place(machine, listed), {16}, sizeof(float)}, {{{4, 4}}});
  // As the header says it is used.
  const auto cuts = wisdom.find({wisdom_place(machine, listed), {16}, sizeof(float)});
  const Fft<float> plan(16, {.cuts = cuts.value_or(Wisdom::Cuts())});
  EXPECT_NE(plan.describe().find("4 lines of 4"), std::string::npos) << plan.describe();
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
      {"kinjo-fft-wisdom 3\nm: 1000 double = 10x100  width 16 nonsense\n",
       "line 2: fft: cut '10x100  width 16 nonsense': '' is not expected there: expected e.g. "
       "'4096x4096 width 64 in_place overlap'"},
      {"kinjo-fft-wisdom 3\nm: 4 float = 4 / \n",
       "line 2: fft: cut '': '' is not a positive number: expected e.g. '4096x4096 width 64 "
       "in_place "
       "overlap'"},
      {"kinjo-fft-wisdom 3\nm: 4x float = 4\n",
       "line 2: '4x float': expected a size and 'double' or 'float', and 'real' if it is"},
      {"kinjo-fft-wisdom 3\nm: 4 float  = 4\n",
       "line 2: '4 float ': expected a size and 'double' or 'float', and 'real' if it is"},
      {"kinjo-fft-wisdom 3\nm: 4 \x1b = 4\n",
       "line 2: '4 ?': expected a size and 'double' or 'float', and 'real' if it is"},
      {"kinjo-fft-wisdom 3\nm: = 4\n",
       "line 2: '': expected a size and 'double' or 'float', and 'real' if it is"},
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
