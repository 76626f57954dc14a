#include "report/profile_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/figure_list.hpp"
#include "support/profile_sample.hpp"

namespace kinjo {
namespace {

using test::figure_of;
using test::full_profile;
using testing::HasSubstr;
using testing::Not;

TEST(ProfileText, BeginsWithTheMachineAndItsWarnings) {
  const MachineProfile profile{.machine = "host",
                               .model = "",
                               .cpus = 1,
                               .measured = "today",
                               .warnings = {"other programs run", "a quota\nof 1 CPU"}};
  EXPECT_EQ(profile_text(profile),
            "host: unknown processor, 1 CPU, measured today\n"
            "median ± the further of its 95 % bounds (samples); with fewer than 6 samples the "
            "further extreme\n"
            "warning: other programs run\n"
            "warning: a quota?of 1 CPU\n");
}

TEST(ProfileText, ShowsEachFigureWithSpreadSamplesAndTheMarkOfItsWarning) {
  const std::string text = profile_text(full_profile());
  EXPECT_THAT(text, HasSubstr("idle latency, ns        node 0   90.00 ±10 % (7)      140.0 ±10 % "
                              "(7)\n"));
  EXPECT_THAT(text, HasSubstr("copy, 1 thread          node 1   5.32 ±10 % (7) [1]   8.24 ±10 % "
                              "(7) [1]\n"));
  EXPECT_TRUE(text.ends_with("\n\n[1] other load\n")) << text;
}

TEST(ProfileText, ShowsNoSpreadOfASingleSample) {
  MachineProfile profile = full_profile();
  profile.nodes->pairs[0].latency_ns =
      Figure{.summary = {.count = 1, .min = 95, .median = 95, .max = 95, .low = 95, .high = 95},
             .unit = "ns",
             .warning = ""};
  EXPECT_THAT(profile_text(profile), HasSubstr("idle latency, ns        node 0   95.00 (1)  "));
}

TEST(ProfileText, HasAMatrixOfNodesForEachQuantityAndTheFirmwaresBesideIt) {
  const std::string text = profile_text(full_profile());
  EXPECT_THAT(text, HasSubstr("\nquantity                CPUs of  memory of node 0     memory of "
                              "node 1\nidle latency, ns        node 0"));
  EXPECT_THAT(text, HasSubstr("\nfirmware's distance     node 1   20                   10\n"
                              "firmware's latency, ns  node 0   90.00                90.00\n"));
}

TEST(ProfileText, HasNoRowForAQuantityThatWasNotMeasured) {
  MachineProfile profile = full_profile();
  for (NodePairProfile& pair : profile.nodes->pairs) {
    pair.hmat_latency_ns.reset();
    if (pair.memory_node == 1) pair.first_touch.reset();
  }
  profile.nodes->all_nodes_local = {};
  const std::string text = profile_text(profile);
  EXPECT_THAT(text, Not(HasSubstr("firmware's latency")));
  EXPECT_THAT(text, Not(HasSubstr("all nodes at once")));
  EXPECT_THAT(text, HasSubstr("write, first touch   node 0   2.00 ±10 % (7)       -\n"));
}

TEST(ProfileText, EndsTheNodesWithBuffersNotesAndContradictions) {
  EXPECT_THAT(profile_text(full_profile()),
              HasSubstr("\nbuffers of 128 MiB on each node, transparent pages\n"
                        "note: node 2 has too little memory\n"
                        "contradiction: node 1 is not where it says\n"));
}

TEST(ProfileText, TellsTheSmallestAndTheLargestBufferWhereTheyDiffer) {
  MachineProfile profile = full_profile();
  profile.nodes->largest_buffer_bytes = 1 << 28;
  EXPECT_THAT(profile_text(profile),
              HasSubstr("\nbuffers of 128 MiB to 256 MiB on each node, transparent pages\n"));
}

TEST(ProfileText, SaysLoudlyWhatIsWrongWithTheClock) {
  MachineProfile profile = full_profile();
  EXPECT_THAT(profile_text(profile), HasSubstr("\nclock: tsc, invariant, agrees between CPUs "
                                               "(largest offset seen: 12 ns)\n"));
  profile.clock->invariant = profile.clock->agrees = false;
  EXPECT_THAT(profile_text(profile),
              HasSubstr("\nclock: tsc, NOT invariant, DISAGREES between CPUs "
                        "(largest offset seen: 12 ns)\n"));
}

TEST(ProfileText, SaysOfOneCpuThatNothingWasCompared) {
  MachineProfile profile = full_profile();
  profile.clock->disagreement_ns.reset();
  for (const bool agrees : {true, false}) {  // older profiles say false of what nobody has compared
    profile.clock->agrees = agrees;
    EXPECT_THAT(profile_text(profile),
                HasSubstr("\nclock: tsc, invariant, not compared between CPUs\n"));
  }
}

TEST(ProfileTable, HasARowForEveryFigure) {
  const MachineProfile profile = full_profile();
  const std::string csv = profile_table(profile).to_csv();
  EXPECT_TRUE(csv.starts_with(
      "section,quantity,threads,policy,cpu_node,memory_node,level,delay_cycles,unit,median,low,"
      "high,min,max,samples,warning\n"));
  EXPECT_THAT(csv, HasSubstr("\nnodes,first_touch,one,,0,1,,,GB/s,2,1.9,2.2,1.8,2.4,7,\n"));
  EXPECT_THAT(csv, HasSubstr("\nloaded,bandwidth,,,,,,100,GB/s,40,38,44,36,48,7,\n"));
  EXPECT_THAT(csv, HasSubstr("\nscaling,copy,2,scatter,,,,,GB/s,15,14.25,16.5,13.5,18,7,other "
                             "load\n"));
  // The clock's 6, a cache's 7, 4 pairs' 9, 3 of all nodes, 2 under load, 3 by threads.
  EXPECT_EQ(list_figures(profile).size(), 6u + 7u + 4 * 9u + 3u + 2u + 3u);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + static_cast<long>(list_figures(profile).size()));
}

TEST(ProfileTable, LeavesOutFiguresWithoutSamples) {
  MachineProfile profile{.machine = "host", .model = "", .cpus = 1, .measured = "today"};
  profile.clock.emplace();
  profile.clock->read_ns = figure_of(20, "ns");
  ASSERT_EQ(list_figures(profile).size(), 1u);
  EXPECT_EQ(list_figures(profile)[0].quantity, "reading");
}

}  // namespace
}  // namespace kinjo
