/// Per target: a square of as many vectors as they have lanes, transposed in registers by
/// interleaving in log₂ of the lanes rounds.
#if defined(KINJO_SIMD_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_SIMD_TRANSPOSE_INL
#undef KINJO_SIMD_TRANSPOSE_INL
#else
#define KINJO_SIMD_TRANSPOSE_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// The vectors that are transposed where `kAtMost` elements may be in one; at most 32 bytes, since
/// wider ones add a round of shuffles across the vector.
#if HWY_TARGET == HWY_SCALAR
template <class T, std::size_t kAtMost>
using TransposeTag = std::conditional_t<kAtMost == 1, hn::CappedTag<T, 1>, hn::ScalableTag<T>>;
#else
template <class T, std::size_t kAtMost>
using TransposeTag = hn::CappedTag<T, std::min<std::size_t>(kAtMost, 32 / sizeof(T))>;
#endif

/// The vectors of squares of whole vectors D, whose rounds of shuffles are worth what they save in
/// loads and stores: doubles of 64 bytes, else as above.
#if HWY_TARGET == HWY_AVX3
template <class D>
using SquareTag = std::conditional_t<sizeof(hn::TFromD<D>) == 8, D,
                                     TransposeTag<hn::TFromD<D>, hn::MaxLanes(D())>>;
#else
template <class D>
using SquareTag = TransposeTag<hn::TFromD<D>, hn::MaxLanes(D())>;
#endif

#if HWY_TARGET == HWY_SCALAR
template <class D>
using PairsOf = hn::ScalableTag<double>;
#else
template <class D>
using PairsOf = hn::Repartition<double, D>;
#endif

