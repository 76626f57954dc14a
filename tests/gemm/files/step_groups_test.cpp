#include "gemm/files/step_groups.hpp"

#include <gtest/gtest.h>

namespace kinjo::gemm {
namespace {

struct Case {
  std::vector<std::size_t> panels, ends;  ///< of groups
};

TEST(StepGroups, TheFirstTwoStepsAndTheLastTwoGoTogetherWithinAPanel) {
  const Case cases[] = {
      {{}, {}},
      {{0}, {1}},
      {{0, 0}, {2}},
      {{0, 1}, {1, 2}},
      {{0, 0, 0}, {2, 3}},
      {{0, 0, 0, 0}, {2, 4}},
      {{0, 0, 0, 0, 0}, {2, 3, 5}},
      {{0, 0, 0, 1, 1, 1}, {2, 3, 4, 6}},
      {{0, 1, 1, 2, 2}, {1, 2, 3, 5}},
      {{0, 0, 1, 1, 2}, {2, 3, 4, 5}},
      {{3, 3, 7}, {2, 3}},
  };
  for (const Case& c : cases) {
    std::size_t begin = 0, i = 0;
    const auto groups = step_groups(c.panels);
    ASSERT_EQ(groups.size(), c.ends.size());
    for (const Range& group : groups) {
      EXPECT_EQ(group.begin, begin);
      EXPECT_EQ(group.end, c.ends[i++]);
      begin = group.end;
    }
  }
}

}  // namespace
}  // namespace kinjo::gemm
