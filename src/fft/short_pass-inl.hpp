/// Per target: the passes of short transforms.
///
/// In a first pass neighbouring columns are in a vector, with twiddles of their own, and are
/// transposed on their way to rows; from there on a vector is a part of a row.
#if defined(KINJO_FFT_SHORT_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_SHORT_PASS_INL
#undef KINJO_FFT_SHORT_PASS_INL
#else
#define KINJO_FFT_SHORT_PASS_INL
#endif

#include <algorithm>
#include <type_traits>
#include <utility>

#include "fft/memory-inl.hpp"
#include "fft/pass-inl.hpp"
#include "fft/short_kernels.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::ShortPass;

/// Neighbouring numbers whose parts alternate.
template <bool kExchanged, class D>
HWY_INLINE Complex<hn::Vec<D>> short_input(D d, const hn::TFromD<D>* from) {
  Complex<hn::Vec<D>> x;
  if constexpr (hn::MaxLanes(D()) == 1) {
    x = {hn::LoadU(d, from), hn::LoadU(d, from + 1)};
  } else {
    x = take_pairs(d, from);
  }
  return kExchanged ? Complex<hn::Vec<D>>{x.im, x.re} : x;
}
template <bool kExchanged, class D>
HWY_INLINE void short_output(D d, const Complex<hn::Vec<D>>& x, hn::Vec<D> scale,
                             hn::TFromD<D>* to) {
  const Complex<hn::Vec<D>> y = {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  put_pairs(kExchanged ? Complex<hn::Vec<D>>{y.im, y.re} : y, d, to, false);
}

/// Calls f(at) for vectors that cover `count` numbers, at least one vector's.
template <class D, class F>
HWY_INLINE void for_vectors(D, std::size_t count, const F& f) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  for (std::size_t at = 0; at < count; at += kLanes) f(std::min(at, count - kLanes));
}

template <class D, std::size_t kRadix, bool kExchanged>
void short_first(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from,
                 hn::TFromD<D>* to, hn::TFromD<D>) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const ShortPass<T> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const T* twiddles = job.twiddles;
  for_vectors(d, job.groups, [&](std::size_t column) KINJO_FFT_INLINE {
    Complex<hn::Vec<D>> y[kRadix == 0 ? fft::kLargestPrime : kRadix];
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
      return short_input<kExchanged>(d, from + 2 * (q * job.groups + column));
    };
    const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& x) KINJO_FFT_INLINE {
      const T* const w = twiddles + 2 * kLanes * (k - 1);
      y[k] = k == 0 ? x : times(x, Complex<hn::Vec<D>>{hn::LoadU(d, w), hn::LoadU(d, w + kLanes)});
    };
    butterfly<kRadix>(d, job, in, out);
    T* const rows = to + column * radix;
#pragma GCC unroll 16
    for (std::size_t k = 0; k < radix; k += kLanes) {
      const std::size_t first = std::min(k, radix - kLanes);
      const auto at = [&](std::size_t row) KINJO_FFT_INLINE { return rows + row * radix + first; };
      store_transposed(
          d, [&](std::size_t i) KINJO_FFT_INLINE { return y[first + i].re; }, at);
      store_transposed(
          d, [&](std::size_t i) KINJO_FFT_INLINE { return y[first + i].im; },
          [&](std::size_t row) KINJO_FFT_INLINE { return at(row) + job.apart; });
    }
    twiddles += 2 * kLanes * (radix - 1);
  });
}

