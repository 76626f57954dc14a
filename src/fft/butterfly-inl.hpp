/// Per target: discrete Fourier transforms of a few vectors of complex numbers, in registers.
///
///     y_p = Σ_q x_q · exp(−2πi·p·q/r)
///
/// A butterfly takes its inputs by in(q), in the order that keeps the fewest of them in registers,
/// and gives its outputs by out(p, y) after the last input was taken. Real operations (multiply-add
/// counts as one) and vectors that must be held, where AVX2 and SSE2 have 16 registers and
/// AVX-512 and NEON 32:
///
///     radix        2    3    4    5    6    7    8    9   10   12   15   16   20   25
///     operations   4   12   16   36   36   66   52   88   92   96  168  160  224  424
///     vectors      4    6    8   10   12   14   16   18   20   24   30   32   40   50
///
/// 8 = 2 × 4 by Cooley and Tukey's factorisation, whose constants go into the multiply-adds of its
/// last step; 9 = 3 × 3; 25 = 5 × 5; 16 = 4 × 4, which takes a tenth less time than two passes of 4
/// where there are 32 registers, though some values go to the stack; 6, 10, 12, 15 and 20 by Good's
/// mapping. Other odd radices use the symmetry of x_q ± x_{r−q}:
///
///     y_p, y_{r−p} = (x_0 + Σ_q cos(2πpq/r)·(x_q + x_{r−q})) ∓ i·Σ_q sin(2πpq/r)·(x_q − x_{r−q})
#if defined(KINJO_FFT_BUTTERFLY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_BUTTERFLY_INL
#undef KINJO_FFT_BUTTERFLY_INL
#else
#define KINJO_FFT_BUTTERFLY_INL
#endif

#include <cstddef>
#include <utility>

#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

#ifndef KINJO_FFT_INLINE
// Lambdas that the compiler must not leave to calls: vectors would have to go to memory.
#define KINJO_FFT_INLINE HWY_ATTR __attribute__((always_inline))
#endif

template <class V>
struct Complex {
  V re, im;
};

/// A vector that is used more than once stays in a register. GCC would load it again with every
/// operation that takes an operand from memory, and of loads of 32 bytes a CPU with AVX2 does two a
/// cycle: 22 instead of 14 for a butterfly of radix 4, which were what bounded it. (Zen 4 does one
/// of 64 bytes.)
template <class V>
HWY_INLINE V in_register(V v) {
#if HWY_TARGET == HWY_AVX2
  asm("" : "+x"(v.raw));
#elif HWY_TARGET == HWY_AVX3
  asm("" : "+v"(v.raw));
#endif
  return v;
}

template <class V>
HWY_INLINE Complex<V> plus(const Complex<V>& a, const Complex<V>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class V>
HWY_INLINE Complex<V> minus(const Complex<V>& a, const Complex<V>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
/// a − i·b and a + i·b.
template <class V>
HWY_INLINE Complex<V> minus_i(const Complex<V>& a, const Complex<V>& b) {
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
template <class V>
HWY_INLINE Complex<V> plus_i(const Complex<V>& a, const Complex<V>& b) {
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}
/// a + s·b and a − s·b.
template <class V>
HWY_INLINE Complex<V> plus_scaled(const Complex<V>& a, V s, const Complex<V>& b) {
  return {hn::MulAdd(s, b.re, a.re), hn::MulAdd(s, b.im, a.im)};
}
template <class V>
HWY_INLINE Complex<V> minus_scaled(const Complex<V>& a, V s, const Complex<V>& b) {
  return {hn::NegMulAdd(s, b.re, a.re), hn::NegMulAdd(s, b.im, a.im)};
}
template <class V>
HWY_INLINE Complex<V> times(const Complex<V>& a, const Complex<V>& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)),
          hn::MulAdd(a.im, b.re, hn::Mul(a.re, b.im))};
}
/// (1 − i)·a, which is √2 times a's product with the eighth root.
template <class V>
HWY_INLINE Complex<V> eighth(const Complex<V>& a) {
  return {hn::Add(a.re, a.im), hn::Sub(a.im, a.re)};
}

template <class V>
struct Four {
  Complex<V> y0, y1, y2, y3;
};
/// From x0 + x2, x0 − x2, x1 + x3 and x1 − x3.
template <class V>
HWY_INLINE Four<V> four_of_sums(const Complex<V>& a, const Complex<V>& b, const Complex<V>& c,
                                const Complex<V>& d) {
  return {plus(a, c), minus_i(b, d), minus(a, c), plus_i(b, d)};
}
template <class V>
HWY_INLINE Four<V> four(const Complex<V>& x0, const Complex<V>& x1, const Complex<V>& x2,
                        const Complex<V>& x3) {
  return four_of_sums(plus(x0, x2), minus(x0, x2), plus(x1, x3), minus(x1, x3));
}

