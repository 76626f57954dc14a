/// The processor's own counter of time (S0 section 2): the finest clock there is, and one that is
/// read without the kernel. On x86 the time stamp counter, on 64-bit ARM the virtual counter, and
/// elsewhere CLOCK_MONOTONIC_RAW in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>

#if defined(__x86_64__)
#include <x86intrin.h>
#elif !defined(__aarch64__)
#include <ctime>
#endif

namespace kinjo::detail {

/// `tsc`, `cntvct` or `clock_gettime`.
const char* counter_name() noexcept;

/// The counter, read when everything before in program order has been executed and before anything
/// behind it begins: what is timed stays between its two readings. (Stores may still be on their
/// way to memory.)
inline std::uint64_t read_counter() noexcept {
#if defined(__x86_64__)
  // RDTSC alone is executed whenever the core likes. LFENCE lets nothing behind it begin before all
  // in front of it is done, so one on each side pins the reading down. RDTSCP would take the place
  // of the first one only, is not on every processor, and writes a register that nobody needs here.
  _mm_lfence();
  const std::uint64_t count = __rdtsc();
  _mm_lfence();
  return count;
#elif defined(__aarch64__)
  // ISB does for the virtual counter what LFENCE does above.
  std::uint64_t count;
  asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count)::"memory");
  return count;
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

/// The frequency that the hardware or the clock states: `cntfrq_el0` on ARM, 10⁹ where there is no
/// counter. Absent on x86, where it has to be measured.
std::optional<double> stated_counter_hz() noexcept;

/// Whether the hardware promises that the counter runs at one rate whatever the core's own clock
/// does and never stops: on x86 CPUID leaf 0x80000007, EDX bit 8; elsewhere always.
bool counter_is_invariant() noexcept;

}  // namespace kinjo::detail
