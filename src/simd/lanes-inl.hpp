/// Per target: `hn`, the vectors that kernels are written in, and what both Highway's and
/// simd/vector16.hpp's lack: the first `count` lanes of memory, and lanes added up in a fixed
/// order.
///
/// Included once for each target, between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE of no other
/// file; hence the toggle instead of an include guard (Highway's way).
#if defined(KINJO_SIMD_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_SIMD_LANES_INL
#undef KINJO_SIMD_LANES_INL
#else
#define KINJO_SIMD_LANES_INL
#endif

#include <hwy/highway.h>

#include "simd/vector16.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
namespace hn = vector16;
#else
namespace hn = hwy::HWY_NAMESPACE;
#endif

/// Elements p[0] … p[count − 1] and zeros behind; 0 < count < lanes. Reads nothing else.
template <class D>
HWY_INLINE hn::Vec<D> load_first(D d, const hn::TFromD<D>* p, std::size_t count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::MaskedLoad(hn::FirstN(d, count), d, p);
#else
  hn::TFromD<D> lanes[hn::MaxLanes(D())] = {};
  for (std::size_t i = 0; i < count; ++i) lanes[i] = p[i];
  return hn::LoadU(d, lanes);
#endif
}

/// p[0] … p[count − 1] ← the first lanes; 0 < count < lanes. Writes nothing else.
template <class D>
HWY_INLINE void store_first(hn::Vec<D> v, D d, hn::TFromD<D>* p, std::size_t count) {
#if HWY_TARGET == HWY_AVX3
  hn::BlendedStore(v, hn::FirstN(d, count), d, p);
#else
  // AVX2's masked store costs dozens of cycles on AMD's CPUs.
  hn::TFromD<D> lanes[hn::MaxLanes(D())];
  hn::StoreU(v, d, lanes);
  for (std::size_t i = 0; i < count; ++i) p[i] = lanes[i];
#endif
}

/// The sum of all lanes: the lower half of the lanes adds the upper half until one is left.
template <class D>
HWY_INLINE hn::TFromD<D> fold([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) == 2) {
    return v[0] + v[1];
  } else {
    return (v[0] + v[2]) + (v[1] + v[3]);
  }
#else
  if constexpr (hn::MaxLanes(D()) == 1) {
    return hn::GetLane(v);
  } else {
    const hn::Half<D> half;
    return fold(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
