/// Reductions of few cells, who tell all others, and of many, who double.
#include <cmath>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

class Reductions : public Cells {};
KINJO_IN_EVERY_WORLD(Reductions);

/// No sum of these is exact, so their order shows.
double value_of(int cell, std::size_t index) {
  return std::sin(static_cast<double>(cell) * 1.7 + static_cast<double>(index)) * 1e3;
}

std::vector<double> values_of(int cell, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = value_of(cell, k);
  return values;
}

/// Halves of halves over the cells from `begin` on, the first 2e of which are pairs.
double by_halves(int begin, int ranks, int pairs, std::size_t index) {
  if (ranks > 1) {
    return by_halves(begin, ranks / 2, pairs, index) +
           by_halves(begin + ranks / 2, ranks / 2, pairs, index);
  }
  if (begin >= pairs) return value_of(begin + pairs, index);
  return value_of(2 * begin, index) + value_of(2 * begin + 1, index);
}

double in_order(int cells, std::size_t index) {
  double sum = value_of(0, index);
  for (int cell = 1; cell < cells; ++cell) sum += value_of(cell, index);
  return sum;
}

struct Case {
  int cells, ranks;
};

TEST_P(Reductions, HaveTheBitsOfTheOrderThatTheyPromise) {
  for (const auto& [cells, ranks] :
       {Case{1, 1}, {2, 2}, {7, 4}, {32, 32}, {33, 32}, {41, 32}, {63, 32}, {64, 64}}) {
    run(cells, [&, cells = cells, ranks = ranks](World& world) {
      for (int round = 0; round < (cells < 8 ? 100 : 5); ++round) {
        // More than a slot holds, and few.
        for (const std::size_t count : {1, 3, 130}) {
          std::vector<double> values = values_of(world.cell(), count);
          world.all_reduce(values, ReduceOp::sum);
          for (std::size_t k = 0; k < count; ++k) {
            expect_equal(
                values[k],
                cells <= kTellAllCells ? in_order(cells, k) : by_halves(0, ranks, cells - ranks, k),
                "a sum");
          }
        }
      }
      world.barrier();
    });
  }
}

TEST_P(Reductions, FindTheSmallestAndTheLargestWhereverTheyAre) {
  for (const int cells : {5, 32, 33, 47}) {
    run(cells, [&](World& world) {
      for (int owner = 0; owner < cells; ++owner) {
        const double mine = world.cell() == owner ? 2 : 1;
        expect_equal(world.all_reduce(mine, ReduceOp::max), 2.0, "the largest");
        expect_equal(world.all_reduce(-mine, ReduceOp::min), -2.0, "the smallest");
      }
      world.barrier();
    });
  }
}

}  // namespace
}  // namespace kinjo::comm::test
