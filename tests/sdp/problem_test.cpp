#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

namespace kinjo::sdp {
namespace {

using ::testing::HasSubstr;

const std::vector<Block> kBlocks = {{3, BlockKind::symmetric}, {2, BlockKind::diagonal}};

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    return error.what();
  }
  return "no error";
}

TEST(ProblemBuilder, SortsEntriesAndTakesEitherTriangle) {
  ProblemBuilder builder(kBlocks, {1, 2});
  builder.add(2, 1, 1, 1, 5);
  builder.add(0, 0, 2, 1, 3);
  builder.add(2, 0, 0, 0, 4);
  const Problem problem = builder.finish();
  EXPECT_EQ(problem.constraints(), 2u);
  EXPECT_EQ(problem.order(), 5u);
  ASSERT_EQ(problem.matrix(0).size(), 1u);
  EXPECT_EQ(problem.matrix(0)[0].row, 1u);
  EXPECT_EQ(problem.matrix(0)[0].column, 2u);
  EXPECT_TRUE(problem.matrix(1).empty());
  ASSERT_EQ(problem.matrix(2).size(), 2u);
  EXPECT_EQ(problem.matrix(2)[0].block, 0u);
  EXPECT_EQ(problem.matrix(2)[1].value, 5);
}

TEST(ProblemBuilder, AddsUpRepeatedEntriesAndDropsWhatCancels) {
  ProblemBuilder builder(kBlocks, {1});
  builder.add(1, 0, 0, 1, 2);
  builder.add(1, 0, 1, 0, 3);
  builder.add(1, 0, 2, 2, 1);
  builder.add(1, 0, 2, 2, -1);
  const Problem problem = builder.finish();
  ASSERT_EQ(problem.matrix(1).size(), 1u);
  EXPECT_EQ(problem.matrix(1)[0].value, 5);
}

TEST(ProblemBuilder, TakesMoreThanItHasMadeRoomFor) {
  ProblemBuilder builder(kBlocks, {1});
  builder.reserve(1);
  builder.add(1, 0, 0, 0, 2);
  builder.add(1, 1, 1, 1, 3);
  builder.reserve(0);
  const Problem problem = builder.finish();
  ASSERT_EQ(problem.matrix(1).size(), 2u);
  EXPECT_EQ(problem.matrix(1)[0].value, 2);
  EXPECT_EQ(problem.matrix(1)[1].value, 3);
}

TEST(ProblemBuilder, RefusesWhatIsOutOfRange) {
  ProblemBuilder builder(kBlocks, {1});
  EXPECT_EQ(message_of([&] { builder.add(2, 0, 0, 0, 1); }),
            "entry (0, 0) of block 0 of matrix 2: expected a matrix from 0 to 1");
  EXPECT_EQ(message_of([&] { builder.add(1, 2, 0, 0, 1); }),
            "entry (0, 0) of block 2 of matrix 1: expected a block below 2");
  EXPECT_EQ(message_of([&] { builder.add(1, 0, 0, 3, 1); }),
            "entry (0, 3) of block 0 of matrix 1: expected indices below 3");
  EXPECT_EQ(message_of([&] { builder.add(1, 1, 0, 1, 1); }),
            "entry (0, 1) of block 1 of matrix 1: the block is diagonal");
  EXPECT_EQ(message_of([&] { builder.add(1, 0, 0, 0, std::numeric_limits<double>::infinity()); }),
            "entry (0, 0) of block 0 of matrix 1: inf is not a finite number");
  EXPECT_THAT(message_of([] { ProblemBuilder(kBlocks, {}); }), HasSubstr("c is empty"));
}

}  // namespace
}  // namespace kinjo::sdp
