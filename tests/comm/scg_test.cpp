/// Scaled conjugate gradients: the serial solution bit by bit, and one of the differential
/// equation.
#include <cmath>

#include "comm/apps.hpp"

namespace kinjo::comm::test {
namespace {

const std::vector<Form> kForms = {Form::put, Form::get, Form::send, Form::direct};

std::vector<ScgResult> solve(Kind kind, int cells, const ScgOptions& options) {
  WorldOptions world{.heap_bytes = scg_heap_bytes(options, cells)};
  return result_of<std::vector<ScgResult>>(kind, cells, world,
                                           [&](World& own) { return scg(own, options); });
}

class Scg : public testing::TestWithParam<Kind> {};
KINJO_IN_EVERY_WORLD(Scg);

TEST_P(Scg, HasTheIterationsAndTheSolutionOfOneThreadBitByBit) {
  for (const int cells : {1, 2, 3, 7}) {
    for (const std::size_t size : {7, 20, 41}) {
      const auto results =
          solve(GetParam(), cells, {.size = size, .forms = kForms, .rounds = 1, .verify = true});
      const ScgSolution serial = scg_serial({.size = size});
      for (const ScgResult& result : results) {
        EXPECT_EQ(result.fault, "")
            << to_string(result.form) << ", " << cells << " cells, size " << size;
        EXPECT_EQ(result.iterations, serial.iterations);
        EXPECT_EQ(result.residual, serial.residual);
        EXPECT_EQ(result.error, scg_error(serial.u, size));
      }
    }
  }
}

/// Sums go by doubling; also where the number is no power of two, and some own a row more.
TEST_P(Scg, OfManyCellsHasTheBitsOfOneThreadToo) {
  for (const int cells : {33, 40, 64}) {
    constexpr std::size_t kSize = 70;
    const auto results = solve(GetParam(), cells,
                               {.size = kSize, .forms = {Form::put}, .rounds = 1, .verify = true});
    const ScgSolution serial = scg_serial({.size = kSize});
    EXPECT_EQ(results.front().fault, "") << cells << " cells";
    EXPECT_EQ(results.front().iterations, serial.iterations);
    EXPECT_EQ(results.front().error, scg_error(serial.u, kSize));
  }
}

TEST_P(Scg, TellsWhatEachCellDid) {
  const auto results = solve(GetParam(), 3, {.size = 30, .forms = kForms, .rounds = 2});
  for (const ScgResult& result : results) {
    EXPECT_EQ(result.seconds.size(), 2);
    EXPECT_EQ(result.alone_seconds.size(), 2);
    ASSERT_EQ(result.cells.size(), 3);
    ASSERT_EQ(result.waits.size(), 3);
    for (const ScgTimes& times : result.cells) {
      EXPECT_GT(times.compute, 0);
      EXPECT_GT(times.reduce, 0);
    }
    EXPECT_LE(result.residual, 1e-9);
  }
}

TEST_P(Scg, EndsWhereIterationsRunOut) {
  const auto results =
      solve(GetParam(), 2, {.size = 20, .max_iterations = 5, .rounds = 1, .verify = true});
  EXPECT_EQ(results.front().iterations, 5);
  EXPECT_GT(results.front().residual, 1e-9);
  EXPECT_EQ(results.front().fault, "");
}

TEST_P(Scg, RefusesMoreCellsThanRows) {
  EXPECT_EQ(error_of([&] { solve(GetParam(), 3, {.size = 2}); }),
            "invalid_argument: 2 rows for 3 cells: expected a row for each at least");
}

TEST(ScgSerial, ConvergesWithTheSquareOfTheDistance) {
  double before = 0;
  for (const std::size_t size : {15, 31, 63, 127}) {  // h is halved each time
    const ScgSolution solution = scg_serial({.size = size, .tolerance = 1e-12});
    const double error = scg_error(solution.u, size);
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.1) << size;
    }
    before = error;
  }
}

}  // namespace
}  // namespace kinjo::comm::test
