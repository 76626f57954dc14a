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
#include <cstdint>
#include <functional>
#include <utility>

#include "fft/column_kernels.hpp"
#include "fft/pass-inl.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::Lines;
using fft::detail::LoadJob;
using fft::detail::Rows;
using fft::detail::Shape;
using fft::detail::StoreJob;

template <class T>
using One = hn::CappedTag<T, 1>;

/// Calls f(tag, lane) for lanes 0 … end − 1: whole vectors and then single lanes.
template <class D, class F>
HWY_INLINE void for_lanes(D d, std::size_t end, const F& f) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  std::size_t lane = 0;
  for (; lane + kLanes <= end; lane += kLanes) f(d, lane);
  for (; lane < end; ++lane) f(One<hn::TFromD<D>>(), lane);
}

/// Calls f(tag, t, lane) for squares of elements t and lanes, and for single ones at the edges. A
/// cache line of each memory line is done before the next one.
template <class D, class F>
HWY_INLINE void for_squares(D d, std::size_t elements, std::size_t lanes, const F& f) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kSide = hn::MaxLanes(D()), kBlock = 64 / sizeof(T);
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

/// Where the elements of one row lie in memory.
template <class T>
HWY_INLINE Lines<T> advanced(Lines<T> lines, std::size_t element) {
  const auto step = static_cast<std::ptrdiff_t>(element) * lines.element;
  return {lines.real + step, lines.imaginary + step, lines.line, lines.element};
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

template <Shape kShape, class D, class T>
HWY_INLINE void load_lanes(D d, const Lines<const T>& at, std::size_t lane, T* real, T* imaginary) {
  if constexpr (kShape == Shape::complex_columns) {
    // What is called real is the part that comes first.
    hn::Vec<D> first, second;
    hn::LoadInterleaved2(d, at.real + 2 * lane, first, second);
    hn::StoreU(first, d, real + lane);
    hn::StoreU(second, d, imaginary + lane);
  } else {
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(lane) * at.line;
    hn::StoreU(hn::LoadU(d, at.real + step), d, real + lane);
    hn::StoreU(hn::LoadU(d, at.imaginary + step), d, imaginary + lane);
  }
}

template <Shape kShape, class D>
void load_columns(LoadJob<hn::TFromD<D>> job, Rows rows) {
  using T = hn::TFromD<D>;
  const Pairs<const T> pairs(job.source);
  Lines<const T> source = job.source;
  std::size_t real_at = 0, imaginary_at = job.width;
  if (kShape == Shape::complex_columns) {
    source.real = pairs.first;
    if (pairs.imaginary_first) std::swap(real_at, imaginary_at);
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Lines<const T> at = advanced(source, rows.element(i));
    T* const row = job.to + rows.offsets[i];
    for_lanes(D(), job.lines, [&](auto d, std::size_t lane) KINJO_FFT_INLINE {
      load_lanes<kShape>(d, at, lane, row + real_at, row + imaginary_at);
    });
  }
}

/// Rows ← the elements of lines from `from` on; element t goes to `to(t)`.
template <class D, class T, class To>
HWY_INLINE void load_transposed(D squares, const T* from, std::ptrdiff_t line, std::size_t elements,
                                std::size_t lines, const To& to) {
  for_squares(squares, elements, lines,
              [&](auto d, std::size_t t, std::size_t lane) KINJO_FFT_INLINE {
                const auto in = [&](std::size_t i) KINJO_FFT_INLINE {
                  return hn::LoadU(d, from + static_cast<std::ptrdiff_t>(lane + i) * line + t);
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
  load_transposed(D(), from.real, from.line, rows.count, job.lines, real);
  load_transposed(D(), from.imaginary, from.line, rows.count, job.lines, imaginary);
}
template <class D>
void load_complex_lines(LoadJob<hn::TFromD<D>> job, Rows rows) {
  const Lines<const hn::TFromD<D>> from = advanced(job.source, rows.first);
  const Pairs<const hn::TFromD<D>> pairs(from);
  load_transposed(D(), pairs.first, from.line, 2 * rows.count, job.lines, [&](std::size_t t) {
    return job.to + rows.offsets[t / 2] + (t % 2 != pairs.imaginary_first ? job.width : 0);
  });
}

template <class D>
void load(const LoadJob<hn::TFromD<D>>& job, const Rows& rows) {
  using T = hn::TFromD<D>;
  using Squares = TransposeTag<T, hn::MaxLanes(D())>;
  switch (job.shape) {
    case Shape::split_columns:
      load_columns<Shape::split_columns, D>(job, rows);
      break;
    case Shape::complex_columns:
      load_columns<Shape::complex_columns, D>(job, rows);
      break;
    case Shape::split_lines:
      load_split_lines<Squares>(job, rows);
      break;
    case Shape::complex_lines:
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

/// What is done to elements on their way out.
enum class Finish { nothing, scale, multiply };

/// An element of the lines from `lane` on as it goes out.
template <Finish kFinish, class D>
HWY_INLINE Complex<hn::Vec<D>> finished(D d, const StoreJob<hn::TFromD<D>>& job, std::size_t offset,
                                        std::size_t element, std::size_t lane) {
  using T = hn::TFromD<D>;
  const auto at = [&](const T* row) KINJO_FFT_INLINE {
    return Complex<hn::Vec<D>>{hn::LoadU(d, row + lane), hn::LoadU(d, row + job.width + lane)};
  };
  Complex<hn::Vec<D>> x = at(job.from + offset);
  if constexpr (kFinish == Finish::nothing) return x;
  const auto scale = hn::Set(d, job.factors.scale);
  x = {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  if constexpr (kFinish == Finish::scale) return x;
  const std::size_t high = element / fft::detail::kTwiddleBlock;
  const std::size_t low = element % fft::detail::kTwiddleBlock;
  return times(x, times(at(job.factors.high + 2 * job.width * high),
                        at(job.factors.low + 2 * job.width * low)));
}

/// Single lanes are never streamed: they are the rest behind whole vectors.
template <class D>
HWY_INLINE void put(hn::Vec<D> v, D d, hn::TFromD<D>* to, bool streams) {
  if constexpr (hn::MaxLanes(D()) > 1) {
    if (streams) return hn::Stream(v, d, to);
  }
  hn::StoreU(v, d, to);
}
/// Two vectors' elements in turn.
template <class D>
HWY_INLINE void put_pairs(hn::Vec<D> first, hn::Vec<D> second, D d, hn::TFromD<D>* to,
                          bool streams) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if (kLanes == 1 || !streams) return hn::StoreInterleaved2(first, second, d, to);
  alignas(64) hn::TFromD<D> pairs[2 * kLanes];
  hn::StoreInterleaved2(first, second, d, pairs);
  put(hn::LoadU(d, pairs), d, to, streams);
  put(hn::LoadU(d, pairs + kLanes), d, to + kLanes, streams);
}

template <Shape kShape, class D, class T>
HWY_INLINE void store_lanes(D d, const Complex<hn::Vec<D>>& x, const Lines<T>& at, std::size_t lane,
                            bool streams) {
  if constexpr (kShape == Shape::complex_columns) {
    const bool real_first = at.real < at.imaginary;
    T* const to = (real_first ? at.real : at.imaginary) + 2 * lane;
    put_pairs(real_first ? x.re : x.im, real_first ? x.im : x.re, d, to, streams);
  } else {
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(lane) * at.line;
    put(x.re, d, at.real + step, streams);
    put(x.im, d, at.imaginary + step, streams);
  }
}

/// Whether streaming stores are wanted and all vectors of all rows aligned.
template <Shape kShape, class D>
bool streams(D, const StoreJob<hn::TFromD<D>>& job) {
  constexpr std::size_t kBytes = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>);
  const auto aligned = [](auto x) { return static_cast<std::uintptr_t>(x) % kBytes == 0; };
  const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  if (job.factors.write != Store::streaming || hn::MaxLanes(D()) == 1) return false;
  if (!aligned(job.target.element * static_cast<std::ptrdiff_t>(sizeof(hn::TFromD<D>)))) {
    return false;
  }
  if (kShape == Shape::complex_columns) return aligned(address(Pairs(job.target).first));
  return aligned(address(job.target.real)) && aligned(address(job.target.imaginary));
}

template <Shape kShape, Finish kFinish, class D>
void store_columns(StoreJob<hn::TFromD<D>> job, Rows rows) {
  const bool streaming = streams<kShape>(D(), job);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t element = rows.element(i);
    const Lines<hn::TFromD<D>> at = advanced(job.target, element);
    for_lanes(D(), job.lines, [&](auto d, std::size_t lane) KINJO_FFT_INLINE {
      const auto x = finished<kFinish>(d, job, rows.offsets[i], element, lane);
      store_lanes<kShape>(d, x, at, lane, streaming);
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
    return finished<kFinish>(d, job, rows.offsets[t], rows.first + t, lane);
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
    const auto x = finished<kFinish>(d, job, rows.offsets[t / 2], rows.first + t / 2, lane);
    return t % 2 != pairs.imaginary_first ? x.im : x.re;
  };
  store_transposed(D(), pairs.first, to.line, 2 * rows.count, job.lines, part);
}

template <Finish kFinish, class D>
void store_finished(const StoreJob<hn::TFromD<D>>& job, const Rows& rows) {
  using T = hn::TFromD<D>;
  using Squares = TransposeTag<T, hn::MaxLanes(D())>;
  switch (job.shape) {
    case Shape::split_columns:
      return store_columns<Shape::split_columns, kFinish, D>(job, rows);
    case Shape::complex_columns:
      return store_columns<Shape::complex_columns, kFinish, D>(job, rows);
    case Shape::split_lines:
      return store_split_lines<kFinish, Squares>(job, rows);
    case Shape::complex_lines:
      return store_complex_lines<kFinish, Squares>(job, rows);
    case Shape::strided:
      return store_columns<Shape::strided, kFinish, One<T>>(job, rows);
  }
}

template <class D>
void store(const StoreJob<hn::TFromD<D>>& job, const Rows& rows) {
  if (job.factors.high) return store_finished<Finish::multiply, D>(job, rows);
  if (job.factors.scale != 1) return store_finished<Finish::scale, D>(job, rows);
  store_finished<Finish::nothing, D>(job, rows);
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
