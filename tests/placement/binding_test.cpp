/// Pinning threads of the machine that runs this.
#include <kinjo/binding.hpp>

#include <sched.h>

#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <kinjo/topology.hpp>

#include "support/expect.hpp"

namespace kinjo::test {
namespace {

/// The mask as the C library reads it, which knows nothing of kinjo.
CpuSet system_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  CpuSet cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) cpus.insert(cpu);
  }
  return cpus;
}

class BindingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Topology::this_machine().support().bind_threads) {
      GTEST_SKIP() << "the kernel refuses sched_setaffinity";
    }
  }
  void TearDown() override {
    EXPECT_EQ(system_mask(), before_) << "a binding left its mask behind";
    EXPECT_EQ(here(), Place{}) << "a binding left its place behind";
  }

  static Mapping mapping(const Policy& policy) {
    const Topology& machine = Topology::this_machine();
    return {machine, policy, machine.allowed_cpus().count()};
  }

  const CpuSet before_ = system_mask();
};

TEST_F(BindingTest, HoldsTheThreadOnItsCpuAndSaysWhereItIs) {
  const Mapping compact = mapping(Policy::compact());
  for (std::size_t t = 0; t < compact.size(); ++t) {
    const Binding binding(compact, t);
    EXPECT_EQ(system_mask(), CpuSet{compact[t].cpu});
    EXPECT_EQ(thread_affinity(), CpuSet{compact[t].cpu});
    EXPECT_EQ(current_cpu(), compact[t].cpu);
    EXPECT_EQ(here(), compact[t]);
    EXPECT_EQ(binding.place(), compact[t]);
  }
}

TEST_F(BindingTest, HoldsTheThreadInItsCoreOrNode) {
  const Mapping compact = mapping(Policy::compact());
  {
    const Binding binding(compact, 0, BindLevel::core);
    EXPECT_EQ(system_mask(), compact.core_cpus(0));
  }
  const Binding binding(compact, 0, BindLevel::node);
  EXPECT_EQ(system_mask(), compact.node_cpus(0));
}

TEST_F(BindingTest, NestsAndRestoresWhatItFound) {
  const Mapping compact = mapping(Policy::compact());
  const std::size_t last = compact.size() - 1;
  const Binding outer(compact, last);
  {
    const Binding inner(compact, 0);
    EXPECT_EQ(system_mask(), CpuSet{compact[0].cpu});
    EXPECT_EQ(here().thread, 0);
  }
  EXPECT_EQ(system_mask(), CpuSet{compact[last].cpu});
  EXPECT_EQ(here().thread, static_cast<int>(last));
}

TEST_F(BindingTest, IsUndoneOnceHoweverOftenThatIsAskedFor) {
  const Mapping compact = mapping(Policy::compact());
  Binding binding(compact, 0);
  binding.undo();
  EXPECT_EQ(system_mask(), before_);
  EXPECT_EQ(here(), Place{});
  const Binding other(compact, 0);
  binding.undo();
  EXPECT_EQ(system_mask(), CpuSet{compact[0].cpu});
}

TEST_F(BindingTest, IsUndoneByAnException) {
  const Mapping compact = mapping(Policy::compact());
  const auto fail = [&] {
    const Binding binding(compact, 0);
    throw std::logic_error("on purpose");
  };
  EXPECT_THROW(fail(), std::logic_error);
  EXPECT_EQ(system_mask(), before_);
}

TEST_F(BindingTest, OfPolicyNoneSetsThePlaceAndLeavesTheThreadFree) {
  const Binding binding(mapping(Policy::none()), 0);
  EXPECT_EQ(system_mask(), before_);
  EXPECT_EQ(here().thread, 0);
  EXPECT_EQ(here().cpu, -1);
}

TEST_F(BindingTest, HoldsOnlyTheThreadThatMadeIt) {
  const Mapping compact = mapping(Policy::compact());
  std::thread([&] {
    const Binding binding(compact, 0);
    EXPECT_EQ(system_mask(), CpuSet{compact[0].cpu});
  }).join();
  EXPECT_EQ(system_mask(), before_);
}

