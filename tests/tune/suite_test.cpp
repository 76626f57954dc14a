#include "tune/suite.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "support/zoo.hpp"
#include "workload/registry.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// `stream elements=1000000`, …
std::vector<std::string> sizes(const SuiteMachine& machine, SuiteSize size) {
  std::vector<std::string> texts;
  for (const SuiteEntry& entry : suite_entries(machine, size)) {
    std::string text = entry.workload;
    for (const auto& [name, value] : entry.parameters) text += ' ' + name + '=' + value;
    texts.push_back(text);
  }
  return texts;
}

TEST(Suite, FitsItsSizesToTheMachine) {
  const SuiteMachine laptop{.cpus = 8, .cache_bytes = 16 * kMiB, .memory_bytes = 16 * kGiB};
  EXPECT_THAT(
      sizes(laptop, SuiteSize::quick),
      ElementsAre("stream elements=8388608", "blas1 kernel=dot size=8388608", "gemm size=2048",
                  "fft size=2^22", "graph500 scale=18 roots=8", "paths graph=grid:13",
                  "sdp problem=theta:100,800", "cells app=gemm size=1536"));
  EXPECT_THAT(
      sizes(laptop, SuiteSize::full),
      ElementsAre("stream elements=8388608", "blas1 kernel=dot size=8388608", "gemm size=3200",
                  "fft size=2^24", "graph500 scale=20 roots=8", "paths graph=grid:14",
                  "sdp problem=theta:157,1260", "cells app=gemm size=2432"));
}

TEST(Suite, GrowsNoFurtherThanOneThreadVerifiesInTime) {
  const SuiteMachine server{.cpus = 240, .cache_bytes = 768 * kMiB, .memory_bytes = 1024 * kGiB};
  EXPECT_THAT(
      sizes(server, SuiteSize::quick),
      ElementsAre("stream elements=402653184", "blas1 kernel=dot size=33554432", "gemm size=3200",
                  "fft size=2^24", "graph500 scale=20 roots=8", "paths graph=grid:14",
                  "sdp problem=theta:157,1260", "cells app=gemm size=2432"));
  EXPECT_THAT(
      sizes(server, SuiteSize::full),
      ElementsAre("stream elements=402653184", "blas1 kernel=dot size=268435456", "gemm size=6528",
                  "fft size=2^27", "graph500 scale=23 roots=8", "paths graph=grid:16",
                  "sdp problem=theta:317,2540", "cells app=gemm size=4864"));
}

TEST(Suite, HasWorkForOneCpuWithoutKnownCaches) {
  EXPECT_THAT(
      sizes({}, SuiteSize::quick),
      ElementsAre("stream elements=1000000", "blas1 kernel=dot size=1048576", "gemm size=1024",
                  "fft size=2^19", "graph500 scale=15 roots=8", "paths graph=grid:12",
                  "sdp problem=theta:50,400", "cells app=gemm size=768"));
}

TEST(Suite, TakesAQuarterOfTheMemoryAtMost) {
  for (const std::size_t cpus : {1, 2, 64, 240}) {
    for (const std::uint64_t memory : {256 * kMiB, kGiB, 64 * kGiB}) {
      for (const SuiteSize size : {SuiteSize::quick, SuiteSize::full}) {
        for (const SuiteEntry& entry : suite_entries({cpus, 512 * kMiB, memory}, size)) {
          EXPECT_LE(entry.bytes, memory / 4) << entry.workload << ", " << cpus << " CPUs";
        }
      }
    }
  }
}

TEST(Suite, GoesOnWithItsLeastSizesWhereMemoryIsVeryLittle) {
  for (const SuiteEntry& entry : suite_entries({4, 64 * kMiB, kMiB}, SuiteSize::quick)) {
    EXPECT_GT(entry.bytes, 0u) << entry.workload;
    EXPECT_LT(entry.bytes, 64 * kMiB) << entry.workload;
  }
}

TEST(Suite, HasEveryWorkloadOnceAndNoParameterThatItRefuses) {
  const Topology machine =
      Topology::from("synthetic:pack:2 numa:1 l3:1(size=16777216) core:4 pu:2");
  std::set<std::string> seen;
  const SuiteMachine small{.cpus = 1, .memory_bytes = 64 * kMiB};
  for (const SuiteEntry& entry : suite_entries(small, SuiteSize::quick)) {
    EXPECT_TRUE(seen.insert(entry.workload).second) << entry.workload;
    EXPECT_NO_THROW(
        find_workload(entry.workload).make(machine, {BindLevel::cpu, entry.parameters}));
    EXPECT_GT(entry.share, 0);
  }
  EXPECT_EQ(seen.size(), workloads().size());
}

TEST(Suite, FitsTheMachinesOfTheZoo) {
  KINJO_REQUIRE_ZOO(machines);
  for (const test::ZooMachine& described : *machines) {
    const Topology machine = Topology::from(described.xml);
    SuiteMachine suited = suite_machine(machine);
    EXPECT_EQ(suited.cpus, machine.allowed_cpus().count()) << described.xml;
    suited.memory_bytes = 4 * kGiB;
    for (const SuiteEntry& entry : suite_entries(suited, SuiteSize::full)) {
      EXPECT_LE(entry.bytes, kGiB) << described.xml << ": " << entry.workload;
    }
    for (const std::size_t threads : suite_threads(SuiteSize::full, suited.cpus)) {
      EXPECT_GE(threads, 1u);
      EXPECT_LE(threads, suited.cpus);
    }
  }
}

TEST(Suite, TriesTheLargerNumbersOfThreads) {
  EXPECT_THAT(suite_threads(SuiteSize::quick, 1), ElementsAre(1));
  EXPECT_THAT(suite_threads(SuiteSize::quick, 2), ElementsAre(1, 2));
  EXPECT_THAT(suite_threads(SuiteSize::quick, 6), ElementsAre(1, 3, 6));
  EXPECT_THAT(suite_threads(SuiteSize::quick, 240), ElementsAre(60, 120, 240));
  EXPECT_THAT(suite_threads(SuiteSize::full, 240), ElementsAre(15, 30, 60, 120, 240));
  EXPECT_THAT(suite_threads(SuiteSize::full, 8), ElementsAre(1, 2, 4, 8));
}

TEST(Suite, HasTwoSizes) {
  EXPECT_EQ(parse_suite("quick"), SuiteSize::quick);
  EXPECT_EQ(parse_suite("full"), SuiteSize::full);
  EXPECT_EQ(test::error_of([] { parse_suite("large"); }),
            "invalid_argument: unknown suite 'large': expected quick or full");
  EXPECT_LE(suite_seconds(SuiteSize::quick), 300);
  EXPECT_LE(suite_seconds(SuiteSize::full), 3600);
  EXPECT_LT(suite_measuring_seconds(SuiteSize::quick), suite_seconds(SuiteSize::quick) / 10);
}

}  // namespace
}  // namespace kinjo
