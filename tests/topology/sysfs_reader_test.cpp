#include "topology/sysfs_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using test::Scratch;
using testing::ElementsAre;

const std::string kSystem = "sys/devices/system/";

void write_cpu(const Scratch& tree, int cpu, const std::string& file, const std::string& text) {
  tree.write(kSystem + "cpu/cpu" + std::to_string(cpu) + "/" + file, text);
}

TEST(Masks, AreReadWordByWordFromTheEnd) {
  EXPECT_EQ(parse_mask("0000000f", "m"), (CpuSet{0, 1, 2, 3}));
  EXPECT_EQ(parse_mask("1,00000000,80000001", "m"), (CpuSet{0, 31, 64}));
  EXPECT_EQ(parse_mask("ff", "m").count(), 8U);
  EXPECT_EQ(parse_mask("0", "m"), CpuSet{});
  for (const char* wrong : {"", "x", "1,", "1,,1", "100000000", "0x1", "-1"}) {
    EXPECT_EQ(
        error_of([&] { parse_mask(wrong, "m"); }),
        std::string("bad_input: m is '") + wrong + "': expected a mask such as 00000001,0000000f");
  }
  std::string far = "1";
  for (int word = 0; word < 40000; ++word) far += ",0";
  EXPECT_TRUE(error_of([&] { parse_mask(far, "m"); }).starts_with("bad_input: m is '1,0,0"));
}

TEST(Sysfs, TellsPackagesCoresNodesAndCaches) {
  const Scratch tree;
  tree.write(kSystem + "cpu/online", "0-3\n");
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string pair = cpu < 2 ? "0-1" : "2-3";
    write_cpu(tree, cpu, "topology/physical_package_id", std::to_string(cpu / 2 * 7) + "\n");
    write_cpu(tree, cpu, "topology/thread_siblings_list", pair + "\n");
    write_cpu(tree, cpu, "cache/index0/level", "1\n");
    write_cpu(tree, cpu, "cache/index0/type", "Data\n");
    write_cpu(tree, cpu, "cache/index0/shared_cpu_list", pair + "\n");
    write_cpu(tree, cpu, "cache/index3/level", "3\n");
    write_cpu(tree, cpu, "cache/index3/type", "Unified\n");
    write_cpu(tree, cpu, "cache/index3/shared_cpu_map", "0000000f\n");
  }
  tree.write(kSystem + "node/node4/cpulist", "0-3\n");
  tree.write(kSystem + "node/node6/cpulist", "\n");
  const Reading reading = read_sysfs(tree.path());
  EXPECT_EQ(reading.obstacle, "");
  EXPECT_EQ(reading.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_THAT(reading.groups.at("package"), ElementsAre(CpuSet{0, 1}, CpuSet{2, 3}));
  EXPECT_THAT(reading.groups.at("core"), ElementsAre(CpuSet{0, 1}, CpuSet{2, 3}));
  EXPECT_THAT(reading.groups.at("L1d"), ElementsAre(CpuSet{0, 1}, CpuSet{2, 3}));
  EXPECT_THAT(reading.groups.at("L3"), ElementsAre(CpuSet{0, 1, 2, 3}));
  EXPECT_THAT(reading.groups.at("node"), ElementsAre(CpuSet{0, 1, 2, 3}));
}

TEST(Sysfs, LeavesOutWhatIsOfflineOrNotSaid) {
  const Scratch tree;
  write_cpu(tree, 0, "topology/physical_package_id", "-1\n");
  write_cpu(tree, 1, "online", "0\n");
  write_cpu(tree, 2, "online", std::string("1\n\0\0", 4));
  tree.write(kSystem + "cpu/cpufreq/boost", "1\n");
  const Reading reading = read_sysfs(tree.path());
  EXPECT_EQ(reading.cpus, (CpuSet{0, 2}));
  EXPECT_TRUE(reading.groups.empty());
}

TEST(Sysfs, ThatIsMissingOrDamagedIsNamed) {
  const Scratch tree;
  EXPECT_EQ(read_sysfs(tree.path()).obstacle,
            "there is no " + tree.path() + "/sys/devices/system/cpu/cpu0 or other");
  write_cpu(tree, 0, "topology/core_cpus_list", "0-x\n");
  const std::string folder = tree.path() + "/sys/devices/system/cpu/cpu0/topology/";
  EXPECT_EQ(error_of([&] { read_sysfs(tree.path()); }),
            "bad_input: " + folder +
                "core_cpus_list: malformed list '0-x' at '0-x': expected numbers and ranges up to "
                "1048575, e.g. 0-3,8 or 0-14:2");
  write_cpu(tree, 0, "topology/physical_package_id", "one\n");
  EXPECT_EQ(error_of([&] { read_sysfs(tree.path()); }),
            "bad_input: " + folder + "physical_package_id is 'one': expected a number");
}

}  // namespace
}  // namespace kinjo::detail
