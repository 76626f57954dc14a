#include <kinjo/barrier.hpp>

#include "base/relax.hpp"

namespace kinjo {

void Barrier::wait_for_change(std::uint32_t seen) {
  std::uint32_t now = phase_.load(std::memory_order_acquire);
  for (unsigned spin = 0; now == seen && spin < spins_; ++spin) {
    detail::relax();
    now = phase_.load(std::memory_order_acquire);
  }
  while (now == seen) {
    phase_.wait(seen, std::memory_order_acquire);
    now = phase_.load(std::memory_order_acquire);
  }
  // Opened before it broke: this thread may go on and will meet the broken barrier next time.
  if ((now & kBroken) && now - kBroken == seen) throw BarrierBroken{};
}

void Barrier::break_it() noexcept {
  phase_.fetch_or(kBroken, std::memory_order_acq_rel);
  phase_.notify_all();
}

void Barrier::repair() noexcept {
  arrived_.store(0, std::memory_order_relaxed);
  phase_.fetch_and(~kBroken, std::memory_order_release);
}

}  // namespace kinjo
