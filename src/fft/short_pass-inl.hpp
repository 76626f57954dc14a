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
void short_first(const ShortPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const ShortPass<T> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const T* twiddles = job.twiddles;
  for_vectors(d, job.groups, [&](std::size_t column) KINJO_FFT_INLINE {
    Complex<hn::Vec<D>> y[kRadix == 0 ? fft::kLargestPrime : kRadix];
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
      return short_input<kExchanged>(d, job.from + 2 * (q * job.groups + column));
    };
    const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& x) KINJO_FFT_INLINE {
      const T* const w = twiddles + 2 * kLanes * (k - 1);
      y[k] = k == 0 ? x : times(x, Complex<hn::Vec<D>>{hn::LoadU(d, w), hn::LoadU(d, w + kLanes)});
    };
    butterfly<kRadix>(d, job, in, out);
    T* const rows = job.to + column * radix;
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
void short_middle(const ShortPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  const D d;
  const ShortPass<T> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const std::size_t step = job.groups * job.length;
  const T* from = job.from;
  T* to = job.to;
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
void short_last(const ShortPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  const D d;
  const ShortPass<T> job = given;
  const auto scale = hn::Set(d, job.scale);
  for_vectors(d, job.length, [&](std::size_t j) KINJO_FFT_INLINE {
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
      return input(d, job.from + q * job.length + j, job.apart);
    };
    const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
      short_output<kExchanged>(d, y, scale, job.to + 2 * (k * job.length + j));
    };
    butterfly<kRadix>(d, job, in, out);
  });
}

template <class D, std::size_t kRadix, bool kExchangedIn, bool kExchangedOut>
void short_only(const ShortPass<hn::TFromD<D>>& given) {
  const D d;
  const ShortPass<hn::TFromD<D>> job = given;
  const auto scale = hn::Set(d, job.scale);
  const auto in = [&](std::size_t q)
                      KINJO_FFT_INLINE { return short_input<kExchangedIn>(d, job.from + 2 * q); };
  const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
    short_output<kExchangedOut>(d, y, scale, job.to + 2 * k);
  };
  butterfly<kRadix>(d, job, in, out);
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

template <class D, std::size_t... kIndex>
constexpr fft::detail::ShortKernels<hn::TFromD<D>> short_kernels(std::index_sequence<kIndex...>) {
  using Tags = ShortTags<D>;
  constexpr std::size_t kSome = hn::MaxLanes(typename Tags::Some());
  return {{hn::MaxLanes(typename Tags::Square()), kSome, 1},
          {hn::MaxLanes(D()), kSome, 1},
          {short_radix<D, fft::detail::kShortRadices[kIndex]>()...}};
}
template <class D>
constexpr fft::detail::ShortKernels<hn::TFromD<D>> short_kernels() {
  return short_kernels<D>(std::make_index_sequence<std::size(fft::detail::kShortRadices)>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
