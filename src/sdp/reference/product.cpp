/// Products of matrices of doubles by plain loops, and of DoubleDoubles by vectors.
///
/// A tile of C, of one vector of rows and `kColumns` columns, is held in registers as two sums per
/// entry: the high parts of the products a b, added with their rounding errors found exactly
/// (two_sum, and the fused multiply-add for the product), and the sum of all these errors and of
/// the products with low parts. They are brought together when the tile is stored: T. Ogita,
/// S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005), Dot2.
///
/// Compiled once for each target, see simd/stream_kernels.cpp.
#include "sdp/reference/product.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sdp/reference/product.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#ifndef KINJO_SDP_REFERENCE_KERNELS
#define KINJO_SDP_REFERENCE_KERNELS
namespace kinjo::sdp::detail::reference {

struct ProductKernels {
  /// C += ± A B; `sign` is 1 or −1.
  void (*multiply)(const ProductShape& shape, double sign, const Strided<const DoubleDouble>& a,
                   const Strided<const DoubleDouble>& b, const Strided<DoubleDouble>& c);
  /// Σ_i a_i b_i
  DoubleDouble (*dot)(std::size_t count, const DoubleDouble* a, const DoubleDouble* b);
  DoubleDouble (*inner_product)(std::span<const Entry> f, const Strided<const DoubleDouble>& u);
};

template <class Real>
Real inner_product_plainly(std::span<const Entry> f, const Strided<const Real>& u) {
  Real sum(0);
  for (const Entry& e : f) {
    const Real value =
        e.row == e.column ? u(e.row, e.row) : u(e.row, e.column) + u(e.column, e.row);
    sum += value * Real(e.value);
  }
  return sum;
}

inline void multiply_plainly(const ProductShape& shape, double sign,
                             const Strided<const DoubleDouble>& a,
                             const Strided<const DoubleDouble>& b, const Strided<DoubleDouble>& c) {
  for (std::size_t j = 0; j < shape.columns; ++j) {
    for (std::size_t p = 0; p < shape.inner; ++p) {
      const DoubleDouble factor = b(p, j) * sign;
      for (std::size_t i = 0; i < shape.rows; ++i) c(i, j) += a(i, p) * factor;
    }
  }
}

inline DoubleDouble dot_plainly(std::size_t count, const DoubleDouble* a, const DoubleDouble* b) {
  DoubleDouble sum(0);
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace kinjo::sdp::detail::reference
#endif

HWY_BEFORE_NAMESPACE();
namespace kinjo::sdp::detail::reference::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || !HWY_NATIVE_FMA

constexpr ProductKernels kKernels = {&multiply_plainly, &dot_plainly,
                                     &inner_product_plainly<DoubleDouble>};

#else

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using Vector = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());
constexpr std::size_t kColumns = 4;

struct Sums {
  Vector high, low;
};

/// sums += (a_high + a_low) (b_high + b_low)
HWY_INLINE void accumulate(Sums& sums, Vector a_high, Vector a_low, Vector b_high, Vector b_low) {
  const Vector product = hn::Mul(a_high, b_high);
  Vector rest = hn::MulSub(a_high, b_high, product);
  rest = hn::MulAdd(a_high, b_low, rest);
  rest = hn::MulAdd(a_low, b_high, rest);
  const Vector sum = hn::Add(sums.high, product);
  const Vector from_product = hn::Sub(sum, sums.high);
  const Vector error =
      hn::Add(hn::Sub(sums.high, hn::Sub(sum, from_product)), hn::Sub(product, from_product));
  sums.high = sum;
  sums.low = hn::Add(sums.low, hn::Add(error, rest));
}

/// Adds the rows of `sums` from lane `first` on to a column of C.
HWY_INLINE void add_to(DoubleDouble* c, const Sums& sums, double sign, std::size_t first) {
  alignas(64) double high[kLanes], low[kLanes];
  hn::Store(sums.high, D(), high);
  hn::Store(sums.low, D(), low);
  for (std::size_t lane = first; lane < kLanes; ++lane) {
    c[lane] += kinjo::detail::two_sum(sign * high[lane], sign * low[lane]);
  }
}

/// A tile of kLanes rows and kCount columns of C, of which lanes before `first` are done already.
template <std::size_t kCount>
HWY_INLINE void tile(std::size_t inner, double sign, const Strided<const DoubleDouble>& a,
                     const Strided<const DoubleDouble>& b, const Strided<DoubleDouble>& c,
                     std::size_t first) {
  Sums sums[kCount];
  for (Sums& s : sums) s = {hn::Zero(D()), hn::Zero(D())};
  for (std::size_t p = 0; p < inner; ++p) {
    Vector high, low;
    hn::LoadInterleaved2(D(), &a(0, p).high, high, low);
    for (std::size_t j = 0; j < kCount; ++j) {
      const DoubleDouble factor = b(p, j);
      accumulate(sums[j], high, low, hn::Set(D(), factor.high), hn::Set(D(), factor.low));
    }
  }
  for (std::size_t j = 0; j < kCount; ++j) add_to(&c(0, j), sums[j], sign, first);
}

void multiply(const ProductShape& shape, double sign, const Strided<const DoubleDouble>& a,
              const Strided<const DoubleDouble>& b, const Strided<DoubleDouble>& c) {
  if (shape.rows < kLanes) {
    // The compiler fuses here, as it has the target's flags.
    for (std::size_t j = 0; j < shape.columns; ++j) {
      for (std::size_t p = 0; p < shape.inner; ++p) {
        const DoubleDouble factor = b(p, j) * sign;
        for (std::size_t i = 0; i < shape.rows; ++i) c(i, j) += a(i, p) * factor;
      }
    }
    return;
  }
  for (std::size_t i = 0; i < shape.rows; i += kLanes) {
    // The last vector lies so that it ends with the matrix.
    const std::size_t row = i + kLanes <= shape.rows ? i : shape.rows - kLanes;
    std::size_t j = 0;
    for (; j + kColumns <= shape.columns; j += kColumns) {
      tile<kColumns>(shape.inner, sign, a.at(row, 0), b.at(0, j), c.at(row, j), i - row);
    }
    for (; j < shape.columns; ++j) {
      tile<1>(shape.inner, sign, a.at(row, 0), b.at(0, j), c.at(row, j), i - row);
    }
  }
}

DoubleDouble dot(std::size_t count, const DoubleDouble* a, const DoubleDouble* b) {
  Sums sums = {hn::Zero(D()), hn::Zero(D())};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Vector a_high, a_low, b_high, b_low;
    hn::LoadInterleaved2(D(), &a[i].high, a_high, a_low);
    hn::LoadInterleaved2(D(), &b[i].high, b_high, b_low);
    accumulate(sums, a_high, a_low, b_high, b_low);
  }
  DoubleDouble lanes[kLanes] = {}, sum = dot_plainly(count - i, a + i, b + i);
  add_to(lanes, sums, 1, 0);
  for (const DoubleDouble& lane : lanes) sum += lane;
  return sum;
}

