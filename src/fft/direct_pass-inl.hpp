/// Per target: the passes of direct transforms.
///
/// The first one has neighbouring numbers of the line in its vectors, which need factors of their
/// own each, and transposes them on the way to their rows. From there on a vector is a part of a
/// row. The last one writes rows where the result's numbers lie in order.
/// Lanes are in the order of fft/lane_order.hpp.
#if defined(KINJO_FFT_DIRECT_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_DIRECT_PASS_INL
#undef KINJO_FFT_DIRECT_PASS_INL
#else
#define KINJO_FFT_DIRECT_PASS_INL
#endif

#include <algorithm>

#include "fft/direct_kernels.hpp"
#include "fft/edge_pass-inl.hpp"
#include "fft/numbers-inl.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::JoinPass;
using fft::detail::SplitMove;
using fft::detail::SplitPass;

/// The step from a number's real part to the next one's, which `Lines::line` only says to who runs.
template <Shape kShape>
constexpr std::ptrdiff_t kNumberStep = kShape == Shape::split_columns ? 1 : 2;

/// Vectors y[k], a lane for each column, become rows of vectors of kRowLanes, a lane for each k.
template <std::size_t kRowLanes, class D, std::size_t kWidth>
HWY_INLINE void put_rows(D d, const Complex<hn::Vec<D>> (&y)[kWidth], hn::TFromD<D>* buffer,
                         const std::uint32_t* to) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  T* rows[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) rows[i] = buffer + to[number_of_lane<T>(kLanes, i)];
#pragma GCC unroll 16
  for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
    const std::size_t vector = lane / kRowLanes * kRowLanes, in_vector = lane % kRowLanes;
    const std::size_t first = 2 * vector + in_vector;
    const auto of_lane = [&](std::size_t i) KINJO_FFT_INLINE {
      return y[vector + number_of_lane<T>(kRowLanes, in_vector + i)];
    };
    const auto row = [&](std::size_t i) KINJO_FFT_INLINE { return rows[i] + first; };
    store_transposed(
        d, [&](std::size_t i) KINJO_FFT_INLINE { return of_lane(i).re; }, row);
    store_transposed(
        d, [&](std::size_t i) KINJO_FFT_INLINE { return of_lane(i).im; },
        [&](std::size_t i) KINJO_FFT_INLINE { return row(i) + kRowLanes; });
  }
}

/// Where the twiddles of the first pass are from: all from a table, or each a product of two.
enum class TwiddlesFrom { table, products };

/// Makes the rows of kLanes columns from `first` on; the numbers of the first of them lie `apart`
/// from `from` on. `Rows` is the kind of vectors in rows, D that of vectors that are transposed.
template <class Rows, Shape kShape, TwiddlesFrom kFrom, class D>
HWY_INLINE void split_columns(D d, const SplitPass<hn::TFromD<D>>& job,
                              const Lines<const hn::TFromD<D>>& from, std::ptrdiff_t apart,
                              std::size_t first) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D()), kWidth = fft::detail::kDirectWidth<T>;
  // The last columns may begin earlier, but have factors of their own.
  const std::size_t group = (first + kLanes - 1) / kLanes * 2 * (kWidth - 1);
  const T* const steps = kFrom == TwiddlesFrom::products ? job.steps + group : nullptr;
  const T* const twiddles = job.twiddles + (kFrom == TwiddlesFrom::products ? 0 : group * kLanes);
  Complex<hn::Vec<D>> y[kWidth];
  const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(q) * apart;
    return take_numbers<kShape>(d, Lines<const T>{from.real + at, from.imaginary + at, from.line});
  };
  const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& x) KINJO_FFT_INLINE {
    if (k == 0) {
      y[k] = x;
      return;
    }
    const T* const w = twiddles + 2 * kLanes * (k - 1);
    Complex<hn::Vec<D>> factor = {hn::LoadU(d, w), hn::LoadU(d, w + kLanes)};
    if constexpr (kFrom == TwiddlesFrom::products) {
      const T* const s = steps + 2 * (k - 1);
      factor = times(factor, Complex<hn::Vec<D>>{hn::Set(d, s[0]), hn::Set(d, s[1])});
    }
    y[k] = times(x, factor);
  };
  if constexpr (kWidth == 8) {
    butterfly_8(d, in, out);
  } else {
    butterfly_16(d, in, out);
  }
  put_rows<hn::MaxLanes(Rows())>(d, y, job.buffer, job.to + first);
}

template <Shape kShape, class T>
HWY_INLINE Lines<const T> numbers_from(const Lines<const T>& line, std::size_t first) {
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(first) * kNumberStep<kShape>;
  return {line.real + at, line.imaginary + at, line.line};
}

