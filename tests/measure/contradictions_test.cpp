#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/firmware.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A figure whose bounds lie `spread` (a share) around its median.
Figure figure(double median, const char* unit, double spread = 0.01, std::size_t count = 7) {
  const double low = median * (1 - spread), high = median * (1 + spread);
  return {.summary =
              {.count = count, .min = low, .median = median, .max = high, .low = low, .high = high},
          .unit = unit,
          .warning = ""};
}

/// What the CPUs of node 0 measured of a node.
NodePairProfile seen(int node, int distance, double latency_ns, double spread = 0.01) {
  NodePairProfile pair{.cpu_node = 0, .memory_node = node};
  pair.distance = distance;
  pair.latency_ns = figure(latency_ns, "ns", spread);
  return pair;
}

std::vector<std::string> contradictions(std::vector<NodePairProfile> pairs) {
  return find_contradictions({.pairs = std::move(pairs)});
}

TEST(Contradictions, AreNotFoundWhereRatiosAreRoughlyThoseOfTheDistances) {
  // S0's machine (1 : 1.3 : 1.6), a server's, and one in sub-NUMA clusters.
  EXPECT_THAT(
      contradictions({seen(0, 10, 100), seen(1, 13, 128), seen(2, 13, 130), seen(3, 16, 158)}),
      IsEmpty());
  EXPECT_THAT(contradictions({seen(0, 10, 80), seen(1, 21, 135)}), IsEmpty());
  EXPECT_THAT(contradictions({seen(0, 10, 80), seen(1, 12, 90), seen(2, 21, 140)}), IsEmpty());
}

TEST(Contradictions, NameANearerNodeThatIsSlower) {
  EXPECT_THAT(contradictions({seen(0, 10, 100), seen(1, 13, 160), seen(2, 16, 130)}),
              ElementsAre("the firmware says that node 1 is nearer to node 0's CPUs than node 2 "
                          "(distance 13 against 16), but its latency is higher: 160 ns (158 to "
                          "162) against 130 ns (129 to 131)"));
}

TEST(Contradictions, NameTheCpusOwnNodeOnceIfAFurtherOneIsFaster) {
  EXPECT_THAT(contradictions({seen(0, 10, 130), seen(1, 20, 100)}),
              ElementsAre("the firmware says that node 0 is nearer to node 0's CPUs than node 1 "
                          "(distance 10 against 20), but its latency is higher: 130 ns (129 to "
                          "131) against 100 ns (99 to 101)"));
}

TEST(Contradictions, NameAFurtherNodeThatIsAsFastAsTheOwn) {
  EXPECT_THAT(contradictions({seen(0, 10, 100), seen(1, 20, 101)}),
              ElementsAre("the firmware says that node 1 is 2 times as far from node 0's CPUs as "
                          "their own memory (distance 20 against 10), but it is as fast as their "
                          "own: 101 ns (100 to 102) against 100 ns (99 to 101), 0.99 to 1.03 "
                          "times"));
}

TEST(Contradictions, NameANodeWhoseRatioIsFarOff) {
  EXPECT_THAT(contradictions({seen(0, 10, 100), seen(1, 14, 250)}),
              ElementsAre("the firmware says that node 1 is 1.4 times as far from node 0's CPUs as "
                          "their own memory (distance 14 against 10), but it is much further than "
                          "that: 250 ns (248 to 252) against 100 ns (99 to 101), 2.45 to 2.55 "
                          "times"));
  EXPECT_THAT(contradictions({seen(0, 10, 100), seen(1, 40, 150)}),
              ElementsAre("the firmware says that node 1 is 4 times as far from node 0's CPUs as "
                          "their own memory (distance 40 against 10), but it is much nearer than "
                          "that: 150 ns (148 to 152) against 100 ns (99 to 101), 1.47 to 1.53 "
                          "times"));
}

TEST(Contradictions, AreNotFoundWithinTheSpread) {
  EXPECT_THAT(contradictions({seen(0, 10, 100, 0.3), seen(1, 20, 101, 0.3)}), IsEmpty());
  EXPECT_THAT(contradictions({seen(0, 10, 100), seen(1, 13, 140, 0.1), seen(2, 16, 130, 0.1)}),
              IsEmpty());
}

TEST(Contradictions, AreNotFoundWithoutBounds) {
  auto near = seen(0, 10, 200), far = seen(1, 20, 100);
  near.latency_ns->summary.count = kLeastSamples - 1;
  EXPECT_THAT(contradictions({near, far}), IsEmpty());
  near.latency_ns.reset();
  EXPECT_THAT(contradictions({near, far}), IsEmpty());
}

TEST(Contradictions, AreNotFoundWithFiguresThatCarryAWarning) {
  auto near = seen(0, 10, 200);
  near.latency_ns->warning = "only 3 of 4 pages are on node 0";
  EXPECT_THAT(contradictions({near, seen(1, 20, 100)}), IsEmpty());
}

TEST(Contradictions, AreNotFoundWithoutDistances) {
  auto near = seen(0, 10, 200), far = seen(1, 20, 100);
  far.distance.reset();
  EXPECT_THAT(contradictions({near, far}), IsEmpty());
}

TEST(Contradictions, NameANearerNodeThatIsReadMoreSlowly) {
  auto near = seen(0, 10, 100), far = seen(1, 20, 200);
  near.all_threads.read = figure(80, "GB/s");
  far.one_thread.read = figure(9, "GB/s");
  far.all_threads.read = figure(300, "GB/s");
  EXPECT_THAT(contradictions({near, far}),
              ElementsAre("the firmware says that node 0 is nearer to node 0's CPUs than node 1 "
                          "(distance 10 against 20), but it is read more slowly: 80 GB/s (79.2 to "
                          "80.8) against 300 GB/s (297 to 303)"));
}

TEST(Contradictions, NameANodeWhoseFiguresAreNotThoseOfTheHmat) {
  auto pair = seen(1, 20, 250);
  pair.all_threads.read = figure(30, "GB/s");
  pair.hmat_latency_ns = 120;
  pair.hmat_read_mb_s = 64000;
  EXPECT_THAT(contradictions({pair}),
              ElementsAre("the firmware's HMAT gives node 1 a read latency of 120 ns from node 0's "
                          "CPUs, but 250 ns (248 to 252) was measured",
                          "the firmware's HMAT gives node 1 a read bandwidth of 64 GB/s from node "
                          "0's CPUs, but 30 GB/s (29.7 to 30.3) was measured"));
  pair.hmat_latency_ns = 130;
  pair.hmat_read_mb_s = 50000;
  EXPECT_THAT(contradictions({pair}), IsEmpty());
}

}  // namespace
}  // namespace kinjo
