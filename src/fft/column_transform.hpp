/// The transform in cache: some lines of equal length side by side, each a column of a buffer.
///
/// A buffer has one row for each of the n elements of a line; a row holds the real parts of all
/// `width` columns and then their imaginary parts, so that a vector register holds the same element
/// of neighbouring lines and every butterfly is the same for all lanes:
///
///     row r:  re(line 0) … re(line w−1)  im(line 0) … im(line w−1)
///
/// S2's four steps: LOAD brings lines from memory into the buffer and puts their elements in
/// digit-reversed rows, which costs nothing since the load waits for memory; COMPUTE transforms in
/// place (Cooley–Tukey, decimation in time), or between two buffers and without reversal
/// (Stockham); STORE multiplies with the twiddles of the six-step method and writes back.
///
/// Only the forward transform is computed: the backward one is the forward one of the numbers with
/// real and imaginary parts exchanged, which is a matter of pointers in `Lines`.
#pragma once

#include <cstddef>
#include <vector>

#include "simd/stream_kernels.hpp"

namespace kinjo::fft::detail {

/// Complex numbers in somebody's memory: element j of line l has its real part at
/// real[l·line + j·element] and its imaginary part at imaginary[…]. Distances are in T.
/// Interleaved storage has imaginary = real + 1 (exchanged: real = imaginary + 1) and even
/// distances.
template <class T>
struct Lines {
  T* real = nullptr;
  T* imaginary = nullptr;
  std::ptrdiff_t line = 0;
  std::ptrdiff_t element = 0;
};

/// How a transform in cache is computed.
enum class InCache { in_place, stockham };

/// The largest prime factor that lengths may have.
inline constexpr std::size_t kLargestPrime = 31;
/// Elements that share a row of `Store::high`.
inline constexpr std::size_t kTwiddleBlock = 64;

/// What STORE multiplies with, and how it writes.
template <class T>
struct Store {
  T scale = 1;  ///< every element
  /// If not null: two tables, by row, whose product is element j of all lines' factor
  ///   high[j / kTwiddleBlock][lane] · low[j % kTwiddleBlock][lane]
  /// laid out as rows of the buffer are (width real parts, width imaginary parts).
  const T* high = nullptr;
  const T* low = nullptr;
  /// Streaming stores are used where whole vectors are written to aligned addresses. The caller
  /// orders them before what other threads read (`hwy::FlushStream`, or a barrier of a team).
  kinjo::detail::Store write = kinjo::detail::Store::cached;
};

template <class T>
class ColumnTransform {
 public:
  /// Lines of n > 0 elements, n's prime factors at most kLargestPrime; `width` lines at once, a
  /// multiple of the lanes of the widest vectors compiled (16 floats, 8 doubles).
  ColumnTransform(std::size_t n, std::size_t width, InCache method);

  std::size_t size() const { return n_; }
  std::size_t width() const { return width_; }
  InCache method() const { return method_; }
  /// Elements (of T) of working memory that a call needs, aligned to 64 bytes.
  std::size_t work_size() const;

  /// The steps one by one, for S2's tables and for overlapping them; `lines` ≤ width.
  void load(Lines<const T> source, std::size_t lines, T* work) const;
  void compute(T* work) const;
  void store(const T* work, Lines<T> target, std::size_t lines, const Store<T>& factors) const;

  /// `compute` in pieces, to be done in order, between which something else may be done.
  std::size_t pieces() const;
  void compute_piece(T* work, std::size_t piece) const;

  /// All three, the first pass reading the source and the last one writing the target where that is
  /// faster. Source and target may be the same lines.
  void run(Lines<const T> source, Lines<T> target, std::size_t lines, T* work,
           const Store<T>& factors) const;

 private:
  struct Pass {
    std::size_t radix;
    std::size_t length;  ///< of the transforms that it combines
  };
  std::size_t n_;
  std::size_t width_;
  InCache method_;
  std::vector<Pass> passes_;
  std::vector<T> roots_;
};

extern template class ColumnTransform<float>;
extern template class ColumnTransform<double>;

}  // namespace kinjo::fft::detail
