/// What makes figures doubtful, word for word, from texts as kernels write them.
#include "measure/trust.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Quota, BelowTheNumberOfCpusIsAReasonToDoubt) {
  EXPECT_THAT(judge_quota(1.5, 4),
              ElementsAre("the control group allows 1.5 CPUs' worth of time for 4 CPUs: threads on "
                          "all of them are stopped again and again"));
  EXPECT_THAT(judge_quota(4.0, 4), IsEmpty());
  EXPECT_THAT(judge_quota(std::nullopt, 4), IsEmpty());
}

TEST(Frequency, MayChangeByTwoPerCent) {
  EXPECT_THAT(judge_frequency(3.0e9, 3.05e9), IsEmpty());
  EXPECT_THAT(judge_frequency(3.0e9, 2.95e9), IsEmpty());
  EXPECT_THAT(judge_frequency(3.7e9, 3.1e9),
              ElementsAre("the core's frequency was 3.70 GHz at the start and 3.10 GHz at the end "
                          "of the measurement"));
}

constexpr const char* kVirtual =
    "): its caches, nodes and CPUs may not be what they seem, and its host may serve others "
    "meanwhile";

TEST(VirtualMachines, AreKnownByTheFlagTheHypervisorOrTheProduct) {
  EXPECT_THAT(judge_virtual({.hypervisor_flag = true}),
              ElementsAre(std::string("this is a virtual machine (the CPUs have the flag "
                                      "hypervisor") +
                          kVirtual));
  EXPECT_THAT(judge_virtual({.hypervisor = "xen", .product = "QEMU Standard PC"}),
              ElementsAre(std::string("this is a virtual machine (the hypervisor is xen, the "
                                      "product is QEMU Standard PC") +
                          kVirtual));
  EXPECT_THAT(judge_virtual({.product = "Dell Inc. PowerEdge R7525"}), IsEmpty());
  EXPECT_THAT(judge_virtual({}), IsEmpty());
}

TEST(Governors, OtherThanPerformanceAreNamedWithTheirCpus) {
  EXPECT_THAT(judge_governors({.governors = {{"performance", {0}}, {"powersave", {1, 2, 3}}}}),
              ElementsAre("the frequency governor of CPU 1-3 is powersave, not performance: short "
                          "loads may run slower"));
  EXPECT_THAT(judge_governors({}), IsEmpty());
}

TEST(Counters, MustBeInvariantAndOfferedByTheKernel) {
  EXPECT_THAT(judge_counter("tsc", true, {.clock_sources = {"tsc", "hpet"}}), IsEmpty());
  EXPECT_THAT(judge_counter("tsc", true, {}), IsEmpty()) << "nothing is known";
  EXPECT_THAT(judge_counter("cntvct", true, {.clock_sources = {"arch_sys_counter"}}), IsEmpty());
  EXPECT_THAT(judge_counter("tsc", false, {.clock_sources = {"hpet", "acpi_pm"}}),
              ElementsAre("the counter tsc is not invariant: it follows the core's frequency or "
                          "stops with the core",
                          "the kernel does not offer tsc as a clock, only hpet, acpi_pm: it found "
                          "it unreliable"));
}

TEST(SystemFactsTest, AreReadFromProcAndSys) {
  const test::Scratch root;
  root.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc hypervisor lahf_lm\n");
  root.write("sys/hypervisor/type", "xen\n");
  root.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.write("sys/class/dmi/id/product_name", "Standard PC\n");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  root.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
  root.write("sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "ondemand\n");
  root.write("sys/devices/system/clocksource/clocksource0/available_clocksource",
             "kvm-clock tsc \n");
  const SystemFacts facts = read_system_facts(root.path(), {0, 1, 2});
  EXPECT_TRUE(facts.hypervisor_flag);
  EXPECT_EQ(facts.hypervisor, "xen");
  EXPECT_EQ(facts.product, "QEMU Standard PC");
  EXPECT_EQ(facts.governors.size(), 1u) << "CPU 3 is not asked for";
  EXPECT_EQ(facts.governors.at("powersave"), (CpuSet{0, 2}));
  EXPECT_THAT(facts.clock_sources, ElementsAre("kvm-clock", "tsc"));
}

TEST(SystemFactsTest, OfAnEmptyTreeAreNone) {
  const test::Scratch root;
  const SystemFacts facts = read_system_facts(root.path(), {0});
  EXPECT_FALSE(facts.hypervisor_flag);
  EXPECT_EQ(facts.hypervisor, "");
  EXPECT_EQ(facts.product, "");
  EXPECT_THAT(facts.governors, IsEmpty());
  EXPECT_THAT(facts.clock_sources, IsEmpty());
}

TEST(SystemFactsTest, TakeTheHypervisorFromTheDeviceTreeWhereThereIsOne) {
  const test::Scratch root;
  root.write("proc/device-tree/hypervisor/compatible", std::string_view("linux,kvm\0", 10));
  EXPECT_EQ(read_system_facts(root.path(), {0}).hypervisor, "linux,kvm");
}

TEST(TrustWatch, SaysWhatTheQuotaAndTheSystemSayOnThisMachine) {
  const Topology& machine = Topology::this_machine();
  const TrustWatch watch(machine);
  const std::vector<std::string> warnings = watch.warnings();
  // What does not change from one moment to the next must be among them.
  const SystemFacts facts = read_system_facts("", machine.allowed_cpus());
  for (const auto& lasting : {judge_quota(machine.cpu_quota(), machine.allowed_cpus().count()),
                              judge_virtual(facts), judge_governors(facts)}) {
    for (const std::string& warning : lasting) EXPECT_THAT(warnings, testing::Contains(warning));
  }
}

}  // namespace
}  // namespace kinjo
