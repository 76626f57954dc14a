/// Vectors of 16 bytes by the compiler's own vector extension (GCC, clang): x86-64's base, SSE2,
/// which Highway 1.0.3 does not have. Only the operations of Highway that kinjo's kernels use,
/// under Highway's names and with its meaning, so that one kernel source serves both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace kinjo::detail::vector16 {

template <class T, std::size_t kLanes>
struct Tag {
  using Lane = T;
  static_assert(kLanes * sizeof(T) == 16 || kLanes == 1);
};
template <class T>
using ScalableTag = Tag<T, 16 / sizeof(T)>;
template <class T, std::size_t>
using CappedTag = Tag<T, 1>;
/// There is nothing between these vectors and single elements.
template <class D>
using Half = Tag<typename D::Lane, 1>;

template <class T, std::size_t kLanes>
struct VectorOf {
  typedef T type __attribute__((vector_size(16)));
};
template <class T>
struct VectorOf<T, 1> {
  using type = T;
};
template <class D>
struct OfTag;
template <class T, std::size_t kLanes>
struct OfTag<Tag<T, kLanes>> {
  using Vector = typename VectorOf<T, kLanes>::type;
  using Signed = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using SignedTag = Tag<Signed, kLanes>;
  static constexpr std::size_t lanes = kLanes;
};
template <class D>
using Vec = typename OfTag<D>::Vector;
template <class D>
using RebindToSigned = typename OfTag<D>::SignedTag;
template <class D>
using TFromD = typename D::Lane;

template <class D>
constexpr std::size_t Lanes(D) {
  return OfTag<D>::lanes;
}
template <class D>
constexpr std::size_t MaxLanes(D) {
  return OfTag<D>::lanes;
}

template <class D>
inline Vec<D> LoadU(D, const TFromD<D>* p) {
  Vec<D> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class D>
inline void StoreU(Vec<D> v, D, TFromD<D>* p) {
  std::memcpy(p, &v, sizeof v);
}
/// `p` is aligned to the vector.
template <class D>
inline void Stream(Vec<D> v, D d, TFromD<D>* p) {
#if defined(__SSE2__)
  if constexpr (std::is_same_v<TFromD<D>, double>) {
    _mm_stream_pd(p, v);
  } else if constexpr (std::is_same_v<TFromD<D>, float>) {
    _mm_stream_ps(p, v);
  } else {
    __m128i bits;
    static_assert(sizeof bits == sizeof v);
    std::memcpy(&bits, &v, sizeof bits);
    _mm_stream_si128(reinterpret_cast<__m128i*>(p), bits);
  }
#else
  StoreU(v, d, p);
#endif
  (void)d;
}
template <class D>
inline Vec<D> Set(D, TFromD<D> value) {
  return value - Vec<D>{};  // a sum with +0 would make +0 of −0
}
template <class D>
inline Vec<D> Zero(D) {
  return Vec<D>{};
}

/// The lower (upper) halves' elements of a and b in turn.
template <class D>
inline Vec<D> InterleaveLower(D, Vec<D> a, Vec<D> b) {
  if constexpr (OfTag<D>::lanes == 2) {
    return Vec<D>{a[0], b[0]};
  } else {
    return Vec<D>{a[0], b[0], a[1], b[1]};
  }
}
template <class D>
inline Vec<D> InterleaveUpper(D, Vec<D> a, Vec<D> b) {
  if constexpr (OfTag<D>::lanes == 2) {
    return Vec<D>{a[1], b[1]};
  } else {
    return Vec<D>{a[2], b[2], a[3], b[3]};
  }
}

/// Of two elements: the halves are single ones.
template <class D>
inline Vec<D> Combine(D, Vec<Half<D>> hi, Vec<Half<D>> lo) {
  static_assert(OfTag<D>::lanes == 2);
  return Vec<D>{lo, hi};
}
template <class D, class V>
inline Vec<D> LowerHalf(D, V v) {
  return v[0];
}
template <class D, class V>
inline Vec<D> UpperHalf(D, V v) {
  return v[1];
}

/// The even elements of lo and then those of hi, and the odd ones.
template <class D>
inline Vec<D> ConcatEven(D, Vec<D> hi, Vec<D> lo) {
  if constexpr (OfTag<D>::lanes == 2) {
    return Vec<D>{lo[0], hi[0]};
  } else {
    return Vec<D>{lo[0], lo[2], hi[0], hi[2]};
  }
}
template <class D>
inline Vec<D> ConcatOdd(D, Vec<D> hi, Vec<D> lo) {
  if constexpr (OfTag<D>::lanes == 2) {
    return Vec<D>{lo[1], hi[1]};
  } else {
    return Vec<D>{lo[1], lo[3], hi[1], hi[3]};
  }
}
template <class D>
inline Vec<D> Reverse(D, Vec<D> v) {
  if constexpr (OfTag<D>::lanes == 1) {
    return v;
  } else if constexpr (OfTag<D>::lanes == 2) {
    return Vec<D>{v[1], v[0]};
  } else {
    return Vec<D>{v[3], v[2], v[1], v[0]};
  }
}
/// Pairs of elements next to each other: the first ones to v0, the second ones to v1.
template <class D>
inline void LoadInterleaved2(D d, const TFromD<D>* p, Vec<D>& v0, Vec<D>& v1) {
  const Vec<D> lo = LoadU(d, p), hi = LoadU(d, p + OfTag<D>::lanes);
  if constexpr (OfTag<D>::lanes == 1) {
    v0 = lo;
    v1 = hi;
  } else {
    v0 = ConcatEven(d, hi, lo);
    v1 = ConcatOdd(d, hi, lo);
  }
}
template <class D>
inline void StoreInterleaved2(Vec<D> v0, Vec<D> v1, D d, TFromD<D>* p) {
  if constexpr (OfTag<D>::lanes == 1) {
    p[0] = v0;
    p[1] = v1;
  } else {
    StoreU(InterleaveLower(d, v0, v1), d, p);
    StoreU(InterleaveUpper(d, v0, v1), d, p + OfTag<D>::lanes);
  }
}

template <class V>
inline V Add(V a, V b) {
  return a + b;
}
template <class V>
inline V Sub(V a, V b) {
  return a - b;
}
template <class V>
inline V Mul(V a, V b) {
  return a * b;
}
/// a·b + c, rounded twice: this level has no fused multiply-add.
template <class V>
inline V MulAdd(V a, V b, V c) {
  return a * b + c;
}
/// c − a·b, rounded twice.
template <class V>
inline V NegMulAdd(V a, V b, V c) {
  return c - a * b;
}
template <class V>
inline V And(V a, V b) {
  return a & b;
}
template <class D, class V>
inline Vec<D> BitCast(D, V v) {
  Vec<D> to;
  static_assert(sizeof to == sizeof v);
  std::memcpy(&to, &v, sizeof to);
  return to;
}
template <class V>
inline V Max(V a, V b) {
  return a > b ? a : b;
}
/// All bits set where it holds.
template <class V>
inline auto Gt(V a, V b) {
  return a > b;
}
template <class D, class M>
inline bool AllFalse(D, M mask) {
  std::uint64_t halves[2];
  static_assert(sizeof mask == sizeof halves);
  std::memcpy(halves, &mask, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}
/// The first lane in which it holds; −1: none.
template <class D, class M>
inline std::ptrdiff_t FindFirstTrue(D, M mask) {
  for (std::size_t i = 0; i < MaxLanes(D()); ++i) {
    if (mask[i]) return static_cast<std::ptrdiff_t>(i);
  }
  return -1;
}

}  // namespace kinjo::detail::vector16
