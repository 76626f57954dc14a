/// A command that is started to be looked at. Its standard streams are the caller's.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "observe/watch.hpp"

namespace kinjo::detail {

/// A child process. It is never killed: who goes first waits for it.
class Child {
 public:
  /// Starts `path` with `arguments` (the first is its name), with the signal mask that stood before
  /// `signals`. Returns when exec has succeeded or failed.
  Child(const std::string& path, const std::vector<std::string>& arguments,
        const SignalFile& signals);

  int error() const { return error_; }  ///< errno of fork or exec, 0 if it runs
  pid_t pid() const { return pid_; }

  /// Waits for its end and passes signals on meanwhile. Its status as shells have it: 128 + n if
  /// signal n ended it.
  int wait();

 private:
  const SignalFile& signals_;
  pid_t pid_ = -1;
  int error_ = 0;
};

}  // namespace kinjo::detail
