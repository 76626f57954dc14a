#include "topology/cpuid.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"
#include "topology/cpuid_reader.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using testing::ElementsAre;

/// A machine as its CPUs answer: `{0:x}` stands for the APIC id. Values are those that
/// hwloc-gather-cpuid recorded on real machines, with the leaves that say nothing left out.
struct Sample {
  const char* answers;
  std::vector<int> apics;  ///< by CPU
};

Reading read(const Sample& sample) {
  std::map<int, CpuidFacts> facts;
  for (std::size_t cpu = 0; cpu < sample.apics.size(); ++cpu) {
    const auto text = fmt::format(fmt::runtime(sample.answers), sample.apics[cpu]);
    facts[static_cast<int>(cpu)] = decode_cpuid(CpuidRecording(text, "pu"));
  }
  return read_cpuid(facts, "a sample");
}

/// Two Xeon E5345 of four cores, where two share an L2: leaves 1 and 4.
const Sample kCore2 = {R"(# mask e[abcd]x => e[abcd]x
1 0 0 0 0 => a 756e6547 6c65746e 49656e69
1 1 0 0 0 => 6f7 {0:x}040800 4e3bd bfebfbff
5 4 0 0 0 => c000121 1c0003f 3f 1
5 4 0 1 0 => c000122 1c0003f 3f 1
5 4 0 2 0 => c004143 3c0003f fff 1
1 80000000 0 0 0 => 80000008 0 0 0
)",
                       {0, 4, 2, 6, 1, 5, 3, 7}};

/// Two Xeon X5550 of four cores of two siblings: leaf 0xB.
const Sample kNehalem = {R"(1 0 0 0 0 => b 756e6547 6c65746e 49656e69
1 1 0 0 0 => 106a5 {0:02x}100800 9ce3bd bfebfbff
5 4 0 0 0 => 1c004121 1c0003f 3f 0
5 4 0 1 0 => 1c004122 c0003f 7f 0
5 4 0 2 0 => 1c004143 1c0003f 1ff 0
5 4 0 3 0 => 1c03c163 3c0003f 1fff 2
5 b 0 0 0 => 1 2 100 {0:x}
5 b 0 1 0 => 4 8 201 {0:x}
5 b 0 2 0 => 0 0 2 {0:x}
)",
                         {0, 2, 4, 6, 16, 18, 20, 22, 1, 3, 5, 7, 17, 19, 21, 23}};

/// QEMU with two packages, of which the first 12 CPUs, on two dies of three cores: leaf 0x1F.
const Sample kDies = {R"(1 0 0 0 0 => 1f 756e6547 6c65746e 49656e69
1 1 0 0 0 => 663 {0:02x}060800 80202001 178bfbfd
5 4 0 0 0 => 8000121 1c0003f 3f 1
5 4 0 1 0 => 8000122 1c0003f 3f 1
5 4 0 2 0 => 8004143 3c0003f fff 1
5 4 0 3 0 => 801c163 3c0003f 3fff 6
5 b 0 0 0 => 1 2 100 {0:x}
5 b 0 1 0 => 5 6 201 {0:x}
5 1f 0 0 0 => 1 2 100 {0:x}
5 1f 0 1 0 => 3 6 201 {0:x}
5 1f 0 2 0 => 5 12 502 {0:x}
5 1f 0 3 0 => 0 0 3 {0:x}
)",
                      {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13}};

/// Two Opteron 2218 of two cores, before extended leaves told of caches: leaf 0x80000008.
const Sample kSantaRosa = {R"(1 0 0 0 0 => 1 68747541 444d4163 69746e65
1 1 0 0 0 => 40f12 {0:x}020800 2001 178bfbff
1 80000000 0 0 0 => 80000018 68747541 444d4163 69746e65
1 80000001 0 0 0 => 40f12 353 1f ebd3fbff
1 80000008 0 0 0 => 3028 0 1 0
)",
                           {0, 1, 2, 3}};

