#include "simd/this_cpu.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

namespace {

struct Cpu {
  unsigned vendor = 0;  // the last four letters of its name
  unsigned family = 0;
};

/// Zeros where there is no CPUID.
Cpu this_cpu() {
  Cpu cpu;
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &a, &b, &c, &d)) return cpu;
  cpu.vendor = c;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return cpu;
  cpu.family = ((a >> 8) & 0xf) + ((a >> 20) & 0xff);
#endif
  return cpu;
}

#if defined(__x86_64__)
constexpr unsigned kAmd = signature_AMD_ecx, kIntel = signature_INTEL_ecx;
#else
constexpr unsigned kAmd = 1, kIntel = 2;
#endif

bool is_zen_3_or_4() { return this_cpu().vendor == kAmd && this_cpu().family == 0x19; }
bool is_zen_5() { return this_cpu().vendor == kAmd && this_cpu().family == 0x1a; }
bool is_intel() { return this_cpu().vendor == kIntel; }

}  // namespace

const bool kSplitsWideMoves = is_zen_3_or_4();  // of which Zen 3 has no AVX-512
const bool kMovesStringsFast = is_zen_5();
const bool kFetchesStreamsSideBySide = is_zen_5();
const bool kAddsApart = is_zen_5();
const bool kPacesItself = is_intel();
const bool kStoresLanesFast = is_intel();

}  // namespace kinjo::detail
