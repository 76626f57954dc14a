/// The innermost loops of direct transforms, for each level of vector instructions.
///
/// A row of a buffer holds the numbers of a cache line, `kDirectWidth` of them, as vectors of real
/// and of imaginary parts in turn; how long vectors are, and in which order their lanes, is the
/// level's affair. What one level's kernels have made only they can go on with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "fft/column_kernels.hpp"
#include "simd/stream_kernels.hpp"
#include "simd/this_cpu.hpp"

namespace kinjo::fft::detail {

/// Numbers in a row, which is also the radix of the first pass.
template <class T>
inline constexpr std::size_t kDirectWidth = 64 / sizeof(T);

/// The first pass of a line of n = width·rows numbers, element j of which has its parts at
/// real[j·step] and imaginary[j·step]: row p becomes
///
///     y_pk = exp(−2πi·k·p/n) · Σ_q x_(p + q·rows) · root(width, k·q)        k < width
///
/// Rows are made `lanes` at a time; the last ones end with the last row, if need be by making some
/// rows twice.
template <class T>
struct SplitPass {
  Lines<const T> source;  ///< `line` is the step
  std::size_t rows;       ///< at least `lanes`
  /// As they are used: real and imaginary parts of all lanes, for each k from 1; with `steps` only
  /// those of the columns from 0 on.
  const T* twiddles;
  /// If not null, for each group of lanes and k the root that takes its twiddles to where it
  /// begins.
  const T* steps;
  const std::uint32_t* to;  ///< where each row lies
  T* buffer;
};

/// A step of a first pass whose rows go where the line itself lies. Columns from `first` on, a
/// row's width of them, leave room for as many rows, which are those of other columns.
struct SplitMove {
  enum class Kind : std::uint32_t {
    take,       ///< their rows go where there is room for them
    keep,       ///< they are copied, to make room
    take_kept,  ///< the rows of those that were copied last
  };
  std::uint32_t first;
  Kind kind;
};

/// The last pass of some neighbouring blocks: that of `pass`, all of whose butterflies have
/// twiddles of their own, for each of `blocks`. The p-th output of group g of the i-th block is row
/// `row` + i + g·row_group + p·row_step of the result, which lies in order in the target. Its
/// `line` is the step from number to number. Blocks are the innermost loop, so that rows are
/// written that lie next to each other.
template <class T>
struct JoinPass {
  PassJob<T> pass;              ///< `from` is that of the buffer
  const std::uint32_t* blocks;  ///< where each begins in the buffer
  std::size_t count;            ///< of blocks; each has as many twiddles, one behind the other
  Lines<T> target;
  std::size_t row, row_group, row_step;
  T scale;
  kinjo::detail::Store write;  ///< streaming where vectors of the target are aligned
};

template <class T>
struct DirectKernels {
  struct Pass {
    void (*plain)(const PassJob<T>& job);  ///< in place, as those of columns
    void (*twiddled)(const PassJob<T>& job);
    void (*join)(const JoinPass<T>& job);
  };
  /// How lines begin and end, which is the CPU's affair beside the level's.
  struct Ends {
    void (*split)(const SplitPass<T>& job);
    /// The same if `buffer` is where the source begins, by these moves. Null unless columns are
    /// taken a row's width at a time.
    void (*split_in_place)(const SplitPass<T>& job, std::span<const SplitMove> moves);
    std::size_t lanes;  ///< columns of a line that the first pass takes at a time
    /// Lines of more numbers take the first pass's twiddles as products of two. The table of 7/8 of
    /// the line would drive line and rows from L1; but products are operations.
    std::size_t most_from_table;
    /// The best one for `join`, but for lines of some lengths, where 4 is.
    std::size_t last_radix;
    std::size_t largest_radix;  ///< of the passes between
    std::size_t fours_begin = 0, fours_end = 0;

    std::size_t last_radix_of(std::size_t n) const {
      return fours_begin <= n && n < fours_end ? 4 : last_radix;
    }
  };
  Ends of_whole_vectors;
  Ends of_halves;  ///< for a CPU that moves whole vectors in two halves
  std::array<Pass, std::size(kRadices)> passes;

  /// For this CPU.
  const Ends& ends() const {
    return kinjo::detail::kSplitsWideMoves ? of_halves : of_whole_vectors;
  }
  const Pass& pass(std::size_t radix) const {
    std::size_t i = 0;
    while (kRadices[i] != radix) ++i;
    return passes[i];
  }
};

extern const DirectKernels<float> kDirectScalarFloat;
extern const DirectKernels<double> kDirectScalarDouble;

}  // namespace kinjo::fft::detail

namespace kinjo::detail {
extern const KernelTable<fft::detail::DirectKernels<float>> kDirectFloat;
extern const KernelTable<fft::detail::DirectKernels<double>> kDirectDouble;
}  // namespace kinjo::detail

namespace kinjo::fft::detail {

template <class T>
inline const DirectKernels<T>& direct_kernels() {
  return chosen_for<T>(kinjo::detail::kDirectFloat, kinjo::detail::kDirectDouble);
}

}  // namespace kinjo::fft::detail
