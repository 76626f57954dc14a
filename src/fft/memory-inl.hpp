/// Per target: vectors of complex numbers taken from memory and put back there, as lines lie in it.
///
/// Real and imaginary parts that alternate are taken apart by interleaving twice on most levels.
/// AVX2 interleaves within halves of its vectors only: there, each half is loaded and stored for
/// itself, in the order that makes one interleaving enough,
///
///     r0 i0 | r2 i2   and   r1 i1 | r3 i3   ⇄   r0 r1 r2 r3   and   i0 i1 i2 i3
#if defined(KINJO_FFT_MEMORY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_MEMORY_INL
#undef KINJO_FFT_MEMORY_INL
#else
#define KINJO_FFT_MEMORY_INL
#endif

#include <cstdint>
#include <functional>
#include <type_traits>

#include "fft/butterfly-inl.hpp"
#include "fft/column_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::Lines;
using fft::detail::Shape;

/// Where an element of all lines lies.
template <class T>
HWY_INLINE Lines<T> advanced(Lines<T> lines, std::size_t element) {
  const std::ptrdiff_t step = lines.offset(element);
  return {lines.real + step, lines.imaginary + step, lines.line, lines.element};
}

/// Pairs of doubles, one in each 16 bytes of a vector, from every other line.
template <class D>
HWY_INLINE hn::Vec<D> every_other(D d, const hn::TFromD<D>* from, std::ptrdiff_t line) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 2) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    const auto upper =
        every_other(half, from + static_cast<std::ptrdiff_t>(kLanes / 2) * line, line);
    return hn::Combine(d, upper, every_other(half, from, line));
  }
}
/// Numbers of neighbouring lines, in pairs of doubles anywhere.
template <class D>
HWY_INLINE Complex<hn::Vec<D>> take_lines(D d, const hn::TFromD<D>* from, std::ptrdiff_t line) {
  static_assert(sizeof(hn::TFromD<D>) == 8);
  if constexpr (hn::MaxLanes(D()) == 1) {
    return {hn::LoadU(d, from), hn::LoadU(d, from + 1)};
  } else {
    const auto a = every_other(d, from, line), b = every_other(d, from + line, line);
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)};
  }
}

template <class D>
HWY_INLINE Complex<hn::Vec<D>> take_pairs(D d, const hn::TFromD<D>* from) {
#if HWY_TARGET == HWY_AVX2
  if constexpr (hn::MaxLanes(D()) == 4 && sizeof(hn::TFromD<D>) == 8) return take_lines(d, from, 2);
  if constexpr (hn::MaxLanes(D()) == 8) {
    const hn::Half<D> half;
    const auto a = hn::Combine(d, hn::LoadU(half, from + 8), hn::LoadU(half, from));
    const auto b = hn::Combine(d, hn::LoadU(half, from + 12), hn::LoadU(half, from + 4));
    return {hn::Vec<D>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))},
            hn::Vec<D>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))}};
  }
#endif
#if HWY_TARGET == HWY_AVX3
  // One shuffle for each part, where interleaving by halves takes two.
  if constexpr (hn::MaxLanes(D()) == 8 && sizeof(hn::TFromD<D>) == 8) {
    const auto even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const auto odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + 8);
    return {hn::Vec<D>{_mm512_permutex2var_pd(a.raw, even, b.raw)},
            hn::Vec<D>{_mm512_permutex2var_pd(a.raw, odd, b.raw)}};
  }
#endif
  Complex<hn::Vec<D>> x;
  hn::LoadInterleaved2(d, from, x.re, x.im);
  return x;
}

/// The numbers of neighbouring lines from `lane` on.
template <Shape kShape, class D, class T>
HWY_INLINE Complex<hn::Vec<D>> take(D d, const Lines<T>& at, std::size_t lane) {
  if constexpr (kShape == Shape::complex_columns) {
    return take_pairs(d, at.real + 2 * lane);
  } else if constexpr (kShape == Shape::exchanged_columns) {
    const auto x = take_pairs(d, at.imaginary + 2 * lane);
    return {x.im, x.re};
  } else if constexpr (kShape == Shape::complex_lines) {
    return take_lines(d, at.real + static_cast<std::ptrdiff_t>(lane) * at.line, at.line);
  } else if constexpr (kShape == Shape::exchanged_lines) {
    const auto x =
        take_lines(d, at.imaginary + static_cast<std::ptrdiff_t>(lane) * at.line, at.line);
    return {x.im, x.re};
  } else {
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(lane) * at.line;
    return {hn::LoadU(d, at.real + step), hn::LoadU(d, at.imaginary + step)};
  }
}

