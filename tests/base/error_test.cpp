#include <kinjo/error.hpp>

#include <gtest/gtest.h>

#include "base/contract.hpp"

namespace kinjo::test {
namespace {

TEST(Error, CarriesItsCodeAndItsWords) {
  const Error error(Errc::not_found, "no such node");
  EXPECT_EQ(error.code(), Errc::not_found);
  EXPECT_STREQ(error.what(), "no such node");
}

/// The C API gives these numbers away, so they must never change.
TEST(Errc, HasTheNumbersAndNamesThatItAlwaysHad) {
  const struct {
    Errc code;
    int number;
    const char* name;
  } cases[] = {
      {Errc::invalid_argument, 1, "invalid_argument"},
      {Errc::bad_input, 2, "bad_input"},
      {Errc::not_found, 3, "not_found"},
      {Errc::not_permitted, 4, "not_permitted"},
      {Errc::not_supported, 5, "not_supported"},
      {Errc::out_of_memory, 6, "out_of_memory"},
      {Errc::system, 7, "system"},
      {Errc::usage, 8, "usage"},
      {Errc::timed_out, 9, "timed_out"},
      {Errc::cell_lost, 10, "cell_lost"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(static_cast<int>(c.code), c.number);
    EXPECT_STREQ(to_string(c.code), c.name);
  }
  EXPECT_STREQ(to_string(static_cast<Errc>(99)), "unknown");
}

TEST(ContractDeathTest, ThatIsBrokenNamesTheConditionAndAborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(KINJO_ASSERT(1 + 1 == 3),
               "kinjo: a bug in kinjo itself: 1 \\+ 1 == 3 does not hold at .*error_test.cpp:");
  KINJO_ASSERT(1 + 1 == 2);
}

}  // namespace
}  // namespace kinjo::test
