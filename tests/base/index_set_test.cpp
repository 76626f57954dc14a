#include <kinjo/index_set.hpp>

#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::test {
namespace {

using testing::ElementsAre;

std::vector<int> members(const CpuSet& set) { return {set.begin(), set.end()}; }

TEST(IndexSet, ReadsAndWritesTheKernelsListSyntax) {
  const struct {
    const char* text;
    const char* written;
  } cases[] = {
      {"", ""},
      {" \n", ""},
      {"0", "0"},
      {"0-3,8", "0-3,8"},
      {"8,0-3", "0-3,8"},
      {"0-2,1-5", "0-5"},
      {"0-8:4", "0,4,8"},
      {"0-9:4", "0,4,8"},
      {"5-5:3", "5"},
      {"0-3:2147483647", "0"},
      {" 0 , 2 \n", "0,2"},
      {"62-65", "62-65"},
      {"63,64", "63-64"},
      {"1048575", "1048575"},
      {"0001", "1"},
  };
  for (const auto& c : cases) EXPECT_EQ(CpuSet::parse(c.text).to_string(), c.written) << c.text;
}

TEST(IndexSet, ReadsListsOfDumpsThatEndInNulBytes) {
  EXPECT_EQ(CpuSet::parse(std::string_view("0-3\n\0\0", 6)), (CpuSet{0, 1, 2, 3}));
}

TEST(IndexSet, RefusesMalformedListsAndQuotesThem) {
  const struct {
    const char* text;
    const char* part;
  } cases[] = {
      {"a", "a"},
      {"0-", "0-"},
      {"-3", "-3"},
      {"3-1", "3-1"},
      {"0,,1", ""},
      {"0,", ""},
      {",", ""},
      {"0-3-5", "0-3-5"},
      {"0x3", "0x3"},
      {"1.5", "1.5"},
      {"+1", "+1"},
      {"0-7:0", "0-7:0"},
      {"0-7:-1", "0-7:-1"},
      {"4:2", "4:2"},
      {"0-7:", "0-7:"},
      {"0 - 3", "0 - 3"},
      {"1048576", "1048576"},
      {"0-1048576", "0-1048576"},
      {"99999999999", "99999999999"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { CpuSet::parse(c.text); }),
              std::string("bad_input: malformed list '") + c.text + "' at '" + c.part +
                  "': expected numbers and ranges up to 1048575, e.g. 0-3,8 or 0-14:2");
  }
  EXPECT_THAT(error_of([] { NodeSet::parse("x", "--memory"); }),
              testing::StartsWith("bad_input: malformed --memory 'x' at 'x'"));
}

TEST(IndexSet, IteratesInAscendingOrder) {
  EXPECT_THAT(members(CpuSet{130, 0, 63, 64}), ElementsAre(0, 63, 64, 130));
  EXPECT_THAT(members(CpuSet{}), ElementsAre());
  CpuSet emptied{500};
  emptied.erase(500);
  EXPECT_THAT(members(emptied), ElementsAre());
}

TEST(IndexSet, RefusesNumbersThatNoMachineHas) {
  EXPECT_EQ(CpuSet{1048575}.count(), 1u);
  for (int number : {1048576, 2147483647, -1}) {
    EXPECT_EQ(error_of([&] {
                CpuSet{0, number};
              }),
              "invalid_argument: " + std::to_string(number) +
                  " is no member of a set of CPUs or nodes: expected 0 to 1048575");
  }
}

TEST(IndexSet, KnowsItsFirstAndLastMember) {
  EXPECT_EQ((CpuSet{5, 200}).first(), 5);
  EXPECT_EQ((CpuSet{5, 200}).last(), 200);
  EXPECT_EQ(CpuSet{}.first(), -1);
  EXPECT_EQ(CpuSet{}.last(), -1);
  EXPECT_FALSE(CpuSet{3}.contains(-1));
  EXPECT_FALSE(CpuSet{3}.contains(1 << 30));
}

TEST(IndexSet, IsEqualWhenItsMembersAreHoweverFarItHasGrown) {
  CpuSet grown{1, 1000};
  grown.erase(1000);
  grown.erase(2000);
  EXPECT_EQ(grown, CpuSet{1});
  EXPECT_EQ(CpuSet{1}, grown);
  EXPECT_FALSE(grown == CpuSet{2});
}

TEST(IndexSet, OfCpusIsNoSetOfNodes) {
  EXPECT_FALSE((std::is_convertible_v<CpuSet, NodeSet>));
  EXPECT_FALSE((std::is_constructible_v<NodeSet, CpuSet>));
}

/// A set of the standard library beside it, through random changes.
TEST(IndexSet, DoesWhatASetOfTheStandardLibraryDoes) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    CpuSet a, b;
    std::set<int> model_a, model_b, both, either;
    for (int i = 0; i < 100; ++i) {
      const int x = static_cast<int>(random() % 300);
      const int y = static_cast<int>(random() % 600);
      a.insert(x), model_a.insert(x);
      b.insert(y), model_b.insert(y);
      const int gone = static_cast<int>(random() % 300);
      a.erase(gone), model_a.erase(gone);
    }
    for (int i = 0; i < 600; ++i) {
      if (model_a.count(i) && model_b.count(i)) both.insert(i);
      if (model_a.count(i) || model_b.count(i)) either.insert(i);
    }
    EXPECT_THAT(members(a), testing::ElementsAreArray(model_a));
    EXPECT_THAT(members(a & b), testing::ElementsAreArray(both));
    EXPECT_THAT(members(b & a), testing::ElementsAreArray(both));
    EXPECT_THAT(members(a | b), testing::ElementsAreArray(either));
    EXPECT_EQ(a.count(), model_a.size());
    EXPECT_EQ(CpuSet::parse(a.to_string()), a);
  }
}

}  // namespace
}  // namespace kinjo::test
