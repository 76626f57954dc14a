/// The barrier's slow ways: the wait for a change of phase, which spins and then sleeps, and
/// breaking. The fast one, a counter and a phase, is a template in the header.
#include <kinjo/barrier.hpp>

namespace kinjo {

void Barrier::wait_for_change(std::uint32_t seen) {
  const std::uint32_t now = phase_.wait_while(seen, spins_);
  // Opened before it broke: this thread may go on and will meet the broken barrier next time.
  if ((now & kBroken) && now - kBroken == seen) throw BarrierBroken{};
}

void Barrier::break_it() noexcept { phase_.set_bits(kBroken); }

void Barrier::repair() noexcept {
  arrived_.store(0, std::memory_order_relaxed);
  phase_.clear_bits(kBroken);
}

}  // namespace kinjo