/// Interleaves pairs of elements of 8 bytes, in each block of 16.
template <class D>
HWY_INLINE hn::Vec<D> pairs_lower(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const PairsOf<D> wide;
  return hn::BitCast(d, hn::InterleaveLower(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
}
template <class D>
HWY_INLINE hn::Vec<D> pairs_upper(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const PairsOf<D> wide;
  return hn::BitCast(d, hn::InterleaveUpper(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
}
/// The first rows of a transposed tile of 4 × 4 blocks or elements.
template <class V>
struct Quad {
  V v0, v1, v2, v3;
};

/// Four rows of floats, `in(first)` and those after it, transposed within each block of 16 bytes.
template <class D, class In>
HWY_INLINE Quad<hn::Vec<D>> transpose_blocks(D d, const In& in, std::size_t first) {
  const auto r0 = in(first), r1 = in(first + 1), r2 = in(first + 2), r3 = in(first + 3);
  const auto a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
  const auto c = hn::InterleaveLower(d, r2, r3), e = hn::InterleaveUpper(d, r2, r3);
  return {pairs_lower(d, a, c), pairs_upper(d, a, c), pairs_lower(d, b, e), pairs_upper(d, b, e)};
}

#if HWY_TARGET == HWY_AVX3
/// Blocks of 16 bytes: the even ones of a and then those of b, or the odd ones.
template <class V>
HWY_INLINE V even_blocks(V a, V b) {
  return V{_mm512_shuffle_f64x2(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))};
}
template <class V>
HWY_INLINE V odd_blocks(V a, V b) {
  return V{_mm512_shuffle_f64x2(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))};
}

/// Eight vectors of eight doubles: pairs of neighbouring rows are interleaved, which leaves a
/// transposed 2 × 2 square in each block, and then blocks change places in two rounds.
template <class D, class In, class Out>
HWY_INLINE void transpose_8_by_8(D d, const In& in, const Out& out) {
  const auto half = [&](auto a, auto b, auto c, auto e, std::size_t first) HWY_ATTR {
    const auto p = even_blocks(a, b), q = even_blocks(c, e);
    out(first, even_blocks(p, q));
    out(first + 4, odd_blocks(p, q));
    const auto r = odd_blocks(a, b), s = odd_blocks(c, e);
    out(first + 2, even_blocks(r, s));
    out(first + 6, odd_blocks(r, s));
  };
  const auto r0 = in(0), r1 = in(1), r2 = in(2), r3 = in(3);
  const auto r4 = in(4), r5 = in(5), r6 = in(6), r7 = in(7);
  half(hn::InterleaveLower(d, r0, r1), hn::InterleaveLower(d, r2, r3),
       hn::InterleaveLower(d, r4, r5), hn::InterleaveLower(d, r6, r7), 0);
  half(hn::InterleaveUpper(d, r0, r1), hn::InterleaveUpper(d, r2, r3),
       hn::InterleaveUpper(d, r4, r5), hn::InterleaveUpper(d, r6, r7), 1);
}

/// Four vectors of eight doubles, stored as the halves of eight rows. Halves that go to memory need
/// no shuffles, unlike the round that would make whole rows of them.
template <class D, class In, class At>
HWY_INLINE void store_transposed_4_by_8(D d, const In& in, const At& at) {
  const hn::Half<D> half;
  alignas(64) static constexpr std::int64_t kFirst[8] = {0, 1, 8, 9, 2, 3, 10, 11};
  alignas(64) static constexpr std::int64_t kSecond[8] = {4, 5, 12, 13, 6, 7, 14, 15};
  const auto r0 = in(0), r1 = in(1), r2 = in(2), r3 = in(3);
  const auto four = [&](auto a, auto b, std::size_t k) HWY_ATTR {
    const hn::Vec<D> p{_mm512_permutex2var_pd(a.raw, _mm512_load_si512(kFirst), b.raw)};
    const hn::Vec<D> q{_mm512_permutex2var_pd(a.raw, _mm512_load_si512(kSecond), b.raw)};
    hn::StoreU(hn::LowerHalf(half, p), half, at(k));
    hn::StoreU(hn::UpperHalf(half, p), half, at(k + 2));
    hn::StoreU(hn::LowerHalf(half, q), half, at(k + 4));
    hn::StoreU(hn::UpperHalf(half, q), half, at(k + 6));
  };
  four(hn::InterleaveLower(d, r0, r1), hn::InterleaveLower(d, r2, r3), 0);
  four(hn::InterleaveUpper(d, r0, r1), hn::InterleaveUpper(d, r2, r3), 1);
}
#endif

/// Calls `out(k, v)` for every k below the number of lanes, where lane i of v is lane k of `in(i)`.
template <class D, class In, class Out>
HWY_INLINE void transpose(D d, const In& in, const Out& out) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kBytes = sizeof(hn::TFromD<D>);
  if constexpr (kLanes == 1) {
    out(0, in(0));
  } else if constexpr (kLanes == 2) {
    const auto r0 = in(0), r1 = in(1);
    out(0, hn::InterleaveLower(d, r0, r1));
    out(1, hn::InterleaveUpper(d, r0, r1));
  } else if constexpr (kLanes == 4 && kBytes == 4) {
    const auto q = transpose_blocks(d, in, 0);
    out(0, q.v0);
    out(1, q.v1);
    out(2, q.v2);
    out(3, q.v3);
  }
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  else if constexpr (kLanes == 4) {
    const auto r0 = in(0), r1 = in(1), r2 = in(2), r3 = in(3);
    const auto a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
    const auto c = hn::InterleaveLower(d, r2, r3), e = hn::InterleaveUpper(d, r2, r3);
    out(0, hn::ConcatLowerLower(d, c, a));
    out(1, hn::ConcatLowerLower(d, e, b));
    out(2, hn::ConcatUpperUpper(d, c, a));
    out(3, hn::ConcatUpperUpper(d, e, b));
  } else if constexpr (kBytes == 8) {
    transpose_8_by_8(d, in, out);
  } else {
    static_assert(kLanes == 8);
    const auto q = transpose_blocks(d, in, 0);
    const auto s = transpose_blocks(d, in, 4);
    out(0, hn::ConcatLowerLower(d, s.v0, q.v0));
    out(1, hn::ConcatLowerLower(d, s.v1, q.v1));
    out(2, hn::ConcatLowerLower(d, s.v2, q.v2));
    out(3, hn::ConcatLowerLower(d, s.v3, q.v3));
    out(4, hn::ConcatUpperUpper(d, s.v0, q.v0));
    out(5, hn::ConcatUpperUpper(d, s.v1, q.v1));
    out(6, hn::ConcatUpperUpper(d, s.v2, q.v2));
    out(7, hn::ConcatUpperUpper(d, s.v3, q.v3));
  }
#endif
}

/// Stores at `at(k)`, for every k below the number of lanes, lane k of each `in(i)` in turn.
template <class D, class In, class At>
HWY_INLINE void store_transposed(D d, const In& in, const At& at) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 8 && sizeof(hn::TFromD<D>) == 8) {
    store_transposed_4_by_8(d, in, at);
    store_transposed_4_by_8(
        d, [&](std::size_t i) HWY_ATTR { return in(4 + i); },
        [&](std::size_t k) HWY_ATTR { return at(k) + 4; });
    return;
  }
#endif
  transpose(d, in, [&](std::size_t k, auto v) HWY_ATTR { hn::StoreU(v, d, at(k)); });
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
