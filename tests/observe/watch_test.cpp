#include "observe/watch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "observe/proc_tree.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::view_of;

/// A process of which each look finds thread 7 on the next of these CPUs, until it ends.
class Script {
 public:
  explicit Script(std::vector<int> cpus) : cpus_(std::move(cpus)) {}

  ProcessView operator()() {
    if (taken_ == cpus_.size()) throw Error(Errc::not_found, "it has ended");
    return view_of({cpus_[taken_++]}, {});
  }

 private:
  std::vector<int> cpus_;
  std::size_t taken_ = 0;
};

struct Watched {
  Waited end = Waited::interrupted;
  std::vector<int> cpus;
  std::vector<double> waits;
};

Watched watch_script(const WatchPlan& plan, std::vector<int> cpus, std::size_t ends_in_wait = 99,
                     Waited reason = Waited::process_ended) {
  Watched result;
  const Wait wait = [&](double seconds) {
    result.waits.push_back(seconds);
    return result.waits.size() > ends_in_wait ? reason : Waited::time_passed;
  };
  result.end = watch(plan, wait, Script(std::move(cpus)),
                     [&](const ProcessView& view) { result.cpus.push_back(view.threads[0].cpu); });
  return result;
}

TEST(Watch, TakesOneLookAtOnceByDefault) {
  const Watched seen = watch_script({}, {1, 2});
  EXPECT_EQ(seen.end, Waited::time_passed);
  EXPECT_THAT(seen.cpus, testing::ElementsAre(1));
  EXPECT_TRUE(seen.waits.empty());
}

TEST(Watch, WaitsBeforeTheFirstLookAndBetweenLooks) {
  const Watched seen = watch_script({.after_s = 5, .every_s = 100, .looks = 3}, {1, 2, 3});
  EXPECT_THAT(seen.cpus, testing::ElementsAre(1, 2, 3));
  ASSERT_EQ(seen.waits.size(), 3u);
  EXPECT_EQ(seen.waits[0], 5);
  // By the clock: nobody has slept here, so the second wait is for both times together.
  EXPECT_THAT(seen.waits[1], testing::AllOf(testing::Gt(0), testing::Le(100)));
  EXPECT_THAT(seen.waits[2], testing::AllOf(testing::Gt(seen.waits[1]), testing::Le(200)));
}

TEST(Watch, LooksUntilTheProcessEnds) {
  EXPECT_EQ(watch_script({.looks = 0}, {1, 2}).end, Waited::process_ended);
  const Watched seen = watch_script({.looks = 0}, {1, 2, 3, 4}, 2);
  EXPECT_EQ(seen.end, Waited::process_ended);
  EXPECT_THAT(seen.cpus, testing::ElementsAre(1, 2, 3));
}

TEST(Watch, StopsIfInterrupted) {
  EXPECT_EQ(watch_script({.looks = 0}, {1, 2}, 1, Waited::interrupted).end, Waited::interrupted);
  const Watched early = watch_script({.after_s = 1}, {1}, 0, Waited::interrupted);
  EXPECT_EQ(early.end, Waited::interrupted);
  EXPECT_TRUE(early.cpus.empty());
}

TEST(Watch, ReportsAProcessThatEndedBeforeTheFirstLook) {
  EXPECT_EQ(error_of([] { watch_script({.after_s = 1}, {}, 0); }), "not_found: it has ended");
}

TEST(Watch, DoesNotTakeANewProcessOfTheSameNumberForTheOld) {
  int looks = 0;
  const auto look = [&] {
    ProcessView view = view_of({0}, {});
    view.start_ticks = static_cast<std::uint64_t>(++looks);
    return view;
  };
  int seen = 0;
  const Waited end = watch(
      {.looks = 5}, [](double) { return Waited::time_passed; }, look,
      [&](const ProcessView&) { ++seen; });
  EXPECT_EQ(end, Waited::process_ended);
  EXPECT_EQ(seen, 1);
}

TEST(Watch, PassesOtherErrorsOn) {
  int looks = 0;
  const auto look = [&]() -> ProcessView {
    if (++looks == 2) throw Error(Errc::bad_input, "malformed stat");
    return view_of({0}, {});
  };
  EXPECT_EQ(error_of([&] {
              watch(
                  {.looks = 5}, [](double) { return Waited::time_passed; }, look,
                  [](const ProcessView&) {});
            }),
            "bad_input: malformed stat");
}

TEST(ProcessWaiter, SeesTheEndOfAnyProcess) {
  const detail::SignalFile signals;
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  detail::ProcessWaiter waiter(child, signals, detail::OnSignal::stop);
  EXPECT_EQ(waiter.wait(0), Waited::time_passed);
  EXPECT_EQ(waiter.wait(0.001), Waited::time_passed);
  kill(child, SIGKILL);
  EXPECT_EQ(waiter.wait(1e12), Waited::process_ended);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(waiter.wait(60), Waited::process_ended);
}

TEST(ProcessWaiter, StopsAtASignalOrPassesItOn) {
  const detail::SignalFile signals;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &signals.mask_before(), nullptr);
    pause();
    _exit(0);
  }
  {
    detail::ProcessWaiter waiter(child, signals, detail::OnSignal::stop);
    kill(getpid(), SIGINT);
    EXPECT_EQ(waiter.wait(60), Waited::interrupted);
  }
  detail::ProcessWaiter waiter(child, signals, detail::OnSignal::pass);
  kill(getpid(), SIGTERM);
  EXPECT_EQ(waiter.wait(60), Waited::process_ended);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

}  // namespace
}  // namespace kinjo
