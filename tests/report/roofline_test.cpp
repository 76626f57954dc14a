#include "report/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figure_samples.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const std::vector<Roof>& roofs) {
  std::vector<std::string> all;
  for (const Roof& roof : roofs) {
    all.push_back(roof.name + (roof.threads == Roof::Threads::one ? " one " : " all ") + roof.what);
  }
  return all;
}

TEST(RoofsOf, TakesTheHighestBandwidthOfEachLevel) {
  EXPECT_THAT(names(roofs_of(test::server_profile())),
              ElementsAre("peak one ", "peak all ", "L1 one read", "L1 all read", "L2 one read",
                          "L2 all read", "L3 one read", "L3 all read", "memory one read",
                          "memory all copy"));
}

TEST(RoofsOf, TakesTheBestLocalPairWhereNotAllNodesWereMeasuredAtOnce) {
  MachineProfile profile;
  profile.nodes = test::ring_of_nodes(2);
  profile.nodes->pairs[0].all_threads.read = test::figure(40, "GB/s");
  profile.nodes->pairs[1].all_threads.read = test::figure(90, "GB/s");  // not local
  profile.nodes->pairs[3].all_threads.write = test::figure(44, "GB/s");
  const auto roofs = roofs_of(profile);
  EXPECT_THAT(names(roofs), ElementsAre("memory one read", "memory all write"));
  EXPECT_EQ(roofs[1].value, 44);
}

TEST(RoofsOf, LeavesOutAPeakOfAllThreadsBelowThatOfOne) {
  MachineProfile profile = test::server_profile();
  const std::size_t all = roofs_of(profile).size();
  profile.clock->peak_gflops_all->summary.median =
      0.9 * profile.clock->peak_gflops_one->summary.median;
  const auto roofs = roofs_of(profile);
  EXPECT_EQ(roofs.size(), all - 1);
  EXPECT_EQ(names(roofs).front(), "peak one ");
}

TEST(RoofsOf, LeavesOutWhatWasNotMeasured) {
  EXPECT_THAT(roofs_of({}), IsEmpty());
  MachineProfile profile = test::server_profile();
  profile.clock->peak_gflops_all.reset();
  profile.caches = {CacheProfile{.level = 1}};
  profile.nodes.reset();
  EXPECT_THAT(names(roofs_of(profile)), ElementsAre("peak one "));
}

TEST(RooflinePoints, MultiplyBandwidthByOperationsForEachByte) {
  Record record{.workload = "stream", .policy = "compact", .threads = 4};
  record.metrics = {test::metric("triad", "GB/s", 60, 2.0 / 24),
                    test::metric("rate", "GFLOP/s", 7, 3),
                    test::metric("copy", "GB/s", 60, 0),  // no operations
                    test::metric("seconds", "s", 2, 1)};
  const auto points = roofline_points(std::vector{record});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_DOUBLE_EQ(points[0].gflops, 5);
  EXPECT_DOUBLE_EQ(points[0].flops_per_byte, 2.0 / 24);
  EXPECT_DOUBLE_EQ(points[1].gflops, 7);
  EXPECT_DOUBLE_EQ(points[1].flops_per_byte, 3);
}

TEST(RooflinePoints, LeaveOutWrongResultsAndMissingSamples) {
  Record wrong{.workload = "w", .metrics = {test::metric("m", "GFLOP/s", 1, 1)}, .verified = false};
  Record empty{.workload = "w", .metrics = {{.name = "m", .unit = "GB/s", .flops_per_byte = 1}}};
  EXPECT_THAT(roofline_points(std::vector{wrong, empty}), IsEmpty());
}

TEST(AttainableGflops, IsTheLowerOneOfMemoryAndPeakForAsManyThreads) {
  const auto roofs = roofs_of(test::server_profile());
  EXPECT_DOUBLE_EQ(*attainable_gflops(roofs, 0.1, 16), 7.25);
  EXPECT_DOUBLE_EQ(*attainable_gflops(roofs, 1000, 16), 870);
  EXPECT_DOUBLE_EQ(*attainable_gflops(roofs, 1, 1), 14.2);
  EXPECT_DOUBLE_EQ(*attainable_gflops(roofs, 1000, 1), 54.4);
  EXPECT_EQ(attainable_gflops({}, 1, 1), std::nullopt);
}

TEST(RooflineTable, SaysWhichShareOfTheBoundWasReached) {
  Record record{.workload = "stream", .policy = "compact", .threads = 16};
  record.metrics = {test::metric("triad", "GB/s", 58, 1.0 / 12)};
  const auto points = roofline_points(std::vector{record});
  EXPECT_EQ(roofline_table(roofs_of(test::server_profile()), points).to_csv(),
            "workload,metric,policy,threads,FLOP/byte,GFLOP/s,bound,share of bound\n"
            "stream,triad,compact,16,0.0833,4.83,6.04,80.0 %\n");
  EXPECT_EQ(roofline_table({}, points).to_csv(),
            "workload,metric,policy,threads,FLOP/byte,GFLOP/s,bound,share of bound\n"
            "stream,triad,compact,16,0.0833,4.83,-,-\n");
}

TEST(RoofsTable, HasARowForEachBound) {
  MachineProfile profile = test::server_profile();
  profile.caches.clear();
  EXPECT_EQ(roofs_table(roofs_of(profile)).to_csv(),
            "bound,threads,measured as,value,unit\n"
            "peak,one thread,fused multiply-adds,54.4,GFLOP/s\n"
            "peak,all threads,fused multiply-adds,870,GFLOP/s\n"
            "memory,one thread,read,14.2,GB/s\n"
            "memory,all threads,copy,72.5,GB/s\n");
}

TEST(RooflineSvg, IsAbsentWithoutBoundsAndPoints) {
  EXPECT_FALSE(roofline_svg({}, {}));
  EXPECT_TRUE(roofline_svg(roofs_of(test::server_profile()), {}));
}

}  // namespace
}  // namespace kinjo
