#include "report/check_text.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

detail::CrossCheck sample() {
  detail::ReaderCheck cpuinfo{{"cpuinfo", "/proc/cpuinfo", "", {0, 1}, true, {}}, {}};
  cpuinfo.relations = {{"cpus", true, {}, {}},
                       {"core", false, {CpuSet{0}, CpuSet{1}}, {CpuSet{0, 1}}}};
  detail::ReaderCheck cpuid{{"cpuid", "CPUID", "this architecture has no CPUID", {}, false, {}},
                            {}};
  return {"this machine", {cpuinfo, cpuid}};
}

TEST(CheckText, NamesEachDisagreementAndEachReaderWithoutData) {
  EXPECT_EQ(check_text(sample()),
            "this machine: which CPUs lie together, by three sources beside hwloc\n"
            "reader   cpus    core     from\n"
            "cpuinfo  agrees  DIFFERS  /proc/cpuinfo\n"
            "cpuid    -       -        CPUID\n"
            "cpuinfo differs in core: 0 | 1; hwloc: 0-1\n"
            "cpuid: not available: this architecture has no CPUID\n");
}

TEST(CheckText, ShowsTheFirstOfManyGroups) {
  detail::CrossCheck check = sample();
  auto& core = check.readers[0].relations[1];
  core.reader = {CpuSet{0}, CpuSet{1}, CpuSet{2}, CpuSet{3}, CpuSet{4}, CpuSet{5}};
  core.hwloc.clear();
  EXPECT_NE(check_text(check).find(
                "cpuinfo differs in core: 0 | 1 | 2 | 3 | … 2 more; hwloc: none of these\n"),
            std::string::npos);
}

TEST(CheckJson, HoldsAllGroups) {
  const Json json = check_json(sample());
  EXPECT_EQ(json["schema"], "kinjo-topo-check/1");
  EXPECT_EQ(json["agrees"], false);
  EXPECT_EQ(json["readers"][0]["obstacle"], nullptr);
  EXPECT_EQ(json["readers"][0]["relations"][1].dump(),
            R"({"relation":"core","agrees":false,"reader":[[0],[1]],"hwloc":[[0,1]]})");
  EXPECT_EQ(json["readers"][1]["obstacle"], "this architecture has no CPUID");
  EXPECT_EQ(json["readers"][1]["agrees"], true);
}

}  // namespace
}  // namespace kinjo