template <class Rows, class D, Shape kShape, TwiddlesFrom kFrom>
void split_pass_of(const SplitPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  static_assert(fft::detail::kDirectWidth<T> % kLanes == 0);
  const SplitPass<T> job = given;
  const std::ptrdiff_t apart = static_cast<std::ptrdiff_t>(job.rows) * kNumberStep<kShape>;
  for (std::size_t column = 0; column < job.rows; column += kLanes) {
    const std::size_t first = std::min(column, job.rows - kLanes);
    split_columns<Rows, kShape, kFrom>(D(), job, numbers_from<kShape>(job.source, first), apart,
                                       first);
  }
}

/// Of numbers whose parts alternate.
template <class Rows, class D, Shape kShape, TwiddlesFrom kFrom>
void split_in_place_of(const SplitPass<hn::TFromD<D>>& given, std::span<const SplitMove> moves) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kWidth = fft::detail::kDirectWidth<T>;
  const SplitPass<T> job = given;
  const std::ptrdiff_t apart = static_cast<std::ptrdiff_t>(job.rows) * kNumberStep<kShape>;
  constexpr bool kExchanged = kShape == Shape::exchanged_columns;
  alignas(64) T kept[2 * kWidth * kWidth];
  const Lines<const T> copy = {kept + kExchanged, kept + !kExchanged, 2};
  for (const SplitMove& move : moves) {
    const Lines<const T> from = numbers_from<kShape>(job.source, move.first);
    switch (move.kind) {
      case SplitMove::Kind::take:
        split_columns<Rows, kShape, kFrom>(D(), job, from, apart, move.first);
        break;
      case SplitMove::Kind::keep:
        for (std::size_t q = 0; q < kWidth; ++q) {
          const T* const row =
              (kExchanged ? from.imaginary : from.real) + static_cast<std::ptrdiff_t>(q) * apart;
          std::copy_n(row, 2 * kWidth, kept + 2 * kWidth * q);
        }
        break;
      case SplitMove::Kind::take_kept:
        split_columns<Rows, kShape, kFrom>(D(), job, copy, 2 * kWidth, move.first);
        break;
    }
  }
}

/// Calls f<kShape>() for the way in which neighbouring numbers lie.
template <class T, class F>
HWY_INLINE void for_step(const Lines<T>& lines, const F& f) {
  switch (shape_of(lines)) {
    case Shape::complex_columns:
      return f(std::integral_constant<Shape, Shape::complex_columns>());
    case Shape::exchanged_columns:
      return f(std::integral_constant<Shape, Shape::exchanged_columns>());
    default:
      return f(std::integral_constant<Shape, Shape::split_columns>());
  }
}

template <class D, class Squares>
void split_pass(const SplitPass<hn::TFromD<D>>& job) {
  for_step(job.source, [&](auto shape) {
    constexpr Shape kShape = decltype(shape)::value;
    if (job.steps) return split_pass_of<D, Squares, kShape, TwiddlesFrom::products>(job);
    split_pass_of<D, Squares, kShape, TwiddlesFrom::table>(job);
  });
}

template <class D, class Squares>
void split_in_place(const SplitPass<hn::TFromD<D>>& job, std::span<const SplitMove> moves) {
  const auto split = [&](auto shape) {
    constexpr Shape kShape = decltype(shape)::value;
    if (job.steps) return split_in_place_of<D, Squares, kShape, TwiddlesFrom::products>(job, moves);
    split_in_place_of<D, Squares, kShape, TwiddlesFrom::table>(job, moves);
  };
  if (shape_of(job.source) == Shape::exchanged_columns) {
    return split(std::integral_constant<Shape, Shape::exchanged_columns>());
  }
  split(std::integral_constant<Shape, Shape::complex_columns>());
}

template <class D, std::size_t kRadix, Shape kShape, Finish kFinish, bool kStreams>
void join_pass_of(const JoinPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D()), kWidth = fft::detail::kDirectWidth<T>;
  const D d;
  const JoinPass<T> job = given;
  const auto distance = [&](std::size_t rows) {
    return static_cast<std::ptrdiff_t>(rows * kWidth) * kNumberStep<kShape>;
  };
  const std::ptrdiff_t step = distance(job.row_step), group = distance(job.row_group);
  const std::ptrdiff_t block = distance(1);
  const std::size_t numbers = 2 * (kRadix - 1);
  const auto scale = hn::Set(d, job.scale);
  for (std::size_t g = 0; g < job.pass.groups; ++g) {
    std::ptrdiff_t begin = distance(job.row) + static_cast<std::ptrdiff_t>(g) * group;
    const T* twiddles = job.pass.twiddles + g * numbers;
    for (std::size_t b = 0; b < job.count; ++b) {
      const T* const from = job.pass.from + job.blocks[b] + g * job.pass.from_group;
      const GroupTwiddles<D, kRadix> factors(d, twiddles);
      for (std::size_t lane = 0; lane < kWidth; lane += kLanes) {
        const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
          return factors.times_input(q, input(d, from + q * job.pass.from_step + 2 * lane, kLanes));
        };
        const std::ptrdiff_t first =
            begin + static_cast<std::ptrdiff_t>(lane) * kNumberStep<kShape>;
        const auto out = [&](std::size_t p, Complex<hn::Vec<D>> y) KINJO_FFT_INLINE {
          const std::ptrdiff_t at = first + static_cast<std::ptrdiff_t>(p) * step;
          if (kFinish == Finish::scale) y = {hn::Mul(y.re, scale), hn::Mul(y.im, scale)};
          give_numbers<kShape>(
              d, y, Lines<T>{job.target.real + at, job.target.imaginary + at, job.target.line},
              kStreams);
        };
        butterfly<kRadix>(d, job.pass, in, out);
      }
      begin += block;
      twiddles += job.pass.groups * numbers;
    }
  }
}

