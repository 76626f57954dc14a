/// Processes that are cells of this host: how they are forked and how they end.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace kinjo::comm::detail {

/// Keeps the ends of children for who waits for them, as long as it lives: this process may have
/// SIGCHLD ignored, by itself or by who started it, or wait for every child in a handler.
class KeptEnds {
 public:
  KeptEnds();
  ~KeptEnds();
  KeptEnds(const KeptEnds&) = delete;
  KeptEnds& operator=(const KeptEnds&) = delete;

  const struct sigaction& before() const { return before_; }

 private:
  struct sigaction before_ {};
};

/// Descriptors that are closed whatever happens; −1 is none.
struct Descriptors {
  std::vector<int> files;
  ~Descriptors();
};

/// Forks a child that dies with this process, and has the default disposition for signals that end
/// programs, unless they are ignored here, and for SIGCHLD the one from before `ends`. `body` runs
/// in the child and returns its exit status; what it throws is status 125. What it has printed is
/// written out before the child ends. Returns the child's number. Throws `Error`.
pid_t fork_cell(int cell, const KeptEnds& ends, const std::function<int()>& body);

/// Waits for a child's end and returns its status as a shell tells it, 128 + n for signal n.
int wait_for_end(pid_t process);

/// "its process was ended by signal 9 (Killed)", "its process ended with status 3".
std::string describe_end(int status);

}  // namespace kinjo::comm::detail
