/// Running sums are a pack of named vectors, so that each stays in a register. A product is added
/// by a fused multiply-add where the level has one.
///
/// Compiled once for each target, see simd/stream_kernels.cpp.
#include "blas1/ladder.hpp"

#include <kinjo/blas1.hpp>

#include "blas1/kernels.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "blas1/ladder.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

// One struct for all targets, although this file is read once for each.
#ifndef KINJO_BLAS1_LADDER
#define KINJO_BLAS1_LADDER
namespace kinjo::detail {
struct LadderKernelSet {
  std::size_t lanes;
  LadderCall sums[3][7];  // of each kernel that sums, by number of vectors: 1, 2, 3, 4, 5, 6, 8
  LadderCall axpy[2];     // 1 and 4 vectors at a time
};
inline constexpr double kLadderFactor = 0x1p-40;
}  // namespace kinjo::detail
#endif

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

// Terms: `op(sum, x, y)` is `sum` with one more; where elements are missing, zeros are read.
struct Values {
  HWY_INLINE V operator()(V sum, V x, V) const { return hn::Add(sum, x); }
};
struct Squares {
  HWY_INLINE V operator()(V sum, V x, V) const { return hn::MulAdd(x, x, sum); }
};
struct Products {
  HWY_INLINE V operator()(V sum, V x, V y) const { return hn::MulAdd(x, y, sum); }
};

HWY_INLINE V add_up(V v) { return v; }
template <class... More>
HWY_INLINE V add_up(V first, V second, More... more) {
  return add_up(hn::Add(first, second), more...);
}

template <class Op, class... Sums>
HWY_INLINE double add_terms(const double* x, const double* y, std::size_t n, Sums... sums) {
  const D d;
  const Op op;
  std::size_t i = 0;
  // Whether y is read is seen by the compiler from what `op` does with it.
  const auto next = [&](V sum) HWY_ATTR {
    const V with = op(sum, hn::LoadU(d, x + i), hn::LoadU(d, y + i));
    i += kLanes;
    return with;
  };
  while (i + sizeof...(Sums) * kLanes <= n) ((sums = next(sums)), ...);
  V rest = hn::Zero(d);
  while (i + kLanes <= n) rest = next(rest);
  if (i < n) rest = op(rest, load_first(d, x + i, n - i), load_first(d, y + i, n - i));
  return fold(d, add_up(rest, sums...));
}

template <class Op, std::size_t kSums>
double reduce(const double* x, double* y, std::size_t n) {
  const V zero = hn::Zero(D());
  const double* const other = y;
  if constexpr (kSums == 1) return add_terms<Op>(x, other, n, zero);
  if constexpr (kSums == 2) return add_terms<Op>(x, other, n, zero, zero);
  if constexpr (kSums == 3) return add_terms<Op>(x, other, n, zero, zero, zero);
  if constexpr (kSums == 4) return add_terms<Op>(x, other, n, zero, zero, zero, zero);
  if constexpr (kSums == 5) return add_terms<Op>(x, other, n, zero, zero, zero, zero, zero);
  if constexpr (kSums == 6) return add_terms<Op>(x, other, n, zero, zero, zero, zero, zero, zero);
  if constexpr (kSums == 8) {
    return add_terms<Op>(x, other, n, zero, zero, zero, zero, zero, zero, zero, zero);
  }
}

