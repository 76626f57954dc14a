#include <kinjo/count.hpp>

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

Count power_of_two(unsigned exponent) {
  std::vector<std::uint64_t> limbs(exponent / 64 + 1);
  limbs.back() = std::uint64_t{1} << exponent % 64;
  return Count(limbs);
}

TEST(Count, IsWrittenInDecimal) {
  EXPECT_EQ(Count().to_string(), "0");
  EXPECT_EQ(Count(184).to_string(), "184");
  EXPECT_EQ(Count(kMost).to_string(), "18446744073709551615");
  EXPECT_EQ(power_of_two(64).to_string(), "18446744073709551616");
  EXPECT_EQ(power_of_two(200).to_string(),
            "1606938044258990275541962092341162602522202993782792835301376");
}

TEST(Count, IsReadFromDecimal) {
  for (const char* digits : {"0", "7", "18446744073709551616",
                             "1523344971704879993080742810319229690899454255323294555776029866"}) {
    EXPECT_EQ(Count::parse(digits).to_string(), digits);
  }
  EXPECT_EQ(Count::parse("0012"), Count(12));
}

TEST(Count, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-1", "1 ", "0x10", "1e3"}) {
    EXPECT_EQ(error_of([&] { Count::parse(text); }),
              std::string("invalid_argument: '") + text + "' as a count: expected decimal digits");
  }
}

TEST(Count, CarriesOverAllLimbs) {
  const Count sum = Count(std::array{kMost, kMost}) + Count(1);
  EXPECT_EQ(sum, power_of_two(128));
  EXPECT_EQ(Count(1) + Count(std::array{kMost, kMost}), sum);
  EXPECT_EQ(Count() + Count(), Count());
}

TEST(Count, Multiplies) {
  EXPECT_EQ(power_of_two(70) * power_of_two(90), power_of_two(160));
  EXPECT_EQ(Count(0) * power_of_two(90), Count());
  EXPECT_EQ((Count::parse("123456789012345678901234567890") * Count(1000000007)).to_string(),
            "123456789876543201987654320198641975230");
}

TEST(Count, HasNoLeadingZeros) {
  EXPECT_EQ(Count(std::array<std::uint64_t, 3>{5, 0, 0}), Count(5));
  EXPECT_TRUE(Count(0).limbs().empty());
}

TEST(Count, IsOrderedBySize) {
  EXPECT_LT(Count(5), Count(6));
  EXPECT_LT(Count(kMost), power_of_two(64));
  EXPECT_GT(power_of_two(65), Count(std::array<std::uint64_t, 2>{kMost, 1}));
}

TEST(Count, SaysItsBitsAndItsDouble) {
  EXPECT_EQ(Count().bits(), 0U);
  EXPECT_EQ(Count(1).bits(), 1U);
  EXPECT_EQ(power_of_two(130).bits(), 131U);
  EXPECT_EQ(power_of_two(130).to_double(), std::ldexp(1.0, 130));
  EXPECT_EQ(power_of_two(2000).to_double(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace kinjo
