// Programs as cells of this host. Each finds its number, their count, and the memory file that all
// have inherited in KINJO_CELLS, as cell:count:file:device:inode.
#include "comm/launch.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/error.hpp>

#include "base/initial_affinity.hpp"
#include "base/run_places.h"
#include "base/text.hpp"
#include "comm/cell_process.hpp"
#include "comm/neighbourhood.hpp"
#include "comm/strays.hpp"

namespace kinjo::comm {
namespace {

constexpr auto kGrace = std::chrono::seconds(2);

/// The processes of the cells; ends those that it has not waited for.
class Children {
 public:
  /// Room for so many: from then on nothing here asks for memory, so no child is forgotten.
  Children(std::size_t count, const detail::Stop* stop) : stop_(stop) {
    processes_.reserve(count);
    descriptors_.reserve(count + 1);
    ends_.reserve(count);
    if (stop != nullptr) strays_.emplace();
  }
  ~Children() {
    if (running_ != 0) end_all();
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  /// Throws `Error` if a process cannot be watched; it is ended then.
  void add(pid_t process) {
    const int file = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    if (file < 0) {
      const int error = errno;
      kill(process, SIGKILL);
      detail::wait_for_end(process);
      throw Error(error == ENOSYS ? Errc::not_supported : Errc::system,
                  fmt::format("cannot watch the process of cell {}: pidfd_open returned {}",
                              processes_.size(), kinjo::detail::errno_name(error)));
    }
    processes_.push_back(process);
    descriptors_.push_back({.fd = file, .events = POLLIN, .revents = 0});
    ++running_;
  }

  /// Waits for all, and ends the others as soon as one has failed, and all when it is time to.
  std::vector<ProcessEnd> wait_all() {
    if (stop_ != nullptr) {
      descriptors_.push_back({.fd = stop_->file, .events = POLLIN, .revents = 0});
    }
    while (running_ != 0) {
      if (take_ended(strays_ ? kReap_ms : -1)) end_all();
      if (strays_) detail::Strays::reap(processes_);
    }
    return ends_;
  }

 private:
  static constexpr int kReap_ms = 1000;  ///< for so long who has ended elsewhere keeps its number

  /// Notes who has ended within `milliseconds` (−1: waits for one); whether one has failed, or it
  /// is time to stop.
  bool take_ended(int milliseconds) {
    if (poll(descriptors_.data(), descriptors_.size(), milliseconds) <= 0) return false;
    bool failed = is_time_to_stop();
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (descriptors_[i].fd < 0 || descriptors_[i].revents == 0) continue;
      ends_.push_back({.cell = static_cast<int>(i), .status = detail::wait_for_end(processes_[i])});
      failed = failed || ends_.back().status != 0;
      close(descriptors_[i].fd);
      descriptors_[i].fd = -1;
      --running_;
    }
    return failed;
  }

  bool is_time_to_stop() {
    if (descriptors_.size() == processes_.size()) return false;
    pollfd& stop = descriptors_.back();
    if (stop.revents == 0 || !stop_->arrived()) return false;
    stop.fd = -1;  // nobody reads it any more
    stop.revents = 0;
    return true;
  }

  void signal_all(int number) {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (descriptors_[i].fd >= 0) kill(processes_[i], number);
    }
  }

  /// Whether somebody is left, now that strays have been sent the signal too.
  bool are_left(int number) {
    try {
      const bool strays = strays_ && strays_->signal(number, processes_);
      return strays || running_ != 0;
    } catch (const std::bad_alloc&) {
      return running_ != 0;  // the cells themselves are ended all the same
    }
  }

  void end_all() {
    using Clock = std::chrono::steady_clock;
    signal_all(SIGTERM);
    for (const auto end = Clock::now() + kGrace; are_left(SIGTERM) && Clock::now() < end;) {
      take_ended(50);
    }
    signal_all(SIGKILL);
    while (running_ != 0) take_ended(-1);
    // Who waits in the kernel for a dead disk does not die of it, and is left.
    for (const auto end = Clock::now() + kGrace; are_left(SIGKILL) && Clock::now() < end;) {
      take_ended(10);
    }
  }

  const detail::Stop* stop_;
  std::optional<detail::Strays> strays_;  ///< where this process is a launcher and nothing else
  std::vector<pid_t> processes_;
  std::vector<pollfd> descriptors_;  ///< of those that run; −1 for others; then the stop's
  std::size_t running_ = 0;
  std::vector<ProcessEnd> ends_;
};

/// A pipe by which children say why they did not come to run their program.
class Refusals {
 public:
  Refusals() {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw Error(Errc::system,
                  fmt::format("cannot make a pipe: {}", kinjo::detail::errno_name(errno)));
    }
  }
  ~Refusals() {
    for (const int end : ends_) close(end);
  }
  Refusals(const Refusals&) = delete;
  Refusals& operator=(const Refusals&) = delete;

