#include "simd/targets_here.hpp"

#include "simd/cpuid_words.hpp"
#include "simd/targets.hpp"
// The choice of targets must come before Highway.
#include <hwy/targets.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

#if defined(__x86_64__)
namespace {

// All that Highway compiles a target for, and the registers that the system must save.
constexpr unsigned kAvx2Features = bit_PCLMUL | bit_FMA | bit_AES | bit_AVX | bit_F16C;
constexpr unsigned kAvx2More = bit_BMI | bit_AVX2 | bit_BMI2;
constexpr unsigned kAvx512More =
    bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
constexpr std::uint64_t kAvx2State = 0x6, kAvx512State = 0xe6;

constexpr bool has_all(std::uint64_t word, std::uint64_t bits) { return (word & bits) == bits; }

bool has_avx2(const CpuidWords& cpu) {
  return has_all(cpu.features, kAvx2Features) && has_all(cpu.more_features, kAvx2More) &&
         has_all(cpu.later_features, bit_LZCNT) && has_all(cpu.saved_state, kAvx2State);
}
bool has_avx512(const CpuidWords& cpu) {
  return has_avx2(cpu) && has_all(cpu.more_features, kAvx512More) &&
         has_all(cpu.saved_state, kAvx512State);
}

}  // namespace
#endif

std::int64_t targets_here() {
#if defined(__x86_64__)
  const CpuidWords& cpu = cpuid_words();
  return (has_avx2(cpu) ? HWY_AVX2 : 0) | (has_avx512(cpu) ? HWY_AVX3 : 0);
#else
  return hwy::SupportedTargets();
#endif
}

}  // namespace kinjo::detail
