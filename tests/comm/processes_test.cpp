/// Cells as processes: what they print, throw and are held to, and how their ends are told.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

std::size_t count_of(const std::string& what, const std::string& text) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; ++at) ++found;
  return found;
}

TEST(Processes, WriteOutWhatTheirBodiesPrint) {
  testing::internal::CaptureStdout();
  std::printf("before ");
  std::cout << "and ";
  run_processes(cells_anywhere(3), {}, [](World& world, const Place&) {
    std::printf("[printed by %d]", world.cell());
    std::cout << "[streamed by " << world.cell() << "]";
    return std::string();
  });
  std::printf("after");
  const std::string text = testing::internal::GetCapturedStdout();
  for (const char* what : {"before ", "and ", "after", "[printed by 0]", "[printed by 1]",
                           "[printed by 2]", "[streamed by 0]", "[streamed by 2]"}) {
    EXPECT_EQ(count_of(what, text), 1u) << what << " in " << text;
  }
}

TEST(Processes, FailByAnyException) {
  const auto error = [](auto thrown) {
    const auto ends = run_processes(cells_anywhere(1), {},
                                    [&](World&, const Place&) -> std::string { throw thrown; });
    return ends.front().error;
  };
  EXPECT_EQ(error(std::logic_error("out of luck")), "out of luck");
  EXPECT_EQ(error(std::logic_error("")), "an exception without a message has ended it");
  EXPECT_EQ(error(5), "an exception of unknown type has ended it");
}

TEST(Processes, AreHeldAsTightlyAsAsked) {
  const Mapping mapping(Topology::this_machine(), Policy::scatter(), 1);
  for (const BindLevel bind : {BindLevel::cpu, BindLevel::node}) {
    const auto ends = run_processes(
        mapping, {}, [](World&, const Place&) { return thread_affinity().to_string(); }, {}, bind);
    EXPECT_EQ(ends.front().output, bound_cpus(mapping, 0, bind).to_string()) << to_string(bind);
  }
}

TEST(Processes, WaitForNoneThatEndsBeforeItHasJoinedTheOthers) {
  // The last CPU is none of this machine's, so its cell cannot be held to it.
  const Topology machine = Topology::from("synthetic:pu:2048");
  const Mapping mapping(machine, Policy::cpus({0, 2047}), 2);
  WorldOptions options;
  options.patience = std::chrono::minutes(5);
  const auto ends = run_processes(mapping, options, [](World&, const Place&) { return "well"; });
  EXPECT_FALSE(ends[1].because_of_another) << ends[1].error;
  EXPECT_NE(ends[1].error.find("CPU 2047"), std::string::npos) << ends[1].error;
  EXPECT_EQ(ends[0].error, "cell 1 has not started");
  EXPECT_EQ(ends[0].lost_cell, 1);
}

/// Signals that end programs and that this one ignores, as `nohup` has it.
TEST(Processes, IgnoreWhatWhoStartsThemIgnores) {
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGTERM, [](int) {});
  const auto ends = run_processes(cells_anywhere(1), {}, [](World&, const Place&) {
    struct sigaction hangup {
    }, term{};
    sigaction(SIGHUP, nullptr, &hangup);
    sigaction(SIGTERM, nullptr, &term);
    return fmt::format("{} {}", hangup.sa_handler == SIG_IGN, term.sa_handler == SIG_DFL);
  });
  std::signal(SIGHUP, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  EXPECT_EQ(ends.front().output, "true true");
}

/// Of the whole process, until the end of the block.
class ChildrenIgnored {
 public:
  ChildrenIgnored() { std::signal(SIGCHLD, SIG_IGN); }
  ~ChildrenIgnored() { std::signal(SIGCHLD, SIG_DFL); }
};

TEST(Processes, AreToldOfWhereTheProgramIgnoresTheEndsOfChildren) {
  const ChildrenIgnored ignored;
  int joined[2];  // by cell 0, who might else miss that cell 1 had joined, too
  ASSERT_EQ(pipe(joined), 0);
  const auto ends = run_processes(cells_anywhere(2), {}, [&](World& world, const Place&) {
    char byte = 0;
    if (world.cell() == 0) return std::string(write(joined[1], &byte, 1) == 1 ? "well" : "unheard");
    if (read(joined[0], &byte, 1) == 1) raise(SIGKILL);
    return std::string("untold");
  });
  close(joined[0]);
  close(joined[1]);
  EXPECT_EQ(ends[0].output, "well");
  EXPECT_EQ(ends[1].error, "cell 1 is lost: its process was ended by signal 9 (Killed)");
  struct sigaction now {};
  sigaction(SIGCHLD, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
}

TEST(LaunchedPrograms, AreToldOfWhereTheProgramIgnoresTheEndsOfChildren) {
  const ChildrenIgnored ignored;
  for (const ProcessEnd& end : launch(cells_anywhere(2), {"true"})) EXPECT_EQ(end.status, 0);
  EXPECT_EQ(launch(cells_anywhere(1), {"sh", "-c", "exit 7"}).front().status, 7);
}

std::size_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(LaunchedPrograms, LeaveNoFileOpenWhereTheyCannotBeStarted) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const std::size_t before = open_files();
  int failures = 0;
  for (std::size_t more = 0; more < 8; ++more) {
    rlimit small = limit;
    small.rlim_cur = before - 1 + more;  // one of those was the listing's
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &small), 0);
    failures += error_of([] { launch(cells_anywhere(3), {"true"}); }).starts_with("system: ");
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_EQ(open_files(), before) << more;
  }
  EXPECT_GT(failures, 1);
}

/// What joining says in a process that has been told so of its cell.
std::string refusal_of(const std::string& cells) {
  setenv("KINJO_CELLS", cells.c_str(), 1);
  std::string error = error_of([] { join({}); });
  unsetenv("KINJO_CELLS");
  return error;
}

TEST(LaunchedPrograms, DoNotTakeAnotherFileForTheirMemory) {
  FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const int number = fileno(file);
  EXPECT_EQ(refusal_of(fmt::format("0:1:{}:1:1", number)),
            fmt::format("bad_input: the memory that `kinjo cells launch` passed on as file "
                        "descriptor {} has been closed: start the program so that descriptors "
                        "stay open (in Python: subprocess with close_fds=False)",
                        number));
  std::fseek(file, 0, SEEK_END);
  EXPECT_EQ(std::ftell(file), 0) << "something was written";
  struct stat status {};
  fstat(number, &status);
  EXPECT_TRUE(refusal_of(fmt::format("0:1:{}:{}:{}", number, status.st_dev, status.st_ino))
                  .starts_with("bad_input: the memory file of 1 cells has 0 bytes: expected "));
  std::fclose(file);
  EXPECT_EQ(refusal_of("0:1:4"),
            "bad_input: KINJO_CELLS is '0:1:4': expected "
            "cell:count:file:device:inode, which `kinjo cells launch` sets");
}

}  // namespace
}  // namespace kinjo::comm::test
