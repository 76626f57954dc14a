/// Per target: the last rows of a job, if they are few of a vector's lanes.
///
/// A tile would do a whole vector's work for them: 65 rows of doubles would cost as much as 72. If
/// the broadcast side lies in place, an eighth (of doubles) of a vector's work does for each row,
/// once the rows of X have been copied. Where that side is contiguous along p, each of their
/// elements is an inner product of two contiguous vectors, whose lanes are added up; where it is
/// across, vectors hold neighbouring columns, whose lanes go apart.
#if defined(KINJO_GEMM_REST_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_GEMM_REST_INL
#undef KINJO_GEMM_REST_INL
#else
#define KINJO_GEMM_REST_INL
#endif

#include <algorithm>

#include "gemm/kernels.hpp"
#include "gemm/sums-inl.hpp"
#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// The inner dimension up to which a row of X is copied: 4 KiB of doubles stay in L1.
constexpr std::size_t kMostInnerOfRest = 512;

/// The most rows that are cheaper so: more are worth a tile.
template <class T>
constexpr std::size_t kMostRowsOfRest =
#if HWY_TARGET == HWY_AVX3
    4;
#else
    std::max<std::size_t>(hn::MaxLanes(hn::ScalableTag<T>()) / 4, 1);
#endif

/// The columns of so many rows that are computed side by side: their sums stay in registers.
template <int kRows>
constexpr int kColumnsOfRest = std::min(8, (HWY_TARGET == HWY_AVX3 ? 24 : 8) / kRows);

/// How many of the last rows are inner products: 0 if a tile is to do them.
template <class T>
HWY_INLINE std::size_t rows_of_rest(const TileJob<T>& j) {
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const std::size_t rest = j.rows % kLanes;
  const bool lies_well = j.x_step != 0 && (j.y_step == 1 || (j.y_step != 0 && j.y_column == 1));
  const bool fits = kLanes <= j.inner && j.inner <= kMostInnerOfRest;
  return lies_well && fits && rest <= kMostRowsOfRest<T> ? rest : 0;
}

/// The sums of all lanes of four vectors.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void fold_four(D d, V a, V b, V c, V e, hn::TFromD<D>* to) {
#if HWY_TARGET == HWY_AVX3
  // Within blocks of 16 bytes lanes of different vectors come side by side; then blocks are added.
  const auto blocks = [](auto v) HWY_ATTR {
    const hn::Half<D> half;
    const hn::Half<decltype(half)> quarter;
    const auto sum = hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v));
    return hn::Add(hn::LowerHalf(quarter, sum), hn::UpperHalf(quarter, sum));
  };
  const hn::Half<hn::Half<D>> quarter;
  const V ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const V ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    hn::StoreU(blocks(ab), quarter, to);
    hn::StoreU(blocks(ce), quarter, to + 2);
  } else {
    const hn::RepartitionToWide<D> wide;
    const auto x = hn::BitCast(wide, ab), y = hn::BitCast(wide, ce);
    hn::StoreU(blocks(hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, x, y)),
                              hn::BitCast(d, hn::InterleaveUpper(wide, x, y)))),
               quarter, to);
  }
#else
  to[0] = fold(d, a);
  to[1] = fold(d, b);
  to[2] = fold(d, c);
  to[3] = fold(d, e);
#endif
}

template <class V>
struct RowSums {
  V r0, r1, r2, r3;
};

/// The last rows of C, kRows of them, and what belongs to them.
template <class T>
struct RestAt {
  const TileJob<T>& job;
  const T* x;          ///< their rows of X, one behind the other, with zeros up to whole vectors
  std::size_t length;  ///< of each
  std::size_t row;     ///< the first one
};

/// What an element of C becomes.
template <class T>
HWY_INLINE void update_element(const TileJob<T>& j, T sum, T* c) {
  *c = j.beta == 0 ? j.alpha * sum : j.alpha * sum + j.beta * *c;
}

/// The sums of a column of them.
template <int kRows, class D, class V>
HWY_INLINE void store_rows(D d, const RowSums<V>& s, const TileJob<hn::TFromD<D>>& j,
                           hn::TFromD<D>* c) {
  hn::TFromD<D> sums[4];
  if constexpr (kRows > 2) {
    fold_four(d, s.r0, s.r1, s.r2, kRows == 4 ? s.r3 : s.r2, sums);
  } else {
    sums[0] = fold(d, s.r0);
    if constexpr (kRows > 1) sums[1] = fold(d, s.r1);
  }
  for (int r = 0; r < kRows; ++r) update_element(j, sums[r], c + r);
}

