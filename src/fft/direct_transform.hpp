/// The transform of one line in cache whose numbers lie next to each other, without other lines
/// beside it.
///
/// With w a cache line's numbers and n = w·m the line is a matrix of w rows of m. Its columns are
/// transformed first (decimation in frequency), with neighbouring columns in a vector:
///
///     z_pk = exp(−2πi·k·p/n) · Σ_q x_(p + q·m) · root(w, k·q)        k < w, p < m
///
/// What remains is, for each k, a transform of m numbers z_0k, z_1k … that yields y_k, y_(k+w), …
/// So with row p of a buffer = z_p0 … z_p(w−1), it is a transform in columns
/// (fft/column_transform.hpp) of as many lines as a row is wide; and row j of its result is y_jw …
/// y_(jw+w−1), which lie next to each other in the target. The first pass transposes vectors on
/// their way to the rows, all others work without shuffles, and the last one writes its results
/// where they belong. Nothing is moved or multiplied outside of a pass.
///
/// After M. Frigo and S. G. Johnson, The Design and Implementation of FFTW3, Proc. IEEE 93 (2005);
/// the order of the first step is Stockham's.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <kinjo/memory.hpp>
#include <kinjo/partition.hpp>

#include "fft/column_plan.hpp"
#include "fft/direct_kernels.hpp"

namespace kinjo::fft::detail {

template <class T>
class DirectTransform {
 public:
  using Ends = typename DirectKernels<T>::Ends;
  /// Of an n that `has_whole_rows`. `ends` are of the level in use.
  explicit DirectTransform(std::size_t n, const Ends& ends = direct_kernels<T>().ends());

  std::size_t size() const { return whole_.size * kDirectWidth<T>; }
  /// Elements (of T) of working memory that a call needs, aligned to 64 bytes.
  std::size_t work_size() const { return in_work().buffer_size; }
  std::size_t table_bytes() const {
    return split_twiddles_.size() + split_steps_.size() * sizeof(T);
  }

  using Write = kinjo::detail::Store;
  /// `line` of both is the step from number to number, 1 or 2. They may be the same.
  void run(const Lines<const T>& source, const Lines<T>& target, T scale, T* work,
           Write write = Write::cached) const;

  /// The same in S2's steps: the first pass, those between, and the last one.
  void load(const Lines<const T>& source, T* work) const;
  void compute(T* work) const;
  void store(const Lines<T>& target, T scale, T* work, Write write = Write::cached) const;

 private:
  using Plan = ColumnPlan<T>;

  const Plan& in_work() const { return parted_ ? *parted_ : whole_; }
  bool fits_target(const Lines<const T>& source, const Lines<T>& target) const;
  void split(const Plan& plan, const Lines<const T>& source, T* work) const;
  /// The passes of some blocks of a group, but the very last one.
  void run_blocks(const Plan& plan, const RowGroup& group, Range blocks, T* work) const;
  /// Calls f(blocks) for those of the last group, some neighbouring ones at a time.
  template <class F>
  void for_each_bunch(const Plan& plan, const F& f) const;
  /// The very last pass of these blocks.
  void join(const Plan& plan, Range blocks, const Lines<T>& target, T scale, T* work,
            Write write) const;

  const DirectKernels<T>& kernels_;  ///< of the level that was in use when the plan was made
  const Ends& ends_;
  Plan whole_;
  /// If rows fit L1, but not those of a line and of its result: how they are transformed in working
  /// memory.
  std::optional<Plan> parted_;
  std::vector<T> split_steps_;    ///< empty for short lines
  Buffer split_twiddles_;         ///< aligned, since vectors of them are loaded
  std::vector<SplitMove> moves_;  ///< of the first pass where the line lies; empty if it cannot be
};

extern template class DirectTransform<float>;
extern template class DirectTransform<double>;

}  // namespace kinjo::fft::detail
