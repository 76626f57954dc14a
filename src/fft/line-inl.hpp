/// Per target: LOAD and STORE, which move lines between memory and the rows of a buffer.
///
/// Columns: the elements of neighbouring lines lie next to each other, as they will in a row; real
/// and imaginary parts that alternate are taken apart on the way. Lines: the elements of a line lie
/// next to each other; squares of them are transposed in registers. There, parts that alternate
/// count as elements of their own: two neighbouring rows of the transposed square are the real and
/// the imaginary part of one row of the buffer.
///
/// Lanes beyond the last whole vector are moved one by one, by the same code with vectors of one
/// lane, and lanes without a line are zero.
#if defined(KINJO_FFT_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_LINE_INL
#undef KINJO_FFT_LINE_INL
#else
#define KINJO_FFT_LINE_INL
#endif

#include <algorithm>
#include <functional>

#include "fft/memory-inl.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::LoadJob;
using fft::detail::Rows;
using fft::detail::StoreJob;

template <class T>
using One = hn::CappedTag<T, 1>;

/// Calls f(tag, lane) for lanes 0 … end − 1: whole vectors and then single lanes.
template <class D, class F>
HWY_INLINE void for_lanes(D d, std::size_t end, const F& f) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  std::size_t lane = 0;
  for (; lane + kLanes <= end; lane += kLanes) f(d, lane);
  if constexpr (kLanes > 1) {
    for (; lane < end; ++lane) f(One<hn::TFromD<D>>(), lane);
  }
}

/// Calls f(tag, t, lane) for squares of elements t and lanes, and for single ones at the edges. Of
/// each line some cache lines are done at once, since lines that are a power of two apart share
/// few sets of a cache, and would evict what is left of each other's.
template <class D, class F>
HWY_INLINE void for_squares(D d, std::size_t elements, std::size_t lanes, const F& f) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kSide = hn::MaxLanes(D()), kBlock = 256 / sizeof(T);
  for (std::size_t begin = 0; begin < elements; begin += kBlock) {
    const std::size_t end = std::min(elements, begin + kBlock);
    const std::size_t whole = begin + (end - begin) / kSide * kSide;
    std::size_t lane = 0;
    for (; lane + kSide <= lanes; lane += kSide) {
      for (std::size_t t = begin; t < whole; t += kSide) f(d, t, lane);
      for (std::size_t t = whole; t < end; ++t) {
        for (std::size_t i = 0; i < kSide; ++i) f(One<T>(), t, lane + i);
      }
    }
    for (; lane < lanes; ++lane) {
      for (std::size_t t = begin; t < end; ++t) f(One<T>(), t, lane);
    }
  }
}

/// Numbers whose parts alternate: the first part of the first one, and which part it is.
template <class T>
struct Pairs {
  T* first;
  bool imaginary_first;
  explicit Pairs(const Lines<T>& lines)
      : first(std::min(lines.real, lines.imaginary, std::less<>())),
        imaginary_first(first == lines.imaginary) {}
};

/// Which cache is asked to have memory soon.
enum class Near { l1, l2 };

template <Near kNear, class T>
HWY_INLINE void prefetch(const T* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 64 / sizeof(T)) {
    __builtin_prefetch(from + i, 0, kNear == Near::l1 ? 3 : 2);
  }
}

/// Rows on that memory is asked for, in L1 and in L2. Rows far apart are no stream that a CPU would
/// notice; and if their distance is a power of two they share so few sets of the caches that L1
/// holds no more than a handful of them, and L2 not many. CPUs with AVX2 alone tend to have a small
/// L2: asked of one of 512 KiB with 8 ways, rows are gone before they are loaded, and each of them
/// has to wait for a page's address (Zen 3).
#if HWY_TARGET == HWY_AVX2
inline constexpr std::size_t kRowsSoon = 8, kRowsAhead = 0;
#else
inline constexpr std::size_t kRowsSoon = 4, kRowsAhead = 32;
#endif

/// Asks for the memory of the elements of all lines that come soon after the i-th row's.
template <class T>
HWY_INLINE void prefetch_rows(const LoadJob<T>& job, const Rows& rows, std::size_t i) {
  const auto first = [&](std::size_t row) HWY_ATTR {
    const Lines<const T> at = advanced(job.source, rows.element(row));
    return std::min(at.real, at.imaginary, std::less<>());
  };
  if (i + kRowsSoon < rows.count) prefetch<Near::l1>(first(i + kRowsSoon), 2 * job.lines);
  if (kRowsAhead == 0 || i + kRowsAhead >= rows.count) return;
  prefetch<Near::l2>(first(i + kRowsAhead), 2 * job.lines);
}

