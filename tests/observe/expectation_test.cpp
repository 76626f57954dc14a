#include "observe/expectation.hpp"

#include "observe/proc_tree.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::view_of;

TEST(Expectation, IsReadInItsForms) {
  const std::pair<const char*, const char*> forms[] = {
      {"node 0: 95%", "node 0: >= 95 %"},
      {"nodes 0-1: >= 95 %", "nodes 0-1: >= 95 %"},
      {"memory on node 3:<=0.5%", "node 3: <= 0.5 %"},
      {"  memory  nodes  0,2 :  100%  ", "nodes 0,2: >= 100 %"},
      {"on node 0: 0%", "node 0: >= 0 %"},
      {"threads on node 0: 100%", "threads on node 0: >= 100 %"},
      {"running threads on nodes 0-6:2: <= 50%", "running threads on nodes 0,2,4,6: <= 50 %"},
      {"local: 90%", "local: >= 90 %"},
  };
  for (const auto& [text, shown] : forms) {
    SCOPED_TRACE(text);
    EXPECT_EQ(parse_expectation(text).to_string(), shown);
    EXPECT_EQ(parse_expectation(shown).to_string(), shown);
  }
}

TEST(Expectation, IsRefusedInItsWords) {
  for (const char* text : {"",
                           ":",
                           "node 0",
                           "node 0: 95",
                           "node 0: %",
                           "node 0: 101%",
                           "node 0: -1%",
                           "node 0: nan%",
                           "node 0: == 5%",
                           "node 0: 95%%",
                           "node: 5%",
                           "node -1: 5%",
                           "node x: 5%",
                           "node 0 1: 5%",
                           "nod 0: 95%",
                           "threads node 0: 5%",
                           "running on node 0: 5%",
                           "running node 0: 5%",
                           "local 0: 5%",
                           "0: 5%",
                           "threads: 5%",
                           "node 0: 5% node 1: 5%"}) {
    EXPECT_EQ(error_of([&] { parse_expectation(text); }),
              "invalid_argument: malformed expectation '" + std::string(text) +
                  "': expected e.g. 'node 0: 95%', 'nodes 0-1: >= 95%', 'threads on node 0: 100%', "
                  "'running threads on nodes 0,2: <= 50%' or 'local: 90%'");
  }
}

std::string result(const char* expectation, const ProcessView& view) {
  const Finding finding = check(parse_expectation(expectation), view);
  const char* verdict = finding.verdict == Finding::Verdict::satisfied  ? "satisfied"
                        : finding.verdict == Finding::Verdict::violated ? "violated"
                                                                        : "unknown";
  return std::string(verdict) + ": " + finding.found;
}

TEST(Check, TellsWhatItFoundOfMemory) {
  const ProcessView view = view_of({0}, {{0, 3 << 20}, {1, 1 << 20}});
  EXPECT_EQ(result("node 0: 75%", view), "satisfied: 75.0 % (3 MiB of 4 MiB)");
  EXPECT_EQ(result("node 0: 75.1%", view), "violated: 75.0 % (3 MiB of 4 MiB)");
  EXPECT_EQ(result("node 1: <= 25%", view), "satisfied: 25.0 % (1 MiB of 4 MiB)");
  EXPECT_EQ(result("nodes 0-1: 100%", view), "satisfied: 100.0 % (4 MiB of 4 MiB)");
  EXPECT_EQ(result("node 5: <= 0%", view), "satisfied: 0.0 % (0 B of 4 MiB)");
}

TEST(Check, ShowsDigitsWhereRoundingWouldHideAMiss) {
  EXPECT_EQ(result("node 0: 95%", view_of({0}, {{0, 9499}, {1, 501}})),
            "violated: 94.99 % (9.3 KiB of 9.8 KiB)");
}

TEST(Check, TellsWhatItFoundOfThreads) {
  ProcessView view = view_of({0, 1, 2, 3}, {});
  view.threads[3].running = false;
  EXPECT_EQ(result("threads on node 0: 100%", view), "violated: 50.0 % (2 of 4)");
  EXPECT_EQ(result("running threads on node 1: <= 34%", view), "satisfied: 33.3 % (1 of 3)");
  for (ThreadView& thread : view.threads) thread.running = false;
  EXPECT_EQ(result("running threads on node 1: 0%", view), "violated: no running thread");
}

TEST(Check, TakesTheBestDivisionForLocal) {
  EXPECT_EQ(result("local: 90%", view_of({0, 2}, {{0, 50}, {1, 50}})), "satisfied: 100.0 %");
  EXPECT_EQ(result("local: 90%", view_of({0, 2}, {{0, 100}})), "violated: 50.0 %");
}

TEST(Check, SaysWhatCannotBeKnown) {
  ProcessView view = view_of({0}, {});
  EXPECT_EQ(result("node 0: 0%", view), "violated: no memory");
  EXPECT_EQ(result("local: 0%", view), "violated: no memory");
  view.memory.reset();
  EXPECT_EQ(result("node 0: 0%", view), "unknown: unknown");
  EXPECT_EQ(result("threads on node 0: 100%", view), "satisfied: 100.0 % (1 of 1)");
}

}  // namespace
}  // namespace kinjo
