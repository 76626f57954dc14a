/// The vector levels of BLAS-1: the tables of kernels, and the search for the largest magnitude.
#include "blas1/kernels.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "blas1/kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "blas1/sums-inl.hpp"
#include "blas1/writes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

/// Magnitudes are compared as integers: without their sign bit, floating-point numbers are ordered
/// like their bits, infinity above all numbers and every NaN above infinity.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
template <class T>
constexpr BitsOf<T> kInfinityBits = std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity());

template <class T>
HWY_INLINE BitsOf<T> magnitude(const T* x) {
  BitsOf<T> bits;
  __builtin_memcpy(&bits, x, sizeof bits);
  return bits & std::numeric_limits<BitsOf<T>>::max();
}

/// The largest lane.
template <class D>
HWY_INLINE hn::TFromD<D> largest([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_SCALAR
  auto most = v[0];
  for (std::size_t i = 1; i < hn::MaxLanes(D()); ++i) most = v[i] > most ? v[i] : most;
  return most;
#else
  if constexpr (hn::MaxLanes(D()) == 1) {
    return hn::GetLane(v);
  } else {
    const hn::Half<D> half;
    return largest(half, hn::Max(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
}

/// The magnitudes of a vector of elements, whole or in part.
template <class T>
struct Magnitudes {
  using Values = hn::ScalableTag<T>;
  using Integers = hn::RebindToSigned<Values>;
  const T* x;
  template <class Load>
  HWY_INLINE hn::Vec<Integers> operator()(const Load& load, std::size_t i) const {
    const Integers d;
    const auto mask = hn::Set(d, std::numeric_limits<BitsOf<T>>::max());
    return hn::And(mask, hn::BitCast(d, load(x + i)));
  }
};

/// What the first element that counts has at least, if `most` is the largest magnitude: all NaNs
/// count as the same, next above infinity.
template <class T>
HWY_INLINE BitsOf<T> least_of_best(BitsOf<T> most) {
  return most > kInfinityBits<T> ? kInfinityBits<T> + 1 : most;
}

/// The first index from `i` on whose magnitude is `least` or more; there is one below `n`.
template <class T>
HWY_INLINE std::size_t first_of_at_least(const T* x, std::size_t i, std::size_t n,
                                         BitsOf<T> least) {
  const typename Magnitudes<T>::Integers d;
  const Whole<hn::ScalableTag<T>> whole{};
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const auto below = hn::Set(d, least - 1);
  for (; i + kLanes <= n; i += kLanes) {
    const auto found = hn::FindFirstTrue(d, hn::Gt(Magnitudes<T>{x}(whole, i), below));
    if (found >= 0) return i + static_cast<std::size_t>(found);
  }
  while (magnitude(x + i) < least) ++i;
  return i;
}

/// The largest magnitude of fewer elements than a group has; n > 0.
template <class T>
HWY_INLINE BitsOf<T> largest_of_few(const T* x, std::size_t n) {
  const hn::ScalableTag<T> values;
  const typename Magnitudes<T>::Integers d;
  const Magnitudes<T> magnitudes{x};
  const Whole<hn::ScalableTag<T>> whole{values};
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  if (n < kLanes) return largest(d, magnitudes(First<hn::ScalableTag<T>>{values, n}, 0));
  auto most = magnitudes(whole, n - kLanes);  // what is seen twice does no harm
  for (std::size_t i = 0; i + kLanes < n; i += kLanes) most = hn::Max(most, magnitudes(whole, i));
  return largest(d, most);
}

/// Eight vectors at a time are compared with the largest magnitude so far; only a group that
/// exceeds it is looked into, which happens rarely (of m groups in random order about ln m times).
/// Which element of the last such group it was is found at the end.
template <class Load, class T>
HWY_INLINE std::size_t find_largest(const Load& load, const T* x, std::size_t n) {
  const typename Magnitudes<T>::Integers d;
  const Magnitudes<T> magnitudes{x};
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  constexpr std::size_t kGroup = 8 * kLanes;
  if (n < kGroup) return first_of_at_least(x, 0, n, least_of_best<T>(largest_of_few(x, n)));
  std::size_t group = 0;
  auto bound = hn::Set(d, BitsOf<T>{-1});
  BitsOf<T> most = -1;
  std::size_t i = 0;
  const std::size_t skew = (kLanes - misaligned_elements(hn::ScalableTag<T>(), x)) % kLanes;
  // To the aligned place next to the end of the first group: what is seen twice is not found twice.
  const auto next = [&](std::size_t from) { return from + kGroup - (from == 0 ? skew : 0); };
  const auto larger = [&](std::size_t at) HWY_ATTR {
    return hn::Max(magnitudes(load, at), magnitudes(load, at + kLanes));
  };
  for (; i + kGroup <= n; i = next(i)) {
    const auto here = hn::Max(hn::Max(larger(i), larger(i + 2 * kLanes)),
                              hn::Max(larger(i + 4 * kLanes), larger(i + 6 * kLanes)));
    if (hn::AllFalse(d, hn::Gt(here, bound))) continue;
    group = i;
    most = largest(d, here);
    if (most > kInfinityBits<T>) break;
    bound = hn::Set(d, most);
  }
  if (i < n && most <= kInfinityBits<T>) {
    const BitsOf<T> last = largest_of_few(x + i, n - i);
    if (last > most) group = i, most = last;
  }
  return first_of_at_least(x, group, n, least_of_best<T>(most));
}

template <class T>
std::size_t max_abs_index(const T* x, std::size_t n) {
  using D = hn::ScalableTag<T>;
#if HWY_TARGET == HWY_AVX3
  if (kPacesItself && n * sizeof(T) > kPastL2) {
    return find_largest(WholeAhead<D, kAheadOfPages>(), x, n);
  }
#endif
  return find_largest(Whole<D>(), x, n);
}

template <class T>
constexpr Blas1Kernels<T> kKernels = {
    sum<T>,          sum_of_squares<T>,        asum<T>,       dot<T>,
    block_sum<T>,    block_sum_of_squares<T>,  block_asum<T>, block_dot<T>,
    axpy_fast<T>,    axpy<T, Rounding::twice>, scale<T>,      copy<T>,
    max_abs_index<T>};

}  // namespace

extern const Blas1Kernels<float> kFloat = kKernels<float>;
extern const Blas1Kernels<double> kDouble = kKernels<double>;

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<Blas1Kernels<float>> kBlas1Float = {&kReferenceFloat, KINJO_SIMD_TARGETS(kFloat)};
const KernelTable<Blas1Kernels<double>> kBlas1Double = {&kReferenceDouble,
                                                        KINJO_SIMD_TARGETS(kDouble)};

}  // namespace kinjo::detail
#endif
