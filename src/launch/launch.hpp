/// Starting a program under a placement: prepared once, become as often as is wanted.
///
/// Preparing reads files and finds out how the program can be pinned; becoming sets the calling
/// process's mask and memory policy, which exec keeps, and then is the program. So signals, job
/// control and the exit status need nobody to pass them on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/error.hpp>
#include <kinjo/mapping.hpp>

#include "launch/environment.hpp"
#include "launch/program.hpp"
#include "memory/memory_choice.hpp"

namespace kinjo::detail {

/// Statuses of a program that did not start, as env and timeout use them.
inline constexpr int kLaunchFailed = 125;   ///< kinjo itself
inline constexpr int kNotExecutable = 126;  ///< the program is there and cannot be executed
inline constexpr int kProgramNotFound = 127;

/// The program cannot be started: not found, or no executable file.
class LaunchError : public Error {
 public:
  LaunchError(int status, Errc code, const std::string& message)
      : Error(code, message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// Whether the program's threads are pinned by its own OpenMP runtime.
enum class OpenMp {
  automatic,  ///< if it names such a runtime
  yes,
  no
};
/// Reads `auto`, `yes` or `no`; throws `Error` that says so.
OpenMp parse_openmp(const std::string& text);

/// By what a program's threads are pinned.
enum class LaunchMethod {
  nothing,      ///< policy none
  process,      ///< all threads together, to the CPUs of all places
  environment,  ///< the OpenMP runtime
  preload,      ///< the preloaded library
};

/// What is to be started, and how.
struct LaunchRequest {
  std::vector<std::string> command;  ///< the program and its arguments, not empty
  Mapping mapping;
  BindLevel level = BindLevel::cpu;
  std::optional<MemoryChoice> memory = {};  ///< absent: as inherited
  OpenMp openmp = OpenMp::automatic;
  bool tell_threads = false;  ///< an OpenMP program learns their number even if nothing is pinned
  bool verbose = false;       ///< say what is pinned where, and how
  Variables variables = {};   ///< set besides; what pins the threads beats them
};

/// One program under one placement, ready to start.
///
/// Lines for people go to whom they are handed, without a newline: what the system refuses and
/// what holds instead, and explanations if they were asked for.
class Launch {
 public:
  using Note = std::function<void(const std::string& line)>;
  using Begins = std::function<void()>;

  /// Prepares: nothing of this process is changed. Throws `LaunchError` if the program cannot be
  /// started, `Error` if the preloaded library is missing or none.
  explicit Launch(LaunchRequest request);

  /// How threads will be pinned, unless the system refuses.
  LaunchMethod method() const { return method_; }

  /// Why they are not pinned one by one (method `process`), in one line; else empty.
  const std::string& obstacle() const { return obstacle_; }

  struct Failure {
    int status;  ///< to end with: one of those above
    std::string message;
  };

  /// Sets the process's mask and memory policy and executes the program in its place; may be called
  /// in a forked child, as it takes no lock and changes nothing that is shared. What the system
  /// refuses is noted, and the program then starts on the next rung: unpinned, or with memory as it
  /// is touched. Returns only if the program was not started.
  ///
  /// With method `preload` a watcher is started first, which complains on this process's standard
  /// error if the library is not loaded. Who takes the program's time does so in `begins`, which is
  /// called directly before exec: all that has been done by then is ours.
  Failure become(const Note& note, const Begins& begins = {}) const;

 private:
  /// What the program gets, and the lines that say so.
  struct Outcome {
    Environment environment;
    std::vector<std::string> lines;
  };

  bool uses_openmp() const;
  LaunchMethod choose_method() const;
  Outcome prepare_free(const Environment& environment) const;
  Outcome prepare_pinned(const Environment& environment);
  void prepare_openmp(Outcome& outcome) const;
  void prepare_preload(Outcome& outcome);
  std::string describe_openmp(const Variables& variables) const;

  void place_memory(const Note& note) const;
  /// Holds the process to the CPUs of all places; false if the system refuses.
  bool hold_process(const Note& note) const;
  /// Undoes what the preloaded library of a `kinjo run` around this one has held the process to;
  /// false, since it is not held to places of its own.
  bool leave_place(const Note& note) const;
  Failure execute(Environment environment, LaunchMethod method, const Begins& begins) const;

  LaunchRequest request_;
  std::string path_;
  Executable executable_;
  LaunchMethod method_ = LaunchMethod::nothing;
  CpuSet held_;  ///< the CPUs of all places
  std::string obstacle_;
  Outcome pinned_;
  Outcome free_;           ///< for policy none, and if the process cannot be held to its places
  std::string complaint_;  ///< of the watcher
};

}  // namespace kinjo::detail
