/// Which vector instructions kinjo's kernels use on this CPU.
#pragma once

#include <string>
#include <vector>

namespace kinjo {

/// What a kernel was compiled for. A program holds all levels of its architecture; which of them
/// runs is decided when the first kernel is called.
enum class SimdLevel {
  scalar,  ///< plain C++ loops, one element at a time: the reference
  sse2,    ///< x86-64's base: 16-byte vectors, no fused multiply-add
  avx2,    ///< x86-64 with AVX2, FMA and BMI (Haswell, Zen and later): 32-byte vectors
  avx512,  ///< x86-64 with AVX-512 F, VL, DQ, CD and BW (Skylake-X, Zen 4 and later): 64-byte
           ///< vectors
  neon,    ///< 64-bit ARM: 16-byte vectors
};
/// Its name as `KINJO_SIMD` takes it, e.g. `"avx2"`.
const char* to_string(SimdLevel level) noexcept;

/// The levels that were compiled in and that this CPU (and its operating system) has, lowest first;
/// never empty.
std::vector<SimdLevel> simd_levels();

/// The level in use: the highest of `simd_levels()`, or what the variable `KINJO_SIMD` names.
/// Chosen once, at the first call of this function or of a kernel.
///
/// Throws `Error` if `KINJO_SIMD` names no level (`bad_input`), or one that is not among
/// `simd_levels()` (`not_supported`). Kernels throw the same until the variable is mended: no
/// kernel runs at a level that was not asked for.
SimdLevel simd_level();

}  // namespace kinjo
