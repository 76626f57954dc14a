#include "observe/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace kinjo::detail {

namespace {

/// In the child: never returns. `report` closes by itself when exec succeeds.
[[noreturn]] void run_program(const std::string& path, char* const* arguments, const sigset_t& mask,
                              const struct sigaction& of_children, int report) {
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  sigaction(SIGCHLD, &of_children, nullptr);
  // execvp gives a file without a known format to the shell, as env does.
  execvp(path.c_str(), arguments);
  const int error = errno;
  const ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

/// errno that a child wrote before it gave up, 0 if it closed the pipe by a successful exec.
int read_report(int file) {
  int error = 0;
  for (;;) {
    const ssize_t got = read(file, &error, sizeof error);
    if (got < 0 && errno == EINTR) continue;
    return got == sizeof error ? error : 0;
  }
}

ChildEnd wait_for_end(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) return {WEXITSTATUS(status), false};
  return {128 + WTERMSIG(status), true};
}

}  // namespace

Child::Child(const std::string& path, const std::vector<std::string>& arguments,
             const SignalFile& signals)
    : signals_(signals) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    error_ = errno;
    return;
  }
  // Who started us may have SIGCHLD ignored; then the child's status would be lost.
  struct sigaction standard = {}, before = {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, &before);
  call_ = "fork";
  pid_ = fork();
  if (pid_ == 0) run_program(path, pointers.data(), signals.mask_before(), before, ends[1]);
  error_ = pid_ < 0 ? errno : 0;
  close(ends[1]);
  if (pid_ > 0) {
    call_ = "exec";
    error_ = read_report(ends[0]);
  }
  close(ends[0]);
  if (pid_ > 0 && error_ != 0) wait_for_end(pid_);
}

ChildEnd Child::wait() {
  constexpr double kForever_s = 1e9;
  ProcessWaiter waiter(pid_, signals_, OnSignal::pass);
  while (waiter.wait(kForever_s) != Waited::process_ended) continue;
  return wait_for_end(pid_);
}

}  // namespace kinjo::detail