template <Shape kShape, class D>
void load_columns(LoadJob<hn::TFromD<D>> job, Rows rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (kShape != Shape::split_columns) prefetch_rows(job, rows, i);
    const Lines<const hn::TFromD<D>> at = advanced(job.source, rows.element(i));
    hn::TFromD<D>* const row = job.to + rows.offsets[i];
    for_lanes(D(), job.lines, [&](auto d, std::size_t lane) KINJO_FFT_INLINE {
      const auto x = take<kShape>(d, at, lane);
      hn::StoreU(x.re, d, row + lane);
      hn::StoreU(x.im, d, row + job.width + lane);
    });
  }
}

/// How far ahead memory is asked for: of lines in tiles, each about a page, at whose end a CPU's
/// own prefetching stops, the same place of the next tile.
template <class T>
HWY_INLINE std::ptrdiff_t ahead_of_tile(const Lines<T>& lines) {
  return lines.fold != Lines<T>::kNoFold ? lines.far : 0;
}

/// Rows ← the elements of lines from `from` on; element t goes to `to(t)`. If `ahead` is not 0,
/// what lies so much further on is asked for in L2.
template <class D, class T, class To>
HWY_INLINE void load_transposed(D squares, const T* from, std::ptrdiff_t line, std::size_t elements,
                                std::size_t lines, std::ptrdiff_t ahead, const To& to) {
  for_squares(squares, elements, lines,
              [&](auto d, std::size_t t, std::size_t lane) KINJO_FFT_INLINE {
                const auto in = [&](std::size_t i) KINJO_FFT_INLINE {
                  const T* const at = from + static_cast<std::ptrdiff_t>(lane + i) * line + t;
                  if (ahead != 0) __builtin_prefetch(at + ahead, 0, 2);
                  return hn::LoadU(d, at);
                };
                const auto out = [&](std::size_t k, auto v)
                                     KINJO_FFT_INLINE { hn::StoreU(v, d, to(t + k) + lane); };
                transpose(d, in, out);
              });
}

template <class D>
void load_split_lines(LoadJob<hn::TFromD<D>> job, Rows rows) {
  const Lines<const hn::TFromD<D>> from = advanced(job.source, rows.first);
  const auto real = [&](std::size_t t) { return job.to + rows.offsets[t]; };
  const auto imaginary = [&](std::size_t t) { return job.to + rows.offsets[t] + job.width; };
  load_transposed(D(), from.real, from.line, rows.count, job.lines, 0, real);
  load_transposed(D(), from.imaginary, from.line, rows.count, job.lines, 0, imaginary);
}
template <class D>
void load_complex_lines(LoadJob<hn::TFromD<D>> job, Rows rows) {
  const Lines<const hn::TFromD<D>> from = advanced(job.source, rows.first);
  const Pairs<const hn::TFromD<D>> pairs(from);
  const auto to = [&](std::size_t t) {
    return job.to + rows.offsets[t / 2] + (t % 2 != pairs.imaginary_first ? job.width : 0);
  };
  load_transposed(D(), pairs.first, from.line, 2 * rows.count, job.lines, ahead_of_tile(job.source),
                  to);
}

template <class D>
void load(const LoadJob<hn::TFromD<D>>& job, const Rows& rows) {
  using T = hn::TFromD<D>;
  using Squares = SquareTag<D>;
  switch (job.shape) {
    case Shape::split_columns:
      load_columns<Shape::split_columns, D>(job, rows);
      break;
    case Shape::complex_columns:
      load_columns<Shape::complex_columns, D>(job, rows);
      break;
    case Shape::exchanged_columns:
      load_columns<Shape::exchanged_columns, D>(job, rows);
      break;
    case Shape::split_lines:
      load_split_lines<Squares>(job, rows);
      break;
    case Shape::complex_lines:
    case Shape::exchanged_lines:
      load_complex_lines<Squares>(job, rows);
      break;
    case Shape::strided:
      load_columns<Shape::strided, One<T>>(job, rows);
      break;
  }
  if (job.lines == job.width) return;
  for (std::size_t i = 0; i < rows.count; ++i) {
    T* const row = job.to + rows.offsets[i];
    std::fill(row + job.lines, row + job.width, T{0});
    std::fill(row + job.width + job.lines, row + 2 * job.width, T{0});
  }
}

/// An element of the lines from `lane` on, from its row, as it goes out.
template <Finish kFinish, class D>
HWY_INLINE Complex<hn::Vec<D>> finished_row(D d, const hn::TFromD<D>* row,
                                            const ElementFactors<hn::TFromD<D>>& factors,
                                            std::size_t lane) {
  const Complex<hn::Vec<D>> x = {in_register(hn::LoadU(d, row + lane)),
                                 in_register(hn::LoadU(d, row + factors.width + lane))};
  return finished<kFinish>(d, x, factors, lane);
}

