#include "topology/cpuinfo_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using testing::ElementsAre;

Reading read(std::string_view text) { return read_cpuinfo(text, "cpuinfo"); }

std::string x86(int cpu, int package, int core) {
  return "processor\t: " + std::to_string(cpu) +
         "\nmodel name\t: x\nphysical id\t: " + std::to_string(package) +
         "\ncore id\t\t: " + std::to_string(core) + "\n\n";
}

TEST(Cpuinfo, OfX86NamesPackagesAndCores) {
  const Reading reading = read(x86(0, 0, 0) + x86(1, 1, 0) + x86(2, 0, 0) + x86(3, 1, 9));
  EXPECT_EQ(reading.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_THAT(reading.groups.at("package"), ElementsAre(CpuSet{0, 2}, CpuSet{1, 3}));
  EXPECT_THAT(reading.groups.at("core"), ElementsAre(CpuSet{0, 2}, CpuSet{1}, CpuSet{3}));
  EXPECT_EQ(reading.obstacle, "");
}

TEST(Cpuinfo, OfOtherArchitecturesListsCpusAlone) {
  const Reading power = read("processor\t: 0\ncpu\t\t: POWER7\n\nprocessor\t: 4\n\ntimebase : 1\n");
  EXPECT_EQ(power.cpus, (CpuSet{0, 4}));
  EXPECT_TRUE(power.groups.empty());
  EXPECT_EQ(read("Processor\t: ARMv7 rev 0\nprocessor\t: 0\nprocessor\t: 1\n").cpus,
            (CpuSet{0, 1}));
}

TEST(Cpuinfo, OfS390ListsCpusInFrontAndOnceMore) {
  const Reading reading = read(
      "vendor_id : IBM/S390\nprocessor 0: version = FF\nprocessor 1: version = FF\n\n"
      "cpu number : 0\nphysical id : 0\ncore id : 0\n\n"
      "cpu number : 1\nphysical id : 0\ncore id : 0\n");
  EXPECT_EQ(reading.cpus, (CpuSet{0, 1}));
  EXPECT_THAT(reading.groups.at("core"), ElementsAre(CpuSet{0, 1}));
}

TEST(Cpuinfo, SaysWhereNothingIsToBeRead) {
  EXPECT_EQ(read("").obstacle, "cpuinfo lists no CPU");
  EXPECT_EQ(read("model name : x\n").obstacle, "cpuinfo lists no CPU");
  const test::Scratch tree;
  EXPECT_EQ(read_cpuinfo_of(tree.path()).obstacle, "there is no " + tree.path() + "/proc/cpuinfo");
  tree.write("proc/cpuinfo", x86(0, 0, 0));
  EXPECT_EQ(read_cpuinfo_of(tree.path()).cpus, CpuSet{0});
}

TEST(Cpuinfo, ThatIsDamagedIsRefusedWithItsLine) {
  for (const char* number : {"x", "-1", "1048576", "", "1 2"}) {
    EXPECT_EQ(error_of([&] { read(std::string("a : b\nprocessor : ") + number); }),
              std::string("bad_input: cpuinfo, line 2: 'processor' is '") + number +
                  "': expected a number up to 1048575");
  }
  EXPECT_EQ(error_of([] { read("processor : 0\ncore id : y\n"); }),
            "bad_input: cpuinfo, line 2: 'core id' is 'y': expected a number up to 1048575");
  EXPECT_EQ(error_of([] { read("processor : 3\nprocessor : 3\n"); }),
            "bad_input: cpuinfo, line 2: CPU 3 is listed twice");
}

}  // namespace
}  // namespace kinjo::detail
