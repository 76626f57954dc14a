/// The process's table is made once for a process, so what depends on how it is made runs in a
/// child (a death test), which starts from nothing.
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/binding.hpp>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

int allowed_cpus() { return static_cast<int>(initial_affinity().count()); }

TEST(ProcessTable, HasOneRowForEachCpuAndOneIndexForEachNode) {
  ASSERT_EQ(kinjo_policy_set("scatter", allowed_cpus(), 0), KINJO_OK) << kinjo_last_error();
  ASSERT_EQ(kinjo_thread_count(), allowed_cpus());
  std::vector<int> ranks(static_cast<std::size_t>(kinjo_node_count()));
  std::set<int> cpus;
  for (int t = 0; t < kinjo_thread_count(); ++t) {
    const int index = kinjo_thread_node_index(t);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, kinjo_node_count());
    EXPECT_EQ(kinjo_node_number(index), kinjo_thread_node(t));
    EXPECT_EQ(kinjo_thread_rank(t), ranks[static_cast<std::size_t>(index)]++);
    EXPECT_GE(kinjo_thread_core(t), 0);
    EXPECT_GE(kinjo_thread_smt(t), 0);
    cpus.insert(kinjo_thread_cpu(t));
  }
  for (int k = 0; k < kinjo_node_count(); ++k) {
    EXPECT_EQ(kinjo_node_threads(k), ranks[static_cast<std::size_t>(k)]);
  }
  EXPECT_EQ(cpus.size(), static_cast<std::size_t>(allowed_cpus()));
}

TEST(ProcessTable, TellsErrorsFromTheAbsenceOfANumber) {
  ASSERT_EQ(kinjo_policy_set("none", 3, KINJO_OVERSUBSCRIBE), KINJO_OK) << kinjo_last_error();
  EXPECT_EQ(kinjo_thread_cpu(2), -1);
  EXPECT_EQ(kinjo_thread_node(2), -1);
  EXPECT_EQ(kinjo_thread_node_index(2), 0);
  EXPECT_EQ(kinjo_thread_rank(2), 2);
  EXPECT_EQ(kinjo_node_number(0), -1);
  EXPECT_EQ(kinjo_node_threads(0), 3);
  for (int thread : {3, -1}) {
    EXPECT_EQ(kinjo_thread_cpu(thread), KINJO_NOT_FOUND);
    EXPECT_EQ(kinjo_thread_node_index(thread), KINJO_NOT_FOUND);
    EXPECT_EQ(kinjo_thread_bind(thread), KINJO_NOT_FOUND);
  }
  EXPECT_STREQ(kinjo_last_error(), "no thread -1: there are 3, counted from 0");
  EXPECT_EQ(kinjo_node_number(1), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_node_threads(1), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_node_alloc(1, 4096), nullptr);
}

TEST(ProcessTable, AllocatesByNodeIndexAlsoWithoutAPolicy) {
  for (const char* policy : {"none", "compact"}) {
    ASSERT_EQ(kinjo_policy_set(policy, 1, 0), KINJO_OK);
    const CMemory memory(kinjo_node_alloc(0, 4096));
    ASSERT_TRUE(memory) << kinjo_last_error();
    EXPECT_EQ(*static_cast<char*>(memory.get()), 0);
  }
}

TEST(ProcessTable, KeepsItsRowsAfterARefusedPolicy) {
  ASSERT_EQ(kinjo_policy_set("none", 2, KINJO_OVERSUBSCRIBE), KINJO_OK);
  EXPECT_EQ(kinjo_policy_set("zigzag", 1, 0), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_policy_set("scatter", -1, 0), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_policy_set("scatter", 1, KINJO_HUGE_PAGES), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_policy_set("scatter", allowed_cpus() + 1, 0), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_thread_count(), 2);
}

TEST(ProcessTable, BindsAThreadAgainAndAgain) {
  ASSERT_EQ(kinjo_policy_set("compact", allowed_cpus(), 0), KINJO_OK);
  std::thread([] {
    for (int t : {0, allowed_cpus() - 1, 0}) {
      ASSERT_EQ(kinjo_thread_bind(t), KINJO_OK) << kinjo_last_error();
      EXPECT_EQ(kinjo_here().thread, t);
      EXPECT_EQ(kinjo_current_cpu(), kinjo_thread_cpu(t));
    }
    EXPECT_EQ(kinjo_thread_unbind(), KINJO_OK);
    EXPECT_EQ(kinjo_here().thread, -1);
    EXPECT_EQ(thread_affinity(), initial_affinity());
  }).join();
}