/// Single lanes are never streamed: they are the rest behind whole vectors.
template <class D>
HWY_INLINE void put(hn::Vec<D> v, D d, hn::TFromD<D>* to, bool streams) {
  if constexpr (hn::MaxLanes(D()) > 1) {
    if (streams) return hn::Stream(v, d, to);
  }
  hn::StoreU(v, d, to);
}

template <class D>
HWY_INLINE void put_every_other(hn::Vec<D> v, D d, hn::TFromD<D>* to, std::ptrdiff_t line,
                                bool streams) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 2) {
    put(v, d, to, streams);
  } else {
    const hn::Half<D> half;
    put_every_other(hn::LowerHalf(half, v), half, to, line, streams);
    put_every_other(hn::UpperHalf(half, v), half,
                    to + static_cast<std::ptrdiff_t>(kLanes / 2) * line, line, streams);
  }
}
template <class D>
HWY_INLINE void put_lines(const Complex<hn::Vec<D>>& x, D d, hn::TFromD<D>* to, std::ptrdiff_t line,
                          bool streams) {
  static_assert(sizeof(hn::TFromD<D>) == 8);
  if constexpr (hn::MaxLanes(D()) == 1) {
    hn::StoreU(x.re, d, to);
    hn::StoreU(x.im, d, to + 1);
  } else {
    put_every_other(hn::InterleaveLower(d, x.re, x.im), d, to, line, streams);
    put_every_other(hn::InterleaveUpper(d, x.re, x.im), d, to + line, line, streams);
  }
}

template <class D>
HWY_INLINE void put_pairs(const Complex<hn::Vec<D>>& x, D d, hn::TFromD<D>* to, bool streams) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
#if HWY_TARGET == HWY_AVX2
  if constexpr (kLanes * sizeof(hn::TFromD<D>) == 32) {
    const auto a = hn::InterleaveLower(d, x.re, x.im), b = hn::InterleaveUpper(d, x.re, x.im);
    put(hn::ConcatLowerLower(d, b, a), d, to, streams);
    put(hn::ConcatUpperUpper(d, b, a), d, to + kLanes, streams);
    return;
  }
#endif
#if HWY_TARGET == HWY_AVX3
  // One shuffle for each vector that goes out, where interleaving by halves takes three.
  if constexpr (kLanes == 8 && sizeof(hn::TFromD<D>) == 8) {
    const auto lower = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const auto upper = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    put(hn::Vec<D>{_mm512_permutex2var_pd(x.re.raw, lower, x.im.raw)}, d, to, streams);
    put(hn::Vec<D>{_mm512_permutex2var_pd(x.re.raw, upper, x.im.raw)}, d, to + kLanes, streams);
    return;
  }
  if constexpr (kLanes == 16) {
    const auto lower = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const auto upper =
        _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    put(hn::Vec<D>{_mm512_permutex2var_ps(x.re.raw, lower, x.im.raw)}, d, to, streams);
    put(hn::Vec<D>{_mm512_permutex2var_ps(x.re.raw, upper, x.im.raw)}, d, to + kLanes, streams);
    return;
  }
#endif
  // One double: for Highway's way, which is vst2 on ARM, GCC 12 does not come to an end.
  if constexpr (kLanes == 1) {
    hn::StoreU(x.re, d, to);
    hn::StoreU(x.im, d, to + 1);
    return;
  }
  if (!streams) return hn::StoreInterleaved2(x.re, x.im, d, to);
  alignas(64) hn::TFromD<D> pairs[2 * kLanes];
  hn::StoreInterleaved2(x.re, x.im, d, pairs);
  put(hn::LoadU(d, pairs), d, to, streams);
  put(hn::LoadU(d, pairs + kLanes), d, to + kLanes, streams);
}

