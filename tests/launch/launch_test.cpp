#include "launch/launch.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/failing_new.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using testing::ElementsAre;

LaunchRequest request(std::vector<std::string> command, const std::string& policy = "scatter") {
  const Topology& machine = Topology::this_machine();
  return {std::move(command), Mapping(machine, Policy::parse(policy), 1)};
}

/// The tests do not lie where the library is looked for.
[[maybe_unused]] const int kLibraryNamed = setenv("KINJO_PRELOAD", KINJO_TEST_PRELOAD, 0);

/// A request that pins to the first CPU that may be used.
LaunchRequest pinned(std::vector<std::string> command) {
  const int cpu = *Topology::this_machine().allowed_cpus().begin();
  return request(std::move(command), "cpus:" + std::to_string(cpu));
}

/// What a child wrote before it ended, and how it ended.
struct Seen {
  std::string output;
  int status = -1;
};

/// Becomes the program in a forked child, with standard output and notes in one pipe. There the
/// allocation of that number fails.
Seen start(const Launch& launch, long failing = -1) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (failing > 0) dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    const auto say = [](const std::string& line) {
      if (write(STDOUT_FILENO, (line + "\n").data(), line.size() + 1) < 0) _exit(99);
    };
    test::allocations_left = failing;
    const Launch::Failure failure = launch.become(say);
    test::allocations_left = -1;
    say(failure.message);
    _exit(failure.status);
  }
  close(ends[1]);
  Seen seen;
  std::array<char, 512> buffer{};
  for (ssize_t got; (got = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    seen.output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  seen.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return seen;
}

TEST(Launch, IsPreparedOnceAndBecomesTheProgramOften) {
  LaunchRequest asked = request({"sh", "-c", "echo $KJ_SAID; exit 7"}, "none");
  asked.variables = {{"KJ_SAID", "hello"}};
  const Launch launch(asked);
  for (int i = 0; i < 3; ++i) {
    const Seen seen = start(launch);
    EXPECT_EQ(seen.output, "hello\n");
    EXPECT_EQ(seen.status, 7);
  }
}

TEST(Launch, LeavesThisProcessAsItWas) {
  const CpuSet before = thread_affinity();
  const Launch launch(pinned({"true"}));
  EXPECT_EQ(start(launch).status, 0);
  EXPECT_EQ(thread_affinity(), before);
  EXPECT_EQ(std::getenv("KINJO_RUN_PLACES"), nullptr);
  EXPECT_EQ(std::getenv("OMP_NUM_THREADS"), nullptr);
}

TEST(Launch, HoldsTheProgramToItsPlaces) {
  LaunchRequest asked = pinned({"sh", "-c", "grep Cpus_allowed_list /proc/self/status"});
  const Seen seen = start(Launch(asked));
  EXPECT_EQ(seen.output, "Cpus_allowed_list:\t" + std::to_string(asked.mapping[0].cpu) + "\n");
}

TEST(Launch, NamesTheMethodBeforeTheProgramRuns) {
  EXPECT_EQ(Launch(request({"sh"}, "none")).method(), LaunchMethod::nothing);
  EXPECT_EQ(Launch(pinned({"sh"})).method(), LaunchMethod::preload);
  LaunchRequest openmp = pinned({"sh"});
  openmp.openmp = OpenMp::yes;
  EXPECT_EQ(Launch(openmp).method(), LaunchMethod::environment);
  EXPECT_EQ(Launch(openmp).obstacle(), "");
}

TEST(Launch, TellsTheThreadsAloneWithoutAPolicyIfAsked) {
  LaunchRequest asked = request({"sh", "-c", "echo $OMP_NUM_THREADS $OMP_PLACES"}, "none");
  asked.openmp = OpenMp::yes;
  asked.variables = {{"OMP_NUM_THREADS", "5"}};
  EXPECT_EQ(start(Launch(asked)).output, "5\n");
  asked.tell_threads = true;
  EXPECT_EQ(start(Launch(asked)).output, "1\n");
}

TEST(Launch, ExplainsOnlyIfAsked) {
  LaunchRequest asked = request({"true"}, "none");
  EXPECT_EQ(start(Launch(asked)).output, "");
  asked.verbose = true;
  EXPECT_EQ(start(Launch(asked)).output,
            "memory policy: as inherited\npolicy none: nothing is pinned\n");
}

TEST(Launch, RefusesProgramsThatAreNotThereBeforeAnythingRuns) {
  try {
    const Launch launch(request({"no-such-program"}, "none"));
    FAIL() << "no error";
  } catch (const LaunchError& error) {
    EXPECT_EQ(error.status(), kProgramNotFound);
    EXPECT_STREQ(error.what(), "cannot start no-such-program: not found");
  }
  EXPECT_EQ(error_of([] { Launch(request({"/etc/passwd"}, "none")); }),
            "not_permitted: cannot start /etc/passwd: not an executable file");
}

TEST(Launch, SaysWhyTheProgramDidNotStart) {
  const std::string path = testing::TempDir() + "kinjo_launch_" + std::to_string(getpid());
  FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("#!/no/such/interpreter\n", file);
  fchmod(fileno(file), 0755);
  std::fclose(file);
  const Seen seen = start(Launch(request({path}, "none")));
  std::remove(path.c_str());
  EXPECT_EQ(seen.status, kProgramNotFound);
  EXPECT_EQ(seen.output, "cannot start " + path + ": exec returned ENOENT\n");
}

TEST(Launch, SaysInALineThatMemoryIsWanting) {
  const Launch launch(pinned({"true"}));
  long failures = 0;
  for (;; ++failures) {
    const Seen seen = start(launch, failures + 1);
    if (seen.status == 0) break;
    ASSERT_EQ(seen.status, kLaunchFailed);
    ASSERT_EQ(seen.output, "there is not enough memory\n") << "allocation " << failures + 1;
  }
  EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace kinjo::detail