template <class D, std::size_t kRadix>
void short_middle(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from,
                  hn::TFromD<D>* to, hn::TFromD<D>) {
  using T = hn::TFromD<D>;
  const D d;
  const ShortPass<T> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const std::size_t step = job.groups * job.length;
  const T* twiddles = job.twiddles;
  for (std::size_t p = 0; p < job.groups; ++p) {
    for_vectors(d, job.length, [&](std::size_t j) KINJO_FFT_INLINE {
      const auto in = [&](std::size_t q)
                          KINJO_FFT_INLINE { return input(d, from + q * step + j, job.apart); };
      const auto out = [&](std::size_t k, Complex<hn::Vec<D>> y) KINJO_FFT_INLINE {
        if (k != 0) {
          const T* const w = twiddles + 2 * (k - 1);
          y = times(y, Complex<hn::Vec<D>>{hn::Set(d, w[0]), hn::Set(d, w[1])});
        }
        T* const at = to + k * job.length + j;
        hn::StoreU(y.re, d, at);
        hn::StoreU(y.im, d, at + job.apart);
      };
      butterfly<kRadix>(d, job, in, out);
    });
    from += job.length;
    to += radix * job.length;
    twiddles += 2 * (radix - 1);
  }
}

template <class D, std::size_t kRadix, bool kExchanged>
void short_last(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from, hn::TFromD<D>* to,
                hn::TFromD<D> factor) {
  const D d;
  const ShortPass<hn::TFromD<D>> job = given;
  const auto scale = hn::Set(d, factor);
  for_vectors(d, job.length, [&](std::size_t j) KINJO_FFT_INLINE {
    const auto in = [&](std::size_t q)
                        KINJO_FFT_INLINE { return input(d, from + q * job.length + j, job.apart); };
    const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
      short_output<kExchanged>(d, y, scale, to + 2 * (k * job.length + j));
    };
    butterfly<kRadix>(d, job, in, out);
  });
}

template <class D, std::size_t kRadix, bool kExchangedIn, bool kExchangedOut>
void short_only(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from, hn::TFromD<D>* to,
                hn::TFromD<D> factor) {
  const D d;
  const ShortPass<hn::TFromD<D>> job = given;
  const auto scale = hn::Set(d, factor);
  const auto in = [&](std::size_t q)
                      KINJO_FFT_INLINE { return short_input<kExchangedIn>(d, from + 2 * q); };
  const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& y)
                       KINJO_FFT_INLINE { short_output<kExchangedOut>(d, y, scale, to + 2 * k); };
  butterfly<kRadix>(d, job, in, out);
}

/// A first pass of kFirst and a last one of kLast.
template <class D, std::size_t kFirst, std::size_t kLast, bool kExchanged>
void short_pair(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from, hn::TFromD<D>* to,
                hn::TFromD<D> factor) {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  static_assert(kFirst % kLanes == 0 && kLast % kLanes == 0);
  const D d;
  const ShortPass<T> job = given;
  Complex<V> rows[kFirst / kLanes][kLast];
#pragma GCC unroll 16
  for (std::size_t column = 0; column < kLast; column += kLanes) {
    Complex<V> y[kFirst];
    const T* const twiddles = job.twiddles + 2 * column * (kFirst - 1);
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
      return short_input<kExchanged>(d, from + 2 * (q * kLast + column));
    };
    const auto out = [&](std::size_t k, const Complex<V>& x) KINJO_FFT_INLINE {
      const T* const w = twiddles + 2 * kLanes * (k - 1);
      y[k] = k == 0 ? x : times(x, Complex<V>{hn::LoadU(d, w), hn::LoadU(d, w + kLanes)});
    };
    butterfly<kFirst>(d, job, in, out);
#pragma GCC unroll 16
    for (std::size_t part = 0; part < kFirst / kLanes; ++part) {
      const Complex<V>* const square = y + part * kLanes;
      Complex<V>* const row = rows[part] + column;
      transpose(
          d, [&](std::size_t i) KINJO_FFT_INLINE { return square[i].re; },
          [&](std::size_t k, V v) KINJO_FFT_INLINE { row[k].re = v; });
      transpose(
          d, [&](std::size_t i) KINJO_FFT_INLINE { return square[i].im; },
          [&](std::size_t k, V v) KINJO_FFT_INLINE { row[k].im = v; });
    }
  }
  const V scale = hn::Set(d, factor);
#pragma GCC unroll 16
  for (std::size_t part = 0; part < kFirst / kLanes; ++part) {
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE { return rows[part][q]; };
    const auto out = [&](std::size_t k, const Complex<V>& y) KINJO_FFT_INLINE {
      short_output<kExchanged>(d, y, scale, to + 2 * (k * kFirst + part * kLanes));
    };
    butterfly<kLast>(d, job, in, out);
  }
}

