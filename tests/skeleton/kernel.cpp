/// z ← (x + y) / 2: whole vectors, then single elements. Compiled once for each target.
#include "skeleton/kernel.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skeleton/kernel.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

// Once: the set of kernels, and the plain loops, which are its level `scalar`.
#ifndef KINJO_SKELETON_KERNEL
#define KINJO_SKELETON_KERNEL
namespace kinjo::detail {
struct MeanKernels {
  void (*mean)(const double* x, const double* y, double* z, std::size_t n);
};
}  // namespace kinjo::detail
#endif

// For each target.
HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

void mean(const double* x, const double* y, double* z, std::size_t n) {
  const hn::ScalableTag<double> wide;
  const hn::CappedTag<double, 1> single;
  const auto op = [=](auto d, std::size_t i) HWY_ATTR {
    return hn::Mul(hn::Set(d, 0.5), hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, y + i)));
  };
  std::size_t i = 0;
  for (; i + hn::Lanes(wide) <= n; i += hn::Lanes(wide)) hn::StoreU(op(wide, i), wide, z + i);
  for (; i < n; ++i) hn::StoreU(op(single, i), single, z + i);
}

}  // namespace

extern const MeanKernels kMean = {mean};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// Once: the choice.
#if HWY_ONCE
namespace kinjo::detail {
namespace {

void mean_reference(const double* x, const double* y, double* z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) z[i] = 0.5 * (x[i] + y[i]);
}

const MeanKernels kReference = {mean_reference};
const KernelTable<MeanKernels> kTable = {&kReference, KINJO_SIMD_TARGETS(kMean)};

}  // namespace

void mean_of(const double* x, const double* y, double* z, std::size_t n) {
  chosen(kTable).mean(x, y, z, n);
}

}  // namespace kinjo::detail
#endif
