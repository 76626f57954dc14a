#include "base/text.hpp"

#include <cerrno>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch.hpp"

namespace kinjo::test {
namespace {

using namespace detail;
using testing::ElementsAre;

TEST(Text, IsTrimmedOfWhiteSpaceAndNulBytes) {
  EXPECT_EQ(trim("  a b \n"), "a b");
  EXPECT_EQ(trim(std::string_view("7\n\0\0", 4)), "7");
  EXPECT_EQ(trim(" \t\r\n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, IsSplitAtEverySeparator) {
  EXPECT_THAT(split("a,b", ','), ElementsAre("a", "b"));
  EXPECT_THAT(split(",a,", ','), ElementsAre("", "a", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Text, IsPrintableWithoutControlsAndBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("Käse \xE2\x82\xAC 10"), "Käse € 10");
  EXPECT_EQ(printable("a\tb\nc\x7F\x1B[2J"), "a?b?c??[2J");
  EXPECT_EQ(printable("caf\xE9 b"), "caf? b");  // Latin-1
  EXPECT_EQ(printable("\xE2\x82"), "??");       // cut off
  EXPECT_EQ(printable("\xC0\xAF\xFF"), "???");  // longer than needed, and none at all
  EXPECT_EQ(printable("\xED\xA0\x80\xF4\x90\x80\x80"), "??");  // a half of UTF-16, beyond all
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "?31m");  // a control of eight bits
  EXPECT_EQ(printable(""), "");
}

TEST(Text, IsANumberOnlyAsAWhole) {
  EXPECT_EQ(parse_number<int>("42"), 42);
  EXPECT_EQ(parse_number<int>("-1"), -1);
  EXPECT_EQ(parse_number<double>("1.5"), 1.5);
  for (const char* text : {"", " 1", "1 ", "1x", "x", "99999999999", "+1"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number<unsigned>("-1"), std::nullopt);
}

TEST(Text, IsShortenedToWholeCharacters) {
  const std::string sixty(60, 'a');
  EXPECT_EQ(shortened(sixty), sixty);
  EXPECT_EQ(shortened(sixty + "b"), sixty + "…");
  EXPECT_EQ(shortened(std::string(59, 'a') + "é and more"), std::string(59, 'a') + "…");
  EXPECT_EQ(shortened(""), "");
}

TEST(Text, IsAHexadecimalNumberOnlyAsAWhole) {
  EXPECT_EQ(parse_hex<std::uint64_t>("7f50"), 0x7F50u);
  EXPECT_EQ(parse_hex<std::uint32_t>("FFFFFFFF"), 0xFFFFFFFFu);
  for (const char* text : {"", "0x1", "-1", "1 ", "g", "100000000"}) {
    EXPECT_EQ(parse_hex<std::uint32_t>(text), std::nullopt) << text;
  }
}

TEST(Bytes, AreWrittenForPeople) {
  const struct {
    std::uint64_t bytes;
    const char* text;
  } cases[] = {
      {0, "0 B"},
      {512, "512 B"},
      {1023, "1023 B"},
      {1024, "1 KiB"},
      {1536, "1.5 KiB"},
      {64ull << 20, "64 MiB"},
      {(3ull << 30) / 2, "1.5 GiB"},
      {123456789, "118 MiB"},
      {1ull << 40, "1 TiB"},
      {1ull << 60, "1024 PiB"},
  };
  for (const auto& c : cases) EXPECT_EQ(format_bytes(c.bytes), c.text);
}

TEST(Bytes, AreReadWithAndWithoutUnits) {
  const struct {
    const char* text;
    std::optional<std::uint64_t> bytes;
  } cases[] = {
      {"4096", 4096},
      {"64M", 64ull << 20},
      {"64MiB", 64ull << 20},
      {"64MB", 64ull << 20},
      {"1.5GiB", (3ull << 30) / 2},
      {" 2 K ", 2048},
      {"7 B", 7},
      {"1T", 1ull << 40},
      {"0", 0},
      {"", {}},
      {"M", {}},
      {"-1", {}},
      {"1X", {}},
      {"1Mi", {}},
      {"1..5M", {}},
      {"99999999999T", {}},
  };
  for (const auto& c : cases) EXPECT_EQ(parse_bytes(c.text), c.bytes) << c.text;
}

TEST(Count, IsReadWithItsUnitOrAsAPower) {
  const struct {
    const char* text;
    std::optional<std::uint64_t> count;
  } cases[] = {
      {"1", 1},
      {"1000", 1000},
      {"48K", 48 << 10},
      {"1M", 1 << 20},
      {"2G", std::uint64_t{2} << 30},
      {"2^20", 1 << 20},
      {"10^3", 1000},
      {"7^0", 1},
      {"1^99999999999", 1},
      {"2^62", std::uint64_t{1} << 62},
      {"2^63", {}},
      {"4294967297G", {}},
      {"99999999999999999999", {}},
      {"0", {}},
      {"0K", {}},
      {"0^5", {}},
      {"", {}},
      {"K", {}},
      {"^", {}},
      {"2^", {}},
      {"^3", {}},
      {"2^3K", {}},
      {"1.5K", {}},
      {"-1", {}},
      {"1k", {}},
      {" 1", {}},
  };
  for (const auto& c : cases) EXPECT_EQ(parse_count(c.text), c.count) << c.text;
}

TEST(Count, IsWrittenShortly) {
  const struct {
    std::uint64_t count;
    const char* text;
  } cases[] = {{1, "1"},          {1000, "1000"},  {1024, "1K"},
               {48 << 10, "48K"}, {1 << 20, "1M"}, {std::uint64_t{1} << 40, "1024G"},
               {1025, "1025"},    {0, "0"}};
  for (const auto& c : cases) EXPECT_EQ(format_count(c.count), c.text);
}

TEST(SmallFile, IsReadUpToItsLimit) {
  const Scratch scratch;
  const std::string long_text(100'000, 'x');
  const std::string path = scratch.write("file", long_text);
  EXPECT_EQ(read_small_file(path), long_text);
  EXPECT_EQ(read_small_file(path, 10), "xxxxxxxxxx");
  EXPECT_EQ(read_small_file(path, 0), "");
  EXPECT_EQ(read_small_file(scratch.write("empty", "")), "");
}

TEST(SmallFile, IsAbsentWhereItCannotBeRead) {
  const Scratch scratch;
  EXPECT_EQ(read_small_file(scratch.path("missing")), std::nullopt);
  EXPECT_EQ(read_small_file(scratch.path()), std::nullopt);
}

TEST(ErrnoName, IsTheNameOfTheMacro) {
  EXPECT_EQ(errno_name(EPERM), "EPERM");
  EXPECT_EQ(errno_name(ENOSYS), "ENOSYS");
  EXPECT_EQ(errno_name(99999), "errno 99999");
}

}  // namespace
}  // namespace kinjo::test
