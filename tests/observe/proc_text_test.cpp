#include "observe/proc_text.hpp"

#include "observe/proc_tree.hpp"
#include "support/expect.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using test::stat_line;

TEST(Stat, TellsNameStateTimesAndCpu) {
  const StatText stat = parse_stat(stat_line({.tid = 42, .state = 'R', .cpu = 3}));
  EXPECT_EQ(stat.id, 42);
  EXPECT_EQ(stat.name, "solve");
  EXPECT_EQ(stat.state, 'R');
  EXPECT_EQ(stat.cpu_ticks, 42u);
  EXPECT_EQ(stat.start_ticks, 4711u);
  EXPECT_EQ(stat.cpu, 3);
  EXPECT_FALSE(stat.is_kernel_thread());
}

TEST(Stat, TakesANameThatLooksLikeFields) {
  const StatText stat = parse_stat(stat_line({.name = "a) R (1 2) S\n3", .state = 'D', .cpu = 1}));
  EXPECT_EQ(stat.name, "a) R (1 2) S\n3");
  EXPECT_EQ(stat.state, 'D');
  EXPECT_EQ(stat.cpu, 1);
}

TEST(Stat, KnowsAThreadOfTheKernelByItsFlag) {
  // kthreadd of Linux 6.18, as recorded.
  EXPECT_TRUE(parse_stat("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 8 0 0 "
                         "18446744073709551615 0 0 0 0 0 0 0 2147483647 0 0 0 0 0 1 0 0 0 0 0 0 0 "
                         "0 0 0 0 0 0\n")
                  .is_kernel_thread());
}

TEST(Stat, RefusesWhatNoKernelWrites) {
  EXPECT_EQ(error_of([] { parse_stat(""); }),
            "bad_input: malformed stat: expected a number and a name in parentheses");
  EXPECT_EQ(error_of([] { parse_stat("x (a) S 1"); }),
            "bad_input: malformed stat: expected a positive number in field 1 (pid)");
  EXPECT_EQ(error_of([] { parse_stat("7 (a) SS 1"); }),
            "bad_input: malformed stat: expected a letter in field 3 (state)");
  EXPECT_EQ(error_of([] { parse_stat("7 (a) S 1 7 7 0 -1"); }),
            "bad_input: malformed stat: expected a number in field 9 (flags)");
  const std::string whole = stat_line({});
  EXPECT_EQ(error_of([&] { parse_stat(whole.substr(0, whole.find(" 17 0") + 3)); }),
            "bad_input: malformed stat: expected a number in field 39 (processor)");
  EXPECT_EQ(error_of([] { parse_stat(stat_line({.cpu = -1})); }),
            "bad_input: malformed stat: expected a CPU in field 39 (processor)");
}

TEST(Status, TellsProcessUserAndMasks) {
  const StatusText status = parse_status(
      "Name:\tcat\nTgid:\t17628\nPid:\t17629\nUid:\t0\t1000\t0\t0\nCpus_allowed:\tff\n"
      "Cpus_allowed_list:\t0-3,8\nMems_allowed:\t00000000,00000003\nMems_allowed_list:\t0-1\n");
  EXPECT_EQ(status.process, 17628);
  EXPECT_EQ(status.uid, 1000u);
  EXPECT_EQ(status.allowed_cpus, (CpuSet{0, 1, 2, 3, 8}));
  EXPECT_EQ(status.allowed_nodes, (NodeSet{0, 1}));
}

TEST(Status, IsNotDeceivedByANameWithAColon) {
  EXPECT_EQ(
      parse_status("Name:\tTgid: 9\nTgid:\t5\nUid:\t1\t2\t3\t4\nCpus_allowed_list:\t0\n").process,
      5);
}

TEST(Status, RefusesWhatLacksALine) {
  EXPECT_EQ(error_of([] { parse_status("Uid:\t0\t0\t0\t0\nCpus_allowed_list:\t0\n"); }),
            "bad_input: malformed status: expected a line 'Tgid:' with a positive number");
  EXPECT_EQ(error_of([] { parse_status("Tgid:\t5\nUid:\tx\nCpus_allowed_list:\t0\n"); }),
            "bad_input: malformed status: expected a line 'Uid:' with numbers");
  EXPECT_EQ(error_of([] { parse_status("Tgid:\t5\nUid:\t0\t0\t0\t0\n"); }),
            "bad_input: malformed status: expected a line 'Cpus_allowed_list:' with CPUs");
  EXPECT_EQ(error_of([] { parse_status("Tgid:\t5\nUid:\t0\t0\t0\t0\nCpus_allowed_list:\t3-\n"); }),
            "bad_input: malformed list '3-' at '3-': expected numbers and ranges up to 1048575, "
            "e.g. 0-3,8 or 0-14:2");
}

TEST(Sched, TellsMigrationsAndWhatAutoNumaMoved) {
  const SchedText sched = parse_sched(
      "cat (17625, #threads: 1)\n---------\n"
      "se.exec_start                                :      12439021.559285\n"
      "se.nr_migrations                             :                   12\n"
      "mm->numa_scan_seq                            :                    0\n"
      "numa_pages_migrated                          :                  512\n"
      "current_node=0, numa_group_id=0\n");
  EXPECT_EQ(sched.migrations, 12u);
  EXPECT_EQ(sched.numa_pages_migrated, 512u);
}

TEST(Sched, LeavesOutWhatTheKernelDoesNotCount) {
  EXPECT_EQ(parse_sched("").migrations, std::nullopt);
  EXPECT_EQ(parse_sched("nr_switches : 1\n").numa_pages_migrated, std::nullopt);
  EXPECT_EQ(error_of([] { parse_sched("se.nr_migrations : many\n"); }),
            "bad_input: malformed sched: expected a number behind 'se.nr_migrations'");
}

TEST(Schedstat, TellsTheTimeOnACpu) {
  EXPECT_EQ(parse_schedstat_ns("250000000 225865 1\n"), 250000000u);
  EXPECT_EQ(error_of([] { parse_schedstat_ns(" \n"); }),
            "bad_input: malformed schedstat: expected a number of nanoseconds first");
}

}  // namespace
}  // namespace kinjo::detail
