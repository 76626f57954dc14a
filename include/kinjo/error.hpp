/// Errors: one exception class whose code says what kind of fault it is and whose message says
/// what was wrong, why, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace kinjo {

/// The kind of a failure. The C API returns the negative of these numbers, so they never change.
enum class Errc : int {
  invalid_argument = 1,  ///< a value that the caller passed is not acceptable
  bad_input = 2,         ///< a file or a string is malformed; the message names the line
  not_found = 3,         ///< a file, node or CPU does not exist
  not_permitted = 4,     ///< the system refused (EPERM, EACCES, seccomp)
  not_supported = 5,     ///< the system cannot do this (ENOSYS, no such feature)
  out_of_memory = 6,     ///< not enough memory, or a limit on it
  system = 7,            ///< another system call failed; the message holds its errno
  usage = 8,             ///< a call at a moment when it is not allowed, e.g. `run` inside `run`
  timed_out = 9,         ///< a wait has lasted longer than its caller allowed
  cell_lost = 10,        ///< another cell has died or cannot be reached
};

/// The name of a code as it is written in the enumeration, e.g. `"bad_input"`.
const char* to_string(Errc code) noexcept;

/// What every kinjo function throws for bad input and refused system calls. A broken promise
/// inside the library is a different thing and ends in `KINJO_ASSERT`.
class Error : public std::runtime_error {
 public:
  /// `message` is one line that names the thing, says why, and what to do.
  Error(Errc code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

}  // namespace kinjo
