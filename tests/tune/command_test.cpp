#include "tune/command.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

using test::error_of;
using testing::ElementsAre;

/// The library lies where kinjo itself would find it, which this test is not.
[[maybe_unused]] const int kLibraryNamed = setenv("KINJO_PRELOAD", KINJO_TEST_PRELOAD, 0);

/// A shell script as the program to be tuned.
struct Script {
  explicit Script(const std::string& text, CommandSettings given = {})
      : settings(std::move(given)) {
    settings.command = {"/bin/sh", "-c", text};
  }
  Sample run(const Configuration& configuration) {
    CommandSubject subject(settings, machine, signals);
    return subject.run(configuration).value();
  }
  /// With nothing pinned, told a number of threads.
  Sample run_told(std::size_t threads = 1) {
    return run({.mapping = Mapping(machine, Policy::none(), threads, Oversubscribe::wrap)});
  }

  CommandSettings settings;
  Topology machine = Topology::discover();
  detail::Signals signals;
};

TEST(Threads, ReplaceTheirMarkInEveryArgument) {
  EXPECT_TRUE(takes_threads({"a", "-t{threads}"}));
  EXPECT_FALSE(takes_threads({"a", "{thread}"}));
  EXPECT_THAT(with_threads({"a", "-t{threads}", "{threads},{threads}"}, 12),
              ElementsAre("a", "-t12", "12,12"));
}

TEST(Command, IsTimedAndItsOutputDigested) {
  const Sample sample = Script("sleep 0.05; echo done").run_told();
  EXPECT_EQ(sample.fault, "");
  ASSERT_EQ(sample.values.size(), 3u);
  EXPECT_GE(sample.values[0], 0.05);
  EXPECT_EQ(sample.values[0], sample.seconds);
  EXPECT_EQ(sample.output, detail::digest_output("done\n", std::nullopt));
}

TEST(Command, IsToldItsThreadsUnlessTheyAreItsOwnAffair) {
  const std::string script =
      "test \"$OMP_NUM_THREADS $GOMAXPROCS $MINE\" = \"3 3 3\" || { env | sort >&2; exit 1; }";
  EXPECT_EQ(Script(script, {.thread_variables = {"MINE"}}).run_told(3).fault, "");
  Script silent("test -z \"$GOMAXPROCS$MINE\"", {.thread_variables = {"MINE"}});
  EXPECT_EQ(silent.run({.mapping = Mapping(silent.machine, Policy::none(), 1), .own_threads = true})
                .fault,
            "");
}

TEST(Command, RunsWhereTheConfigurationPutsIt) {
  Script script("grep Cpus_allowed_list /proc/self/status | tr -dc 0-9");
  script.settings.metric = "(.*)";
  const int cpu = script.machine.allowed_cpus().last();
  const Policy policy = Policy::cpus({cpu});
  if (cpu == 0) GTEST_SKIP() << "needs a CPU whose number is positive";
  const Sample sample = script.run({.mapping = Mapping(script.machine, policy, 1)});
  ASSERT_EQ(sample.fault, "");
  EXPECT_EQ(sample.values[0], cpu);
}

TEST(Command, IsComparedByWhatItPrintsIfAskedOnWhicheverStream) {
  for (const char* script : {"echo rate 7.5", "echo rate 7.5 >&2"}) {
    const Sample sample = Script(script, {.metric = "rate ([0-9.]+)"}).run_told();
    EXPECT_THAT(sample.values, testing::SizeIs(4));
    EXPECT_EQ(sample.values[0], 7.5);
  }
}

TEST(Command, HasNoValuesWhereItFails) {
  struct Case {
    const char* script;
    const char* fault;
  };
  for (const Case& c :
       {Case{"echo rate 1; exit 4", "exit status 4"},
        Case{"echo rate 1; kill $$", "killed by SIGTERM"},
        Case{"echo 5", "--metric 'rate (.*)' matches nothing in its output"},
        Case{"echo rate none", "--metric 'rate (.*)' found 'none': expected a positive number"},
        Case{"echo rate 1; sleep 100", "did not end within 0.3 s"}}) {
    Script script(c.script, {.metric = "rate (.*)"});
    script.settings.limits.timeout_s = 0.3;
    const Sample sample = script.run_told();
    EXPECT_EQ(sample.fault, c.fault);
    EXPECT_TRUE(sample.values.empty());
  }
}

TEST(Command, LeavesItsLastWordsWhereItFails) {
  const Sample sample =
      Script("for i in 1 2 3 4 5 6; do echo line $i >&2; done; echo >&2; exit 1").run_told();
  EXPECT_THAT(sample.last_words, ElementsAre("line 2", "line 3", "line 4", "line 5", "line 6"));
}

std::string placement_message(const Sample& sample) {
  for (const auto& [name, value] : sample.result) {
    if (name == "placement_message") return std::get<std::string>(value);
  }
  return "";
}

TEST(Command, IsNotTakenForKinjoByWhatItWritesToStandardError) {
  const Sample sample = Script("echo kinjo: the vectors take 16 KiB of memory >&2").run_told();
  EXPECT_EQ(sample.fault, "");
  EXPECT_EQ(placement_message(sample), "");
}

TEST(Command, IsToldApartFromTheLibraryInside) {
  const char* const refusal =
      "cannot pin thread 1 of process 7: sched_setaffinity returned EPERM (a container's seccomp "
      "profile?); it runs where its creator may run";
  const Sample sample = Script(fmt::format("echo \"kinjo: {}\" >&2", refusal)).run_told();
  EXPECT_EQ(placement_message(sample), refusal);
}

TEST(Command, ThatIsNotThereIsRefusedBeforeTheFirstRun) {
  const Topology machine = Topology::discover();
  detail::Signals signals;
  CommandSubject subject({.command = {"/absent/program"}}, machine, signals);
  EXPECT_EQ(error_of([&] { subject.prepare({{.mapping = Mapping(machine, Policy::none(), 1)}}); }),
            "not_found: cannot start /absent/program: not found");
}

}  // namespace
}  // namespace kinjo
