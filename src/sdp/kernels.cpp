/// Compiled once for each target, see simd/stream_kernels.cpp.
#include "sdp/kernels.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sdp/kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#include "sdp/row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::sdp::detail::HWY_NAMESPACE {
namespace {

using Lanes = Row<kLanes>;
using Sides = Row<kSides>;

/// Positions of one row that are computed at once: what belongs to the row is loaded once for them.
template <std::size_t Count>
HWY_INLINE void combine_row(const double* x, const double* v, std::size_t stride,
                            const Position* positions, double* sums) {
  const double *xs = x + positions[0].row * stride, *vs = v + positions[0].row * stride;
  Lanes sum[Count];
  for (std::size_t k = 0; k < Count; ++k) sum[k] = Lanes::load(sums + k * kLanes);
  for (std::size_t q = 0; q < stride; q += kLanes) {
    const Lanes xq = Lanes::load(xs + q), vq = Lanes::load(vs + q);
    for (std::size_t k = 0; k < Count; ++k) {
      const std::size_t at = positions[k].column * stride + q;
      sum[k].add_product(xq, v + at);
      sum[k].add_product(vq, x + at);
    }
  }
  for (std::size_t k = 0; k < Count; ++k) sum[k].store(sums + k * kLanes);
}

void combine(const double* x, const double* v, std::size_t rank, const Position* positions,
             std::size_t count, double* sums) {
  constexpr std::size_t kTogether = 4;
  const std::size_t stride = rank * kLanes;
  for (std::size_t k = 0; k < count;) {
    const Position* p = positions + k;
    if (p->row == p->column) {
      Lanes sum = Lanes::load(sums + k * kLanes);
      const double *xs = x + p->row * stride, *vs = v + p->row * stride;
      for (std::size_t q = 0; q < stride; q += kLanes) sum.add_product(Lanes::load(xs + q), vs + q);
      sum.store(sums + k * kLanes);
      ++k;
    } else if (k + kTogether <= count && p[kTogether - 1].row == p->row &&
               p[kTogether - 1].column != p->row && p[1].row == p->row && p[2].row == p->row &&
               p[1].column != p->row && p[2].column != p->row) {
      combine_row<kTogether>(x, v, stride, p, sums + k * kLanes);
      k += kTogether;
    } else {
      combine_row<1>(x, v, stride, p, sums + k * kLanes);
      ++k;
    }
  }
}

void interleave(const double* const* from, std::size_t n, double* to, std::size_t stride) {
  for (std::size_t i = 0; i < n; ++i, to += stride) {
    double row[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      row[lane] = from[lane] == nullptr ? 0 : from[lane][i];
    }
    Lanes::load(row).store(to);
  }
}

void add_scaled(double factor, const double* from, std::size_t n, double* to) {
  const auto f = hn::Set(D(), factor);
  std::size_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    hn::StoreU(hn::MulAdd(f, hn::LoadU(D(), from + i), hn::LoadU(D(), to + i)), D(), to + i);
  }
  for (; i < n; ++i) to[i] += factor * from[i];
}

void symmetrise(const double* u, std::size_t n, const Position* positions, std::size_t count,
                double* sums) {
  for (std::size_t k = 0; k < count; ++k, sums += kLanes) {
    const Position p = positions[k];
    Lanes sum = Lanes::load(u + (p.row * n + p.column) * kLanes);
    if (p.row != p.column) sum.add(Lanes::load(u + (p.column * n + p.row) * kLanes));
    sum.store(sums);
  }
}

void dots(const std::size_t* begins, std::size_t count, const std::uint32_t* places,
          const double* values, const double* sums, std::size_t shift, double* out) {
  for (std::size_t j = 0; j < count; ++j, out += kLanes) {
    Lanes even = Lanes::zero(), odd = Lanes::zero();
    std::size_t e = begins[j];
    for (; e + 1 < begins[j + 1]; e += 2) {
      even.add_scaled(values[e], sums + (places[e] - shift) * kLanes);
      odd.add_scaled(values[e + 1], sums + (places[e + 1] - shift) * kLanes);
    }
    if (e < begins[j + 1]) even.add_scaled(values[e], sums + (places[e] - shift) * kLanes);
    even.add(odd);
    even.store(out);
  }
}

void forward(const FactorView& factor, double* b) {
  for (std::size_t j = 0; j < factor.order; ++j) {
    int e = factor.begins[j];
    const int end = factor.begins[j + 1];
    Sides x = Sides::load(b + j * kSides);
    x.scale(1 / factor.values[e]);
    x.store(b + j * kSides);
    for (++e; e < end; ++e) {
      double* row = b + static_cast<std::size_t>(factor.rows[e]) * kSides;
      Sides y = Sides::load(row);
      y.subtract_scaled(factor.values[e], x);
      y.store(row);
    }
  }
}

void backward(const FactorView& factor, double* b) {
  for (std::size_t j = factor.order; j-- > 0;) {
    const int begin = factor.begins[j];
    Sides x = Sides::zero();
    for (int e = factor.begins[j + 1] - 1; e > begin; --e) {
      x.add_scaled(-factor.values[e], b + static_cast<std::size_t>(factor.rows[e]) * kSides);
    }
    x.add(Sides::load(b + j * kSides));
    x.scale(1 / factor.values[begin]);
    x.store(b + j * kSides);
  }
}

}  // namespace

extern const KernelSet kKernels = {combine, interleave, add_scaled, symmetrise,
                                   dots,    forward,    backward};

}  // namespace kinjo::sdp::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::sdp::detail {

namespace {

const kinjo::detail::KernelTable<KernelSet> kTable = {&kReferenceKernels,
                                                      KINJO_SIMD_TARGETS(kKernels)};

}  // namespace

const KernelSet& kernels() { return kinjo::detail::chosen(kTable); }

}  // namespace kinjo::sdp::detail
#endif
