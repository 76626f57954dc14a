/// For which targets Highway compiles kinjo's kernels. Include this before any header of Highway.
///
/// Highway 1.0.3 begins at SSSE3 on x86. What stands below, its target SCALAR, is compiled with
/// x86-64's base flags and becomes kinjo's level `sse2` with the vectors of simd/vector16.hpp;
/// SSSE3 and SSE4 would add nothing that these kernels use, nor does AVX3_DL. SVE is left out: its
/// vectors have no size at compile time.
#pragma once

#ifdef HWY_HIGHWAY_INCLUDED
#error "simd/targets.hpp must come before Highway"
#endif

// EMU128, Highway's other base, is broken by g++ before 12.3; one base for all compilers.
#define HWY_BROKEN_EMU128 1
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#include <hwy/detect_targets.h>

// Which levels there are besides `scalar`, for the preprocessor. A build with wider flags
// (-march=native) has no target below its own.
#if defined(__x86_64__) && (HWY_TARGETS & HWY_SCALAR)
#define KINJO_SIMD_SSE2 1
#define KINJO_SIMD_SSE2_OR_NULL(kernels) &N_SCALAR::kernels
#else
#define KINJO_SIMD_SSE2_OR_NULL(kernels) nullptr
#endif
#if defined(__x86_64__) && (HWY_TARGETS & HWY_AVX2)
#define KINJO_SIMD_AVX2 1
#define KINJO_SIMD_AVX2_OR_NULL(kernels) &N_AVX2::kernels
#else
#define KINJO_SIMD_AVX2_OR_NULL(kernels) nullptr
#endif
#if defined(__x86_64__) && (HWY_TARGETS & HWY_AVX3)
#define KINJO_SIMD_AVX512 1
#define KINJO_SIMD_AVX512_OR_NULL(kernels) &N_AVX3::kernels
#else
#define KINJO_SIMD_AVX512_OR_NULL(kernels) nullptr
#endif
#if defined(__aarch64__) && (HWY_TARGETS & HWY_NEON)
#define KINJO_SIMD_NEON 1
#define KINJO_SIMD_NEON_OR_NULL(kernels) &N_NEON::kernels
#else
#define KINJO_SIMD_NEON_OR_NULL(kernels) nullptr
#endif

/// The address of `kernels` in each target's namespace, in the order of `SimdLevel` after `scalar`;
/// null where there is no such target.
#define KINJO_SIMD_TARGETS(kernels)                                   \
  KINJO_SIMD_SSE2_OR_NULL(kernels), KINJO_SIMD_AVX2_OR_NULL(kernels), \
      KINJO_SIMD_AVX512_OR_NULL(kernels), KINJO_SIMD_NEON_OR_NULL(kernels)
