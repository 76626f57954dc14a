/// Barriers for the threads of a team.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <kinjo/detail/wait_word.hpp>

namespace kinjo {

/// Thrown out of a barrier when another thread of the team has left its function by an exception
/// and so will never arrive. `Team::run` swallows it and rethrows the original.
struct BarrierBroken {};

/// A reusable barrier for a fixed number of threads. It spins for a bounded time and then sleeps in
/// the kernel, so it is right, if slow, with more threads than CPUs. What a thread wrote before it
/// arrived is visible to all that leave.
class alignas(128) Barrier {
 public:
  /// `spins` is how many times a thread looks before it sleeps.
  explicit Barrier(std::size_t threads, unsigned spins = 4096) noexcept
      : threads_(static_cast<std::uint32_t>(threads)), spins_(spins) {}
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;

  /// Waits for the others. `last` runs in the last thread to arrive, before anyone leaves.
  template <class F>
  void arrive_and_wait(F&& last);
  void arrive_and_wait() {
    arrive_and_wait([] {});
  }

  /// Makes all present and future arrivals throw `BarrierBroken`, until `repair`.
  void break_it() noexcept;
  /// Makes the barrier new. No thread may be in it.
  void repair() noexcept;

 private:
  void wait_for_change(std::uint32_t seen);
  static constexpr std::uint32_t kBroken = 1;
  static constexpr std::uint32_t kOpening = 2;

  const std::uint32_t threads_;
  const unsigned spins_;
  std::atomic<std::uint32_t> arrived_{0};
  /// Bit 0: broken; the rest counts the times that the barrier opened. On a line of its own,
  /// because the waiting threads read it while others still arrive.
  alignas(128) detail::WaitWord phase_;
};

template <class F>
void Barrier::arrive_and_wait(F&& last) {
  const std::uint32_t seen = phase_.load();
  if (seen & kBroken) throw BarrierBroken{};
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    last();
    arrived_.store(0, std::memory_order_relaxed);
    phase_.add(kOpening);  // keeps a `broken` that came meanwhile
    return;
  }
  wait_for_change(seen);
}

}  // namespace kinjo
