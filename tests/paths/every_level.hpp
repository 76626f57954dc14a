/// Counts at every level of vectors.
#pragma once

#include <string>

#include <gtest/gtest.h>
#include <kinjo/paths.hpp>

#include "simd/level.hpp"

namespace kinjo::paths::test {

inline void expect_count_at_every_level(Team& team, const Problem& problem,
                                        const std::string& expected) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    EXPECT_EQ(count(team, Family(problem)).count.to_string(), expected)
        << to_string(problem.kind) << ", " << to_string(level);
  }
}

/// As many as in another order.
inline void expect_same_count_at_every_level(Team& team, const Problem& problem) {
  Problem other = problem;
  other.order = EdgeOrder::frontier;
  expect_count_at_every_level(team, problem, count(team, Family(other)).count.to_string());
}

}  // namespace kinjo::paths::test