  /// A line: the code's number and the reason.
  void say(Errc code, std::string_view reason) const {
    const std::string line = fmt::format("{} {}\n", static_cast<int>(code), reason);
    [[maybe_unused]] const auto written =
        write(ends_[1], line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
  }
  /// What was said when all children have ended; of several reasons, the first.
  std::optional<Error> heard() const {
    std::string text(PIPE_BUF, '\0');
    const ssize_t bytes = read(ends_[0], text.data(), text.size());
    text.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
    const std::string line = text.substr(0, text.find('\n'));
    const std::size_t space = line.find(' ');
    if (space == line.npos) return std::nullopt;
    return Error(static_cast<Errc>(std::stoi(line)), line.substr(space + 1));
  }

 private:
  int ends_[2];
};

/// Under `kinjo run` the library that is preloaded into the program pins it to the first place, and
/// this process has been pinned so.
void take_own_place(const Mapping& mapping, std::size_t row) {
  const char* const places = std::getenv(KINJO_RUN_PLACES);
  if (places == nullptr) return;
  if (mapping.binds()) {
    const CpuSet own = bound_cpus(mapping, row, BindLevel::cpu);
    setenv(KINJO_RUN_PLACES, own.to_string().c_str(), 1);
  } else {
    set_thread_affinity(kinjo::detail::with_all_places(thread_affinity(), places));
    unsetenv(KINJO_RUN_PLACES);
  }
}

/// Names the cell and the memory file, which the program inherits.
void pass_on(int cell, std::size_t count, int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || fcntl(file, F_SETFD, 0) != 0) {
    throw Error(Errc::system, fmt::format("cannot pass on the memory of cell {}: {}", cell,
                                          kinjo::detail::errno_name(errno)));
  }
  const std::string cells =
      fmt::format("{}:{}:{}:{}:{}", cell, count, file, status.st_dev, status.st_ino);
  setenv("KINJO_CELLS", cells.c_str(), 1);
}

[[noreturn]] void execute(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw Error(errno == ENOENT   ? Errc::not_found
              : errno == EACCES ? Errc::not_permitted
                                : Errc::system,
              fmt::format("cannot start {}: {}", kinjo::detail::printable(command[0]),
                          errno == ENOENT ? "not found" : std::strerror(errno)));
}

/// What becomes of a child: the program, or a word why not.
int become_program(const Mapping& mapping, int cell, int file,
                   const std::vector<std::string>& command, const Refusals& refusals) {
  try {
    const auto row = static_cast<std::size_t>(cell);
    take_own_place(mapping, row);
    const Binding binding(mapping, row);
    pass_on(cell, mapping.size(), file);
    execute(command);
  } catch (const std::bad_alloc&) {
    refusals.say(Errc::out_of_memory, "there is not enough memory");
    throw;
  } catch (const Error& error) {
    refusals.say(error.code(), error.what());
    throw;
  } catch (const std::exception& error) {
    refusals.say(Errc::system, error.what());
    throw;
  }
}

/// `stop`: null where this process has other business than these cells.
std::vector<ProcessEnd> launch_all(const Mapping& mapping, const std::vector<std::string>& command,
                                   const detail::Stop* stop) {
  if (command.empty()) {
    throw Error(Errc::invalid_argument, "there is no command to launch: expected a program");
  }
  const int count = static_cast<int>(mapping.size());
  std::optional<detail::Descriptors> memory(std::in_place);
  memory->files.resize(1, -1);  // before there is a file that want of memory would leave open
  const int file = memory->files.front() = detail::create_memory_file(count);
  const Refusals refusals;
  const detail::KeptEnds kept;
  Children children(mapping.size(), stop);
  for (int cell = 0; cell < count; ++cell) {
    children.add(detail::fork_cell(
        cell, kept, [&] { return become_program(mapping, cell, file, command, refusals); }));
  }
  memory.reset();  // it is the cells' alone, and goes with the last of them
  auto ends = children.wait_all();
  if (const auto refusal = refusals.heard()) throw Error(*refusal);
  return ends;
}

}  // namespace

std::vector<ProcessEnd> launch(const Mapping& mapping, const std::vector<std::string>& command) {
  return launch_all(mapping, command, nullptr);
}

std::vector<ProcessEnd> detail::launch_all(const Mapping& mapping,
                                           const std::vector<std::string>& command,
                                           const Stop& stop) {
  return comm::launch_all(mapping, command, &stop);
}

}  // namespace kinjo::comm