/// The same bits, with the first sums as multiply-adds by one where registers are many: CPUs that
/// have ports of their own for additions wait for these, which are 44 of a radix 8's operations.
template <class D, class V>
HWY_INLINE Four<V> four_by_multiply_adds(D d, const Complex<V>& x0, const Complex<V>& x1,
                                         const Complex<V>& x2, const Complex<V>& x3) {
#if HWY_TARGET == HWY_AVX3
  const V one = hn::Set(d, static_cast<hn::TFromD<D>>(1));
  return four_of_sums(plus_scaled(x0, one, x2), minus_scaled(x0, one, x2), plus_scaled(x1, one, x3),
                      minus_scaled(x1, one, x3));
#else
  (void)d;
  return four(x0, x1, x2, x3);
#endif
}

template <class D, class In, class Out>
HWY_INLINE void butterfly_2(D, const In& in, const Out& out) {
  const auto x0 = in(0), x1 = in(1);
  out(0, plus(x0, x1));
  out(1, minus(x0, x1));
}

template <class D, class In, class Out>
HWY_INLINE void butterfly_4(D, const In& in, const Out& out) {
  const auto x0 = in(0), x2 = in(2), x1 = in(1), x3 = in(3);
  const auto y = four(x0, x1, x2, x3);
  out(0, y.y0);
  out(1, y.y1);
  out(2, y.y2);
  out(3, y.y3);
}

template <class D, class In, class Out>
HWY_INLINE void butterfly_8(D d, const In& in, const Out& out) {
  const auto x0 = in(0), x4 = in(4), x2 = in(2), x6 = in(6);
  const auto e = four(x0, x2, x4, x6);
  const auto x1 = in(1), x5 = in(5), x3 = in(3), x7 = in(7);
  const auto o = four_by_multiply_adds(d, x1, x3, x5, x7);
  const hn::Vec<D> half = hn::Set(d, static_cast<hn::TFromD<D>>(0.70710678118654752440L));
  out(0, plus(e.y0, o.y0));
  out(4, minus(e.y0, o.y0));
  out(2, minus_i(e.y2, o.y2));
  out(6, plus_i(e.y2, o.y2));
  const auto o1 = eighth(o.y1), o3 = eighth(o.y3);
  out(1, plus_scaled(e.y1, half, o1));
  out(5, minus_scaled(e.y1, half, o1));
  // The third power of the eighth root is −i times the root.
  out(3, {hn::MulAdd(half, o3.im, e.y3.re), hn::NegMulAdd(half, o3.re, e.y3.im)});
  out(7, {hn::NegMulAdd(half, o3.im, e.y3.re), hn::MulAdd(half, o3.re, e.y3.im)});
}

/// As 4 × 4. Powers of the sixteenth root: the second is the eighth root, the fourth −i.
template <class D, class In, class Out>
HWY_INLINE void butterfly_16(D d, const In& in, const Out& out) {
  using V = hn::Vec<D>;
  using T = hn::TFromD<D>;
  const V half = hn::Set(d, static_cast<T>(0.70710678118654752440L));
  const V cosine = hn::Set(d, static_cast<T>(0.92387953251128675613L));
  const V sine = hn::Set(d, static_cast<T>(0.38268343236508977173L));
  const auto first = [&](const Complex<V>& x) KINJO_FFT_INLINE {
    return Complex<V>{hn::MulAdd(x.im, sine, hn::Mul(x.re, cosine)),
                      hn::NegMulAdd(x.re, sine, hn::Mul(x.im, cosine))};
  };
  const auto second = [&](const Complex<V>& x) KINJO_FFT_INLINE {
    const Complex<V> y = eighth(x);
    return Complex<V>{hn::Mul(half, y.re), hn::Mul(half, y.im)};
  };
  const auto third = [&](const Complex<V>& x) KINJO_FFT_INLINE {
    return Complex<V>{hn::MulAdd(x.im, cosine, hn::Mul(x.re, sine)),
                      hn::NegMulAdd(x.re, cosine, hn::Mul(x.im, sine))};
  };
  const auto column = [&](std::size_t q) KINJO_FFT_INLINE {
    const auto x0 = in(q), x2 = in(q + 8), x1 = in(q + 4), x3 = in(q + 12);
    return four_by_multiply_adds(d, x0, x1, x2, x3);
  };
  const auto row = [&](std::size_t p, const Four<V>& y) KINJO_FFT_INLINE {
    out(p, y.y0);
    out(p + 4, y.y1);
    out(p + 8, y.y2);
    out(p + 12, y.y3);
  };
  const Four<V> a = column(0), b = column(1), c = column(2), e = column(3);
  row(0, four(a.y0, b.y0, c.y0, e.y0));
  row(1, four(a.y1, first(b.y1), second(c.y1), third(e.y1)));
  const Complex<V> b2 = second(b.y2), e2 = second(e.y2);
  row(2, four_of_sums(minus_i(a.y2, c.y2), plus_i(a.y2, c.y2), minus_i(b2, e2), plus_i(b2, e2)));
  const Complex<V> b3 = third(b.y3), c3 = second(c.y3), e3 = first(e.y3);
  row(3, four_of_sums(minus_i(a.y3, c3), plus_i(a.y3, c3), minus(b3, e3), plus(b3, e3)));
}

