/// The vector levels of transforms in columns, double.
#include "fft/column_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/column_kernels_double.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/column_kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::ColumnKernels<double> kColumns64 =
    column_kernels<hn::ScalableTag<double>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::ColumnKernels<double>> kColumnsDouble = {
    &fft::detail::kColumnsScalarDouble, KINJO_SIMD_TARGETS(kColumns64)};

}  // namespace kinjo::detail
#endif
