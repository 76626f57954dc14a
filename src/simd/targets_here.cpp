#include "simd/targets_here.hpp"

#include "simd/targets.hpp"
// The choice of targets must come before Highway.
#include <hwy/targets.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kinjo::detail {

#if defined(__x86_64__)
namespace {

/// What compilers' own question does not know by name everywhere.
bool has_f16c_and_lzcnt() {
  constexpr unsigned kF16c = 1U << 29, kLzcnt = 1U << 5, kExtended = 0x80000001;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & kF16c) == 0) return false;
  return __get_cpuid(kExtended, &a, &b, &c, &d) && (c & kLzcnt) != 0;
}
// All that Highway compiles a target for, which the system must save, too.
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") && has_f16c_and_lzcnt();
}
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd");
}

}  // namespace
#endif

std::int64_t targets_here() {
#if defined(__x86_64__)
  return (has_avx2() ? HWY_AVX2 : 0) | (has_avx512() ? HWY_AVX3 : 0);
#else
  return hwy::SupportedTargets();
#endif
}

}  // namespace kinjo::detail
