#include "observe/process_view.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <kinjo/binding.hpp>

#include "observe/proc_tree.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::FakeProcess;
using test::Scratch;
using test::two_nodes;
using test::write_process;

ProcessView look_in(const Scratch& tree, int pid = 7) {
  return look(pid, two_nodes(), {.root = test::root_of(tree)});
}

TEST(Look, ShowsEachThreadWithItsNodeMaskAndMigrations) {
  Scratch tree;
  write_process(tree, {.threads = {{.state = 'R', .cpu = 1, .cpus = "0-1", .migrations = 5},
                                   {.tid = 9, .name = "work er", .cpu = 2, .cpus = "2"}},
                       .numa_maps = "1000 default heap N1=3 kernelpagesize_kB=4\n"});
  const ProcessView view = look_in(tree);
  EXPECT_EQ(view.pid, 7);
  EXPECT_EQ(view.name, "solve");
  EXPECT_EQ(view.uid, 1000u);
  EXPECT_EQ(view.start_ticks, 4711u);
  ASSERT_EQ(view.threads.size(), 2u);
  const ThreadView& first = view.threads[0];
  EXPECT_TRUE(first.running);
  EXPECT_EQ(first.cpu, 1);
  EXPECT_EQ(first.node, 0);
  EXPECT_EQ(first.allowed_cpus, (CpuSet{0, 1}));
  EXPECT_EQ(first.allowed_nodes, (NodeSet{0, 1}));
  EXPECT_EQ(first.migrations, 5u);
  EXPECT_EQ(first.cpu_time_ns, 250'000'000u);
  const ThreadView& second = view.threads[1];
  EXPECT_EQ(second.tid, 9);
  EXPECT_EQ(second.name, "work er");
  EXPECT_FALSE(second.running);
  EXPECT_EQ(second.node, 1);
  EXPECT_EQ(view.memory->bytes, (NodeBytes{{1, 3 * 4096}}));
  EXPECT_TRUE(view.missing.empty());
}

TEST(Look, CountsTimeInTicksWhereTheKernelCountsNoFiner) {
  Scratch tree;
  write_process(tree, {.numa_maps = "1000 default\n"});
  std::filesystem::remove(tree.path("proc/7/task/7/schedstat"));
  const auto tick_ns = 1'000'000'000u / static_cast<unsigned>(sysconf(_SC_CLK_TCK));
  EXPECT_EQ(look_in(tree).threads[0].cpu_time_ns, 42u * tick_ns);
}

TEST(Look, SaysWhereMigrationsAreNotCounted) {
  Scratch tree;
  write_process(tree, {.threads = {{.migrations = -1}}, .numa_maps = "1000 default\n"});
  const ProcessView view = look_in(tree);
  EXPECT_EQ(view.threads[0].migrations, std::nullopt);
  EXPECT_THAT(view.missing, testing::ElementsAre(fmt::format(
                                "migrations are not counted: the kernel has no {}/sched "
                                "(CONFIG_SCHED_DEBUG); changes of CPU between looks are counted "
                                "instead (--every)",
                                tree.path("proc/7"))));
}

TEST(Look, ReadsThePagesThroughAThreadThatLives) {
  Scratch tree;
  write_process(tree, {.threads = {{.state = 'Z'}, {.tid = 8, .state = 'R'}},
                       .numa_maps = "1000 default N0=1 kernelpagesize_kB=4\n"});
  tree.write("proc/7/task/7/numa_maps", "");
  const ProcessView view = look_in(tree);
  ASSERT_EQ(view.threads.size(), 1u);
  EXPECT_EQ(view.threads[0].tid, 8);
  EXPECT_EQ(view.memory->total(), 4096u);
}

TEST(Look, KeepsTheThreadsIfThePagesAreRefused) {
  Scratch tree;
  write_process(tree, {.uid = geteuid() + 1});
  tree.write("proc/7/task/7/maps", "1000-2000 rw-p 00000000 00:00 0\n");
  tree.write("proc/7/task/7/pagemap", std::string(16, '\xff'));
  const LookOptions options{.root = test::root_of(tree),
                            .query = [](int, auto, auto) { return EPERM; }};
  const ProcessView view = look(7, two_nodes(), options);
  EXPECT_EQ(view.threads.size(), 1u);
  EXPECT_FALSE(view.memory);
  ASSERT_EQ(view.missing.size(), 1u);
  EXPECT_THAT(view.missing[0], testing::StartsWith("cannot see the pages of process 7 (solve): "
                                                   "move_pages returned EPERM; "));
}

TEST(RefusalText, SaysWhatWouldHelp) {
  const ProcessView view{.pid = 7, .name = "so\nlve", .uid = 1000};
  const auto text = [&](int error, std::uint32_t observer) {
    return detail::refusal_text(view, {"/proc/7/numa_maps", error}, observer);
  };
  const std::string begin =
      "cannot see the pages of process 7 (so?lve): /proc/7/numa_maps returned ";
  EXPECT_EQ(text(EACCES, 1001), begin +
                                    "EACCES; it belongs to user 1000: run kinjo as that user, as "
                                    "root or with CAP_SYS_PTRACE");
  EXPECT_EQ(text(EACCES, 1000), begin +
                                    "EACCES; the process has privileges that kinjo lacks or is "
                                    "not dumpable: run kinjo as root or with CAP_SYS_PTRACE");
  EXPECT_EQ(text(EPERM, 0), begin +
                                "EPERM; the system refuses it even to root (a container or a "
                                "security module: CAP_SYS_PTRACE is needed)");
  EXPECT_EQ(text(ENOSYS, 0), begin + "ENOSYS; the kernel was built without CONFIG_NUMA");
  EXPECT_EQ(text(ENOENT, 0), begin +
                                 "ENOENT; the kernel was built without CONFIG_NUMA or "
                                 "CONFIG_PROC_PAGE_MONITOR");
  EXPECT_EQ(text(EIO, 0), begin + "EIO");
}

