/// Loops that only move: the loads and stores of a computation, and next to no arithmetic. What
/// they take is the least that a computation with those loads and stores can take.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace kinjo::detail {

/// What is moved for each element. Stored is what was loaded, of two values the bits that both have
/// set; `store` alone writes 0.75.
enum class Moves { load, load_two, store, load_store, load_two_store, load_stream };
inline constexpr std::size_t kMoves = 6;

/// `passes` times over n doubles: loads x, or x and y; stores y, or, as `load_stream`, writes y
/// past the caches. Arrays begin on a cache line (64 bytes), n is a multiple of 64; `x` may be `y`.
/// Numbers of magnitude 0.5 to 1 remain such.
using MoveLoop = void (*)(const double* x, double* y, std::size_t n, std::size_t passes);

/// The loops that do it at the level in use: in whole vectors, and in halves of them where a CPU
/// may move those faster. Throws as `simd_level` does.
std::span<const MoveLoop> move_loops(Moves moves);

/// The loops of one level: by `Moves`, the whole vectors' first.
struct MoveKernelSet {
  std::size_t widths;  ///< 1, or 2 where there are halves
  std::array<std::array<MoveLoop, 2>, kMoves> loops;
};
/// One double at a time, whose stores are ordinary ones whatever was asked.
extern const MoveKernelSet kMoveReference;

}  // namespace kinjo::detail
