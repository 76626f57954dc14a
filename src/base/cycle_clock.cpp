#include "base/cycle_clock.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

#if defined(__x86_64__)

const char* counter_name() noexcept { return "tsc"; }

std::optional<double> stated_counter_hz() noexcept { return std::nullopt; }

bool counter_is_invariant() noexcept {
  constexpr unsigned kPowerManagement = 0x80000007;
  constexpr unsigned kInvariantTsc = 1u << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  // 0 where the processor has no such leaf.
  return __get_cpuid(kPowerManagement, &a, &b, &c, &d) != 0 && (d & kInvariantTsc) != 0;
}

#elif defined(__aarch64__)

const char* counter_name() noexcept { return "cntvct"; }

std::optional<double> stated_counter_hz() noexcept {
  std::uint64_t hertz;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  // Firmware that does not know it leaves 0.
  return hertz ? std::optional<double>(static_cast<double>(hertz)) : std::nullopt;
}

bool counter_is_invariant() noexcept { return true; }

#else

const char* counter_name() noexcept { return "clock_gettime"; }

std::optional<double> stated_counter_hz() noexcept { return 1e9; }

bool counter_is_invariant() noexcept { return true; }

#endif

}  // namespace kinjo::detail
