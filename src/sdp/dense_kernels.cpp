/// Compiled once for each target, see simd/stream_kernels.cpp.
#include "sdp/dense_kernels.hpp"

#include <cmath>

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sdp/dense_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#include "sdp/row-inl.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::sdp::detail::HWY_NAMESPACE {
namespace {

namespace simd = kinjo::detail::HWY_NAMESPACE;
using V = hn::Vec<D>;
using Sides = Row<kSides>;

/// Rows of a triangle that are done together: as many as have their sums in registers.
constexpr std::size_t kTogether = kWidth >= 8 ? 4 : kWidth >= 4 ? 2 : 1;

/// Products of `Rows` rows with x: each is two sums, of even and odd vectors.
template <std::size_t Rows>
HWY_INLINE void multiply_some(std::size_t columns, double factor, const double* a, std::size_t ld,
                              const double* x, double* y) {
  V even[Rows], odd[Rows];
  for (std::size_t r = 0; r < Rows; ++r) even[r] = odd[r] = hn::Zero(D());
  std::size_t c = 0;
  for (; c + 2 * kWidth <= columns; c += 2 * kWidth) {
    const V x0 = hn::LoadU(D(), x + c), x1 = hn::LoadU(D(), x + c + kWidth);
    for (std::size_t r = 0; r < Rows; ++r) {
      even[r] = hn::MulAdd(hn::LoadU(D(), a + r * ld + c), x0, even[r]);
      odd[r] = hn::MulAdd(hn::LoadU(D(), a + r * ld + c + kWidth), x1, odd[r]);
    }
  }
  if (c + kWidth <= columns) {
    const V x0 = hn::LoadU(D(), x + c);
    for (std::size_t r = 0; r < Rows; ++r) {
      even[r] = hn::MulAdd(hn::LoadU(D(), a + r * ld + c), x0, even[r]);
    }
    c += kWidth;
  }
  if (c < columns) {
    const std::size_t rest = columns - c;
    const V x0 = simd::load_first(D(), x + c, rest);
    for (std::size_t r = 0; r < Rows; ++r) {
      odd[r] = hn::MulAdd(simd::load_first(D(), a + r * ld + c, rest), x0, odd[r]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    y[r] += factor * simd::fold(D(), hn::Add(even[r], odd[r]));
  }
}

void multiply_rows(std::size_t rows, std::size_t columns, double factor, const double* a,
                   std::size_t ld, const double* x, double* y) {
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) multiply_some<4>(columns, factor, a + r * ld, ld, x, y + r);
  for (; r < rows; ++r) multiply_some<1>(columns, factor, a + r * ld, ld, x, y + r);
}

template <std::size_t Rows>
HWY_INLINE void add_some(std::size_t columns, double factor, const double* a, std::size_t ld,
                         const double* x, double* y) {
  V f[Rows];
  for (std::size_t r = 0; r < Rows; ++r) f[r] = hn::Set(D(), factor * x[r]);
  std::size_t c = 0;
  for (; c + kWidth <= columns; c += kWidth) {
    V sum = hn::LoadU(D(), y + c);
    for (std::size_t r = 0; r < Rows; ++r) {
      sum = hn::MulAdd(f[r], hn::LoadU(D(), a + r * ld + c), sum);
    }
    hn::StoreU(sum, D(), y + c);
  }
  if (c == columns) return;
  const std::size_t rest = columns - c;
  V sum = simd::load_first(D(), y + c, rest);
  for (std::size_t r = 0; r < Rows; ++r) {
    sum = hn::MulAdd(f[r], simd::load_first(D(), a + r * ld + c, rest), sum);
  }
  simd::store_first(sum, D(), y + c, rest);
}

void add_rows(std::size_t rows, std::size_t columns, double factor, const double* a, std::size_t ld,
              const double* x, double* y) {
  std::size_t r = 0;
  for (; r + 8 <= rows; r += 8) add_some<8>(columns, factor, a + r * ld, ld, x + r, y);
  for (; r < rows; ++r) add_some<1>(columns, factor, a + r * ld, ld, x + r, y);
}

/// Rows i … of a symmetric matrix beyond their own triangle, for both triangles at once.
template <std::size_t Rows>
HWY_INLINE void symmetric_some(std::size_t n, std::size_t i, const double* a, std::size_t ld,
                               const double* x, double* y) {
  V sum[Rows], f[Rows];
  for (std::size_t r = 0; r < Rows; ++r) {
    sum[r] = hn::Zero(D());
    f[r] = hn::Set(D(), x[i + r]);
    const double* row = a + (i + r) * ld;
    y[i + r] += row[i + r] * x[i + r];
    for (std::size_t c = i + r + 1; c < i + Rows; ++c) {
      y[i + r] += row[c] * x[c];
      y[c] += row[c] * x[i + r];
    }
  }
  const auto step = [&](V xs, V ys, auto&& load) HWY_ATTR {
    for (std::size_t r = 0; r < Rows; ++r) {
      const V v = load(a + (i + r) * ld);
      sum[r] = hn::MulAdd(v, xs, sum[r]);
      ys = hn::MulAdd(f[r], v, ys);
    }
    return ys;
  };
  std::size_t c = i + Rows;
  for (; c + kWidth <= n; c += kWidth) {
    const V ys = step(hn::LoadU(D(), x + c), hn::LoadU(D(), y + c),
                      [&](const double* row) HWY_ATTR { return hn::LoadU(D(), row + c); });
    hn::StoreU(ys, D(), y + c);
  }
  if (c < n) {
    const std::size_t rest = n - c;
    const V ys =
        step(simd::load_first(D(), x + c, rest), simd::load_first(D(), y + c, rest),
             [&](const double* row) HWY_ATTR { return simd::load_first(D(), row + c, rest); });
    simd::store_first(ys, D(), y + c, rest);
  }
  for (std::size_t r = 0; r < Rows; ++r) y[i + r] += simd::fold(D(), sum[r]);
}

void multiply_symmetric(std::size_t n, const double* a, std::size_t ld, const double* x,
                        double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = 0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) symmetric_some<4>(n, i, a, ld, x, y);
  for (; i < n; ++i) symmetric_some<1>(n, i, a, ld, x, y);
}

template <std::size_t Rows>
HWY_INLINE void forward_some(std::size_t i, const double* l, std::size_t ld, double* b,
                             std::size_t ldb) {
  Sides row[Rows];
  for (std::size_t r = 0; r < Rows; ++r) row[r] = Sides::load(b + (i + r) * ldb);
  for (std::size_t j = 0; j < i; ++j) {
    const Sides x = Sides::load(b + j * ldb);
    for (std::size_t r = 0; r < Rows; ++r) row[r].subtract_scaled(l[(i + r) * ld + j], x);
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    const double* own = l + (i + r) * ld + i;
    for (std::size_t q = 0; q < r; ++q) row[r].subtract_scaled(own[q], row[q]);
    row[r].scale(1 / own[r]);
    row[r].store(b + (i + r) * ldb);
  }
}

void forward(std::size_t n, const double* l, std::size_t ld, double* b, std::size_t ldb) {
  std::size_t i = 0;
  for (; i + kTogether <= n; i += kTogether) forward_some<kTogether>(i, l, ld, b, ldb);
  for (; i < n; ++i) forward_some<1>(i, l, ld, b, ldb);
}

template <std::size_t Rows>
HWY_INLINE void backward_some(std::size_t n, std::size_t i, const double* l, std::size_t ld,
                              double* b, std::size_t ldb) {
  Sides row[Rows];
  for (std::size_t r = 0; r < Rows; ++r) row[r] = Sides::load(b + (i + r) * ldb);
  for (std::size_t j = i + Rows; j < n; ++j) {
    const Sides x = Sides::load(b + j * ldb);
    for (std::size_t r = 0; r < Rows; ++r) row[r].subtract_scaled(l[j * ld + i + r], x);
  }
  for (std::size_t r = Rows; r-- > 0;) {
    for (std::size_t q = r + 1; q < Rows; ++q) {
      row[r].subtract_scaled(l[(i + q) * ld + i + r], row[q]);
    }
    row[r].scale(1 / l[(i + r) * ld + i + r]);
    row[r].store(b + (i + r) * ldb);
  }
}

void backward(std::size_t n, const double* l, std::size_t ld, double* b, std::size_t ldb) {
  std::size_t i = n;
  for (; i % kTogether != 0; --i) backward_some<1>(n, i - 1, l, ld, b, ldb);
  for (; i > 0; i -= kTogether) backward_some<kTogether>(n, i - kTogether, l, ld, b, ldb);
}

bool factorise(std::size_t n, double* a) {
  using Whole = Row<kFactorBlock>;
  for (std::size_t j = 0; j < n; ++j) {
    double* row = a + j * kFactorBlock;
    if (!(row[j] > 0)) return false;
    const double root = std::sqrt(row[j]);
    Whole all = Whole::load(row);
    all.scale(1 / root);
    all.store(row);
    row[j] = root;
    for (std::size_t k = j + 1; k < n; ++k) {
      double* other = a + k * kFactorBlock;
      const auto factor = hn::Set(D(), row[k]);
      for (std::size_t v = k / kWidth; v < Whole::kVectors; ++v) {
        double* at = other + v * kWidth;
        hn::StoreU(hn::NegMulAdd(factor, all.part[v], hn::LoadU(D(), at)), D(), at);
      }
    }
  }
  return true;
}

/// Transposes squares of kSides columns and the first rows: line k of the one that begins at
/// (row, side) comes from `from(row, side, k)` and goes to `to(row, side, k)`. Returns how many
/// rows fill squares.
template <class From, class To>
HWY_INLINE std::size_t turn_squares(std::size_t n, const From& from, const To& to) {
  using S = simd::SquareTag<D>;
  constexpr std::size_t kEdge = hn::MaxLanes(S());
  std::size_t i = 0;
  for (; i + kEdge <= n; i += kEdge) {
    for (std::size_t side = 0; side < kSides; side += kEdge) {
      simd::transpose(
          S(), [=](std::size_t k) HWY_ATTR { return hn::LoadU(S(), from(i, side, k)); },
          [=](std::size_t k, hn::Vec<S> v) HWY_ATTR { hn::StoreU(v, S(), to(i, side, k)); });
    }
  }
  return i;
}

void gather(std::size_t n, const double* from, std::size_t ld, double* to) {
  std::size_t i = turn_squares(
      n,
      [=](std::size_t row, std::size_t side, std::size_t k)
          HWY_ATTR { return from + (side + k) * ld + row; },
      [=](std::size_t row, std::size_t side, std::size_t k)
          HWY_ATTR { return to + (row + k) * kSides + side; });
  for (; i < n; ++i) {
    for (std::size_t side = 0; side < kSides; ++side) to[i * kSides + side] = from[side * ld + i];
  }
}

void scatter(std::size_t n, const double* from, double* to, std::size_t ld) {
  std::size_t i = turn_squares(
      n,
      [=](std::size_t row, std::size_t side, std::size_t k)
          HWY_ATTR { return from + (row + k) * kSides + side; },
      [=](std::size_t row, std::size_t side, std::size_t k)
          HWY_ATTR { return to + (side + k) * ld + row; });
  for (; i < n; ++i) {
    for (std::size_t side = 0; side < kSides; ++side) to[side * ld + i] = from[i * kSides + side];
  }
}

}  // namespace

extern const DenseKernels kDenseKernels = {
    multiply_rows, add_rows, multiply_symmetric, forward, backward, factorise, gather, scatter};

}  // namespace kinjo::sdp::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::sdp::detail {

namespace {

const kinjo::detail::KernelTable<DenseKernels> kDenseTable = {&kReferenceDenseKernels,
                                                              KINJO_SIMD_TARGETS(kDenseKernels)};

}  // namespace

const DenseKernels& dense_kernels() { return kinjo::detail::chosen(kDenseTable); }

}  // namespace kinjo::sdp::detail
#endif
