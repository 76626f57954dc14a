/// hwloc beside the three readers, on the zoo and on machines whose files lie.
#include "topology/cross_check.hpp"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"
#include "support/sys_tree.hpp"
#include "support/zoo.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using test::Scratch;
using testing::ElementsAre;

/// `reader relation` of all that disagree.
std::set<std::string> disagreements(const CrossCheck& check) {
  std::set<std::string> found;
  for (const ReaderCheck& reader : check.readers) {
    for (const RelationCheck& relation : reader.relations) {
      if (!relation.agrees) found.insert(reader.reading.reader + " " + relation.relation);
    }
  }
  return found;
}

/// What the files of the zoo's machines contradict hwloc in, and why.
const std::map<std::string, std::set<std::string>> kKnown = {
    // CPU 4 was taken offline in /sys alone.
    {"16amd64-8n2c-cpusets", {"cpuinfo cpus"}},
    // The modules of family 15h: core ids count anew on each of a package's two nodes, the kernel
    // of
    // that time called the halves of a module siblings and forgot that they share L1i and L2; hwloc
    // mends the last two.
    {"64amd64-4s2n4ca2co", {"cpuinfo core", "sysfs core", "sysfs L1i", "sysfs L2"}},
    // /sys was made up from another machine, whose cpuinfo was kept.
    {"64intel64-fakeKNL-SNC4-hybrid", {"cpuinfo core"}},
    // CPUs were removed from /sys alone.
    {"nvidiagpunumanodes", {"cpuinfo cpus"}},
    // CPUs 0 to 3 and 21 to 23 were taken offline in /sys alone.
    {"offline-cpu0-node0", {"cpuinfo cpus"}},
};

TEST(CrossCheck, OfTheZooFindsTheDisagreementsThatAreKnown) {
  KINJO_REQUIRE_ZOO(machines);
  std::size_t checked = 0;
  for (const test::ZooMachine& machine : *machines) {
    if (machine.tree.empty()) continue;
    const CrossCheck check = cross_check(machine.tree);
    const auto known = kKnown.find(machine.name);
    EXPECT_EQ(disagreements(check), known == kKnown.end() ? std::set<std::string>{} : known->second)
        << machine.name;
    EXPECT_EQ(check.agrees(), known == kKnown.end()) << machine.name;
    EXPECT_EQ(check.readers.at(1).reading.obstacle, "") << machine.name;
    ++checked;
  }
  EXPECT_EQ(checked, 16U);
}

/// Two packages of one core of two siblings, each a node.
const test::SysMachine kHonest = {{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0}},
                                  {{0, {0, 1}, 1 << 20, "10 20"}, {1, {2, 3}, 1 << 20, "20 10"}}};

std::string cpuinfo(const std::vector<test::SysCpu>& cpus) {
  std::string text;
  for (const test::SysCpu& cpu : cpus) {
    text += "processor : " + std::to_string(cpu.cpu) +
            "\nphysical id : " + std::to_string(cpu.package) +
            "\ncore id : " + std::to_string(cpu.core) + "\n\n";
  }
  return text;
}

class Lies : public testing::Test {
 protected:
  Lies() {
    test::write_sys_tree(tree_, kHonest);
    tree_.write("proc/cpuinfo", cpuinfo(kHonest.cpus));
  }
  CrossCheck check() const { return cross_check(tree_.path()); }
  const Scratch tree_;
};

TEST_F(Lies, AreNotSeenWhereThereAreNone) {
  EXPECT_TRUE(check().agrees());
  EXPECT_EQ(disagreements(check()), std::set<std::string>{});
  EXPECT_THAT(relation_names(check()), ElementsAre("cpus", "package", "core", "node"));
}

TEST_F(Lies, OfCpuinfoAreNamedWithTheCpus) {
  // The firmware of many virtual machines: every CPU a package of its own.
  tree_.write("proc/cpuinfo", cpuinfo({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}}));
  const CrossCheck found = check();
  EXPECT_EQ(disagreements(found), (std::set<std::string>{"cpuinfo package", "cpuinfo core"}));
  const RelationCheck& package = found.readers.at(0).relations.at(1);
  EXPECT_THAT(package.reader, ElementsAre(CpuSet{0}, CpuSet{1}, CpuSet{2}, CpuSet{3}));
  EXPECT_THAT(package.hwloc, ElementsAre(CpuSet{0, 1}, CpuSet{2, 3}));
}