/// As a tile does it, with one entry at a time.
DoubleDouble inner_product(std::span<const Entry> f, const Strided<const DoubleDouble>& u) {
  double high = 0, low = 0;
  const auto add = [&](DoubleDouble value, double factor) HWY_ATTR {
    const double product = value.high * factor;
    const double rest =
        value.low * factor + __builtin_fma(value.high, factor, -product);  // an instruction here
    const double sum = high + product, from_product = sum - high;
    low += ((high - (sum - from_product)) + (product - from_product)) + rest;
    high = sum;
  };
  for (const Entry& e : f) {
    add(u(e.row, e.column), e.value);
    if (e.row != e.column) add(u(e.column, e.row), e.value);
  }
  return kinjo::detail::two_sum(high, low);
}

constexpr ProductKernels kKernels = {&multiply, &dot, &inner_product};

#endif

}  // namespace
extern const ProductKernels kProductKernels;
constinit const ProductKernels kProductKernels = kKernels;
}  // namespace kinjo::sdp::detail::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::sdp::detail::reference {
namespace {

constexpr ProductKernels kPlain = {&multiply_plainly, &dot_plainly,
                                   &inner_product_plainly<DoubleDouble>};
constexpr kinjo::detail::KernelTable<ProductKernels> kTable = {&kPlain,
                                                               KINJO_SIMD_TARGETS(kProductKernels)};

void multiply(ProductShape shape, double sign, Strided<const double> a, Strided<const double> b,
              Strided<double> c) {
  for (std::size_t j = 0; j < shape.columns; ++j) {
    double* out = &c(0, j);
    for (std::size_t p = 0; p < shape.inner; ++p) {
      const double factor = sign * b(p, j);
      const double* in = &a(0, p);
      for (std::size_t i = 0; i < shape.rows; ++i) out[i] += factor * in[i];
    }
  }
}

void multiply(ProductShape shape, double sign, Strided<const DoubleDouble> a,
              Strided<const DoubleDouble> b, Strided<DoubleDouble> c) {
  if (shape.rows == 0 || shape.columns == 0 || shape.inner == 0) return;
  kinjo::detail::chosen(kTable).multiply(shape, sign, a, b, c);
}

}  // namespace

double inner_product(std::span<const Entry> f, Strided<const double> u) {
  return inner_product_plainly(f, u);
}
DoubleDouble inner_product(std::span<const Entry> f, Strided<const DoubleDouble> u) {
  return kinjo::detail::chosen(kTable).inner_product(f, u);
}

void add_product(ProductShape shape, Strided<const double> a, Strided<const double> b,
                 Strided<double> c) {
  multiply(shape, 1, a, b, c);
}
void add_product(ProductShape shape, Strided<const DoubleDouble> a, Strided<const DoubleDouble> b,
                 Strided<DoubleDouble> c) {
  multiply(shape, 1, a, b, c);
}
void subtract_dots(std::size_t rows, std::size_t columns, Strided<const double> a, const double* b,
                   double* c) {
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) c[j] -= a(i, j) * b[i];
  }
}
void subtract_dots(std::size_t rows, std::size_t columns, Strided<const DoubleDouble> a,
                   const DoubleDouble* b, DoubleDouble* c) {
  const auto dot = kinjo::detail::chosen(kTable).dot;
  for (std::size_t j = 0; j < columns; ++j) c[j] -= dot(rows, &a(0, j), b);
}
void subtract_product(ProductShape shape, Strided<const double> a, Strided<const double> b,
                      Strided<double> c) {
  multiply(shape, -1, a, b, c);
}
void subtract_product(ProductShape shape, Strided<const DoubleDouble> a,
                      Strided<const DoubleDouble> b, Strided<DoubleDouble> c) {
  multiply(shape, -1, a, b, c);
}

}  // namespace kinjo::sdp::detail::reference
#endif
