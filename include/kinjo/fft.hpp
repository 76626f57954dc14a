/// Discrete Fourier transforms of any length, on one thread or over a team.
///
///     forward    y_k = s_f · Σ_j x_j e^(−2πi jk/n)        k = 0 … n−1
///     backward   x_j = s_b · Σ_k y_k e^(+2πi jk/n)
///
/// with s_f = 1 and s_b = 1/n unless `fft::Options` says otherwise, so that backward undoes
/// forward. Over several axes one after the other; n is then the product of the axes' lengths.
///
/// *Plans.* A plan is made once for a shape and is then called as often as one likes, from several
/// threads at once. `in == out` transforms in place; else the two must not overlap. What is read is
/// not changed. Elements need the alignment of T only. Plans can be moved, not copied.
///
/// *Result.* In natural order. The same bits from run to run, in place and out of place, for
/// interleaved and split storage, alone and over any team; but unless both have the same
/// `Options::cuts` a team may cut otherwise than one thread does: lines that do not fit L2, or
/// whose convolution does not (of a prime factor above 61: some 2.3 times the line), and lines that
/// lie apart, if those that share a cache line exceed a quarter of a thread's share of the last
/// cache. A NaN stays in its transform of a batch.
///
/// *Error.* With ε = 2⁻⁵² (float: 2⁻²³), ‖y − exact‖₂/‖exact‖₂ is at most 0.6 ε √(log2 n) in the
/// root of the mean square over random lines, as FFTW's is; a single short line may exceed that.
/// Whatever the numbers are, it is at most ε times the sum over the axes of
///
///     2.5 log2 n          for n without prime factors above 23,
///     4 log2 n            without any above 61,
///     10 (2 + log2 n)     for other n,
///
/// and at most ε if that is less: the bound that `--verify` checks. Of real numbers likewise.
///
/// *Method.* The six-step method in S2's form (figure 4): docs/fft.md.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <kinjo/fft_plan.hpp>
#include <kinjo/team.hpp>

namespace kinjo {

namespace fft {

/// Complex numbers whose real and imaginary parts are two arrays; T is const for what is read.
template <class T>
struct Split {
  T* real = nullptr;
  T* imaginary = nullptr;

  operator Split<const T>() const { return {real, imaginary}; }
};

}  // namespace fft

/// Complex transforms. T is float or double: double unless it is named.
template <class T = double>
class Fft {
 public:
  using Complex = std::complex<T>;
  using Split = fft::Split<T>;
  using ConstSplit = fft::Split<const T>;

  /// A plan for one line, or for an array of a shape, on the calling thread.
  ///
  /// Throws `Error`: `invalid_argument` if a length or the batch is 0, there is no axis, an axis is
  /// named that is not there or twice, a distance is shorter than a transform, or the array exceeds
  /// the address space; `out_of_memory`, and then nothing is left behind; and as `simd_level` does.
  explicit Fft(const fft::Shape& shape, const fft::Options& options = {});

  /// The same over a team, which must outlive the plan. Thread t does part t of each sweep. Calls
  /// must not come from inside `team.run`, and only one at a time as the team runs only one thing.
  Fft(Team& team, const fft::Shape& shape, const fft::Options& options = {});

  ~Fft();
  Fft(Fft&&) noexcept;
  Fft& operator=(Fft&&) noexcept;

  /// `size()` complex numbers `distance` apart for each transform of the batch, from `in` to `out`.
  /// Split ones lie so with each of their two parts. Throws `Error`: `invalid_argument` if an array
  /// is null, the two overlap without being the same, or the two parts of a split output overlap;
  /// `out_of_memory`.
  void forward(const Complex* in, Complex* out) const;
  void backward(const Complex* in, Complex* out) const;
  void forward(ConstSplit in, Split out) const;
  void backward(ConstSplit in, Split out) const;

  /// `forward` with every step done apart from the others and counted (S2's tables 2 and 5 to 8):
  /// slower, and the same result.
  fft::Profile profile(const Complex* in, Complex* out) const;

  /// Elements of one transform.
  std::size_t size() const;
  /// Transforms side by side.
  std::size_t batch() const;
  /// The lengths of the axes, those that are not transformed among them.
  const std::vector<std::size_t>& shape() const;
  /// Memory that the plan holds: its tables, and working memory for one call at a time.
  std::size_t table_bytes() const;
  std::size_t work_bytes() const;
  /// The sweeps, one a line: how many lines, how long, how many at a time, by which method, and
  /// whether stores go past the caches. `profile` counts the bytes that move.
  std::string describe() const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

/// Transforms of real numbers, whose spectrum has y_(n−k) = conj(y_k): of the last axis only the
/// first ⌊n/2⌋ + 1 numbers are kept.
///
/// `backward` takes the imaginary parts of y_0 and, for even n, of y_(n/2) for 0 where only one
/// axis is transformed, as NumPy's `irfft` does.
template <class T = double>
class RealFft {
 public:
  using Complex = std::complex<T>;

  /// As `Fft`'s; the shape is that of the real array. The last axis that is transformed is the one
  /// that is halved.
  explicit RealFft(const fft::Shape& shape, const fft::Options& options = {});
  RealFft(Team& team, const fft::Shape& shape, const fft::Options& options = {});

  ~RealFft();
  RealFft(RealFft&&) noexcept;
  RealFft& operator=(RealFft&&) noexcept;

  /// `size()` real numbers to `spectrum_size()` complex ones, and back, never in place and not
  /// split. Throws `Error`: `invalid_argument` if an array is null or the two overlap;
  /// `out_of_memory`.
  void forward(const T* in, Complex* out) const;
  void backward(const Complex* in, T* out) const;

  /// Real numbers of one transform.
  std::size_t size() const;
  /// Complex numbers of one transform.
  std::size_t spectrum_size() const;
  /// Transforms side by side.
  std::size_t batch() const;
  /// The lengths of the real array's axes.
  const std::vector<std::size_t>& shape() const;
  /// The same of the spectrum, whose halved axis has ⌊n/2⌋ + 1.
  std::vector<std::size_t> spectrum_shape() const;
  /// Memory that the plan holds for both directions: its tables, and working memory for one call at
  /// a time.
  std::size_t table_bytes() const;
  std::size_t work_bytes() const;
  /// As `Fft::describe`, of `forward`.
  std::string describe() const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

extern template class Fft<float>;
extern template class Fft<double>;
extern template class RealFft<float>;
extern template class RealFft<double>;

}  // namespace kinjo
