/// The interpreter's lock, given back and taken in a way that a thread of C++ survives the
/// interpreter's end.
///
/// A daemon thread that comes back for the lock when the interpreter has ended does not get it.
/// Since Python 3.14 it then waits until the process ends; before, it is ended by `pthread_exit`,
/// which unwinds its stack and so aborts the process where a function of C++ on it is `noexcept`.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

#include <utility>

#include <nanobind/nanobind.h>

namespace kinjo::python {

namespace nb = nanobind;

/// What `call()` returns, which takes the lock: a thread that would be ended there waits, as it
/// does since Python 3.14.
template <class Call>
auto waiting_at_the_end(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
}

/// Other Python threads run while it lives.
class Unlocked {
 public:
  Unlocked() noexcept : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
    waiting_at_the_end([this] { PyEval_RestoreThread(state_); });
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/// The calling thread has the lock while it lives, also one that Python has not made.
class Locked {
 public:
  Locked() : state_(waiting_at_the_end(&PyGILState_Ensure)) {}
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace kinjo::python