TEST_F(Lies, AboutNumbersAloneAreNone) {
  tree_.write("proc/cpuinfo", cpuinfo({{0, 9, 5}, {1, 9, 5}, {2, 4, 7}, {3, 4, 7}}));
  EXPECT_TRUE(check().agrees());
}

TEST_F(Lies, AboutWhichCpusThereAre) {
  tree_.write("proc/cpuinfo", cpuinfo({{0, 0, 0}, {1, 0, 0}, {2, 1, 0}}));
  EXPECT_EQ(disagreements(check()), std::set<std::string>{"cpuinfo cpus"});
}

TEST_F(Lies, OfRecordedCpuidAreNamed) {
  // Leaf 0xB of one package of four cores without siblings.
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string apic = std::to_string(cpu);
    tree_.write("cpuid/pu" + apic,
                "1 0 0 0 0 => b 756e6547 6c65746e 49656e69\n5 b 0 0 0 => 0 1 100 " + apic +
                    "\n5 b 0 1 0 => 2 4 201 " + apic + "\n");
  }
  EXPECT_EQ(disagreements(check()), (std::set<std::string>{"cpuid package", "cpuid core"}));
}

TEST_F(Lies, OfOneReaderLeaveTheOthersAlone) {
  tree_.write("proc/cpuinfo", "");
  const CrossCheck found = check();
  EXPECT_TRUE(found.agrees());
  EXPECT_EQ(found.readers.at(0).reading.obstacle, tree_.path("proc/cpuinfo") + " lists no CPU");
  EXPECT_TRUE(found.readers.at(0).relations.empty());
}

TEST(Comparing, LooksOnlyAtCpusThatBothKnow) {
  Reading hwloc{"hwloc", "", "", {0, 1, 2, 3}, true, {}};
  hwloc.groups["core"] = {CpuSet{0, 1}, CpuSet{2, 3}};
  Reading some{"cpuid", "", "", {0, 2}, false, {}};
  some.groups["core"] = {CpuSet{0}, CpuSet{2}};
  EXPECT_TRUE(compare(some, hwloc).agrees());
  some.groups["core"] = {CpuSet{0, 2}};
  EXPECT_FALSE(compare(some, hwloc).agrees());
  some.groups = {{"L9", {CpuSet{0, 2}}}};  // which hwloc does not know
  EXPECT_TRUE(compare(some, hwloc).relations.empty());
}

TEST(Comparing, AllowsForMemoryNearNodes) {
  Reading hwloc{"hwloc", "", "", {0, 1}, true, {}};
  hwloc.groups["node"] = {CpuSet{0}, CpuSet{1}, CpuSet{0, 1}};
  Reading sysfs{"sysfs", "", "", {0, 1}, true, {}};
  sysfs.groups["node"] = {CpuSet{0}, CpuSet{1}};
  EXPECT_TRUE(compare(sysfs, hwloc).agrees());
  sysfs.groups["node"] = {CpuSet{0, 1}, CpuSet{}};
  hwloc.groups["node"] = {CpuSet{0}, CpuSet{1}};
  EXPECT_FALSE(compare(sysfs, hwloc).agrees());
}

TEST(CrossCheck, HasNothingToCompareADescriptionWith) {
  for (const char* input : {"synthetic:pack:2 core:2 pu:1", KINJO_TEST_MACHINES "/one_cpu.xml"}) {
    EXPECT_EQ(error_of([&] { cross_check(input); }),
              std::string("invalid_argument: nothing to compare '") + input +
                  "' with: --check needs this machine, or a directory that holds sys and proc");
  }
}

TEST(CrossCheck, OfThisMachineReadsWhatItHas) {
  const CrossCheck check = cross_check("");
  ASSERT_EQ(check.readers.size(), 3U);
  for (const ReaderCheck& reader : check.readers) {
    EXPECT_EQ(reader.relations.empty(), !reader.reading.obstacle.empty()) << reader.reading.reader;
  }
}

}  // namespace
}  // namespace kinjo::detail
