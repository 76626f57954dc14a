/// Arithmetic alone, in registers: chains of which each operation waits for the one before (S0
/// section 2's experiment), and as many operations side by side as a core can do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinjo::detail {

enum class Operation { add, multiply, fma };
const char* to_string(Operation operation) noexcept;

// Each chain applies x ← x + y, x ← x · y or x ← x · y + z to its own result, n times, one after
// another. Nothing of it can be computed ahead or put together: sums and products of doubles are
// rounded each, which no compiler may change, and integers pass an empty assembler statement behind
// every operation.

/// Modulo 2⁶⁴. `add` and `multiply` only.
std::uint64_t integer_chain(Operation operation, std::uint64_t x, std::uint64_t y, std::size_t n);

/// One double in a register; fused where the level in use fuses. Throws as `simd_level` does.
double scalar_chain(Operation operation, double x, double y, double z, std::size_t n);

// What follows is of the level in use, and throws as `simd_level` does.

/// A whole vector: `vector_lanes()` doubles at `x`, in place.
void vector_chain(Operation operation, double* x, double y, double z, std::size_t n);

/// Doubles in a vector.
std::size_t vector_lanes();

/// Whether the level has fused multiply-add. Where not, the chains of `fma` and the burst multiply
/// and add, rounding twice.
bool has_fma();

/// Arithmetic on many values side by side.
enum class Arithmetic {
  add,           ///< v ← v + z
  multiply,      ///< v ← v · y
  fma,           ///< v ← v · y + z, fused where the level fuses
  multiply_add,  ///< the same, product and sum rounded each: two instructions
};

/// n steps of it on independent vectors v, which begin at x, x + 1, …, as many as hide the latency
/// of the operations on every port. Returns the sum of all their lanes at the end.
double burst(Arithmetic arithmetic, double x, double y, double z, std::size_t n);
float burst(Arithmetic arithmetic, float x, float y, float z, std::size_t n);

/// Vectors of a burst, and what it computes: operations on doubles, or on floats, in one step.
std::size_t burst_vectors();
template <class T>
double burst_flops(Arithmetic arithmetic) {
  const bool one = arithmetic == Arithmetic::add || arithmetic == Arithmetic::multiply;
  const std::size_t lanes = vector_lanes() == 1 ? 1 : vector_lanes() * sizeof(double) / sizeof(T);
  return (one ? 1.0 : 2.0) * static_cast<double>(burst_vectors() * lanes);
}

/// The above, for one level of vector instructions.
struct OperationKernelSet {
  std::size_t lanes;
  std::size_t vectors;
  bool fuses;
  double (*scalar)(Operation operation, double x, double y, double z, std::size_t n);
  void (*vector)(Operation operation, double* x, double y, double z, std::size_t n);
  double (*burst)(Arithmetic arithmetic, double x, double y, double z, std::size_t n);
  float (*burst_float)(Arithmetic arithmetic, float x, float y, float z, std::size_t n);
};
/// One double at a time, unfused; a vector is one double.
extern const OperationKernelSet kOperationReference;

}  // namespace kinjo::detail