TEST(ProcessTable, PinsToACpuByItsNumber) {
  ASSERT_EQ(kinjo_policy_set("compact", 1, 0), KINJO_OK);
  std::thread([] {
    const int cpu = initial_affinity().last();
    ASSERT_EQ(kinjo_thread_bind(0), KINJO_OK);
    EXPECT_EQ(kinjo_thread_pin(cpu), KINJO_OK);
    EXPECT_EQ(kinjo_current_cpu(), cpu);
    EXPECT_EQ(kinjo_here().thread, -1);
    EXPECT_EQ(kinjo_thread_pin(999999), KINJO_NOT_FOUND);
    EXPECT_EQ(kinjo_thread_pin(-1), KINJO_NOT_FOUND);
    EXPECT_EQ(kinjo_thread_unbind(), KINJO_OK);
  }).join();
}

TEST(ProcessTable, DoesNotMixWithBindingsOfTheSameThread) {
  ASSERT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  const CMapping mapping = map_here("none", 1);
  kinjo_binding* binding = kinjo_binding_create(mapping.get(), 0, 0);
  EXPECT_EQ(kinjo_thread_bind(0), KINJO_USAGE);
  EXPECT_STREQ(kinjo_last_error(), "the thread holds a kinjo_binding: undo that first");
  EXPECT_EQ(kinjo_thread_unbind(), KINJO_USAGE);
  EXPECT_EQ(kinjo_binding_undo(binding), KINJO_OK);
  EXPECT_EQ(kinjo_thread_bind(0), KINJO_OK);
  EXPECT_EQ(kinjo_thread_unbind(), KINJO_OK);
}

TEST(ProcessTable, IsReadWhileAnotherIsMade) {
  ASSERT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  std::thread reader([] {
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(kinjo_thread_node_index(0), 0);
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  reader.join();
}

/// In the child: sets one variable and no other, looks up, prints what came of it and exits.
[[noreturn]] void look_up_with(const char* variable, const char* value) {
  for (const char* name : {"KINJO_POLICY", "KINJO_THREADS", "KINJO_BIND"}) unsetenv(name);
  setenv(variable, value, 1);
  const int threads = kinjo_thread_count();
  const std::string result = threads >= 0 ? std::to_string(threads) + " threads, first CPU " +
                                                std::to_string(kinjo_thread_cpu(0))
                                          : kinjo_last_error();
  std::fprintf(stderr, "%s: %s", kinjo_status_name(threads), result.c_str());
  std::_Exit(0);
}

struct Environment {
  const char* variable;
  const char* value;
  const char* outcome;  // a regular expression
};

TEST(ProcessTableDeathTest, TakesItsDefaultFromTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Environment cases[] = {
      {"KINJO_POLICY", "none", "ok: [0-9]+ threads, first CPU -1"},
      {"KINJO_POLICY", "", "ok: [0-9]+ threads, first CPU [0-9]"},
      {"KINJO_THREADS", "1", "ok: 1 threads"},
      {"KINJO_POLICY", "zigzag", "bad_input: KINJO_POLICY: unknown policy 'zigzag'"},
      {"KINJO_THREADS", "0",
       "bad_input: KINJO_THREADS: '0' is no number of threads: expected 1 or more"},
      {"KINJO_THREADS", "two", "bad_input: KINJO_THREADS: 'two' is no number"},
      {"KINJO_THREADS", "999999",
       "bad_input: KINJO_THREADS does not fit this machine: 999999 threads"},
      {"KINJO_BIND", "socket", "bad_input: KINJO_BIND: unknown binding 'socket'"},
  };
  for (const Environment& c : cases) {
    EXPECT_EXIT(look_up_with(c.variable, c.value), testing::ExitedWithCode(0), c.outcome);
  }
}

}  // namespace
}  // namespace kinjo::test
