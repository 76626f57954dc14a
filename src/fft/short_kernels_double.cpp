/// The vector levels of short transforms, double.
#include "fft/short_kernels.hpp"

#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/short_kernels_double.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "fft/short_pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

extern const fft::detail::ShortKernels<double> kShort64 = short_kernels<hn::ScalableTag<double>>();

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

const KernelTable<fft::detail::ShortKernels<double>> kShortDouble = {
    &fft::detail::kShortScalarDouble, KINJO_SIMD_TARGETS(kShort64)};

}  // namespace kinjo::detail
#endif
