#include "tune/child.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

using End = ChildOutcome::End;

ChildOutcome run_shell(const std::string& script, const ChildLimits& limits, Signals& signals) {
  return run_child(
      [&](const std::function<void()>& begins) -> std::string {
        begins();
        execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
        return "no shell";
      },
      limits, signals);
}

ChildOutcome run_shell(const std::string& script, const ChildLimits& limits = {}) {
  Signals signals;
  return run_shell(script, limits, signals);
}

/// Whether the process is gone; an orphan that nobody has reaped yet is.
bool is_gone(pid_t pid) {
  for (int look = 0; look < 100; ++look) {
    const std::string path = fmt::format("/proc/{}/stat", pid);
    if (access(path.c_str(), F_OK) != 0) return true;
    const std::string stat = test::read_file(path);
    if (stat.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(Child, TimeBeginsWhereTheProgramDoes) {
  constexpr auto kPlacing = std::chrono::milliseconds(2000),
                 kRunning = std::chrono::milliseconds(50);
  Signals signals;
  const ChildOutcome outcome = run_child(
      [&](const std::function<void()>& begins) -> std::string {
        std::this_thread::sleep_for(kPlacing);
        begins();
        std::this_thread::sleep_for(kRunning);  // the parent does not hear of exec before
        execl("/bin/true", "true", nullptr);
        return "no program";
      },
      {}, signals);
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_GE(outcome.seconds, 0.05);
  EXPECT_LT(outcome.seconds, 2);
}

TEST(Child, SaysWhatItWroteAndHowItEnded) {
  const ChildOutcome outcome = run_shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.output, "out\n");
  EXPECT_EQ(outcome.errors, "err\n");
  EXPECT_EQ(describe_failure(outcome, {}), "exit status 3");
  EXPECT_EQ(describe_failure(run_shell("exit 0"), {}), "");
}

TEST(Child, TellsWhatWasSaidBeforeTheProgramFromWhatItSays) {
  Signals signals;
  const ChildOutcome outcome = run_child(
      [&](const std::function<void()>& begins) -> std::string {
        const auto say = [](std::string_view text) {
          [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
        };
        say("placed\n");
        if (fork() == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          say("watched\n");
          _exit(0);
        }
        begins();
        execl("/bin/sh", "sh", "-c", "echo program >&2; sleep 1", nullptr);
        return "no shell";
      },
      {}, signals);
  EXPECT_EQ(outcome.notes, "placed\nwatched\n");
  EXPECT_EQ(outcome.errors, "program\n");
}

TEST(Child, MeasuresTimeAndMemory) {
  const ChildOutcome outcome =
      run_shell("sleep 0.2; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");
  EXPECT_GE(outcome.seconds, 0.2);
  EXPECT_GT(outcome.user_seconds + outcome.system_seconds, 0);
  EXPECT_GT(outcome.max_resident_bytes, 100'000u);
}

TEST(Child, HasAnEmptyStandardInputAndAProcessGroupOfItsOwn) {
  const ChildOutcome outcome = run_shell("cat; cut -d' ' -f1,5 /proc/self/stat; echo $$");
  EXPECT_EQ(outcome.end, End::exited);
  // The group of whatever the shell starts is the shell itself.
  const auto group = outcome.output.substr(outcome.output.find(' ') + 1);
  const auto line = group.find('\n');
  EXPECT_EQ(group.substr(0, line), group.substr(line + 1, group.size() - line - 2));
}

TEST(Child, ThatASignalEndedIsNamedByIt) {
  EXPECT_EQ(describe_failure(run_shell("kill -SEGV $$"), {}), "killed by SIGSEGV");
}

TEST(Child, ThatIsStoppedForWantOfTheTerminalIsKilled) {
  for (const char* signal : {"TTIN", "TTOU"}) {
    const ChildOutcome outcome = run_shell(fmt::format("kill -{} $$; sleep 100", signal));
    EXPECT_EQ(outcome.end, End::wanted_terminal);
    EXPECT_EQ(describe_failure(outcome, {}),
              "it wants the terminal, which a program that is measured does not get");
  }
}

TEST(Child, ThatIsStoppedOtherwiseMayGoOn) {
  const ChildOutcome outcome =
      run_shell("(sleep 0.3; kill -CONT $$) & kill -STOP $$; echo went on");
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.output, "went on\n");
}

TEST(Child, ThatTakesTooLongIsKilledWithAllThatItStarted) {
  const test::Scratch scratch;
  const ChildLimits limits{.timeout_s = 0.3};
  const std::string file = scratch.path("pid");
  const ChildOutcome outcome =
      run_shell(fmt::format("sleep 100 & echo $! >{}; wait", file), limits);
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_EQ(describe_failure(outcome, limits), "did not end within 0.3 s");
  EXPECT_TRUE(is_gone(std::atoi(test::read_file(file).c_str())));
}

TEST(Child, LeavesNothingRunningWhenItEndsByItself) {
  const ChildOutcome outcome = run_shell("sleep 100 >/dev/null 2>&1 & echo $!");
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 0);
  const pid_t left = std::atoi(outcome.output.c_str());
  ASSERT_GT(left, 0);
  EXPECT_TRUE(is_gone(left));
}

TEST(Child, ThatDoesNotListenIsKilledAllTheSame) {
  const ChildOutcome outcome =
      run_shell("trap '' TERM; while :; do sleep 0.05; done", {.timeout_s = 0.2});
  EXPECT_EQ(outcome.end, End::timed_out);
}

TEST(Child, ThatWritesTooMuchIsKilled) {
  const ChildLimits limits{.output_bytes = 1 << 20};
  for (const char* script : {"yes", "yes >&2", "head -c 2000000 /dev/zero"}) {
    const ChildOutcome outcome = run_shell(script, limits);
    EXPECT_EQ(outcome.end, End::wrote_too_much) << script;
    EXPECT_EQ(describe_failure(outcome, limits), "wrote more than 1 MiB");
    EXPECT_LE(outcome.output.size(), limits.output_bytes);
  }
}

TEST(Child, IsKilledByAnInterruption) {
  Signals signals;
  raise(SIGINT);  // waits until it is asked for; threads of libraries do not keep it back
  const ChildOutcome outcome = run_shell("sleep 100", {}, signals);
  EXPECT_EQ(outcome.end, End::interrupted);
  EXPECT_EQ(signals.interrupted(), SIGINT);
}

TEST(Signals, ThatAreIgnoredStaySo) {
  const auto before = signal(SIGHUP, SIG_IGN);  // as by nohup
  {
    Signals signals;
    raise(SIGHUP);
    EXPECT_EQ(signals.interrupted(), 0);
    raise(SIGTERM);
    EXPECT_EQ(signals.interrupted(), SIGTERM);
  }
  signal(SIGHUP, before);
}

TEST(Child, HasSignalsAsTheyWereBefore) {
  Signals signals;
  const ChildOutcome outcome = run_shell("kill -INT $$; echo survived", {}, signals);
  EXPECT_EQ(describe_failure(outcome, {}), "killed by SIGINT");
  EXPECT_EQ(outcome.output, "");
}

TEST(Child, ThatIsNoProgramSaysWhy) {
  Signals signals;
  const ChildOutcome outcome = run_child(
      [](const std::function<void()>& begins) {
        begins();
        return std::string("no such thing");
      },
      {}, signals);
  EXPECT_EQ(outcome.end, End::not_started);
  EXPECT_EQ(describe_failure(outcome, {}), "no such thing");
}

TEST(Child, ThatThrowsSaysWhyAndDoesNotGoOnAsASecondProcess) {
  Signals signals;
  const pid_t self = getpid();
  const auto why = [&](const auto& error) {
    const ChildOutcome outcome =
        run_child([&](const std::function<void()>&) -> std::string { throw error; }, {}, signals);
    if (getpid() != self) _exit(77);
    EXPECT_EQ(outcome.end, ChildOutcome::End::not_started);
    return describe_failure(outcome, {});
  };
  EXPECT_EQ(why(std::bad_alloc()), "there is not enough memory");
  EXPECT_EQ(why(std::runtime_error("no such thing")), "no such thing");
}

}  // namespace
}  // namespace kinjo::detail