template <class V>
struct Three {
  Complex<V> y0, y1, y2;
};
template <class D, class V>
HWY_INLINE Three<V> three(D d, const Complex<V>& x0, const Complex<V>& x1, const Complex<V>& x2) {
  using T = hn::TFromD<D>;
  const V half = hn::Set(d, static_cast<T>(0.5));
  const V sine = hn::Set(d, static_cast<T>(0.86602540378443864676L));
  const Complex<V> sum = plus(x1, x2), difference = minus(x1, x2);
  const Complex<V> even = minus_scaled(x0, half, sum);
  // even ∓ i·sine·difference
  return {plus(x0, sum),
          {hn::MulAdd(sine, difference.im, even.re), hn::NegMulAdd(sine, difference.re, even.im)},
          {hn::NegMulAdd(sine, difference.im, even.re), hn::MulAdd(sine, difference.re, even.im)}};
}

/// As 3 × 3.
template <class D, class In, class Out>
HWY_INLINE void butterfly_9(D d, const In& in, const Out& out) {
  using V = hn::Vec<D>;
  using T = hn::TFromD<D>;
  const auto root = [&](long double re, long double im) KINJO_FFT_INLINE {
    return Complex<V>{hn::Set(d, static_cast<T>(re)), hn::Set(d, static_cast<T>(im))};
  };
  // Powers 1, 2 and 4 of the ninth root.
  const auto first = root(0.76604444311897803520L, -0.64278760968653932632L);
  const auto second = root(0.17364817766693034885L, -0.98480775301220805937L);
  const auto fourth = root(-0.93969262078590838405L, -0.34202014332566873304L);
  const auto column = [&](std::size_t q) KINJO_FFT_INLINE {
    const auto x0 = in(q), x1 = in(q + 3), x2 = in(q + 6);
    return three(d, x0, x1, x2);
  };
  const auto row = [&](std::size_t p, const Three<V>& y) KINJO_FFT_INLINE {
    out(p, y.y0);
    out(p + 3, y.y1);
    out(p + 6, y.y2);
  };
  const Three<V> a = column(0), b = column(1), c = column(2);
  row(0, three(d, a.y0, b.y0, c.y0));
  row(1, three(d, a.y1, times(b.y1, first), times(c.y1, second)));
  row(2, three(d, a.y2, times(b.y2, second), times(c.y2, fourth)));
}

/// An odd radix, at most kMost. `roots`: its complex roots by power. The loops are unrolled where
/// the radix is known.
template <std::size_t kMost, class D, class In, class Out>
HWY_INLINE void butterfly_odd(D d, std::size_t radix, const hn::TFromD<D>* roots, const In& in,
                              const Out& out) {
  using V = hn::Vec<D>;
  const std::size_t half = radix / 2;
  Complex<V> sums[kMost / 2], differences[kMost / 2];
  const Complex<V> x0 = in(0);
  Complex<V> total = x0;
#pragma GCC unroll 4
  for (std::size_t q = 1; q <= half; ++q) {
    const auto a = in(q), b = in(radix - q);
    sums[q - 1] = plus(a, b);
    differences[q - 1] = minus(a, b);
    total = plus(total, sums[q - 1]);
  }
  out(0, total);
#pragma GCC unroll 4
  for (std::size_t p = 1; p <= half; ++p) {
    Complex<V> even = plus_scaled(x0, hn::Set(d, roots[2 * p]), sums[0]);
    // −sin, as roots of the forward transform have it.
    const V s = hn::Set(d, roots[2 * p + 1]);
    Complex<V> odd = {hn::Mul(s, differences[0].re), hn::Mul(s, differences[0].im)};
    std::size_t power = p;
#pragma GCC unroll 4
    for (std::size_t q = 2; q <= half; ++q) {
      power = power + p < radix ? power + p : power + p - radix;
      even = plus_scaled(even, hn::Set(d, roots[2 * power]), sums[q - 1]);
      odd = plus_scaled(odd, hn::Set(d, roots[2 * power + 1]), differences[q - 1]);
    }
    out(p, plus_i(even, odd));
    out(radix - p, minus_i(even, odd));
  }
}