/// Null where vectors have more lanes than the radix, which first passes do not use.
template <class D, std::size_t kRadix, bool kExchanged>
constexpr typename fft::detail::ShortKernels<hn::TFromD<D>>::Pass first_or_null() {
  if constexpr (kRadix == 0 || hn::MaxLanes(D()) <= kRadix) {
    return short_first<D, kRadix, kExchanged>;
  } else {
    return nullptr;
  }
}

/// The vectors D, shorter ones of four lanes or of two for rows that these do not fit, and single
/// numbers; and what is transposed in a first pass.
template <class D>
struct ShortTags {
  using T = hn::TFromD<D>;
  static constexpr std::size_t kSome = hn::MaxLanes(D()) > 4 ? 4 : hn::MaxLanes(D()) > 2 ? 2 : 1;
  using Some = hn::CappedTag<T, kSome>;
  using One = hn::CappedTag<T, 1>;
  using Square = SquareTag<D>;
};

template <class D, std::size_t kRadix>
constexpr typename fft::detail::ShortKernels<hn::TFromD<D>>::Radix short_radix() {
  using Tags = ShortTags<D>;
  using Square = typename Tags::Square;
  using Some = typename Tags::Some;
  using One = typename Tags::One;
  return {{{{first_or_null<Square, kRadix, false>(), first_or_null<Some, kRadix, false>(),
             first_or_null<One, kRadix, false>()},
            {first_or_null<Square, kRadix, true>(), first_or_null<Some, kRadix, true>(),
             first_or_null<One, kRadix, true>()}}},
          {short_middle<D, kRadix>, short_middle<Some, kRadix>, short_middle<One, kRadix>},
          {{{short_last<D, kRadix, false>, short_last<Some, kRadix, false>,
             short_last<One, kRadix, false>},
            {short_last<D, kRadix, true>, short_last<Some, kRadix, true>,
             short_last<One, kRadix, true>}}},
          {{{short_only<One, kRadix, false, false>, short_only<One, kRadix, false, true>},
            {short_only<One, kRadix, true, false>, short_only<One, kRadix, true, true>}}}};
}

/// In squares as of a first pass, or smaller ones.
template <class D, std::size_t kIndex>
constexpr typename fft::detail::ShortKernels<hn::TFromD<D>>::Pair short_pair() {
  using Square = typename ShortTags<D>::Square;
  constexpr fft::detail::ShortPair pair = fft::detail::kShortPairs[kIndex];
  constexpr std::size_t kLanes = std::min(pair.most_lanes, hn::MaxLanes(Square()));
  if constexpr (kLanes < pair.least_lanes) {
    return {0, {nullptr, nullptr}};
  } else {
    using Tag = std::conditional_t<kLanes == hn::MaxLanes(Square()), Square,
                                   TransposeTag<hn::TFromD<D>, kLanes>>;
    return {kLanes,
            {short_pair<Tag, pair.first, pair.last, false>,
             short_pair<Tag, pair.first, pair.last, true>}};
  }
}

template <class D, std::size_t... kRadix, std::size_t... kPair>
constexpr fft::detail::ShortKernels<hn::TFromD<D>> short_kernels(std::index_sequence<kRadix...>,
                                                                 std::index_sequence<kPair...>) {
  using Tags = ShortTags<D>;
  constexpr std::size_t kSome = hn::MaxLanes(typename Tags::Some());
  return {{hn::MaxLanes(typename Tags::Square()), kSome, 1},
          {hn::MaxLanes(D()), kSome, 1},
          {short_radix<D, fft::detail::kShortRadices[kRadix]>()...},
          {short_pair<D, kPair>()...}};
}
template <class D>
constexpr fft::detail::ShortKernels<hn::TFromD<D>> short_kernels() {
  return short_kernels<D>(std::make_index_sequence<std::size(fft::detail::kShortRadices)>(),
                          std::make_index_sequence<std::size(fft::detail::kShortPairs)>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
