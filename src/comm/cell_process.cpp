#include "comm/cell_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::comm::detail {
namespace {

constexpr int kCouldNotRun = 125;

void become_cell(pid_t parent) {
  // A parent that has died already has sent no signal.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCouldNotRun);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

pid_t fork_cell(int cell, const std::function<int()>& body) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    throw Error(Errc::system, fmt::format("cannot start a process for cell {}: {}", cell,
                                          kinjo::detail::errno_name(errno)));
  }
  if (child != 0) return child;
  become_cell(parent);
  int status = kCouldNotRun;
  try {
    status = body();
  } catch (...) {
    // The status says it; `body` has reported what it can.
  }
  // Nothing that the parent registered or buffered is the child's to run or to write.
  _exit(status);
}

int wait_for_end(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return kCouldNotRun;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string describe_end(int status) {
  if (status <= 128) return fmt::format("its process ended with status {}", status);
  const int number = status - 128;
  return fmt::format("its process was ended by signal {} ({})", number, strsignal(number));
}

}  // namespace kinjo::comm::detail