template <class D, std::size_t kRadix>
void join_pass(const JoinPass<hn::TFromD<D>>& job) {
  using T = hn::TFromD<D>;
  for_step(job.target, [&](auto shape) {
    constexpr Shape kShape = decltype(shape)::value;
    Lines<T> rows = job.target;
    rows.element = static_cast<std::ptrdiff_t>(fft::detail::kDirectWidth<T>) * kNumberStep<kShape>;
    if (streams<kShape>(D(), rows, job.write)) {
      // To multiply with 1, too, takes no longer where memory is waited for.
      return join_pass_of<D, kRadix, kShape, Finish::scale, true>(job);
    }
    if (job.scale == 1) return join_pass_of<D, kRadix, kShape, Finish::nothing, false>(job);
    join_pass_of<D, kRadix, kShape, Finish::scale, false>(job);
  });
}

template <class D, std::size_t kRadix>
constexpr typename fft::detail::DirectKernels<hn::TFromD<D>>::Pass direct_passes() {
  return {pass<D, kRadix, Twiddles::none, Place::same, Row::vectors>,
          pass<D, kRadix, Twiddles::some, Place::same, Row::vectors>, join_pass<D, kRadix>};
}

/// A butterfly of radix 8 with its results on their way to memory needs more than 16 registers.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t kLastRadix = 8;
#else
constexpr std::size_t kLastRadix = 4;
#endif

/// Of 16 registers a radix 8 with twiddles leaves none, so that it takes longer than its share of
/// radices 4: 34 cycles for 8 rows of half a line's numbers, where a radix 4 takes 9 for 4 (Zen 4).
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t kLargestRadix = 16;
#elif HWY_TARGET == HWY_NEON
constexpr std::size_t kLargestRadix = 8;
#else
constexpr std::size_t kLargestRadix = 4;
#endif

/// With AVX2 the operations of products are twice as many: of lines of 1024 to 4096 numbers they
/// take a twentieth of the time, where a table costs little though it comes from L2 (Zen 3).
#if HWY_TARGET == HWY_AVX2
constexpr std::size_t kMostFromTable = 4096;
#else
constexpr std::size_t kMostFromTable = 512;
#endif

template <class D, class Squares>
constexpr typename fft::detail::DirectKernels<hn::TFromD<D>>::Ends direct_ends() {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(Squares());
  constexpr bool kWholeRows = kLanes == fft::detail::kDirectWidth<T>;
  typename fft::detail::DirectKernels<T>::Ends ends = {
      split_pass<D, Squares>, nullptr, kLanes, kMostFromTable, kLastRadix, kLargestRadix};
  if constexpr (kWholeRows) ends.split_in_place = split_in_place<D, Squares>;
  return ends;
}

/// Eight columns of doubles take three steps of shuffles and stores of 64 bytes, four columns two
/// steps and stores of 32: a fifth of 2048 numbers' time on Zen 4, and 3 to 7 % of others'. There a
/// last pass of eight rows that lie 4 to 32 KiB apart is up to a sixth slower than one of four.
template <class D>
constexpr typename fft::detail::DirectKernels<hn::TFromD<D>>::Ends direct_ends_of_halves() {
  using T = hn::TFromD<D>;
  if constexpr (sizeof(T) == 8 && hn::MaxLanes(D()) == 8) {
    auto ends = direct_ends<D, hn::CappedTag<T, 4>>();
    ends.most_from_table = 4096;
    ends.fours_begin = 2048;
    ends.fours_end = 32768;
    return ends;
  } else {
    return direct_ends<D, SquareTag<D>>();
  }
}

template <class D, std::size_t... kIndex>
constexpr fft::detail::DirectKernels<hn::TFromD<D>> direct_kernels(std::index_sequence<kIndex...>) {
  return {direct_ends<D, SquareTag<D>>(),
          direct_ends_of_halves<D>(),
          {direct_passes<D, fft::detail::kRadices[kIndex]>()...}};
}
template <class D>
constexpr fft::detail::DirectKernels<hn::TFromD<D>> direct_kernels() {
  return direct_kernels<D>(std::make_index_sequence<std::size(fft::detail::kRadices)>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
