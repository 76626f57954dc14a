/// Results as bytes and back.
#include "comm/apps/wire.hpp"

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::comm::detail {
namespace {

ShiftGemmResult sample() {
  ShiftGemmResult result;
  result.form = Form::send;
  result.seconds = {1.5, 2.5};
  result.cells = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  result.waits = {{}, {{Wait::For::barrier, 10, 20}}};
  result.verified = false;
  result.fault = "C[0, 1] is 2: expected 3";
  return result;
}

TEST(Archive, GivesBackWhatWasPacked) {
  const auto back = unpack<std::vector<ShiftGemmResult>>(pack(std::vector{sample()}));
  ASSERT_EQ(back.size(), 1);
  const ShiftGemmResult& result = back.front();
  EXPECT_EQ(result.form, Form::send);
  EXPECT_EQ(result.seconds, sample().seconds);
  ASSERT_EQ(result.cells.size(), 2);
  EXPECT_EQ(result.cells[1].barrier, 8);
  ASSERT_EQ(result.waits.size(), 2);
  EXPECT_TRUE(result.waits[0].empty());
  EXPECT_EQ(result.waits[1].front().end_ns, 20);
  EXPECT_EQ(result.verified, false);
  EXPECT_EQ(result.fault, sample().fault);
}

TEST(Archive, RefusesBytesThatEndTooEarly) {
  const std::string bytes = pack(sample());
  for (std::size_t kept = 0; kept < bytes.size(); ++kept) {
    EXPECT_EQ(kinjo::test::error_of([&] { unpack<ShiftGemmResult>(bytes.substr(0, kept)); }),
              "bad_input: a cell's result ends too early")
        << kept;
  }
}

}  // namespace
}  // namespace kinjo::comm::detail
