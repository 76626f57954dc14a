#include "tune/child.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(Errc::system, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// A file descriptor with an owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

/// A file in memory: no disk that is full or slow has a part in what the program does. The name is
/// for people who look at /proc.
int open_temporary() {
  const int fd = memfd_create("kinjo-output", MFD_CLOEXEC);
  if (fd < 0) fail("cannot make a temporary file in memory");
  return fd;
}

std::uint64_t size_of(int fd) {
  struct stat file;
  return fstat(fd, &file) == 0 ? static_cast<std::uint64_t>(file.st_size) : 0;
}

std::string read_all(int fd, std::uint64_t limit) {
  std::string text(std::min(size_of(fd), limit), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const auto got = pread(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

/// What a child says through its pipe: its clock when it executes the program, and why it did not.
constexpr char kStarts = 's', kRefuses = 'r';

/// The process that is to become the program.
class Child {
 public:
  Child(const Become& become, const ChildLimits& limits, Signals& signals);
  ChildOutcome finish();

 private:
  [[noreturn]] void live(const Become& become, int word) const;
  /// Waits for exec, and learns from the child when it was; what it says instead if it fails.
  std::string hear(int word);
  bool ended();
  /// Why it has to be ended before its time, if it has.
  std::optional<ChildOutcome::End> verdict();
  void kill_group();

  const ChildLimits& limits_;
  Signals& signals_;
  Descriptor out_{open_temporary()};
  Descriptor err_{open_temporary()};
  Descriptor notes_{open_temporary()};
  pid_t parent_ = getpid();
  pid_t pid_ = -1;
  Clock::time_point start_;
  int status_ = 0;
  bool wants_terminal_ = false;  ///< and is stopped, since its group is not the terminal's
  rusage usage_ = {};
  std::string refusal_;
};

Child::Child(const Become& become, const ChildLimits& limits, Signals& signals)
    : limits_(limits), signals_(signals) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
  Descriptor read_end(ends[0]), write_end(ends[1]);
  pid_ = fork();
  if (pid_ < 0) fail("cannot start a process");
  if (pid_ == 0) live(become, write_end.get());
  setpgid(pid_, pid_);  // also here, so that it holds whoever runs first
  write_end.close();
  start_ = Clock::now();
  refusal_ = hear(read_end.get());
}

void Child::live(const Become& become, int word) const {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent_) _exit(1);  // it went before we asked to be told
  signals_.restore();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool redirected = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                          dup2(out_.get(), STDOUT_FILENO) >= 0 &&
                          dup2(notes_.get(), STDERR_FILENO) >= 0;
  // The child's own time: on busy CPUs the parent hears of it late, and would make runs shorter.
  // And only when it is placed, which is no part of the program.
  const auto tell_start = [this, word] {
    dup2(err_.get(), STDERR_FILENO);  // from here on it is the program that speaks
    const auto start = Clock::now().time_since_epoch().count();
    std::array<char, 1 + sizeof(start)> told{kStarts};
    std::memcpy(told.data() + 1, &start, sizeof(start));
    [[maybe_unused]] const auto written = write(word, told.data(), told.size());
  };
  const auto refuse = [word](std::string_view why) {
    [[maybe_unused]] auto written = write(word, &kRefuses, 1);
    written = write(word, why.data(), why.size());
    _exit(1);
  };
  // What is thrown would go on as a second process of the caller.
  try {
    if (!redirected) refuse(fmt::format("cannot redirect its output: {}", std::strerror(errno)));
    refuse(become(tell_start));
  } catch (const std::bad_alloc&) {
    refuse("there is not enough memory");
  } catch (const std::exception& error) {
    refuse(error.what());
  }
  _exit(1);
}

std::string Child::hear(int word) {
  std::string text;
  char buffer[512];
  for (;;) {
    const auto got = read(word, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  Clock::rep start;
  if (text.size() > sizeof(start) && text.front() == kStarts) {
    std::memcpy(&start, text.data() + 1, sizeof(start));
    start_ = Clock::time_point(Clock::duration(start));
    text.erase(0, 1 + sizeof(start));
  }
  return text.starts_with(kRefuses) ? text.substr(1) : "";
}

bool Child::ended() {
  const pid_t found = wait4(pid_, &status_, WNOHANG | WUNTRACED, &usage_);
  if (found == pid_ && WIFSTOPPED(status_)) {
    // Who is stopped otherwise may be set going again.
    const int signal = WSTOPSIG(status_);
    wants_terminal_ |= signal == SIGTTIN || signal == SIGTTOU;
    return false;
  }
  return found == pid_ || (found < 0 && errno == ECHILD);
}

std::optional<ChildOutcome::End> Child::verdict() {
  if (signals_.interrupted() != 0) return ChildOutcome::End::interrupted;
  if (wants_terminal_) return ChildOutcome::End::wanted_terminal;
  if (limits_.timeout_s && seconds_since(start_) > *limits_.timeout_s) {
    return ChildOutcome::End::timed_out;
  }
  if (std::max(size_of(out_.get()), size_of(err_.get())) > limits_.output_bytes) {
    return ChildOutcome::End::wrote_too_much;
  }
  return std::nullopt;
}

void Child::kill_group() {
  constexpr double kGrace = 2;  // seconds to put its house in order
  kill(-pid_, SIGTERM);
  kill(-pid_, SIGCONT);  // who is stopped would not learn of it
  const auto asked = Clock::now();
  bool gone = ended();
  while (!gone && seconds_since(asked) < kGrace) {
    signals_.wait(0.05);
    gone = ended();
  }
  // What it started may live on although it is gone itself.
  kill(-pid_, SIGKILL);
  while (!gone) {
    signals_.wait(0.05);
    gone = ended();
  }
}

ChildOutcome Child::finish() {
  constexpr double kLook = 0.2;  // seconds between looks at the size of its output
  std::optional<ChildOutcome::End> stop;
  double seconds = 0;
  for (;;) {
    const bool gone = ended();
    seconds = seconds_since(start_);
    if (gone) {
      kill(-pid_, SIGKILL);  // what it left running would disturb the next run
      break;
    }
    stop = verdict();
    if (stop) {
      kill_group();
      break;
    }
    const double left = limits_.timeout_s ? *limits_.timeout_s - seconds : kLook;
    signals_.wait(std::clamp(left, 0.001, kLook));
  }
  const auto in_seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  ChildOutcome outcome{.seconds = seconds,
                       .user_seconds = in_seconds(usage_.ru_utime),
                       .system_seconds = in_seconds(usage_.ru_stime),
                       .max_resident_bytes = static_cast<std::uint64_t>(usage_.ru_maxrss) * 1024,
                       .output = read_all(out_.get(), limits_.output_bytes),
                       .errors = read_all(err_.get(), limits_.output_bytes),
                       .notes = read_all(notes_.get(), limits_.output_bytes)};
  outcome.message = refusal_;
  if (!refusal_.empty()) return outcome;
  if (!stop && std::max(size_of(out_.get()), size_of(err_.get())) > limits_.output_bytes) {
    stop = ChildOutcome::End::wrote_too_much;
  }
  outcome.end = stop                   ? *stop
                : WIFSIGNALED(status_) ? ChildOutcome::End::signalled
                                       : ChildOutcome::End::exited;
  outcome.code = WIFSIGNALED(status_) ? WTERMSIG(status_) : WEXITSTATUS(status_);
  return outcome;
}

}  // namespace

ChildOutcome run_child(const Become& become, const ChildLimits& limits, Signals& signals) {
  return Child(become, limits, signals).finish();
}

std::string describe_failure(const ChildOutcome& outcome, const ChildLimits& limits) {
  switch (outcome.end) {
    case ChildOutcome::End::exited:
      return outcome.code == 0 ? "" : fmt::format("exit status {}", outcome.code);
    case ChildOutcome::End::signalled: {
      const char* name = sigabbrev_np(outcome.code);
      return name ? fmt::format("killed by SIG{}", name)
                  : fmt::format("killed by signal {}", outcome.code);
    }
    case ChildOutcome::End::timed_out:
      return fmt::format("did not end within {:g} s", limits.timeout_s.value_or(0));
    case ChildOutcome::End::wrote_too_much:
      return fmt::format("wrote more than {}", format_bytes(limits.output_bytes));
    case ChildOutcome::End::wanted_terminal:
      return "it wants the terminal, which a program that is measured does not get";
    case ChildOutcome::End::interrupted:
      return "interrupted";
    case ChildOutcome::End::not_started:
      return outcome.message;
  }
  return {};
}

}  // namespace kinjo::detail
