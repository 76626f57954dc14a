/// Compiled once for each target, see simd/stream_kernels.cpp.
#include "paths/grid_kernels.hpp"

#include <algorithm>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "paths/grid_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::paths::detail::HWY_NAMESPACE {
namespace {

#include "paths/grid_additions-inl.hpp"

#if HWY_TARGET == HWY_SCALAR

template <std::size_t kLimbs>
using Numbers = ScalarNumbers<kLimbs>;
using Residues = ScalarResidues;

#else

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<Limb, GridBlock::kColumns>;
using Vector = hn::Vec<D>;

template <std::size_t kLimbs>
struct Numbers {
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  struct V {
    Vector limb[kLimbs];
  };

  HWY_INLINE explicit Numbers(const GridBlock& block) : columns(block.columns) {}
  HWY_INLINE V load(const Limb* p) const {
    V v;
    for (std::size_t l = 0; l < kLimbs; ++l) v.limb[l] = hn::LoadU(D(), p + l * columns);
    return v;
  }
  HWY_INLINE V load(const Planes& planes, std::size_t at) const {
    V v;
    for (std::size_t l = 0; l < kLimbs; ++l) v.limb[l] = hn::LoadU(D(), planes[l] + at);
    return v;
  }
  HWY_INLINE void store(Limb* p, const V& v) const {
    for (std::size_t l = 0; l < kLimbs; ++l) hn::StoreU(v.limb[l], D(), p + l * columns);
  }
  HWY_INLINE V zero() const {
    V v;
    for (std::size_t l = 0; l < kLimbs; ++l) v.limb[l] = hn::Zero(D());
    return v;
  }
  HWY_INLINE V add(const V& a, const V& b) const {
    V sum;
    sum.limb[0] = hn::Add(a.limb[0], b.limb[0]);
    auto carry = hn::Lt(sum.limb[0], b.limb[0]);
    for (std::size_t l = 1; l < kLimbs; ++l) {
      const Vector partial = hn::Add(a.limb[l], b.limb[l]);
      // A mask is −1 as a number.
      sum.limb[l] = hn::Sub(partial, hn::VecFromMask(D(), carry));
      carry = hn::Or(hn::Lt(partial, b.limb[l]), hn::Lt(sum.limb[l], partial));
    }
    return sum;
  }

  std::size_t columns;
};

struct Residues {
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  using V = Vector;

  HWY_INLINE explicit Residues(const GridBlock& block) : modulus(hn::Set(D(), block.modulus)) {}
  HWY_INLINE V load(const Limb* p) const { return hn::LoadU(D(), p); }
  HWY_INLINE V load(const Planes& planes, std::size_t at) const {
    return hn::LoadU(D(), planes[0] + at);
  }
  HWY_INLINE void store(Limb* p, V v) const { hn::StoreU(v, D(), p); }
  HWY_INLINE V zero() const { return hn::Zero(D()); }
  HWY_INLINE V add(V a, V b) const {
    const V sum = hn::Add(a, b);
    return hn::Min(sum, hn::Sub(sum, modulus));
  }

  V modulus;
};

#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

using Tile = hn::CappedTag<Limb, 4>;
constexpr std::size_t kSide = 4;

/// Calls `tile(r, c)` for squares of rows and columns, and `cell(r, c)` for what is left of them.
template <class TileAt, class CellAt>
HWY_INLINE void for_tiles(std::size_t rows, std::size_t columns, const TileAt& tile,
                          const CellAt& cell) {
  const std::size_t whole_rows = rows / kSide * kSide, whole = columns / kSide * kSide;
  for (std::size_t c = 0; c < whole; c += kSide) {
    for (std::size_t r = 0; r < whole_rows; r += kSide) tile(r, c);
    for (std::size_t r = whole_rows; r < rows; ++r) {
      for (std::size_t i = 0; i < kSide; ++i) cell(r, c + i);
    }
  }
  for (std::size_t c = whole; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r) cell(r, c);
  }
}

void load_tiles(const GridBlock& block, const GridStrips& strips, GridColumns columns) {
  const std::size_t pitch = block.limbs * block.columns;
  const std::uint64_t* begin = strips.begin + columns.first;
  for (std::size_t l = 0; l < block.limbs; ++l) {
    Limb* in = block.row(strips.first) + l * block.columns;
    const Limb* out = strips.planes[l];
    for_tiles(
        strips.count, columns.count,
        [&](std::size_t r, std::size_t c) HWY_ATTR {
          kinjo::detail::HWY_NAMESPACE::transpose(
              Tile(),
              [&](std::size_t i) HWY_ATTR { return hn::LoadU(Tile(), out + begin[c + i] + r); },
              [&](std::size_t k, hn::Vec<Tile> v)
                  HWY_ATTR { hn::StoreU(v, Tile(), in + (r + k) * pitch + c); });
        },
        [&](std::size_t r, std::size_t c) { in[r * pitch + c] = out[begin[c] + r]; });
  }
}

void store_tiles(const GridBlock& block, const GridStrips& strips, GridColumns columns) {
  const std::size_t pitch = block.limbs * block.columns;
  const std::uint64_t* begin = strips.begin + columns.first;
  for (std::size_t l = 0; l < block.limbs; ++l) {
    const Limb* in = block.row(strips.first) + l * block.columns;
    Limb* out = strips.planes[l];
    for_tiles(
        strips.count, columns.count,
        [&](std::size_t r, std::size_t c) HWY_ATTR {
          kinjo::detail::HWY_NAMESPACE::transpose(
              Tile(),
              [&](std::size_t i) HWY_ATTR { return hn::LoadU(Tile(), in + (r + i) * pitch + c); },
              [&](std::size_t k, hn::Vec<Tile> v)
                  HWY_ATTR { hn::StoreU(v, Tile(), out + begin[c + k] + r); });
        },
        [&](std::size_t r, std::size_t c) { out[begin[c] + r] = in[r * pitch + c]; });
  }
}

#else

constexpr auto load_tiles = load_columns;
constexpr auto store_tiles = store_columns;

#endif

template <std::size_t kLimbs>
constexpr GridKernelSet::Additions of() {
  return additions<Numbers<kLimbs>, ScalarNumbers<kLimbs>>();
}

}  // namespace

extern const GridKernelSet kGridKernels = {additions<Residues, ScalarResidues>(),
                                           {of<1>(), of<2>(), of<3>(), of<4>()},
                                           send,
                                           spread,
                                           load_rows,
                                           store_rows,
                                           load_tiles,
                                           store_tiles,
                                           size};

}  // namespace kinjo::paths::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::paths::detail {

namespace {

const kinjo::detail::KernelTable<GridKernelSet> kTable = {&kScalarGridKernels,
                                                          KINJO_SIMD_TARGETS(kGridKernels)};

}  // namespace

const GridKernelSet& grid_kernels() { return kinjo::detail::chosen(kTable); }

}  // namespace kinjo::paths::detail
#endif
