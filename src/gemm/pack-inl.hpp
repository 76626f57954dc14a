/// Per target: copying operands into strips.
///
/// Where an operand is contiguous along the strip, each step of p copies the widths of several
/// strips, so that memory is read in runs. Where it is contiguous along p, square tiles of
/// kTile rows of kTile elements are transposed in registers.
#if defined(KINJO_GEMM_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_GEMM_PACK_INL
#undef KINJO_GEMM_PACK_INL
#else
#define KINJO_GEMM_PACK_INL
#endif

#include <algorithm>
#include <cstring>

#include "gemm/kernels.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// to[p·to_step + i] ← from[i·step + p] for i and p below the number of lanes.
template <class D>
HWY_INLINE void transpose_tile(D d, const hn::TFromD<D>* from, std::size_t step, hn::TFromD<D>* to,
                               std::size_t to_step) {
  transpose(
      d, [=](std::size_t i) HWY_ATTR { return hn::LoadU(d, from + i * step); },
      [=](std::size_t p, hn::Vec<D> v) HWY_ATTR { hn::StoreU(v, d, to + p * to_step); });
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
  using D = TransposeTag<T, kWidth>;
  constexpr std::size_t kTile = hn::MaxLanes(D());
  const D d;
  std::size_t i = 0;
  for (; i + kTile <= j.size; i += kTile) {
    const T* const from = j.from + i * j.step;
    std::size_t p = 0;
    for (; p + kTile <= j.inner; p += kTile) {
      transpose_tile(d, from + p, j.step, j.to + p * width + i, width);
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
  using D = TransposeTag<T, kWidth>;
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
