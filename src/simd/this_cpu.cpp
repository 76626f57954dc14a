#include "simd/this_cpu.hpp"

#include "simd/cpuid_words.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

namespace {

#if defined(__x86_64__)
constexpr unsigned kAmd = signature_AMD_ecx, kIntel = signature_INTEL_ecx;
#else
constexpr unsigned kAmd = 1, kIntel = 2;
#endif

unsigned family() {
  const unsigned version = cpuid_words().version;
  return ((version >> 8) & 0xf) + ((version >> 20) & 0xff);
}
bool is_of(unsigned vendor) { return cpuid_words().vendor == vendor; }

const bool kIsZen3Or4 = is_of(kAmd) && family() == 0x19;
const bool kIsZen5 = is_of(kAmd) && family() == 0x1a;
const bool kIsIntel = is_of(kIntel);

}  // namespace

const bool kSplitsWideMoves = kIsZen3Or4;  // of which Zen 3 has no AVX-512
const bool kMovesStringsFast = kIsZen5;
const bool kFetchesStreamsSideBySide = kIsZen5;
const bool kAddsApart = kIsZen5;
const bool kPacesItself = kIsIntel;
const bool kStoresLanesFast = kIsIntel;

}  // namespace kinjo::detail
