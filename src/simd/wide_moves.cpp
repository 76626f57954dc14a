#include "simd/wide_moves.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

namespace {

bool splits_wide_moves() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &a, &b, &c, &d) || c != signature_AMD_ecx) return false;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const unsigned family = ((a >> 8) & 0xf) + ((a >> 20) & 0xff);
  return family == 0x19;  // Zen 3, which has no AVX-512, and Zen 4
#else
  return false;
#endif
}

}  // namespace

const bool kSplitsWideMoves = splits_wide_moves();

}  // namespace kinjo::detail