TEST(Look, RefusesWhatIsNoProcessInOneLine) {
  Scratch tree;
  EXPECT_EQ(error_of([&] { look_in(tree); }),
            "not_found: cannot see process 7: /proc is not mounted");
  write_process(tree, {.pid = 2, .flags = 2129984, .threads = {{.tid = 2, .name = "kthreadd"}}});
  EXPECT_EQ(error_of([&] { look_in(tree, 7); }), "not_found: there is no process 7");
  EXPECT_EQ(error_of([&] { look_in(tree, 0); }),
            "invalid_argument: '0' is no process: expected a PID from 1 on");
  EXPECT_EQ(error_of([&] { look_in(tree, -3); }),
            "invalid_argument: '-3' is no process: expected a PID from 1 on");
  EXPECT_EQ(
      error_of([&] { look_in(tree, 2); }),
      "not_supported: process 2 (kthreadd) is a thread of the kernel: it has no memory of its "
      "own");
  write_process(tree, {.pid = 7, .threads = {{.state = 'Z'}}});
  EXPECT_EQ(
      error_of([&] { look_in(tree); }),
      "not_found: process 7 (solve) has ended, and its parent has not asked for its status (a "
      "zombie): it has neither threads nor memory");
}

TEST(Look, SendsAThreadsNumberToItsProcess) {
  Scratch tree;
  write_process(tree, {.pid = 5});
  std::filesystem::rename(tree.path("proc/5"), tree.path("proc/8"));
  EXPECT_EQ(error_of([&] { look_in(tree, 8); }),
            "not_found: 8 is a thread of process 5: expected the number of the process");
}

TEST(Look, SaysThatTheProcessEndedMeanwhile) {
  Scratch tree;
  write_process(tree, {});
  std::filesystem::remove_all(tree.path("proc/7/task"));
  EXPECT_EQ(error_of([&] { look_in(tree); }),
            "not_found: process 7 (solve) ended while it was looked at");
}

TEST(Look, TakesAProcessWhoseMemoryIsBeingTakenAwayForEnded) {
  constexpr unsigned kForked = 0x40, kExiting = 0x4;
  Scratch tree;
  write_process(tree, {.flags = kForked | kExiting, .threads = {{.state = 'R'}}});
  EXPECT_EQ(error_of([&] { look_in(tree); }),
            "not_found: process 7 (solve) ended while it was looked at");
}

TEST(Look, SaysThatTheProcessEndedWhileItsPagesWereCounted) {
  Scratch tree;
  write_process(tree, {});
  tree.write("proc/7/task/7/maps", "1000-2000 rw-p 00000000 00:00 0\n");
  tree.write("proc/7/task/7/pagemap", std::string(16, '\xff'));
  const LookOptions options{.root = test::root_of(tree), .query = [&](int, auto, auto) {
                              std::filesystem::remove_all(tree.path("proc/7"));
                              return ESRCH;
                            }};
  EXPECT_EQ(error_of([&] { look(7, two_nodes(), options); }),
            "not_found: process 7 (solve) ended while it was looked at");
}

TEST(Look, FindsTheRealZombieAndItsEnd) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_THAT(error_of([&] { look(child, Topology::this_machine()); }),
              testing::HasSubstr("its parent has not asked for its status (a zombie)"));
  waitpid(child, nullptr, 0);
  EXPECT_EQ(error_of([&] { look(child, Topology::this_machine()); }),
            fmt::format("not_found: there is no process {}", child));
}

TEST(NumaBalancing, IsReadFromTheKernelsSwitch) {
  Scratch tree;
  EXPECT_EQ(numa_balancing(test::root_of(tree)), std::nullopt);
  tree.write("proc/sys/kernel/numa_balancing", "0\n");
  EXPECT_EQ(numa_balancing(test::root_of(tree)), false);
  tree.write("proc/sys/kernel/numa_balancing", "3\n");
  EXPECT_EQ(numa_balancing(test::root_of(tree)), true);
}

TEST(NodeOfCpu, IsTheNodeThatHoldsIt) {
  EXPECT_EQ(node_of_cpu(two_nodes(), 0), 0);
  EXPECT_EQ(node_of_cpu(two_nodes(), 3), 1);
  EXPECT_EQ(node_of_cpu(two_nodes(), 4), -1);
}

TEST(Where, ShowsThisProcessAndItsThreads) {
  const int cpu = Topology::this_machine().allowed_cpus().last();
  std::atomic<bool> pinned = false, done = false;
  std::thread other([&] {
    set_thread_affinity({cpu});
    pinned = true;
    pinned.notify_all();
    done.wait(false);
  });
  pinned.wait(false);
  const ProcessView view = where();
  done = true;
  done.notify_all();
  other.join();
  EXPECT_EQ(view.pid, getpid());
  const auto me = std::find_if(view.threads.begin(), view.threads.end(),
                               [](const ThreadView& thread) { return thread.tid == gettid(); });
  ASSERT_NE(me, view.threads.end());
  EXPECT_TRUE(me->running);
  const auto pinned_there = [&](const ThreadView& thread) {
    return thread.cpu == cpu && thread.allowed_cpus == CpuSet{cpu};
  };
  EXPECT_TRUE(std::any_of(view.threads.begin(), view.threads.end(), pinned_there));
  if (view.memory) {
    EXPECT_GT(view.memory->total(), 1u << 20);
  } else {
    EXPECT_FALSE(view.missing.empty());  // refused, and said so
  }
}

}  // namespace
}  // namespace kinjo
