// Programs as cells of this host. Each finds its number, their count, and the memory file that all
// have inherited in KINJO_CELLS, as cell:count:file.
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include <fmt/format.h>
#include <kinjo/comm_start.hpp>

#include "base/text.hpp"
#include "comm/cell_process.hpp"
#include "comm/neighbourhood.hpp"

namespace kinjo::comm {
namespace {

constexpr auto kGrace = std::chrono::seconds(2);

/// The processes of the cells; ends those that it has not waited for.
class Children {
 public:
  /// Room for so many: from then on nothing here asks for memory, so no child is forgotten.
  explicit Children(std::size_t count) {
    processes_.reserve(count);
    descriptors_.reserve(count);
    ends_.reserve(count);
  }
  ~Children() { end_all(); }
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

  /// Waits for all, and ends the others as soon as one has failed.
  std::vector<ProcessEnd> wait_all() {
    while (running_ != 0) {
      if (take_ended(-1)) end_all();
    }
    return ends_;
  }

 private:
  /// Notes who has ended within `milliseconds` (−1: waits for one); whether one has failed.
  bool take_ended(int milliseconds) {
    bool failed = false;
    if (poll(descriptors_.data(), descriptors_.size(), milliseconds) <= 0) return false;
    for (std::size_t i = 0; i < descriptors_.size(); ++i) {
      if (descriptors_[i].fd < 0 || descriptors_[i].revents == 0) continue;
      ends_.push_back({.cell = static_cast<int>(i), .status = detail::wait_for_end(processes_[i])});
      failed = failed || ends_.back().status != 0;
      close(descriptors_[i].fd);
      descriptors_[i].fd = -1;
      --running_;
    }
    return failed;
  }

  void signal_all(int number) {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (descriptors_[i].fd >= 0) kill(processes_[i], number);
    }
  }

  void end_all() {
    signal_all(SIGTERM);
    const auto deadline = std::chrono::steady_clock::now() + kGrace;
    while (running_ != 0 && std::chrono::steady_clock::now() < deadline) take_ended(50);
    signal_all(SIGKILL);
    while (running_ != 0) take_ended(-1);
  }

  std::vector<pid_t> processes_;
  std::vector<pollfd> descriptors_;  ///< of those that run; −1 for others
  std::size_t running_ = 0;
  std::vector<ProcessEnd> ends_;
};

int execute(const std::vector<std::string>& command, const std::string& cells) {
  setenv("KINJO_CELLS", cells.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return errno == ENOENT ? 127 : 126;
}

}  // namespace

std::vector<ProcessEnd> launch(const Mapping& mapping, const std::vector<std::string>& command) {
  if (command.empty()) {
    throw Error(Errc::invalid_argument, "there is no command to launch: expected a program");
  }
  const int count = static_cast<int>(mapping.size());
  const int kept = detail::create_memory_file(count);
  const int file = dup(kept);  // without close-on-exec
  close(kept);
  Children children(mapping.size());
  for (int cell = 0; cell < count; ++cell) {
    children.add(detail::fork_cell(mapping, cell, [&] {
      return execute(command, fmt::format("{}:{}:{}", cell, count, file));
    }));
  }
  close(file);
  return children.wait_all();
}

}  // namespace kinjo::comm
