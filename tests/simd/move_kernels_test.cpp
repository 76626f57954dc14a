/// What the loops that only move leave in memory, on every level that this CPU has.
#include "simd/move_kernels.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "simd/level.hpp"

namespace kinjo::detail {
namespace {

constexpr std::size_t kElements = 192;

struct alignas(64) Line {
  double values[8];
};

/// Vectors that begin on a cache line, of numbers of magnitude 0.5 to 1, with a sentinel behind.
class Vectors {
 public:
  Vectors() : x_(kElements / 8 + 1), y_(kElements / 8 + 1) {
    for (std::size_t i = 0; i < kElements + 8; ++i) {
      x()[i] = 0.5 + std::fmod(static_cast<double>(i) * 0.137, 0.5);
      y()[i] = -0.5 - std::fmod(static_cast<double>(i) * 0.291, 0.5);
    }
  }
  double* x() { return x_[0].values; }
  double* y() { return y_[0].values; }

 private:
  std::vector<Line> x_, y_;
};

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// What y holds at the end, for what x and y held before.
double expected(Moves moves, double x, double y) {
  switch (moves) {
    case Moves::load:
    case Moves::load_two:
      return y;
    case Moves::store:
      return 0.75;
    case Moves::load_store:
    case Moves::load_stream:
      return x;
    case Moves::load_two_store:
      return std::bit_cast<double>(bits(x) & bits(y));
  }
  return 0;
}

class MoveKernels : public testing::TestWithParam<SimdLevel> {
  const ForcedLevel level_{GetParam()};
};

TEST_P(MoveKernels, StoreWhatTheirNameSaysAndNothingBehind) {
  for (std::size_t m = 0; m < kMoves; ++m) {
    const auto moves = static_cast<Moves>(m);
    for (const MoveLoop loop : move_loops(moves)) {
      Vectors before, after;
      loop(after.x(), after.y(), kElements, 3);
      for (std::size_t i = 0; i < kElements + 8; ++i) {
        const double y = before.y()[i];
        EXPECT_EQ(after.x()[i], before.x()[i]) << "moves " << m << " at " << i;
        EXPECT_EQ(after.y()[i], i < kElements ? expected(moves, before.x()[i], y) : y)
            << "moves " << m << " at " << i;
      }
    }
  }
}

TEST_P(MoveKernels, LeaveMagnitudesFromOneHalfToOneWhereTheyAre) {
  for (const MoveLoop loop : move_loops(Moves::load_two_store)) {
    Vectors vectors;
    loop(vectors.x(), vectors.y(), kElements, 1);
    for (std::size_t i = 0; i < kElements; ++i) {
      EXPECT_GE(std::abs(vectors.y()[i]), 0.5);
      EXPECT_LT(std::abs(vectors.y()[i]), 1);
    }
  }
}

TEST_P(MoveKernels, MayReadWhatTheyWrite) {
  for (const MoveLoop loop : move_loops(Moves::load_store)) {
    Vectors before, after;
    loop(after.y(), after.y(), kElements, 2);
    for (std::size_t i = 0; i < kElements; ++i) EXPECT_EQ(after.y()[i], before.y()[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Level, MoveKernels, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) { return to_string(suite.param); });

}  // namespace
}  // namespace kinjo::detail
