#include "report/placement_lines.hpp"

#include <gtest/gtest.h>
#include <kinjo/kinjo.hpp>

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

}  // namespace
}  // namespace kinjo
