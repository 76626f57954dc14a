/// The innermost loops of transforms in columns, for each level of vector instructions.
///
/// All of them work on rows of a buffer: `width` real parts and, `width` elements on, as many
/// imaginary parts. Distances are in elements of T. `width` is a multiple of every vector.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "fft/lines.hpp"
#include "fft/radices.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {

/// A pass: many butterflies of one radix r. The q-th input of butterfly (g, i) is the row at
/// from + g·from_group + i·from_next + q·from_step, multiplied with the q-th twiddle of group g
/// unless q is 0 or there are none; its p-th output is the row at to + … likewise,
///
///     y_p = Σ_q x_q · twiddle_gq · root(r, p·q)
///
/// Rows are read before any row of the same butterfly is written: `to` may be `from`.
template <class T>
struct PassJob {
  const T* from;
  T* to;
  std::size_t from_step, to_step;
  std::size_t groups, from_group, to_group;
  std::size_t count, from_next, to_next;
  std::size_t width;
  std::size_t radix;
  const T* twiddles;  ///< r − 1 complex numbers for each group; null: all are 1
  const T* roots;     ///< root(r, k) for k < r, complex; of odd r only
};

template <class T>
struct LoadJob {
  Lines<const T> source;
  Shape shape;
  std::size_t lines, width;
  T* to;
};
template <class T>
struct StoreJob {
  const T* from;
  std::size_t lines, width;
  Lines<T> target;
  Shape shape;
  Store<T> factors;
};

/// STORE of some lines and LOAD of others in one, row after row: the row at offsets[i] has element
/// results[i] of the lines that go out and will have element i of those that come in, which is
/// elements_of_rows[results[i]]. All lines of the width are there; those that go out are columns,
/// all of them numbers whose parts alternate.
template <class T>
struct ExchangeJob {
  StoreJob<T> out;
  LoadJob<T> in;
  const std::uint32_t* results;
  const std::uint32_t* offsets;
  const std::uint32_t* elements_of_rows;
  std::size_t elements;
};

/// Rows times factors, exchanged: the row at to + to_offsets[i] becomes i·conj(x·f), x being that
/// at from + from_offsets[i] and f the i-th row of `factors`.
template <class T>
struct FilterJob {
  const T* from;
  const std::uint32_t* from_offsets;
  const T* factors;
  T* to;
  const std::uint32_t* to_offsets;
  std::size_t count, width;
};

/// A first pass, without twiddles, straight from memory: for every rows_next-th one of `rows` the
/// butterfly whose outputs begin at that row, and whose inputs are that row's element and those
/// element_step, 2·element_step … on. All lines of the width are there. Of `pass`, what describes
/// the inputs and the loops is not used. Of inputs that are in memory, rather than in a cache,
/// those of the next butterflies are asked for.
template <class T>
struct FirstPass {
  PassJob<T> pass;
  Lines<const T> source;
  Rows rows;
  std::size_t rows_next, element_step;
  bool in_memory = false;
};
/// A last pass straight to memory, without `Store`'s tables: the p-th output of group g, of which
/// there is one butterfly, is element `element` + g·element_group + p·element_step.
template <class T>
struct LastPass {
  PassJob<T> pass;
  Lines<T> target;
  std::size_t element, element_group, element_step;
  Store<T> factors;
};

template <class T>
struct ColumnKernels {
  struct Pass {
    void (*plain)(const PassJob<T>& job);  ///< no twiddles
    void (*twiddled)(const PassJob<T>& job);
    void (*plain_elsewhere)(const PassJob<T>& job);  ///< `to` is another buffer than `from`
    void (*twiddled_elsewhere)(const PassJob<T>& job);
  };
  struct EdgePass {
    void (*first)(const FirstPass<T>& job);
    void (*last)(const LastPass<T>& job);
    /// A block's last pass and `exchange` in one, if there are no `Store`'s tables and results of a
    /// butterfly lie equally far apart. `pass` is that of block 0.
    void (*exchange)(const ExchangeJob<T>& job, const PassJob<T>& pass, std::size_t block);
  };
  std::size_t
      usual_radix;  ///< of powers of two: 8 if there are registers for its butterflies, or 4
  std::array<Pass, std::size(kRadices)> passes;
  Pass odd;
  std::array<EdgePass, std::size(kEdgeRadices)> edge_passes;
  void (*load)(const LoadJob<T>& job, const Rows& rows);
  void (*store)(const StoreJob<T>& job, const Rows& rows);
  /// Of elements [begin, end) that come in; null where STORE and LOAD apart are faster.
  void (*exchange)(const ExchangeJob<T>& job, std::size_t begin, std::size_t end);
  void (*filter)(const FilterJob<T>& job);

  const Pass& pass(std::size_t radix) const {
    for (std::size_t i = 0; i < passes.size(); ++i) {
      if (kRadices[i] == radix) return passes[i];
    }
    return odd;
  }
  /// Null where there is none.
  const EdgePass* edge_pass(std::size_t radix) const {
    for (std::size_t i = 0; i < edge_passes.size(); ++i) {
      if (kEdgeRadices[i] == radix) return &edge_passes[i];
    }
    return nullptr;
  }
};

extern const ColumnKernels<float> kColumnsScalarFloat;
extern const ColumnKernels<double> kColumnsScalarDouble;

}  // namespace kinjo::fft::detail

namespace kinjo::detail {
extern const KernelTable<fft::detail::ColumnKernels<float>> kColumnsFloat;
extern const KernelTable<fft::detail::ColumnKernels<double>> kColumnsDouble;
}  // namespace kinjo::detail

namespace kinjo::fft::detail {

/// Of a table for each type, T's kernels of the level in use. Throws as `simd_level` does.
template <class T, class Floats, class Doubles>
inline const auto& chosen_for(const Floats& floats, const Doubles& doubles) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return kinjo::detail::chosen(floats);
  } else {
    return kinjo::detail::chosen(doubles);
  }
}

template <class T>
inline const ColumnKernels<T>& column_kernels() {
  return chosen_for<T>(kinjo::detail::kColumnsFloat, kinjo::detail::kColumnsDouble);
}

}  // namespace kinjo::fft::detail