/// The second of four Opteron 6348: two dies of six cores, which share their L3 by sixes.
const Sample kPiledriver = {R"(1 0 0 0 0 => d 68747541 444d4163 69746e65
1 1 0 0 0 => 600f20 {0:02x}0c0800 3e98320b 178bfbff
1 80000000 0 0 0 => 8000001e 68747541 444d4163 69746e65
1 80000001 0 0 0 => 600f20 30000000 1ebbfff 2fd3fbff
1 80000008 0 0 0 => 3030 0 500b 0
5 8000001d 0 0 0 => 121 c0003f 3f 0
5 8000001d 0 1 0 => 4122 40003f 1ff 0
5 8000001d 0 2 0 => 4143 3c0003f 7ff 1
5 8000001d 0 3 0 => 14163 bc0003f 7ff 1
)",
                            {32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43}};

/// Eight cores of a Hygon C86: no leaf 0xB, siblings by 0x8000001E.
const Sample kDhyana = {R"(1 0 0 0 0 => d 6f677948 656e6975 6e65476e
1 1 0 0 0 => 900f00 {0:02x}400800 3cd83209 178bfbff
1 80000000 0 0 0 => 8000001f 6f677948 656e6975 6e65476e
1 80000001 0 0 0 => 900f00 40000000 35c233ff 2fd3fbff
1 80000008 0 0 0 => 3030 7 603f 0
5 8000001d 0 0 0 => 4121 1c0003f 3f 0
5 8000001d 0 1 0 => 4122 c0003f ff 0
5 8000001d 0 2 0 => 4143 1c0003f 3ff 2
5 8000001d 0 3 0 => 1c163 3c0003f 1fff 1
1 8000001e 0 0 0 => {0:x} 100 300 0
)",
                        {0, 2, 8, 10, 1, 3, 9, 11}};

TEST(Cpuid, OfCore2TellsByLeaf4) {
  const Reading reading = read(kCore2);
  EXPECT_THAT(reading.groups.at("package"), ElementsAre(CpuSet{0, 2, 4, 6}, CpuSet{1, 3, 5, 7}));
  EXPECT_EQ(reading.groups.at("core").size(), 8U);
  EXPECT_EQ(reading.groups.at("L1d").size(), 8U);
  EXPECT_THAT(reading.groups.at("L2"),
              ElementsAre(CpuSet{0, 4}, CpuSet{2, 6}, CpuSet{1, 5}, CpuSet{3, 7}));
}

