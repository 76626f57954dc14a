#include "report/machine_text.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/machine_samples.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

std::string text_of(const char* machine) { return machine_text(Topology::from(machine)); }

/// The text without its first line, which repeats the description.
std::string below_summary(const std::string& text) { return text.substr(text.find('\n') + 1); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Columns on a terminal.
std::ptrdiff_t columns(const std::string& line) {
  return std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
}

TEST(FoldedList, IsTheShortestListOfRunsAndStrides) {
  struct Case {
    std::set<int> numbers;
    const char* folded;
  };
  for (const Case& c : {Case{{}, ""},
                        {{7}, "7"},
                        {{0, 1}, "0-1"},
                        {{0, 2}, "0,2"},
                        {{0, 2, 4}, "0-4:2"},
                        {{0, 4, 8, 12}, "0-12:4"},
                        {{0, 1, 2, 8}, "0-2,8"},
                        {{0, 1, 2, 3, 32, 33, 34, 35}, "0-3,32-35"},
                        {{0, 5, 6, 7}, "0,5-7"},
                        {{1, 3, 9}, "1,3,9"},
                        {{0, 2, 4, 5, 6}, "0-4:2,5-6"},
                        {{-1}, "-1"}}) {
    EXPECT_EQ(folded_list(c.numbers), c.folded);
  }
}

TEST(FoldedList, NamesExactlyTheSetThatItWasMadeOf) {
  // All subsets of eleven CPUs: what is printed is read back.
  for (unsigned bits = 0; bits < 1u << 11; ++bits) {
    CpuSet set;
    for (int cpu = 0; cpu < 11; ++cpu) {
      if ((bits >> cpu) & 1) set.insert(cpu);
    }
    ASSERT_EQ(CpuSet::parse(folded_list(set), "list"), set) << folded_list(set);
  }
}

TEST(MachineText, DrawsASmallMachine) {
  EXPECT_EQ(text_of(test::kTwoCpus),
            "synthetic:pack:1 [numa(memory=1073741824)] l2:1(size=1048576) core:2 pu:1: 1 package, "
            "1 node, 2 cores, 2 CPUs, 1 GiB\n"
            "node  package  memory  cores  CPUs  CPU numbers  may be used\n"
            "   0        0  1 GiB       2     2  0-1          all\n"
            "caches\n"
            "  L2 1 MiB × 1, each shared by 2 cores\n");
}

TEST(MachineText, FoldsWhatIsAlikeOnFourSockets) {
  EXPECT_EQ(below_summary(text_of("synthetic:pack:4 [numa(memory=34359738368)] "
                                  "l3:1(size=20971520) l2:8(size=262144) l1d:1(size=32768) "
                                  "core:1 pu:2(indexes=2*32:1*2)")),
            "node  package  memory  cores  CPUs  CPU numbers  may be used\n"
            "   0        0  32 GiB      8    16  0-7,32-39    all\n"
            "   1        1  32 GiB      8    16  8-15,40-47   all\n"
            "   2        2  32 GiB      8    16  16-23,48-55  all\n"
            "   3        3  32 GiB      8    16  24-31,56-63  all\n"
            "caches\n"
            "  L3 20 MiB × 4, each shared by 8 cores\n"
            "  L2 256 KiB × 32, one for each core\n"
            "  L1d 32 KiB × 32, one for each core\n");
}

TEST(MachineText, FoldsNumbersDealtRoundRobinOverSockets) {
  EXPECT_EQ(below_summary(text_of("synthetic:pack:4 [numa] core:10 pu:1(indexes=10*4:1*10)")),
            "node  package  memory   cores  CPUs  CPU numbers  may be used\n"
            "   0        0  unknown     10    10  0-36:4       all\n"
            "   1        1  unknown     10    10  1-37:4       all\n"
            "   2        2  unknown     10    10  2-38:4       all\n"
            "   3        3  unknown     10    10  3-39:4       all\n");
}

TEST(MachineText, FitsATwoSocketServerOnAScreen) {
  const std::string text = text_of(KINJO_TEST_MACHINES "/two_socket_server.xml");
  EXPECT_EQ(below_summary(text),
            "  package 0-1: Intel(R) Xeon(R) Gold 6346 CPU @ 3.10GHz\n"
            "node  package  memory   cores  CPUs  CPU numbers  may be used\n"
            "   0        0  128 GiB     16    32  0-15,32-47   all\n"
            "   1        1  128 GiB     16    32  16-31,48-63  all\n"
            "caches\n"
            "  L3 36 MiB × 2, each shared by 16 cores\n"
            "  L2 1.2 MiB × 32, one for each core\n"
            "  L1d 48 KiB × 32, one for each core\n"
            "  L1i 32 KiB × 32, one for each core\n"
            "distances   0   1\n"
            "  node 0   10  20\n"
            "  node 1   20  10\n");
  EXPECT_LE(lines_of(text).size(), 24u);
  for (const std::string& line : lines_of(below_summary(text))) EXPECT_LE(columns(line), 100);
}

TEST(MachineText, ListsNodesWithTheirModelsDistancesAndLimits) {
  const test::Scratch scratch;
  const std::string file = scratch.write("m.xml", test::two_packages_xml("Model X", "0x2"));
  EXPECT_EQ(text_of(file.c_str()),
            file +
                ": 2 packages, 2 nodes, 2 cores, 2 CPUs, 8 KiB\n"
                "  package 0-1: Model X\n"
                "node  package  memory  cores  CPUs  CPU numbers  may be used\n"
                "   0        0  4 KiB       1     1            0  no CPU\n"
                "   5        1  4 KiB       1     1            1  all\n"
                "distances   0   5\n"
                "  node 0   10  21\n"
                "  node 5   22  10\n");
}

TEST(MachineText, ShowsControlCharactersOfNamesHarmlessly) {
  const test::Scratch scratch;
  const std::string file =
      scratch.write("new\nline.xml", test::two_packages_xml("\x1b[31m red &#10; x\x7f"));
  const auto lines = lines_of(text_of(file.c_str()));
  EXPECT_TRUE(lines[0].starts_with(scratch.path("new?line.xml: "))) << lines[0];
  EXPECT_EQ(lines[1], "  package 0-1: ?[31m red ? x?");
}

TEST(CpuTable, HasARowForEachCpu) {
  EXPECT_EQ(cpu_table(Topology::from(test::kTwoCpus)).to_csv(),
            "cpu,logical,package,node,core,smt,kind,allowed\n"
            "0,0,0,0,0,0,0,true\n"
            "1,1,0,0,1,0,0,true\n");
}

}  // namespace
}  // namespace kinjo
