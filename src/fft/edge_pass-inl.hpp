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

#include "fft/line-inl.hpp"
#include "fft/memory-inl.hpp"
#include "fft/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::FirstPass;
using fft::detail::LastPass;

/// Asks for inputs of later butterflies than the i-th, those from elements `at` on: of columns so
/// many rows ahead as LOAD does; of lines in tiles, once for each cache line, the next tile's.
template <std::size_t kRadix, Shape kShape, class T>
HWY_INLINE void prefetch_inputs(const FirstPass<T>& job, std::size_t i,
                                const std::ptrdiff_t (&at)[kRadix]) {
  constexpr std::size_t kSoon = std::max<std::size_t>(1, kRowsSoon / kRadix);
  const Pairs<const T> pairs(job.source);
  if (is_by_column(kShape)) {
    if (kShape == Shape::split_columns || i + kSoon >= job.rows.count) return;
    for (std::size_t q = 0; q < kRadix; ++q) {
      const std::size_t soon = job.rows.element(i + kSoon) + q * job.element_step;
      prefetch<Near::l1>(pairs.first + job.source.offset(soon), 2 * job.pass.width);
    }
  } else if (i % (64 / (2 * sizeof(T))) == 0) {
    for (const std::ptrdiff_t input : at) {
      const T* const ahead = pairs.first + input + ahead_of_tile(job.source);
      for (std::size_t l = 0; l < job.pass.width; ++l) {
        __builtin_prefetch(ahead + static_cast<std::ptrdiff_t>(l) * job.source.line, 0, 2);
      }
    }
  }
}

template <class D, std::size_t kRadix, Shape kShape>
void first_pass_of(const FirstPass<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const FirstPass<T> job = given;
  for (std::size_t i = 0; i < job.rows.count; i += job.rows_next) {
    std::ptrdiff_t at[kRadix];
    for (std::size_t q = 0; q < kRadix; ++q) {
      at[q] = job.source.offset(job.rows.element(i) + q * job.element_step);
    }
    if (job.in_memory) prefetch_inputs<kRadix, kShape>(job, i, at);
    T* const to = job.pass.to + job.rows.offsets[i];
    for (std::size_t lane = 0; lane < job.pass.width; lane += kLanes) {
      const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
        const Lines<const T> from{job.source.real + at[q], job.source.imaginary + at[q],
                                  job.source.line};
        return take<kShape>(d, from, lane);
      };
      const auto out = [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
        T* const row = to + p * job.pass.to_step + lane;
        hn::StoreU(y.re, d, row);
        hn::StoreU(y.im, d, row + job.pass.width);
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
  const auto factors = factors_of<Finish::scale>(job.factors, job.pass.width, 0);
  for (std::size_t g = 0; g < job.pass.groups; ++g) {
    const GroupTwiddles<D, kRadix> twiddles(d, job.pass.twiddles + 2 * (kRadix - 1) * g);
    const T* const from = job.pass.from + g * job.pass.from_group;
    const std::size_t element = job.element + g * job.element_group;
    std::ptrdiff_t at[kRadix];
    for (std::size_t p = 0; p < kRadix; ++p) {
      at[p] = job.target.offset(element + p * job.element_step);
    }
    for (std::size_t lane = 0; lane < job.pass.width; lane += kLanes) {
      const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
        return twiddles.times_input(q,
                                    input(d, from + q * job.pass.from_step + lane, job.pass.width));
      };
      const auto out = [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
        const auto x = finished<Finish::scale>(d, y, factors, lane);
        const Lines<T> to{job.target.real + at[p], job.target.imaginary + at[p], job.target.line};
        give<kShape>(d, x, to, lane, streaming);
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
