#include "simd/this_cpu.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

namespace {

/// The family of an AMD CPU; 0 for others.
unsigned amd_family() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &a, &b, &c, &d) || c != signature_AMD_ecx) return 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  return ((a >> 8) & 0xf) + ((a >> 20) & 0xff);
#else
  return 0;
#endif
}

}  // namespace

const bool kSplitsWideMoves = amd_family() == 0x19;  // Zen 3, which has no AVX-512, and Zen 4
const bool kMovesStringsFast = amd_family() == 0x1a;
const bool kFetchesStreamsSideBySide = amd_family() == 0x1a;
const bool kAddsApart = amd_family() == 0x1a;

}  // namespace kinjo::detail
