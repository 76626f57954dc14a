#include "gemm/files/touch_tasks.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::gemm {

/// All members are guarded by the mutex of the tasks.
class TouchTasks::State {
 public:
  explicit State(Transfer t) : transfer(std::move(t)) {}
  Transfer transfer;
  std::size_t begun = 0, ended = 0;
  bool is_done = false;
  std::exception_ptr fault;
};

TouchTasks::TouchTasks(std::size_t threads) {
  threads_.reserve(threads);
  try {
    while (threads_.size() < threads) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& refusal) {
    end_threads();
    throw Error(
        Errc::system,
        fmt::format("cannot start thread {} of {} that read and write: {} (a limit on threads or "
                    "memory?)",
                    threads_.size() + 1, threads, detail::errno_name(refusal.code().value())));
  } catch (...) {
    end_threads();
    throw;
  }
}

TouchTasks::~TouchTasks() { end_threads(); }

void TouchTasks::end_threads() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  more_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

TouchTasks::Ticket TouchTasks::start(Transfer what) {
  const auto ticket = std::make_shared<State>(std::move(what));
  {
    const std::lock_guard lock(mutex_);
    const Transfer& transfer = ticket->transfer;
    const bool must_wait = transfer.behind && !transfer.behind->is_done;
    ticket->is_done = transfer.pieces == 0;
    if (!ticket->is_done) (must_wait ? behind_ : waiting_).emplace(transfer.deadline, ticket);
  }
  more_.notify_all();
  return ticket;
}

void TouchTasks::join(const Ticket& ticket) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return ticket->is_done; });
  if (ticket->fault) std::rethrow_exception(ticket->fault);
}

void TouchTasks::release_behind(const State& done) {
  for (auto at = behind_.begin(); at != behind_.end();) {
    const auto now = at++;
    if (now->second->transfer.behind.get() == &done) waiting_.insert(behind_.extract(now));
  }
}

void TouchTasks::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    more_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const Ticket ticket = waiting_.begin()->second;
    State& state = *ticket;
    if (state.transfer.behind) state.fault = std::exchange(state.transfer.behind, {})->fault;
    const std::size_t piece = state.begun++;
    if (state.begun == state.transfer.pieces) waiting_.erase(waiting_.begin());
    std::exception_ptr fault = state.fault;
    lock.unlock();
    try {
      if (!fault) state.transfer.piece(piece);
    } catch (...) {
      fault = std::current_exception();
    }
    lock.lock();
    if (!state.fault) state.fault = fault;
    if (++state.ended < state.transfer.pieces) continue;
    if (!state.fault && state.transfer.after) {
      lock.unlock();
      try {
        state.transfer.after();
      } catch (...) {
        fault = std::current_exception();
      }
      lock.lock();
      state.fault = fault;
    }
    state.is_done = true;
    release_behind(state);
    done_.notify_all();
    more_.notify_all();  // for what is behind it
  }
}

}  // namespace kinjo::gemm
