/// A command that is started to be looked at. Its standard streams are the caller's.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "observe/watch.hpp"

namespace kinjo::detail {

struct ChildEnd {
  int status = 0;          ///< as shells have it: 128 + n if signal n ended it
  bool by_signal = false;  ///< a program may end with such a status by itself
};

/// A child process. It is never killed: who goes first waits for it.
class Child {
 public:
  /// Starts `path` with `arguments` (the first is its name), with the signal mask that stood before
  /// `signals`. Returns when exec has succeeded or failed.
  Child(const std::string& path, const std::vector<std::string>& arguments,
        const SignalFile& signals);

  int error() const { return error_; }        ///< errno of the call that failed, 0 if it runs
  const char* call() const { return call_; }  ///< that call: `pipe2`, `fork` or `exec`
  pid_t pid() const { return pid_; }

  /// Waits for its end and passes signals on meanwhile.
  ChildEnd wait();

 private:
  const SignalFile& signals_;
  pid_t pid_ = -1;
  int error_ = 0;
  const char* call_ = "pipe2";  ///< the last one
};

}  // namespace kinjo::detail
