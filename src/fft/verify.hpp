/// An independent check of Fourier transforms: direct sums in long double.
///
///     y_k = s · Σ_j x_j · w^(±jk),  w = e^(−2πi/n)               (for several axes: a factor each)
///
/// *Elements.* Some y_k, or all of a short transform, by that sum. *Columns.* For some j,
/// Σ_k y_k w^(∓jk) = s·N·x_j: a sum over all of y with factors of magnitude one, in which each
/// wrong element shows (R. Freivalds' idea: a linear functional whose other side is known). With e
/// the error of y, the mean of |Σ_k e_k w^(∓jk)|² over all j is Σ|e_k|² (Parseval), as is that of
/// |e_k|² over all k, times N: both kinds of samples are bound by the same relative error
/// ‖e‖₂/‖y‖₂. *Parseval.* Σ|y_k|² = s²·N·Σ|x_j|².
///
/// Nothing here is shared with the transforms that it checks: roots come from the C library's sine
/// and cosine of an angle below π/4, and sums run over runs of 1024 terms, then compensated
/// (Neumaier).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinjo::fft::detail {

/// What the numbers of one side are.
enum class Numbers {
  complex,
  real,  ///< without imaginary parts
  half,  ///< the first n/2 + 1 of the last axis, the others being conjugate to them
};

/// One side of a transform, row-major and without gaps. T is float or double.
template <class T>
struct Signal {
  const T* real = nullptr;
  const T* imaginary = nullptr;  ///< not for `real`
  std::ptrdiff_t step = 2;       ///< elements of T from one number to the next: 2 if interleaved
  Numbers numbers = Numbers::complex;
};

enum class Direction { forward, backward };

/// How thoroughly a transform is checked.
struct CheckOptions {
  double terms = 1e7;  ///< about so many terms are summed; but 4 elements and 4 columns at least
  unsigned seed = 1;
};

/// What a check found.
struct Check {
  double error = 0;  ///< ‖y − exact‖₂/‖exact‖₂: of all elements, or by the median of samples
  double column_error = 0;                ///< the same estimated by columns
  double parseval = 0;                    ///< |‖y‖₂/(s·√N·‖x‖₂) − 1|
  double bound = 0;                       ///< `error_bound`
  std::size_t elements = 0, columns = 0;  ///< that were computed again
  std::string fault;                      ///< empty, or what exceeds its bound, and where
  bool passed() const { return fault.empty(); }
};

/// The relative error in the 2-norm that transforms keep whatever their numbers are: ε times
///
///     2.5·log₂n      for each axis of n numbers without prime factors above 23,
///     4·log₂n        without any above 61,
///     10·(2 + log₂n) of others, which are convolutions;
///
/// at least ε, which is 2⁻⁵² for double, 2⁻²³ for float. Steps that keep the 2-norm but for a
/// factor have errors that add. With u = ε/2 and rounding at its worst, a step of radix p has
/// (p/2 + √(p/2) + √p/3 + 2)·u, as its partial sums are parts of transforms, whose norms Parseval
/// gives, and 1·u for p = 2; twiddles have 3·u, and those that are products of two another 3·u. A
/// convolution is two transforms of up to 4n numbers, at most 2.2 times as large between them as
/// at the end. After N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
/// SIAM (2002), section 24.1. On random data errors are smaller by far: `kinjo/fft.hpp`.
template <class T>
double error_bound(const std::vector<std::size_t>& shape);

/// Checks that `out` is `scale` times the unscaled transform of `in`, whose full shape (also for
/// half) is `shape`. All of a transform of up to 2048 numbers is compared, if the terms allow it:
/// the norm of what it is off by with `error_bound`. Of others samples: one is a fault if it alone
/// exceeds the norm that the bound allows all, and more than half of them if they exceed twice the
/// root of the mean square that it allows, which a quarter of all could at most.
///
/// NaN and infinity in `out` are a fault, unless there are such in `in`, or its numbers are so
/// large that a sum of them may exceed T. Then elements alone are compared, where both are finite;
/// an element is a fault, too, if it is finite though a number that is not is a part of it.
///
/// In and out are complex; or forward real and half; or backward half and real. Of a half that is
/// no spectrum of real numbers the part counts that is, as in NumPy's irfftn: of one line the
/// imaginary parts of the first number and of the one at n/2 are ignored.
template <class T>
Check verify(const std::vector<std::size_t>& shape, const Signal<T>& in, const Signal<T>& out,
             Direction direction, double scale, const CheckOptions& options = {});

}  // namespace kinjo::fft::detail
