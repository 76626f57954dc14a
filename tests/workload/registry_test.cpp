#include "workload/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::ElementsAre;

/// `paths grid:8: kind=cycle graph=grid:8`, for each sweep.
std::vector<std::string> sweeps(const char* workload, const WorkloadParameters& parameters) {
  std::vector<std::string> texts;
  for (const WorkloadSweep& sweep : sweeps_of(find_workload(workload), parameters)) {
    std::string& text = texts.emplace_back(sweep.name + ':');
    for (const auto& [name, value] : sweep.parameters) text += ' ' + name + '=' + value;
  }
  return texts;
}

TEST(Sweeps, AreAsManyAsAListHasGraphs) {
  EXPECT_THAT(sweeps("paths", {{"kind", "cycle"}, {"graph", "grid:8,king:5,grid:8"}}),
              ElementsAre("paths grid:8: kind=cycle graph=grid:8",
                          "paths king:5: kind=cycle graph=king:5"));
}

TEST(Sweeps, AreOneWithoutAList) {
  EXPECT_THAT(sweeps("paths", {}), ElementsAre("paths:"));
  EXPECT_THAT(sweeps("paths", {{"graph", "grid:8"}}), ElementsAre("paths: graph=grid:8"));
  EXPECT_THAT(sweeps("sdp", {{"problem", "theta:6,8"}}), ElementsAre("sdp: problem=theta:6,8"));
}

TEST(Sweeps, TakeAFileWhoseNameHoldsCommasForOneGraph) {
  for (const char* graph : {"roads,2024.gr", "grid:8,roads.gr", "grid:8,", ""}) {
    EXPECT_THAT(sweeps("paths", {{"graph", graph}}),
                ElementsAre(std::string("paths: graph=") + graph));
  }
}

}  // namespace
}  // namespace kinjo
