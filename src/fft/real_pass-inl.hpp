/// Per target: the spectra of real lines from transforms of their pairs, and back.
#if defined(KINJO_FFT_REAL_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_REAL_PASS_INL
#undef KINJO_FFT_REAL_PASS_INL
#else
#define KINJO_FFT_REAL_PASS_INL
#endif

#include <algorithm>
#include <cstddef>

#include "fft/memory-inl.hpp"
#include "fft/real_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::RealPass, fft::detail::RealRoots;

template <class D>
HWY_INLINE Complex<hn::Vec<D>> real_pairs(D d, const hn::TFromD<D>* from) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    return {hn::LoadU(d, from), hn::LoadU(d, from + 1)};
  } else {
    return take_pairs(d, from);
  }
}
/// The same from the last to the first, and back.
template <class D>
HWY_INLINE Complex<hn::Vec<D>> reversed_pairs(D d, const hn::TFromD<D>* from) {
#if HWY_TARGET == HWY_AVX3
  // In the shuffles that take parts apart and put them together.
  if constexpr (hn::MaxLanes(D()) == 8 && sizeof(hn::TFromD<D>) == 8) {
    const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + 8);
    const auto re = _mm512_setr_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const auto im = _mm512_setr_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    return {hn::Vec<D>{_mm512_permutex2var_pd(a.raw, re, b.raw)},
            hn::Vec<D>{_mm512_permutex2var_pd(a.raw, im, b.raw)}};
  }
#endif
  const Complex<hn::Vec<D>> x = real_pairs(d, from);
  return {hn::Reverse(d, x.re), hn::Reverse(d, x.im)};
}
template <class D>
HWY_INLINE void put_reversed(const Complex<hn::Vec<D>>& x, D d, hn::TFromD<D>* to) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 8 && sizeof(hn::TFromD<D>) == 8) {
    const auto lower = _mm512_setr_epi64(7, 15, 6, 14, 5, 13, 4, 12);
    const auto upper = _mm512_setr_epi64(3, 11, 2, 10, 1, 9, 0, 8);
    hn::StoreU(hn::Vec<D>{_mm512_permutex2var_pd(x.re.raw, lower, x.im.raw)}, d, to);
    hn::StoreU(hn::Vec<D>{_mm512_permutex2var_pd(x.re.raw, upper, x.im.raw)}, d, to + 8);
    return;
  }
#endif
  put_pairs(Complex<hn::Vec<D>>{hn::Reverse(d, x.re), hn::Reverse(d, x.im)}, d, to, false);
}

template <class D>
HWY_INLINE Complex<hn::Vec<D>> real_roots(D d, const RealRoots<hn::TFromD<D>>& roots,
                                          std::size_t k) {
  using V = hn::Vec<D>;
  if (!roots.high) return {hn::LoadU(d, roots.low_real + k), hn::LoadU(d, roots.low_imaginary + k)};
  const hn::TFromD<D>* const high = roots.high + k / roots.block * 2;
  const std::size_t at = k % roots.block;
  return times(
      Complex<V>{hn::LoadU(d, roots.low_real + at), hn::LoadU(d, roots.low_imaginary + at)},
      Complex<V>{hn::Set(d, high[0]), hn::Set(d, high[1])});
}

/// Those from k on, as many as there are lanes, and their partners. All are read before any is
/// written, so that the ranges may meet in the middle.
template <bool kToSpectrum, class D>
HWY_INLINE void real_vector(D d, const RealPass<hn::TFromD<D>>& job, std::size_t k) {
  using V = hn::Vec<D>;
  const std::size_t partner = job.half - k - (hn::MaxLanes(D()) - 1);
  const Complex<V> a = real_pairs(d, job.source + 2 * k);
  const Complex<V> b = reversed_pairs(d, job.source + 2 * partner);
  Complex<V> root = real_roots(d, job.roots, k);
  Complex<V> even = {hn::Add(a.re, b.re), hn::Sub(a.im, b.im)}, turned;
  if constexpr (kToSpectrum) {
    const V half = hn::Set(d, static_cast<hn::TFromD<D>>(0.5));
    even = {hn::Mul(even.re, half), hn::Mul(even.im, half)};
    root = {hn::Mul(root.re, half), hn::Mul(root.im, half)};
    turned = times(Complex<V>{hn::Add(a.im, b.im), hn::Sub(b.re, a.re)}, root);
  } else {
    // i times the product with the conjugated root.
    const V re = hn::Sub(a.re, b.re), im = hn::Add(a.im, b.im);
    turned = {hn::NegMulAdd(im, root.re, hn::Mul(re, root.im)),
              hn::MulAdd(im, root.im, hn::Mul(re, root.re))};
  }
  const Complex<V> y = plus(even, turned);
  const Complex<V> z = {hn::Sub(even.re, turned.re), hn::Sub(turned.im, even.im)};
  put_pairs(y, d, job.target + 2 * k, false);
  put_reversed(z, d, job.target + 2 * partner);
}

/// Whole vectors from k on, below `end`; returns where they end.
template <bool kToSpectrum, class D>
HWY_INLINE std::size_t real_vectors(D d, const RealPass<hn::TFromD<D>>& job, std::size_t k,
                                    std::size_t end) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const auto has_partners = [&] { return 2 * k + kLanes <= job.half + 1; };
  for (; k + kLanes <= end && has_partners(); k += kLanes) real_vector<kToSpectrum>(d, job, k);
  // What is left in the middle is both ends of one vector.
  const bool is_middle = !job.roots.high && end == job.half / 2 + 1;
  if (k == end || !is_middle || !has_partners()) return k;
  real_vector<kToSpectrum>(d, job, k);
  return end;
}

template <class D, bool kToSpectrum>
void real_pass(const RealPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  const RealPass<T> job = given;
  const std::size_t block = job.roots.high ? job.roots.block : job.end;
  for (std::size_t k = job.begin; k < job.end;) {
    const std::size_t end = std::min(job.end, (k / block + 1) * block);
    k = real_vectors<kToSpectrum>(D(), job, k, end);
    if constexpr (hn::MaxLanes(D()) > 4) {
      k = real_vectors<kToSpectrum>(hn::CappedTag<T, 4>(), job, k, end);
    }
    for (; k < end; ++k) real_vector<kToSpectrum>(hn::CappedTag<T, 1>(), job, k);
  }
}

template <class D>
constexpr fft::detail::RealKernels<hn::TFromD<D>> real_kernels() {
  return {real_pass<D, true>, real_pass<D, false>};
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
