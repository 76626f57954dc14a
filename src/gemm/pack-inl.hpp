/// Per target: copying operands into strips.
///
/// Where an operand is contiguous along the strip, each step of p copies the widths of several
/// strips, so that memory is read in runs. Where it is contiguous along p, square tiles are
/// transposed in registers: kTile rows of kTile elements are loaded, and interleaved in log₂ kTile
/// rounds.
#if defined(KINJO_GEMM_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_GEMM_PACK_INL
#undef KINJO_GEMM_PACK_INL
#else
#define KINJO_GEMM_PACK_INL
#endif

#include <algorithm>
#include <cstring>

#include "gemm/kernels.hpp"
#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// Vectors of `kTile` elements that a strip's width is a multiple of; at most 32 bytes, since
/// wider ones would only add a round of shuffles across the vector.
template <class T, std::size_t kWidth>
struct PackVector {
#if HWY_TARGET == HWY_SCALAR
  using Tag = hn::ScalableTag<T>;
#else
  using Tag = hn::CappedTag<T, std::min<std::size_t>(kWidth, 32 / sizeof(T))>;
#endif
};

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

/// Four rows of floats transposed within each block of 16 bytes.
template <class D>
HWY_INLINE Quad<hn::Vec<D>> transpose_blocks(D d, const hn::TFromD<D>* from, std::size_t step) {
  const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + step);
  const auto r2 = hn::LoadU(d, from + 2 * step), r3 = hn::LoadU(d, from + 3 * step);
  const auto a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
  const auto c = hn::InterleaveLower(d, r2, r3), e = hn::InterleaveUpper(d, r2, r3);
  return {pairs_lower(d, a, c), pairs_upper(d, a, c), pairs_lower(d, b, e), pairs_upper(d, b, e)};
}

/// to[p·to_step + i] ← from[i·step + p] for i and p below the number of lanes.
template <class D>
HWY_INLINE void transpose(D d, const hn::TFromD<D>* from, std::size_t step, hn::TFromD<D>* to,
                          std::size_t to_step) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kBytes = sizeof(hn::TFromD<D>);
  if constexpr (kLanes == 2) {
    const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + step);
    hn::StoreU(hn::InterleaveLower(d, r0, r1), d, to);
    hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, to + to_step);
  } else if constexpr (kLanes == 4 && kBytes == 4) {
    const auto q = transpose_blocks(d, from, step);
    hn::StoreU(q.v0, d, to);
    hn::StoreU(q.v1, d, to + to_step);
    hn::StoreU(q.v2, d, to + 2 * to_step);
    hn::StoreU(q.v3, d, to + 3 * to_step);
  }
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  else if constexpr (kLanes == 4) {
    const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + step);
    const auto r2 = hn::LoadU(d, from + 2 * step), r3 = hn::LoadU(d, from + 3 * step);
    const auto a = hn::InterleaveLower(d, r0, r1), b = hn::InterleaveUpper(d, r0, r1);
    const auto c = hn::InterleaveLower(d, r2, r3), e = hn::InterleaveUpper(d, r2, r3);
    hn::StoreU(hn::ConcatLowerLower(d, c, a), d, to);
    hn::StoreU(hn::ConcatLowerLower(d, e, b), d, to + to_step);
    hn::StoreU(hn::ConcatUpperUpper(d, c, a), d, to + 2 * to_step);
    hn::StoreU(hn::ConcatUpperUpper(d, e, b), d, to + 3 * to_step);
  } else {
    static_assert(kLanes == 8);
    const auto q = transpose_blocks(d, from, step);
    const auto s = transpose_blocks(d, from + 4 * step, step);
    hn::StoreU(hn::ConcatLowerLower(d, s.v0, q.v0), d, to);
    hn::StoreU(hn::ConcatLowerLower(d, s.v1, q.v1), d, to + to_step);
    hn::StoreU(hn::ConcatLowerLower(d, s.v2, q.v2), d, to + 2 * to_step);
    hn::StoreU(hn::ConcatLowerLower(d, s.v3, q.v3), d, to + 3 * to_step);
    hn::StoreU(hn::ConcatUpperUpper(d, s.v0, q.v0), d, to + 4 * to_step);
    hn::StoreU(hn::ConcatUpperUpper(d, s.v1, q.v1), d, to + 5 * to_step);
    hn::StoreU(hn::ConcatUpperUpper(d, s.v2, q.v2), d, to + 6 * to_step);
    hn::StoreU(hn::ConcatUpperUpper(d, s.v3, q.v3), d, to + 7 * to_step);
  }
#endif
}

/// Rows [begin, end) of a strip of width `width`, one element at a time; zeros from `size` on.
template <class T>
void pack_elements(const PackJob<T>& j, std::size_t begin, std::size_t end, std::size_t width) {
  for (std::size_t p = 0; p < j.inner; ++p) {
    for (std::size_t i = begin; i < end; ++i) {
      j.to[p * width + i] = i < j.size ? j.from[i * j.step + p * j.inner_step] : T{0};
    }
  }
}

/// A strip that is contiguous along p.
template <class T, std::size_t kWidth>
void pack_across(const PackJob<T>& j, std::size_t width) {
  using D = typename PackVector<T, kWidth>::Tag;
  constexpr std::size_t kTile = hn::MaxLanes(D());
  const D d;
  std::size_t i = 0;
  for (; i + kTile <= j.size; i += kTile) {
    const T* const from = j.from + i * j.step;
    std::size_t p = 0;
    for (; p + kTile <= j.inner; p += kTile) {
      transpose(d, from + p, j.step, j.to + p * width + i, width);
    }
    for (; p < j.inner; ++p) {
      for (std::size_t k = 0; k < kTile; ++k) j.to[p * width + i + k] = from[k * j.step + p];
    }
  }
  pack_elements(j, i, width, width);
}

/// Whole strips that are contiguous along the strip: `strips` of them side by side.
template <class T, std::size_t kWidth>
void pack_along(const PackJob<T>& j, std::size_t strips) {
  using D = typename PackVector<T, kWidth>::Tag;
  constexpr std::size_t kTile = hn::MaxLanes(D());
  const D d;
  for (std::size_t p = 0; p < j.inner; ++p) {
    const T* from = j.from + p * j.inner_step;
    T* to = j.to + p * kWidth;
    for (std::size_t s = 0; s < strips; ++s) {
      for (std::size_t i = 0; i < kWidth; i += kTile) {
        hn::StoreU(hn::LoadU(d, from + i), d, to + i);
      }
      from += kWidth;
      to += kWidth * j.inner;
    }
  }
}

/// Strips of kWidth; the last ones may be narrower, and are padded to whole units.
template <class T, std::size_t kWidth>
void pack(PackJob<T> j, const Strips& strips) {
  constexpr std::size_t kSideBySide = 8;
  const auto skip = [&](std::size_t elements) {
    j.from += elements * j.step;
    j.to += elements * j.inner;
    j.size -= elements;
  };
  while (j.size > 0) {
    const std::size_t width = strips.width(j.size);
    const std::size_t whole = strips.whole_ones(j.size);
    if (j.step == 1 && whole > 0) {
      const std::size_t together = std::min(whole, kSideBySide);
      pack_along<T, kWidth>(j, together);
      skip(together * kWidth);
      continue;
    }
    PackJob<T> strip = j;
    strip.size = width;
    if (j.step == 1) {
      pack_elements(strip, 0, round_up(width, strips.unit), round_up(width, strips.unit));
    } else {
      pack_across<T, kWidth>(strip, round_up(width, strips.unit));
    }
    skip(width);
  }
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
