/// Contestants in processes of their own, of which one runs at a time.
///
/// A library's threads may spin between calls (OpenBLAS's for 2^26 cycles, OpenMP's for
/// milliseconds), on the CPUs that the next contestant should have; with several such libraries in
/// one process, calls over all CPUs come to a standstill. Here every process goes through the
/// whole program, but calls only its own contestants; whenever it has taken a sample it is stopped,
/// with all its threads, until its next turn. Only the first knows what was measured and prints it.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kinjo::bench {

class Processes {
 public:
  /// All contestants in this process, until `start`.
  static Processes& all() {
    static Processes processes;
    return processes;
  }

  /// Starts a process for each of `names`, before any thread is. This process keeps the
  /// contestants of other names, and standard output.
  void start(const std::vector<std::string>& names) {
    std::fflush(stdout);
    for (const std::string& name : names) {
      Peer peer = open_peer();
      peer.id = fork();
      if (peer.id == 0) return become(name, peer);
      if (peer.id < 0) fail("fork");
      close(peer.to_child[0]);
      close(peer.to_parent[1]);
      // Stopped, or the first turn could come before the stop.
      if (waitpid(peer.id, nullptr, WUNTRACED) != peer.id) fail("waitpid");
      peers_.emplace(name, peer);
    }
  }

  /// Whether this process calls that contestant.
  bool own(const std::string& name) const {
    return is_child() ? name == name_ : !peers_.contains(name);
  }
  bool is_child() const { return !name_.empty(); }
  /// Whether there is but this process.
  bool alone() const { return !is_child() && peers_.empty(); }

  /// In the first process: goes on with the one of `name`, which is to take `calls` calls, until it
  /// has said how many seconds each took.
  double turn(const std::string& name, std::size_t calls) {
    const Peer& peer = peers_.at(name);
    double seconds = 0;
    put(peer.to_child[1], &calls, sizeof calls);
    kill(peer.id, SIGCONT);
    take(peer.to_parent[0], &seconds, sizeof seconds);
    kill(peer.id, SIGSTOP);
    return seconds;
  }

  /// In another process: waits for its turn and takes it.
  void take_turn(const std::function<double(std::size_t)>& seconds_of_calls) {
    std::size_t calls = 0;
    take(self_.to_child[0], &calls, sizeof calls);
    const double seconds = seconds_of_calls(calls);
    put(self_.to_parent[1], &seconds, sizeof seconds);
  }

  ~Processes() {
    if (is_child()) return;
    for (const auto& [name, peer] : peers_) kill(peer.id, SIGKILL);
    for (const auto& [name, peer] : peers_) waitpid(peer.id, nullptr, 0);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

 private:
  struct Peer {
    pid_t id;
    int to_child[2], to_parent[2];
  };

  Processes() = default;

  [[noreturn]] static void fail(const char* what) {
    std::perror(what);
    std::exit(1);
  }

  static Peer open_peer() {
    Peer peer{};
    if (pipe(peer.to_child) != 0 || pipe(peer.to_parent) != 0) fail("pipe");
    return peer;
  }

  void become(const std::string& name, const Peer& self) {
    // Also where the first process is killed while this one stands still.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    name_ = name;
    self_ = self;
    close(self.to_child[1]);
    close(self.to_parent[0]);
    peers_.clear();
    if (!std::freopen("/dev/null", "w", stdout)) fail("/dev/null");
    raise(SIGSTOP);
  }

  static void put(int file, const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t n = write(file, from, bytes);
      if (n <= 0) fail("a contestant's process is gone");
      from += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }
  static void take(int file, void* data, std::size_t bytes) {
    char* to = static_cast<char*>(data);
    while (bytes > 0) {
      const ssize_t n = read(file, to, bytes);
      if (n <= 0) fail("a contestant's process is gone");
      to += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }

  std::map<std::string, Peer> peers_;  // of the first process
  std::string name_;                   // of the only contestant of another
  Peer self_{};
};

}  // namespace kinjo::bench