template <Shape kShape, Finish kFinish, class D>
void store_columns(StoreJob<hn::TFromD<D>> job, Rows rows) {
  const bool streaming = streams<kShape>(D(), job.target, job.factors.write);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t element = rows.element(i);
    const hn::TFromD<D>* const row = job.from + rows.offsets[i];
    const auto factors = factors_of<kFinish>(job.factors, job.width, element);
    const Lines<hn::TFromD<D>> at = advanced(job.target, element);
    for_lanes(D(), job.lines, [&](auto d, std::size_t lane) KINJO_FFT_INLINE {
      give<kShape>(d, finished_row<kFinish>(d, row, factors, lane), at, lane, streaming);
    });
  }
}

/// The elements of lines from `to` on ← `part(d, t, lane)`, element t of the lines from `lane` on.
template <class D, class T, class Part>
HWY_INLINE void store_transposed(D squares, T* to, std::ptrdiff_t line, std::size_t elements,
                                 std::size_t lines, const Part& part) {
  for_squares(
      squares, elements, lines, [&](auto d, std::size_t t, std::size_t lane) KINJO_FFT_INLINE {
        const auto in = [&](std::size_t i) KINJO_FFT_INLINE { return part(d, t + i, lane); };
        const auto out = [&](std::size_t k, auto v) KINJO_FFT_INLINE {
          hn::StoreU(v, d, to + static_cast<std::ptrdiff_t>(lane + k) * line + t);
        };
        transpose(d, in, out);
      });
}

template <Finish kFinish, class D>
void store_split_lines(StoreJob<hn::TFromD<D>> job, Rows rows) {
  const Lines<hn::TFromD<D>> to = advanced(job.target, rows.first);
  const auto at = [&](auto d, std::size_t t, std::size_t lane) KINJO_FFT_INLINE {
    const auto factors = factors_of<kFinish>(job.factors, job.width, rows.first + t);
    return finished_row<kFinish>(d, job.from + rows.offsets[t], factors, lane);
  };
  const auto real = [&](auto d, std::size_t t, std::size_t lane)
                        KINJO_FFT_INLINE { return at(d, t, lane).re; };
  const auto imaginary = [&](auto d, std::size_t t, std::size_t lane)
                             KINJO_FFT_INLINE { return at(d, t, lane).im; };
  store_transposed(D(), to.real, to.line, rows.count, job.lines, real);
  store_transposed(D(), to.imaginary, to.line, rows.count, job.lines, imaginary);
}

template <Finish kFinish, class D>
void store_complex_lines(StoreJob<hn::TFromD<D>> job, Rows rows) {
  const Lines<hn::TFromD<D>> to = advanced(job.target, rows.first);
  const Pairs<hn::TFromD<D>> pairs(to);
  const auto part = [&](auto d, std::size_t t, std::size_t lane) KINJO_FFT_INLINE {
    const auto factors = factors_of<kFinish>(job.factors, job.width, rows.first + t / 2);
    const auto x = finished_row<kFinish>(d, job.from + rows.offsets[t / 2], factors, lane);
    return t % 2 != pairs.imaginary_first ? x.im : x.re;
  };
  store_transposed(D(), pairs.first, to.line, 2 * rows.count, job.lines, part);
}

template <Finish kFinish, class D>
void store_finished(const StoreJob<hn::TFromD<D>>& job, const Rows& rows) {
  using T = hn::TFromD<D>;
  using Squares = SquareTag<D>;
  switch (job.shape) {
    case Shape::split_columns:
      return store_columns<Shape::split_columns, kFinish, D>(job, rows);
    case Shape::complex_columns:
      return store_columns<Shape::complex_columns, kFinish, D>(job, rows);
    case Shape::exchanged_columns:
      return store_columns<Shape::exchanged_columns, kFinish, D>(job, rows);
    case Shape::split_lines:
      return store_split_lines<kFinish, Squares>(job, rows);
    case Shape::complex_lines:
    case Shape::exchanged_lines:
      return store_complex_lines<kFinish, Squares>(job, rows);
    case Shape::strided:
      return store_columns<Shape::strided, kFinish, One<T>>(job, rows);
  }
}

template <class D>
void store(const StoreJob<hn::TFromD<D>>& job, const Rows& rows) {
  for_finish(job.factors,
             [&](auto finish) { store_finished<decltype(finish)::value, D>(job, rows); });
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