/// The last rows in columns c to c + kColumns − 1, of a side that is contiguous along p.
template <int kRows, int kColumns, class T>
HWY_INLINE void products(const RestAt<T>& at, std::size_t c) {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const TileJob<T>& j = at.job;
  const std::size_t length = at.length, column = j.y_column;
  const T *const y0 = j.y + c * column, *const y4 = y0 + (kColumns > 4 ? 4 : 0) * column;
  const V zero = hn::Zero(d);
  Sums<RowSums<V>> sums;
  for_columns<8>(sums, [&](RowSums<V>& s, int) KINJO_GEMM_INLINE { s = {zero, zero, zero, zero}; });
  const auto step = [&](std::size_t p, const auto& load) KINJO_GEMM_INLINE {
    const T* const x = at.x + p;
    const V x0 = hn::LoadU(d, x);
    V x1 = zero, x2 = zero, x3 = zero;
    if constexpr (kRows > 1) x1 = hn::LoadU(d, x + length);
    if constexpr (kRows > 2) x2 = hn::LoadU(d, x + 2 * length);
    if constexpr (kRows > 3) x3 = hn::LoadU(d, x + 3 * length);
    for_columns<kColumns>(sums, [&](RowSums<V>& s, int i) KINJO_GEMM_INLINE {
      const V y = load((i < 4 ? y0 : y4) + static_cast<std::size_t>(i % 4) * column + p);
      s.r0 = hn::MulAdd(x0, y, s.r0);
      if constexpr (kRows > 1) s.r1 = hn::MulAdd(x1, y, s.r1);
      if constexpr (kRows > 2) s.r2 = hn::MulAdd(x2, y, s.r2);
      if constexpr (kRows > 3) s.r3 = hn::MulAdd(x3, y, s.r3);
    });
  };
  std::size_t p = 0;
  for (; p + kLanes <= j.inner; p += kLanes) {
    step(p, [&](const T* y) KINJO_GEMM_INLINE { return hn::LoadU(d, y); });
  }
  if (p < j.inner) {
    const std::size_t left = j.inner - p;
    step(p, [&](const T* y) KINJO_GEMM_INLINE { return load_first(d, y, left); });
  }
  T* const to = j.c + at.row + c * j.ldc;
  for_columns<kColumns>(sums, [&](const RowSums<V>& s, int i) KINJO_GEMM_INLINE {
    store_rows<kRows>(d, s, j, to + static_cast<std::size_t>(i) * j.ldc);
  });
}

/// The last rows in columns from `c` on, as many as there are of those before `end`; of fewer than
/// are computed side by side only those behind which no others follow. Returns the column behind.
template <int kRows, class T>
std::size_t products_up_to(const RestAt<T>& at, std::size_t c, std::size_t end) {
  constexpr int kColumns = kColumnsOfRest<kRows>;
  for (; c + kColumns <= end; c += kColumns) products<kRows, kColumns>(at, c);
  if (end == at.job.columns) {
    for (; c + 2 <= end; c += 2) products<kRows, 2>(at, c);
    for (; c < end; ++c) products<kRows, 1>(at, c);
  }
  return c;
}

