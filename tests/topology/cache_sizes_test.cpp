#include <kinjo/cache_sizes.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include <gtest/gtest.h>
#include <kinjo/memory.hpp>

namespace kinjo {
namespace {

/// What a child ends with: 0, or 1 if a signal ended it.
template <class Action>
int end_of_child(const Action& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The end of a process that is forked off while another thread asks for the first time, and that
/// then asks itself.
template <class Ask>
int end_of_fork_meanwhile(const Ask& ask, useconds_t after_us) {
  return end_of_child([&] {
    std::thread other(ask);
    usleep(after_us);
    const int end = end_of_child([&] {
      alarm(2);  // ends it if it waits for a thread that is not there
      ask();
      return 0;
    });
    other.join();
    return end;
  });
}

// Where this process has asked already, as it has in a run of all tests together, they prove
// nothing.
TEST(CacheSizes, AreToldToAChildThatIsForkedOffWhileTheyAreFoundOut) {
  for (useconds_t us = 100; us < 4000; us += 100) {
    ASSERT_EQ(end_of_fork_meanwhile([] { cache_sizes(); }, us), 0) << us;
  }
}

TEST(HugePageBytes, AreToldToAChildThatIsForkedOffWhileTheyAreFoundOut) {
  for (useconds_t us = 0; us < 60; us += 2) {
    ASSERT_EQ(end_of_fork_meanwhile([] { huge_page_bytes(); }, us), 0) << us;
  }
}

TEST(CacheSizes, AreTheSmallestOfEachLevel) {
  const auto machine = Topology::from(
      "synthetic:pack:1 l3:1(size=8388608) l2:2(size=1048576) "
      "l1d:1(size=49152) core:1 pu:1");
  const CacheSizes sizes = cache_sizes(machine);
  EXPECT_EQ(sizes.l1, std::size_t{48} << 10);
  EXPECT_EQ(sizes.l2, std::size_t{1} << 20);
  EXPECT_EQ(sizes.l3, std::size_t{8} << 20);
}

TEST(CacheSizes, TakeTheSecondLevelForTheLastOneWhereThereIsNoThird) {
  const auto machine =
      Topology::from("synthetic:pack:1 l2:2(size=2097152) l1d:1(size=32768) core:1 pu:1");
  EXPECT_EQ(cache_sizes(machine).l3, std::size_t{2} << 20);
}

TEST(CacheSizes, AreWhatMostMachinesHaveWhereNoneAreKnown) {
  EXPECT_EQ(cache_sizes(Topology::from("synthetic:pack:1 core:2 pu:1")), CacheSizes());
}

}  // namespace
}  // namespace kinjo
