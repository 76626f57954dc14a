#include "launch/places.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

/// The CPUs of each place, as text: `0` `2` `4-5,8` → {{0}, {2}, {4, 5, 8}}.
std::vector<std::vector<unsigned>> read(const char* text) {
  kinjo_places places;
  if (kinjo_places_parse(text, &places) != 0) return {};
  std::vector<std::vector<unsigned>> cpus(places.count);
  for (std::size_t p = 0; p < places.count; ++p) {
    const unsigned long* mask = kinjo_places_mask(&places, p);
    for (unsigned cpu = 0; cpu < places.words * 64; ++cpu) {
      if (mask[cpu / 64] >> (cpu % 64) & 1) cpus[p].push_back(cpu);
    }
  }
  kinjo_places_free(&places);
  return cpus;
}

using Places = std::vector<std::vector<unsigned>>;

TEST(Places, AreListsOfCpusBetweenSemicolons) {
  EXPECT_EQ(read("0"), (Places{{0}}));
  EXPECT_EQ(read("1;0"), (Places{{1}, {0}}));
  EXPECT_EQ(read("0;2;4-5,8"), (Places{{0}, {2}, {4, 5, 8}}));
}

TEST(Places, MayNameMoreThan1024Cpus) { EXPECT_EQ(read("4095;63-64"), (Places{{4095}, {63, 64}})); }

TEST(Places, StartAgainBeyondTheLast) {
  kinjo_places places;
  ASSERT_EQ(kinjo_places_parse("3;5", &places), 0);
  EXPECT_EQ(kinjo_places_mask(&places, 2), kinjo_places_mask(&places, 0));
  EXPECT_EQ(*kinjo_places_mask(&places, 7), 1UL << 5);
  kinjo_places_free(&places);
}

TEST(Places, RefuseWhatIsMalformed) {
  for (const char* text :
       {"", ";", "0;", ";0", "0,", "a", "0 ", " 0", "-1", "0-", "3-1", "+1", "0;;1", "1048576",
        "99999999999999999999999", "0-99999999999999999999999"}) {
    kinjo_places places;
    EXPECT_EQ(kinjo_places_parse(text, &places), -1) << text;
    EXPECT_EQ(places.count, 0u) << text;
    EXPECT_EQ(places.masks, nullptr) << text;
  }
}

}  // namespace
