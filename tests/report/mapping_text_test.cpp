#include "report/mapping_text.hpp"

#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/machine_samples.hpp"

namespace kinjo {
namespace {

using test::error_of;

Mapping mapping_of(const char* machine, const char* policy, std::size_t threads) {
  return {Topology::from(machine), Policy::parse(policy), threads, Oversubscribe::wrap};
}

TEST(MappingTable, HasARowForEachThread) {
  EXPECT_EQ(mapping_table(mapping_of(test::kTwoNodes, "scatter", 3)).to_text(),
            "thread  cpu  node  package  core  smt  rank_in_node  node_threads\n"
            "     0    0     0        0     0    0             0             2\n"
            "     1    4     1        1     0    0             0             1\n"
            "     2    2     0        0     1    0             1             2\n");
}

TEST(MappingTable, ShowsWhatPolicyNoneLeavesOpen) {
  EXPECT_EQ(mapping_table(mapping_of(test::kTwoNodes, "none", 2)).to_csv(),
            "thread,cpu,node,package,core,smt,rank_in_node,node_threads\n"
            "0,-,-,-,-,-,0,2\n"
            "1,-,-,-,-,-,1,2\n");
}

TEST(PlacementText, IsInTheWordsOfEachProgram) {
  struct Case {
    PlacementSyntax syntax;
    const char* text;
  };
  const Mapping mapping = mapping_of(test::kTwoNodes, "scatter", 3);
  for (const Case& c : {
           Case{PlacementSyntax::omp_places,
                "OMP_NUM_THREADS=3\nOMP_PLACES={0},{4},{2}\nOMP_PROC_BIND=close\n"},
           Case{PlacementSyntax::gomp_cpu_affinity, "OMP_NUM_THREADS=3\nGOMP_CPU_AFFINITY=0,4,2\n"},
           Case{PlacementSyntax::kmp_affinity,
                "OMP_NUM_THREADS=3\n"
                "KMP_AFFINITY=granularity=fine,proclist=[0,4,2],explicit\n"},
           Case{PlacementSyntax::taskset, "taskset --cpu-list 0,4,2\n"},
           Case{PlacementSyntax::numactl, "numactl --physcpubind=0,4,2 --membind=0-1\n"},
           Case{PlacementSyntax::srun,
                "srun --ntasks=3 --cpus-per-task=1 --cpu-bind=map_cpu:0,4,2\n"},
       }) {
    EXPECT_EQ(placement_text(mapping, c.syntax), c.text);
  }
}

TEST(PlacementText, BindsMemoryToTheNodesThatHaveThreads) {
  EXPECT_EQ(placement_text(mapping_of(test::kTwoNodes, "compact", 2), PlacementSyntax::numactl),
            "numactl --physcpubind=0,2 --membind=0\n");
  EXPECT_EQ(placement_text(mapping_of(test::kTwoNodes, "cpus:7", 1), PlacementSyntax::numactl),
            "numactl --physcpubind=7 --membind=1\n");
}

TEST(PlacementText, NamesACpuAgainForEachRoundOfAWrappedTable) {
  EXPECT_EQ(placement_text(mapping_of(test::kTwoCpus, "compact", 5), PlacementSyntax::omp_places),
            "OMP_NUM_THREADS=5\nOMP_PLACES={0},{1},{0},{1},{0}\nOMP_PROC_BIND=close\n");
}

TEST(PlacementText, HasNothingToNameForPolicyNone) {
  EXPECT_EQ(error_of([] {
              placement_text(mapping_of(test::kTwoNodes, "none", 2), PlacementSyntax::taskset);
            }),
            "invalid_argument: policy none names no CPUs: expected scatter, compact, compact-plus, "
            "an order or a list for this format");
}

TEST(PlacementSyntax, IsReadInCapitalsOrNot) {
  struct Case {
    const char* text;
    std::optional<PlacementSyntax> syntax;
  };
  for (const Case& c : {Case{"OMP_PLACES", PlacementSyntax::omp_places},
                        {"omp_places", PlacementSyntax::omp_places},
                        {"Gomp_Cpu_Affinity", PlacementSyntax::gomp_cpu_affinity},
                        {"KMP_AFFINITY", PlacementSyntax::kmp_affinity},
                        {"TASKSET", PlacementSyntax::taskset},
                        {"numactl", PlacementSyntax::numactl},
                        {"srun", PlacementSyntax::srun},
                        {"", std::nullopt},
                        {"sruns", std::nullopt},
                        {"OMP_PLACES ", std::nullopt}}) {
    EXPECT_EQ(parse_placement_syntax(c.text), c.syntax) << c.text;
  }
}

}  // namespace
}  // namespace kinjo
