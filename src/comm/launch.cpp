// Programs as cells of this host. Each finds its number, their count, and the memory file that all
// have inherited in KINJO_CELLS, as cell:count:file.
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/comm_start.hpp>
#include <kinjo/error.hpp>

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

[[noreturn]] void execute(const std::vector<std::string>& command, const std::string& cells) {
  setenv("KINJO_CELLS", cells.c_str(), 1);
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

}  // namespace

std::vector<ProcessEnd> launch(const Mapping& mapping, const std::vector<std::string>& command) {
  if (command.empty()) {
    throw Error(Errc::invalid_argument, "there is no command to launch: expected a program");
  }
  const int count = static_cast<int>(mapping.size());
  const int kept = detail::create_memory_file(count);
  const int file = dup(kept);  // without close-on-exec
  close(kept);
  Refusals refusals;
  Children children(mapping.size());
  for (int cell = 0; cell < count; ++cell) {
    children.add(detail::fork_cell(cell, [&]() -> int {
      try {
        const Binding binding(mapping, static_cast<std::size_t>(cell));
        execute(command, fmt::format("{}:{}:{}", cell, count, file));
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
    }));
  }
  close(file);
  auto ends = children.wait_all();
  if (const auto refusal = refusals.heard()) throw Error(*refusal);
  return ends;
}

}  // namespace kinjo::comm
