/// What the solver refuses before it takes time or memory.
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <kinjo/sdp.hpp>

#include "sdp/solver_samples.hpp"
#include "support/expect.hpp"

namespace kinjo::sdp {
namespace {

using test::error_of;
using test::sdp_mapping;

constexpr BlockKind kSymmetric = BlockKind::symmetric, kDiagonal = BlockKind::diagonal;

TEST(SdpRefusal, IsOfAProblemWithoutConstraints) {
  Team team(sdp_mapping(1));
  const std::string expected =
      "invalid_argument: a problem needs at least one constraint: c is empty";
  EXPECT_EQ(error_of([&] { solve(team, Problem()); }), expected);
  EXPECT_EQ(error_of([&] { plan(team, Problem()); }), expected);
  Problem moved = test::small_linear_program();
  solve(team, std::move(moved));
  // What it is afterwards is said in kinjo/sdp.hpp.
  EXPECT_EQ(error_of([&] { solve(team, static_cast<const Problem&>(moved)); }), expected);
}

/// min size · x over x I ⪰ [1 0; 0 0], all times `size`
Problem of_size(double size) {
  ProblemBuilder builder({{2, kSymmetric}}, {size});
  builder.add(0, 0, 0, 0, size);
  for (std::size_t i = 0; i < 2; ++i) builder.add(1, 0, i, i, size);
  return builder.finish();
}

TEST(SdpRefusal, IsOfMatricesWhoseSquaresAreNothing) {
  Team team(sdp_mapping(1));
  EXPECT_EQ(error_of([&] { solve(team, of_size(1e-170)); }),
            "invalid_argument: F_1 is of a size of 1.41e-170: expected more than 1e-140, as where "
            "it and c_1 are multiplied by the same large number");
  EXPECT_STREQ(to_string(solve(team, of_size(1e-139)).status), "optimal");
}

/// Rows by the hundred million, of which one is touched.
TEST(SdpRefusal, ComesBeforeMemoryInProportionToTheBlocks) {
  Team team(sdp_mapping(1));
  for (const BlockKind kind : {kSymmetric, kDiagonal}) {
    ProblemBuilder builder({{1u << 30, kind}, {3, kSymmetric}}, {1});
    builder.add(1, 0, 7, 7, 1);
    const Problem problem = builder.finish();
    const Plan found = plan(team, problem);
    EXPECT_EQ(found.linear, 1u);
    EXPECT_GE(found.bytes, std::uint64_t{1} << 34);
    const std::string error = error_of([&] { solve(team, problem, {.memory_limit = 1 << 20}); });
    EXPECT_EQ(error.substr(0, error.find(':')), "out_of_memory");
  }
}

TEST(SdpRefusal, IsOfMoreRowsThanHaveNumbers) {
  Team team(sdp_mapping(1));
  ProblemBuilder builder(std::vector<Block>(4, {1u << 30, kDiagonal}), {1});
  builder.add(1, 3, 0, 0, 1);
  const Problem problem = builder.finish();
  EXPECT_EQ(error_of([&] { plan(team, problem); }),
            "invalid_argument: the blocks have 4294967296 rows: expected fewer than 4294967296");
}

}  // namespace
}  // namespace kinjo::sdp
