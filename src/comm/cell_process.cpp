#include "comm/cell_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::comm::detail {
namespace {

constexpr int kCouldNotRun = 125;

/// What has been printed and is still in memory would be written by both processes, or by none.
void flush_output() {
  for (std::ostream* stream : {&std::cout, &std::clog}) stream->flush();
  std::fflush(nullptr);
}

/// The parent's handlers are not the child's. What it ignores stays so, as it does through exec.
void leave_handlers() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    std::signal(number, SIG_DFL);
  }
}

void become_cell(pid_t parent, const struct sigaction& of_children) {
  // A parent that has died already has sent no signal.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCouldNotRun);
  leave_handlers();
  sigaction(SIGCHLD, &of_children, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

KeptEnds::KeptEnds() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, &before_);
}

KeptEnds::~KeptEnds() { sigaction(SIGCHLD, &before_, nullptr); }

Descriptors::~Descriptors() {
  for (const int file : files) {
    if (file >= 0) close(file);
  }
}

pid_t fork_cell(int cell, const KeptEnds& ends, const std::function<int()>& body) {
  const pid_t parent = getpid();
  flush_output();
  const pid_t child = fork();
  if (child < 0) {
    throw Error(Errc::system, fmt::format("cannot start a process for cell {}: {}", cell,
                                          kinjo::detail::errno_name(errno)));
  }
  if (child != 0) return child;
  become_cell(parent, ends.before());
  int status = kCouldNotRun;
  try {
    status = body();
    flush_output();
  } catch (...) {
    // The status says it; `body` has reported what it can.
  }
  // Nothing that the parent registered is the child's to run.
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