/// The fifth roots, for butterflies that have no table of their own.
template <class T>
inline constexpr T kFifthRoots[] = {T(1),
                                    T(0),
                                    T(0.30901699437494742410L),
                                    T(-0.95105651629515357212L),
                                    T(-0.80901699437494742410L),
                                    T(-0.58778525229247312917L),
                                    T(-0.80901699437494742410L),
                                    T(0.58778525229247312917L),
                                    T(0.30901699437494742410L),
                                    T(0.95105651629515357212L)};

/// One of the factors of butterfly_coprime.
template <std::size_t kRadix, class D, class In, class Out>
HWY_INLINE void butterfly_factor(D d, const In& in, const Out& out) {
  if constexpr (kRadix == 2) {
    butterfly_2(d, in, out);
  } else if constexpr (kRadix == 3) {
    const auto y = three(d, in(0), in(1), in(2));
    out(0, y.y0);
    out(1, y.y1);
    out(2, y.y2);
  } else if constexpr (kRadix == 4) {
    butterfly_4(d, in, out);
  } else {
    static_assert(kRadix == 5);
    butterfly_odd<5>(d, 5, kFifthRoots<hn::TFromD<D>>, in, out);
  }
}

/// As kA × kB without a common divisor, by Good's mapping, which needs no factors in between: of kB
/// butterflies of kA the j-th takes inputs kB·i + kA·j modulo the radix, and of kA butterflies of
/// kB the p-th gives the outputs whose remainder by kA is p.
template <std::size_t kA, std::size_t kB, class D, class In, class Out>
HWY_INLINE void butterfly_coprime(D d, const In& in, const Out& out) {
  constexpr std::size_t kRadix = kA * kB;
  Complex<hn::Vec<D>> x[kA][kB];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kB; ++j) {
    butterfly_factor<kA>(
        d, [&](std::size_t i) KINJO_FFT_INLINE { return in((kB * i + kA * j) % kRadix); },
        [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE { x[p][j] = y; });
  }
#pragma GCC unroll 16
  for (std::size_t p = 0; p < kA; ++p) {
    butterfly_factor<kB>(
        d, [&](std::size_t j) KINJO_FFT_INLINE { return x[p][j]; },
        [&](std::size_t s, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
          std::size_t at = p;
          while (at % kB != s) at += kA;
          out(at, y);
        });
  }
}

/// Powers 1, 2, 3, 4, 6, 8, 9, 12 and 16 of the 25th root.
template <class T>
inline constexpr T kTwentyFifthRoots[] = {
    T(0.96858316112863111949L),  T(-0.24868988716485478824L), T(0.87630668004386358731L),
    T(-0.48175367410171527499L), T(0.72896862742141152315L),  T(-0.68454710592868867373L),
    T(0.53582679497899661827L),  T(-0.84432792550201507855L), T(0.06279051952931337608L),
    T(-0.99802672842827156195L), T(-0.42577929156507264886L), T(-0.90482705246601952771L),
    T(-0.63742398974868971018L), T(-0.77051324277578923080L), T(-0.99211470131447783105L),
    T(-0.12533323356430424537L), T(-0.63742398974868971018L), T(0.77051324277578923080L),
};

/// As 5 × 5.
template <class D, class In, class Out>
HWY_INLINE void butterfly_25(D d, const In& in, const Out& out) {
  using V = hn::Vec<D>;
  using T = hn::TFromD<D>;
  constexpr std::size_t kPowers[] = {1, 2, 3, 4, 6, 8, 9, 12, 16};
  Complex<V> x[5][5];
#pragma GCC unroll 5
  for (std::size_t q = 0; q < 5; ++q) {
    butterfly_factor<5>(
        d, [&](std::size_t i) KINJO_FFT_INLINE { return in(q + 5 * i); },
        [&](std::size_t p, const Complex<V>& y) KINJO_FFT_INLINE {
          std::size_t i = 0;
          while (p * q > kPowers[i]) ++i;
          const T* const w = kTwentyFifthRoots<T> + 2 * i;
          x[p][q] = p * q == 0 ? y : times(y, Complex<V>{hn::Set(d, w[0]), hn::Set(d, w[1])});
        });
  }
#pragma GCC unroll 5
  for (std::size_t p = 0; p < 5; ++p) {
    butterfly_factor<5>(
        d, [&](std::size_t q) KINJO_FFT_INLINE { return x[p][q]; },
        [&](std::size_t k, const Complex<V>& y) KINJO_FFT_INLINE { out(p + 5 * k, y); });
  }
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
