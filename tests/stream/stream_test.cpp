#include <kinjo/stream.hpp>

#include <array>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

constexpr std::size_t kElements = 10'007;  // no multiple of a page or a vector
constexpr std::array kSequence = {StreamOperation::copy, StreamOperation::scale,
                                  StreamOperation::add, StreamOperation::triad};

const Topology& machine() { return Topology::this_machine(); }
std::size_t cpus() { return machine().allowed_cpus().count(); }

Team make_team() { return Team(Mapping(machine(), Policy::scatter(), cpus())); }

void run_in_order(Stream& stream) {
  for (StreamOperation operation : kSequence) stream.run(operation);
}

/// All elements of the three arrays, if each array holds one value alone.
std::vector<double> values(Stream& stream) {
  std::vector<double> found;
  for (auto* array : {&stream.a(), &stream.b(), &stream.c()}) {
    for (double value : array->all()) {
      if (value != (*array)[0]) return {};
    }
    found.push_back((*array)[0]);
  }
  return found;
}

TEST(Stream, BeginsWithOneTwoAndZero) {
  Team team = make_team();
  Stream stream(team, kElements);
  EXPECT_EQ(stream.elements(), kElements);
  EXPECT_EQ(values(stream), (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(stream.verify(), std::nullopt);
}

TEST(Stream, ComputesWhatEachOperationSays) {
  struct Case {
    StreamOperation operation;
    std::vector<double> after;  // a, b, c
  };
  Team team = make_team();
  for (const Case& c : {Case{StreamOperation::copy, {1, 2, 1}},
                        {StreamOperation::scale, {1, 0, 0}},
                        {StreamOperation::add, {1, 2, 3}},
                        {StreamOperation::triad, {2, 2, 0}}}) {
    SCOPED_TRACE(to_string(c.operation));
    Stream stream(team, kElements);
    stream.run(c.operation);
    EXPECT_EQ(values(stream), c.after);
    EXPECT_EQ(stream.verify(), std::nullopt);
  }
}

TEST(Stream, IsVerifiedAfterAnySequenceOfOperations) {
  Team team = make_team();
  Stream stream(team, 1000);
  std::uint32_t state = 12345;
  for (int i = 0; i < 40; ++i) {
    state = state * 1664525 + 1013904223;
    stream.run(kSequence[state >> 30]);
    ASSERT_EQ(stream.verify(), std::nullopt) << "after " << i + 1 << " operations";
  }
}

TEST(Stream, StaysFiniteAndVerifiedForAThousandRounds) {
  Team team(Mapping(machine(), Policy::scatter(), 1));
  Stream stream(team, 100);
  for (int round = 1; round <= 1000; ++round) {
    run_in_order(stream);
    const std::vector<double> now = values(stream);
    ASSERT_EQ(now.size(), 3u) << "after round " << round;
    for (double value : now) ASSERT_TRUE(value > 0 && value < 0x1p510) << "after round " << round;
    ASSERT_EQ(stream.verify(), std::nullopt) << "after round " << round;
  }
}

TEST(Stream, StaysFiniteForAnySequenceOfOperations) {
  Team team(Mapping(machine(), Policy::scatter(), 1));
  Stream stream(team, 100);
  for (int round = 0; round < 2000; ++round) {  // without copy c grows along with a
    for (StreamOperation operation :
         {StreamOperation::scale, StreamOperation::add, StreamOperation::triad}) {
      stream.run(operation);
    }
    ASSERT_LT(stream.c()[0], 0x1p510) << "after round " << round;
  }
}

TEST(Stream, FindsOneSpoiledElementAfterManyRounds) {
  Team team(Mapping(machine(), Policy::scatter(), 1));
  Stream stream(team, 100);
  for (int round = 0; round < 600; ++round) run_in_order(stream);
  stream.b()[42] *= 1 + 1e-9;
  ASSERT_TRUE(stream.verify().has_value());
  EXPECT_TRUE(stream.verify()->starts_with("array b deviates by 1e-11 of ")) << *stream.verify();
}

TEST(Stream, FindsOneSpoiledElementInAnyArrayAndPlace) {
  Team team = make_team();
  struct Case {
    const char* name;
    PartitionedArray<double>& (Stream::*array)();
    double expected;
  };
  for (const Case& c : {Case{"a", &Stream::a, 15}, {"b", &Stream::b, 3}, {"c", &Stream::c, 4}}) {
    for (std::size_t place : {std::size_t{0}, kElements / 2, kElements - 1}) {
      Stream stream(team, kElements);
      run_in_order(stream);
      (stream.*c.array)()[place] += 1e-6;
      const double mean = 1e-6 / kElements / c.expected;
      EXPECT_EQ(stream.verify(),
                fmt::format("array {} deviates by {:.3g} of {} on average, more than 1e-13", c.name,
                            mean, c.expected));
    }
  }
}

TEST(Stream, FindsAnElementThatIsNoNumber) {
  Team team = make_team();
  for (double wrong :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    Stream stream(team, kElements);
    stream.b()[17] = wrong;
    ASSERT_TRUE(stream.verify().has_value());
    EXPECT_TRUE(stream.verify()->starts_with("array b deviates by ")) << *stream.verify();
  }
}

TEST(Stream, DoesNotLetDeviationsOfOppositeSignsCancel) {
  Team team = make_team();
  Stream stream(team, kElements);
  stream.a()[0] += 0.5;
  stream.a()[1] -= 0.5;
  EXPECT_TRUE(stream.verify().has_value());
}

TEST(Stream, IsVerifiedWithBothKindsOfStoresAndPages) {
  Team team = make_team();
  for (StreamStores stores : {StreamStores::cached, StreamStores::streaming}) {
    for (Pages pages : {Pages::normal, Pages::transparent}) {
      Stream stream(team, kElements, pages, stores);
      EXPECT_EQ(stream.streams(), stores == StreamStores::streaming);
      run_in_order(stream);
      EXPECT_EQ(values(stream), (std::vector<double>{15, 3, 4}));
    }
  }
}

TEST(Stream, WritesPastTheCacheOnlyWhatDoesNotFitIntoIt) {
  const std::size_t fit = machine().last_level_cache_bytes() / sizeof(double) / 3;
  if (fit == 0 || fit > 50'000'000) GTEST_SKIP() << "the caches are unknown or too large to fill";
  Team team = make_team();
  EXPECT_FALSE(Stream(team, fit).streams());
  EXPECT_TRUE(Stream(team, fit + 1).streams());
}

TEST(Stream, IsVerifiedUnderEveryPolicyAndNumberOfThreads) {
  for (const std::string& name : Policy::names()) {
    for (std::size_t threads = 1; threads <= cpus(); ++threads) {
      SCOPED_TRACE(fmt::format("{} with {} threads", name, threads));
      Team team(Mapping(machine(), Policy::parse(name), threads));
      Stream stream(team, kElements);
      run_in_order(stream);
      EXPECT_EQ(stream.verify(), std::nullopt);
    }
  }
}

TEST(Stream, IsVerifiedOnMoreThreadsThanCpus) {
  Team team(Mapping(machine(), Policy::compact(), 3 * cpus() + 1, Oversubscribe::wrap));
  Stream stream(team, kElements);
  run_in_order(stream);
  EXPECT_EQ(values(stream), (std::vector<double>{15, 3, 4}));
}

TEST(Stream, IsVerifiedOnMoreThreadsThanElements) {
  Team team(Mapping(machine(), Policy::compact(), 5 * cpus(), Oversubscribe::wrap));
  for (std::size_t elements : {1, 2, 3}) {
    Stream stream(team, elements);
    run_in_order(stream);
    EXPECT_EQ(stream.verify(), std::nullopt);
  }
}

TEST(Stream, CountsThePagesOfAllThreeArrays) {
  Team team = make_team();
  const Stream stream(team, 3 * page_bytes(), Pages::normal);
  EXPECT_EQ(stream.audit().pages(), 3 * 3 * sizeof(double));
}

TEST(Stream, RefusesArraysWithoutElements) {
  Team team = make_team();
  EXPECT_EQ(error_of([&] { Stream stream(team, 0); }).substr(0, 17), "invalid_argument:");
}

TEST(StreamOperation, HasNamesAndBytesAsStreamCountsThem) {
  struct Case {
    StreamOperation operation;
    const char* name;
    std::size_t bytes;
  };
  for (const Case& c : {Case{StreamOperation::copy, "copy", 16},
                        {StreamOperation::scale, "scale", 16},
                        {StreamOperation::add, "add", 24},
                        {StreamOperation::triad, "triad", 24}}) {
    EXPECT_STREQ(to_string(c.operation), c.name);
    EXPECT_EQ(stream_bytes_per_element(c.operation), c.bytes) << c.name;
  }
}

TEST(StreamElements, AreFourTimesTheLastLevelCachesAndAMillionAtLeast) {
  struct Case {
    const char* machine;
    std::size_t elements;
  };
  for (const Case& c : {
           Case{"synthetic:core:2 pu:1", 1'000'000},  // no cache is known
           Case{"synthetic:l3:1(size=1000000) core:2 pu:1", 1'000'000},
           Case{"synthetic:l3:1(size=2000008) core:2 pu:1", 1'000'004},
           Case{"synthetic:pack:2 numa:1 l3:1(size=33554432) core:4 pu:2", 33'554'432},
           Case{"synthetic:pack:4 numa:1 l3:2(size=16777216) l2:4(size=1048576) core:1 pu:1",
                67'108'864},
           Case{"synthetic:pack:2 l2:4(size=1048576) l1d:1(size=32768) core:1 pu:1", 4'194'304},
       }) {
    EXPECT_EQ(stream_elements(Topology::from(c.machine)), c.elements) << c.machine;
  }
}

}  // namespace
}  // namespace kinjo
