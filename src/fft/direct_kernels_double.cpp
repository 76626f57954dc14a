/// The vector levels of direct transforms, double.
#include "fft/direct_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/direct_kernels_double.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/direct_pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::DirectKernels<double> kDirect64 =
    direct_kernels<hn::ScalableTag<double>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::DirectKernels<double>> kDirectDouble = {
    &fft::detail::kDirectScalarDouble, KINJO_SIMD_TARGETS(kDirect64)};

}  // namespace kinjo::detail
#endif
