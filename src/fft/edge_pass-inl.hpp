/// Per target: first passes that take their inputs from memory, and last passes that put their
/// outputs there, which saves a pass over the buffer each. Not where outputs are multiplied with
/// the factors of their lines: there are too few registers for that behind a butterfly, and a
/// second loop over rows in L1 was faster by 13 % (AVX2).
#if defined(KINJO_FFT_EDGE_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_EDGE_PASS_INL
#undef KINJO_FFT_EDGE_PASS_INL
#else
#define KINJO_FFT_EDGE_PASS_INL
#endif

#include <type_traits>

#include "fft/memory-inl.hpp"
#include "fft/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::FirstPass;
using fft::detail::LastPass;

template <class D, std::size_t kRadix, Shape kShape>
void first_pass_of(const FirstPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const FirstPass<T> job = given;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(job.element_step) * job.source.element;
  for (std::size_t i = 0; i < job.rows.count; i += job.rows_next) {
    const Lines<const T> from = advanced(job.source, job.rows.element(i));
    T* const to = job.pass.to + job.rows.offsets[i];
    for (std::size_t lane = 0; lane < job.pass.width; lane += kLanes) {
      const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(q) * step;
        return take<kShape>(d, Lines<const T>{from.real + at, from.imaginary + at, from.line, 0},
                            lane);
      };
      const auto out = [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
        T* const at = to + p * job.pass.to_step + lane;
        hn::StoreU(y.re, d, at);
        hn::StoreU(y.im, d, at + job.pass.width);
      };
      butterfly<kRadix>(d, job.pass, in, out);
    }
  }
}

/// Calls f<kShape>() for the shapes that edge passes exist for.
template <class T, class F>
HWY_INLINE void for_shape(Shape shape, const F& f) {
  switch (shape) {
    case Shape::complex_columns:
      return f(std::integral_constant<Shape, Shape::complex_columns>());
    case Shape::exchanged_columns:
      return f(std::integral_constant<Shape, Shape::exchanged_columns>());
    case Shape::complex_lines:
      if constexpr (sizeof(T) == 8) f(std::integral_constant<Shape, Shape::complex_lines>());
      return;
    case Shape::exchanged_lines:
      if constexpr (sizeof(T) == 8) f(std::integral_constant<Shape, Shape::exchanged_lines>());
      return;
    default:
      return f(std::integral_constant<Shape, Shape::split_columns>());
  }
}

template <class D, std::size_t kRadix>
void first_pass(const FirstPass<hn::TFromD<D>>& job) {
  for_shape<hn::TFromD<D>>(shape_of(job.source), [&](auto shape) {
    first_pass_of<D, kRadix, decltype(shape)::value>(job);
  });
}

template <class D, std::size_t kRadix, Shape kShape>
void last_pass_of(const LastPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const LastPass<T> job = given;
  const bool streaming = streams<kShape>(d, job.target, job.factors.write);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(job.element_step) * job.target.element;
  for (std::size_t g = 0; g < job.pass.groups; ++g) {
    const T* const twiddles = job.pass.twiddles + 2 * (kRadix - 1) * g;
    const T* const from = job.pass.from + g * job.pass.from_group;
    const std::size_t element = job.element + g * job.element_group;
    const Lines<T> to = advanced(job.target, element);
    for (std::size_t lane = 0; lane < job.pass.width; lane += kLanes) {
      const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
        return twiddled<Twiddles::some>(d, from + q * job.pass.from_step + lane, job.pass.width,
                                        twiddles, q);
      };
      const auto out = [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(p) * step;
        const auto x = finished<Finish::scale>(d, y, job.factors, job.pass.width,
                                               element + p * job.element_step, lane);
        give<kShape>(d, x, Lines<T>{to.real + at, to.imaginary + at, to.line, 0}, lane, streaming);
      };
      butterfly<kRadix>(d, job.pass, in, out);
    }
  }
}

template <class D, std::size_t kRadix>
void last_pass(const LastPass<hn::TFromD<D>>& job) {
  for_shape<hn::TFromD<D>>(shape_of(job.target), [&](auto shape) {
    last_pass_of<D, kRadix, decltype(shape)::value>(job);
  });
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