TEST(Cpuid, OfNehalemTellsByLeafB) {
  const Reading reading = read(kNehalem);
  EXPECT_THAT(reading.groups.at("package"),
              ElementsAre(CpuSet{0, 1, 2, 3, 8, 9, 10, 11}, CpuSet{4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_THAT(reading.groups.at("core"),
              ElementsAre(CpuSet{0, 8}, CpuSet{1, 9}, CpuSet{2, 10}, CpuSet{3, 11}, CpuSet{4, 12},
                          CpuSet{5, 13}, CpuSet{6, 14}, CpuSet{7, 15}));
  EXPECT_EQ(reading.groups.at("L2"), reading.groups.at("core"));
  EXPECT_EQ(reading.groups.at("L3"), reading.groups.at("package"));
}

TEST(Cpuid, WithDiesTellsByLeaf1F) {
  const Reading reading = read(kDies);
  EXPECT_EQ(reading.groups.at("package").size(), 1U);
  EXPECT_EQ(reading.groups.at("core").size(), 6U);
  EXPECT_THAT(reading.groups.at("core").back(), (CpuSet{10, 11}));
  EXPECT_THAT(reading.groups.at("L3"),
              ElementsAre(CpuSet{0, 1, 2, 3, 4, 5}, CpuSet{6, 7, 8, 9, 10, 11}));  // the dies
}

TEST(Cpuid, OfOldAmdTellsBySizesAlone) {
  const Reading reading = read(kSantaRosa);
  EXPECT_THAT(reading.groups.at("package"), ElementsAre(CpuSet{0, 1}, CpuSet{2, 3}));
  EXPECT_EQ(reading.groups.at("core").size(), 4U);
  EXPECT_FALSE(reading.groups.contains("L2"));
}

TEST(Cpuid, OfPiledriverSharesCachesBySixes) {
  const Reading reading = read(kPiledriver);
  EXPECT_EQ(reading.groups.at("package").size(), 1U);
  EXPECT_EQ(reading.groups.at("core").size(), 12U);
  EXPECT_EQ(reading.groups.at("L2").size(), 6U);
  EXPECT_THAT(reading.groups.at("L3"),
              ElementsAre(CpuSet{0, 1, 2, 3, 4, 5}, CpuSet{6, 7, 8, 9, 10, 11}));
}

TEST(Cpuid, OfHygonTellsSiblingsByLeaf8000001E) {
  const Reading reading = read(kDhyana);
  EXPECT_THAT(reading.groups.at("core"),
              ElementsAre(CpuSet{0, 4}, CpuSet{1, 5}, CpuSet{2, 6}, CpuSet{3, 7}));
  EXPECT_THAT(reading.groups.at("L3"), ElementsAre(CpuSet{0, 1, 4, 5}, CpuSet{2, 3, 6, 7}));
}

TEST(Cpuid, ThatSaysNothingMakesEveryCpuItsOwn) {
  const CpuidFacts facts = decode_cpuid(CpuidRecording("", "pu"));
  EXPECT_EQ(facts.apic, 0U);
  EXPECT_TRUE(facts.caches.empty());
}

TEST(Cpuid, ThatNeverEndsIsCutOff) {
  const auto stubborn = [](std::uint32_t, std::uint32_t) {
    return CpuidRegisters{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  };
  EXPECT_EQ(decode_cpuid(stubborn).apic, 0xffffffffU);
}

TEST(Recording, ThatIsDamagedIsRefusedWithItsLine) {
  const char* expected = "': expected MASK EAX EBX ECX EDX => EAX EBX ECX EDX in hexadecimal";
  for (const char* line :
       {"1", "1 0 0 0 0 => 1 2 3", "1 0 0 0 0 1 2 3 4", "1 0 0 0 0 => 1 2 3 4 5",
        "1 0 0 0 => 1 2 3 4", "g 0 0 0 0 => 1 2 3 4", "=> => 1", "1 0 0 0 0 => 100000000 2 3 4"}) {
    EXPECT_EQ(error_of([&] { CpuidRecording(std::string("# x\n") + line, "pu7"); }),
              std::string("bad_input: pu7, line 2: '") + line + expected);
  }
}

TEST(Recording, IsFoundByCpuInItsDirectory) {
  const test::Scratch tree;
  EXPECT_EQ(read_cpuid_of(tree.path()).obstacle,
            "there is no " + tree.path() + "/cpuid/pu0 or other");
  tree.write("cpuid/hwloc-cpuid-info", "Architecture: x86\n");
  for (int cpu = 0; cpu < 4; ++cpu) {
    tree.write("cpuid/pu" + std::to_string(cpu),
               fmt::format(fmt::runtime(kSantaRosa.answers), cpu));
  }
  const Reading reading = read_cpuid_of(tree.path());
  EXPECT_EQ(reading.cpus, (CpuSet{0, 1, 2, 3}));
  EXPECT_EQ(reading.groups.at("package").size(), 2U);
}

TEST(Cpuid, OfThisMachineNamesEveryCpuOrSaysWhyNot) {
  const Reading reading = read_cpuid_here({0});
#if defined(__x86_64__)
  if (reading.obstacle.empty()) {
    EXPECT_EQ(reading.cpus, CpuSet{0});
    EXPECT_EQ(reading.groups.at("core").size(), 1U);
  } else {
    EXPECT_TRUE(reading.obstacle.starts_with("cannot run on CPU 0: sched_setaffinity returned "));
  }
#else
  EXPECT_EQ(reading.obstacle, "this architecture has no CPUID");
#endif
}

}  // namespace
}  // namespace kinjo::detail