template <std::size_t kVectors>
double axpy(const double* x, double* y, std::size_t n) {
  const D d;
  const V a = hn::Set(d, kLadderFactor);
  const auto update = [&](V from, V to) HWY_ATTR { return hn::MulAdd(a, from, to); };
  const auto at = [&](std::size_t i) HWY_ATTR {
    hn::StoreU(update(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
  };
  std::size_t i = 0;
  for (; i + kVectors * kLanes <= n; i += kVectors * kLanes) {
    at(i);
    if constexpr (kVectors == 4) at(i + kLanes), at(i + 2 * kLanes), at(i + 3 * kLanes);
  }
  for (; i + kLanes <= n; i += kLanes) at(i);
  if (i < n) {
    const std::size_t left = n - i;
    store_first(update(load_first(d, x + i, left), load_first(d, y + i, left)), d, y + i, left);
  }
  return 0;
}

}  // namespace

#define KINJO_LADDER_OF(Op)                                                                   \
  {                                                                                           \
    reduce<Op, 1>, reduce<Op, 2>, reduce<Op, 3>, reduce<Op, 4>, reduce<Op, 5>, reduce<Op, 6>, \
        reduce<Op, 8>                                                                         \
  }
extern const LadderKernelSet kLadder = {
    kLanes,
    {KINJO_LADDER_OF(Values), KINJO_LADDER_OF(Squares), KINJO_LADDER_OF(Products)},
    {axpy<1>, axpy<4>}};
#undef KINJO_LADDER_OF

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

namespace {

const KernelTable<LadderKernelSet> kTable = {nullptr, KINJO_SIMD_TARGETS(kLadder)};

using Input = blas1::View<const double>;

LadderRung plain_rung(LadderKernel kernel) {
  switch (kernel) {
    case LadderKernel::sum:
      return {"plain", 1, 1,
              [](const double* x, double*, std::size_t n) { return kReferenceDouble.sum(x, n); }};
    case LadderKernel::sum_of_squares:
      return {"plain", 1, 1, [](const double* x, double*, std::size_t n) {
                return kReferenceDouble.sum_of_squares(x, n);
              }};
    case LadderKernel::dot:
      return {"plain", 1, 1, [](const double* x, double* y, std::size_t n) {
                return kReferenceDouble.dot(x, y, n);
              }};
    case LadderKernel::axpy:
      break;
  }
  return {"plain", 0, 1, [](const double* x, double* y, std::size_t n) {
            kReferenceDouble.axpy(kLadderFactor, x, y, n);
            return 0.0;
          }};
}

LadderRung library_rung(LadderKernel kernel) {
  switch (kernel) {
    case LadderKernel::sum:
      return {"library", 0, 0,
              [](const double* x, double*, std::size_t n) { return blas1::sum(Input(x, n)); }};
    case LadderKernel::sum_of_squares:
      return {"library", 0, 0, [](const double* x, double*, std::size_t n) {
                return blas1::sum_of_squares(Input(x, n));
              }};
    case LadderKernel::dot:
      return {"library", 0, 0, [](const double* x, double* y, std::size_t n) {
                return blas1::dot(Input(x, n), Input(y, n));
              }};
    case LadderKernel::axpy:
      break;
  }
  return {"library", 0, 0, [](const double* x, double* y, std::size_t n) {
            blas1::axpy(kLadderFactor, Input(x, n), blas1::View<double>(y, n));
            return 0.0;
          }};
}

void add_vector_rungs(LadderKernel kernel, std::vector<LadderRung>& rungs) {
  static constexpr const char* kNames[] = {"1 vector",  "2 vectors", "3 vectors", "4 vectors",
                                           "5 vectors", "6 vectors", "8 vectors"};
  static constexpr std::size_t kSums[] = {1, 2, 3, 4, 5, 6, 8};
  const LadderKernelSet& set = chosen(kTable);
  if (kernel == LadderKernel::axpy) {
    rungs.push_back({"1 at a time", 0, set.lanes, set.axpy[0]});
    rungs.push_back({"4 at a time", 0, set.lanes, set.axpy[1]});
    return;
  }
  for (std::size_t k = 0; k < 7; ++k) {
    rungs.push_back(
        {kNames[k], kSums[k], set.lanes, set.sums[static_cast<std::size_t>(kernel)][k]});
  }
}

}  // namespace

const char* to_string(LadderKernel kernel) noexcept {
  constexpr const char* kNames[] = {"sum", "sum_of_squares", "dot", "axpy"};
  return kNames[static_cast<std::size_t>(kernel)];
}

std::vector<LadderRung> ladder_rungs(LadderKernel kernel) {
  std::vector<LadderRung> rungs = {plain_rung(kernel)};
  if (simd_level() != SimdLevel::scalar) add_vector_rungs(kernel, rungs);
  rungs.push_back(library_rung(kernel));
  return rungs;
}

}  // namespace kinjo::detail
#endif
