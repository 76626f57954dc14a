#include "report/where_text.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

constexpr std::uint64_t kMib = 1 << 20;

ThreadView thread(int tid, int cpu, bool running = true) {
  ThreadView view{.tid = tid,
                  .name = "solve",
                  .state = running ? 'R' : 'S',
                  .running = running,
                  .cpu = cpu,
                  .node = cpu / 4,
                  .migrations = 3};
  view.allowed_cpus.insert(cpu);
  return view;
}

ProcessView process(std::size_t threads) {
  ProcessView view{.pid = 70, .name = "solve"};
  for (std::size_t t = 0; t < threads; ++t) {
    view.threads.push_back(thread(70 + static_cast<int>(t), static_cast<int>(t % 8)));
  }
  view.memory = MemoryView{.bytes = {{0, 3 * kMib}, {1, kMib}}};
  view.memory->mappings = {
      {.begin = 0x1000, .policy = "default", .page_bytes = 4096, .bytes = {{0, kMib}}},
      {.begin = 0x900000,
       .name = "[heap]",
       .policy = "bind:0-1",
       .page_bytes = 2 * kMib,
       .bytes = {{0, 2 * kMib}, {1, kMib}}}};
  return view;
}

TEST(LookText, ShowsThreadsNodesMappingsAndLocality) {
  ProcessView view = process(2);
  view.threads[1] = thread(71, 4, false);
  view.threads[1].migrations.reset();
  view.threads[1].cpu_changes = 2;
  EXPECT_EQ(look_text(view, {}),
            "process 70 (solve): 2 threads, 1 running, 4 MiB in memory (asked of numa_maps)\n"
            "thread  name   state    CPU  node  may use  migrations\n"
            "    70  solve  running    0     0        0  3\n"
            "    71  solve  asleep     4     1        4  >= 2\n"
            "node  threads  running  memory   share\n"
            "   0        1        1  3 MiB   75.0 %\n"
            "   1        1        0  1 MiB   25.0 %\n"
            "mappings with pages in memory\n"
            "address  memory  pages of  policy    by node               mapping\n"
            " 900000  3 MiB   2 MiB     bind:0-1  0: 66.7 %, 1: 33.3 %  [heap]\n"
            "   1000  1 MiB   4 KiB     default   0: 100.0 %            anonymous\n"
            "75.0 % of the memory is on nodes of running threads\n");
}

TEST(LookText, ListsTheLargestMappingsAlone) {
  const std::string text = look_text(process(1), {.largest = 1});
  EXPECT_NE(text.find("the largest 1 of 2 mappings with pages in memory\n"), text.npos);
  EXPECT_NE(text.find("[heap]"), text.npos);
  EXPECT_EQ(text.find("anonymous"), text.npos);
  EXPECT_EQ(look_text(process(1), {.largest = 0}).find("mappings"), text.npos);
}

TEST(LookText, FoldsManyThreadsByNode) {
  ProcessView view = process(256);
  view.threads[5].running = false;
  view.threads[6].name = "io\nthread";
  const std::string text = look_text(view, {.largest = 0});
  EXPECT_EQ(
      text,
      "process 70 (solve): 256 threads, 255 running, 4 MiB in memory (asked of numa_maps)\n"
      "node  threads  running  on CPUs  may use             migrations  names\n"
      "   0      128      128  0-3      one CPU each, of 4         384  solve\n"
      "   1      128      127  4-7      one CPU each, of 4         384  io?thread, solve\n"
      "node  threads  running  memory   share\n"
      "   0      128      128  3 MiB   75.0 %\n"
      "   1      128      127  1 MiB   25.0 %\n"
      "100.0 % of the memory is on nodes of running threads; an access is local in 50.1 % of "
      "cases if all threads use all of it alike, in at most 75.2 % if each uses a part of its "
      "own\n");
  EXPECT_NE(look_text(view, {.every_thread = true}).find("\n   325  solve"), text.npos);
}

TEST(LookText, ShowsThreadsAloneIfThePagesAreUnknown) {
  ProcessView view = process(1);
  view.memory.reset();
  EXPECT_EQ(look_text(view, {}),
            "process 70 (solve): 1 thread, 1 running, pages unknown\n"
            "thread  name   state    CPU  node  may use  migrations\n"
            "    70  solve  running    0     0        0           3\n");
}

TEST(DriftText, SaysThatNothingHasMoved) {
  EXPECT_EQ(drift_text({}, process(1), 2, 1), "look 2, after 1.0 s: nothing has moved\n");
}

TEST(DriftText, NamesWhatHasMoved) {
  Drift drift{.started = 1,
              .migrations = 1,
              .memory = {{0, -2 * 1024 * 1024}, {1, 2 * 1024 * 1024}},
              .moved_bytes = 2 * kMib,
              .numa_pages_migrated = 512};
  drift.threads.push_back({70, "solve", 0, 4, 0, 1, {0}, {4, 5}});
  ProcessView now = process(1);
  EXPECT_EQ(drift_text(drift, now, 3, 2.04),
            "look 3, after 2.0 s: since the look before\n"
            "  thread 70 (solve): CPU 0 → 4, node 0 → 1, may use 0 → 4-5\n"
            "  1 thread started, 0 ended\n"
            "  1 migration of threads from CPU to CPU\n"
            "  memory: node 0 -2 MiB, node 1 +2 MiB\n"
            "  of it at least 2 MiB moved from node to node, 512 pages by AutoNUMA\n"
            "node  threads  running  memory   share\n"
            "   0        1        1  3 MiB   75.0 %\n"
            "   1        0        0  1 MiB   25.0 %\n"
            "75.0 % of the memory is on nodes of running threads\n");
}

TEST(DriftText, CountsManyThreadsThatMoved) {
  Drift drift;
  for (int t = 0; t < 9; ++t)
    drift.threads.push_back({70 + t, "s", 0, t ? 4 : 0, 0, t ? 1 : 0, {0}, {1}});
  EXPECT_NE(drift_text(drift, process(9), 2, 1)
                .find("  of 9 threads 8 changed their CPU, 8 their node, 9 their mask\n"),
            std::string::npos);
}

TEST(ExpectationText, SaysWhetherItHolds) {
  const Expectation expectation = parse_expectation("node 0: 95%");
  const ProcessView view = process(1);
  EXPECT_EQ(expectation_text({expectation, check(expectation, view), 0}),
            "not as expected: node 0: >= 95 %, found 75.0 % (3 MiB of 4 MiB)\n");
}

}  // namespace
}  // namespace kinjo
