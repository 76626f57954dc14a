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

#include <array>
#include <cstddef>
#include <span>

#include <kinjo/partition.hpp>

#include "fft/column_kernels.hpp"
#include "fft/column_plan.hpp"
#include "fft/lines.hpp"
#include "fft/radices.hpp"

namespace kinjo::fft::detail {

template <class T>
class ColumnTransform {
 public:
  /// Lines of n > 0 elements, n's prime factors at most kLargestPrime; `width` lines at once, a
  /// multiple of the lanes of the widest vectors compiled (16 floats, 8 doubles).
  ColumnTransform(std::size_t n, std::size_t width, InCache method);

  std::size_t size() const { return plan_.size; }
  std::size_t width() const { return width_; }
  InCache method() const { return method_; }
  /// Elements (of T) of working memory that a call needs, aligned to 64 bytes.
  std::size_t work_size() const;

  /// The steps one by one, for S2's tables and for overlapping them; `lines` ≤ width.
  void load(Lines<const T> source, std::size_t lines, T* work) const;
  void compute(T* work) const { compute_from(0, work); }
  void store(const T* work, Lines<T> target, std::size_t lines, const Store<T>& factors) const;

  /// What `compute` has left in `work`, times `factors` (rows of the width's real parts and as many
  /// imaginary parts, in order), goes to `to` as `load` would have brought it, with real and
  /// imaginary parts exchanged.
  void filter(const T* work, const T* factors, T* to) const;

  /// LOAD of lines that are in memory, with a first pass on the way where that is faster. Returns
  /// how many passes are done, which is from where on to compute.
  std::size_t load_and_begin(Lines<const T> source, std::size_t lines, T* work) const;
  void compute_from(std::size_t pass, T* work) const;

  /// Lines that come in where others go out.
  struct Incoming {
    Lines<const T> source;
    std::size_t lines;
    std::span<const T> table;  ///< what their own STORE will multiply with, if anything
  };
  /// COMPUTE from a pass on and STORE of the lines in the buffer, and LOAD of the next ones:
  /// wherever rows have been stored, or after all of them as `load_and_begin` does. Returns what
  /// that returns.
  std::size_t compute_and_exchange(std::size_t pass, T* work, Lines<T> target, std::size_t lines,
                                   const Store<T>& factors, const Incoming& next) const;

  /// `load` of elements from `first` on, `count` of them, of a line without tiles.
  void load_part(Lines<const T> source, std::size_t lines, T* work, std::size_t first,
                 std::size_t count) const;

  /// `compute` in pieces, to be done in order, between which something else may be done.
  std::size_t pieces() const;
  void compute_piece(T* work, std::size_t piece) const;

  /// All three, the first pass reading the source and the last one writing the target where that is
  /// faster. Source and target may be the same lines.
  void run(Lines<const T> source, Lines<T> target, std::size_t lines, T* work,
           const Store<T>& factors) const;

 private:
  using EdgePass = typename ColumnKernels<T>::EdgePass;
  /// Passes that take their inputs from the source or put their outputs to the target; null: none.
  struct Edges {
    const EdgePass* first = nullptr;
    const EdgePass* last = nullptr;
  };
  /// A call of `run`.
  struct Run {
    Lines<const T> source;
    Lines<T> target;
    std::size_t lines;
    T* work;
    const Store<T>& factors;
    Edges edges;
  };
  using Kernel = void (*)(const PassJob<T>& job);
  struct GroupPass {
    PassJob<T> job;
    Kernel run;
  };
  /// More than the factors of any block that fits in L1.
  static constexpr std::size_t kMostPasses = 12;
  using GroupPasses = std::array<GroupPass, kMostPasses>;

  Edges edges(const Lines<const T>& source, const Lines<T>& target, std::size_t lines,
              const Store<T>& factors) const;
  void load_rows(Lines<const T> source, std::size_t lines, T* work, const Rows& rows) const;
  void store_rows(const T* work, Lines<T> target, std::size_t lines, const Store<T>& factors,
                  const Rows& rows) const;
  Kernel pass_kernel(std::size_t pass) const;
  GroupPasses group_passes(T* work, const RowGroup& group) const;
  PassJob<T> stockham_pass(T* work, std::size_t pass, std::size_t begin, std::size_t end) const;
  void compute_blocks(T* work, const RowGroup& group, std::size_t done, Range blocks) const;
  bool begins_in_memory(const Lines<const T>& source, std::size_t lines) const;
  void first_pass(const EdgePass& edge, Lines<const T> source, T* work, bool in_memory) const;
  std::size_t begin(const Run& run) const;
  std::size_t begin_block(const Run& run, const RowGroup& group, const PassJob<T>& pass,
                          std::size_t b) const;
  void end_block(const Run& run, const RowGroup& group, const GroupPass& pass, std::size_t b) const;
  void run_blocks(const Run& run) const;
  void run_passes(const Run& run) const;
  const EdgePass* exchanging_pass(const ExchangeJob<T>& job) const;
  bool can_exchange(const ExchangeJob<T>& job) const;
  /// Of Stockham's pass: turns of the longer one of its loops.
  std::size_t longer_loop(std::size_t pass) const;
  /// Where Stockham's result is.
  std::size_t result_at() const;

  std::size_t width_;
  InCache method_;
  ColumnPlan<T> plan_;
};

extern template class ColumnTransform<float>;
extern template class ColumnTransform<double>;

}  // namespace kinjo::fft::detail