template <Shape kShape, class D, class T>
HWY_INLINE void give(D d, const Complex<hn::Vec<D>>& x, const Lines<T>& at, std::size_t lane,
                     bool streams) {
  if constexpr (kShape == Shape::complex_columns) {
    put_pairs(x, d, at.real + 2 * lane, streams);
  } else if constexpr (kShape == Shape::exchanged_columns) {
    put_pairs(Complex<hn::Vec<D>>{x.im, x.re}, d, at.imaginary + 2 * lane, streams);
  } else if constexpr (kShape == Shape::complex_lines) {
    put_lines(x, d, at.real + static_cast<std::ptrdiff_t>(lane) * at.line, at.line, false);
  } else if constexpr (kShape == Shape::exchanged_lines) {
    put_lines(Complex<hn::Vec<D>>{x.im, x.re}, d,
              at.imaginary + static_cast<std::ptrdiff_t>(lane) * at.line, at.line, false);
  } else {
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(lane) * at.line;
    put(x.re, d, at.real + step, streams);
    put(x.im, d, at.imaginary + step, streams);
  }
}

/// Whether streaming stores are wanted and all vectors of all elements aligned.
template <Shape kShape, class D>
bool streams(D, const Lines<hn::TFromD<D>>& to, Store wanted) {
  constexpr std::size_t kBytes = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>);
  const auto aligned = [](const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % kBytes == 0;
  };
  if (wanted != Store::streaming || !is_by_column(kShape)) return false;
  const Lines<hn::TFromD<D>> next = advanced(to, 1);
  if (kShape == Shape::complex_columns) return aligned(to.real) && aligned(next.real);
  if (kShape == Shape::exchanged_columns) return aligned(to.imaginary) && aligned(next.imaginary);
  return aligned(to.real) && aligned(next.real) && aligned(to.imaginary) && aligned(next.imaginary);
}

/// What is done to elements on their way out.
enum class Finish { nothing, scale, multiply, multiply_and_scale };

/// What one element of all lines is multiplied with: rows of `Store`'s tables, and a number.
template <class T>
struct ElementFactors {
  const T* high = nullptr;
  const T* low = nullptr;
  std::size_t width;
  T scale;
};
template <Finish kFinish, class T>
HWY_INLINE ElementFactors<T> factors_of(const fft::detail::Store<T>& store, std::size_t width,
                                        std::size_t element) {
  constexpr std::size_t kBlock = fft::detail::kTwiddleBlock;
  if constexpr (kFinish == Finish::nothing || kFinish == Finish::scale) {
    return {nullptr, nullptr, width, store.scale};
  }
  return {store.high + 2 * width * (element / kBlock), store.low + 2 * width * (element % kBlock),
          width, store.scale};
}

/// x, an element of the lines from `lane` on, as it goes out.
template <Finish kFinish, class D>
HWY_INLINE Complex<hn::Vec<D>> finished(D d, Complex<hn::Vec<D>> x,
                                        const ElementFactors<hn::TFromD<D>>& factors,
                                        std::size_t lane) {
  if constexpr (kFinish == Finish::scale || kFinish == Finish::multiply_and_scale) {
    const auto scale = hn::Set(d, factors.scale);
    x = {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  }
  if constexpr (kFinish == Finish::nothing || kFinish == Finish::scale) return x;
  const auto row = [&](const hn::TFromD<D>* at) KINJO_FFT_INLINE {
    return Complex<hn::Vec<D>>{in_register(hn::LoadU(d, at + lane)),
                               in_register(hn::LoadU(d, at + factors.width + lane))};
  };
  return times(x, times(row(factors.high), row(factors.low)));
}

/// Calls f<kFinish>() for what a job is to do.
template <class T, class F>
HWY_INLINE void for_finish(const fft::detail::Store<T>& store, const F& f) {
  if (store.high && store.scale != 1) {
    return f(std::integral_constant<Finish, Finish::multiply_and_scale>());
  }
  if (store.high) return f(std::integral_constant<Finish, Finish::multiply>());
  if (store.scale != 1) return f(std::integral_constant<Finish, Finish::scale>());
  f(std::integral_constant<Finish, Finish::nothing>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