TEST_F(BindingTest, ToACpuThatThisMachineLacksIsRefusedAndChangesNothing) {
  // The last CPU of a machine far larger than this one.
  const auto other = Topology::from("synthetic:pack:4 numa:2 core:512 pu:1");
  const Mapping mapping(other, Policy::cpus({4095}), 1);
  EXPECT_EQ(
      error_of([&] { Binding(mapping, 0); }),
      "invalid_argument: cannot pin the thread to CPU 4095: sched_setaffinity returned EINVAL "
      "(no such CPU, offline, or outside the cpuset)");
}

TEST_F(BindingTest, OfAThreadThatTheMappingLacksIsRefused) {
  const Mapping none(Topology::from("synthetic:pu:4"), Policy::none(), 2);
  EXPECT_EQ(error_of([&] { Binding(none, 2); }),
            "invalid_argument: no thread 2 in a mapping of 2 threads");
}

TEST_F(BindingTest, LeavesTheInitialMaskAsTheProcessHadItAtItsStart) {
  EXPECT_EQ(initial_affinity(), before_);
  const Binding binding(mapping(Policy::compact()), 0);
  EXPECT_EQ(initial_affinity(), before_);
  EXPECT_EQ(Topology::discover().allowed_cpus() & before_, Topology::this_machine().allowed_cpus());
}

TEST_F(BindingTest, MayBeMadeFromASetOfCpus) {
  const CpuSet first{before_.first()};
  set_thread_affinity(first);
  EXPECT_EQ(system_mask(), first);
  set_thread_affinity(before_);
  EXPECT_EQ(error_of([] { set_thread_affinity({}); }),
            "invalid_argument: cannot pin the thread to no CPU at all: sched_setaffinity returned "
            "EINVAL (no "
            "such CPU, offline, or outside the cpuset)");
}

TEST(Here, OfAThreadThatNobodyBoundIsNowhere) {
  EXPECT_EQ(here(), Place{});
  EXPECT_EQ(here().cpu, -1);
  EXPECT_EQ(here().node_threads, 0);
}

TEST(BindLevel, IsReadByItsName) {
  for (BindLevel level : {BindLevel::cpu, BindLevel::core, BindLevel::node}) {
    EXPECT_EQ(parse_bind_level(to_string(level)), level);
  }
  EXPECT_EQ(error_of([] { parse_bind_level("socket"); }),
            "invalid_argument: unknown binding 'socket': expected cpu, core or node");
}

TEST_F(BindingTest, RestoresEverythingInWhateverOrderBindingsAreUndone) {
  const Mapping mapping(Topology::this_machine(), Policy::scatter(), 3, Oversubscribe::wrap);
  const CpuSet before = system_mask();
  Binding first(mapping, 0);
  Binding second(mapping, 1);
  Binding third(mapping, 2);
  first.undo();
  EXPECT_EQ(here(), mapping[2]);
  EXPECT_EQ(system_mask(), CpuSet{mapping[2].cpu});
  third.undo();
  EXPECT_EQ(here(), mapping[1]);
  EXPECT_EQ(system_mask(), CpuSet{mapping[1].cpu});
  second.undo();
  EXPECT_EQ(here(), Place{});
  EXPECT_EQ(system_mask(), before);
}

TEST_F(BindingTest, HandsOverTheMaskToOneThatPinsNothing) {
  const Mapping pins(Topology::this_machine(), Policy::scatter(), 1);
  const Mapping leaves(Topology::this_machine(), Policy::none(), 1);
  const CpuSet before = system_mask();
  Binding first(pins, 0);
  Binding second(leaves, 0);
  first.undo();
  second.undo();
  EXPECT_EQ(system_mask(), before);
  EXPECT_EQ(here(), Place{});
}

}  // namespace
}  // namespace kinjo::test
