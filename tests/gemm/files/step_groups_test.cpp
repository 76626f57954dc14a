#include "gemm/files/step_groups.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace kinjo::gemm {
namespace {

struct Case {
  std::size_t panels, in_panel;
  std::vector<std::size_t> ends;  ///< of groups
};

TEST(StepGroups, TheFirstTwoStepsAndTheLastTwoGoTogetherWithinAPanel) {
  const Case cases[] = {
      {0, 3, {}},           {1, 1, {1}},          {3, 1, {1, 2, 3}},          {1, 2, {2}},
      {1, 3, {2, 3}},       {1, 4, {2, 4}},       {1, 5, {2, 3, 5}},          {2, 2, {2, 4}},
      {2, 3, {2, 3, 4, 6}}, {3, 2, {2, 3, 4, 6}}, {2, 4, {2, 3, 4, 5, 6, 8}},
  };
  for (const Case& c : cases) {
    const std::size_t steps = c.panels * c.in_panel;
    std::size_t begin = 0;
    for (const std::size_t end : c.ends) {
      for (std::size_t i = begin; i < end; ++i) {
        EXPECT_EQ(step_group(i, steps, c.in_panel), (Range{begin, end})) << i << " of " << steps;
      }
      begin = end;
    }
    EXPECT_EQ(begin, steps);
  }
}

}  // namespace
}  // namespace kinjo::gemm
