/// The transform of one line in cache that is short, or no multiple of what fills cache lines, so
/// that fft/direct_transform.hpp cannot do it.
///
/// Stockham's passes (fft/short_kernels.hpp), out of place and in order, between two buffers: the
/// first one reads the line, the last one writes the result. Lines of one pass, and of two that are
/// `kShortPairs`, need no buffer.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <kinjo/memory.hpp>

#include "fft/lines.hpp"
#include "fft/short_kernels.hpp"
#include "fft/short_ways.hpp"

namespace kinjo::fft::detail {

/// Whether a line of n numbers of so many bytes each goes through both of its passes at once
/// (`kShortPairs`), at the level in use, in vectors of 32 bytes or of all that the level has.
bool is_short_pair(std::size_t n, std::size_t number_bytes);

template <class T>
class ShortTransform {
 public:
  /// Of a smooth n from 2. `kernels` are of the level in use.
  explicit ShortTransform(std::size_t n, const ShortKernels<T>& kernels = short_kernels<T>());

  std::size_t size() const { return n_; }
  /// Elements (of T) of working memory that a call needs, aligned to 64 bytes.
  std::size_t work_size() const { return 2 * buffer_; }
  std::size_t table_bytes() const { return tables_.size(); }
  /// Whether lines whose parts alternate need no working memory.
  bool is_whole() const { return whole_[0][0] != nullptr; }

  using Write = kinjo::detail::Store;
  /// As of `DirectTransform`. Results stay in caches, however they should be written: lines are too
  /// short to pass them.
  void run(const Lines<const T>& source, const Lines<T>& target, T scale, T* work,
           Write write = Write::cached) const;

  /// Whether the other `run` does: the parts of both alternate, and the same ones come first.
  static bool are_alike(const Lines<const T>& source, const Lines<T>& target) {
    return source.line == 2 && target.line == 2 && is_exchanged(source) == is_exchanged(target);
  }
  /// Of numbers whose parts alternate, imaginary ones first if exchanged.
  void run(const T* source, T* target, bool exchanged, T scale, T* work) const;

  /// In S2's steps, as there. A line of one pass is copied by the first step.
  void load(const Lines<const T>& source, T* work) const;
  void store(const Lines<T>& target, T scale, T* work, Write write = Write::cached) const;
  void compute(T* work) const;

 private:
  using Pass = typename ShortKernels<T>::Pass;
  struct Step {
    ShortPass<T> job;
    Pass middle;
  };

  /// Where the k-th pass writes, and the one after it reads. The first and the last pass have the
  /// other end where the caller has the line; lines whose parts lie apart go by way of a buffer.
  T* buffer(T* work, std::size_t k) const { return work + k % 2 * buffer_; }
  T* pairs_in(T* work) const { return buffer(work, 1); }
  T* pairs_out(T* work) const { return buffer(work, steps_.size() - 1); }

  using Pair = typename ShortKernels<T>::Pair;
  void make_steps(const ShortWay& way, const ShortKernels<T>& kernels);

  static constexpr std::size_t kLine = 64 / sizeof(T);

  std::size_t n_;
  std::size_t buffer_ = 0;  ///< elements of one of both
  std::vector<Step> steps_;
  /// Kernels of the ends by whether imaginary parts stand first.
  std::array<Pass, 2> first_{}, last_{};
  /// Of a line that is done in one go, with the first step's job, by that of what comes in and of
  /// what goes out; null where there is none.
  std::array<std::array<Pass, 2>, 2> whole_{};
  Buffer tables_;  ///< aligned, since vectors of them are loaded
};

extern template class ShortTransform<float>;
extern template class ShortTransform<double>;

}  // namespace kinjo::fft::detail