/// The last rows in `lanes` columns from c on, of a side that is contiguous across: whole vectors
/// of columns, or a part of one.
template <int kRows, int kVectors, class T>
HWY_INLINE void products_across(const RestAt<T>& at, std::size_t c, std::size_t lanes) {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const TileJob<T>& j = at.job;
  const V zero = hn::Zero(d);
  Sums<RowSums<V>> sums;
  for_columns<8>(sums, [&](RowSums<V>& s, int) KINJO_GEMM_INLINE { s = {zero, zero, zero, zero}; });
  const auto run = [&](const auto& load) KINJO_GEMM_INLINE {
    const T *x = at.x, *y = j.y + c;
    for (std::size_t p = 0; p < j.inner; ++p, ++x, y += j.y_step) {
      const V x0 = hn::Set(d, x[0]);
      V x1 = zero, x2 = zero, x3 = zero;
      if constexpr (kRows > 1) x1 = hn::Set(d, x[at.length]);
      if constexpr (kRows > 2) x2 = hn::Set(d, x[2 * at.length]);
      if constexpr (kRows > 3) x3 = hn::Set(d, x[3 * at.length]);
      for_columns<kVectors>(sums, [&](RowSums<V>& s, int i) KINJO_GEMM_INLINE {
        const V v = load(y + static_cast<std::size_t>(i) * kLanes);
        s.r0 = hn::MulAdd(x0, v, s.r0);
        if constexpr (kRows > 1) s.r1 = hn::MulAdd(x1, v, s.r1);
        if constexpr (kRows > 2) s.r2 = hn::MulAdd(x2, v, s.r2);
        if constexpr (kRows > 3) s.r3 = hn::MulAdd(x3, v, s.r3);
      });
    }
  };
  if (lanes % kLanes == 0) {
    run([&](const T* y) KINJO_GEMM_INLINE { return hn::LoadU(d, y); });
  } else {
    run([&](const T* y) KINJO_GEMM_INLINE { return load_first(d, y, lanes); });
  }
  T* to = j.c + at.row + c * j.ldc;
  for_columns<kVectors>(sums, [&](const RowSums<V>& s, int i) KINJO_GEMM_INLINE {
    T rows[4][kLanes];
    hn::StoreU(s.r0, d, rows[0]);
    if constexpr (kRows > 1) hn::StoreU(s.r1, d, rows[1]);
    if constexpr (kRows > 2) hn::StoreU(s.r2, d, rows[2]);
    if constexpr (kRows > 3) hn::StoreU(s.r3, d, rows[3]);
    const std::size_t here = std::min(kLanes, lanes - static_cast<std::size_t>(i) * kLanes);
    for (std::size_t lane = 0; lane < here; ++lane, to += j.ldc) {
      for (int r = 0; r < kRows; ++r) update_element(j, rows[r][lane], to + r);
    }
  });
}

/// As `products_up_to`.
template <int kRows, class T>
std::size_t products_across_up_to(const RestAt<T>& at, std::size_t c, std::size_t end) {
  constexpr int kVectors = kRows == 1 ? 8 : 4;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  for (; c + kVectors * kLanes <= end; c += kVectors * kLanes) {
    products_across<kRows, kVectors>(at, c, kVectors * kLanes);
  }
  if (end == at.job.columns) {
    for (; c + kLanes <= end; c += kLanes) products_across<kRows, 1>(at, c, kLanes);
    if (c < end) products_across<kRows, 1>(at, c, end - c);
    c = end;
  }
  return c;
}

/// The rows of a job from `begin` on, whose products are made in the course of the tiles: columns
/// of the broadcast side that tiles have just used are in L1.
template <class T>
class Rest {
 public:
  HWY_INLINE Rest(const TileJob<T>& job, std::size_t begin)
      : at_{job, x_, round_up(job.inner, hn::MaxLanes(hn::ScalableTag<T>())), begin},
        rows_(job.rows - begin) {
    T* row = x_;
    for (std::size_t r = begin; r < job.rows; ++r, row += at_.length) {
      for (std::size_t p = 0; p < job.inner; ++p) row[p] = job.x[r + p * job.x_step];
      std::fill(row + job.inner, row + at_.length, T{0});
    }
  }
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;

  /// The columns up to `end`; of those that are not the last, several at a time.
  HWY_INLINE void reach(std::size_t end) {
    if (rows_ == 1) reach_with<1>(end);
    if constexpr (kMostRowsOfRest < T >> 1) {
      if (rows_ == 2) reach_with<2>(end);
    }
    if constexpr (kMostRowsOfRest < T >> 2) {
      if (rows_ == 3) reach_with<3>(end);
      if (rows_ == 4) reach_with<4>(end);
    }
  }

 private:
  template <int kRows>
  HWY_INLINE void reach_with(std::size_t end) {
    next_ = at_.job.y_step == 1 ? products_up_to<kRows>(at_, next_, end)
                                : products_across_up_to<kRows>(at_, next_, end);
  }

  const RestAt<T> at_;
  const std::size_t rows_;
  std::size_t next_ = 0;
  HWY_ALIGN T x_[kMostRowsOfRest<T> * kMostInnerOfRest];
};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
