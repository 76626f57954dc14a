/// Long work that Ctrl-C ends.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>

namespace kinjo::python {

namespace nb = nanobind;

/// What `work(stop)` returns, which runs in a thread of its own and without the interpreter's lock.
/// The calling thread looks for signals meanwhile, since Python lets no other handle them. Where a
/// handler raises, `stop` becomes true, what `work` returns then is dropped, and the exception is
/// thrown.
template <class Work>
auto interruptible(Work&& work) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
  std::atomic<bool> stop{false};
  auto result = std::async(std::launch::async, [&] { return work(std::as_const(stop)); });
  std::optional<nb::python_error> raised;
  {
    const nb::gil_scoped_release released;
    while (result.wait_for(kBetweenLooks) != std::future_status::ready) {
      if (raised) continue;
      const nb::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() == 0) continue;
      raised.emplace();
      stop = true;
    }
  }
  if (raised) throw *std::move(raised);
  return result.get();
}

}  // namespace kinjo::python
