/// The innermost loops of short transforms, for each level of vector instructions.
///
/// Between passes real and imaginary parts lie apart, each in order, so that vectors may begin
/// anywhere and the last one of a row may begin earlier, which does some numbers twice.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>

#include "fft/column_kernels.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {

/// The radices of short transforms; 0 is any odd one up to `kLargestPrime`.
inline constexpr std::size_t kShortRadices[] = {2, 3, 4, 5, 7, 8, 9, 16, 0};

/// A pass of Stockham's transform. Of a line of n = r·m·l numbers, l of which belong together by
/// what was done before,
///
///     y_((p·r + k)·l + j) = root(r·m, p·k) · Σ_q x_((q·m + p)·l + j) · root(r, q·k)
///
/// for k < r, p < m, j < l. The first pass has l = 1, the last one m = 1 and no twiddles; the only
/// pass of a line is both.
template <class T>
struct ShortPass {
  std::size_t apart;  ///< from a real part to its imaginary part where those lie apart
  std::size_t radix;
  std::size_t groups;  ///< m
  std::size_t length;  ///< l
  /// Of a first pass, for each vector of neighbouring p and k from 1: real parts, and imaginary
  /// parts. Else for each p and k from 1 a complex number.
  const T* twiddles;
  const T* roots;  ///< root(r, k) for k < r, complex; of odd r only
};

/// Lines of two passes whose numbers between these stay in registers, as far as there are enough.
struct ShortPair {
  std::size_t first, last;  ///< radices
  std::size_t least_lanes;  ///< for it to be worth while
  std::size_t most_lanes;
  constexpr std::size_t size() const { return first * last; }
};
inline constexpr ShortPair kShortPairs[] = {
    {4, 4, 4, 4}, {8, 4, 4, 4}, {8, 8, 4, 8}, {16, 8, 4, 8}, {16, 16, 8, 8}};

/// How long vectors are, from the longest on: of as many lanes as there are neighbours at least.
inline constexpr std::size_t kShortWidths = 3;

template <class T>
struct ShortKernels {
  /// Of a first pass `from` has numbers whose parts alternate, else real parts; of a last one so
  /// has `to`, and `scale` is for its results.
  using Pass = void (*)(const ShortPass<T>& job, const T* from, T* to, T scale);
  using Widths = std::array<Pass, kShortWidths>;
  struct Radix {
    /// By whether imaginary parts stand first. Vectors hold neighbouring p, of which there are as
    /// many at least, and no more than the radix.
    std::array<Widths, 2> first;
    Widths middle;               ///< vectors hold neighbouring j, as in the last pass
    std::array<Widths, 2> last;  ///< by whether imaginary parts are to stand first
    /// By that of the numbers that come in and that of those that go out.
    std::array<std::array<Pass, 2>, 2> only;
  };
  /// A first pass' job does for both of a pair, if its twiddles are of so many lanes.
  struct Pair {
    std::size_t lanes;          ///< 0 if vectors are too short
    std::array<Pass, 2> whole;  ///< by whether imaginary parts stand first, at both ends
  };
  std::array<std::size_t, kShortWidths> first_lanes, lanes;
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
