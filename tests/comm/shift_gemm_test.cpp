/// Multiplication by shifted blocks: right in every form, for every number of cells, and what it
/// tells.
#include "comm/apps/blocks.hpp"
#include "comm/apps/shift_matrices.hpp"

#include <algorithm>

#include "comm/apps.hpp"

namespace kinjo::comm::test {
namespace {

const std::vector<Form> kForms = {Form::put, Form::get, Form::send, Form::direct};

std::vector<ShiftGemmResult> multiply(Kind kind, int cells, const ShiftGemmOptions& options) {
  WorldOptions world{.heap_bytes = shift_gemm_heap_bytes(options, cells)};
  return result_of<std::vector<ShiftGemmResult>>(
      kind, cells, world, [&](World& own) { return shift_gemm(own, options); });
}

class ShiftGemm : public testing::TestWithParam<Kind> {};
KINJO_IN_EVERY_WORLD(ShiftGemm);

TEST_P(ShiftGemm, IsRightInEveryFormAndForCellsThatDoNotDivideTheSize) {
  for (const int cells : {1, 2, 3, 5}) {
    for (const std::size_t size : {1, 4, 37, 130}) {
      const auto results =
          multiply(GetParam(), cells, {.size = size, .forms = kForms, .rounds = 1, .verify = true});
      ASSERT_EQ(results.size(), kForms.size());
      for (const ShiftGemmResult& result : results) {
        EXPECT_EQ(result.fault, "")
            << to_string(result.form) << ", " << cells << " cells, size " << size;
        EXPECT_EQ(result.verified, true);
      }
    }
  }
}

TEST_P(ShiftGemm, IsRightForAnyNumberOfCellsThatABlockGoesToAtATime) {
  for (const int cells : {1, 2, 4, 5}) {
    for (const int ahead : {1, 2, 3, 4, 100}) {
      const ShiftGemmOptions options{.size = 61,
                                     .forms = {Form::put, Form::get, Form::put},
                                     .rounds = 2,
                                     .verify = true,
                                     .ahead = ahead};
      for (const ShiftGemmResult& result : multiply(GetParam(), cells, options)) {
        EXPECT_EQ(result.fault, "") << cells << " cells, " << ahead << " ahead";
      }
    }
  }
}

TEST_P(ShiftGemm, TellsWhatEachCellDidInEachRound) {
  const auto results = multiply(GetParam(), 3, {.size = 96, .forms = kForms, .rounds = 4});
  for (std::size_t f = 0; f < kForms.size(); ++f) {
    const ShiftGemmResult& result = results[f];
    EXPECT_EQ(result.form, kForms[f]);
    EXPECT_EQ(result.seconds.size(), 4);
    EXPECT_EQ(result.alone_seconds, results[0].alone_seconds);  // in the same rounds
    EXPECT_EQ(result.alone_seconds.size(), 4);
    EXPECT_FALSE(result.verified.has_value());
    ASSERT_EQ(result.cells.size(), 3);
    ASSERT_EQ(result.waits.size(), 3);
    EXPECT_GT(result.traced_seconds, 0);
    for (const ShiftGemmTimes& times : result.cells) {
      EXPECT_GT(times.multiply, 0);
      EXPECT_EQ(times.barrier > 0, result.form != Form::send);
      EXPECT_EQ(times.put > 0, result.form != Form::direct);
    }
  }
}

TEST_P(ShiftGemm, NotesNoWaitsUnlessAsked) {
  const auto results = multiply(GetParam(), 2, {.size = 64, .rounds = 1, .tracing = Tracing::off});
  EXPECT_TRUE(results.front().waits.empty());
}

TEST_P(ShiftGemm, RefusesWhatIsNoProduct) {
  const auto refusal = [&](const ShiftGemmOptions& options) {
    return error_of([&] { multiply(GetParam(), 2, options); });
  };
  EXPECT_EQ(refusal({.size = 0}), "invalid_argument: matrices of order 0: expected at least 1");
  EXPECT_EQ(refusal({.size = 8, .ahead = 0}),
            "invalid_argument: blocks for 0 steps ahead: expected at least 1");
  EXPECT_EQ(refusal({.size = 8, .forms = {}}), "invalid_argument: no form: expected at least one");
}

TEST(Blocks, CoverAllRowsAndDifferByOneAtMost) {
  for (const std::size_t rows : {0, 1, 7, 16, 1000}) {
    for (const int cells : {1, 2, 3, 16}) {
      std::size_t next = 0;
      for (int c = 0; c < cells; ++c) {
        const detail::Block block = detail::block_of(rows, cells, c);
        EXPECT_EQ(block.begin, next);
        EXPECT_LE(block.size(), detail::largest_block(rows, cells));
        EXPECT_GE(block.size() + 1, detail::largest_block(rows, cells));
        next = block.end;
      }
      EXPECT_EQ(next, rows);
    }
  }
}

TEST(MatrixNumbers, AreMultiplesOf64thsOfBothSigns) {
  double least = 1, most = -1;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const double value = detail::matrix_number(i, i % 2);
    EXPECT_EQ(value * 64, static_cast<int>(value * 64));
    EXPECT_NE(value, 0);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  EXPECT_EQ(least, -1);
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace kinjo::comm::test
