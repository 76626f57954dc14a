/// A problem whose solution is known exactly, and ways to change it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>

#include <kinjo/sdp.hpp>

namespace kinjo::test {

/// min x_1 + x_2 so that ((x_1, 1), (1, x_2)) ⪰ 0, x_1 ≥ ½ and x_2 ≥ 0: 2 at (1, 1).
inline sdp::Problem corner_problem() {
  sdp::ProblemBuilder builder({{2, sdp::BlockKind::symmetric}, {2, sdp::BlockKind::diagonal}},
                              {1, 1});
  builder.add(0, 0, 0, 1, -1);
  builder.add(0, 1, 0, 0, 0.5);
  for (std::size_t i = 0; i < 2; ++i) {
    builder.add(i + 1, 0, i, i, 1);
    builder.add(i + 1, 1, i, i, 1);
  }
  return builder.finish();
}

inline void set(std::span<double> values, std::initializer_list<double> to) {
  std::copy(to.begin(), to.end(), values.begin());
}

inline sdp::Solution corner_solution() {
  sdp::Solution solution;
  solution.status = sdp::Status::optimal;
  solution.x = {1, 1};
  solution.X = solution.Y = sdp::BlockMatrix(corner_problem().blocks());
  set(solution.X.block(0), {1, 1, 1, 1});
  set(solution.X.block(1), {0.5, 1});
  set(solution.Y.block(0), {1, -1, -1, 1});
  solution.primal_objective = solution.dual_objective = 2;
  return solution;
}

}  // namespace kinjo::test
