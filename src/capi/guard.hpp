/// The wall between C and C++: every function of kinjo.h runs its body through `guarded`, the one
/// place where exceptions become statuses.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include <fmt/format.h>
#include <kinjo/kinjo.h>
#include <kinjo/error.hpp>

namespace kinjo::capi {

/// Stores the exception that is being handled as the calling thread's last failure; its status.
int record_failure() noexcept;

/// As if nothing had failed yet in the calling thread.
void forget_failure() noexcept;

/// What `body` returns, a pointer or an int; on an exception null, or the recorded status.
template <class Body>
auto guarded(Body&& body) noexcept {
  using Returned = decltype(body());
  if constexpr (std::is_pointer_v<Returned>) {
    try {
      return body();
    } catch (...) {
      record_failure();
      return Returned{nullptr};
    }
  } else {
    try {
      return static_cast<int>(body());
    } catch (...) {
      return record_failure();
    }
  }
}

/// A function of `kinjo_team_run` that did not return 0, on its way through the team.
struct FunctionFailed {
  int status;
  std::string message;
};

/// `*pointer`, or an `Error` that says what was missing.
template <class T>
T& need(T* pointer, const char* what) {
  if (!pointer) throw Error(Errc::invalid_argument, fmt::format("{} is NULL", what));
  return *pointer;
}

/// Throws unless `index` lies in [0, count): `no thread 4: there are 4, counted from 0`.
std::size_t need_index(int index, std::size_t count, const char* what);

/// Throws unless `flags` holds only what `accepted` holds.
void need_flags(unsigned flags, unsigned accepted);

}  // namespace kinjo::capi
