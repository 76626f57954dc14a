/// Per target: neighbouring numbers of a line in vectors, whose lanes are in the order of
/// fft/lane_order.hpp.
#if defined(KINJO_FFT_NUMBERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_NUMBERS_INL
#undef KINJO_FFT_NUMBERS_INL
#else
#define KINJO_FFT_NUMBERS_INL
#endif

#include <algorithm>

#include "fft/lane_order.hpp"
#include "fft/memory-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::number_of_lane;

template <class T, std::size_t kLanes>
constexpr bool lanes_are_in_order() {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (number_of_lane<T>(kLanes, lane) != lane) return false;
  }
  return true;
}

/// Lane l ← lane number_of_lane(l), or the reverse.
enum class Order { to_lanes, to_numbers };
template <Order kOrder, class D>
HWY_INLINE hn::Vec<D> reordered(D d, hn::Vec<D> v) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
#if HWY_TARGET != HWY_SCALAR
  if constexpr (!lanes_are_in_order<T, kLanes>()) {
    alignas(64) hn::TFromD<hn::RebindToSigned<D>> from[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t number = number_of_lane<T>(kLanes, lane);
      (kOrder == Order::to_lanes ? from[lane] : from[number]) =
          static_cast<hn::TFromD<hn::RebindToSigned<D>>>(kOrder == Order::to_lanes ? number : lane);
    }
    v = hn::TableLookupLanes(v, hn::SetTableIndices(d, from));
  }
#else
  static_assert(lanes_are_in_order<T, kLanes>());
#endif
  (void)d;
  return v;
}

/// Neighbouring numbers from `from` on whose parts alternate, real ones first.
template <class D>
HWY_INLINE Complex<hn::Vec<D>> take_numbers(D d, const hn::TFromD<D>* from) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 1) {
    return {hn::LoadU(d, from), hn::LoadU(d, from + 1)};
  } else if constexpr (lanes_are_in_order<T, kLanes>()) {
    return take_pairs(d, from);
  } else {
    const auto a = hn::LoadU(d, from);
    const auto b = hn::LoadU(d, from + kLanes);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    if constexpr (sizeof(T) == 4) {
      return {hn::Vec<D>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))},
              hn::Vec<D>{_mm256_shuffle_ps(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))}};
    }
#endif
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)};
  }
}
/// The same of many numbers, of which most are not in L1. What is loaded from one number further
/// has its parts where the other vector has none, so two blends with memory do, on any port, for
/// two shuffles, which all have to wait for one or two.
template <class D>
HWY_INLINE Complex<hn::Vec<D>> take_numbers_by_blends(D d, const hn::TFromD<D>* from) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if constexpr (sizeof(T) == 8 && kLanes == hn::MaxLanes(hn::ScalableTag<T>())) {
    return {hn::OddEven(hn::LoadU(d, from + kLanes - 1), hn::LoadU(d, from)),
            hn::OddEven(hn::LoadU(d, from + kLanes), hn::LoadU(d, from + 1))};
  }
#endif
  return take_numbers(d, from);
}
template <class D>
HWY_INLINE void give_numbers(D d, const Complex<hn::Vec<D>>& x, hn::TFromD<D>* to, bool streams) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 1) {
    hn::StoreU(x.re, d, to);
    hn::StoreU(x.im, d, to + 1);
  } else {
    put(hn::InterleaveLower(d, x.re, x.im), d, to, streams);
    put(hn::InterleaveUpper(d, x.re, x.im), d, to + kLanes, streams);
  }
}

/// The same of any way in which neighbouring numbers lie.
template <Shape kShape, class D>
HWY_INLINE Complex<hn::Vec<D>> take_numbers(D d, const Lines<const hn::TFromD<D>>& from) {
  if constexpr (kShape == Shape::exchanged_columns) {
    const auto x = take_numbers_by_blends(d, from.imaginary);
    return {x.im, x.re};
  } else if constexpr (kShape == Shape::split_columns) {
    return {reordered<Order::to_lanes>(d, hn::LoadU(d, from.real)),
            reordered<Order::to_lanes>(d, hn::LoadU(d, from.imaginary))};
  } else {
    return take_numbers_by_blends(d, from.real);
  }
}
template <Shape kShape, class D>
HWY_INLINE void give_numbers(D d, const Complex<hn::Vec<D>>& x, const Lines<hn::TFromD<D>>& to,
                             bool streams) {
  if constexpr (kShape == Shape::exchanged_columns) {
    give_numbers(d, Complex<hn::Vec<D>>{x.im, x.re}, to.imaginary, streams);
  } else if constexpr (kShape == Shape::split_columns) {
    put(reordered<Order::to_numbers>(d, x.re), d, to.real, streams);
    put(reordered<Order::to_numbers>(d, x.im), d, to.imaginary, streams);
  } else {
    give_numbers(d, x, to.real, streams);
  }
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
