#include "simd/cpuid_words.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

#if defined(__x86_64__)
namespace {

/// XCR0, without the flags that a compiler's own name for the instruction takes.
std::uint64_t saved_state() {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

CpuidWords ask() {
  constexpr unsigned kMayReadState = 1U << 27;  // OSXSAVE
  CpuidWords words;
  unsigned most = 0, a = 0, b = 0, c = 0, d = 0;
  __cpuid(0, most, b, words.vendor, d);
  __cpuid(1, words.version, b, words.features, d);
  if (most >= 7) __cpuid_count(7, 0, a, words.more_features, c, d);
  __cpuid(0x80000001U, a, b, words.later_features, d);
  if (words.features & kMayReadState) words.saved_state = saved_state();
  return words;
}

}  // namespace
#else
namespace {

CpuidWords ask() { return {}; }

}  // namespace
#endif

const CpuidWords& cpuid_words() {
  static const CpuidWords words = ask();
  return words;
}

}  // namespace kinjo::detail
