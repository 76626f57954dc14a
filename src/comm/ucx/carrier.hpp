/// The thread that carries puts and gets on while the cell computes, and sends heartbeats always.
///
/// It sleeps in the kernel until a socket or device has something. While the cell looks itself,
/// that would wake it for everything that comes, to find nothing left: so when it sees that the
/// cell has looked since it saw last, it stays away for a millisecond and sees again. That is also
/// how late it is when the cell begins to compute; what is on its way meanwhile fits the buffers
/// below.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "comm/ucx/engine.hpp"

namespace kinjo::comm::detail {

/// A mutex that the cell gets next when it asks: the carrier, which has it most of the time while
/// much is coming, lets it pass.
class CellFirst {
 public:
  // The cell's side.
  void lock() {
    if (mutex_.try_lock()) return;
    wanted_.store(true, std::memory_order_relaxed);
    mutex_.lock();
    wanted_.store(false, std::memory_order_relaxed);
  }
  void unlock() { mutex_.unlock(); }

  /// The carrier's.
  std::unique_lock<std::mutex> lock_behind() {
    while (wanted_.load(std::memory_order_relaxed)) std::this_thread::yield();
    return std::unique_lock(mutex_);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> wanted_{false};
};

class Carrier {
 public:
  /// Starts the thread. Throws `Error` (`system`).
  Carrier(Engine& engine, CellFirst& mutex, std::chrono::milliseconds beat);
  /// Ends it.
  ~Carrier();
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// The cell looks itself, now.
  void note_look() noexcept {
    looks_.store(looks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void run();
  /// Sends and takes what there is, until there is nothing.
  void carry();
  void beat();
  /// Until the time is over, or this is to end.
  void sleep_for(std::chrono::milliseconds time);

  Engine& engine_;
  CellFirst& mutex_;
  const std::chrono::milliseconds beat_;
  Clock::time_point next_beat_;
  std::atomic<std::uint64_t> looks_{0};  ///< one writer: the cell
  std::atomic<bool> is_ending_{false};
  int wake_;  ///< an eventfd: becomes readable at the end
  std::thread thread_;
};

}  // namespace kinjo::comm::detail
