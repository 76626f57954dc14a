/// The vector levels of matrix multiplication: tiles, and packing for them.
#include "gemm/kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gemm/kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "gemm/pack-inl.hpp"
#include "gemm/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

template <class T>
void pack_rows(const PackJob<T>& job) {
  pack<T, kRowStrips<T>.whole>(job, kRowStrips<T>);
}
template <class T>
void pack_columns(const PackJob<T>& job) {
  pack<T, kTileColumns>(job, kColumnStrips);
}
template <class T>
constexpr GemmKernels<T> kernels() {
  return {kRowStrips<T>, kColumnStrips, multiply<T>, pack_rows<T>, pack_columns<T>};
}

}  // namespace

extern const GemmKernels<float> kGemm32 = kernels<float>();
extern const GemmKernels<double> kGemm64 = kernels<double>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<GemmKernels<float>> kGemmFloat = {&kGemmScalarFloat, KINJO_SIMD_TARGETS(kGemm32)};
const KernelTable<GemmKernels<double>> kGemmDouble = {&kGemmScalarDouble,
                                                      KINJO_SIMD_TARGETS(kGemm64)};

}  // namespace kinjo::detail
#endif
