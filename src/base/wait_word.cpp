#include <kinjo/detail/wait_word.hpp>

#include "base/relax.hpp"

namespace kinjo::detail {

std::uint32_t WaitWord::wait_while(std::uint32_t seen, unsigned spins) noexcept {
  for (unsigned spin = 0; spin < spins; ++spin) {
    const std::uint32_t now = load();
    if (now != seen) return now;
    relax();
  }
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  std::uint32_t now = value_.load(std::memory_order_seq_cst);
  while (now == seen) {
    value_.wait(seen, std::memory_order_seq_cst);
    now = value_.load(std::memory_order_seq_cst);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
  return now;
}

}  // namespace kinjo::detail
