/// The vector levels of transforms in columns, float.
#include "fft/column_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/column_kernels_float.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/column_kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::ColumnKernels<float> kColumns32 =
    column_kernels<hn::ScalableTag<float>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::ColumnKernels<float>> kColumnsFloat = {
    &fft::detail::kColumnsScalarFloat, KINJO_SIMD_TARGETS(kColumns32)};

}  // namespace kinjo::detail
#endif
