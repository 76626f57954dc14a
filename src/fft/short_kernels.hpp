/// The innermost loops of short transforms, for each level of vector instructions.
///
/// Between passes numbers lie in blocks: a vector of real parts, and one of the imaginary parts of
/// the same numbers. The numbers of a block are neighbouring outputs of a butterfly of the first
/// pass, which is the only one to bring them there; where the radix of that is no multiple of a
/// vector, its last block begins earlier, and some numbers are done twice. So all vectors are
/// aligned, and each is loaded as it was stored: a vector of two that have just been stored would
/// wait until both are in the cache, which takes longer than a pass.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>

#include "fft/column_kernels.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {

/// The radices of short transforms; 0 is any odd one up to `kLargestPrime`.
inline constexpr std::size_t kShortRadices[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 25, 0};

/// A pass of Stockham's transform. Of a line of n = r·m·l numbers, l of which belong together by
/// what was done before,
///
///     y_((p·r + k)·l + j) = root(r·m, p·k) · Σ_q x_((q·m + p)·l + j) · root(r, q·k)
///
/// for k < r, p < m, j < l. The first pass has l = 1, the last one m = 1 and no twiddles; the only
/// pass of a line is both. With blocks of L numbers, and b of them for each butterfly of the first
/// pass, whose radix is r₁, the numbers j of a pass are those of b·l/r₁ blocks. After the pass
/// block (k·b·l/r₁ + i)·m + p has what was block i of x for k and p.
template <class T>
struct ShortPass {
  std::size_t radix;
  std::size_t groups;  ///< m
  std::size_t length;  ///< l
  std::size_t first;   ///< r₁
  /// Of a first pass, for each vector of neighbouring p and k from 1: real parts, and imaginary
  /// parts. Else for each p and k from 1 a complex number.
  const T* twiddles;
  const T* roots;  ///< root(r, k) for k < r, complex; of odd r only
};

/// Lines of two passes in one, whose numbers stay in registers in between as far as there are
/// enough, and which saves a call: 3 to 15 ns. Longer ones are as fast in two.
struct ShortPair {
  std::size_t first, last;  ///< radices
  std::size_t least_lanes;  ///< for it to be worth while
  std::size_t most_lanes;
  constexpr std::size_t size() const { return first * last; }
};
inline constexpr ShortPair kShortPairs[] = {
    {4, 4, 4, 4},  {5, 4, 4, 4},   {6, 4, 4, 4},  {8, 4, 4, 4},  {9, 4, 4, 4},
    {10, 4, 4, 4}, {12, 4, 4, 4},  {15, 4, 4, 4}, {8, 8, 4, 8},  {20, 4, 4, 4},
    {12, 8, 4, 4}, {10, 10, 4, 4}, {15, 8, 4, 4}, {16, 8, 4, 8}, {16, 16, 8, 8}};

/// How long vectors are: as long as they can be transposed, or half of that.
inline constexpr std::size_t kShortWidths = 2;

template <class T>
struct ShortKernels {
  /// Of a first pass `from` has numbers whose parts alternate, else blocks; of a last one so has
  /// `to`, and `scale` is for its results. A first pass may write up to L − 1 blocks behind its
  /// own.
  using Pass = void (*)(const ShortPass<T>& job, const T* from, T* to, T scale);
  using Widths = std::array<Pass, kShortWidths>;
  struct Radix {
    std::array<Widths, 2> first;  ///< by whether imaginary parts stand first; null if r < L
    Widths middle;
    std::array<Widths, 2> last;  ///< by whether imaginary parts are to stand first
    /// By that of the numbers that come in and that of those that go out.
    std::array<std::array<Pass, 2>, 2> only;
  };
  /// A first pass' job does for both of a pair, if its twiddles are of so many lanes.
  struct Pair {
    std::size_t lanes;          ///< 0 if vectors are too short
    std::array<Pass, 2> whole;  ///< by whether imaginary parts stand first, at both ends
  };
  std::array<std::size_t, kShortWidths> lanes;
  std::array<Radix, std::size(kShortRadices)> radices;
  std::array<Pair, std::size(kShortPairs)> pairs;

  const Radix& radix(std::size_t r) const {
    std::size_t i = 0;
    while (kShortRadices[i] != r && kShortRadices[i] != 0) ++i;
    return radices[i];
  }
};

extern const ShortKernels<float> kShortScalarFloat;
extern const ShortKernels<double> kShortScalarDouble;

}  // namespace kinjo::fft::detail

namespace kinjo::detail {
extern const KernelTable<fft::detail::ShortKernels<float>> kShortFloat;
extern const KernelTable<fft::detail::ShortKernels<double>> kShortDouble;
}  // namespace kinjo::detail

namespace kinjo::fft::detail {

template <class T>
inline const ShortKernels<T>& short_kernels() {
  return chosen_for<T>(kinjo::detail::kShortFloat, kinjo::detail::kShortDouble);
}

}  // namespace kinjo::fft::detail
