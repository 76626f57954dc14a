/// Every machine of the zoo, every policy, every number of threads.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/mapping.hpp>

#include "support/expect.hpp"
#include "support/machine_check.hpp"
#include "support/oracle.hpp"
#include "support/zoo.hpp"

namespace kinjo::test {
namespace {

/// The largest mapping of a policy, and what is known about it.
struct Case {
  const Topology& machine;
  const Policy& policy;
  Mapping largest;
};

/// Calls `f` for every machine of the zoo in every form, and every policy.
template <class F>
void for_each_case(const std::vector<ZooMachine>& machines, F&& f) {
  for (const ZooMachine& zoo_machine : machines) {
    for (const std::string& input : {zoo_machine.xml, zoo_machine.disallowed, zoo_machine.tree}) {
      if (input.empty()) continue;
      const Topology machine = Topology::from(input);
      for (const Policy& policy : tried_policies()) {
        SCOPED_TRACE(input + " under " + policy.name());
        f(Case{machine, policy, Mapping(machine, policy, machine.allowed_cpus().count())});
      }
    }
  }
}

std::vector<int> cpus_of(const Mapping& mapping) {
  std::vector<int> cpus;
  for (const Place& place : mapping) cpus.push_back(place.cpu);
  return cpus;
}

/// A place without what depends on the number of threads.
Place lasting(Place place) {
  place.node_threads = 0;
  return place;
}

/// The first thread whose place in a mapping of `threads` is not that of the largest, or −1.
int first_difference(const Case& c, std::size_t threads) {
  const Mapping mapping(c.machine, c.policy, threads);
  for (std::size_t t = 0; t < threads; ++t) {
    if (lasting(mapping[t]) != lasting(c.largest[t])) return static_cast<int>(t);
  }
  return fault_of(mapping, c.machine).empty() ? -1 : static_cast<int>(threads);
}

TEST(ZooMapping, DealsEveryAllowedCpuOnceToThreadsThatKnowWhereTheyAre) {
  KINJO_REQUIRE_ZOO(machines);
  for_each_case(*machines, [](const Case& c) {
    EXPECT_EQ(fault_of(c.largest, c.machine), "");
    EXPECT_EQ(c.largest.rounds(), 1u);
    if (!c.largest.binds()) return;
    CpuSet dealt;
    for (int cpu : cpus_of(c.largest)) dealt.insert(cpu);
    EXPECT_EQ(dealt, c.machine.allowed_cpus());
  });
}

TEST(ZooMapping, OfFewerThreadsIsTheBeginningOfThatOfMore) {
  KINJO_REQUIRE_ZOO(machines);
  for_each_case(*machines, [](const Case& c) {
    for (std::size_t threads = 1; threads <= c.largest.size(); ++threads) {
      ASSERT_EQ(first_difference(c, threads), -1) << "with " << threads << " threads";
    }
  });
}

TEST(ZooMapping, IsSortedAsThePolicySays) {
  KINJO_REQUIRE_ZOO(machines);
  for_each_case(*machines, [](const Case& c) {
    if (c.largest.binds()) {
      EXPECT_THAT(cpus_of(c.largest),
                  testing::ElementsAreArray(expected_deal(c.machine, c.policy)));
    }
  });
}

TEST(ZooMapping, OfScatterKeepsNodesWithFreeCpusWithinOneThreadOfEachOther) {
  KINJO_REQUIRE_ZOO(machines);
  for_each_case(*machines, [](const Case& c) {
    if (c.policy.kind() != Policy::Kind::scatter) return;
    std::map<int, int> free_cpus, threads;
    for (const Place& place : c.largest) ++free_cpus[place.node];
    for (const Place& place : c.largest) {
      --free_cpus[place.node];
      ++threads[place.node];
      std::set<int> open;
      for (const auto& [node, left] : free_cpus) {
        if (left > 0) open.insert(threads[node]);
      }
      if (!open.empty()) {
        ASSERT_LE(*open.rbegin() - *open.begin(), 1) << "after thread " << place.thread;
      }
    }
  });
}

TEST(ZooMapping, IsTheSameForAllDescriptionsOfAMachine) {
  KINJO_REQUIRE_ZOO(machines);
  for (const ZooMachine& zoo_machine : *machines) {
    const Topology from_xml = Topology::from(zoo_machine.xml);
    for (const std::string& input : {zoo_machine.disallowed, zoo_machine.tree}) {
      if (input.empty()) continue;
      const Topology other = Topology::from(input);
      const std::size_t threads = from_xml.allowed_cpus().count();
      ASSERT_EQ(other.allowed_cpus(), from_xml.allowed_cpus()) << input;
      for (const Policy& policy : tried_policies()) {
        const Mapping a(from_xml, policy, threads);
        const Mapping b(other, policy, threads);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()))
            << input << " under " << policy.name();
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::test
