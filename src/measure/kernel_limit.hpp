/// The limit of a kernel: the least time that its loads and stores, and its arithmetic, take on
/// this machine.
///
///     limit = max(moves, arithmetic)                                       seconds for an element
///
/// *moves*: the fastest loop with the same loads and stores and next to no arithmetic
/// (simd/move_kernels.hpp) over the same memory, in the same threads. In L1 that is what the load
/// and store ports allow, in an outer cache its bandwidth, beyond the caches memory's bandwidth
/// with this mix of streams; results that are not read before may be written past the caches there.
/// *arithmetic*: the same operations in registers, in as many independent vectors as hide their
/// latency (`burst` of simd/operation_kernels.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <kinjo/team.hpp>

#include "simd/move_kernels.hpp"
#include "simd/operation_kernels.hpp"

namespace kinjo {

/// What a kernel does with each element of its vectors x and y.
struct KernelCost {
  double flops = 0;
  int loads = 1;          ///< elements read: of x (1), or of x and y (2)
  int stores = 0;         ///< elements of y written, 0 or 1
  bool in_place = false;  ///< with one load: y is read instead of x, as well as written
  std::optional<detail::Arithmetic> arithmetic;  ///< that makes the flops; nothing without flops
};

/// What sets the limit.
enum class BoundBy { loads, stores, arithmetic, memory };
const char* to_string(BoundBy bound) noexcept;

/// Times in seconds for one element of the vectors, all threads working at once.
struct KernelLimit {
  double moves = 0;       ///< loads and stores together
  double loads = 0;       ///< the loads alone; 0 where they were not asked for, see `bound_by`
  double stores = 0;      ///< the stores alone
  double arithmetic = 0;  ///< 0 without any
  bool beyond_caches = false;

  double seconds() const;
  /// Arithmetic if it takes longer than the moves; else memory for data beyond the caches; else
  /// loads or stores, whichever alone takes longer.
  BoundBy bound_by() const;
};

/// A thread's part of both vectors, which begin on a cache line each.
struct KernelMemory {
  const void* x = nullptr;
  void* y = nullptr;
  std::size_t bytes = 0;  ///< of each; what exceeds a multiple of 512 is left out
};

/// Measures a kernel's limit, look by look, so that looks can be taken in turn with the kernel.
class KernelLimitProbe {
 public:
  /// `memory` has a part for each thread of the team, the first one of at least 512 bytes. Elements
  /// are `float` or `double`, as `element_bytes` says.
  KernelLimitProbe(Team& team, const KernelCost& cost, std::size_t element_bytes,
                   std::vector<KernelMemory> memory, bool beyond_caches);

  /// Runs every loop once, for about `seconds` each or one pass; the values of y change (`Moves`).
  void look(double seconds);
  /// The fastest of all looks.
  const KernelLimit& limit() const { return limit_; }

 private:
  double time_of(detail::MoveLoop loop, std::size_t passes);
  void time_moves(detail::Moves moves, double seconds, double& least);
  void time_arithmetic(double seconds);
  std::size_t elements() const;

  Team& team_;
  KernelCost cost_;
  std::size_t element_bytes_;
  std::vector<KernelMemory> memory_;
  KernelLimit limit_;
};

}  // namespace kinjo
