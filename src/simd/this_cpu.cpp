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
Cpu ask_cpu() {
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

/// Asked once: in a virtual machine each question goes to the host.
const Cpu kCpu = ask_cpu();
const bool kIsZen3Or4 = kCpu.vendor == kAmd && kCpu.family == 0x19;
const bool kIsZen5 = kCpu.vendor == kAmd && kCpu.family == 0x1a;
const bool kIsIntel = kCpu.vendor == kIntel;

}  // namespace

const bool kSplitsWideMoves = kIsZen3Or4;  // of which Zen 3 has no AVX-512
const bool kMovesStringsFast = kIsZen5;
const bool kFetchesStreamsSideBySide = kIsZen5;
const bool kAddsApart = kIsZen5;
const bool kPacesItself = kIsIntel;
const bool kStoresLanesFast = kIsIntel;

}  // namespace kinjo::detail
