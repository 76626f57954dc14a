#include "report/placement_lines.hpp"

#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <kinjo/kinjo.hpp>

#include "base/text.hpp"
#include "workload/registry.hpp"

namespace kinjo {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

Mapping two_threads(const Policy& policy) {
  return {Topology::from("synthetic:pack:2 numa:1 core:2 pu:1"), policy, 2};
}

TEST(PlacementLines, AskForTheMemoryInEveryForm) {
  const Mapping mapping = two_threads(Policy::scatter());
  const PlacementOfCommand placement{
      .mapping = mapping,
      .memory = detail::MemoryChoice{.policy = detail::MemoryPolicy::interleave,
                                     .nodes = NodeSet{0, 1},
                                     .text = "interleave"},
      .command = {"./solve", "in put"}};
  EXPECT_EQ(
      placement_lines(placement),
      (Lines{{"kinjo run",
              "OMP_NUM_THREADS=2 kinjo run --policy scatter --threads 2 --memory interleave -- "
              "./solve 'in put'"},
             {"OMP_PLACES",
              "OMP_NUM_THREADS=2 OMP_PLACES='{0},{2}' OMP_PROC_BIND=close "
              "numactl --interleave=0-1 ./solve 'in put'"},
             {"numactl",
              "OMP_NUM_THREADS=2 numactl --physcpubind=0,2 --interleave=0-1 ./solve 'in put'"},
             {"taskset",
              "OMP_NUM_THREADS=2 taskset --cpu-list 0,2 numactl --interleave=0-1 "
              "./solve 'in put'"},
             {"srun",
              "OMP_NUM_THREADS=2 srun --ntasks=1 --cpus-per-task=2 --cpu-bind=mask_cpu:0x5 "
              "numactl --interleave=0-1 ./solve 'in put'"}}));
}

TEST(PlacementLines, SetEveryVariableThatTellsTheNumberOfThreads) {
  const Mapping mapping = two_threads(Policy::none());
  const PlacementOfCommand placement{.mapping = mapping,
                                     .command = {"./solve"},
                                     .thread_variables = {"OMP_NUM_THREADS", "GOMAXPROCS"}};
  EXPECT_EQ(placement_lines(placement),
            (Lines{{"kinjo run",
                    "OMP_NUM_THREADS=2 GOMAXPROCS=2 kinjo run --policy none --threads 2 -- "
                    "./solve"},
                   {"environment", "OMP_NUM_THREADS=2 GOMAXPROCS=2 ./solve"}}));
}

TEST(PlacementLines, GiveAWorkloadItsParametersAgain) {
  EXPECT_EQ(workload_line("stream", two_threads(Policy::compact()), BindLevel::core,
                          {{"elements", "1000"}, {"pages", "huge"}}),
            (std::pair<std::string, std::string>{
                "kinjo stream",
                "kinjo stream --policy compact --threads 2 --bind core --elements 1000 "
                "--pages huge"}));
}

TEST(PlacementLines, NameTheProgramOfCells) {
  const auto line = [](const std::vector<std::pair<std::string, std::string>>& parameters) {
    return workload_line("cells", two_threads(Policy::compact()), BindLevel::cpu, parameters)
        .second;
  };
  EXPECT_EQ(line({}), "kinjo cells gemm --policy compact --cells 2");
  EXPECT_EQ(line({{"app", "scg"}, {"size", "64"}}),
            "kinjo cells scg --policy compact --cells 2 --size 64");
}

/// A line of workload_lines.txt, without its blanks.
struct Written {
  std::string workload;
  WorkloadParameters parameters;
  std::string line;
};

std::vector<Written> written_lines() {
  std::ifstream file(KINJO_TEST_WORKLOAD_LINES);
  std::vector<Written> all;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text.starts_with('#')) continue;
    const auto parts = detail::split(text, '|');
    Written written{
        std::string(detail::trim(parts.at(0))), {}, std::string(detail::trim(parts.at(2)))};
    for (const auto word : detail::split(detail::trim(parts.at(1)), ' ')) {
      if (word.empty()) continue;
      const std::size_t at = word.find('=');
      written.parameters.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    all.push_back(std::move(written));
  }
  return all;
}

TEST(WorkloadLines, AreWhatTheCommandsTake) {  // tests/cli/test_tune.py runs each of them
  const Mapping mapping(Topology::from("synthetic:pack:1 numa:1 core:1 pu:1"), Policy::compact(), 2,
                        Oversubscribe::wrap);
  for (const Written& written : written_lines()) {
    EXPECT_EQ(workload_line(written.workload, mapping, BindLevel::cpu, written.parameters).second,
              written.line);
  }
}

TEST(WorkloadLines, HaveEveryParameterOfEveryWorkload) {
  std::set<std::string> seen;
  for (const Written& written : written_lines()) {
    for (const auto& [name, value] : written.parameters) seen.insert(written.workload + ' ' + name);
  }
  for (const Workload& workload : workloads()) {
    for (const auto name : detail::split(workload.parameters, ',')) {
      const std::string parameter = fmt::format("{} {}", workload.name, detail::trim(name));
      EXPECT_TRUE(seen.contains(parameter)) << parameter;
    }
  }
}

TEST(WorkloadLines, AddWhatASweepTakesByItself) {
  const Topology& machine = Topology::this_machine();
  const std::map<std::string, std::vector<std::string>> added = {
      {"blas1", {"kernel"}}, {"fft", {"size"}}, {"gemm", {"size"}}, {"graph500", {"roots"}},
      {"sdp", {"problem"}},  {"cells", {}},     {"paths", {}},      {"stream", {}}};
  for (const auto& [name, parameters] : added) {
    const Values values = find_workload(name).make(machine, {})->parameters();
    std::string expected;
    for (const std::string& parameter : parameters) {
      const auto value = std::ranges::find(values, parameter, &Values::value_type::first);
      ASSERT_NE(value, values.end());
      expected += std::visit([&](const auto& v) { return fmt::format(" --{} {}", parameter, v); },
                             value->second);
    }
    if (name == "fft") {
      ASSERT_EQ(expected, " --size 4194304");
      expected = " --size 2^22";
    }
    EXPECT_EQ(
        workload_line(name, two_threads(Policy::compact()), BindLevel::cpu, {}).second,
        fmt::format("kinjo {} --policy compact --{} 2{}", name == "cells" ? "cells gemm" : name,
                    name == "cells" ? "cells" : "threads", expected));
  }
}

}  // namespace
}  // namespace kinjo
